/**
 * Reads the records of any table or JSON document as reviews: chooses the columns, judges each as a column (what its
 * ratings count to, whether day or month comes first, which states hide a review), and says what was chosen or left out.
 */
import { isValue, quote, quoteName } from "../../../issue.ts";
import { tellsPlace } from "../../place/told-place.ts";
import type { Entry, RawReview } from "../../review/candidate.ts";
import { type DateOrder, shownOrder } from "../../review/free-form-date.ts";
import { isMonthName } from "../../review/month-names.ts";
import { isHidingWord } from "../../review/publication-state.ts";
import { OTHER_STARS, openScaleJudge, type ScaleJudge } from "../../review/rating-scale.ts";
import { knownSite, namedSource } from "../../review/review-source.ts";
import { readStars } from "../../review/star-rating.ts";
import { MEAN_NAME, NO_SCALE, SCALE_BESIDE, SCALE_NAME } from "../../words/column-words.ts";
import { HEADING, HIDING_HEADING, PEOPLE, TOTAL } from "../../words/row-words.ts";
import type { ColumnMapping } from "../column-mapping.ts";
import {
  countsToTen,
  isNamedForGrades,
  isSchoolGrade,
  SCHOOL_GRADE,
  scaleInName,
  scaleInTitle,
  spellingOf,
} from "../column-names.ts";
import type { ReadOptions } from "../format.ts";
import { noStars, recommendationsIn } from "../recommendation.ts";
import { areReviewColumns, type ColumnChoice, chooseColumns, siteNamed } from "./column-choice.ts";
import { starsDoubt } from "./column-doubts.ts";
import { type Profiles, profileColumns } from "./column-profile.ts";
import { findDateOrder, orderInName, type PlacedDate } from "./date-order.ts";
import { columnAdvice } from "./mapping-advice.ts";
import { namesOfColumns } from "./reading-notes.ts";
import { isEmpty, type RecordList, type RecordValues } from "./record-list.ts";
import { openRecordReader } from "./record-reader.ts";
import { isMonthFirst } from "./record-times.ts";
import { isNoReply, isNothing } from "./record-words.ts";
import { openShiftedCells, type ShiftedCells } from "./shifted-cells.ts";

