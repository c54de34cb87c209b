/** Reads files into the staging area: finds the format of each, validates its records, and reports what is refused. */
import { Invalid, type Issue, quote, quoteName } from "../issue.ts";
import { ownWords } from "../lib/own-words.ts";
import { MISPLACED_BUSINESS, seemsBusinessFile } from "./business-file.ts";
import { withExample } from "./example-reviews.ts";
import { isCalled, isNamedForGrades, SCHOOL_GRADE } from "./format/column-names.ts";
import type { Format, ReadOptions } from "./format/format.ts";
import { chooseColumns, missingColumns } from "./format/goodword/column-choice.ts";
import { goodwordJson, isOfHidden, memberNames } from "./format/goodword/goodword-json.ts";
import { goodwordTable } from "./format/goodword/goodword-table.ts";
import { untoldWarning } from "./import-advice.ts";
import { type ImportCounts, openImportCounts, type SAYERS } from "./import-counts.ts";
import type { InputFile } from "./input/input-file.ts";
import type { Inputs } from "./input/inputs.ts";
import { FORMATS } from "./known-formats.ts";
import type { FoundPlaces, PlaceFilter } from "./place/found-places.ts";
import { locationNamed } from "./place/place-name.ts";
import { placeInList, placeInTitle } from "./place/told-place.ts";
import { invalidField, UNRECOGNISED_TABLE } from "./plain-issue.ts";
import type { LoggedFile, LoggedRecord, RecordLog } from "./record-log.ts";
import { warnOfDamage, warnOfDoubts, warnOfLeftOut } from "./record-warnings.ts";
import type { AuthorIndex } from "./review/author-index.ts";
import { type Entry, type RawReview, stagedReview } from "./review/candidate.ts";
import { oneLine } from "./review/customer-text.ts";
import { placeInListName } from "./review/list-name.ts";
import type { ReadFrom } from "./review/read-from.ts";
import { ASSUMED_SOURCE, knownSite, namedSource, siteInFileName, siteInTitle } from "./review/review-source.ts";
import { type FieldFault, type ImportDefaults, validateReview } from "./review/review-validation.ts";
import type { Staging } from "./staging/staging.ts";
import {
  type Content,
  readContent,
  type SheetContent,
  type TableContent,
  type UnknownContent,
} from "./syntax/content.ts";
import type { OwnField } from "./words/column-words.ts";

/** The content of one document or table. A workbook has several. */
type SingleContent = Exclude<Content, { readonly syntax: "workbook" }>;

/** How files are read, and what is told of them. */
interface FileReading {
  readonly counts: ImportCounts;
  /** The options that describe tables. */
  readonly options: ReadOptions;
  /** Notes the places of all records. */
  readonly places: FoundPlaces;
  /** Called from time to time with the name of the current file. */
  readonly onRead?: ((file: string) => void) | undefined;
}

interface RecordReading extends FileReading {
  /** Takes a record. The next one waits for its promise. */
  readonly take: (record: LoggedRecord) => Promise<void> | undefined;
}

/** Where records go, the defaults for all of them, and the counts. */
export interface Intake extends FileReading {
  readonly staging: Staging;
  readonly defaults: ImportDefaults;
  /** Tells the records of the place that is imported. Without it, all are taken. */
  readonly filter?: PlaceFilter | undefined;
  /** Holds the records of files that have been read before. Of those, files of other places alone are passed over. */
  readonly log?: RecordLog | undefined;
  /** Reads the authors of stored reviews; only called for a record without an author. */
  readonly authorIndex: () => Promise<AuthorIndex>;
  /** Called after every hundred records. */
  readonly onStaged: () => Promise<void>;
  /** No review can be from a later day, wherever the business is. */
  readonly latestDay: string;
}

