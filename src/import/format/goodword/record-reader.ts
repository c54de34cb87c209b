/** Reads a record as a review: each field from the columns that were chosen for it. */

import { quote } from "../../../issue.ts";
import { tellsPlace } from "../../place/told-place.ts";
import type { FieldNames, RawReview } from "../../review/candidate.ts";
import { nameOfForm, withoutEscapes } from "../../review/escaped-text.ts";
import { type DateOrder, readDate, shownOrder } from "../../review/free-form-date.ts";
import { plainText } from "../../review/html-text.ts";
import { hiddenInWords, markInWords, marksIn, stateOf } from "../../review/publication-state.ts";
import { openPicks, type ReadFrom } from "../../review/read-from.ts";
import { withoutReply, withoutReplyLabel } from "../../review/reply-in-text.ts";
import { hostOf, namedSource } from "../../review/review-source.ts";
import { readStars } from "../../review/star-rating.ts";
import { isName, isRank, titledText } from "../../review/titled-text.ts";
import type { OwnField } from "../../words/column-words.ts";
import { CUSTOMER, NO_REPLY } from "../../words/reply-words.ts";
import { NO_NAME, PROGRAM_NOTHING } from "../../words/row-words.ts";
import { spellingOf } from "../column-names.ts";
import { type ColumnChoice, isOfMixedSites, namesSites, type StateColumn, siteNamed } from "./column-choice.ts";
import type { Profiles } from "./column-profile.ts";
import { openReadingNotes } from "./reading-notes.ts";
import { isEmpty, type RecordValues } from "./record-list.ts";
import { dayOf, makeTimeReader } from "./record-times.ts";
import { makeWordReader } from "./record-words.ts";

export interface RecordReader {
  /** A fault if a value of the record is none of its field. */
  read(value: RecordValues): ReadRecord;
  /** What was noticed over all records. */
  closingNotes(): string[];
  /** From which columns their fields were read. */
  readFrom(): ReadFrom;
}

type ReadRecord = { readonly review: RawReview; readonly names: FieldNames } | { readonly fault: string };

interface ReaderParts {
  readonly profiles: Profiles;
  readonly order: DateOrder | undefined;
  /** Columns whose days a spreadsheet for another country may have taken for months. */
  readonly swapped: ReadonlySet<string>;
  /** The orders of columns whose own dates show another one than those of the reviews. */
  readonly orders: ReadonlyMap<string, DateOrder>;
  /** Columns of words of which one record holds several with other words each: none of them stands for another. */
  readonly apart: ReadonlySet<string>;
  /** Decides about days from which or until which a record is shown. */
  readonly today: string | undefined;
}

