/** The review list at `/reviews`, filtered by a form and paged by links; every filter and page has its own address. */
import { html } from "hono/html";
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { finish, type Steps } from "../edition/steps.ts";
import type { Filter } from "../filter.ts";
import { languageOfText } from "../insight/text/language.ts";
import { ABOUT_PATH, LIST_PATH, listAddress } from "../interface.ts";
import type { Issue } from "../issue.ts";
import type { Review } from "../review.ts";
import { describe } from "./front-page.ts";
import { canonicalQuery, foreignParameters, ORDER, PAGE_LENGTH, parseListQuery, searchAddress } from "./list-query.ts";
import { describeFilters, renderChosen, renderFilterForm } from "./part/filter-form.ts";
import { renderPage } from "./part/page-frame.ts";
import { renderPager, renderPastEnd } from "./part/pager.ts";
import { type CardSettings, renderReviewCard } from "./part/review-card.ts";
import { SOURCE_NAMES } from "./part/source-name.ts";
import { hintIn } from "./text/hint-words.ts";
import { type Locale, localeOf } from "./text/locale.ts";
import { type Markup, withName } from "./text/markup.ts";
import { proseLanguage } from "./text/prose-language.ts";
import { fill } from "./text/words.ts";

/**
 * Renders the list for the query. The document's path is that of the unfiltered list.
 * @throws Invalid if the query is invalid.
 */
export function renderReviewsPage(edition: Edition, query: URLSearchParams): Document {
  return finish(reviewsPageSteps(edition, query));
}

/** The same in steps, because finding the reviews may take long. */
export function* reviewsPageSteps(edition: Edition, query: URLSearchParams): Steps<Document> {
  const filter = parseListQuery(query);
  const { matched, reviews } = yield* edition.listSteps(filter);
  const asked = { ...filter, offset: 0 }; // that the list has ended is said in place of its reviews
  const hints = yield* edition.hintSteps(asked, { matched }, foreignParameters(query));
  const isNarrowable = yield* narrowableSteps(edition, filter, reviews);
  const subject = describeFilters(edition, canonicalQuery(query), localeOf(edition.language));
  const results = renderResults(edition, query, { filter, matched, reviews, hints, isNarrowable, subject });
  return renderList(edition, query, { results, subject });
}

/** Renders every page of the unfiltered list at its own address, for a static host. */
export function* renderReviewsPages(edition: Edition): Generator<Document> {
  for (let offset = 0; offset === 0 || offset < edition.reviewCount; offset += PAGE_LENGTH) {
    const query = new URLSearchParams(offset === 0 ? {} : { offset: String(offset) });
    yield renderReviewsPage(edition, query);
  }
}

/** On a static host, the address of the unfiltered list's page that starts at this offset. */
function staticAddress(offset: number): string {
  return offset === 0 ? LIST_PATH : `${LIST_PATH}/page/${Math.floor(offset / PAGE_LENGTH) + 1}`;
}

/** Renders the list page with the query's issues in place of the reviews. */
export function renderReviewsFault(edition: Edition, query: URLSearchParams, issues: readonly Issue[]): Document {
  const { words } = localeOf(edition.language);
  const results = html`<section id="results" data-query="${canonicalQuery(query)}" data-title="${titleOf(edition, words.searchFault)}"><div role="status"><h2>${words.searchFault}</h2></div><ul>${issues.map(({ message }) => html`<li${proseLanguage(localeOf(edition.language))}>${message}</li>`)}</ul></section>`;
  return renderList(edition, query, { results, subject: words.searchFault });
}

/** The list's title. `subject` says which reviews it has, if not all. */
function titleOf({ business, language }: Edition, subject: string): string {
  const title = `${localeOf(language).words.allReviews} – ${business.name}`;
  return subject === "" ? title : `${subject} – ${title}`;
}

function renderList(
  edition: Edition,
  query: URLSearchParams,
  { results, subject }: { readonly results: Markup; readonly subject: string },
): Document {
  const { business, language } = edition;
  const locale = localeOf(language);
  const { words } = locale;
  const hasForm = edition.reviewCount > 0; // without reviews there is nothing to filter
  const isWhole = canonicalQuery(query).size === 0 && !query.has("offset");
  const content = html`<h1>${withName(words.reviewsOf, business.name)}</h1>
<div class="${hasForm ? "list" : ""}">${hasForm ? renderFilterForm(edition, query, locale) : ""}
${results}</div>
${hasForm && edition.isStatic === true ? renderFileSearch(business.name, locale, titleOf(edition, "")) : ""}`;
  return renderPage(edition, {
    path: edition.isStatic === true ? staticAddress(Number(query.get("offset"))) : LIST_PATH,
    title: titleOf(edition, subject),
    description: describe(edition, locale),
    content,
    entry: "reviews",
    dataPaths: isWhole || edition.isStatic === true ? ["/reviews.json"] : [searchAddress(query)],
    scripts: hasForm ? ["/assets/reviews.js"] : [],
    unlisted: !isWhole && edition.isStatic !== true,
  });
}

interface Results {
  readonly filter: Filter;
  readonly matched: number;
  readonly reviews: readonly Review[];
  readonly hints: readonly string[];
  /** Whether reviews without a text can be left out. */
  readonly isNarrowable: boolean;
  readonly subject: string;
}

