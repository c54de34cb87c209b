/**
 * Reviews in any JSON and JSON Lines: Goodword's own (interface §1), or records with a rating and a date, in a list at any
 * depth. Members of objects in a record are read by dotted names, such as `reviewer.displayName`.
 */
import { quote } from "../../../issue.ts";
import { isObject, type JsonObject, members } from "../../../lib/json-object.ts";
import { type Around, isPlaceAt, placeOf } from "../../place/told-place.ts";
import type { Entry } from "../../review/candidate.ts";
import { placeInListName } from "../../review/list-name.ts";
import { isHidingWord, stateKind } from "../../review/publication-state.ts";
import { isCommonWord, knownSite, siteInTitle } from "../../review/review-source.ts";
import type { Content } from "../../syntax/content.ts";
import { MEAN_NAME, SCALE_NAME } from "../../words/column-words.ts";
import type { ColumnMapping } from "../column-mapping.ts";
import { spellingOf } from "../column-names.ts";
import { type Format, type Located, located } from "../format.ts";
import { areReviewColumns, chooseColumns } from "./column-choice.ts";
import { genericEntries } from "./generic-records.ts";
import { flattened, type ReadRecord, type RecordList } from "./record-list.ts";
import { scaleBeside, wordsBeside } from "./words-beside.ts";

/** At least one of the first records must have the required fields. */
const MAX_RECORDS_SAMPLED = 1000;
const MAX_DEPTH = 6;
/** Other members are data, such as translations by their language. */
const MAX_NAMES = 500;
const RECORDS_PER_PAGE = 500;

export const goodwordJson: Format = {
  name: "JSON",
  extent: () => "whole",
  recognises: (content, { columns }) => {
    if (content.syntax === "json lines") return isReview(members(content.first), columns);
    return content.syntax === "json" && find(content.value, columns) !== undefined;
  },
  async *records(content, options) {
    const names = new Set<string>();
    for await (const page of pages(content, options.columns)) {
      for (const one of page) {
        if (!("record" in one) || names.size >= MAX_NAMES) continue;
        for (const name of flattened(one.record).keys()) names.add(name);
      }
    }
    const list: RecordList = {
      noun: "members",
      headerAt: "",
      names: [...names].slice(0, MAX_NAMES),
      async *pages() {
        for await (const page of pages(content, options.columns)) yield page.map(readRecord);
      },
    };
    const records = content.syntax === "json" ? (find(content.value, options.columns) ?? []) : [];
    const all = listNames(records);
    const hasHidden = all.some(isOfHidden) && !all.every(isOfHidden);
    const isPlaced = ({ around = [] }: Located) => around.some(({ listName }) => listName?.isOfSeveral);
    const lists = listNames(records.filter((one) => !isPlaced(one))).filter((name) => !isOfHidden(name));
    if (lists.length > 1)
      yield [
        {
          at: "",
          warning: `the reviews of ${lists.length} lists are read: ${lists
            .slice(0, 10)
            .map((name) => quote(name))
            .join(", ")}. If they are of several places, or not all of customers, keep the right one`,
        },
      ];
    const objects = [...new Set(records.flatMap(({ around = [] }) => around.map(({ object }) => object)))];
    const reviews = new Set<unknown>(records.map(({ given, record }) => given ?? record));
    for (const warning of [wordsBeside(objects), scaleBeside(objects, reviews)])
      if (warning !== undefined) yield [{ at: "", warning }];
    const keys = namesOfPeople(records);
    if (keys.length > 0 && !chooseColumns(list, options.columns).columns.has("author"))
      yield [
        {
          at: "",
          warning: `the reviews are kept under names (${keys
            .slice(0, 4)
            .map((name) => quote(name))
            .join(
              ", ",
            )}), which are not read: if these are the customers', give each review a member "author" that holds it`,
        },
      ];
    const gone = content.syntax === "json" ? idsGone(content.value) : new Map<string, string>();
    for await (const given of genericEntries(list, options)) {
      const entries = (Symbol.iterator in given ? [...given] : [given]).map((entry) => hiddenById(entry, gone));
      yield entries.map((entry) => (hasHidden ? hiddenByList(entry) : withInherited(entry, records)));
    }
  },
};

