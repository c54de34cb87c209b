/**
 * Chooses which columns of a table, or members of JSON records, are which fields of a review: by the owner's mapping, by
 * their names, and by what their values are like. The one place for this judgement, whatever the file's syntax.
 */
import { quote, quoteName } from "../../../issue.ts";
import { isTitleOfPlace, tellsPlace } from "../../place/told-place.ts";
import {
  isAnswer,
  isHidingWord,
  isNotToBeShown,
  type StateKind,
  shownDays,
  stateKind,
  stateKindInWords,
  stateOf,
} from "../../review/publication-state.ts";
import { isCommonWord, knownSite } from "../../review/review-source.ts";
import { BARE_FIRST, BARE_LAST, FIRST_NAME, LAST_NAME, type OwnField, SPELLINGS } from "../../words/column-words.ts";
import {
  ADDRESSING,
  OF_BUSINESS,
  OF_COMMENTS,
  OF_EITHER,
  OF_NOBODY,
  OF_OTHERS,
  OF_OWNER,
  OF_REPLIES,
} from "../../words/reply-words.ts";
import { PROGRAM_NOTHING } from "../../words/row-words.ts";
import { OF_TRANSLATION } from "../../words/translation-words.ts";
import type { ColumnMapping, MappableField } from "../column-mapping.ts";
import {
  fieldSpelling,
  isCalled,
  isOfShop,
  nameWithoutLanguage,
  OF_REPLY,
  placeShown,
  spellingOf,
} from "../column-names.ts";
import { hiddenColumns } from "../hidden-columns.ts";
import { OF_TOWNS, stateDoubt, townsDoubt } from "../member-doubts.ts";
import {
  columnDoubts,
  hasDifferentStars,
  isLikeRating,
  NAMES_CUSTOMER,
  OF_PERSON,
  otherStars,
} from "./column-doubts.ts";
import type { ColumnProfile, Profiles } from "./column-profile.ts";
import type { RecordList } from "./record-list.ts";

/** The internal names of the fields to which a column can be mapped. */
const MAPPED = {
  id: "id",
  author: "author",
  author_avatar_url: "author_avatar_url",
  rating: "rating",
  date: "date",
  text: "text",
  source: "source",
  source_url: "source_url",
  owner_reply_text: "reply",
  owner_reply_date: "replied",
  verified: "verified",
} as const satisfies Readonly<Record<MappableField, OwnField>>;

/** A column that tells whether the owner's system shows the review. */
export interface StateColumn {
  readonly name: string;
  readonly kind: StateKind;
  /** Whether its values only ever say that a review is hidden, so that an empty one says nothing. */
  readonly isHidingOnly?: boolean;
  /** Whether it holds the day from which the review is shown, or that until which it is. */
  readonly days?: "from" | "until" | undefined;
}

export interface ColumnChoice {
  /** The columns of each field, the best first. A record whose first one is empty has its value in the next. */
  readonly columns: ReadonlyMap<OwnField, readonly string[]>;
  readonly states: readonly StateColumn[];
  readonly replyStates: readonly StateColumn[];
  /** Those that tell whether the customer's name may be shown. */
  readonly nameStates: readonly StateColumn[];
  /** Others that may name the site where a record without a source was written: what was searched for, a link. */
  readonly sites: readonly string[];
  /** Those that say that the words are a translation, where none has the customer's own. */
  readonly translated: readonly string[];
  readonly unknown: readonly string[];
  /** A column that is called as one of states is, whose words nobody knows: it may say which reviews are hidden. */
  readonly unsureState?: string | undefined;
  /** Columns of words in several languages, of which some records have more than one: the others are translations. */
  readonly unsureWords?: readonly string[] | undefined;
  /** The chosen column of stars, which are all the same, and another of different ones: nobody knows which are the customers'. */
  readonly unsureStars?: { readonly name: string; readonly other: string } | undefined;
  /** What was chosen over what, for the report. */
  readonly notes: readonly string[];
}

/**
 * Matches names to fields. Without profiles, by the names alone: enough to see whether a file can hold reviews.
 */