/** The records as entries. The first ones tell what was chosen and what is not used. */
export async function* genericEntries(list: RecordList, options: ReadOptions): AsyncGenerator<readonly Entry[]> {
  const judged = await judge(list, options);
  if ("refusal" in judged) return yield [judged];
  const { choice, profiles, order, orders, swapped, apart, scaleFault } = judged;
  yield await openingNotes(list, { choice, profiles, options });
  const reader = openRecordReader(choice, { profiles, order, orders, swapped, apart, today: options.today });
  const recommendations = recommendationsIn(list.names);
  const shifted = list.noun === "columns" ? openShiftedCells(choice, list.names) : undefined;
  let section = list.titles?.find(hidesBelow);
  const firsts = [...(profiles.get(list.names[0] ?? "")?.examples ?? [])];
  const areSomeOut = list.noun === "columns" && !firsts.every((value) => COMMENTED_OUT.test(value));
  const months = openMonths();
  for await (const page of list.pages()) {
    const entries: Entry[] = [];
    for (const record of page) {
      if (!("cells" in record)) {
        entries.push(record);
        continue;
      }
      const place = record.place();
      const shift = shifted === undefined ? undefined : shiftIn([...record.cells], shifted);
      if (shift !== undefined) {
        entries.push({ at: record.at, fault: shift, place });
        continue;
      }
      const read = reader.read(record.value);
      if ("fault" in read) {
        entries.push({ at: record.at, fault: read.fault, place });
        continue;
      }
      const { review: own, names } = read;
      section = list.noun === "columns" ? (onlyWord(record.cells) ?? section) : undefined;
      const isOut = areSomeOut && COMMENTED_OUT.test(String([...record.cells][0] ?? ""));
      const review = inSection(isOut ? { ...own, hidden: own.hidden ?? "commented out" } : own, section);
      months.add(review.written);
      const isRecommendation =
        (namedSource(review) ?? options.source) === "facebook" &&
        recommendations.some((name) => !isEmpty(record.value(name)));
      if (isRecommendation) {
        entries.push({ at: record.at, ...noStars("facebook"), place });
        continue;
      }
      const author = String(review.author ?? "").trim();
      const words = isEmpty(review.text) || COUNTED.test(String(review.text)) ? "" : String(review.text).trim();
      // Where nobody is named in any row, one without a name is no sum.
      const isUnnamed = author === "" && choice.columns.has("author");
      const isBare = isUnnamed ? words === "" || isTotal(words) : words === "" && isTotal(author);
      const total = isBare || "fault" in review.written ? totalOf(record.cells) : undefined;
      const heading = list.noun === "columns" && "fault" in review.written ? headingOf(record.cells) : undefined;
      if (heading !== undefined && total === undefined) {
        entries.push({
          at: record.at,
          warning: `${quote(heading)} stands alone in its row and is no review: the row is left out`,
        });
        continue;
      }
      const lone =
        list.noun === "columns" && total === undefined && isEmpty(review.rating) ? onlyWord(record.cells) : undefined;
      if (lone !== undefined && knownSite(lone) === undefined && "fault" in review.written) {
        entries.push({
          at: record.at,
          fault: `${names.rating} is missing, and ${quote(lone)} stands alone in its row: if it says of which site or place the rows around it are, write that into a column of theirs, and delete the row`,
          place,
        });
        continue;
      }
      if (total === undefined && scaleFault !== undefined && "value" in readStars(review.rating))
        entries.push({ at: record.at, fault: `${names.rating} is ${quote(review.rating)}, but ${scaleFault}`, place });
      else if (total === undefined) entries.push({ at: record.at, review, names, place });
      else entries.push({ at: record.at, warning: `${quote(total)} is a total and no review: the row is left out` });
    }
    yield entries;
  }
  const warnings = [...reader.closingNotes(), ...months.told(), ...linksToGoogle(judged, options)];
  const asked = options.columns?.rating;
  if (asked !== undefined && NAMES_NPS.test(spellingOf(asked)))
    warnings.push(
      `${quote(asked)} asks how likely customers are to recommend the business, mostly from 0 to 10: if it does so, its answers are no stars, and these reviews have none`,
    );
  yield [...warnings.map((warning) => ({ at: "", warning })), { at: "", readFrom: reader.readFrom() }];
}

/** Columns that nothing is read from and that lead to Google, as a customer's page there does, where no source is told. */
function linksToGoogle({ choice, profiles }: Judged, { source }: ReadOptions): string[] {
  if (source !== undefined || choice.columns.has("source")) return [];
  const leads = (name: string) => [...(profiles.get(name)?.examples ?? [])].some((value) => OF_GOOGLE.test(value));
  const leading = choice.unknown.filter(leads);
  return leading.length === 0
    ? []
    : [
        `${namesOfColumns(leading)} ${leading.length === 1 ? "leads" : "lead"} to Google: if the reviews were written there, import the file with --source google`,
      ];
}

/** Addresses of reviews, of customers and of places at Google. */
const OF_GOOGLE =
  /^\s*(?:https?:)?\/\/(?:(?:www\.|search\.)?google(?:\.[a-z]{2,3}){1,2}\/(?:maps|local|search)\b|maps\.google\.|maps\.app\.goo\.gl\/|goo\.gl\/maps|g\.page\/|g\.co\/kgs)|^(?:places|accounts)\/\S+\/reviews\//i;

/** Why a row's cells are not those of their columns. */
function shiftIn(cells: readonly unknown[], { rowInside, restBehind }: ShiftedCells): string | undefined {
  const row = rowInside(cells);
  if (row !== undefined)
    return `its words hold what seems to be a row of its own (${quote(row)}): a quotation mark is opened in one row and closed in another. Double or remove it`;
  const rest = restBehind(cells);
  return rest === undefined
    ? undefined
    : `${quote(rest.trim())} seems to be the rest of the words before it: a text that holds the separator must stand in quotation marks`;
}