/** Says of what was read that it was told of the whole list. */
function withInherited(entry: Entry, records: readonly Located[]): Entry {
  if (!("readFrom" in entry)) return entry;
  const [{ inherited = {} } = {}] = records;
  const told = Object.entries(entry.readFrom).map(([field, origin]) => {
    const isOfList = origin.from.some((name) => name in inherited);
    return [field, isOfList ? { ...origin, note: "of the whole list" } : origin];
  });
  return { ...entry, readFrom: Object.fromEntries(told) };
}

/** Whether a list's name says that its reviews are not shown: `spam`, `pendingReviews`, `reviews.trash.items`. */
export function isOfHidden(list: string): boolean {
  const names = list.split(".").map((name) => spellingOf(name).replace(/_(?:reviews|comments|items|list|ids)$/, ""));
  return names.some((name) => stateKind(name) === "hides" || isHidingWord(name));
}

function hiddenByList<Each extends Entry>(entry: Each): Each {
  const list = entry.at.replace(/\[\d+\]/g, "");
  if (!("review" in entry) || !isOfHidden(list)) return entry;
  return { ...entry, review: { ...entry.review, hidden: entry.review.hidden ?? list } };
}

/** The ids in a document's lists of what is not shown (`"deleted": ["r2"]`), with the names of these lists. */
function idsGone(value: unknown, path = "", depth = 0): Map<string, string> {
  const gone = new Map<string, string>();
  if (depth > MAX_DEPTH || !isObject(value)) return gone;
  for (const [at, one] of inside(value, path)) {
    const isOfIds = Array.isArray(one) && one.every((each) => typeof each === "string" || typeof each === "number");
    if (isOfIds && isOfHidden(at)) for (const id of one) gone.set(String(id), at);
    else for (const [id, list] of idsGone(one, at, depth + 1)) gone.set(id, list);
  }
  return gone;
}

function hiddenById(entry: Entry, gone: ReadonlyMap<string, string>): Entry {
  const list = "review" in entry ? gone.get(String(entry.review.id)) : undefined;
  if (list === undefined || !("review" in entry)) return entry;
  return { ...entry, review: { ...entry.review, hidden: entry.review.hidden ?? list } };
}

/** The names of the members of a document's first records, for the owner's mapping. */
export function memberNames(content: Content): string[] {
  const records =
    content.syntax === "json lines"
      ? [members(content.first)]
      : content.syntax === "json"
        ? listsIn(content.value, "", 0).flatMap((list) =>
            list.slice(0, MAX_RECORDS_SAMPLED).map(({ record }) => record),
          )
        : [];
  return [...new Set(records.flatMap((record) => [...flattened(record).keys()]))];
}

/** The lists in which records are, but for those that are called after a site. */
function listNames(records: readonly Located[]): string[] {
  const names = records.map(({ at }) => (at.endsWith("]") ? at.replace(/\[\d+\]/g, "") : ""));
  return [...new Set(names)].filter((name) => name !== "" && knownSite(name.split(".").at(-1)) === undefined);
}

/** The names by which an object holds its records, if they all look like those of people rather than ids. */
function namesOfPeople(records: readonly Located[]): string[] {
  const keys = records.map(({ at }) => at);
  const areNames = keys.every((key) => /^\p{Lu}[\p{L}'’-]*(?:[ .]+[\p{L}'’-]+)*\.?$/u.test(key));
  return areNames && !keys.includes("the object") ? keys : [];
}

type Found = Located | { readonly at: string; readonly fault: string };

function readRecord(one: Found): ReadRecord {
  if ("fault" in one) return one;
  if (isOfOthers(one.record))
    return { at: "", warning: `records of the type ${quote(one.record["@type"])} are no customers' reviews: left out` };
  const flat = flattened(one.record);
  return {
    at: one.at,
    value: (name) => flat.get(name),
    cells: flat.values(),
    place: () => placeOf(one.record, one.around, one.at),
  };
}