export function openRecordReader(
  choice: ColumnChoice,
  { profiles, order, orders, swapped, apart, today }: ReaderParts,
): RecordReader {
  const { columns, replyStates, nameStates, translated } = choice;
  const dayStates = choice.states.filter(({ days }) => days);
  const states = choice.states.filter(({ days }) => !days);
  const notes = openReadingNotes(choice);
  const picks = openPicks();
  const times = makeTimeReader(choice, { profiles, order, orders, swapped, notes, picks });
  const wordsOf = makeWordReader(columns, { notes, picks, apart });
  const baseNames = namesOf(choice);
  const replyNames = columns.get("reply") ?? [];
  const authorsOfReplies = replyNames.flatMap((name) => membersBeside(name, profiles.keys()));
  const siteNames = choice.sites.filter((name) => {
    const profile = profiles.get(name);
    return profile !== undefined && namesSites(profile);
  });
  const mixedSites = choice.sites.filter((name) => isOfMixedSites(profiles.get(name)));

  /** Columns of the day on which a review was published: in one that is filled, an empty one is no approval. */
  const publicationNames = [...(columns.get("date") ?? []), ...(columns.get("instant") ?? [])].filter(
    (name) => OF_PUBLICATION.test(spellingOf(name)) && (profiles.get(name)?.filled ?? 0) > 0,
  );
  const wordyNames = choice.unknown.filter((name) => {
    const { words = 0, links = 0, dates = 0, lists = 0 } = profiles.get(name) ?? {};
    return words > links + dates + lists && OF_WORDS.test(name);
  });

  /** The first value of a field: undefined if it has no column, null if all are empty. */
  function first(field: FirstField, value: RecordValues): unknown {
    const names = columns.get(field) ?? [];
    for (const name of names) {
      const found = value(name);
      if (isEmpty(found)) continue;
      picks.note(field === "last_name" ? "author" : field, name);
      return found;
    }
    return names.length === 0 ? undefined : null;
  }

  /** A record with different values in two columns of a field: the report names the one that is not read. */
  function noteOthers(field: "author" | "source_url", kind: "otherNames" | "otherLinks", value: RecordValues): void {
    const names = (columns.get(field) ?? []).filter((name) => !isEmpty(value(name)));
    const [read] = names;
    const other = names.find((name) => !isSameName(String(value(name)), String(value(read ?? ""))));
    if (read !== undefined && other !== undefined) notes.countPair(kind, read, other);
  }

  function replyOf(value: RecordValues): RawReview["owner_reply"] {
    const text = wordsOf("reply", value);
    if (text === undefined || text === null) return text;
    if (typeof text === "string" && NO_REPLY.test(text)) return null;
    if (authorsOfReplies.some((name) => isCustomer(value(name), value))) {
      notes.count("replyOfCustomer");
      return null;
    }
    if (hiddenBy(replyStates, value) !== null) {
      notes.count("hiddenReply");
      return null;
    }
    return { text: withoutReplyLabel(text), written: times.first("replied", value) ?? null };
  }

  /** Where the column of words is empty, the report names another one that has some. */
  function noteWordsElsewhere(value: RecordValues): void {
    const [read] = columns.get("text") ?? [];
    const other = read === undefined ? undefined : wordyNames.find((name) => isWordy(value(name)));
    if (read !== undefined && other !== undefined) notes.countPair("wordsElsewhere", read, other);
  }

  /** Whether a member beside a reply says that the customer wrote it: by the role, or by the name. */
  function isCustomer(who: unknown, value: RecordValues): boolean {
    if (typeof who !== "string") return false;
    return CUSTOMER.test(who) || (who.trim() !== "" && who === first("author", value));
  }

  /** The customer's words as the file has them. */
  function rawText(value: RecordValues): unknown {
    return (columns.get("text") ?? []).map(value).find((found) => !isEmpty(found));
  }

  function authorOf(value: RecordValues): unknown {
    const [name, rest] = (["author", "last_name"] as const).map((field) => {
      const found = first(field, value);
      return plainText(typeof found === "string" ? withoutEscapes(nameOfForm(found, rawText(value))) : found);
    });
    const author =
      isEmpty(rest) || String(name).endsWith(String(rest)) ? name : isEmpty(name) ? rest : `${name} ${rest}`;
    if (typeof author === "string" && (PROGRAM_NOTHING.test(author) || NO_NAME.test(author))) {
      notes.count("nothing");
      return null;
    }
    if (isEmpty(author) || hiddenBy(nameStates, value) === null) return author;
    notes.count("hiddenName");
    return null;
  }

  function siteIn(value: RecordValues): unknown {
    const name =
      choice.sites.find((each) => siteNamed(each, value(each)) !== undefined) ??
      siteNames.find((each) => !isEmpty(value(each)) && hostOf(value(each)) === undefined);
    if (name === undefined) {
      if (mixedSites.some((each) => !isEmpty(value(each)) && hostOf(value(each)) === undefined)) notes.count("noSite");
      return undefined;
    }
    picks.note("source", name);
    return siteNamed(name, value(name)) ?? value(name);
  }

  return {
    read(value) {
      const object = OF_WORDS_AND_NAMES.flatMap((field) => columns.get(field) ?? []).find((each) =>
        isObjectText(value(each)),
      );
      if (object !== undefined) return { fault: `${object} is ${quote(value(object))}${OBJECT}` };
      const { time, name } = times.written(value);
      const isTranslation = translated.some((each) => stateOf(value(each), "shows") === "shown");
      if (isTranslation) notes.count("translation");
      const whole = isTranslation ? undefined : wordsOf("text", value);
      const title = columns.has("title") && !isTranslation ? wordsOf("title", value) : undefined;
      if (typeof title === "string" && "value" in readStars(title)) notes.count("starTitle");
      if (typeof title === "string" && isRank(title)) notes.count("rankTitle");
      if (whole === null) noteWordsElsewhere(value);
      const { text, reply } = columns.has("reply") ? { text: whole } : withoutReply(whole);
      if (reply !== undefined) notes.count("replyInText");
      if (reply !== undefined) for (const each of columns.get("text") ?? []) picks.note("owner_reply_text", each);
      const [source, link] = [first("source", value) ?? siteIn(value), first("source_url", value)];
      if (isEmpty(source) && namedSource({ source: undefined, source_url: link }) !== undefined)
        for (const each of columns.get("source_url") ?? []) picks.note("source", each);
      noteOthers("author", "otherNames", value);
      noteOthers("source_url", "otherLinks", value);
      const author = authorOf(value);
      const unpublished =
        name !== undefined && OF_ENTRY.test(spellingOf(name))
          ? publicationNames.find((each) => value(each) !== undefined && isEmpty(value(each)))
          : undefined;
      const gone = hiddenInWords(whole) ?? markInWords(whole);
      const markOfName = markInWords(author);
      const review: RawReview = {
        id: first("id", value),
        author,
        author_avatar_url: first("author_avatar_url", value),
        rating: first("rating", value),
        written: time,
        text: isEmpty(title) || isName(title, author) ? text : titledText(title, text),
        source,
        source_url: link,
        owner_reply: reply === undefined ? replyOf(value) : { text: reply, written: null },
        verified: first("verified", value),
        updated: times.first("updated", value),
        ...(choice.states.length > 0 && {
          hidden: hiddenBy(states, value) ?? hiddenByDay(dayStates, value, { order, today }),
        }),
        ...(unpublished !== undefined && { hidden: stateShown(unpublished, value(unpublished)) }),
        ...(gone !== undefined && { hidden: stateShown("text", gone) }),
        ...(markOfName !== undefined && { hidden: stateShown("author", markOfName) }),
        ...(isDraft(value("_id")) && { hidden: "_id: drafts" }),
      };
      if (review.hidden === null)
        for (const { name: each } of states) if (value(each) !== undefined) picks.show(each, value(each));
      const names = name === undefined || name === baseNames.written ? baseNames : { ...baseNames, written: name };
      return { review, names };
    },
    closingNotes: notes.told,
    readFrom() {
      for (const each of choice.states) picks.note("state", each.name);
      for (const [each, { filled }] of profiles) if (filled > 0 && tellsPlace(each)) picks.note("location", each);
      const { rating, date } = picks.told();
      picks.decide("rating", starsSeen(rating?.from ?? [], profiles));
      picks.decide("date", datesSeen(date?.from ?? [], { profiles, order }));
      return picks.told();
    },
  };
}

