/** The interface that every import format implements: recognising content and reading reviews from it. */

import { quote } from "../../issue.ts";
import { isObject, type JsonObject, members } from "../../lib/json-object.ts";
import { rememberedByName } from "../../lib/remembered.ts";
import { type Around, placeOf, tellsPlace } from "../place/told-place.ts";
import type { Entry, FieldNames, RawReview } from "../review/candidate.ts";
import type { DateOrder } from "../review/free-form-date.ts";
import { plainText } from "../review/html-text.ts";
import { openMemberPicks } from "../review/member-picks.ts";
import {
  isAnswer,
  isNotToBeShown,
  isStateValue,
  stateKind,
  stateKindInWords,
  stateOf,
} from "../review/publication-state.ts";
import { openScaleJudge } from "../review/rating-scale.ts";
import type { Picks } from "../review/read-from.ts";
import { knownSite, sourceNamed } from "../review/review-source.ts";
import { isTranslationAlone, withoutTranslation } from "../review/translation-labels.ts";
import type { Content } from "../syntax/content.ts";
import { SCALE_NAME } from "../words/column-words.ts";
import { OF_TRANSLATION } from "../words/translation-words.ts";
import type { ColumnMapping } from "./column-mapping.ts";
import { OF_REPLY, spellingOf } from "./column-names.ts";
import { openFurtherMembers } from "./further-members.ts";
import { type FurtherMembers, findRenamed } from "./renamed-members.ts";
import { memberAt, misfit, type Shape } from "./vendor-shape.ts";

/** A file's completeness: all of a business's reviews, one page of several, or a part that is never complete. */
export type Extent = "whole" | "page" | "part";

/** The owner's options for tables. */
export interface ReadOptions {
  /** The order of day and month in numeric dates. */
  readonly dates?: DateOrder | undefined;
  /** The day of the import, as YYYY-MM-DD: what is to be shown later is not yet. */
  readonly today?: string | undefined;
  /** Maps columns to fields. */
  readonly columns?: ColumnMapping | undefined;
  /** Where the reviews were written that do not say it themselves: what they count to may follow from it. */
  readonly source?: string | undefined;
}

export interface Format {
  /** Display name. */
  readonly name: string;
  /** How complete the content can be. */
  extent(content: Content): Extent;
  /** Whether the content has this format. Decided by content, never by file name. */
  recognises(content: Content, options: ReadOptions): boolean;
  /**
   * Reads the records of recognised content, in order, one or several at a time. Throws Invalid if the rest of the file
   * cannot be read.
   */
  records(content: Content, options: ReadOptions): AsyncIterable<Entry | readonly Entry[]> | Iterable<Entry>;
}

/** A JSON record and its path. */
export interface Located {
  readonly at: string;
  readonly record: Readonly<Record<string, unknown>>;
  /** What of it was told of the whole list, and not of the record. */
  readonly inherited?: JsonObject | undefined;
  /** The record as the file has it, where `record` has more. */
  readonly given?: unknown;
  /** The objects that hold it, the nearest one first, if they may tell its place. */
  readonly around?: readonly Around[] | undefined;
}

/** The parts in which whole-document JSON formats differ. */
export interface JsonFormat {
  readonly name: string;
  /** Optional; without it, documents count as complete. */
  extent?(value: Readonly<Record<string, unknown>>): Extent;
  /** The format's field names. */
  readonly names: FieldNames;
  /** Further members that a field is read from. */
  readonly further?: FurtherMembers;
  /** Members of the service that are called as a part of a review and are none, such as its place's name. */
  readonly ignored?: readonly string[];
  /** What the service writes besides, by their names: whatever else is there, somebody has added. */
  readonly vendor?: RegExp;
  /** Whether a record holds the words of a translation alone, which are not read. */
  isTranslated?(record: JsonObject): boolean;
  /** What the vendor's records are like. */
  readonly shape: Shape;
  /** Finds a document's records; undefined if it does not have this format. */
  find(value: unknown): readonly Located[] | undefined;
  /** Reads a record as a review, or describes its fault. */
  read(record: Readonly<Record<string, unknown>>): RawReview | { readonly fault: string };
  /** What of a record is left out, for the report. */
  leftOut?(record: Readonly<Record<string, unknown>>): string | undefined;
}