const RECORDS_BETWEEN_REPORTS = 500;
const STAGED_AT_A_TIME = 100;
const MAX_COLUMNS_SHOWN = 30;
/** A source is a service on which reviews are written. They are listed in memory. */
const MAX_SOURCES = 1_000;
const TOO_MANY_SOURCES = `source names more than ${MAX_SOURCES} services on which reviews were written. Check that it does not hold something else`;

/** The start of the advice to map columns. It applies only to people who run the command themselves. */
export const COLUMNS_ADVICE = "If other columns hold them, name these: --columns ";
const SAVED_PAGE =
  "is a page saved from {page}: it holds only the reviews that were on the screen, with their age instead of their date, and long ones cut short. Ask for the whole with Google Takeout (takeout.google.com, Google Business Profile) and import its .zip";

/** Reads all files except business files. Refuses a folder or archive without any file in a known format. */
export async function readInputs(inputs: Inputs, intake: Intake): Promise<void> {
  const { counts, log, filter } = intake;
  for (const issue of inputs.issues) counts.refuseFile([issue]);
  for (const name of inputs.passedOver) counts.passOver(name);
  const originsWithReviews = new Set<string>();
  for (const file of inputs.files) {
    intake.onRead?.(file.name);
    const logged = log?.files.get(file.name);
    const isSkipped = logged !== undefined && filter?.isOfOthers(file.name) === true;
    if (file.isBusinessFile || isSkipped || (await stageFile(file, logged, intake)))
      for (const origin of file.origins) originsWithReviews.add(origin);
  }
  for (const origin of inputs.origins) {
    if (originsWithReviews.has(origin) || inputs.issues.some(({ path }) => String(path[0]).startsWith(origin)))
      continue;
    const names = inputs.files.filter(({ origins }) => origins.includes(origin)).map(({ name }) => name);
    const misplaced = names.find((name) => counts.misplacedBusinesses.has(name));
    const why =
      misplaced === undefined ? nothingIn(names) : `has nothing to import: ${misplaced} ${MISPLACED_BUSINESS}`;
    const plain = misplaced === undefined ? {} : { plain: MISPLACED };
    counts.refuseFile([{ code: "nothing", path: [origin], message: `${origin} ${why}`, ...plain }]);
  }
  if (counts.refused + counts.files.length > 0 || inputs.files.some(({ isBusinessFile }) => isBusinessFile)) return;
  for (const name of counts.misplacedBusinesses)
    counts.refuseFile([{ code: "nothing", path: [name], message: `${name} ${MISPLACED_BUSINESS}`, plain: MISPLACED }]);
}

const MISPLACED = ownWords`it ${MISPLACED_BUSINESS}`;