export function chooseColumns(
  { names: given, noun, hidden, unnamed }: Pick<RecordList, "names" | "noun" | "hidden" | "unnamed">,
  mapping: ColumnMapping = {},
  profiles?: Profiles,
): ColumnChoice {
  const spelled = ofComments(new Map(given.map((name) => [name, fieldSpelling(name)])));
  const namesOf = Map.groupBy(spelled.keys(), (name) => spelled.get(name) ?? "");
  const context = contextOf(spelled, { noun, profiles });
  const columns = new Map<OwnField, readonly string[]>();
  for (const [field, wanted] of Object.entries(mapping) as [MappableField, string][]) {
    const column = columnNamed(given, wanted);
    if (column !== undefined) columns.set(MAPPED[field], [column]);
  }
  const taken = new Set([...columns.values()].flat());
  const shown = new Map([...spelled].filter(([name]) => hidden?.has(name) !== true));
  for (const field of Object.keys(SPELLINGS) as OwnField[]) {
    if (columns.has(field) || (field === "instant" && mapping.date !== undefined)) continue;
    if (field === "title" && mapping.text !== undefined && !isOfTitle(mapping.text)) continue;
    const isDated = field === "instant" && columns.has("date");
    const all = candidatesOf(field, namesOf, taken);
    const isShown = ({ name }: Candidate) => shown.has(name);
    const candidates = (NOT_PUBLISHED.has(field) && !all.some(isShown) ? all : all.filter(isShown)).filter(
      ({ name, rank }) =>
        !(isDated && rank === "general") &&
        !(field === "rating" && isOfAspects(name, given)) &&
        !(field === "reply" && (OF_NOBODY.test(name) || isOfThread(name, spelled.values()))),
    );
    const halves = field === "author" ? halvesOfName(shown, { candidates, taken, profiles }) : undefined;
    const own = halves === undefined ? chosenOf(field, candidates, context) : [halves[0]];
    const chosen = field === "author" ? authorsOf(own, { shown, taken, context }) : own;
    if (chosen.length === 0) continue;
    const stars = field === "rating" ? starsOfCustomers(chosen, { shown, context }) : undefined;
    if (stars !== undefined) {
      context.notes.push(`${NAMED_FIELDS.rating} ${quote(stars)}, not from ${quote(chosen[0])}`);
      columns.set("rating", [stars]);
      taken.add(stars);
      continue;
    }
    if (halves !== undefined) columns.set("last_name", [halves[1]]);
    if (halves !== undefined) taken.add(halves[1]);
    columns.set(field, chosen);
    for (const name of chosen) taken.add(name);
  }
  const languages = mapping.text === undefined ? wordsByLanguage(shown, { columns, taken, profiles }) : [];
  const areWordsTwice =
    languages.reduce((sum, name) => sum + (profiles?.get(name)?.filled ?? 0), 0) > mostFilled(profiles);
  if (languages.length > 1 && !areWordsTwice) {
    context.notes = context.notes.filter((note) => !note.startsWith(NAMED_FIELDS.text ?? ""));
    columns.set("text", languages);
    for (const name of languages) taken.add(name);
  }
  chooseReply(columns, { shown, spelled, taken, context, isMapped: mapping.owner_reply_text !== undefined });
  const sites = mapping.source === undefined ? siteColumns(spelled, { columns, taken, context }) : [];
  const found = stateColumns(spelled, { columns, taken, context });
  const used = new Set([
    ...taken,
    ...sites.filter((name) => (profiles?.get(name)?.sites ?? 0) + (profiles?.get(name)?.siteLinks ?? 0) > 0),
    ...[...found.states, ...found.replyStates, ...found.nameStates].map(({ name }) => name),
  ]);
  const unread = given.filter((name) => !used.has(name) && !shown.has(name) && !tellsPlace(name));
  if (unread.length > 0) context.notes.push(hiddenColumns(unread));
  // A column without a name that holds no words is a row's number, or nothing.
  const isNothing = (name: string) =>
    unnamed?.has(name) === true && ![...(profiles?.get(name)?.examples ?? [])].some((value) => /\p{L}/u.test(value));
  const unknown = given.filter((name) => !used.has(name) && shown.has(name) && !isNothing(name));
  const isOriginalThere = given.some((name) => {
    const { filled = 0, states = 0, numbers = 0, links = 0 } = profiles?.get(name) ?? {};
    return OF_EITHER_LANGUAGE.test(name) && !/lang|locale/i.test(name) && filled > states + numbers + links;
  });
  const translated = isOriginalThere ? [] : unknown.filter((name) => OF_TRANSLATION.test(spelled.get(name) ?? ""));
  const isMapped = { author: mapping.author !== undefined, rating: mapping.rating !== undefined };
  const stars = profiles === undefined || isMapped.rating ? undefined : otherStars({ columns, unknown, profiles });
  const unsureStars = stars?.isNamedSo === true ? stars : undefined;
  if (profiles !== undefined)
    context.notes.push(...columnDoubts({ columns, unknown, spelled, profiles, isOfShop: context.isOfShop, isMapped }));
  const areAllNamed = languages.length > 1 && languages.every((name) => nameWithoutLanguage(name) !== undefined);
  const unsureWords = areAllNamed && areWordsTwice ? languages : undefined;
  return { columns, ...found, unsureStars, unsureWords, sites, translated, unknown, notes: context.notes };
}

/**
 * The columns of the customers' words in one language each (`Review EN` and `Review DE`), where no other holds them, or the
 * one that does is one of these.
 */
function wordsByLanguage(
  shown: ReadonlyMap<string, string>,
  {
    columns,
    taken,
    profiles,
  }: {
    readonly columns: ReadonlyMap<OwnField, readonly string[]>;
    readonly taken: ReadonlySet<string>;
    readonly profiles: Profiles | undefined;
  },
): readonly string[] {
  const [text] = columns.get("text") ?? [];
  if (profiles === undefined) return [];
  const found = [...shown.keys()].filter((name) => {
    const { words = 0 } = profiles.get(name) ?? {};
    return words > 0 && (name === text || !taken.has(name)) && baseOf(name, text) !== undefined;
  });
  const ofOne = Map.groupBy(found, (name) => baseOf(name, text) ?? "");
  return [...ofOne.values()].find((names) => names.length > 1 && (text === undefined || names.includes(text))) ?? [];
}

/** What a column of words is called besides its language. The one that is read without one is called so itself. */
function baseOf(name: string, text: string | undefined): string | undefined {
  return nameWithoutLanguage(name) ?? (name === text ? fieldSpelling(name) : undefined);
}

function mostFilled(profiles: Profiles | undefined): number {
  return Math.max(0, ...[...(profiles?.values() ?? [])].map(({ filled }) => filled));
}

/** The customers' stars by the name of their column, where the chosen one has the same for every review. */
function starsOfCustomers(
  [chosen, ...others]: readonly string[],
  { shown, context: { profiles } }: { readonly shown: ReadonlyMap<string, string>; readonly context: Context },
): string | undefined {
  if (profiles === undefined || chosen === undefined || others.length > 0) return undefined;
  if (profiles.get(chosen)?.isConstant !== true || NAMES_CUSTOMER.test(chosen)) return undefined;
  return [...shown.keys()].find(
    (name) => NAMES_CUSTOMER.test(name) && isLikeRating(name) && hasDifferentStars(name, profiles),
  );
}

interface ReplyParts {
  /** The columns that a sheet shows, with their spellings, and all. */
  readonly shown: ReadonlyMap<string, string>;
  readonly spelled: ReadonlyMap<string, string>;
  readonly taken: Set<string>;
  readonly context: Context;
  /** Whether the owner named the column of replies. */
  readonly isMapped: boolean;
}

/** Finds the columns of replies and of their days, where names alone do not decide. */
function chooseReply(
  columns: Map<OwnField, readonly string[]>,
  { shown, spelled, taken, context, isMapped }: ReplyParts,
): void {
  const { profiles } = context;
  const unsure = columns.get("reply")?.[0];
  // Where no words are known, what customers respond to a survey may stand there.
  if (profiles !== undefined && unsure !== undefined && !isMapped)
    if (!columns.has("text") && OF_EITHER.test(spellingOf(unsure))) {
      for (const name of columns.get("reply") ?? []) taken.delete(name);
      columns.delete("reply");
    }
  const reply = columns.get("reply") ?? findReply(shown, { taken, profiles, notes: context.notes });
  if (reply !== undefined) {
    columns.set("reply", reply);
    const replied = [...spelled].find(
      ([name, spelling]) =>
        !taken.has(name) &&
        OF_REPLIES.test(spelling) &&
        stateKind(OF_REPLY.exec(spelling)?.[1] ?? "") !== "hides" &&
        (profiles?.get(name)?.dates ?? 0) > 0,
    )?.[0];
    if (!columns.has("replied") && replied !== undefined) columns.set("replied", [replied]);
    for (const name of [...reply, ...(columns.get("replied") ?? [])]) taken.add(name);
  }
}

/** A column with the words of one language where another has those of the other: `text_original`, `translated_text`. */
const OF_EITHER_LANGUAGE = /original|translat|überset|tradu|tradot|vertaal/i;