/** Makes a format whose files each contain one JSON document. */
export function jsonFormat({
  name,
  extent,
  names,
  further,
  ignored,
  vendor,
  isTranslated,
  shape,
  find,
  read,
  leftOut,
}: JsonFormat): Format {
  return {
    name,
    recognises: (content) => content.syntax === "json" && find(content.value) !== undefined,
    extent: (content) => (content.syntax === "json" && extent ? extent(members(content.value)) : "whole"),
    *records(content) {
      if (content.syntax !== "json") return;
      const found = find(content.value) ?? [];
      const scaled = otherScale(found, names.rating);
      if (scaled !== undefined) return yield scaled;
      const records = found.map(({ record }) => record);
      const renamed = findRenamed(records, { names, further });
      for (const warning of renamed.notes) yield { at: "", warning };
      const picks = openMemberPicks(names, further);
      let [tagged, translated] = [0, 0];
      const others = openFurtherMembers({ names, further, ignored: [...(ignored ?? []), ...renamed.read], vendor });
      const own = new Set([...Object.values(names), ...Object.values(further ?? {}).flat()]);
      for (const { at, record, around } of found) {
        const place = placeOf(record, around, at);
        const fault = misfit(record, shape);
        const review = fault === undefined ? { ...stateIn(record, picks, { read: own }), ...read(record) } : { fault };
        if ("fault" in review) yield { at, fault: review.fault, place };
        else {
          const site = otherSite(review, { record, around, read: Object.values(names) });
          if (site !== undefined) picks.note("source", site.name);
          const completed = others.look(record, renamed.complete(review, { record, picks }), place !== undefined);
          const said = ownWords(record, completed.text);
          if ("isTranslation" in said || isTranslated?.(record) === true) translated += 1;
          const text = plainText(said.text);
          if (text !== said.text) tagged += 1;
          const whole = { ...completed, text, ...(site && { source: site.source }) };
          picks.look(record, whole);
          notePlace(record, picks);
          yield { at, review: whole, names, place };
        }
        const warning = fault === undefined ? leftOut?.(record) : undefined;
        if (warning !== undefined) yield { at, warning };
      }
      for (const warning of others.told(picks.told())) yield { at: "", warning };
      if (tagged > 0) {
        const have = tagged === 1 ? "1 text has" : `${tagged} texts have`;
        yield { at: "", warning: `${have} tags of HTML, BBCode or WordPress, which are left out` };
      }
      if (translated > 0)
        yield {
          at: "",
          warning: `the words of ${translated === 1 ? "1 review are" : `${translated} reviews are`} left out: a member says that they are a translation, and the customers' own are not in the file`,
        };
      yield { at: "", readFrom: picks.told() };
    },
  };
}

/** The words of a record, or those of which a member says that they are a translation. */
function ownWords(record: JsonObject, text: unknown): { readonly text: unknown; readonly isTranslation?: true } {
  const isTranslation = Object.entries(record).some(
    ([name, value]) => value === true && OF_TRANSLATION.test(spellingOf(name)),
  );
  if (!isTranslation || typeof text !== "string" || withoutTranslation(text) !== text || isTranslationAlone(text))
    return { text };
  const [original] = Object.entries(record).flatMap(([name, value]) =>
    OF_ORIGINAL.test(spellingOf(name)) && typeof value === "string" && value.trim() !== "" ? [value] : [],
  );
  return original === undefined ? { text: null, isTranslation } : { text: original };
}

/** Members with the customer's own words beside a translation. */
const OF_ORIGINAL =
  /^original(?:_(?:comment|text|review|body|content))?$|^(?:comment|text|review|body|content)_original$/;

const isScale = rememberedByName((name) => SCALE_NAME.test(spellingOf(name)));

/** Refuses records that, or what holds them, say that their ratings count to another number than five, or that do. */
function otherScale(
  found: readonly Located[],
  rating = "",
): { readonly at: string; readonly refusal: string } | undefined {
  const judge = openScaleJudge();
  for (const { at, record } of found) judge.add({ value: memberAt(record, rating), at });
  const refusal = judge.verdict();
  if (refusal !== undefined) return { at: "", refusal };
  for (const { at, record, around = [] } of found)
    for (const object of [record, ...around.map((each) => each.object)])
      for (const [name, best] of Object.entries(object))
        if (isScale(name) && highestOf(best) > 0 && highestOf(best) !== STARS)
          return {
            at,
            refusal: `${name} is ${Number.isNaN(Number(best)) ? quote(best) : Number(best)}, but must be ${STARS}: other scales have no whole stars`,
          };
  return undefined;
}

