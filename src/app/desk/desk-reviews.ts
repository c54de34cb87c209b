/** The desk's page of reviews: searching, removing, hiding names and words, and allowing again what was removed. */
import { html } from "hono/html";
import { UNNAMED_BUSINESS, verifiedSourcesOf } from "../../business.ts";
import { REDACTED_AUTHOR } from "../../import/apply/redaction.ts";
import { unnamedAuthor } from "../../import/review/candidate.ts";
import { languageOfText } from "../../insight/text/language.ts";
import { readmitReviews } from "../../maintenance/removal.ts";
import { vanishedEntries } from "../../maintenance/vanished.ts";
import { authorName, languageOf } from "../../page/part/review-card.ts";
import { sourceName } from "../../page/part/source-name.ts";
import { renderStars } from "../../page/part/stars.ts";
import { appealText } from "../../page/text/appeal.ts";
import type { DeskWords } from "../../page/text/desk-words.ts";
import type { Markup } from "../../page/text/markup.ts";
import { beginning } from "../../page/text/printable.ts";
import { fill } from "../../page/text/words.ts";
import { dateOfReviewId, type Review } from "../../review.ts";
import { REMOVAL_PLACE, type Removal, removalPage } from "../../store/history/removal-rows.ts";
import { type PageWish, publishedPage, REVIEW_PLACE, type ReviewPage } from "../../store/review-rows.ts";
import { VANISHED_PLACE } from "../../store/sighting-rows.ts";
import { readBusiness, type Store } from "../../store/store.ts";
import { baseUrlOf } from "../config.ts";
import {
  actionForm,
  confirmPage,
  type DeskRequest,
  deskTime,
  leadBack,
  olderLink,
  readPlace,
  renderTable,
  showPage,
} from "./desk-frame.ts";
import { withStore } from "./desk-site.ts";
import { doWork } from "./desk-work-page.ts";

const [PAGE_LENGTH, VANISHED_LENGTH] = [20, 50];
const [TEXT_LENGTH, VANISHED_TEXT_LENGTH] = [500, 200];

/** What can be taken out of a review, by the last part of the address. */
const ACTIONS = {
  remove: { what: "review", name: "remove" },
  "hide-name": { what: "author", name: "hideName" },
  "hide-words": { what: "text", name: "hideWords" },
} as const satisfies Readonly<Record<string, { what: Removal["what"]; name: keyof DeskWords["reviews"] }>>;

/** Answers `/reviews` and what is below it. */
export async function answerReviews(request: DeskRequest): Promise<Response | undefined> {
  const { isPost, rest, form, site } = request;
  const [id = "", action = "", ...deeper] = rest;
  if (deeper.length > 0) return undefined;
  if (id === "" && !isPost) return await showReviews(request);
  if (id === "removed" && action === "" && !isPost) return await showRemoved(request);
  if (id === "vanished" && action === "" && !isPost) return await showVanished(request);
  if (id === "allow" && action === "" && isPost) {
    const given = form.fields.get("id") ?? "";
    await withStore(site, async (store) => await readmitReviews(store, [given], new Date()));
    return leadBack(request, "/reviews/removed", [request.words.reviews.allowed]);
  }
  if (!Object.hasOwn(ACTIONS, action)) return undefined;
  const chosen = ACTIONS[action as keyof typeof ACTIONS];
  return isPost ? await takeOut(request, id, chosen.what) : await askFirst(request, id, action as keyof typeof ACTIONS);
}

/** A page of the reviews that are published. */
async function pageOf(store: Store, wish: Omit<PageWish, "limit">): Promise<ReviewPage> {
  const sources = verifiedSourcesOf(await readBusiness(store.database));
  return await publishedPage(store.database, sources, { ...wish, limit: PAGE_LENGTH });
}

/** The published review of an id. */
async function reviewOf(store: Store, id: string): Promise<Review | undefined> {
  return (await pageOf(store, { words: id })).reviews.find((each) => each.id === id.toUpperCase());
}

