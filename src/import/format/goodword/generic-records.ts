/**
 * Reads the records of any table or JSON document as reviews: chooses the columns, judges each as a column (what its
 * ratings count to, whether day or month comes first, which states hide a review), and says what was chosen or left out.
 */
import { isValue, quote } from "../../../issue.ts";
import { tellsPlace } from "../../place/told-place.ts";
import { withoutEscapes } from "../../review/escaped-text.ts";
import { type DateOrder, readDate, shownOrder } from "../../review/free-form-date.ts";
import { plainText } from "../../review/html-text.ts";
import { dayOfInstant, type ReviewTime } from "../../review/iso-time.ts";
import { marksIn, stateOf } from "../../review/publication-state.ts";
import { OTHER_STARS, openScaleJudge } from "../../review/rating-scale.ts";
import type { Entry, FieldNames, RawReview } from "../../review/raw-review.ts";
import { replyInText, withoutReply, withoutReplyLabel } from "../../review/reply-in-text.ts";
import { hostOf, knownSite } from "../../review/review-source.ts";
import { readStars } from "../../review/star-rating.ts";
import { titledText } from "../../review/titled-text.ts";
import { vagueDateFault } from "../../review/vague-date.ts";
import { type OwnField, SCALE_NAME } from "../../words/column-words.ts";
import { withoutLastButtons } from "../../words/page-buttons.ts";
import { CUSTOMER, NO_REPLY } from "../../words/reply-words.ts";
import { PROGRAM_NOTHING, TOTAL } from "../../words/row-words.ts";
import type { ReadOptions } from "../format.ts";
import { areReviewColumns, type ColumnChoice, chooseColumns, type StateColumn, siteNamed } from "./column-choice.ts";
import { isBestOne, isSchoolGrade, SCHOOL_GRADE, scaleInName, spellingOf } from "./column-names.ts";
import { type Profiles, profileColumns } from "./column-profile.ts";
import { findDateOrder, type PlacedDate } from "./date-order.ts";
import { columnAdvice } from "./mapping-advice.ts";
import { isEmpty, type RecordList } from "./record-list.ts";

type Value = (name: string) => unknown;

/** The records as entries. The first ones tell what was chosen and what is not used. */
export async function* genericEntries(list: RecordList, options: ReadOptions): AsyncGenerator<readonly Entry[]> {
  const judged = await judge(list, options);
  if ("refusal" in judged) return yield [judged];
  const { choice, profiles, order, scaleFault } = judged;
  yield await openingNotes(list, { choice, profiles, options });
  const reader = openReader(choice, { profiles, order, today: options.today });
  for await (const page of list.pages()) {
    const entries: Entry[] = [];
    for (const record of page) {
      if (!("cells" in record)) {
        entries.push(record);
        continue;
      }
      const place = record.place();
      const { review, names } = reader.read(record.value);
      const isBare = isEmpty(review.text) && TOTAL.test(String(review.author ?? "").trim());
      const total = isBare || isWithoutDay(review.written) ? totalOf(record.cells) : undefined;
      if (total === undefined && scaleFault !== undefined && "value" in readStars(review.rating))
        entries.push({ at: record.at, fault: `${names.rating} is ${quote(review.rating)}, but ${scaleFault}`, place });
      else if (total === undefined) entries.push({ at: record.at, review, names, place });
      else entries.push({ at: record.at, warning: `${quote(total)} is a total and no review: the row is left out` });
    }
    yield entries;
  }
  yield reader.closingNotes();
}

interface Judged {
  readonly choice: ColumnChoice;
  readonly profiles: Profiles;
  readonly order: DateOrder | undefined;
  /** Why the ratings are of another scale than five stars. Every review is refused then, also those of five and less. */
  readonly scaleFault: string | undefined;
}

type Refusal = { readonly at: string; readonly refusal: string };

