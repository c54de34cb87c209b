/**
 * The search of the list of reviews where only files are served: the filters of the server's search over the published
 * data, which is fetched once. Cards and words come from the page's own template.
 */
const PAGE_LENGTH = 20;
const TEXT_LENGTH = 700;
const REPLY_LENGTH = 300;
const NAME_LENGTH = 80;

const language = document.documentElement.lang;
const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
const template = /** @type {HTMLTemplateElement} */ (document.getElementById("card"));
const words = JSON.parse(template.dataset.words ?? "{}");

let published;

/** The published data. A failed attempt is not kept: the next search tries again. */
function data() {
  published ??= Promise.all(["reviews", "insights"].map(load)).catch((error) => {
    published = undefined;
    throw error;
  });
  return published;
}

async function load(name) {
  const answer = await fetch(new URL(`../${name}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`${answer.status} for ${name}.json`);
  return await answer.json();
}

/** The results of a query as the section that takes the place of those shown. `list` is the address of the list. */
export async function findReviews(query, list) {
  const faults = faultsOf(query);
  if (faults.length > 0) return faultSection(query, faults);
  const [{ business, reviews }, { per_review: analyses }] = await data();
  const isAsked = test(query, business, analyses);
  const matching = sorted(reviews.filter(isAsked), query.get("sort"));
  const offset = givenNumber(query.get("offset"), 0);
  const length = givenNumber(query.get("limit"), PAGE_LENGTH);
  const shown = matching.slice(offset, offset + length);
  const filters = words.filters.filter((name) => (query.get(name) ?? "") !== "");

  const section = make("section", { id: "results", "aria-labelledby": "matched" });
  section.dataset.query = query.toString();
  const told = filters.map((name) => inWords(name, beginning(query.get(name), 60).text, business));
  section.dataset.title = [...(told.length === 0 ? [] : [told.join(", ")]), words.title].join(" – ");
  const status = make("div", { role: "status" });
  const heading = make("h2", { id: "matched", tabindex: "-1" });
  heading.append(counted(filters.length === 0 ? words.reviews : words.matched, matching.length));
  if (shown.length > 0 && shown.length < matching.length) {
    const showing = make("span", { class: "soft" });
    const [from, to] = [offset + 1, offset + shown.length].map(number);
    showing.textContent = fill(words.showing, { from, to });
    heading.append(" ", showing);
  }
  status.append(heading);
  section.append(status);
  section.append(...chosen(filters, query, { business, list }));
  if (matching.length === 0) section.append(make("p", { class: "card" }, words.nothingMatches));
  if (matching.length > 0 && shown.length === 0)
    section.append(pastEnd(query, list, { length, count: matching.length }));
  const cards = make("div", { class: "cards column" });
  cards.append(...shown.map((review) => card(review, query.get("query") ?? "")));
  section.append(cards, ...pager(query, list, { offset, length, count: matching.length }));
  return section;
}

/** The condition that a review has to meet. */
function test(query, { technicians, services }, analyses) {
  const value = (name) => query.get(name) ?? "";
  const text = value("query") === "" ? undefined : pattern(value("query"));
  const named = (name, known, label) => {
    const asked = value(name);
    if (asked === "") return undefined;
    const same = new RegExp(`^${escaped(asked)}$`, "iu");
    return known.filter((one) => same.test(one.id) || same.test(one[label])).map(({ id }) => id);
  };
  const people = named("mentions_technician", technicians, "name");
  const work = named("mentions_service", services, "label");
  const mentions = (ids, mentioned) => ids === undefined || ids.some((id) => mentioned?.includes(id));
  return (review) =>
    (value("rating") === "" || review.rating === Number(value("rating"))) &&
    (value("min_rating") === "" || review.rating >= Number(value("min_rating"))) &&
    (value("since") === "" || review.date >= value("since")) &&
    (value("until") === "" || review.date <= value("until")) &&
    (value("reply") === "" || (review.owner_reply !== null) === (value("reply") === "with")) &&
    (value("text") === "" || (review.text !== null) === (value("text") === "with")) &&
    (text === undefined || (review.text !== null && text.test(review.text))) &&
    mentions(people, analyses[review.id]?.technicians) &&
    mentions(work, analyses[review.id]?.services);
}

/** Matches the words anywhere, whatever their case (Unicode simple case folding). */
function pattern(text) {
  return new RegExp(escaped(text), "iu");
}

function escaped(text) {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");
}

/** What is wrong with a query, in the sentences of the server. */
function faultsOf(query) {
  const number = /^-?\d{1,15}(\.\d{1,15})?$/;
  const within = (value, least, most) => number.test(value) && Number(value) >= least && Number(value) <= most;
  const whole = (value, least, most) => within(value, least, most) && Number.isInteger(Number(value));
  const isDay = (value) => {
    const time = Date.parse(`${value}T00:00:00Z`);
    return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
  };
  const rules = [
    ["rating", (value) => whole(value, 1, 5), "a whole number from 1 to 5"],
    ["min_rating", (value) => within(value, 1, 5), "a number from 1 to 5"],
    ["since", isDay, "a real day, YYYY-MM-DD"],
    ["until", isDay, "a real day, YYYY-MM-DD"],
    ["limit", (value) => whole(value, 1, 100), "a whole number from 1 to 100"],
    ["offset", (value) => whole(value, 0, 1_000_000), "a whole number from 0 to 1000000"],
    ["reply", (value) => ["with", "without"].includes(value), "with or without"],
    ["text", (value) => ["with", "without"].includes(value), "with or without"],
    ["sort", (value) => ["oldest", "highest", "lowest"].includes(value), "oldest, highest, lowest"],
  ];
  return rules.flatMap(([name, isValid, allowed]) => {
    const value = query.get(name) ?? "";
    if (value === "" || isValid(value)) return [];
    const told = NUMBERS.has(name) && number.test(value) ? String(Number(value)) : quoted(value);
    return [`${name} is ${told}, but must be ${allowed}`];
  });
}

const NUMBERS = new Set(["rating", "min_rating", "limit", "offset"]);

function quoted(value) {
  return JSON.stringify(beginning(value, 55).text);
}

/** The results of a query that cannot be understood: what is wrong with it. */
function faultSection(query, faults) {
  const section = make("section", { id: "results" });
  section.dataset.query = query.toString();
  section.dataset.title = `${words.searchFault} – ${words.title}`;
  const status = make("div", { role: "status" });
  status.append(make("h2", {}, words.searchFault));
  const list = make("ul", {});
  list.append(...faults.map((fault) => make("li", { lang: "en" }, fault)));
  section.append(status, list);
  return section;
}

/** A number in a query that has no faults, however it is written: `40.0` is 40. */
function givenNumber(text, fallback) {
  return (text ?? "") === "" ? fallback : Number(text);
}

/** The reviews in the order asked for; given are the newest first, which the same stars keep. */
function sorted(reviews, order) {
  if (order === "oldest") return reviews.toReversed();
  if (order === "highest") return reviews.toSorted((a, b) => b.rating - a.rating);
  return order === "lowest" ? reviews.toSorted((a, b) => a.rating - b.rating) : reviews;
}

/** The filters in force, each a link to the list without it; nothing where there is none. */
function chosen(filters, query, { business, list }) {
  if (filters.length === 0) return [];
  const items = make("ul", { class: "chosen", "aria-label": words.chosen });
  for (const name of filters) {
    const rest = new URLSearchParams(query);
    for (const gone of [name, "offset"]) rest.delete(gone);
    const filter = inWords(name, query.get(name), business);
    const label = fill(words.removeFilter, { filter });
    const address = rest.size === 0 ? list : `${list}?${rest}`;
    const link = make("a", { class: "chip", href: address, "aria-label": label });
    link.append(make("bdi", {}, filter), " ", make("span", { "aria-hidden": "true" }, "×"));
    const item = make("li", {});
    item.append(link);
    items.append(item);
  }
  return [items];
}

/** A filter in words. */
function inWords(name, value, { technicians, services }) {
  const named = (known, label) => known.find(({ id }) => id === value)?.[label] ?? value;
  switch (name) {
    case "rating":
      return fill(words.exactly, { stars: counted(words.starsName, Number(value)) });
    case "min_rating":
      return fill(words.atLeast, { stars: counted(words.starsName, Number(value)) });
    case "mentions_technician":
      return named(technicians, "name");
    case "mentions_service":
      return named(services, "label");
    case "reply":
      return value === "with" ? words.withReply : words.withoutReply;
    case "text":
      return value === "with" ? words.withText : words.withoutText;
    case "since":
    case "until":
      return `${words[name]} ${Number.isNaN(Date.parse(value)) ? value : days.format(new Date(`${value}T00:00:00Z`))}`;
    default:
      return `“${value}”`;
  }
}

/** A text with what was searched marked, wherever it stands. */
function marked(text, sought) {
  if (sought === "") return [text];
  const parts = text.split(new RegExp(`(${escaped(sought)})`, "iu"));
  return parts.map((part, index) => (index % 2 === 1 ? make("mark", {}, part) : part));
}

/** One review in the page's own template. */
function card(review, sought) {
  const copy = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const find = (selector) => /** @type {HTMLElement} */ (copy.querySelector(selector));
  const stars = find(".text-stars");
  stars.textContent = "★".repeat(review.rating) + "☆".repeat(5 - review.rating);
  stars.setAttribute("aria-label", fill(words.starsOfFive, { stars: String(review.rating) }));
  find(".avatar").textContent = /[\p{L}\p{N}]/u.exec(review.author)?.[0].toUpperCase() ?? "★";
  find("bdi").textContent = Object.hasOwn(words.authors, review.author)
    ? words.authors[review.author]
    : beginning(review.author, NAME_LENGTH).text;
  setDay(find("time"), review.date);
  find(".source").textContent =
    review.source === "first_party"
      ? words.firstParty
      : fill(words.via, {
          source: Object.hasOwn(words.sources, review.source) ? words.sources[review.source] : review.source,
        });
  const text = beginning(review.text ?? "", TEXT_LENGTH);
  find("article > .words").replaceChildren(...marked(text.text, sought));
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
    setDay(find(".reply time"), review.owner_reply.date);
    find(".reply .words").textContent = beginning(review.owner_reply.text, REPLY_LENGTH).text;
  }
  return copy;
}

function setDay(time, day) {
  time.setAttribute("datetime", day);
  time.textContent = days.format(new Date(`${day}T00:00:00Z`));
}

/** The beginning of a text, cut between words near `length`; the whole where it is not much longer. */
function beginning(text, length) {
  if (text.length <= length * 1.2) return { text, isCut: false };
  return {
    text: `${text
      .slice(0, length)
      .replace(/\s+\S*$/, "")
      .toWellFormed()}…`,
    isCut: true,
  };
}

/** The address of the page of the list that starts at an offset. */
function pageAddress(query, list, from) {
  const to = new URLSearchParams(query);
  to.delete("offset");
  if (from > 0) to.set("offset", String(from));
  return to.size === 0 ? list : `${list}?${to}`;
}

/** What stands in place of the reviews on a page after the last one. */
function pastEnd(query, list, { length, count }) {
  const box = make("div", { class: "card", id: "past-end" });
  const links = make("p", { class: "actions" });
  const last = Math.floor((count - 1) / length) * length;
  links.append(make("a", { class: "button", href: pageAddress(query, list, last) }, words.lastPage), " ");
  links.append(make("a", { class: "button quiet", href: pageAddress(query, list, 0) }, words.firstPage));
  box.append(make("p", {}, words.pastEnd), links);
  return box;
}

/** Links to the pages before and after, to the first and the last one and to those around, where there are any. */
function pager(query, list, { offset, length, count }) {
  if (offset >= count || (offset === 0 && count <= length)) return [];
  const link = (from, rel, text) =>
    make("a", { class: "button quiet", rel, href: pageAddress(query, list, from) }, text);
  const isSorted = (query.get("sort") ?? "") !== "";
  const [before, after] = isSorted ? [words.pageBefore, words.pageAfter] : [words.previousPage, words.nextPage];
  const numbers = make("ul", {});
  for (const page of pageNumbers(offset / length + 1, Math.ceil(count / length))) {
    const item = make("li", page === undefined ? { "aria-hidden": "true" } : {}, page === undefined ? "…" : undefined);
    if (page !== undefined) {
      const from = (page - 1) * length;
      const label = fill(words.pageNumber, { page: number(page) });
      const current = from === offset ? { "aria-current": "page" } : {};
      const attributes = { href: pageAddress(query, list, from), "aria-label": label, ...current };
      item.append(make("a", attributes, number(page)));
    }
    numbers.append(item);
  }
  const nav = make("nav", { class: "pager", "aria-label": words.paging });
  if (offset > 0) nav.append(link(Math.max(offset - length, 0), "prev", `← ${before}`), " ");
  nav.append(numbers);
  if (offset + length < count) nav.append(" ", link(offset + length, "next", `${after} →`));
  return [nav];
}

/** The numbers of the pages to link, as the server chooses them; undefined where some are left out. */
function pageNumbers(current, last) {
  const from = Math.max(1, Math.min(Math.floor(current), last) - 2);
  const to = Math.min(last, Math.ceil(current) + 2);
  const near = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const start = from > 3 ? [1, undefined] : [1, 2].slice(0, from - 1);
  const end = to < last - 2 ? [undefined, last] : [last - 1, last].slice(2 - (last - to));
  return [...start, ...near, ...end];
}

function make(name, attributes, text) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function counted({ one, other }, count) {
  return fill(new Intl.PluralRules(language).select(count) === "one" ? one : other, { count: number(count) });
}

function number(value) {
  return new Intl.NumberFormat(language).format(value);
}

function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