/** Whether a rating's value is one of several of its aspects: what it costs (`rating.value` beside `rating.service`). */
function isOfAspects(name: string, all: readonly string[]): boolean {
  const [, object] = /^(.+)\.value$/i.exec(name) ?? [];
  return object !== undefined && all.some((each) => each.startsWith(`${object}.`) && ASPECT.test(each));
}
const ASPECT = /\.(?:overall|total|service|quality|food|rooms?|location|cleanliness|communication|atmosphere|price)$/i;

/** Fields that are read even of a column that the sheet hides: what they say is no words, names or pictures. */
const NOT_PUBLISHED: ReadonlySet<OwnField> = new Set<OwnField>([
  "rating",
  "date",
  "instant",
  "updated",
  "source",
  "verified",
  "id",
]);

/** Where an address or a site's name says by its column that the reviews are from there. */
const MAY_NAME_SITE = /(?:^|_)(?:ur[il]|link|href|query|search|input|from|origin|domain|site|website|page|via)(?:_|$)/;
/** How a customer heard of the business, and a place's other addresses. */
const OF_NO_REVIEWS =
  /hear|found|refer|erfahren|aufmerksam|gefunden_durch|connu|trouvé|conoc|enter[oó]|conosciut|trovat|gevonden|gehoord|dowiedzia|(?:^|_)(?:tags?|invite|invitation|sign|signin|login|shared|payment|devices?|engineer|technician|size)(?:_|$)|anmeld|empfohl|search_?engine|suchmaschine|zahlung|gerät|lead|market|channel|campaign|utm|acqui|kanal|menu|order|book|reserv|appoint|image|photo|logo|avatar|icon|social|facebook|instagram|competitor/;

/** Names of icons stand for the site beside whose reviews a page shows them. */
const OF_SITE_ICON = /^(?:(?:source|site|platform|review)_)?(?:icon|logo|badge)(?:_(?:class|name))?$/;

/** A column that may say by which channel a customer came, or on which the review was written. */
const OF_CHANNEL = /^(?:(?:review|feedback)_)?(?:channel|kanal|canal|canale|kanaal|kanał)(?:_name)?$/;
/** How customers come, which no review is written on. */
const NO_SITE =
  /referr|word of mouth|walk|phone|telefon|e-?mail|letter|friend|family|recommend|empfehl|mund|bouche|boca|passaparola|website|web ?site|flyer|leaflet|radio|newspaper|zeitung|advert|\bads?\b|direct|repeat|existing|returning|other|unknown|none/i;
/** Columns of sites, whatever stands in them. */
const OF_SITES =
  /(?:^|_)(?:sites?|portal|platform|plattform|network|publisher|directory|medium|posted|written|published|left|found|reviewed)(?:_(?:on|at|in|via|name))?$/;

/** The columns that may name a record's site, besides those of its source. Where customers heard of it is only noted. */
function siteColumns(spelled: ReadonlyMap<string, string>, { columns, taken, context }: ChosenSoFar): string[] {
  return [...spelled].flatMap(([name, spelling]) => {
    const profile = context.profiles?.get(name);
    const { sites = 0, siteLinks = 0, examples = [] } = profile ?? {};
    if (taken.has(name) || isCalled(name, "reply") || isCalled(name, "text") || OF_REPLIES.test(spelling)) return [];
    const isOfChannel = OF_CHANNEL.test(spelling) && profile !== undefined && namesSitesAlone(profile);
    const isOther = OF_NO_REVIEWS.test(spelling) && (siteLinks > 0 || !OF_SITE_ICON.test(spelling)) && !isOfChannel;
    const isCommon = siteLinks === 0 && !OF_SITES.test(spelling) && areCommonWords(examples);
    const isRead = !isOther && ((sites + siteLinks > 0 && !isCommon) || MAY_NAME_SITE.test(spelling));
    const isNamedSo = OF_SITES.test(spelling) && profile !== undefined && holdsNames(profile);
    if (!columns.has("source") && sites + siteLinks === 0 ? isNamedSo : !isRead && sites + siteLinks > 0) {
      const values = [...examples].slice(0, 4).map((value) => quote(value));
      context.notes.push(
        `${quote(name)} (${values.join(", ")}) may say where the reviews were written: if it does, --columns source=${quoteName(name)}`,
      );
    }
    if (
      isRead &&
      !columns.has("source") &&
      profile !== undefined &&
      namesSites(profile) &&
      sites * 2 < profile.sampled
    ) {
      const others = [...examples].filter((each) => knownSite(each) === undefined);
      const values = others.slice(0, 4).map((value) => quote(value));
      context.notes.push(
        `${quote(name)} names sites, so that ${values.join(", ")} in it are taken for sites, too: if they are none, take that column out of the file`,
      );
    }
    const isByValue = isRead && sites > 0 && !OF_SITES.test(spelling) && !MAY_NAME_SITE.test(spelling) && !isOfChannel;
    if (isByValue && !columns.has("source") && !OF_SITE_ICON.test(spelling)) {
      const values = [...examples].slice(0, 4).map((value) => quote(value));
      context.notes.push(
        `${quote(name)} (${values.join(", ")}) is taken for where the reviews were written, as its values name sites: if it says something else, take it out of the file`,
      );
    }
    return isRead ? [name] : [];
  });
}

/**
 * Whether a column names sites: then a name in it that is not known is one, too. So is what says that a review came
 * otherwise, by mail or on a card: it was not written where the others were.
 */
export function namesSites(profile: ColumnProfile): boolean {
  const { sites, sampled, words, examples } = profile;
  return (sites * 2 >= sampled && words === 0 && examples.size <= MAX_SITES) || namesSitesAmong(profile);
}

/** Whether a column names the sites of half of its records, and says something else of others. */
export function isOfMixedSites(profile: ColumnProfile | undefined): boolean {
  return profile !== undefined && profile.sites * 2 >= profile.sampled && !namesSites(profile);
}

/** Whether a column holds names alone, some of them sites' and nothing else's. */
function namesSitesAmong(profile: ColumnProfile): boolean {
  return (
    areNames(profile) && [...profile.examples].some((each) => knownSite(each) !== undefined && !isCommonWord(each))
  );
}

function namesSitesAlone(profile: ColumnProfile): boolean {
  return namesSitesAmong(profile) && holdsNames(profile);
}

/** Whether a column holds a few names alone, none of which says how a customer came. */
function holdsNames(profile: ColumnProfile): boolean {
  return areNames(profile) && ![...profile.examples].some((each) => NO_SITE.test(each));
}