/** Looks at all records before the first is read. */
async function judge(list: RecordList, { columns, dates, source }: ReadOptions): Promise<Judged | Refusal> {
  const ofEmployees = list.names.find((name) => OF_EMPLOYEES.test(spellingOf(name)));
  if (ofEmployees !== undefined) return { at: list.headerAt, refusal: `${quote(ofEmployees)} ${BY_EMPLOYEES}` };
  const possible = chooseColumns(list, columns);
  const isRatingMapped = columns?.rating !== undefined;
  const ratingNames = new Set(possible.columns.get("rating") ?? []);
  const siteNames = (["source", "source_url"] as const).flatMap((field) => possible.columns.get(field) ?? []);
  const scaleNames = list.names.filter((name) => SCALE_NAME.test(spellingOf(name)));
  const judges = new Map([...ratingNames].map((name) => [name, openScaleJudge()]));
  const dated = dateColumns(possible);
  /** Those whose dates may depend on an order of day and month. */
  const ordered = new Set<string>();
  let otherScale: Refusal | undefined;
  const names = list.names.filter((name) => isOfInterest(name) || [...possible.columns.values()].flat().includes(name));
  const { profiles } = await profileColumns(
    list,
    { names, fields: new Set([...possible.columns.values()].flat()) },
    (value, at) => {
      const said = siteNames.map((each) => knownSite(value(each))).find(Boolean);
      // What was searched for, or the run, says it of reviews that name no site themselves.
      const searched = possible.sites.map((each) => siteNamed(each, value(each))).find(Boolean);
      const isNamed = (possible.columns.get("source") ?? []).some((each) => !isEmpty(value(each)));
      const site = said ?? (isNamed ? undefined : (searched ?? source));
      for (const [name, judge] of judges) judge.add({ value: value(name), at }, site);
      for (const name of dated) if (shownOrder(value(name)) !== undefined) ordered.add(name);
      for (const name of scaleNames) {
        const best = value(name);
        const highest = Number(best) || Number(/(\d+)(?:\.0+)?\D*$/.exec(String(best).slice(-100))?.[1]);
        if (!isEmpty(best) && highest > 0 && highest !== 5)
          otherScale ??= { at, refusal: `${name} ${isValue(best)}, but must be 5: other scales have no whole stars` };
      }
    },
  );
  const choice = chooseColumns(list, columns, profiles);
  const chosen = choice.columns.get("rating") ?? [];
  if (choice.unsureState !== undefined)
    return { at: list.headerAt, refusal: unsureRefusal(choice.unsureState, profiles) };
  if (!areReviewColumns(choice)) return { at: "", refusal: lacking(choice) };
  if (otherScale !== undefined && !isRatingMapped) return otherScale;
  let scaleFault: string | undefined;
  for (const name of chosen) {
    if (!isRatingMapped && isOfPlaceInstead(spellingOf(name), list.names.map(spellingOf)))
      return { at: list.headerAt, refusal: `${quote(name)} ${OF_PLACE_INSTEAD}${quote(name)}` };
    if (!isRatingMapped && (isBestOne(name) || isSchoolGrade(spellingOf(name), list.names.map(spellingOf))))
      return { at: list.headerAt, refusal: `${quote(name)} ${SCHOOL_GRADE}${quote(name)}` };
    const named = scaleInName(name);
    if (named === 5) continue;
    scaleFault ??= judges.get(name)?.verdict();
    if (named !== undefined)
      return {
        at: list.headerAt,
        refusal: `${quote(name)} counts to ${named}, but must count to 5: 5 of ${named} is not 5 of 5; ${OTHER_STARS}`,
      };
  }
  const conflict = await ratingConflict(list, chosen);
  if (conflict !== undefined) return conflict;
  if (dates !== undefined) return { choice, profiles, scaleFault, order: dates };
  const unsure = dateColumns(choice).filter((name) => ordered.has(name) || !dated.includes(name));
  const found = await findDateOrder(placedDates(list, unsure));
  if ("order" in found) return { choice, profiles, scaleFault, order: found.order };
  // Days of replies and edits may lack, so that only those of the reviews themselves refuse a file.
  const optional = (["replied", "updated"] as const).flatMap((field) => choice.columns.get(field) ?? []);
  const own = await findDateOrder(
    placedDates(
      list,
      unsure.filter((name) => !optional.includes(name)),
    ),
  );
  return "refusal" in own ? { at: "", refusal: found.refusal } : { choice, profiles, scaleFault, order: own.order };
}

/** A state nobody knows may hide reviews: which ones, only the owner can say. */
function unsureRefusal(name: string, profiles: Profiles): string {
  const values = [...(profiles.get(name)?.examples ?? [])].slice(0, 4).map((value) => quote(value));
  return `${quote(name)} (${values.join(", ")}) seems to say which reviews are shown, in words that are not known: take out the reviews that are not shown, and then that column`;
}