/** The word of a row that has no other: what is said of the rows below it. */
function onlyWord(cells: Iterable<unknown>): string | undefined {
  const [word, ...others] = [...cells].filter((cell) => !isEmpty(cell));
  return typeof word === "string" && others.length === 0 ? word.trim() : undefined;
}

/** The words of a row that has no others, and that heads the rows below it. */
function headingOf(cells: Iterable<unknown>): string | undefined {
  const word = onlyWord(cells);
  const parts = (word ?? "").split(/[\s,/-]+/);
  const isMonth =
    isMonthName(parts[0] ?? "") && (parts.length === 1 || /^(?:19|20)?\d{2}$/.test(parts.slice(1).join()));
  return word !== undefined && (isMonth || HEADING.test(word) || hidesBelow(word)) ? word : undefined;
}

/** The review with what the word above it says: that those below it are not shown, or where they were written. */
function inSection(review: RawReview, word: string | undefined): RawReview {
  if (word === undefined) return review;
  if (hidesBelow(word)) return { ...review, hidden: review.hidden ?? `above: ${word.slice(0, 60)}` };
  return isEmpty(review.source) && knownSite(word) !== undefined ? { ...review, source: word } : review;
}

/** `Rejected reviews`, `Status: abgelehnt`, `DRAFT - do not publish` */
function hidesBelow(word: string): boolean {
  const parts = word.split(/\s[-–—]\s|:\s/).slice(0, MAX_PARTS);
  return parts.some(isHidingWord) || HIDING_HEADING.test(word);
}

const MAX_PARTS = 5;

/** The fewest days and months by which it is no chance that each day is the first of its month. */
const [MIN_DAYS, MIN_MONTHS] = [4, 3];

/** Notices days that were months once: a spreadsheet keeps "May 2025" as 2025-05-01. */
function openMonths() {
  const months = new Set<string>();
  let [days, isOther] = [0, false];
  return {
    add(written: RawReview["written"]) {
      if (isOther || written === undefined || !("day" in written)) return;
      isOther = !written.day.endsWith("-01");
      days += 1;
      if (months.size < MIN_MONTHS) months.add(written.day);
    },
    told: () =>
      isOther || days < MIN_DAYS || months.size < MIN_MONTHS
        ? []
        : [
            `each of the ${days} days is the first of its month: if they are months, of which a spreadsheet has made days, take the days from where the reviews were written`,
          ],
  };
}

/** `Total` of `Total May 2026`, `May total` and `Total de mayo` */
function withoutPeriod(name: string): string {
  const words = name.split(/\s+/);
  const isPeriod = (word: string) => isMonthName(word) || PERIOD.test(word);
  while (words.length > 1 && isPeriod(words.at(-1) ?? "")) words.pop();
  while (words.length > 1 && OF_PERIOD.test(words.at(-1) ?? "")) words.pop();
  while (words.length > 1 && isPeriod(words[0] ?? "")) words.shift();
  return words.join(" ");
}

const PERIOD =
  /^(?:(?:19|20)?\d{2}|[qhw]\d{1,2}|ytd|(?:month|week|year|quarter|dai|annual)ly|annual|(?:kw|week|woche)\d{1,2}|(?:monats|wochen|jahres|quartals?)|mensuel(?:le)?|mensual|mensile|maandelijks)[:.]?$/i;
/** What stands between a total and its period. */
const OF_PERIOD = /^(?:for|of|in|de|del|du|di|im|für|vom|van|voor|w|za|do)$/i;

/** Whether a name is the word of a sum, and none that people have. */
function isTotal(name: string): boolean {
  return TOTAL.test(withoutPeriod(name)) && !PEOPLE.test(name);
}

interface Judged {
  readonly choice: ColumnChoice;
  readonly profiles: Profiles;
  readonly order: DateOrder | undefined;
  /** The orders of columns whose own dates show another one than those of the reviews. */
  readonly orders: ReadonlyMap<string, DateOrder>;
  /** Columns whose days a spreadsheet for another country may have taken for months. */
  readonly swapped: ReadonlySet<string>;
  /** Columns of words of which one record holds several with other words each. */
  readonly apart: ReadonlySet<string>;
  /** Why the ratings are of another scale than five stars. Every review is refused then, also those of five and less. */
  readonly scaleFault: string | undefined;
}