function areNames({ sampled, states, numbers, dates, words, lists, links, examples }: ColumnProfile): boolean {
  const isNames = sampled > 0 && numbers + dates + words + lists + links === 0 && examples.size <= MAX_SITES;
  return isNames && states * 2 < sampled;
}

/** Whether the sites that are named are called as something else is: `Booking` beside `Walk-in`. */
function areCommonWords(values: Iterable<string>): boolean {
  return [...values].every((each) => knownSite(each) === undefined || isCommonWord(each));
}

const MAX_SITES = 20;

/** Whether the value of such a column names a site. A business may have its own page at Facebook. */
export function siteNamed(name: string, value: unknown): string | undefined {
  const site = knownSite(value);
  const isOwnPage = site === "facebook" && /[./]/.test(String(value)) && /web|site|home|domain/i.test(name);
  return isOwnPage ? undefined : site;
}

/** Whether a column is of one of several replies, each by somebody who is named: another customer, perhaps. */
function isOfThread(name: string, spellings: Iterable<string>): boolean {
  const [, list] = /^(replies|responses|answers)(?:_|$)/.exec(spellingOf(name)) ?? [];
  const isNamed = new RegExp(`^${list}_(?:author|user|name|by|from|customer|reviewer)(?:_|$)`);
  return list !== undefined && [...spellings].some((each) => isNamed.test(each));
}

/** A member of a reply that is not its words: who wrote it, and where. */
const OF_REPLIER = /\.(?:owner|author|user|name|by|from|role|title|position|avatar|link|url)$/i;

/** A column of words whose name says that they are the owner's replies, in an order that no list has. */
function findReply(
  spelled: ReadonlyMap<string, string>,
  {
    taken,
    profiles,
    notes,
  }: { readonly taken: ReadonlySet<string>; readonly profiles: Profiles | undefined; readonly notes: string[] },
): readonly string[] | undefined {
  const wordy = [...spelled].filter(([each, spelling]) => {
    const profile = profiles?.get(each);
    const { words = 0, dates = 0, filled = 0, states = 0, links = 0, numbers = 0, lists = 0 } = profile ?? {};
    const isNamed = profile !== undefined && isOfWriters(profile);
    const isWordy = words > 0 || (filled > 0 && dates + states + links + numbers + lists === 0 && !isNamed);
    return (
      !taken.has(each) && isWordy && !OF_OTHERS.test(spelling) && !OF_NOBODY.test(spelling) && !OF_REPLIER.test(each)
    );
  });
  const replies = wordy.filter(([, spelling]) => OF_REPLIES.test(spelling));
  const isOwners = ([, spelling]: readonly [string, string]) =>
    OF_OWNER.test(spelling) && (OF_REPLIES.test(spelling) || OF_COMMENTS.test(spelling));
  const name = (wordy.find(isOwners) ?? replies.find(([, spelling]) => OF_BUSINESS.test(spelling)))?.[0];
  if (name !== undefined) notes.push(`the owner's replies are read from ${quote(name)}`);
  else
    for (const [each] of replies.slice(0, 1))
      notes.push(
        `${quote(each)} may hold replies, but does not say whose: if they are the business's, --columns owner_reply_text=${quoteName(each)}`,
      );
  return name === undefined ? undefined : [name];
}

/** The chosen columns by the fields to which the owner can map others. */
export function fieldsOf({ columns }: ColumnChoice): Partial<Record<MappableField, readonly string[]>> {
  const found = (own: OwnField): readonly string[] => columns.get(own) ?? [];
  const completed: Readonly<Partial<Record<OwnField, OwnField>>> = { date: "instant", author: "last_name" };
  return Object.fromEntries(
    Object.entries(MAPPED).flatMap(([field, own]) => {
      const more = completed[own];
      const names = [...found(own), ...(more === undefined ? [] : found(more))];
      return names.length === 0 ? [] : [[field, names]];
    }),
  );
}

/** Whether these columns suffice for a review: a rating and a date. */
export function areReviewColumns({ columns }: ColumnChoice): boolean {
  return columns.has("rating") && (columns.has("date") || columns.has("instant"));
}

/** The mapped columns that are missing from a table. */
export function missingColumns(given: readonly string[], mapping: ColumnMapping): string[] {
  return Object.values(mapping).filter((column) => columnNamed(given, column) === undefined);
}

function columnNamed(given: readonly string[], column: string): string | undefined {
  const wanted = column.trim();
  return given.find((name) => name === wanted) ?? given.find((name) => name.toLowerCase() === wanted.toLowerCase());
}

interface Context {
  readonly profiles: Profiles | undefined;
  readonly place: ReturnType<typeof placeShown>;
  /** Whether another column than `name` holds the place's. */
  readonly isPlaceNamed: boolean;
  /** Whether the column `title` holds it. */
  readonly isTitleOfPlace: boolean;
  /** Whether an object in the record holds it: `placeInfo.name`. */
  readonly isInnerPlaceNamed: boolean;
  readonly noun: RecordList["noun"];
  readonly isOfShop: boolean;
  readonly isOfJob: boolean;
  notes: string[];
}

function contextOf(spelled: ReadonlyMap<string, string>, given: Pick<Context, "noun" | "profiles">): Context {
  const spellings = [...spelled.values()];
  const [first] = given.profiles?.get("reviewUrl")?.examples ?? [];
  return {
    ...given,
    isTitleOfPlace: isTitleOfPlace(Object.fromEntries([...spelled.keys()].map((name) => [name, first]))),
    place: placeShown(spellings),
    isPlaceNamed: spellings.some((spelling) => /^(?:title|place_name|business_name)$/.test(spelling)),
    isInnerPlaceNamed: spellings.some((spelling) =>
      /^(?:place|business|hotel|restaurant|location|venue)(?:_info)?_(?:name|title)$/.test(spelling),
    ),
    isOfShop: isOfShop(spellings),
    isOfJob: spellings.some((spelling) => OF_JOB.test(spelling)),
    notes: [],
  };
}

/** The columns that fields have already. */
interface ChosenSoFar {
  readonly columns: ReadonlyMap<OwnField, readonly string[]>;
  readonly taken: ReadonlySet<string>;
  readonly context: Context;
}

interface Candidate {
  readonly name: string;
  readonly rank: "own" | "plain" | "general";
}

/** The columns with a field's spellings, best first; of two with the same spelling, the first. */
function candidatesOf(
  field: OwnField,
  namesOf: ReadonlyMap<string, readonly string[]>,
  taken: ReadonlySet<string>,
): Candidate[] {
  return (["own", "plain", "general"] as const).flatMap((rank) =>
    SPELLINGS[field][rank]
      .flatMap((spelling) => namesOf.get(spelling) ?? [])
      .flatMap((name) => (taken.has(name) ? [] : { name, rank })),
  );
}