/** Says that a folder or archive of these files holds no reviews, and what to do. */
function nothingIn(names: readonly string[]): string {
  if (names.length === 0) return "has nothing to import: it is empty";
  if (names.some((name) => name.endsWith("!word/document.xml")))
    return "is a Word document, which reviews cannot be read from: copy its table into a spreadsheet, and save that as .xlsx or CSV";
  const found = `has nothing to import: it holds ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
  const packed = names.find((name) => /\.(zip|tgz|tar\.gz|tar)$/i.test(name));
  return packed === undefined
    ? `${found}. Reviews are read from a Google Takeout (reviews*.json), a table (.xlsx or CSV) or JSON: check that it is the right one`
    : `${found}. Archives inside archives are not opened: unpack it, and import ${packed.split(/[!/\\]/).at(-1)}`;
}

/** Reads all files except business files into a log. */
export async function logInputs({ files }: Inputs, log: RecordLog, options: ReadOptions): Promise<void> {
  const { places } = log;
  for (const [number, file] of files.entries()) {
    if (file.isBusinessFile) continue;
    const counts = openImportCounts();
    function take(record: LoggedRecord): undefined {
      counts.read += 1;
      log.add(number, record);
    }
    const isKnown = await readFile(file, { options, counts, places, take });
    log.files.set(file.name, { number, counts, isKnown });
  }
}

/** Stages the records of one file. Returns whether it has a known format or was refused. */
async function stageFile(file: InputFile, logged: LoggedFile | undefined, intake: Intake): Promise<boolean> {
  const { log, counts, filter } = intake;
  let authors: AuthorIndex | undefined;
  async function takeUnnamed(record: LoggedRecord): Promise<void> {
    authors = await intake.authorIndex();
    await take(record);
  }
  function take(one: LoggedRecord): Promise<void> | undefined {
    if (authors === undefined && "review" in one.record && isUnnamed(one.record.review)) return takeUnnamed(one);
    stageRecord(one, intake, authors);
    if (counts.read % RECORDS_BETWEEN_REPORTS === 0) intake.onRead?.(one.file);
    return counts.read % STAGED_AT_A_TIME === 0 ? intake.onStaged() : undefined;
  }
  if (log === undefined || logged === undefined) return await readFile(file, { ...intake, take });
  counts.addFile(logged.counts);
  return await orRefused(counts, async () => {
    for (const one of log.records(logged.number, filter?.keys ?? new Set())) await take(one);
    return logged.isKnown;
  });
}

/** Reads one file. Returns whether it has a known format or was refused. */
async function readFile(file: InputFile, reading: RecordReading): Promise<boolean> {
  return await orRefused(reading.counts, async () => {
    const content = await readContent(file);
    const doubt = await file.encodingDoubt?.();
    if (doubt !== undefined) reading.counts.warn(`${file.name} ${doubt}`);
    if (content.syntax !== "workbook") return await readRecords(file, content, reading);
    for (const words of content.unread) reading.counts.warn(`${file.name}: ${words}`);
    return await readSheets(file, content.sheets, reading);
  });
}

/** What `read` returns, or true if it refuses the file. */
async function orRefused(counts: ImportCounts, read: () => Promise<boolean>): Promise<boolean> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    counts.refuseFile(error.issues);
    return true;
  }
}

/** Reads the sheets that hold reviews. If none does, the first sheet is treated as the whole file. */
async function readSheets(file: InputFile, sheets: readonly SheetContent[], reading: RecordReading): Promise<boolean> {
  const named = sheets.map(({ name, isHidden, table }) => ({
    isHidden: isHidden || (isOfHidden(name) && !/^archived?$/i.test(name.trim())),
    file: { ...file, name: `${file.name}, sheet ${quote(name)}` },
    table,
    sheet: name,
  }));
  const isTable = ({ table }: { readonly table: TableContent }) =>
    hasMappedColumns(table.columns, reading.options) || formatOf(table, reading.options) !== undefined;
  const withReviews = named.filter(isTable);
  const places = withReviews.map(({ sheet }) => placeInListName(sheet));
  const isOfSeveral = new Set(places.filter((place) => place !== undefined)).size > 1;
  const areAllHidden = withReviews.every(({ isHidden }) => isHidden);
  const areOfSites = withReviews.some(({ sheet }) => knownSite(sheet) !== undefined);
  for (const [index, { file: named, table, sheet, isHidden }] of withReviews.entries()) {
    if (areOfSites && knownSite(sheet) === undefined && !isOfSeveral && !isHidden)
      reading.counts.warn(
        `${named.name}: the sheet is called after no site, as others are: its reviews are taken to be from where you say, if they do not say it themselves`,
      );
    const hidden = isHidden && !areAllHidden ? `sheet ${sheet}` : undefined;
    await readRecords(named, table, reading, { place: places[index], isOfSeveral, site: knownSite(sheet), hidden });
  }
  const [first] = named;
  if (withReviews.length === 0 && first !== undefined) return await readRecords(first.file, first.table, reading);
  for (const sheet of named) if (!isTable(sheet)) reading.counts.passOver(sheet.file.name);
  return true;
}

/** What the name of a sheet says of its reviews. */
interface SheetSays {
  readonly place?: string | undefined;
  readonly isOfSeveral?: boolean;
  readonly site?: string | undefined;
  /** Why its reviews are not shown: the sheet is hidden, or called as what is (`Rejected`). */
  readonly hidden?: string | undefined;
  /** The rows that it does not show, by their numbers. */
  readonly hiddenRows?: ReadonlyMap<number, string> | undefined;
}

/** A record with what its sheet's name says, where the record does not say it. */
function inSheet<Each extends Entry>(entry: Each, { place, isOfSeveral = false, site, ...says }: SheetSays): Each {
  if (!("review" in entry)) return entry;
  const hidden = says.hidden ?? says.hiddenRows?.get(Number(/\d+$/.exec(entry.at)?.[0]));
  const { review } = entry;
  return {
    ...entry,
    ...(place !== undefined && { place: placeInList(entry.place, { name: place, isOfSeveral }) }),
    review: {
      ...review,
      ...(site !== undefined && namedSource(review) === undefined && { source: site }),
      ...(hidden !== undefined && { hidden: review.hidden ?? hidden }),
    },
  };
}

/** Reads one document or table. Returns whether it has a known format or was refused. */
async function readRecords(
  file: InputFile,
  content: SingleContent,
  reading: RecordReading,
  ofSheet: SheetSays = {},
): Promise<boolean> {
  const { counts, options } = reading;
  requireColumns(file, content, options);
  const format = formatOf(content, options);
  if (format === undefined) return await skip(file, content, reading);
  counts.extents.set(format.name, (counts.extents.get(format.name) ?? new Set()).add(format.extent(content)));
  if (content.syntax === "csv" && content.titles.length > 0) {
    const titles = content.titles.map((title) => quote(title)).join(", ");
    const at = content.headerAt === "" ? "" : ` (${content.headerAt})`;
    counts.warn(`${file.name}: above the header${at}, ${titles} is passed over`);
  }
  const titled = content.syntax === "csv" ? content.titles.map(placeInTitle).find(Boolean) : undefined;
  const around = content.syntax === "csv" ? siteAround(content) : undefined;
  const hiddenRows = content.syntax === "csv" ? content.hidden?.rows : undefined;
  const inside = foldersOf(file);
  const isGeneric = format === goodwordTable || format === goodwordJson;
  const says = {
    ...ofSheet,
    hidden: ofSheet.hidden ?? inside.hidden,
    hiddenRows,
    place: ofSheet.place ?? placeInListName(titled ?? ""),
    site: ofSheet.site ?? around?.site ?? (isGeneric ? inside.site : undefined),
  };
  const before = counts.read;
  let readFrom: ReadFrom = {};
  for await (const given of format.records(content, { ...options, source: says.site ?? options.source })) {
    for (const entry of Symbol.iterator in given ? given : [given]) {
      if ("refusal" in entry)
        throw new Invalid([refusalOf(file, entry.refusal, entry.at === "" ? ": " : `, ${entry.at}: `)]);
      if ("warning" in entry) {
        counts.warn(`${file.name}${entry.at === "" ? "" : `, ${entry.at}`}: ${entry.warning}`);
        continue;
      }
      if ("readFrom" in entry) {
        readFrom = entry.readFrom;
        continue;
      }
      const waiting = reading.take({ file: file.name, record: inSheet(entry, says) });
      if (waiting !== undefined) await waiting;
    }
  }
  if (counts.read === before && content.syntax === "csv")
    counts.warn(`${file.name}: there are no reviews below its header. Check that it is the right file`);
  if (isGeneric)
    warnOfFileName(
      file,
      readFrom.source === undefined ? (says.site ?? options.source ?? ASSUMED_SOURCE) : undefined,
      counts,
    );
  const label = content.syntax === "csv" && format === goodwordTable ? content.label : format.name;
  if (says.site !== undefined && readFrom.source === undefined)
    readFrom = { ...readFrom, source: { from: [ofSheet.site === undefined && around ? around.from : file.name] } };
  counts.files.push({ name: file.name, format: label, records: counts.read - before, isNamed: file.named, readFrom });
  return true;
}

/**
 * What the names of a file, and of the folders that hold it below what the owner named, say of its reviews: that they are
 * not shown (`rejected.csv`, `drafts/1.json`), or where they were written (`yelp/reviews.csv`).
 */
function foldersOf({ name, named, origins: [origin = ""] }: InputFile): Pick<SheetSays, "hidden" | "site"> {
  const path = name.replace(/, sheet ".*$/, "");
  const below = named ? "" : path.includes("!") ? path.slice(path.lastIndexOf("!") + 1) : path.slice(origin.length);
  const parts = below.split(/[/\\]/).filter(Boolean);
  const hidden = parts.find((part) => {
    const word = part.replace(/\.\w+$/, "");
    return isOfHidden(word) && !OF_ANY_FOLDER.test(word);
  });
  const site = parts.slice(0, -1).map(knownSite).findLast(Boolean);
  return { hidden: hidden === undefined ? undefined : `in ${hidden}`, site };
}

/** Names of folders and files whose reviews may be as good as others. */
const OF_ANY_FOLDER = /^(?:archived?|tests?|test[_-]?data|private|internal|fake|old|flags?|reported|ignored?)$/i;

/** Columns of a review. Others, such as a link to the business's page, say nothing of where it was written. */
const OF_REVIEW: readonly OwnField[] = ["rating", "author", "text", "date", "instant"];

/** The site that a line above a table names, or the brackets behind a review's columns: `Author (Yelp)`. */
function siteAround({
  titles,
  columns,
}: Pick<TableContent, "titles" | "columns">): { readonly site: string; readonly from: string } | undefined {
  const above = titles.map(siteInTitle).find(Boolean);
  if (above !== undefined) return { site: above, from: "above the header" };
  const named = columns.flatMap((from) => {
    const [, name = "", inside = ""] = /^([^()]+)\(([^()]+)\)\s*$/.exec(from) ?? [];
    const site = siteInTitle(inside);
    return site === undefined || !OF_REVIEW.some((field) => isCalled(name, field)) ? [] : [{ site, from }];
  });
  return new Set(named.map(({ site }) => site)).size === 1 ? named[0] : undefined;
}

/** Warns of a file that is called after another site than the one whose reviews its rows count as. */
function warnOfFileName({ name }: InputFile, source: string | undefined, counts: ImportCounts): void {
  const site = siteInFileName(name.replace(/, sheet ".*$/, ""));
  if (source === undefined || site === undefined || site === source) return;
  counts.warn(
    `${name}: the file is called after ${site}, but its reviews are imported as those of ${source}: if they were written at ${site}, import it with --source ${site}`,
  );
}

/** Whether neither an id nor an author says which review this is. */
function isUnnamed({ id, author }: RawReview): boolean {
  return (id ?? "") === "" && (author ?? "") === "";
}

/** Finds the format of the content. What has columns or members that the owner mapped is always read by that mapping. */
function formatOf(content: SingleContent, options: ReadOptions): Format | undefined {
  const isMapped = hasMappedColumns(namesIn(content, options), options);
  const formats = isMapped ? [goodwordTable, goodwordJson, ...FORMATS] : FORMATS;
  return formats.find((format) => format.recognises(content, options));
}

/** The names that a mapping can be about: a table's columns, or the members of JSON records. */
function namesIn(content: SingleContent, { columns = {} }: ReadOptions): readonly string[] {
  if (content.syntax === "csv") return content.columns;
  return Object.keys(columns).length === 0 ? [] : memberNames(content);
}

function hasMappedColumns(given: readonly string[], { columns = {} }: ReadOptions): boolean {
  return Object.keys(columns).length > missingColumns(given, columns).length;
}

/** @throws Invalid when the table has only some of the columns that the owner mapped. */
function requireColumns(file: InputFile, content: SingleContent, { columns = {} }: ReadOptions): void {
  const isTable = content.syntax === "csv";
  if (Object.keys(columns).length === 0 || !(isTable || content.syntax.startsWith("json"))) return;
  const names = namesIn(content, { columns });
  const missing = missingColumns(names, columns);
  // A list of JSON records can hold anything: only one that has some of the members is meant.
  const isMeant = isTable && file.named ? true : hasMappedColumns(names, { columns });
  if (missing.length === 0 || !(isMeant || (file.named && names.length > 0))) return;
  const wanted = missing.map((column) => quote(column)).join(", ");
  const [one, many] = isTable ? ["column", "columns"] : ["member", "members"];
  throw new Invalid([
    refusalOf(file, `has no ${one} ${wanted}, which --columns names; its ${many} are ${listed(names)}`, " "),
  ]);
}

function refusalOf({ name }: InputFile, refusal: string, mark = ": "): Issue {
  return { code: "file", path: [name], message: `${name}${mark}${refusal}` };
}

/**
 * Handles a file without a known format. A business file in a place where none counts is skipped with a warning. Others
 * are refused if the user named them, and skipped with a note otherwise.
 */
async function skip(file: InputFile, content: SingleContent, { counts, places }: FileReading): Promise<boolean> {
  const value = content.syntax === "json" ? content.value : content.syntax === "json lines" ? content.first : undefined;
  const location = locationNamed(file.name, value);
  if (location !== undefined) places.noteName(file.name, location);
  const why = content.syntax === "unknown" ? content.why : unrecognised(content);
  const isSuspect = content.syntax === "unknown" && content.isSuspect;
  if (!isSuspect && (await seemsBusinessFile(file))) {
    counts.passOverBusiness(file.name, `${file.name} ${MISPLACED_BUSINESS}.`);
    return false;
  }
  if (file.named || isSuspect) {
    const plain = content.syntax === "csv" ? { plain: UNRECOGNISED_TABLE } : {};
    counts.refuseFile([{ code: "unrecognised", path: [file.name], message: `${file.name} ${why}`, ...plain }]);
    return true;
  }
  counts.passOver(file.name);
  if (content.syntax === "csv" && chooseColumns({ names: content.columns, noun: "columns" }).columns.has("rating"))
    counts.warn(`${file.name} ${why}`);
  const isSaved = content.syntax === "html" && content.page !== undefined;
  if (isSaved || (content.syntax === "unknown" && /UTF-16|zip|spreadsheet|Excel/.test(why)))
    counts.warn(`${file.name} ${why}`);
  return false;
}

/** Explains why readable content has no known format. */
function unrecognised(content: Exclude<SingleContent, UnknownContent>): string {
  if (content.syntax === "html") {
    return content.page === undefined
      ? "is a web page that holds no reviews for programs (JSON-LD, microdata or RDFa of schema.org): export the reviews at the service that has them, and import that file"
      : SAVED_PAGE.replace("{page}", content.page);
  }
  const isTable = content.syntax === "csv";
  const given = isTable ? content.columns : memberNames(content);
  if (!isTable && given.length === 0)
    return "is JSON, but not in a review format that can be imported: it holds no list of reviews. Check that it is the right file";
  const { columns: names } = chooseColumns({ names: given, noun: isTable ? "columns" : "members" });
  const lacks = [
    ...(names.has("rating") ? [] : ["rating"]),
    ...(names.has("date") || names.has("instant") ? [] : ["date"]),
  ];
  const others = (["author", "text"] as const).filter((field) => !names.has(field));
  const mapping = [...lacks, ...others].map((field) => `${field}="…"`).join(",");
  const optional =
    others.length === 0
      ? ""
      : `. Leave out ${others.join(" and ")} only if no column holds ${others.length === 1 ? "it" : "them"}`;
  const unnamed = names.has("author") ? "" : ": imported without their authors, the same reviews count as others";
  if (!isTable)
    return `is JSON, but not in a review format that can be imported: it has the members ${listed(given)}, and reviews need rating and date. ${mapping === "" ? TOO_DEEP : `${COLUMNS_ADVICE}${mapping}${optional}${unnamed}`}`;
  const grades = names.has("rating") ? undefined : given.find(isNamedForGrades);
  if (grades !== undefined) return `has the column ${quote(grades)}, which ${SCHOOL_GRADE}${quoteName(grades)}`; // before it is chosen
  return `has the columns ${listed(given)}, but a table of reviews needs rating and date${lacks.length === 1 ? `: none is known as the ${lacks[0]}` : ""}. ${COLUMNS_ADVICE}${mapping}${optional}${unnamed}`;
}

const TOO_DEEP = "No list in it has both in its records: save the list of the reviews alone as a file, and import that";

function listed(columns: readonly string[]): string {
  const shown = columns.slice(0, MAX_COLUMNS_SHOWN).map((column) => quote(column));
  return `${shown.join(", ")}${columns.length > MAX_COLUMNS_SHOWN ? ", …" : ""}`;
}

/** Stages a record, or reports its faults. */
function stageRecord(
  { file, record: entry }: LoggedRecord,
  { staging, defaults, counts, latestDay, places, filter }: Intake,
  authors: AuthorIndex | undefined,
): void {
  const place = entry.at === "" ? file : `${file}, ${entry.at}`;
  counts.read += 1;
  const placed = { file, place: entry.place, isFaulty: "fault" in entry };
  if (filter?.has(placed) === false) {
    counts.otherPlaces += 1;
    if (entry.place === undefined) counts.warnCounted(`untold\0${file}`, (count) => untoldWarning(file, count));
    return;
  }
  const sources = places.note(placed);
  if ("fault" in entry) {
    counts.refuseRecord([{ code: "record", path: [file, entry.at], message: `${place}: ${entry.fault}` }]);
    return;
  }
  const { review, names } = entry;
  const named = namedSource(review);
  const position = { file, place };
  warnOfDamage(review, position, counts);
  const onLeftOut = (fault: FieldFault) => warnOfLeftOut(fault, position, counts);
  const validated = validateReview(review, names, { ...defaults, onLeftOut });
  if (Array.isArray(validated)) {
    counts.refuseRecord(
      validated.map(({ name, field, message }): Issue => {
        const plain = invalidField(name, entry.at);
        return { code: "field", path: [file, entry.at, field], message: `${place}: ${field} ${message}`, plain };
      }),
    );
    return;
  }
  warnOfDoubts(validated, review, { position, named, defaults, latestDay, counts });
  sources?.add(validated.source);
  if ((validated.hidden ?? null) === null) counts.examples.set(file, withExample(counts.examples.get(file), validated));
  const sayer = sayerOfSource(named, defaults);
  counts.sources.getOrInsertComputed(validated.source, () => ({ file: 0, owner: 0, nobody: 0 }))[sayer] += 1;
  if (counts.sources.size > MAX_SOURCES)
    throw new Invalid([{ code: "source", path: [file], message: `${place}: ${TOO_MANY_SOURCES}` }]);
  const newest = validated.updated_at ?? validated.written_at ?? validated.date;
  if (newest > counts.newest) counts.newest = newest;
  const storedAuthor = isUnnamed(review) ? authors?.authorOf(validated) : undefined;
  const author = validated.author ?? (storedAuthor === undefined ? undefined : oneLine(storedAuthor));
  staging.add(stagedReview({ ...validated, author }, place));
}

/** Who says where a review was written. `named`: the source that it names itself. */
function sayerOfSource(
  named: string | undefined,
  { source, isSourceOverriding }: ImportDefaults,
): (typeof SAYERS)[number] {
  if (source !== undefined && (named === undefined || isSourceOverriding)) return "owner";
  return named === undefined ? "nobody" : "file";
}