async function showReviews(request: DeskRequest): Promise<Response> {
  const { words, query, site } = request;
  const { reviews: said } = words;
  const search = query.get("search")?.trim() ?? "";
  const after = readPlace(query, REVIEW_PLACE);
  const none: ReviewPage = { reviews: [], last: undefined };
  const { reviews, last } = (await withStore(site, (store) => pageOf(store, { words: search, after }))) ?? none;
  const content = html`<div class="actions"><search><form class="find" method="get" action="${site.prefix}/reviews"><label for="search">${said.search}</label><input type="search" id="search" name="search" value="${search}"><button class="button quiet">${said.find}</button></form></search> <a href="${site.prefix}/reviews/removed">${said.removed}</a> <a href="${site.prefix}/reviews/vanished">${said.vanished}</a></div>
${reviews.length === 0 ? html`<p class="card">${search === "" ? said.none : fill(said.noneFound, { words: search })}</p>` : html`<div class="cards">${reviews.map((review) => renderReview(request, review))}</div>`}
${olderLink(request, "/reviews", { last, columns: REVIEW_PLACE, label: said.older, fields: search === "" ? {} : { search } })}`;
  return showPage(request, { entry: "reviews", title: words.navigation.reviews, content });
}

/** Whether it has no name that could be hidden. */
function isNameless({ author, author_avatar_url, source, source_url }: Review): boolean {
  const isUnnamed = author === unnamedAuthor(source) && author_avatar_url === null && source_url === null;
  return author === REDACTED_AUTHOR || isUnnamed;
}

/** A review as it is published, and what can be done with it. */
function renderReview(request: DeskRequest, review: Review): Markup {
  const { words, site } = request;
  const { id } = review;
  const button = (action: keyof typeof ACTIONS) =>
    html`<form method="get" action="${site.prefix}/reviews/${id}/${action}"><button class="button quiet small" aria-describedby="who-${id}">${words.reviews[ACTIONS[action].name]}</button></form>`;
  return html`<article class="card review">${renderWho(request, review, { id: `who-${id}`, level: 2 })}${renderText(request, review)}
<div class="actions">${button("remove")}${isNameless(review) ? "" : button("hide-name")}${review.text === null ? "" : button("hide-words")}</div></article>`;
}

/** Author, stars, day and source: the heading of a review, of the level that its page needs. */
export function renderWho(
  { locale }: DeskRequest,
  { author, date, rating, source }: Review,
  { id, level }: { readonly id: string; readonly level: 2 | 3 },
): Markup {
  const line = html`<strong><bdi>${authorName(author, locale)}</bdi></strong> ${renderStars(rating, locale)} <time class="soft" datetime="${date}">${locale.shortDate(date)}</time> <span class="soft">· ${sourceName(source, locale)}</span>`;
  return level === 2
    ? html`<h2 class="byline" id="${id}">${line}</h2>`
    : html`<h3 class="byline" id="${id}">${line}</h3>`;
}

function renderText({ locale }: DeskRequest, { text, owner_reply: reply }: Review): Markup {
  const settings = { locale, language: locale.tag, businessName: "", tellLanguage: languageOfText };
  const shown = (words: string) =>
    html`<p class="words" dir="auto"${languageOf(settings, words)}>${beginning(words, TEXT_LENGTH).text}</p>`;
  return html`${text === null ? html`<p class="soft">${locale.words.withoutWords}</p>` : shown(text)}${reply === null ? "" : html`<div class="reply"><p class="by"><strong>${locale.words.reply}</strong></p>${shown(reply.text)}</div>`}`;
}

async function askFirst(request: DeskRequest, id: string, action: keyof typeof ACTIONS): Promise<Response | undefined> {
  const { words, site } = request;
  const { reviews: said } = words;
  const review = await withStore(site, (store) => reviewOf(store, id));
  if (review === undefined) return undefined;
  const { name } = ACTIONS[action];
  return confirmPage(
    request,
    {
      entry: "reviews",
      title: said.ask[name],
      shown: html`<article class="review">${renderWho(request, review, { id: "who", level: 2 })}${renderText(request, review)}</article>`,
      lines: said.will[name].split("\n"),
    },
    { path: `/reviews/${review.id}/${action}`, yes: said.yes[name], back: "/reviews" },
  );
}