/** The columns of first and last names, if no column is surely one of whole names. */
function halvesOfName(
  spelled: ReadonlyMap<string, string>,
  {
    candidates,
    taken,
    profiles,
  }: {
    readonly candidates: readonly Candidate[];
    readonly taken: ReadonlySet<string>;
    readonly profiles: Profiles | undefined;
  },
): readonly [string, string] | undefined {
  const isFilled = (name: string) =>
    !taken.has(name) && (profiles === undefined || (profiles.get(name)?.filled ?? 0) > 0);
  if (candidates.some(({ name, rank }) => rank !== "general" && isFilled(name))) return undefined;
  const free = [...spelled].filter(([name]) => isFilled(name));
  const isLastNamed = free.some(([, spelling]) =>
    /^(?:last_?name|surname|cognome|apellidos?|sobrenome|efternamn|etternavn)$/.test(spelling),
  );
  const first = free.find(
    ([, spelling]) => FIRST_NAME.test(spelling) || (isLastNamed && /^(?:name|nome)$/.test(spelling)),
  )?.[0];
  const last = free.find(([name, spelling]) => LAST_NAME.test(spelling) && name !== first)?.[0];
  // One name behind different first ones is the business's.
  if (first !== undefined && last !== undefined && isOfAll(last, profiles) && !isOfAll(first, profiles))
    return undefined;
  if (first !== undefined && last !== undefined) return [first, last];
  // `First` and `Last`, which alone may be of visits or anything else.
  const bare = free.filter(([name]) => (profiles?.get(name)?.dates ?? 0) === 0);
  const bareFirst = first ?? bare.find(([, spelling]) => BARE_FIRST.test(spelling))?.[0];
  const bareLast = (isLastNamed ? last : undefined) ?? bare.find(([, spelling]) => BARE_LAST.test(spelling))?.[0];
  return bareFirst === undefined || bareLast === undefined ? undefined : [bareFirst, bareLast];
}

/** The columns of authors: that of first names, where no other holds names, or one that is the same for every review. */
function authorsOf(
  own: readonly string[],
  {
    shown,
    taken,
    context,
  }: { readonly shown: ReadonlyMap<string, string>; readonly taken: ReadonlySet<string>; readonly context: Context },
): readonly string[] {
  const first = [...shown].find(([name, spelling]) => FIRST_NAME.test(spelling) && !taken.has(name))?.[0];
  if (first === undefined || own.includes(first)) return own;
  if (own.length === 0) return [first];
  if (!own.every((name) => isOfAll(name, context.profiles)) || isOfAll(first, context.profiles)) return own;
  context.notes.push(`${NAMED_FIELDS.author} ${quote(first)}, not from ${own.map((name) => quote(name)).join(", ")}`);
  return [first];
}

/** Whether all of several reviews have the same there. */
function isOfAll(name: string, profiles: Profiles | undefined): boolean {
  const profile = profiles?.get(name);
  return profile?.isConstant === true && profile.filled >= MIN_SAME;
}

/** From how many reviews on it is no chance that all are the same. */
const MIN_SAME = 3;

/** Fields whose own column is completed from no other: what stands there is the place's, or other words. */
const OF_PLACE_TOO: ReadonlySet<OwnField> = new Set(["source_url", "id", "title", "author"]);
const OF_WORDS: ReadonlySet<OwnField> = new Set(["text", "reply"]);
/** Columns with the customer's own words beside a translation. They are filled only where there is one. */
const OF_ORIGINAL = /original/i;

/**
 * The columns of a field: filled ones of fitting values, and of these the best rank. Where no column fits, the first one
 * stands for the field, so that its faults are named.
 */
function chosenOf(field: OwnField, given: readonly Candidate[], context: Context): string[] {
  const isOfWork = ({ name }: Candidate) => field === "text" && context.isOfJob && OF_WORK.test(spellingOf(name));
  const candidates = given.filter((each) => !isOfWork(each));
  const { profiles, notes } = context;
  if (field === "verified" && context.isOfShop) return [];
  if (profiles === undefined) return candidates.map(({ name }) => name);
  const profileOf = ({ name }: Candidate) => profiles.get(name);
  const filled = candidates.filter((each) => (profileOf(each)?.filled ?? 0) > 0);
  let fitting = filled.filter((each) => {
    const profile = profileOf(each);
    return profile !== undefined && isFitting(field, profile) && !isOfPlaceAlone(field, each, { profile, context });
  });
  if (field === "rating" && fitting.some(({ name }) => !OF_PERSON.test(name)))
    fitting = fitting.filter(({ name }) => !OF_PERSON.test(name));
  // A column of no days is none of those beside one that has some.
  if (DATED.has(field) && fitting.some((each) => hasDays(profileOf(each))))
    fitting = fitting.filter((each) => hasDays(profileOf(each)));
  // Where one column holds whole stars, another with none is an average.
  if (field === "rating" && fitting.some((each) => (profileOf(each)?.stars ?? 0) > 0))
    fitting = fitting.filter((each) => (profileOf(each)?.stars ?? 0) > 0);
  // One name for all is that of whoever kept the list, where another column has different ones, and one day or one text
  // for many is the list's own.
  const isOfList = ({ name }: Candidate) =>
    isConstant(name, context) && (field === "author" || (profiles.get(name)?.filled ?? 0) >= MIN_SAME);
  if (field === "author" || field === "date" || field === "text" || field === "source_url")
    fitting = fitting.toSorted((a, b) => Number(isOfList(a)) - Number(isOfList(b)));
  // Brackets are no part of a column's name, but say which of two has the customer's own words.
  if (OF_WORDS.has(field) || field === "title")
    fitting = fitting.toSorted((a, b) => languageRank(a.name) - languageRank(b.name));
  const [best] = fitting;
  if (best === undefined)
    return MUST_FIT.has(field) && filled.length > 0 ? [] : candidates.slice(0, 1).map(({ name }) => name);
  const others = fitting.filter((each) => each === best || isCompletedBy(each, { field, best, context }));
  const passed = filled.filter((each) => !others.includes(each));
  if (passed.length > 0 && NAMED_FIELDS[field] !== undefined) {
    const instead = passed.map(({ name }) => quote(name)).join(", ");
    notes.push(`${NAMED_FIELDS[field]} ${others.map(({ name }) => quote(name)).join(", ")}, not from ${instead}`);
  }
  if (field === "title") noteTitle(best.name, context);
  return others.map(({ name }) => name);
}