function renderResults(
  edition: Edition,
  query: URLSearchParams,
  { filter, matched, reviews, hints, isNarrowable, subject }: Results,
): Markup {
  const { business, language } = edition;
  const locale = localeOf(language);
  const { words } = locale;
  const settings: CardSettings = { locale, language, businessName: business.name, tellLanguage: languageOfText };
  const canonical = canonicalQuery(query);
  const shownQuery = new URLSearchParams(canonical);
  const { offset, limit } = filter;
  if (offset > 0) shownQuery.set("offset", String(offset));
  const address = (from: number) => {
    const to = new URLSearchParams(canonical);
    if (query.get("limit")) to.set("limit", String(limit));
    if (from > 0 && edition.isStatic === true) return staticAddress(from);
    if (from > 0) to.set("offset", String(from));
    return listAddress(to, edition);
  };
  const showing =
    reviews.length === 0 || reviews.length === matched
      ? ""
      : html` <span class="soft">${fill(words.showing, { from: locale.number(offset + 1), to: locale.number(offset + reviews.length) })}</span>`;
  const shownHints = hints.map((hint) => {
    const own = hintIn(hint, locale);
    return html`<p${own === undefined ? proseLanguage(locale) : ""}>${own ?? hint}</p>`;
  });
  const filters = new URLSearchParams(canonical);
  filters.delete(ORDER);
  const isFiltered = filters.size > 0;
  const marked = canonical.get("query");
  const cards = { ...settings, ...(marked === null ? {} : { marked }) };
  const [before, after] =
    filter.sort === undefined || filter.sort === "newest"
      ? [words.previousPage, words.nextPage]
      : [words.pageBefore, words.pageAfter];
  const isPastEnd = offset > 0 && offset >= matched;
  const withText = new URLSearchParams([...canonical, ["has_text", "true"]]);
  const data = edition.isStatic === true ? "/reviews.json" : searchAddress(query);
  return html`<section id="results" data-query="${shownQuery}" data-title="${titleOf(edition, subject)}" aria-labelledby="matched"><div role="status"><h2 id="matched" tabindex="-1">${edition.reviewCount === 0 ? words.noReviewsYet : locale.counted(isFiltered ? words.matched : words.reviews, matched)}${showing}</h2>${shownHints}</div>
${renderChosen(edition, canonical, locale, (rest) => listAddress(rest, edition))}
${!isNarrowable ? "" : html`<p class="narrower"><a class="chip" href="${listAddress(canonicalQuery(withText), edition)}">${words.onlyWithText}</a></p>`}
${matched === 0 ? html`<p class="card">${isFiltered ? words.nothingMatches : withName(words.noReviewsHint, business.name)}</p>` : ""}
${matched > 0 && isPastEnd ? renderPastEnd({ last: address(Math.floor((matched - 1) / limit) * limit), first: address(0) }, words) : ""}
<div class="cards column">${reviews.map((review) => renderReviewCard(review, cards))}</div>
${renderPager({ offset, limit, matched, address, before, after }, locale)}
<p class="soft"><a href="${data}">${words.asJson}</a> · <a href="${ABOUT_PATH}">${words.howGathered}</a></p></section>`;
}

/** Whether most reviews of the page lack a text, and the list has others with one. */
function* narrowableSteps(edition: Edition, filter: Filter, reviews: readonly Review[]): Steps<boolean> {
  const bare = reviews.filter(({ text }) => text === null).length;
  if (filter.has_text !== undefined || bare === 0 || bare * 2 < reviews.length) return false;
  if (bare < reviews.length) return true;
  return (yield* edition.listSteps({ ...filter, has_text: true, limit: 1, offset: 0 })).matched > 0;
}

/**
 * For the script that searches on a static host: the translated strings, and the card template. The script replaces the
 * template's days, which are there because HTML requires one in each `time`.
 */
function renderFileSearch(businessName: string, { words }: Locale, title: string): Markup {
  const { matched, reviews, showing, nothingMatches, previousPage, nextPage, paging, starsOfFive, starsOnly } = words;
  const {
    chosen,
    removeFilter,
    exactly,
    atLeast,
    starsName,
    withReply,
    withoutReply,
    withText,
    withoutText,
    atMost,
    anyWords,
    allWords,
    lookIn,
    inText,
    inReply,
    inBoth,
    textLanguage,
    since,
    until,
  } = words;
  const strings = {
    ...{ matched, reviews, showing, nothingMatches, previousPage, nextPage, paging, starsOfFive, starsOnly },
    ...{ pageBefore: words.pageBefore, pageAfter: words.pageAfter, pageNumber: words.pageNumber },
    ...{ pastEnd: words.pastEnd, lastPage: words.lastPage, firstPage: words.firstPage },
    ...{ chosen, removeFilter, exactly, atLeast, starsName, withReply, withoutReply, since, until },
    ...{ withText, withoutText, atMost, anyWords, allWords, lookIn, inText, inReply, inBoth, textLanguage },
    unknownLanguage: words.unknownLanguage,
    ...{ via: words.via, firstParty: words.firstParty, sources: SOURCE_NAMES },
    ...{ authors: words.authors, searchFault: words.searchFault, title },
  };
  return html`<template id="card" data-words="${JSON.stringify(strings)}"><article class="card review">
<div class="who"><span class="avatar tint-0" aria-hidden="true"></span><h3><a><bdi></bdi></a></h3><p class="soft day"><span class="text-stars" role="img"></span> <time datetime="2000-01-01"></time> · <span class="source"></span></p></div>
<p class="words" dir="auto"></p><p class="more"><a>${words.readOn}</a></p>
<div class="reply"><p class="by"><strong>${withName(words.ownerReply, businessName)}</strong> <time class="soft" datetime="2000-01-01"></time></p><p class="words" dir="auto"></p></div>
</article></template>`;
}