/** What ratings count to by a member such as `bestRating: 10` or `ratingScale: "1-10"`; 0 where it says none. */
function highestOf(best: unknown): number {
  if (typeof best !== "string" && typeof best !== "number") return 0;
  return Number(best) || Number(/(\d+)(?:\.0+)?\D*$/.exec(String(best).slice(-100))?.[1] ?? 0);
}

/** What ratings count to. */
const STARS = 5;

/** Members that name the site of a review, whatever service has handed it on. */
const NAMES_SITE =
  /^(?:review_?)?(?:source|site|platform|portal|provider|network|publisher|channel|origin|quelle|plattform|kanal|fuente|plataforma|origen|origine|plateforme|fonte|piattaforma|bron)(?:_?(?:type|name))?$/i;

/** Members that lead to the review where it was written. */
const LEADS_THERE = /^(?:review_?)?(?:link|ur[il]|permalink)$/i;

/** Whether a member's value is the name of a site, or a link to it. */
const tellsSite = rememberedByName((name) =>
  NAMES_SITE.test(name) ? "name" : LEADS_THERE.test(name) ? "link" : "nothing",
);

/**
 * The site that a member of a record, or of what holds it, names or leads to, where the format reads another; undefined
 * without one. `read`: the members that the format reads itself.
 */
export function otherSite(
  { source }: Pick<RawReview, "source">,
  { record, around = [], read }: Pick<Located, "record" | "around"> & { readonly read: readonly unknown[] },
): { readonly name: string; readonly source: string } | undefined {
  for (const [at, object] of [record, ...around.map((each) => each.object)].entries())
    for (const [name, held] of Object.entries(object)) {
      const tells = tellsSite(name);
      if (tells === "nothing" || read.includes(name)) continue;
      const value = isObject(held) ? (held.name ?? held.title ?? held.slug) : held;
      if (typeof value !== "string") continue;
      const isTelling = tells === "name" ? !value.includes("/") : at === 0;
      const site = isTelling ? (knownSite(value) ?? ownName(name, value)) : undefined;
      if (site !== undefined) return site === source ? undefined : { name, source: site };
    }
  return undefined;
}