/** `Review (original)` goes before `Review`, and that before `Review (translated)`. */
function languageRank(name: string): number {
  const brackets = /\([^()]*\)$/.exec(name)?.[0] ?? "";
  if (/original/i.test(brackets)) return -1;
  return OF_EITHER_LANGUAGE.test(brackets) ? 1 : 0;
}

/** Where a list of jobs describes the work. */
const OF_WORK = /^(?:description|details?|remarks|beschreibung|descripción|descrição)$/;
/** Columns of a list of jobs, orders or bookings. */
const OF_JOB =
  /^(?:job|invoice|work_?order|ticket|quote|estimate|appointment|auftrag|rechnung|chantier|facture|trabajo|factura)(?:_(?:id|no|nr|number|ref|type|name|date|status|total|nummer))?$|^(?:line_items?|completed(?:_(?:on|at|date))?)$/;

/** So many different titles are the customers', however many have the same. */
const MAX_TITLES = 40;

/** Where a title may be a program's or an office's: a summary, the subject of an order, what a customer is in a company. */
function noteTitle(name: string, { profiles, notes }: Context): void {
  const spelling = spellingOf(name);
  const isOfPerson = [...(profiles?.keys() ?? [])].some((each) =>
    /^(?:company(?:_name)?|organi[sz]ation|employer|firma|unternehmen|entreprise|empresa|azienda)$/.test(
      spellingOf(each),
    ),
  );
  const { examples = new Set<string>(), filled = 0 } = profiles?.get(name) ?? {};
  const shown = [...examples].slice(0, 3).map((each) => quote(each));
  const isRepeated = filled >= MIN_SAME && examples.size * 3 <= filled * 2 && examples.size < MAX_TITLES;
  if (/^(?:summary|subject|betreff)$/.test(spelling) || (spelling === "title" && isOfPerson) || isRepeated)
    notes.push(
      `${quote(name)}${isRepeated ? ` (${shown.join(", ")})` : ""} stands above the words as the customers' title: if they did not write it, take it out of the file`,
    );
}

/** Whether a record without the best column has its value in another one. */
function isCompletedBy(
  { name, rank }: Candidate,
  { field, best, context }: { readonly field: OwnField; readonly best: Candidate; readonly context: Context },
): boolean {
  if (field === "rating") return rank === best.rank;
  if (OF_PLACE_TOO.has(field)) return rank === best.rank || !(context.place !== "not" || isConstant(name, context));
  // The cell of a table is there for every record: an empty one says that this customer wrote nothing.
  return !OF_WORDS.has(field) || context.noun === "members" || OF_ORIGINAL.test(best.name);
}

function isConstant(name: string, { profiles }: Context): boolean {
  return profiles?.get(name)?.isConstant === true;
}

/** Optional fields that are left out where no column's values are theirs. */
const MUST_FIT: ReadonlySet<OwnField> = new Set([
  "title",
  "author",
  "text",
  "reply",
  "id",
  "replied",
  "source",
  "date",
  "instant",
]);

/** The fields of which the report says what they are read from, if there was a choice. */
const NAMED_FIELDS: Readonly<Partial<Record<OwnField, string>>> = {
  rating: "the stars are read from",
  author: "the authors are read from",
  text: "the words are read from",
  source_url: "the links are read from",
};

function isFitting(field: OwnField, profile: ColumnProfile): boolean {
  const { sampled, stars, numbers, dates, vague, links, states, examples, lists, sites } = profile;
  if (lists === sampled) return false;
  switch (field) {
    case "rating":
      return stars + numbers > 0 && (stars + numbers) * 2 >= sampled;
    case "date":
    case "instant":
      return dates + vague > 0 || (states < sampled && sites < sampled);
    case "reply":
      return states < sampled && !isOfWriters(profile);
    case "replied":
      return dates + vague > 0 || (states < sampled && profile.words * 2 < sampled);
    case "author":
      return (
        links < sampled &&
        (states < sampled + numbers || examples.size === 1) &&
        ![...examples].every((each) => RESOURCE_NAME.test(each))
      );
    case "title":
      return links < sampled && ![...examples].every((each) => SALUTATION.test(each));
    case "text":
      return numbers < sampled && links < sampled && !(states === sampled && examples.size < 3 && sampled > 3);
    case "source_url":
      return links > 0;
    default:
      return true;
  }
}

/** The name of a review or record at Google or in a database, and of nobody. */
const RESOURCE_NAME = /^(?:accounts|locations|places|projects|databases|documents|collections)\/\S+$/;

/** Whether a column of replies says who has answered, and not what: `Sarah`, `Tom B.` */
function isOfWriters({ examples }: ColumnProfile): boolean {
  return [...examples].every((each) => WRITER_NAME.test(each) && !ADDRESSING.test(each) && !PROGRAM_NOTHING.test(each));
}
const WRITER_NAME = /^\p{Lu}[\p{L}'’]*(?:\.?[ -]\p{Lu}[\p{L}'’]*\.?)?$/u;

const DATED: ReadonlySet<OwnField> = new Set<OwnField>(["date", "instant", "replied", "updated"]);

function hasDays(profile: ColumnProfile | undefined): boolean {
  return profile !== undefined && profile.dates + profile.vague > 0;
}

const SALUTATION = /^(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau|m|mme|mlle|sr|sra|sig|sig\.ra|dhr|mevr)\.?$/i;

/** Whether a column of a general name is the place's: every record has the same, and the records describe a place. */
function isOfPlaceAlone(
  field: OwnField,
  { name, rank }: Candidate,
  { profile, context }: { readonly profile: ColumnProfile; readonly context: Context },
): boolean {
  if (field === "source") return rank === "general" && !holdsSites(name, profile);
  if (field === "title" && name === "title" && context.isTitleOfPlace) return true;
  if (field === "title" && rank === "general" && profile.isConstant) {
    context.notes.push(
      `${quote(name)} is ${quote([...profile.examples][0])} for every review, and no customer's title: it is left out`,
    );
    return true;
  }
  if (field === "text" && OF_WORK.test(spellingOf(name)) && profile.isConstant) return true;
  if (field === "id") return (profile.isConstant && areOthersDifferent(context)) || isOfSites(name, profile);
  if (rank !== "general" || context.place === "not") return false;
  if (field === "rating") return profile.stars === 0;
  // Of one record alone, nothing is known but whether the place has its name in another column.
  if (profile.filled === 1)
    return (
      context.place === "surely" &&
      !(field === "author" && context.isPlaceNamed) &&
      !(field === "title" && context.isInnerPlaceNamed)
    );
  return profile.isConstant;
}