/** Schools have no higher one where 1 is the best. */
const WORST_GRADE = 6;
const NO_STARS = "other scales have no whole stars";

/** How a row begins that somebody has taken out of a table by hand: `# Bob`, `//Bob`, `~~Bob~~` */
const COMMENTED_OUT = /^\s*(?:#\s+|\/\/|--\s*|~~)(?=\p{L})/u;

/** What stands for words in a row of a sum: `2 reviews` */
const COUNTED = /^\s*[\d.,]+\s\p{L}+\s*$/u;

/** A longer line above a table is no legend of its ratings. */
const MAX_LEGEND = 80;

type Refusal = { readonly at: string; readonly refusal: string };

/** Looks at all records before the first is read. */
async function judge(list: RecordList, { columns, dates, source, today }: ReadOptions): Promise<Judged | Refusal> {
  const ofEmployees = list.names.find((name) => OF_EMPLOYEES.test(spellingOf(name)));
  if (ofEmployees !== undefined) return { at: list.headerAt, refusal: `${quote(ofEmployees)} ${BY_EMPLOYEES}` };
  const possible = chooseColumns(list, columns);
  const isRatingMapped = columns?.rating !== undefined;
  const ratingNames = new Set(possible.columns.get("rating") ?? []);
  const siteNames = (["source", "source_url"] as const).flatMap((field) => possible.columns.get(field) ?? []);
  const scaleNames = list.names.filter((name) => SCALE_NAME.test(spellingOf(name)));
  const meanNames = list.names.filter((name) => MEAN_NAME.test(spellingOf(name)));
  const judges = new Map([...ratingNames].map((name) => [name, openScaleJudge()]));
  const dated = dateColumns(possible);
  /** Those whose dates may depend on an order of day and month. */
  const ordered = new Set<string>();
  const fixed = fixedDateColumns(possible, ["date", "instant"]);
  const fixedReplies = fixedDateColumns(possible, ["replied"]);
  /** How days are written in the columns whose order their vendor fixes. */
  const forms = new Set<string>();
  /** Of such columns with dots, which their vendor does not write, whether each day could be a month. */
  const dotted = new Map<string, boolean>();
  let otherScale: Refusal | undefined;
  const fields = new Set([...possible.columns.values()].flat());
  const apart = new Set<string>();
  const wordNames = (["text", "title", "reply"] as const).map(
    (field) => [field, possible.columns.get(field) ?? []] as const,
  );
  const days = (["date", "instant"] as const).flatMap((field) => possible.columns.get(field) ?? []);
  /** A row of sums, which has no day: its sum of stars is no rating. */
  const isSum = (value: RecordValues) =>
    days.every((name) => isEmpty(value(name))) && totalOf(list.names.map(value)) !== undefined;
  const { profiles } = await profileColumns(list, { names: list.names, fields }, (value, at) => {
    const said = siteNames.map((each) => knownSite(value(each))).find(Boolean);
    // What was searched for, or the run, says it of reviews that name no site themselves.
    const searched = possible.sites.map((each) => siteNamed(each, value(each))).find(Boolean);
    const isNamed = (possible.columns.get("source") ?? []).some((each) => !isEmpty(value(each)));
    const site = said ?? (isNamed ? undefined : (searched ?? source));
    if (!isSum(value)) for (const [name, judge] of judges) judge.add({ value: value(name), at }, site);
    for (const [field, names] of wordNames)
      if (names.length > 1) for (const name of otherWords(field, names, value)) apart.add(name);
    for (const name of dated) if (shownOrder(value(name)) !== undefined) ordered.add(name);
    for (const name of fixed) forms.add(/^\s*\d{1,4}([/.-])/.exec(String(value(name)))?.[1] ?? "");
    for (const name of [...fixed, ...fixedReplies]) {
      const [, day] = /^\s*(\d{1,2})\./.exec(String(value(name))) ?? [];
      if (day !== undefined) dotted.set(name, dotted.get(name) !== false && Number(day) <= 12);
    }
    for (const name of meanNames)
      if (Number(value(name)) > 5)
        otherScale ??= { at, refusal: `${name} ${isValue(value(name))}, more than 5: ${NO_STARS}` };
    for (const name of scaleNames) {
      const best = value(name);
      const highest = Number(best) || Number(/(\d+)(?:\.0+)?\D*$/.exec(String(best).slice(-100))?.[1]);
      if (!isEmpty(best) && highest > 0 && highest !== 5)
        otherScale ??= { at, refusal: `${name} ${isValue(best)}, but must be 5: ${NO_STARS}` };
    }
  });
  const choice = chooseColumns(list, columns, profiles);
  const chosen = choice.columns.get("rating") ?? [];
  // A column that only its values show to name sites, such as "Found at".
  const others = [...(choice.columns.get("source") ?? []), ...choice.sites].filter(
    (name) => !siteNames.includes(name) && !possible.sites.includes(name),
  );
  if (others.length > 0) await judgeBySite(list, judges, others);
  if (choice.unsureState !== undefined)
    return { at: list.headerAt, refusal: unsureRefusal(choice.unsureState, profiles) };
  if (choice.unsureStars !== undefined) return { at: list.headerAt, refusal: starsDoubt(choice.unsureStars) };
  if (choice.unsureWords !== undefined) return { at: list.headerAt, refusal: wordsDoubt(choice.unsureWords) };
  if (!areReviewColumns(choice)) return { at: "", refusal: lacking(choice) };
  // What is said of the ratings is not said of another column, to which the owner points instead.
  const isScaleOfOther = columns?.rating !== undefined && isCalledOtherwise(chosen, { list, columns, profiles });
  if (otherScale !== undefined && !isScaleOfOther) return otherScale;
  const title = isScaleOfOther ? undefined : list.titles?.find((each) => scaleInTitle(each) !== undefined);
  let scaleFault: string | undefined;
  for (const name of chosen) {
    if (!isRatingMapped && isOfPlaceInstead(spellingOf(name), list.names.map(spellingOf)))
      return { at: list.headerAt, refusal: `${quote(name)} ${OF_PLACE_INSTEAD}${quoteName(name)}` };
    const graded = list.titles?.find((each) => each.length <= MAX_LEGEND && isNamedForGrades(each));
    if (!isRatingMapped && graded !== undefined)
      return { at: list.headerAt, refusal: `${quote(name)} below ${quote(graded)} ${SCHOOL_GRADE}${quoteName(name)}` };
    const { examples = new Set() } = profiles.get(name) ?? {};
    const isGraded = isNamedForGrades(name) || isSchoolGrade(spellingOf(name), list.names.map(spellingOf));
    if (!isRatingMapped && isGraded && ![...examples].some((value) => Number(value) > WORST_GRADE))
      return { at: list.headerAt, refusal: `${quote(name)} ${SCHOOL_GRADE}${quoteName(name)}` };
    const held = [...(profiles.get(name)?.examples ?? [])].toSorted().join();
    if (!isRatingMapped && held === "0,1") return { at: list.headerAt, refusal: `${quote(name)} ${OF_THUMBS}` };
    const named =
      scaleInName(name) ??
      (isScaleOfOther ? undefined : scaleBeside(name, profiles)) ??
      (IS_NPS.test(spellingOf(name)) ||
      /^(?:rapport|eind)cijfer$/.test(spellingOf(name)) ||
      (!isRatingMapped && (countsToTen(spellingOf(name), list.names.map(spellingOf)) || isOfPromoters(name, profiles)))
        ? 10
        : undefined);
    if (named === 5) continue;
    scaleFault ??= judges.get(name)?.verdict();
    if (named === undefined && title !== undefined)
      return {
        at: list.headerAt,
        refusal: `${quote(title)} above it says that the ratings count to ${scaleInTitle(title)}, but they must count to 5: ${OTHER_STARS}`,
      };
    if (named !== undefined)
      return {
        at: list.headerAt,
        refusal: `${quote(name)} counts to ${named}, but must count to 5: 5 of ${named} is not 5 of 5; ${OTHER_STARS}`,
      };
  }
  const conflict = await ratingConflict(list, chosen, profiles);
  if (conflict !== undefined) return conflict;
  const orders = new Map<string, DateOrder>();
  if (dates !== undefined) return { choice, profiles, scaleFault, order: dates, orders, swapped: new Set(), apart };
  if (forms.has("/") && (forms.has("-") || forms.has("."))) {
    const changed = await findDateOrder(placedDates(list, fixed), { named: "mdy", today });
    if ("refusal" in changed) return { at: "", refusal: changed.refusal };
  }
  const unsure = dateColumns(choice).filter((name) => ordered.has(name) || !dated.includes(name));
  const hints = { named: unsure.map(orderInName).find(Boolean), today };
  const found = await findDateOrder(placedDates(list, unsure), hints);
  const swapped = new Set([...dotted].flatMap(([name, isLow]) => (isLow ? [name] : [])));
  if ("order" in found) return { choice, profiles, scaleFault, orders, swapped, apart, order: found.order };
  // Days of replies and edits may lack, so that only those of the reviews themselves refuse a file.
  const optional = (["replied", "updated"] as const).flatMap((field) => choice.columns.get(field) ?? []);
  const own = await findDateOrder(
    placedDates(
      list,
      unsure.filter((name) => !optional.includes(name)),
    ),
    hints,
  );
  for (const name of unsure.filter((each) => optional.includes(each))) {
    const theirs = await findDateOrder(placedDates(list, [name]), { today });
    if ("order" in theirs && theirs.order !== undefined) orders.set(name, theirs.order);
  }
  return "refusal" in own
    ? { at: "", refusal: found.refusal }
    : { choice, profiles, scaleFault, orders, swapped, apart, order: own.order };
}

/** The columns whose words of this record are others than those of another column. An excerpt is the same. */
function otherWords(
  field: "text" | "title" | "reply",
  names: readonly string[],
  value: RecordValues,
): readonly string[] {
  const filled = names.filter((name) => {
    const words = value(name);
    return typeof words === "string" && !isEmpty(words) && !isNothing(field, words) && !isNoReply(field, words);
  });
  const starts = new Set(filled.map((name) => String(value(name)).trim().slice(0, MAX_START)));
  return starts.size > 1 ? filled : [];
}

const MAX_START = 20;

/** Looks at the ratings again, with the sites that these columns name. */
async function judgeBySite(list: RecordList, judges: ReadonlyMap<string, ScaleJudge>, sites: readonly string[]) {
  for await (const page of list.pages())
    for (const record of page) {
      if (!("cells" in record)) continue;
      const site = sites.map((each) => siteNamed(each, record.value(each))).find(Boolean);
      if (site === undefined) continue;
      for (const [name, judge] of judges) judge.add({ value: record.value(name), at: record.at }, site);
    }
}

/** Whether another column than the one that the owner named for the stars would have been read. */
function isCalledOtherwise(
  chosen: readonly string[],
  { list, columns, profiles }: { list: RecordList; columns: ColumnMapping; profiles: Profiles },
): boolean {
  const { rating: _, ...others } = columns;
  const called = chooseColumns(list, others, profiles).columns.get("rating") ?? [];
  return called.length > 0 && !called.some((name) => chosen.includes(name));
}

/**
 * What a rating counts to, as a number beside it in its own object says: `{ "given": 4, "of": 10 }`. A number of another
 * name says it only where it is alone with the rating.
 */
function scaleBeside(rating: string, profiles: Profiles): number | undefined {
  const start = rating.slice(0, rating.lastIndexOf(".") + 1);
  if (start === "") return undefined;
  const beside = [...profiles].flatMap(([name, { examples, filled }]) => {
    const member = name.startsWith(start) ? name.slice(start.length) : "";
    return member === "" || name === rating || filled === 0 ? [] : [{ member: spellingOf(member), examples }];
  });
  const told = beside.find(
    ({ member, examples }) =>
      examples.size === 1 &&
      OTHER_SCALE.test([...examples].join()) &&
      (SCALE_BESIDE.test(member) || (beside.length === 1 && !NO_SCALE.test(member))),
  );
  return told === undefined ? undefined : Number([...told.examples][0]);
}

const OTHER_SCALE = /^(?:6|7|10|20|100)(?:\.0+)?$/;

/** Of words in two languages, those of one are a translation. */
function wordsDoubt(names: readonly string[]): string {
  const all = names.map((name) => quote(name)).join(" and ");
  return `${all} hold the same reviews in several languages, of which only one is the customer's own, and nothing says which: name it, such as --columns text=${quoteName(names[0])}. If it is another for each review, put the customers' own words into one column`;
}

/**
 * Whether a rating says how likely a customer is to recommend the business, from 0 to 10: another column says so of the
 * record, as `NPS category` or `surveyType`, and none has the answer itself.
 */
function isOfPromoters(rating: string, profiles: Profiles): boolean {
  const others = [...profiles].filter(([name]) => name !== rating);
  const isSaid = others.some(([, { examples }]) => [...examples].some((value) => OF_PROMOTERS.test(value)));
  return (
    isSaid && !others.some(([name, { numbers, stars }]) => NAMES_NPS.test(spellingOf(name)) && numbers + stars > 0)
  );
}

const OF_PROMOTERS = /^\s*(?:nps|net promoter score|detractors?|promoters?)\s*$/i;
/** How likely customers are to recommend the business, which is asked from 0 to 10 in any case. */
const IS_NPS = /^(?:nps(?:_score|_rating)?|net_promoter(?:_score)?|likelihood_to_recommend)$/;
const NAMES_NPS = /(?:^|_)nps(?:_|$)|likel|recommend/;

/** A state in unknown words may hide reviews: which ones, only the owner can say. */
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
const OF_THUMBS = `holds only 0 and 1, as thumbs do, and no stars: 1 is not one star; ${OTHER_STARS}`;
const OF_PLACE_INSTEAD =
  "seems to be the place's own rating: the customers' stars are in \"review_rating\", which is not in the file. Export it with that column; if these are the customers' stars, --columns rating=";

function lacking({ columns }: ColumnChoice): string {
  const what = columns.has("rating") ? "a date" : "a rating";
  return `no column holds ${what}, as far as its values show: name it with --columns ${columns.has("rating") ? "date" : "rating"}=…`;
}

/** Refuses two columns of ratings that give one review different stars: nothing tells which are the customer's. */
async function ratingConflict(
  list: RecordList,
  chosen: readonly string[],
  profiles: Profiles,
): Promise<Refusal | undefined> {
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
      // The same for every review is the place's, rather than each customer's.
      const example = [first, other].find((name) => profiles.get(name)?.isConstant === false) ?? first;
      const refusal = `${first} is ${values}: name the one that holds the customer's stars, such as --columns rating=${quoteName(example)}`;
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

function fixedDateColumns({ columns }: ColumnChoice, fields: readonly ("date" | "instant" | "replied")[]): string[] {
  return fields.flatMap((field) => columns.get(field) ?? []).filter(isMonthFirst);
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
  const shown = unknown.slice(0, MAX_UNKNOWN_SHOWN);
  if (shown.length === 0) return entries;
  const more = shown.length < unknown.length ? ", …" : "";
  const advice = await columnAdvice(list, choice, options);
  const warning = `does not use the ${list.noun} ${shown.map((name) => quote(name)).join(", ")}${more}${advice}`;
  return [{ at: list.headerAt, warning }, ...entries];
}

const MAX_UNKNOWN_SHOWN = 30;

/** The cell that shows that a row without a date is a total of the rows above it; undefined for any other row. */
function totalOf(cells: Iterable<unknown>): string | undefined {
  return [...cells].find((cell): cell is string => typeof cell === "string" && TOTAL.test(withoutPeriod(cell.trim())));
}
