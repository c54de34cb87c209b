/**
 * The review list's search on a static host. It runs in the browser, with the server's own rules and page parts, over
 * the published data, which it fetches once. Cards and strings come from the page's template. `scripts/build.js` bundles it
 * for `asset/reviews.js`; what it repeats of `filter.ts` and `edition/search.ts` has to follow them.
 */
import { html } from "hono/html";
import type { Business } from "../business.ts";
import { foldCase } from "../edition/case-folding.ts";
import { foldWords, lettersOf, makeWordTest } from "../edition/whole-words.ts";
import { ALLOWED, areWords, FIELDS, SORTS, wordsOf } from "../filter-names.ts";
import type { Insights } from "../insights-document.ts";
import type { Review } from "../review.ts";
import { canonicalQuery, ORDER, PAGE_LENGTH } from "./list-query.ts";
import { initial } from "./part/avatar.ts";
import { describeFilters, renderChosen } from "./part/filter-form.ts";
import { renderPager, renderPastEnd } from "./part/pager.ts";
import { authorName, REPLY_LENGTH, renderMarked, renderSource, TEXT_LENGTH } from "./part/review-card.ts";
import { formatsOf, type Locale } from "./text/locale.ts";
import { beginning } from "./text/printable.ts";
import { fill } from "./text/words.ts";
import type { Words } from "./text/words-en.ts";

interface Published {
  readonly business: Business;
  readonly reviews: readonly Review[];
  readonly insights: Insights;
}

const template = document.getElementById("card") as HTMLTemplateElement;
const words = JSON.parse(template.dataset.words ?? "{}") as Words & { readonly title: string };
const locale = browserLocale(document.body.lang || document.documentElement.lang);

let published: Promise<Published> | undefined;

/** The published data. After a failed attempt the next search tries again. */
function publishedData(): Promise<Published> {
  published ??= Promise.all([load("reviews"), load("insights")]).then(
    ([{ business, reviews }, insights]) => ({ business, reviews, insights }),
    (error: unknown) => {
      published = undefined;
      throw error;
    },
  );
  return published;
}