/** Whether a column of ids has small numbers that a table of sites explains elsewhere: `source_id` = 1, 2, 1 */
function isOfSites(name: string, { numbers, sampled, examples }: ColumnProfile): boolean {
  const isSmall = (value: string) => Number(value) < MAX_SITES;
  return spellingOf(name) === "source_id" && numbers === sampled && [...examples].every(isSmall);
}

/** Whether a column of a general name tells the site: by names of sites, or as the address that was read. */
function holdsSites(name: string, { sites, siteLinks, sampled }: ColumnProfile): boolean {
  return sites > 0 || (siteLinks === sampled && spellingOf(name) !== "website");
}

/** Whether the records say different things, so that one value for all cannot tell them apart. */
function areOthersDifferent({ profiles }: Context): boolean {
  return [...(profiles?.values() ?? [])].some(
    ({ words, isConstant, filled }) => words > 0 && !isConstant && filled > 1,
  );
}

/** States of what is no review. */
const OF_OTHER_STATE =
  /room|zimmer|chambre|tour|class|event|pool|parking|booking|order|payment|invoice|job|account|subscri|user|member|customer|client|profile|stay|visit|delivery|shipping|bestell|auftrag|zahlung|konto|kunde|commande|paiement|compte|pedido|pago|cuenta|ordine|pagamento|betaling|klant|conta|zam[oó]wieni/;

/** Whether the words of a column are few and different, as those of states are: no towns, and no states of a country. */
function isUnsure(spelling: string, { examples, filled }: ColumnProfile): boolean {
  const words = [...examples];
  if (/^(?:state|staat|stato|estado|état|etat|stage)$/.test(spelling) && words.every((word) => /^\p{Lu}/u.test(word)))
    return false;
  const areWords = words.every((word) => /^[\p{L}_ -]{3,20}$/u.test(word) && !/^\p{Lu}\p{Ll}+ \p{Lu}/u.test(word));
  return areWords && words.length > 1 && words.length <= 4 && filled > words.length;
}

function noteUnknownState(name: string, { examples }: ColumnProfile, { notes }: Context): void {
  notes.push(stateDoubt(name, examples));
}

/** Whether a mapped text is itself a title, so that the others stay. */
function isOfTitle(column: string): boolean {
  return SPELLINGS.text.own.concat(SPELLINGS.text.plain).includes(spellingOf(column));
}

/** What a content system fills as long as the review is published. */
const OF_PUBLISHED = /(?:^|_)published_(?:version|revision)$/;
const DAY_OF_SYSTEM = /^(?:published_at|sys_published_at)$/;
/** Columns of regions, whose codes are no states of reviews. */
const OF_REGION = /^(?:state|staat|stato|estado|état|etat|stan|stav|stage)$/;

/** An agreement, and not to what. */
const OF_CONSENT =
  /^(?:is_|has_)?(?:consent(?:ed)?|permission|agreement|einwilligung|zustimmung|consentement|consentimiento|consenso|consentimento|toestemming|zgoda|samtycke|samtykke)(?:_(?:given|granted|status|erteilt|gegeben|donné|dato|gegeven))?$/;

/** A day that is empty as long as the review waits, if another column says when it was written. */
const PUBLICATION_DAY =
  /^(?:(?:published|approved|accepted|moderated)_(?:at|on|date)|(?:publish|publishing|publication)_date|date_published|(?:fecha_de_publicación|date_de_publication|data_de_publicação|data_di_pubblicazione|veröffentlichungsdatum|publicatiedatum|data_publikacji)$|(?:veröffentlicht|freigegeben|freigeschaltet|publiziert|genehmigt)_am|(?:publiée?|approuvée?|validée?)_le|(?:publicad[oa]|aprobad[oa]|aprovad[oa])_(?:el|em)|(?:pubblicat[oa]|approvat[oa])_il|(?:gepubliceerd|goedgekeurd)_op|publicerad_den)$/;
const NAMES_REPLY = /(?:^|_)(?:reply|response|answer|antwort|réponse|respuesta|risposta)(?:_|$)/;
const NAMES_AUTHOR =
  /匿名|anonym|an[oó]nim|(?:^|_)(?:names?|nom|nombre|nome|naam|namn|navn|author|reviewer|identity)(?:_|$)/;

/** `showName`, `hide_name`, whose end is no ending of another state's name. */
const NAME_SHOWN = /^(?:show|hide|display|publish|hidden|public|visible)_(?:my_|full_|real_|the_)?name$/;

/** `Namensnennung`, `Darf Ihr Name genannt werden?` */
const NAMED =
  /^(?:namensnennung|(?:darf_)?(?:ihr|der|mein|dein)_name_(?:genannt|gezeigt|veröffentlicht)(?:_werden)?\??)$/;

/** `Do not name`, `Kunde will nicht genannt werden` */
const UNNAMED =
  /(?:^|_)(?:not|nicht|ne_pas|no|non|niet|não|nie)_(?:\p{L}+_){0,3}(?:named?|genannt|nennen|nomm(?:er|é)|nombrad[oa]|nombrar|nominare|nominato|genoemd|noemen|nomear)(?:_|$)/u;

/** Columns in which "anonymous" is somebody who is not logged in. */
const OF_ACCOUNT = /(?:^|_)(?:type|role|auth|account|login|session|provider|group)(?:_|$)/;

/** Columns that name the review to which a row is the reply, and the kind of a row. */
const OF_PARENT =
  /^(?:parent|parent_(?:id|review|review_id|comment|comment_id)|comment_parent|(?:in_)?reply_to(?:_id)?)$/;
const OF_KIND = /^(?:type|kind|art|typ|tipo|(?:record|entry|comment|row|item)_type)$/;

/** Whether a column says of some rows that they are replies: by the id of what they reply to, or as their kind. */
function holdsReplies(spelling: string, { examples, filled }: ColumnProfile, { profiles }: Context): boolean {
  const values = [...examples];
  if (OF_KIND.test(spelling)) return values.some((value) => stateOf(value, "reply") === "hidden");
  const most = Math.max(...[...(profiles?.values() ?? [])].map((each) => each.filled));
  const areIds = values.every((value) => /^[\w:.-]*\d[\w:.-]*$/.test(value));
  return OF_PARENT.test(spelling) && areIds && (filled < most || examples.has("0"));
}