/** Columns of what employees write of their employer. */
const OF_EMPLOYEES =
  /^(?:review_)?(?:advice_to_management|employment_status|is_current_(?:job|employee)|current_employee|ceo_approval|recommend_ceo|rating_ceo|rating_work_life_balance|work_life_balance|rating_compensation_and_benefits|arbeitsatmosphäre|vorschläge_für_den_arbeitgeber|work_life_balance_rating)$/;
const BY_EMPLOYEES =
  "shows that these reviews are by employees, and not by customers. If they are by customers, take that column out of the file";
/** Whether a rating is that of the place, because columns were chosen at Outscraper without the customers' stars. */
function isOfPlaceInstead(spelling: string, all: readonly string[]): boolean {
  return (
    spelling === "rating" && all.includes("author_title") && all.includes("name") && !all.includes("review_rating")
  );
}
const OF_PLACE_INSTEAD =
  "seems to be the place's own rating: the customers' stars are in \"review_rating\", which is not in the file. Export it with that column; if these are the customers' stars, --columns rating=";

/** Columns that are looked at although no field may have their name: they may hold states. */
function isOfInterest(name: string): boolean {
  return name !== "";
}

function lacking({ columns }: ColumnChoice): string {
  const what = columns.has("rating") ? "a date" : "a rating";
  return `no column holds ${what}, as far as its values show: name it with --columns ${columns.has("rating") ? "date" : "rating"}=…`;
}

/** Two columns of equal names' worth that give one review different stars: nothing tells which are the customer's. */
async function ratingConflict(list: RecordList, chosen: readonly string[]): Promise<Refusal | undefined> {
  const [first, ...others] = chosen;
  if (first === undefined || others.length === 0) return undefined;
  for await (const page of list.pages()) {
    for (const record of page) {
      if (!("cells" in record)) continue;
      const stars = readStars(record.value(first));
      const other = others.find((name) => {
        const theirs = readStars(record.value(name));
        return "value" in stars && "value" in theirs && stars.value !== theirs.value;
      });
      if (other === undefined) continue;
      const values = `${quote(record.value(first))}, but ${other} is ${quote(record.value(other))}`;
      const refusal = `${first} is ${values}: name the one that holds the customer's stars, such as --columns rating=${quote(first)}`;
      return { at: record.at, refusal };
    }
  }
  return undefined;
}

/** The columns of days and times, but for those whose order their vendor fixes. */
function dateColumns({ columns }: ColumnChoice): string[] {
  return (["date", "instant", "replied", "updated"] as const)
    .flatMap((field) => columns.get(field) ?? [])
    .filter((name) => !isMonthFirst(name));
}

/** Outscraper's times in UTC: `01/30/2026 10:11:12`. */
function isMonthFirst(name: string): boolean {
  return /_datetime_utc$/.test(spellingOf(name));
}

async function* placedDates(list: RecordList, names: readonly string[]): AsyncGenerator<PlacedDate> {
  if (names.length === 0) return;
  for await (const page of list.pages()) {
    for (const record of page) {
      if (!("cells" in record)) continue;
      for (const name of names) yield { value: record.value(name), at: `${record.at}, ${name}`, name };
    }
  }
}

async function openingNotes(
  list: RecordList,
  { choice, profiles, options }: Pick<Judged, "choice" | "profiles"> & { readonly options: ReadOptions },
): Promise<Entry[]> {
  const entries: Entry[] = choice.notes.map((note) => ({ at: list.headerAt, warning: note }));
  const unused = choice.unknown.filter((name) => !tellsPlace(name));
  const unknown = unused.filter((name) => (profiles.get(name)?.filled ?? 0) > 0 || list.noun === "columns");
  const shown = unknown.filter((name) => name !== "").slice(0, MAX_UNKNOWN_SHOWN);
  if (shown.length === 0) return entries;
  const more = shown.length < unknown.length ? ", …" : "";
  const advice = await columnAdvice(list, choice, options);
  const warning = `does not use the ${list.noun} ${shown.map((name) => quote(name)).join(", ")}${more}${advice}`;
  return [{ at: list.headerAt, warning }, ...entries];
}

const MAX_UNKNOWN_SHOWN = 30;

interface Reader {
  read(value: Value): { readonly review: RawReview; readonly names: FieldNames };
  /** What was noticed over all records. */
  closingNotes(): Entry[];
}

/** A day, and the column that it is from. */
interface FoundTime {
  readonly time: ReviewTime;
  readonly name: string | undefined;
}