async function load(name: "reviews" | "insights") {
  const answer = await fetch(new URL(`../${name}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`${answer.status} for ${name}.json`);
  return await answer.json();
}

/** The results of a query, as the section that replaces the current results. `list` is the address of the list. */
export async function findReviews(query: URLSearchParams, list: string): Promise<HTMLElement> {
  const faults = faultsOf(query);
  if (faults.length > 0) return renderFaults(query, faults);
  const published = await publishedData();
  const { reviews, insights } = published;
  const canonical = canonicalQuery(query);
  const found = sorted(reviews.filter(condition(query, published)), query.get(ORDER));
  const matched = found.length;
  const [offset, limit] = [Number(query.get("offset") || 0), Number(query.get("limit") || PAGE_LENGTH)];
  const shown = found.slice(offset, offset + limit);

  const subject = describeFilters(published, canonical, locale);
  const count = locale.counted(subject === "" ? words.reviews : words.matched, matched);
  const [from, to] = [locale.number(offset + 1), locale.number(offset + shown.length)];
  const isWhole = shown.length === 0 || shown.length === matched;
  const showing = isWhole ? "" : html` <span class="soft">${fill(words.showing, { from, to })}</span>`;
  const address = (start: number) => {
    const page = new URLSearchParams(query);
    page.delete("offset");
    if (start > 0) page.set("offset", String(start));
    return addressOf(list, page);
  };
  const [before, after] =
    (canonical.get(ORDER) ?? SORTS[0]) !== SORTS[0]
      ? [words.pageBefore, words.pageAfter]
      : [words.previousPage, words.nextPage];
  const past = { last: address(Math.floor((matched - 1) / limit) * limit), first: address(0) };
  const title = subject === "" ? words.title : `${subject} – ${words.title}`;
  const section = makeSection(
    query,
    title,
    html`<div role="status"><h2 id="matched" tabindex="-1">${count}${showing}</h2></div>
${renderChosen(published, canonical, locale, (rest) => addressOf(list, rest))}
${matched === 0 ? html`<p class="card">${words.nothingMatches}</p>` : ""}
${matched > 0 && shown.length === 0 ? renderPastEnd(past, words) : ""}
<div class="cards column"></div>
${renderPager({ offset, limit, matched, address, before, after }, locale)}`,
  );
  section.setAttribute("aria-labelledby", "matched");
  section
    .querySelector(".cards")
    ?.append(
      ...shown.map((review) =>
        makeCard(review, query.get("query") ?? "", insights.per_review[review.id]?.language ?? "und"),
      ),
    );
  return section;
}

function addressOf(list: string, query: URLSearchParams): string {
  return query.size === 0 ? list : `${list}?${query}`;
}

/** The condition that a review has to meet. */
function condition(query: URLSearchParams, { business, insights: { per_review: mentions } }: Published) {
  const value = (name: keyof typeof ALLOWED) => query.get(name) ?? "";
  const sought = foldCase(value("query"));
  const words = wordsOf(value("words"));
  const tests = [...(words.length === 0 ? [] : [words]), ...wordsOf(value("all_words")).map((word) => [word])].map(
    (alternatives) => makeWordTest(alternatives.map(lettersOf)),
  );
  const isSame = (name: "topic" | "language", id: string) => foldCase(value(name)) === foldCase(id);
  const technicians = idsOf(
    value("mentions_technician"),
    business.technicians.map(({ id, name }) => [id, name]),
  );
  const services = idsOf(
    value("mentions_service"),
    business.services.map(({ id, label }) => [id, label]),
  );
  const isOneOf = (wanted: readonly string[] | undefined, ids: readonly string[] = []) =>
    wanted === undefined || wanted.some((id) => ids.includes(id));
  return ({ id, rating, date, text, owner_reply: reply }: Review): boolean =>
    (value("rating") === "" || rating === Number(value("rating"))) &&
    (value("min_rating") === "" || rating >= Number(value("min_rating"))) &&
    (value("max_rating") === "" || rating <= Number(value("max_rating"))) &&
    (value("since") === "" || date >= value("since")) &&
    (value("until") === "" || date <= value("until")) &&
    (value("has_reply") === "" || (reply !== null) === (value("has_reply") === "true")) &&
    (value("has_text") === "" || (text !== null) === (value("has_text") === "true")) &&
    (sought === "" || textsOf(text, reply).some((one) => foldCase(one).includes(sought))) &&
    tests.every((holds) => textsOf(text, reply).some((one) => holds(foldWords(one)))) &&
    (value("language") === "" || isSame("language", mentions[id]?.language ?? "")) &&
    (value("topic") === "" || mentions[id]?.topics.some((topic) => isSame("topic", topic)) === true) &&
    isOneOf(technicians, mentions[id]?.technicians) &&
    isOneOf(services, mentions[id]?.services);

  function textsOf(text: string | null, reply: Review["owner_reply"]): readonly string[] {
    const replied = reply === null ? [] : [reply.text];
    if (value("in") === "reply") return replied;
    return [...(text === null ? [] : [text]), ...(value("in") === "both" ? replied : [])];
  }
}

/** The ids of the entries with this id or name; undefined if the query names none. */
function idsOf(wanted: string, named: readonly (readonly [string, string])[]): readonly string[] | undefined {
  if (wanted === "") return undefined;
  const sought = foldCase(wanted);
  return named.filter((names) => names.some((name) => foldCase(name) === sought)).map(([id]) => id);
}

/** The faults of a query, in the server's wording. Its schemas would make this script thirty times as large. */
function faultsOf(query: URLSearchParams): string[] {
  const number = /^-?\d{1,15}(\.\d{1,15})?$/;
  const within = (min: number, max: number) => (value: string) =>
    number.test(value) && Number(value) >= min && Number(value) <= max;
  const whole = (min: number, max: number) => (value: string) =>
    within(min, max)(value) && Number.isInteger(Number(value));
  const oneOf =
    (...values: readonly string[]) =>
    (value: string) =>
      values.includes(value);
  const isDay = (value: string) => {
    const time = Date.parse(`${value}T00:00:00Z`);
    return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
  };
  const rules = {
    rating: whole(1, 5),
    min_rating: within(1, 5),
    max_rating: within(1, 5),
    since: isDay,
    until: isDay,
    words: areWords,
    all_words: areWords,
    in: oneOf(...FIELDS),
    has_text: oneOf("true", "false"),
    has_reply: oneOf("true", "false"),
    sort: oneOf(...SORTS),
    limit: whole(1, 100),
    offset: whole(0, 1_000_000),
  };
  const numbers = ["rating", "min_rating", "max_rating", "limit", "offset"];
  return (Object.keys(rules) as (keyof typeof rules)[]).flatMap((name) => {
    const value = query.get(name) ?? "";
    if (value === "" || rules[name](value)) return [];
    const isNumber = numbers.includes(name) && number.test(value);
    const shown = isNumber ? String(Number(value)) : JSON.stringify(beginning(value, 55).text);
    return [`${name} is ${shown}, but must be ${ALLOWED[name]}`];
  });
}

/** The results of an invalid query: its faults. */
function renderFaults(query: URLSearchParams, faults: readonly string[]): HTMLElement {
  const content = html`<div role="status"><h2>${words.searchFault}</h2></div><ul>${faults.map((fault) => html`<li lang="en">${fault}</li>`)}</ul>`;
  return makeSection(query, `${words.searchFault} – ${words.title}`, content);
}

function makeSection(query: URLSearchParams, title: string, content: ReturnType<typeof html>): HTMLElement {
  const section = document.createElement("section");
  section.id = "results";
  section.dataset.query = query.toString();
  section.dataset.title = title;
  section.innerHTML = String(content);
  return section;
}

/** The reviews in the given order. They are passed newest first, and stay so within equal stars. */
function sorted(reviews: readonly Review[], order: string | null): readonly Review[] {
  if (order === "oldest") return reviews.toReversed();
  if (order === "highest") return reviews.toSorted((a, b) => b.rating - a.rating);
  return order === "lowest" ? reviews.toSorted((a, b) => a.rating - b.rating) : reviews;
}

/** One review in the page's own template, its words marked if they are in another language than the page. */
function makeCard(review: Review, sought: string, language: string): DocumentFragment {
  const copy = template.content.cloneNode(true) as DocumentFragment;
  const find = (selector: string) => copy.querySelector(selector) as HTMLElement;
  const stars = find(".text-stars");
  stars.textContent = "★".repeat(review.rating) + "☆".repeat(5 - review.rating);
  stars.setAttribute("aria-label", fill(words.starsOfFive, { stars: String(review.rating) }));
  find(".avatar").textContent = initial(review.author);
  find("bdi").textContent = authorName(review.author, locale);
  setDay(find("time"), review.date);
  find(".source").innerHTML = String(renderSource(review.source, locale));
  const text = beginning(review.text ?? "", TEXT_LENGTH);
  find("article > .words").innerHTML = String(sought === "" ? html`${text.text}` : renderMarked(text.text, sought));
  if (language !== "und" && language !== document.documentElement.lang.split("-")[0])
    find("article > .words").lang = language;
  if (review.text === null) {
    find(".source").append(` · ${words.starsOnly}`);
    find("article").classList.add("bare");
    find("article > .words").remove();
  }
  if (!text.isCut) find(".more").remove();
  for (const link of copy.querySelectorAll("a"))
    link.href = new URL(`../reviews/${encodeURIComponent(review.id)}`, import.meta.url).href;
  if (review.owner_reply === null) find(".reply").remove();
  else {
    if (review.owner_reply.date === null) find(".reply time").remove();
    else setDay(find(".reply time"), review.owner_reply.date);
    find(".reply .words").textContent = beginning(review.owner_reply.text, REPLY_LENGTH).text;
  }
  return copy;
}

function setDay(time: HTMLElement, day: string): void {
  time.setAttribute("datetime", day);
  time.textContent = locale.shortDate(day);
}

/** The page's locale. The template has the strings that a search needs. */
function browserLocale(tag: string): Locale {
  return {
    ...formatsOf(tag),
    ...{ tag, words },
    country: (code) => code,
    languageName: (language) =>
      language === "und"
        ? words.unknownLanguage
        : (new Intl.DisplayNames(tag, { type: "language" }).of(language) ?? language),
  };
}