async function* pages(content: Content, columns: ColumnMapping | undefined): AsyncGenerator<readonly Found[]> {
  if (content.syntax === "json") {
    const records = find(content.value, columns) ?? [];
    for (let from = 0; from < records.length; from += RECORDS_PER_PAGE)
      yield records.slice(from, from + RECORDS_PER_PAGE);
  }
  if (content.syntax !== "json lines") return;
  let page: Found[] = [];
  for await (const line of content.lines()) {
    const at = `line ${line.line}`;
    if ("fault" in line) page.push({ at, fault: line.fault });
    else if (isObject(line.value)) page.push({ at, record: line.value });
    else page.push({ at, fault: `is ${quote(line.value)}, but must be an object` });
    if (page.length < RECORDS_PER_PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** The reviews of a document: those of every list that holds some, or the document itself. */
function find(value: unknown, columns: ColumnMapping | undefined): Located[] | undefined {
  const found = reviewsIn(value, { path: "", depth: 0, columns, inherited: {}, around: [] });
  const place = placeInListName(Array.isArray(value) ? "" : (ownName(value) ?? ""));
  if (found.length > 0) return inPlaces([{ found, place }], 0);
  const record = members(value);
  return isReview(record, columns) ? [{ at: "the object", record }] : undefined;
}

interface Position {
  readonly path: string;
  readonly depth: number;
  readonly columns: ColumnMapping | undefined;
  /** What the objects around a list say of all its records: their site, and what their ratings count to. */
  readonly inherited: JsonObject;
  /** The objects around it, which may tell the place. */
  readonly around: readonly Around[];
}

const OF_ALL = /^(?:source|platform|provider|site|tz|time_?zone)$/i;
/** Members that may name the site of all, or how the file was made. */
const MAY_NAME_SITE = /^(?:review_?)?(?:source|platform|portal|provider|site|origin)(?:_?(?:type|name))?$/i;
/** Members that count pages and records there. */
const OF_PAGES = /^(?:of|max(?:imum)?)$/i;

/** Whether a member beside a list says what the ratings of its records count to. */
function isScale(name: string): boolean {
  return SCALE_NAME.test(spellingOf(name)) && !OF_PAGES.test(name);
}

/** Members that say how the file was made, beside its list of reviews. */
const ABOUT =
  /^(?:meta|metadata|info|search_?(?:parameters|metadata)|input|request|query|params|header|export(?:er|_?info)?|data|file|document|report|origin|about)$/i;
/** Members there that may name the site in words: `Trustpilot exporter 2.1` */
const TITLED = /^(?:title|vendor|generator|generated_?by|export(?:ed)?_?(?:from|by)|exporter|tool|app|service)$/i;
const ADDRESS = /^(?:engine|query|input|from|origin|domain|href|(?!image|photo|logo|web|avatar)\w*(?:url|link)s?)$/i;

function inheritedFrom(value: object, before: JsonObject): JsonObject {
  const about = Object.entries(value).filter(([name, one]) => ABOUT.test(name) && isObject(one));
  const members = [...about.flatMap(([, one]) => Object.entries(one as object)), ...Object.entries(value)];
  const own = members.filter(
    ([name, one]) =>
      ((OF_ALL.test(name) ||
        isScale(name) ||
        (MEAN_NAME.test(spellingOf(name)) && Number(one) > 5) ||
        (MAY_NAME_SITE.test(name) && knownSite(one) !== undefined)) &&
        (typeof one === "string" || typeof one === "number" || (isObject(one) && isScale(name)))) ||
      (stateKind(spellingOf(name)) === "word" && isHidingWord(one)),
  );
  // A business may have its page at Facebook, wherever the reviews are from.
  const site = members
    .map(([name, one]) =>
      ADDRESS.test(name)
        ? knownSite(firstAddress(one))
        : OF_ALL.test(name) && isObject(one)
          ? knownSite(one.name)
          : undefined,
    )
    .find(Boolean);
  const channel = members
    .flatMap(([name, one]) => (OF_CHANNEL.test(name) ? [isObject(one) ? (one.type ?? one.name) : one] : []))
    .find((one) => typeof one === "string" && CHANNEL.test(one.trim()));
  // What made the file may be Google's, wherever the reviews are from.
  const titled = members
    .map(([name, one]) => (TITLED.test(name) && typeof one === "string" ? siteInTitle(one) : undefined))
    .find((each) => each !== undefined && each !== "google" && each !== "facebook");
  const named = site === undefined || site === "facebook" ? titled : site;
  const read = (named ?? channel) === undefined ? {} : { source: named ?? channel };
  const scales = Object.values(value).flatMap((one) =>
    isObject(one) ? Object.entries(one).filter(([name]) => isScale(name)) : [],
  );
  // The mean of what is reviewed, beside the list: `{ "hotel": { "score": 8.7 }, "reviews": […] }`.
  const isOwnMean = (name: string) => MEAN_NAME.test(spellingOf(name)); // it is among `own`, by its name
  const means = [["", value] as const, ...Object.entries(value)].flatMap(([outer, one]: readonly [string, unknown]) =>
    isObject(one)
      ? Object.entries(one).flatMap(([name, each]) =>
          outer === "" && isOwnMean(name) ? [] : (meanOfTen(name === "value" ? `${outer}_value` : name, each) ?? []),
        )
      : [],
  );
  const all = [...scales, ...means.slice(0, 1).map((mean) => ["mean_rating", mean] as const), ...own];
  return all.length === 0 && Object.keys(read).length === 0
    ? before
    : { ...before, ...read, ...Object.fromEntries(all) };
}

/** A member beside a list that is a mean which a scale of five does not reach: `"avg_score": "8,4"` */
function meanOfTen(name: string, value: unknown): number | undefined {
  const mean = typeof value === "string" ? Number(value.replace(",", ".")) : value;
  return MEAN.test(spellingOf(name)) && typeof mean === "number" && mean > 5 && mean <= 10 ? mean : undefined;
}

const MEAN =
  /^(?:(?:avg|average|mean|overall|total|aggregate|review|guest|user)_)?(?:score|rating|stars|average|avg|mean|overall|grade)(?:_(?:value|avg|average|mean))?$|^(?:average|overall)_value$/;

/** `startUrls: [{ url: "…" }]` */
function firstAddress(value: unknown): unknown {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(first) ? first.url : first;
}

/** The reviews in a value. Those inside the records of a list go before the records, which are the places then. */
function reviewsIn(value: unknown, { path, depth, columns, inherited, around: outer }: Position): Located[] {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return [];
  const entries = Array.isArray(value)
    ? value.map((one, index) => [`${path}[${index}]`, one] as const)
    : inside(value, path);
  const sampled = entries.slice(0, MAX_RECORDS_SAMPLED);
  const around = Array.isArray(value) ? outer : [{ object: members(value), isPlace: isPlaceAt(path) }, ...outer];
  const hasLists = sampled.some(([, one]) => Array.isArray(one) || (isObject(one) && holdsReviewList(one)));
  if (!Array.isArray(value) || hasLists) {
    const lists = sampled.flatMap(([at, one]) =>
      Array.isArray(value) ? (ownName(one) ?? []) : Array.isArray(one) ? [lastName(at)] : [],
    );
    const areOfSites = lists.some((name) => knownSite(name) !== undefined && !isCommonWord(name));
    const own = Array.isArray(value) ? inherited : inheritedFrom(value, inherited);
    const nested = entries.map(([at, one]) => {
      const name = Array.isArray(value) ? ownName(one) : at.slice(path === "" ? 0 : path.length + 1);
      // Beside lists that are called after sites, a list of another name is of no site of theirs.
      const called = Array.isArray(value) ? name : Array.isArray(one) ? lastName(at) : undefined;
      const other = areOfSites && called !== undefined && !OF_ANY.test(called) ? called : undefined;
      const site = knownSite(name) ?? knownSite(ownName(one)) ?? other;
      const below = { path: at, depth: depth + 1, columns, around };
      const found = reviewsIn(one, { ...below, inherited: site === undefined ? own : { ...own, source: site } });
      const place = [name, ownName(one)].map((each) => placeInListName(each ?? "")).find((each) => each !== undefined);
      return { found, place: found.length === 0 ? undefined : place };
    });
    if (nested.some(({ found }) => found.length > 0)) return inPlaces(nested, around.length);
  }
  // An object may hold its records by their ids.
  if (!Array.isArray(value) && !entries.every(([, one]) => isObject(one))) return [];
  // `{ "reviewer": {…}, "review": {…} }` is one review, and holds none by their ids.
  const isOne = !Array.isArray(value) && !sampled.every(([, one]) => isReview(members(one), columns));
  if (isOne && isReview(members(value), columns)) return [];
  if (!sampled.some(([, one]) => isReview(members(one), columns))) return [];
  const isBare = Object.keys(inherited).length === 0;
  return entries.map(([at, one]) => ({
    at,
    record: isBare ? members(one) : { ...inherited, ...members(one) },
    ...(!isBare && { inherited, given: one }),
    around,
  }));
}

/** By which way of the business's own all reviews came. */
const OF_CHANNEL = /^(?:review_?)?(?:source|platform|channel|origin|medium|via|collected_?(?:by|via))$/i;
const CHANNEL =
  /^(?:direct|own|internal|e-?mail|phone|telephone|letter|post|sms|whatsapp|survey|web_?site|form|web_?form|in[ _-]?person|(?:comment|feedback)[ _-]?cards?|manual|tablet|kiosk|qr)s?$/i;

/** `emails` of `reviews.emails` */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Names of lists that say nothing of where their reviews are from. */
const OF_ANY =
  /^(?:(?:all|other|more)?_?(?:reviews?|ratings?|comments?|feedback|testimonials?|bewertungen|rezensionen|avis|reseñas|opiniones|recensioni|items|results?|records|entries|data|list|rows|edges|nodes)|all)$/i;

/** The name of an object that holds reviews, if it is none of a shop's products. */
function ownName(value: unknown): string | undefined {
  if (Array.isArray(value)) return typeof value[0] === "string" ? value[0] : undefined; // ["Leeds", […]]
  const object = members(value);
  if (Object.keys(object).some((name) => /^(?:sku|gtin\d*|asin|price|product_?id|brand)$/i.test(name)))
    return undefined;
  const { name, title, label, displayName, company, place, location, town, city, slug, address } = object;
  const names = [name, title, label, displayName, company, place, location, town, city, slug, address];
  return names.find((one) => typeof one === "string");
}

interface NamedReviews {
  readonly found: readonly Located[];
  readonly place: string | undefined;
}

/** Reviews in lists. What these are called may be their places. `depth`: how many objects are around all. */
function inPlaces(lists: readonly NamedReviews[], depth: number): Located[] {
  const isOfSeveral = new Set(lists.flatMap(({ place }) => place ?? [])).size > 1;
  return lists.flatMap(({ found, place }) => {
    if (place === undefined) return found;
    const named: Around = { object: {}, isPlace: false, listName: { name: place, isOfSeveral } };
    return found.map((one) => ({
      ...one,
      around: (one.around ?? []).toSpliced((one.around?.length ?? 0) - depth, 0, named),
    }));
  });
}

/** Whether an object has a list by a name of reviews, directly or in another object. */
function holdsReviewList(record: JsonObject): boolean {
  return Object.entries(record).some(
    ([name, value]) => OF_REVIEWS.test(name) && Array.isArray(value) && isObject(value[0]),
  );
}

const OF_REVIEWS = /review|rating|feedback|bewertung|comments|avis|items|data|result|records|edges/i;

function inside(value: object, path: string): (readonly [string, unknown])[] {
  return Object.entries(value).map(([name, one]) => [path === "" ? name : `${path}.${name}`, one] as const);
}

/** Every list of objects in a value. */
function listsIn(value: unknown, path: string, depth: number): Located[][] {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) && value.some(isObject) ? [located(value, path) ?? []] : [];
  const children = Array.isArray(value) ? value.slice(0, MAX_RECORDS_SAMPLED) : Object.values(value);
  return [...own, ...children.flatMap((one) => listsIn(one, path, depth + 1))];
}

/** Whether a record is an employer's, a critic's or a claim's review of schema.org, and none of the business's. */
function isOfOthers(record: JsonObject): boolean {
  const type = String(record["@type"]);
  return /^\w+Review$/.test(type) && type !== "UserReview";
}

const NO_COLUMNS: ColumnMapping = {};
/** Whether records with these members are reviews, by how the owner mapped columns: many lists hold records alike. */
const judgedMembers = new WeakMap<ColumnMapping, Map<string, boolean>>();
const MAX_JUDGED = 1_000;

function isReview(record: JsonObject, columns: ColumnMapping | undefined): boolean {
  if (isOfOthers(record)) return false;
  const names = [...flattened(record).keys()];
  if (names.length < 2) return false; // no rating and day
  const judged = judgedMembers.getOrInsertComputed(columns ?? NO_COLUMNS, () => new Map());
  const all = names.join("\0");
  if (judged.size > MAX_JUDGED) judged.clear();
  return judged.getOrInsertComputed(all, () => areReviewColumns(chooseColumns({ names, noun: "members" }, columns)));
}