/** Where comments on posts are the reviews, as in a shop of WordPress, what a post has is of the product. */
function ofComments(spelled: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const areComments = [...spelled.values()].some((spelling) => /^comment_(?:content|author)$/.test(spelling));
  if (!areComments) return spelled;
  return new Map([...spelled].map(([name, spelling]) => [name, spelling.replace(/^post_/, "product_")]));
}

/** `Reply sent`: yes, or not yet. */
const REPLY_SENT =
  /^(?:sent|posted|published|submitted|live|gesendet|abgeschickt|veröffentlicht|envoyée?|publiée?|enviada|publicada)$/;

/** The columns that tell whether reviews, replies and names are shown in the owner's own system. */
function stateColumns(
  spelled: ReadonlyMap<string, string>,
  { columns, taken, context }: ChosenSoFar,
): Pick<ColumnChoice, "states" | "replyStates" | "nameStates" | "unsureState"> {
  const reply = columns.get("reply")?.[0];
  const areCommentsReplies = reply !== undefined && spellingOf(reply).startsWith("comment");
  const states: StateColumn[] = [];
  const replyStates: StateColumn[] = [];
  const nameStates: StateColumn[] = [];
  let unsureState: string | undefined;
  const dated = (columns.get("date") ?? columns.get("instant"))?.[0];
  const sites = [...spelled.keys()].filter((name) => knownSite(name) !== undefined);
  for (const [name, spelling] of spelled) {
    if (sites.length > 1 && sites.includes(name)) continue; // marked by where the review was written
    const areDays = name !== dated && (context.profiles?.get(name)?.dates ?? 0) > 0;
    const isPublication = areDays && PUBLICATION_DAY.test(spelling);
    const days = isPublication ? "from" : areDays ? shownDays(spelling) : undefined;
    if (days !== undefined) states.push({ name, kind: isPublication ? "shows" : "hides", days });
    if (days !== undefined || taken.has(name)) continue;
    const comment = /^comment_(?:is_)?(.+)$/.exec(spelling)?.[1];
    const ofReply = OF_REPLY.exec(spelling)?.[1] ?? (areCommentsReplies ? comment : undefined);
    const named = ofReply ?? (areCommentsReplies ? spelling : (comment ?? spelling));
    const exact = ofReply !== undefined && REPLY_SENT.test(ofReply) ? "shows" : stateKind(named);
    const profile = context.profiles?.get(name);
    // In records, what all of them leave empty is no column that nobody uses: they are all drafts.
    const isUnpublished = profile?.filled === 0 && context.noun === "members" && DAY_OF_SYSTEM.test(spelling);
    if (profile !== undefined && (isUnpublished || OF_PUBLISHED.test(spelling))) states.push({ name, kind: "filled" });
    if (profile === undefined || profile.filled === 0 || OF_PUBLISHED.test(spelling)) continue;
    if (OF_REGION.test(spelling) && [...profile.examples].every((value) => /^\p{Lu}{2,3}$/u.test(value))) continue;
    if (profile.marks > 0) {
      states.push({ name, kind: "marks" });
      continue;
    }
    if (!OF_ACCOUNT.test(spelling) && [...profile.examples].some((value) => stateOf(value, "anonymity") === "hidden")) {
      nameStates.push({ name, kind: "anonymity" });
      // `Yes, but anonymously` beside `No` answers both.
      if (![...profile.examples].some((value) => stateOf(value, "word") === "hidden")) continue;
    }
    if (NAMED.test(spelling) && [...profile.examples].every(isAnswer)) {
      nameStates.push({ name, kind: "shows" });
      continue;
    }
    if (UNNAMED.test(spelling) && [...profile.examples].some((value) => stateOf(value, "hides") === "hidden")) {
      nameStates.push({ name, kind: "hides", isHidingOnly: true });
      continue;
    }
    if (holdsReplies(spelling, profile, context)) {
      states.push({ name, kind: OF_KIND.test(spelling) ? "reply" : "hides", isHidingOnly: true });
      continue;
    }
    const isTyped = context.noun === "columns" && /\S\s+\S/.test(name);
    const written = { areAnswers: [...profile.examples].every(isAnswer), isTyped };
    const kind = exact ?? stateKindInWords(named, written);
    if (kind === undefined || kind === "unsure") {
      const isHiding = [...profile.examples].some(isHidingWord);
      const isShowing = [...profile.examples].some((value) => stateOf(value, "word") === "shown");
      if (profile.notes > 0 || [...profile.examples].some(isNotToBeShown)) states.push({ name, kind: "note" });
      else if (
        isHiding &&
        isShowing &&
        profile.states === profile.sampled &&
        !OF_OTHER_STATE.test(spelling) &&
        !isCalled(name, "reply")
      )
        states.push({ name, kind: "word", isHidingOnly: true });
      else if (isHiding || kind === "unsure") noteUnknownState(name, profile, context);
      if (OF_TOWNS.test(spelling) && profile.examples.size > 1) context.notes.push(townsDoubt(name, profile.examples));
      continue;
    }
    const { dates, examples, numbers, sampled, words } = profile;
    const areDaysAlone = kind === "shows" && dates === sampled && name !== dated;
    const isOfStates =
      exact === undefined
        ? areDaysAlone || (profile.states * 2 >= sampled && numbers <= profile.states)
        : profile.states > 0;
    const isReason = kind === "hides" && /_(?:reason|grund|motif|motivo|by|of)$/.test(spelling);
    if (isOfStates || isReason || (kind === "hides" && dates > 0)) {
      const isInWords = exact === undefined;
      const isOfName = kind !== "word" && NAME_SHOWN.test(named);
      const isHidingOnly = ![...examples].some((value) => stateOf(value, kind) === "shown");
      const column = { name, kind, isHidingOnly };
      if (OF_CONSENT.test(spelling))
        context.notes.push(
          `${quote(name)} does not say to what: a review without it is not published. If it is to something else, such as advertising, take that column out of the file`,
        );
      if (ofReply !== undefined || (isInWords && NAMES_REPLY.test(named))) replyStates.push(column);
      else (isOfName || (isInWords && NAMES_AUTHOR.test(named)) ? nameStates : states).push(column);
    } else if (
      [...examples].every((value) => value.length <= 40) &&
      (exact === undefined
        ? numbers + dates < 1 && examples.size <= 4 && !(words > 0 && NAMES_REPLY.test(named))
        : kind !== "shows" && examples.size <= 8 && words === 0)
    ) {
      noteUnknownState(name, profile, context);
      if ([...examples].some(isNotToBeShown)) states.push({ name, kind: "note" });
      if (kind === "word" && isUnsure(spelling, profile) && !context.isOfJob) unsureState ??= name;
    }
  }
  return { states, replyStates, nameStates, unsureState };
}