function openReader(
  choice: ColumnChoice,
  { profiles, order, today }: Pick<Judged, "profiles" | "order"> & Pick<ReadOptions, "today">,
): Reader {
  const { columns, states: allStates, replyStates, nameStates, sites, translated } = choice;
  const [dayStates, states] = [allStates.filter(({ days }) => days), allStates.filter(({ days }) => !days)];
  const of = (field: OwnField) => columns.get(field) ?? [];
  const baseNames = namesOf(choice);
  const exact = new Map<string, number>();
  const earlier = new Map<string, number>();
  const otherWords = new Map<string, number>();
  const days = choice.unknown.filter((name) => {
    const profile = profiles.get(name);
    return (
      profile !== undefined &&
      profile.dates > 0 &&
      profile.dates === profile.sampled &&
      !(profile.isOneDay && profile.filled > 1)
    );
  });
  const exactAdvice =
    days.length === 0
      ? ""
      : `. ${namesOfColumns(days)} ${days.length === 1 ? "holds" : "hold"} days: if those are the reviews', --columns date=${quote(days[0])}`;
  let [hiddenReplies, hiddenNames, cleaned, lost, nothings, formulas, others, inner, machines, escaped, buttons] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ];
  const authorsOfReplies = of("reply").flatMap((name) => membersBeside(name, profiles.keys()));
  const first = (field: OwnField, value: Value): unknown => {
    const names = of(field);
    for (const name of names) {
      const found = value(name);
      if (!isEmpty(found)) return found;
    }
    return names.length === 0 ? undefined : null;
  };
  /** A record with words in two members keeps those of one. Where they begin alike, one is an excerpt of the other. */
  const noteOtherWords = (field: OwnField, name: string, text: unknown, value: Value): void => {
    const start = String(text).trim().slice(0, 20);
    for (const other of of(field).slice(of(field).indexOf(name) + 1)) {
      const words = value(other);
      if (typeof words !== "string" || isEmpty(words) || words.trim().startsWith(start)) continue;
      if (text === words || String(text).startsWith(words.trim().slice(0, 20))) continue;
      const key = `${name}\0${other}`;
      otherWords.set(key, (otherWords.get(key) ?? 0) + 1);
    }
  };
  /** Of words, an empty member counts: the customer wrote none. Only one that is not there lets the next one speak. */
  const wordsOf = (field: OwnField, value: Value): unknown => {
    const names = of(field);
    for (const name of names) {
      const given = value(name);
      const found = isFormula(given) ? shownBy(given) : given;
      if (found !== given && found === "") formulas += 1;
      if (typeof found === "string" && found.startsWith("#NAME?")) lost += 1;
      if (typeof found === "string" && PROGRAM_NOTHING.test(found)) nothings += 1;
      else if (!isEmpty(found)) {
        const plain = typeof found === "string" ? withoutEscapes(found) : found;
        if (plain !== found) escaped += 1;
        const inPage = plainText(plain);
        if (inPage !== plain) cleaned += 1;
        const text = typeof inPage === "string" ? withoutLastButtons(inPage) : inPage;
        if (text !== inPage) buttons += 1;
        if (field === "text" || field === "title") noteOtherWords(field, name, text, value);
        return text;
      }
      if (found !== undefined && !/original/.test(name)) return null;
    }
    return names.length === 0 ? undefined : null;
  };
  const dayNames = [...of("date"), ...of("instant")];
  const publicationNames = dayNames.filter((name) => OF_PUBLICATION.test(spellingOf(name)));
  const timeNames = [...dayNames, ...of("replied"), ...of("updated")];
  const inUtcNames = new Set(timeNames.filter((name) => isOfUtc(name) || isMonthFirst(name)));
  const timeAt = (name: string, value: Value): ReviewTime | undefined => {
    const found = value(name);
    if (isEmpty(found)) return undefined;
    if (!inUtcNames.has(name)) return readDate(found, order);
    return readDate(inUtc(found), isMonthFirst(name) ? "mdy" : order);
  };
  const written = (value: Value): FoundTime => {
    let fault: FoundTime | undefined;
    for (const name of dayNames) {
      const time = timeAt(name, value);
      if (time === undefined || (fault?.name !== undefined && isOfExport(name, fault.name))) continue;
      if ("fault" in time) {
        fault ??= { time, name };
        if (!isVague(value(name))) return fault;
        continue;
      }
      if (fault?.name !== undefined)
        exact.set(`${fault.name}\0${name}`, (exact.get(`${fault.name}\0${name}`) ?? 0) + 1);
      return notLater("instant" in time ? { time, name } : (instantNear(time.day, value) ?? { time, name }), value);
    }
    if (fault !== undefined && "fault" in fault.time)
      return { ...fault, time: { fault: `${fault.time.fault}${exactAdvice}` } };
    return fault ?? { time: { fault: NO_DAY }, name: undefined };
  };
  /** A review was not written after its publication: a later day is that on which a system got its record. */
  const notLater = (found: FoundTime, value: Value): FoundTime => {
    const day = dayOf(found.time);
    for (const name of publicationNames) {
      if (name === found.name) continue;
      const time = timeAt(name, value);
      const other = time && dayOf(time);
      if (time === undefined || other === undefined || day === undefined || other >= day) continue;
      const key = `${found.name}\0${name}`;
      earlier.set(key, (earlier.get(key) ?? 0) + 1);
      return { time, name };
    }
    return found;
  };
  /** Whether a column has one day for reviews of several ages: the day on which they were exported. */
  const isOfExport = (name: string, age: string): boolean => {
    const profile = profiles.get(name);
    return profile?.isOneDay === true && profile.filled > 1 && profiles.get(age)?.isConstant === false;
  };
  /** The instant of the same review that an exact column gives, if it is on that day or beside it. */
  const instantNear = (day: string, value: Value): FoundTime | undefined => {
    for (const name of of("instant")) {
      if (OF_RECORD.test(spellingOf(name)) && !String(value(name)).startsWith(day)) continue;
      const time = timeAt(name, value);
      if (time === undefined || !("instant" in time)) continue;
      const distance = Date.parse(`${dayOfInstant(time.instant, "UTC")}T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`);
      if (Math.abs(distance) <= DAY_MS) return { time, name };
    }
    return undefined;
  };
  const replyOf = (value: Value): RawReview["owner_reply"] => {
    const text = wordsOf("reply", value);
    if (text === undefined || text === null) return text as null | undefined;
    if (typeof text === "string" && NO_REPLY.test(text)) return null;
    if (authorsOfReplies.some((name) => isCustomer(value(name), value))) {
      others += 1;
      return null;
    }
    if (hiddenBy(replyStates, value) !== null) {
      hiddenReplies += 1;
      return null;
    }
    const time = of("replied")
      .map((name) => timeAt(name, value))
      .find((each) => each !== undefined);
    return { text: withoutReplyLabel(text), written: time ?? null };
  };
  /** The day by which the owner's system does not show the record yet, or no more, as `column: value`. */
  const hiddenToday = (value: Value): string | null => {
    for (const { name, kind, days } of dayStates) {
      const found = value(name);
      // In either order, where none is known: what may be out of its time is not shown.
      const read = isEmpty(found) ? [] : [order ?? "dmy", order ?? "mdy"].map((each) => dayOf(readDate(found, each)));
      const all = read.filter((day) => day !== undefined);
      const isOut = today !== undefined && all.some((day) => (days === "from" ? day > today : day < today));
      const isUnread = isEmpty(found) ? kind === "shows" : all.length === 0 && stateOf(found, kind) !== "shown";
      if (isOut || isUnread) return `${name}: ${isEmpty(found) ? "empty" : String(found).trim().slice(0, 60)}`;
    }
    return null;
  };
  /** Whether a member beside a reply says that the customer wrote it: by the role, or by the name. */
  const isCustomer = (who: unknown, value: Value): boolean =>
    typeof who === "string" && (CUSTOMER.test(who) || (who.trim() !== "" && who === first("author", value)));
  const authorOf = (value: Value): unknown => {
    const [name, rest] = (["author", "last_name"] as const).map((field) => {
      const found = first(field, value);
      return plainText(typeof found === "string" ? withoutEscapes(found) : found);
    });
    const author =
      isEmpty(rest) || String(name).endsWith(String(rest)) ? name : isEmpty(name) ? rest : `${name} ${rest}`;
    if (typeof author === "string" && PROGRAM_NOTHING.test(author)) {
      nothings += 1;
      return null;
    }
    if (isEmpty(author) || hiddenBy(nameStates, value) === null) return author;
    hiddenNames += 1;
    return null;
  };
  /** Where a column names sites, a name in it that is not known is one, too. */
  const namesSites = (name: string): boolean => {
    const { sites = 0, sampled = 0, words = 0, examples = new Set() } = profiles.get(name) ?? {};
    return sites * 2 >= sampled && words === 0 && examples.size <= 20;
  };
  const siteIn = (value: Value): unknown => {
    const found = sites.map((name) => siteNamed(name, value(name))).find(Boolean);
    return (
      found ??
      sites
        .filter(namesSites)
        .map(value)
        .find((each) => !isEmpty(each) && hostOf(each) === undefined)
    );
  };
  return {
    read(value) {
      const { time, name } = written(value);
      const updated = of("updated")
        .map((each) => timeAt(each, value))
        .find((each) => each !== undefined);
      const isMachine = translated.some((each) => stateOf(value(each), "shows") === "shown");
      const whole = isMachine ? undefined : wordsOf("text", value);
      if (isMachine) machines += 1;
      const title = of("title").length === 0 || isMachine ? undefined : wordsOf("title", value);
      const { text, reply } = columns.has("reply") ? { text: whole } : withoutReply(whole);
      if (reply !== undefined) inner += 1;
      const review: RawReview = {
        id: first("id", value),
        author: authorOf(value),
        author_avatar_url: first("author_avatar_url", value),
        rating: first("rating", value),
        written: time,
        text: isEmpty(title) ? text : titledText(title, text),
        source: first("source", value) ?? siteIn(value),
        source_url: first("source_url", value),
        owner_reply: reply === undefined ? replyOf(value) : { text: reply, written: null },
        verified: first("verified", value),
        updated,
        ...(allStates.length > 0 && { hidden: hiddenBy(states, value) ?? hiddenToday(value) }),
        ...(isDraft(value("_id")) && { hidden: "_id: drafts" }),
      };
      return {
        review,
        names: name === undefined || name === baseNames.written ? baseNames : { ...baseNames, written: name },
      };
    },
    closingNotes() {
      const notes = [...exact].map(([key, count]) => {
        const [age, name] = key.split("\0");
        const reviews = count === 1 ? "1 review is" : `${count} reviews are`;
        return `${quote(age)} gives no day; ${reviews} dated by ${quote(name)} instead`;
      });
      for (const [key, count] of earlier) {
        const [later, name] = key.split("\0");
        const reviews = count === 1 ? "1 review is" : `${count} reviews are`;
        notes.push(`${quote(later)} is later than ${quote(name)}; ${reviews} dated by ${quote(name)} instead`);
      }
      for (const [key, count] of otherWords) {
        const [chosen, other] = key.split("\0");
        const reviews = count === 1 ? "1 review has" : `${count} reviews have`;
        notes.push(
          `${reviews} words in ${quote(chosen)}, which are read, and others in ${quote(other)}, which are not`,
        );
      }
      if (nothings > 0)
        notes.push(
          `${nothings === 1 ? "1 text or name is" : `${nothings} texts and names are`} a word such as "nan" or "undefined", by which programs write nothing: left out`,
        );
      if (hiddenReplies > 0) {
        const are = hiddenReplies === 1 ? "1 reply is" : `${hiddenReplies} replies are`;
        notes.push(`${are} left out, because ${namesIn(replyStates)} says that it is not public`);
      }
      if (others > 0)
        notes.push(
          `${others === 1 ? "1 reply is" : `${others} replies are`} by customers, and not by the business: left out`,
        );
      if (inner > 0) notes.push(replyInText(inner));
      if (formulas > 0)
        notes.push(
          `${formulas === 1 ? "1 text is a formula" : `${formulas} texts are formulas`} of a spreadsheet, and no customer's words: left out. Save the table with values`,
        );
      if (hiddenNames > 0) {
        const are = hiddenNames === 1 ? "1 name is" : `${hiddenNames} names are`;
        notes.push(`${are} left out, because ${namesIn(nameStates)} says that it is not public`);
      }
      if (machines > 0)
        notes.push(
          `the words of ${machines === 1 ? "1 review are" : `${machines} reviews are`} left out: ${namesOfColumns(translated)} says that they are a translation, and the customers' own are not in the file`,
        );
      if (lost > 0)
        notes.push(
          `${lost === 1 ? "1 text is" : `${lost} texts are`} "#NAME?", by which the spreadsheet replaced the words: import the file from which it was made`,
        );
      if (cleaned > 0)
        notes.push(
          `${cleaned === 1 ? "1 text has" : `${cleaned} texts have`} tags of HTML, BBCode or WordPress, which are left out`,
        );
      if (buttons > 0)
        notes.push(
          `${buttons === 1 ? "1 text ends" : `${buttons} texts end`} with buttons of a page ("Read more"), which are left out`,
        );
      if (escaped > 0)
        notes.push(
          `${escaped === 1 ? "1 text has" : `${escaped} texts have`} codes such as "=E2=80=99" or "\\n" in the place of characters: they are read as these characters`,
        );
      return notes.map((warning) => ({ at: "", warning }));
    },
  };
}