/** The source that a member of sites names, where no site is called so: `Zillow`, `Our own survey`; not `web_api`. */
function ownName(member: string, value: string): string | undefined {
  const isName = /^\s*\p{Lu}[\p{L}\d.&' -]{2,39}$/u.test(value) && !OF_TOOL.test(value);
  return isName && HAS_SITE.test(member) ? sourceNamed(value) : undefined;
}

/** Members that have nothing but where a review was written; those of a channel or a provider may have others. */
const HAS_SITE =
  /^(?:review_?)?(?:source|platform|portal|quelle|plattform|fuente|plataforma|plateforme|fonte|piattaforma|bron)(?:_?name)?$/i;
/** By what reviews were fetched or typed, and other words for Google. */
const OF_TOOL =
  /\b(?:apis?|maps?|business|my business|places?|local guide|search|scrap\w*|crawl\w*|export\w*|import\w*|download\w*|takeout|web|app|android|ios|iphone|desktop|mobile|browser|csv|json|excel|apify|outscraper|serp\s?api|dataforseo|bright ?data|phantombuster|zapier|make|n8n|birdeye|podium|yext|brightlocal|reviewtrackers|grade\.us|nicejob|broadly|reputation|synup|semrush|moz|uberall|chatmeter|trustmary|embedsocial|elfsight|taggbox|trustindex|localo)\b/i;

/** What a member tells of a state by its name, and by the words in it where its values are yes or no. */
const stateKindOf = rememberedByName((name) => {
  const spelling = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  if (OF_REPLY.test(spelling)) return { exact: undefined, inWords: undefined }; // of the reply alone
  const inWords = stateKindInWords(spelling, { areAnswers: true, isTyped: /\S\s+\S/.test(name) });
  return { exact: stateKind(spelling), inWords: inWords === "unsure" ? undefined : inWords };
});

/** Whether a member that is called so shows a review by a true value. */
export function isShowing(name: string): boolean {
  const { exact, inWords } = stateKindOf(name);
  return (exact ?? inWords) === "shows";
}

interface StateReading {
  /** The members that the format reads. */
  readonly read: ReadonlySet<string>;
  /** Those that show a review where they are filled, and hide it where they are not. */
  readonly marks?: ReadonlySet<string>;
}

/**
 * The state by which a service hides a record, null if it shows it; nothing if no member tells. Other objects of the
 * record may hold the state, too: `meta.published`.
 */
export function stateIn(record: JsonObject, picks: Picks, reading: StateReading): Pick<RawReview, "hidden"> {
  let isTold = false;
  for (const [name, value] of Object.entries(record)) {
    const state = memberState(name, { name, value }, reading);
    if (state === undefined && !isObject(value)) continue;
    const found = state === undefined ? stateInside(name, value as JsonObject, reading) : { ...state, path: name };
    if (found === undefined) continue;
    picks.note("state", found.path);
    if (found.hidden !== undefined) return { hidden: `${found.path}: ${found.hidden}` };
    picks.show(found.path, found.shown);
    isTold = true;
  }
  return isTold ? { hidden: null } : {};
}

/** The state that an object of a record tells, if it is none of the format's and of nobody else. */
function stateInside(object: string, record: JsonObject, reading: StateReading) {
  if (OF_OTHERS.test(object)) return undefined;
  for (const path of reading.read) if (path.startsWith(`${object}.`)) return undefined;
  const states = Object.entries(record).flatMap(([name, value]) => {
    const path = `${object}.${name}`;
    const state = memberState(path, { name, value }, reading);
    return state === undefined ? [] : [{ ...state, path }];
  });
  return states.find(({ hidden }) => hidden !== undefined) ?? states[0];
}

/** What hides a record by a member, or that it shows it; undefined if the member says neither. */
function memberState(
  path: string,
  { name, value }: { readonly name: string; readonly value: unknown },
  { read, marks }: StateReading,
):
  | { readonly hidden: string; readonly shown?: never }
  | { readonly hidden?: never; readonly shown: string }
  | undefined {
  if (value === null && marks?.has(path)) return { hidden: "empty" };
  if (typeof value === "object" || value === undefined) return undefined;
  const text = String(value);
  const shown = text.slice(0, MAX_STATE);
  if (typeof value === "string" && !read.has(path) && !isOfPlace(name) && isNote(value)) return { hidden: shown };
  const { exact, inWords } = stateKindOf(name);
  const kind = exact ?? (inWords !== undefined && isAnswer(value) ? inWords : undefined);
  if (kind === undefined || text.length > MAX_STATE) return undefined;
  const isDay = kind === "hides" && /^\d{4}-\d\d-\d\d/.test(text);
  if (!isDay && !isStateValue(value)) return undefined;
  return stateOf(value, kind) === "hidden" ? { hidden: shown } : { shown };
}

const MAX_STATE = 60;

/** Members of what is reviewed, or of how it was searched for: "Smith Clinic (private)" is no note. */
const isOfPlace = rememberedByName((name) =>
  /^(?:name|title|description|about|full_?address|address|categor|type|sub_?types|query|search|place|business|location|company|hotel|store|shop|city|street|site|owner_(?!answer))/i.test(
    name,
  ),
);
/** Most values of a table stand in many of its rows. */
const isShortNote = rememberedByName(isNotToBeShown);

function isNote(value: string): boolean {
  return value.length <= MAX_STATE ? isShortNote(value) : !value.startsWith("http") && isNotToBeShown(value);
}

/** Objects with states of their own: of a reply, a person, a place, a product or a picture. */
const OF_OTHERS =
  /repl|respon|answer|owner|author|user|reviewer|customer|consumer|person|profile|place|location|business|company|shop|store|product|item|order|service|photo|image|media|video|translat/i;

/** Notes which members tell the place of reviews. */
export function notePlace(record: JsonObject, picks: Picks): void {
  if (picks.has("location")) return;
  for (const name of Object.keys(record)) if (tellsPlace(name)) picks.note("location", name);
}

/** The entries of a list with their paths, such as `reviews[3]`; undefined if the value is not a list. `place`: what holds it. */
export function located(list: unknown, path: string, place?: unknown): Located[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const around = isObject(place) ? [{ object: place, isPlace: true }] : undefined;
  return list.map((record, index) => ({ at: `${path}[${index}]`, record: members(record), around }));
}