/** Takes a review, its author's name or its words out for good, and says what remains to be done. */
async function takeOut(request: DeskRequest, id: string, what: Removal["what"]): Promise<Response> {
  return await doWork(request, { kind: "remove", id, what }, "/reviews");
}

async function showRemoved(request: DeskRequest): Promise<Response> {
  const { words, site, locale, query } = request;
  const { reviews: said } = words;
  const wish = { limit: PAGE_LENGTH, after: readPlace(query, REMOVAL_PLACE) };
  const { rows: removals = [], last } = (await withStore(site, ({ database }) => removalPage(database, wish))) ?? {};
  const cards = removals.map(
    ({ id, what, at, source, rating }) =>
      html`<article class="card"><h2 class="byline" id="${what}-${id}"><strong>${said.what[what]}</strong> ${renderStars(rating, locale)} <time class="soft" datetime="${dateOfReviewId(id)}">${locale.shortDate(dateOfReviewId(id))}</time> <span class="soft">· ${sourceName(source, locale)}</span></h2><p class="soft">${said.when}: <time datetime="${at}">${locale.shortDate(at.slice(0, 10))}</time> · <code>${id}</code></p>${actionForm(request, "/reviews/allow", { label: said.allow, fields: { id, after: query.get("after") ?? "" }, kind: "quiet", describedBy: `${what}-${id}` })}</article>`,
  );
  const content = html`<div class="card"><p>${removals.length === 0 ? said.nothingRemoved : said.removedHint}</p></div>${cards.length === 0 ? "" : html`<div class="cards">${cards}</div>`}${olderLink(request, "/reviews/removed", { last, columns: REMOVAL_PLACE, label: said.older })}<p><a href="${site.prefix}/reviews">${said.published}</a></p>`;
  return showPage(request, { entry: "reviews", title: said.removed, content });
}

/** The reviews that their platform shows no more, with the imports as evidence, and an appeal to copy. */
async function showVanished(request: DeskRequest): Promise<Response> {
  const { words, site, locale, query } = request;
  const { reviews: said } = words;
  const wish = {
    baseUrl: baseUrlOf(site.config, site.config.PORT),
    limit: VANISHED_LENGTH,
    after: readPlace(query, VANISHED_PLACE),
  };
  const { rows: all = [], last } = (await withStore(site, ({ database }) => vanishedEntries(database, wish))) ?? {};
  const gone = all.filter(({ returned_at }) => returned_at === null);
  const business = (await withStore(site, ({ database }) => readBusiness(database))) ?? UNNAMED_BUSINESS;
  const rows = all.map(({ id, author, rating, date, source, text, had_last_at, lacked_first_at, returned_at }) => [
    html`<bdi>${author ?? id}</bdi>`,
    renderStars(rating, locale),
    html`<time datetime="${date}">${locale.shortDate(date)}</time>`,
    sourceName(source, locale),
    html`<bdi>${beginning(text ?? "", VANISHED_TEXT_LENGTH).text}</bdi>`,
    ...[had_last_at, lacked_first_at, returned_at].map((at) =>
      at === null ? "–" : html`<time datetime="${at}">${deskTime(request, at)}</time>`,
    ),
  ]);
  const { heads } = said;
  const content = html`<div class="card"><p>${said.vanishedHint}</p>${
    rows.length === 0 ? html`<p>${said.nothingVanished}</p>` : renderTable(said.vanished, Object.values(heads), rows)
  }</div>
${olderLink(request, "/reviews/vanished", { last, columns: VANISHED_PLACE, label: said.older })}
${gone.length === 0 ? "" : html`<section class="card"><h2><label for="appeal">${said.appeal}</label></h2><p class="soft">${said.appealHint}</p><textarea id="appeal" rows="14" readonly>${appealText(gone, business)}</textarea></section>`}
<p><a href="${site.prefix}/reviews">${said.published}</a></p>`;
  return showPage(request, { entry: "reviews", title: said.vanished, content });
}