/** Sanity keeps what is not published yet beside the rest, under an id of its own. */
function isDraft(id: unknown): boolean {
  return typeof id === "string" && id.startsWith("drafts.");
}

/** Times at which a system got its record of a review, perhaps on another day than the review's. */
const OF_RECORD = /^(?:creat|publish|submit|post|add|date_(?:creat|add)|time_creat)/;
/** The publication of a review, which was written by then. */
const OF_PUBLICATION = /^(?:review_)?(?:date_)?(?:publish|posted|submitted)/;
/** A spreadsheet's formula, and the text that two of them show: `="007"`, `=HYPERLINK("https://…","See it")`. */
const FORMULA = /^=\s*(?:[A-Z][A-Z.]{0,30}\(.*\)|\$?[A-Z]{1,3}\$?\d+(?:\s*[-+*/&:!].*)?|\d[-\d.,\s+*/^()]*|"[^"]*")$/s;
const SHOWN = /^=\s*(?:HYPERLINK\(\s*"[^"]*"\s*[,;]\s*)?"([^"]*)"\s*\)?$/i;
const DAY_MS = 86_400_000;

function isFormula(value: unknown): value is string {
  return typeof value === "string" && value.includes("=") && FORMULA.test(value.trim());
}

function shownBy(formula: string): string {
  return SHOWN.exec(formula.trim())?.[1]?.trim() ?? "";
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

function namesIn(states: readonly StateColumn[]): string {
  return namesOfColumns(states.map(({ name }) => name));
}

function namesOfColumns(names: readonly string[]): string {
  return names.map((name) => quote(name)).join(", ");
}

/** The state by which the owner's system hides the record, as `column: value`; null if it shows it. */
function hiddenBy(states: readonly StateColumn[], value: Value): string | null {
  for (const { name, kind, isHidingOnly } of states) {
    const found = value(name);
    // Where only some are hidden, an empty state says nothing; an empty "approved" is no approval, unless it is not there.
    const isUntold = isHidingOnly === true && (kind === "word" || found === undefined);
    if (stateOf(found, kind, isUntold) !== "shown")
      return `${name}: ${isEmpty(found) ? "empty" : (kind === "marks" ? marksIn(found).join(", ") : String(found)).trim().slice(0, 60)}`;
  }
  return null;
}

function isVague(value: unknown): boolean {
  return typeof value === "string" && vagueDateFault(value.trim()) !== undefined;
}

/** Whether a column's name says that its times are in UTC. */
function isOfUtc(name: string): boolean {
  return /(?:^|[^a-z])(?:utc|gmt)(?:[^a-z]|$)/i.test(name);
}

/** A time without a zone, as one in UTC. */
function inUtc(value: unknown): unknown {
  return typeof value === "string" && /\d:\d{2}(?:\.\d+)?(?:\s*[ap]m)?$/i.test(value.trim())
    ? `${value.trim()} UTC`
    : value;
}

const NO_DAY =
  "is missing, but must be a day, such as 2024-04-03, 3.4.2024 or April 3, 2024, or a time such as 2025-08-06T04:57:47Z. A row that is no review, such as a total, is left out with --skip-invalid";

function dayOf(time: ReviewTime): string | undefined {
  if ("fault" in time) return undefined;
  return "day" in time ? time.day : dayOfInstant(time.instant, "UTC");
}

function isWithoutDay(written: ReviewTime): boolean {
  return "fault" in written;
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

/** The cell that shows that a row without a date is a total of the rows above it; undefined for any other row. */
function totalOf(cells: Iterable<unknown>): string | undefined {
  return [...cells].find((cell): cell is string => typeof cell === "string" && TOTAL.test(cell.trim()));
}