const OF_PUBLICATION =
  /^(?:published(?:_(?:at|on))?|veröffentlicht(?:_am)?|publiée?(?:_le)?|publicad[oa](?:_el)?|pubblicat[oa](?:_il)?)$/;
/** The day on which a record was made, whatever became of it. */
const OF_ENTRY =
  /creat|submit|receiv|insert|added|entered|erstellt|eingegangen|eingereicht|créé|reçu|cread|recibid|creat|ricevut/;
const OF_WORDS_AND_NAMES = ["author", "text", "title", "reply"] as const;
const OBJECT =
  ", which is a program's object, and neither a name nor words: import the JSON from which the table was made, or a table with a column for each of its members";

/** Whether a cell holds an object, as JSON or as Python writes it: `{'displayName': 'Ann'}` */
function isObjectText(value: unknown): boolean {
  return typeof value === "string" && /^\s*\{\s*(['"])[\w-]{1,40}\1\s*:.*\}\s*$/s.test(value);
}

/** Whether two names or links are one, or one holds the other: `Ann` and `Ann Lee` */
function isSameName(first: string, other: string): boolean {
  const [one, two] = [first, other].map((name) => name.trim().toLowerCase());
  return one === undefined || two === undefined || one.includes(two) || two.includes(one);
}

/** Columns that are called as those of customers' words are. */
const OF_WORDS =
  /text|review|comment|feedback|testimonial|opinion|words|message|bewertung|rezension|kommentar|meinung|avis|commentaire|reseña|opinión|comentario|recensione|commento|recensie|opmerking|avaliação|opinia|komentarz/i;

function isWordy(value: unknown): boolean {
  return typeof value === "string" && /\S\s+\S/.test(value);
}

/** Fields that are read from the first of their columns that holds something. */
type FirstField = "id" | "author" | "last_name" | "author_avatar_url" | "rating" | "source" | "source_url" | "verified";

/** The fewest and the most stars in columns: `1 to 5`. */
function starsSeen(names: readonly string[], profiles: Profiles): string | undefined {
  const seen = names
    .flatMap((name) => [...(profiles.get(name)?.examples ?? [])])
    .map(readStars)
    .flatMap((stars) => ("value" in stars ? [stars.value] : []));
  const [fewest, most] = [Math.min(...seen), Math.max(...seen)];
  return seen.length === 0 ? undefined : fewest === most ? `only ${most}` : `${fewest} to ${most}`;
}

/** How the days in columns are written, if all of them are alike. */
function datesSeen(
  names: readonly string[],
  { profiles, order }: Pick<ReaderParts, "profiles" | "order">,
): string | undefined {
  const all = names.flatMap((name) => [...(profiles.get(name)?.examples ?? [])]);
  if (all.every((each) => /^\d{4}-\d\d?-\d\d?(?!\d)/.test(each))) return "year-month-day";
  if (all.every((each) => /^\d{9,13}(?:\.\d+)?$/.test(each))) return "seconds or milliseconds since 1970";
  const isOrdered = all.some((each) => shownOrder(each) !== undefined);
  return !isOrdered || order === undefined ? undefined : order === "dmy" ? "day before month" : "month before day";
}

/** Sanity keeps what is not published yet beside the rest, under an id of its own. */
function isDraft(id: unknown): boolean {
  return typeof id === "string" && id.startsWith("drafts.");
}

/** The members beside that of a reply that say whose it is: `response.role` beside `response.text`. */
function membersBeside(reply: string, names: Iterable<string>): string[] {
  const object = /^(.*)[._](?:text|body|message|comment|content)$/i.exec(reply)?.[1] ?? reply;
  return [...names].filter(
    (name) =>
      WRITER.test(spellingOf(name)) ||
      (name.startsWith(object) && OF_WRITER.test(spellingOf(name.slice(object.length)).replace(/^_/, ""))),
  );
}

const WRITER = /^(?:replied|answered|responded)_by$|^(?:reply|response|answer)_(?:author|by|from|role|user)$/;
const OF_WRITER =
  /^(?:(?:author|user|sender|from|by)_?)?(?:role|type|author|user|from|by|sender|written_by|name)(?:_name)?$/;

/** The state by which the owner's system hides the record, as `column: value`; null if it shows it. */
function hiddenBy(states: readonly StateColumn[], value: RecordValues): string | null {
  for (const { name, kind, isHidingOnly } of states) {
    const found = value(name);
    // Where only some are hidden, an empty state says nothing; an empty "approved" is no approval, unless it is not there.
    const isUntold = isHidingOnly === true && (kind === "word" || found === undefined);
    if (stateOf(found, kind, isUntold) !== "shown")
      return stateShown(name, kind === "marks" ? marksIn(found).join(", ") : found);
  }
  return null;
}

/** The day by which the owner's system does not show the record yet, or no more, as `column: value`. */
function hiddenByDay(
  states: readonly StateColumn[],
  value: RecordValues,
  { order, today }: Pick<ReaderParts, "order" | "today">,
): string | null {
  for (const { name, kind, days } of states) {
    const found = value(name);
    // In either order, where none is known: what may be out of its time is not shown.
    const read = isEmpty(found) ? [] : [order ?? "dmy", order ?? "mdy"].map((each) => dayOf(readDate(found, each)));
    const all = read.filter((day) => day !== undefined);
    const isOut = today !== undefined && all.some((day) => (days === "from" ? day > today : day < today));
    const isUnread = isEmpty(found) ? kind === "shows" : all.length === 0 && stateOf(found, kind) !== "shown";
    if (isOut || isUnread) return stateShown(name, found);
  }
  return null;
}

function stateShown(name: string, found: unknown): string {
  return `${name}: ${isEmpty(found) ? "empty" : String(found).trim().slice(0, 60)}`;
}

/** The names of the fields in this file, for messages. */
function namesOf({ columns }: ColumnChoice): FieldNames {
  const pick = (...fields: OwnField[]) => fields.map((field) => columns.get(field)?.[0]).find(Boolean);
  const pairs = Object.entries({
    id: pick("id"),
    author: pick("author"),
    author_avatar_url: pick("author_avatar_url"),
    rating: pick("rating"),
    written: pick("date", "instant"),
    text: pick("text"),
    source: pick("source"),
    source_url: pick("source_url"),
    reply_text: pick("reply"),
    reply_written: pick("replied") ?? "owner_reply_date",
    verified: pick("verified"),
    updated: pick("updated"),
  });
  return Object.fromEntries(pairs.filter(([, name]) => name !== undefined));
}
