/** The importer: runs the steps of an import and writes the result to the store in one transaction. */

import { isDeepStrictEqual } from "node:util";
import { sweepAnalyses } from "../analysis/analysis-sweep.ts";
import { confirmCorrections } from "../analysis/correction-findings.ts";
import { taxonomyChoice } from "../analysis/trade-taxonomy.ts";
import { type BusinessFile, UNNAMED_BUSINESS, verifiedSourcesOf } from "../business.ts";
import { changedPowers } from "../business-powers.ts";
import { unreadSentence } from "../insight/prose/unread-sentence.ts";
import { byFrequency } from "../insight/statistics/language-statistics.ts";
import { isReadLanguage } from "../insight/text/language.ts";
import { Invalid, type Issue } from "../issue.ts";
import { type OwnWords, ownWords } from "../lib/own-words.ts";
import { isLocalBusiness } from "../local-business-types.ts";
import { pageLanguageOf } from "../page-languages.ts";
import { isAnyPublished } from "../store/change-sequence.ts";
import { commit } from "../store/dry-run.ts";
import { sqliteFileOf } from "../store/engine/sqlite.ts";
import { recordChangeNotice } from "../store/history/change-notice.ts";
import { openChange } from "../store/history/change-rows.ts";
import { listRemovals } from "../store/history/removal-rows.ts";
import {
  authoredTexts,
  countLanguages,
  countVerified,
  idsInLanguages,
  publishedReviews,
  type StoredCopy,
  sameAuthorAndDay,
  storedCopies,
} from "../store/review-rows.ts";
import { addSourcePlaces, readSourcePlaces } from "../store/source-place-rows.ts";
import {
  lockRevision,
  openStore,
  raiseRevision,
  readBusiness,
  readBusinessText,
  readRevision,
  type Store,
  writeBusiness,
} from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { applyStaged, type ReviewChange, withdraw } from "./apply/apply-staged.ts";
import { type Coverage, findVanished, recordSeen } from "./apply/coverage.ts";
import { leaveOutRemoved, readRemovals } from "./apply/redaction.ts";
import { rezone } from "./apply/rezone.ts";
import { type ImportedBusiness, readImportedBusiness } from "./business-file.ts";
import { TAKEOUT_SOURCE } from "./format/google/google-review.ts";
import {
  categoryWarning,
  copyWarnings,
  hiddenWarning,
  languageWarning,
  leftOutWarning,
  logoWarning,
  NO_BUSINESS,
  possibleEditWarning,
  REPEATED,
  readdressedWarning,
  rezonedWarning,
  vanishedWarnings,
  withdrawalWarning,
  withheldWarning,
} from "./import-advice.ts";
import { analysisKeys, openImportAnalysis, storeAnalyses } from "./import-analysis.ts";
import { type ImportCounts, openImportCounts, SAYERS } from "./import-counts.ts";
import type { ImportOptions, ImportReport } from "./import-report.ts";
import { type ImportInput, type InputFile, nameOf } from "./input/input-file.ts";
import { type Inputs, openInputs } from "./input/inputs.ts";
import { logInputs, readInputs } from "./intake.ts";
import { type FoundPlace, type FoundPlaces, openFoundPlaces, type PlaceFilter } from "./place/found-places.ts";
import { choosePlaces, type RememberedPlace } from "./place/place-choice.ts";
import { areAllPagesFull, isWholeTakeout, requireComplete, requireEncoding, requireSource } from "./preconditions.ts";
import { memoryWarning } from "./publishing-memory.ts";
import { openRecordLog, type RecordLog } from "./record-log.ts";
import { indexAuthors } from "./review/author-index.ts";
import { unnamedAuthor } from "./review/candidate.ts";
import { ASSUMED_SOURCE, type SourceDefaults } from "./review/review-source.ts";
import { serviceAdvice } from "./service-advice.ts";
import { mergeDuplicates } from "./staging/deduplication.ts";
import { openStaging, type Staging } from "./staging/staging.ts";

export type { ReviewChange } from "./apply/apply-staged.ts";
export type { ColumnMapping } from "./format/column-mapping.ts";
export type { ImportOptions, ImportReport, Progress } from "./import-report.ts";
export type { ImportInput } from "./input/input-file.ts";
export type { FoundPlace } from "./place/found-places.ts";
export type { RecordLog } from "./record-log.ts";
export type { DateOrder } from "./review/free-form-date.ts";

/** The code of the issues that ask for a confirmation. */
export const UNCONFIRMED = "unconfirmed";

const DEFAULT_ZONE = UNNAMED_BUSINESS.time_zone;
/** An import that withdraws more than this share of the published reviews must be confirmed (interface §5). */
const MAX_UNCONFIRMED_SHARE = 1 / 5;
const MAX_CHANGES_LISTED = 10_000;
const DAY_MS = 86_400_000;

/**
 * Imports files, folders and archives.
 * @throws Invalid with all faults (up to a limit) unless `skipInvalid` is given. The store is then unchanged.
 */
export async function importPaths(
  store: Store,
  paths: readonly ImportInput[],
  options: ImportOptions,
): Promise<ImportReport> {
  for (const source of [options.source, options.overrideSource]) if (source !== undefined) requireSource(source);
  if (options.encoding !== undefined) requireEncoding(options.encoding);
  const inputs = await openInputs(paths, { ...options, storeFile: sqliteFileOf(store.database) });
  const { log } = options.logged ?? {};
  try {
    const { report, target } = await importInputs(store, log === undefined ? inputs : withLogged(inputs, log), {
      ...options,
      files: options.files ?? [...paths.map(nameOf), ...(log?.paths ?? [])],
    });
    if (!report.revised || options.dryRun === true) return report;
    return { ...report, warnings: [...report.warnings, ...(await sweep(target))] };
  } finally {
    await inputs.close();
  }
}

/** The inputs, and those that were read into a log. */
function withLogged({ close, ...own }: Inputs, log: RecordLog): Inputs {
  return {
    files: [...own.files, ...log.inputs.files],
    origins: [...own.origins, ...log.inputs.origins],
    passedOver: [...own.passedOver, ...log.inputs.passedOver],
    issues: [...own.issues, ...log.inputs.issues],
    close,
  };
}

/** Deletes analyses that are no longer needed. A failure is only a warning: the import has been committed. */
async function sweep(store: Store): Promise<string[]> {
  try {
    await sweepAnalyses(store);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`Analyses that are no longer needed could not be removed (${reason}). The next import tries again.`];
  }
}

/** Checks an import in a temporary store. */
export async function checkPaths(paths: readonly ImportInput[], options: ImportOptions): Promise<ImportReport> {
  const store = await openStore("sqlite:");
  try {
    return await importPaths(store, paths, { ...options, dryRun: true });
  } finally {
    await store.close();
  }
}

/** Everything that an import has collected before it writes to the store. */
interface Gathered {
  readonly imported: ImportedBusiness | undefined;
  readonly zone: string;
  readonly counts: ImportCounts;
  readonly staging: Staging;
  /** How many reviews were excluded because the owner removed them. */
  readonly leftOut: number;
  /** Which places the store has to remember. */
  readonly places: readonly RememberedPlace[];
  readonly coverage: Coverage;
}

/** Returns the report and the store that was written to. */
async function importInputs(
  store: Store,
  inputs: Inputs,
  options: ImportOptions,
): Promise<{ readonly report: ImportReport; readonly target: Store }> {
  const isDryRun = options.dryRun === true;
  const stored = await readBusiness(store.database);
  const remembered = await readSourcePlaces(store.database);
  const isConfirmed = options.yes === true;
  const wishes = { option: options.location, ofBusiness: stored?.location, remembered, isConfirmed };
  const { logged } = options;
  let reading = await read(store, inputs, { stored, options, filter: logged?.log.places.filter([logged.place]) });
  try {
    const isMissing = inputs.issues.some(({ code }) => code === "path");
    // Without any business the reviews would be published under no name.
    const isNameless = reading.isBusinessRefused && stored === undefined && options.reviewsOnly !== true;
    const isSkipping = options.skipInvalid === true && !isMissing && !isNameless;
    const isRefused = isMissing || (reading.isBusinessRefused && !isSkipping);
    const places =
      logged === undefined ? reading.places.list() : [{ ...logged.place, sources: [...reading.counts.sources.keys()] }];
    const ofBusiness = (reading.imported?.business ?? stored)?.location;
    const { kept, fresh } = isRefused
      ? { kept: places, fresh: [] }
      : choosePlaces(places, { ...wishes, ofBusiness, hasReviews: reading.counts.read > 0 });
    if (kept.length < places.length) {
      const filter = reading.places.filter(kept);
      await reading.close();
      reading = await read(store, inputs, { stored, options, filter });
    }
    const { counts, staging, analysis, imported, zone } = reading;
    if (mergeDuplicates(staging, counts.refuseRecord).has("content")) counts.warn(REPEATED);
    if (counts.refused > 0 && !isSkipping) throw counts.invalid();
    if (options.complete === true) await requireComplete(staging, counts);
    const { removals, index } = await readRemovals(store.database);
    const leftOut = await leaveOutRemoved(store.database, staging, index);
    if (leftOut > 0) counts.warn(leftOutWarning(leftOut));
    await analysis.drain((written) =>
      options.onProgress?.({ phase: "analysing", file: null, read: counts.read, written }),
    );
    const coverage = await coverageOf(inputs, { counts, kept, options });
    const target = (await options.makeStore?.()) ?? store;
    const report = await commit(target.database, isDryRun, async (transaction) => {
      await lockRevision(transaction);
      const before = await readBusiness(transaction);
      if (before?.time_zone !== stored?.time_zone)
        throw new Error("Another import changed the time zone. Import again.");
      if (!isDeepStrictEqual(await listRemovals(transaction), removals))
        throw new Error("A review was removed or redacted during this import. Import again.");
      if (!isDeepStrictEqual(await readSourcePlaces(transaction), remembered))
        throw new Error("Another import brought reviews of a place during this one. Import again.");
      const applied = await applyImport(
        transaction,
        before,
        { imported, zone, counts, staging, leftOut, places: fresh, coverage },
        options,
      );
      if (isDryRun) await options.onApplied?.(transaction);
      return applied;
    });
    return { report, target };
  } finally {
    await reading.close();
  }
}

/** What was read of the inputs. */
interface Reading extends Omit<Gathered, "leftOut" | "places" | "coverage"> {
  readonly isBusinessRefused: boolean;
  readonly places: FoundPlaces;
  readonly analysis: ReturnType<typeof openImportAnalysis>;
  close(): Promise<void>;
}

/** Reads the inputs into a new staging area; only the records that `filter` has, if it is given. */
async function read(
  store: Store,
  inputs: Inputs,
  given: {
    readonly stored: BusinessFile | undefined;
    readonly options: ImportOptions;
    readonly filter?: PlaceFilter | undefined;
  },
): Promise<Reading> {
  const { stored, options, filter } = given;
  const counts = openImportCounts();
  const businesses = inputs.files.filter(({ isBusinessFile }) => isBusinessFile);
  if (options.reviewsOnly === true) refuseBusinesses(businesses, counts);
  const imported = await readImportedBusiness(businesses, counts);
  const isBusinessRefused = counts.refused > 0;
  const business = imported?.business ?? stored;
  const zone = business?.time_zone ?? DEFAULT_ZONE;
  const staging = openStaging(options.dryRun === true ? undefined : analysisKeys(business));
  const analysis = openImportAnalysis(store.database, staging, { business });
  const places = openFoundPlaces();
  const close = async () => {
    await analysis.close();
    staging.close();
  };
  try {
    await readInputs(inputs, {
      staging,
      places,
      filter,
      log: options.logged?.log,
      onStaged: analysis.prefetch,
      authorIndex: async () => await indexAuthors(authoredTexts(store.database)),
      defaults: {
        zone,
        businessName: business?.name,
        verifiedSources: business?.verified_sources,
        website: business?.url,
        ...sourceDefaults(options),
      },
      options: { ...options, today: options.now.toISOString().slice(0, 10) },
      counts,
      latestDay: new Date(options.now.getTime() + DAY_MS).toISOString().slice(0, 10),
      onRead: (file) => options.onProgress?.({ phase: "reading", file, read: counts.read, written: 0 }),
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { imported, isBusinessRefused, zone, counts, staging, analysis, places, close };
}

/**
 * Reads files, to import the reviews of each place in them (`logged`). Nothing is written.
 * @throws Invalid if a path cannot be opened.
 */
export async function readForPlaces(
  paths: readonly string[],
  options: Omit<ImportOptions, "now"> = {},
): Promise<RecordLog> {
  using stack = new DisposableStack();
  const inputs = await openInputs(paths, options);
  try {
    if (inputs.issues.length > 0) throw new Invalid(inputs.issues);
    const log = stack.use(openRecordLog(paths, inputs));
    await logInputs(inputs, log, options);
    stack.move();
    return log;
  } finally {
    await inputs.close();
  }
}

const ONLY_REVIEWS = ownWords`it describes a business, but only reviews are taken from here`;

/** Refuses business files, which could change the business and the list of sources. */
function refuseBusinesses(files: readonly InputFile[], counts: ImportCounts): void {
  for (const { name } of files) {
    const message = `${name} describes a business, but only reviews are taken from here`;
    counts.refuseFile([{ code: "business", path: [name], message, plain: ONLY_REVIEWS }]);
  }
}

/** What the files say of the reviews that they lack. */
async function coverageOf(
  inputs: Inputs,
  {
    counts,
    kept,
    options,
  }: { readonly counts: ImportCounts; readonly kept: readonly FoundPlace[]; readonly options: ImportOptions },
): Promise<Coverage> {
  const places = new Map<string, string[]>();
  for (const { ids, sources } of kept)
    for (const source of sources)
      places.getOrInsertComputed(source, () => []).push(...ids.map(({ kind, id }) => `${kind} ${id}`));
  const source = options.overrideSource ?? TAKEOUT_SOURCE;
  const isPlaced = places.get(source)?.some((place) => place.startsWith("location ")) === true;
  const isSkipping = options.skipInvalid === true;
  const times = inputs.files.flatMap(({ isBusinessFile, modifiedAt }) =>
    isBusinessFile || modifiedAt === undefined ? [] : [modifiedAt.getTime()],
  );
  const madeAt = Math.max(...times);
  return {
    isDeclared: options.complete === true && !isSkipping,
    takeout: isPlaced && !isSkipping && (await isWholeTakeout(counts, inputs)) ? source : undefined,
    mayLackLastPage: areAllPagesFull(counts, places.get(source)),
    isConfirmed: options.yes === true,
    places,
    madeAt: counts.newest !== "" && madeAt >= Date.parse(counts.newest) ? new Date(madeAt) : undefined,
    now: options.now,
  };
}

/** The source for reviews without one, or for all reviews if the owner overrides what the files name. */
function sourceDefaults({ source, overrideSource }: ImportOptions): SourceDefaults {
  return { source: overrideSource ?? source, isSourceOverriding: overrideSource !== undefined };
}

/** Writes the collected data, raises the revision if anything changed, and makes the report. */
async function applyImport(
  transaction: Database,
  before: BusinessFile | undefined,
  gathered: Gathered,
  options: ImportOptions,
): Promise<ImportReport> {
  const { imported, zone, counts, staging, leftOut, places, coverage } = gathered;
  const business = imported?.business;
  const change = await openChange(transaction, { command: "import", files: options.files ?? [], at: options.now });
  const businessBefore = await readBusinessText(transaction);
  const isFileNew = business !== undefined && (await writeBusiness(transaction, business));
  const isZoneNew = zone !== (before?.time_zone ?? DEFAULT_ZONE);
  const rezoned = isZoneNew ? await rezone(transaction, change, { staging, zone }) : 0;
  const sourcesBefore = verifiedSourcesOf(before);
  const published = options.complete === true ? await countVerified(transaction, sourcesBefore) : 0;
  const verifiedSources = verifiedSourcesOf(business ?? before);
  const changes: ReviewChange[] = [];
  const onChange = (one: ReviewChange) => void (changes.length < MAX_CHANGES_LISTED && changes.push(one));
  const applying = { staging, verifiedSources, onChange: options.list === true ? onChange : undefined };
  const isFirst = !(await isAnyPublished(transaction));
  const { added, changed, readdressed, withheld, hidden } = await applyStaged(transaction, change, {
    ...applying,
    onBatch: (written) => options.onProgress?.({ phase: "writing", file: null, read: counts.read, written }),
  });
  const found = await findVanished(transaction, change.number, { staging, coverage });
  const { withdrawn, unpublished } =
    options.complete === true ? await withdraw(transaction, change, applying) : { withdrawn: 0, unpublished: 0 };
  const questions: Issue[] = [];
  const ask = (about: string, plain: OwnWords) =>
    questions.push({ code: UNCONFIRMED, path: [about], message: plain, plain });
  if (unpublished > published * MAX_UNCONFIRMED_SHARE) ask("complete", withdrawalWarning(unpublished, published));
  const tooMuch = added + changed > 0 ? await memoryWarning(transaction, options.memoryMb) : undefined;
  if (tooMuch !== undefined) ask("memory", tooMuch);
  requireConfirmation(questions, counts, options);
  const revised = isFileNew || rezoned + added + changed + withdrawn > 0;
  await storeAnalyses(transaction, staging);
  await addSourcePlaces(transaction, places);
  const isChange = revised || found.vanished + found.returned > 0;
  await recordSeen(transaction, isChange ? change.number : 0, { staging, coverage, ...found });
  if (isChange) {
    const at = options.now.toISOString();
    const altered = await change.finish(
      { added, changed: rezoned + changed, withdrawn },
      {
        businessBefore: isFileNew ? businessBefore : undefined,
        // What is published tells of imports, and changes with the revision alone.
        imports: revised ? staging.sources().map((source) => ({ source, first_at: at, last_at: at })) : [],
      },
    );
    const told = { number: change.number, published: altered, isEdit: true, at: options.now, isFirst };
    await recordChangeNotice(transaction, { ...told, vanished: found.vanished });
  }
  if (revised) {
    await raiseRevision(transaction, options.now);
    await confirmCorrections(transaction);
  }
  for (const warning of vanishedWarnings(found, coverage.isDeclared)) counts.warn(warning);
  if (rezoned > 0) counts.warn(rezonedWarning(rezoned, zone));
  if (readdressed > 0) counts.warn(readdressedWarning(readdressed));
  if (added > 0) await warnOfPossibleEdits(transaction, gathered);
  if (sumOf(hidden) > 0) counts.warn(hiddenWarning(hidden));
  const all = await storedCopies(transaction, verifiedSources);
  const copies = reportUnpublished(all, gathered, { withheld, isFileNew });
  const languages = await reportLanguages(transaction, all, { verifiedSources, staging });
  const unread = unreadSentence(languages);
  if (unread !== undefined && counts.read > 0 && options.isReadByModel !== true) counts.warn(unread);
  if (business === undefined && before === undefined) counts.warn(NO_BUSINESS);
  const described = business ?? before;
  if (options.dryRun === true && described !== undefined && described.services.length > 0) {
    const advice = serviceAdvice(await publishedReviews(transaction, verifiedSources), described);
    if (advice !== undefined) counts.warn(advice);
  }
  if (business !== undefined) warnOfBusiness(business, before, { counts, options });
  return {
    read: counts.read,
    added,
    changed,
    unchanged: counts.read - counts.otherPlaces - counts.refusedRecords - added - changed - leftOut,
    left_out: leftOut,
    other_places: counts.otherPlaces,
    withheld: sumOf(withheld) + sumOf(hidden),
    duplicates: copies,
    withdrawn,
    vanished: found.vanished,
    returned: found.returned,
    refused: counts.refused,
    withheld_sources: withheld,
    withheld_states: hidden,
    ...languages,
    warnings: counts.warnings,
    sources: [...counts.sources].flatMap(([source, said]) =>
      SAYERS.flatMap((said_by) => (said[said_by] === 0 ? [] : { source, said_by, records: said[said_by] })),
    ),
    ...(options.dryRun === true && { to_confirm: questions.map(({ message }) => message) }),
    passed_over: counts.passedOver,
    issues: counts.issues,
    files: reportedFiles(counts, options),
    ...(options.list === true && { changes }),
    taxonomy: taxonomyChoice(business ?? before),
    business: business === undefined ? null : !isFileNew ? "unchanged" : before === undefined ? "added" : "changed",
    business_file: imported?.file.name ?? null,
    business_changes: business === undefined ? [] : changedPowers(before, business),
    revision: (await readRevision(transaction)).number,
    revised,
  };
}

function reportedFiles({ files, examples }: ImportCounts, { dryRun }: ImportOptions): ImportReport["files"] {
  return files.map(({ name, format, records, readFrom }) => {
    const shown = dryRun === true ? examples.get(name) : undefined;
    return { name, format, records, read_from: readFrom, ...(shown !== undefined && { examples: shown }) };
  });
}

/** Warns of what a business file says that documents cannot show, or not as it is meant. */
function warnOfBusiness(
  business: BusinessFile,
  before: BusinessFile | undefined,
  { counts, options }: { readonly counts: ImportCounts; readonly options: ImportOptions },
): void {
  const { language, logo_url: logo } = business;
  const category = business.category ?? before?.category ?? "LocalBusiness";
  // A check says it each time, not only when it is new.
  if ((options.dryRun === true || category !== before?.category) && !isLocalBusiness(category))
    counts.warn(categoryWarning(category));
  if (language !== undefined && language !== before?.language && pageLanguageOf(language) === undefined)
    counts.warn(languageWarning(language));
  if (logo !== undefined && logo !== before?.logo_url && options.baseUrl !== undefined)
    if (new URL(logo).origin !== new URL(options.baseUrl).origin) counts.warn(logoWarning(logo));
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Warns of reviews without ids whose author has another one of the same day that the files do not have: an edit. */
async function warnOfPossibleEdits(transaction: Database, { counts, staging }: Gathered): Promise<void> {
  // A review with an own id cannot be taken for another one.
  if (!staging.hasBasis("content") && !staging.hasBasis("published id")) return;
  const sources = staging.sources();
  const unnamed = [...new Set(sources.map(unnamedAuthor))];
  const groups = await sameAuthorAndDay(transaction, { sources, unnamed });
  const doubled = groups.flatMap((group) => {
    const given = staging.remembered(group.map(({ id }) => id));
    const [now, before] = [group.find(({ id }) => given.has(id)), group.find(({ id }) => !given.has(id))];
    return now === undefined || before === undefined ? [] : [{ now, before }];
  });
  if (doubled.length > 0) counts.warn(possibleEditWarning(doubled));
}

/** Counts, and warns about, reviews that two sources have and reviews without a verified source. */
function reportUnpublished(
  all: readonly StoredCopy[],
  { counts, staging }: Gathered,
  {
    withheld,
    isFileNew,
  }: {
    readonly withheld: Readonly<Record<string, number>>;
    readonly isFileNew: boolean;
  },
): number {
  const ofRun = staging.remembered(all.flatMap(({ id, original }) => [id, original.id]));
  const copies = all.filter(
    ({ id, original, isVerified }) => isVerified && (isFileNew || ofRun.has(id) || ofRun.has(original.id)),
  );
  for (const warning of copyWarnings(copies)) counts.warn(warning);
  for (const [source, count] of Object.entries(withheld)) {
    const withheldCopies = all.filter((copy) => copy.source === source && !copy.isVerified && ofRun.has(copy.id));
    const originals = [...new Set(withheldCopies.map(({ original }) => original.source))].toSorted();
    const isAssumed = source === ASSUMED_SOURCE && (counts.sources.get(source)?.nobody ?? 0) > 0;
    counts.warn(withheldWarning({ source, count, isAssumed, copies: withheldCopies.length, originals }));
  }
  return copies.length;
}

/** The languages of the reviews that are published from now on, as insights count them. */
async function reportLanguages(
  transaction: Database,
  copies: readonly StoredCopy[],
  { verifiedSources, staging }: { readonly verifiedSources: readonly string[]; readonly staging: Staging },
): Promise<Pick<ImportReport, "languages" | "unread_count" | "unread_in_files">> {
  const unpublished = copies.filter(({ isVerified }) => isVerified).map(({ id }) => id);
  const languages = [...(await countLanguages(transaction, verifiedSources, unpublished))]
    .map(([language, count]) => ({ language, review_count: count, analysed: isReadLanguage(language) }))
    .filter(({ review_count }) => review_count > 0)
    .toSorted(byFrequency);
  const unread = languages.filter(({ analysed }) => !analysed);
  const unread_count = unread.reduce((sum, { review_count }) => sum + review_count, 0);
  const hidden = new Set(unpublished);
  let unread_in_files = 0;
  const tags = unread.map(({ language }) => language);
  for await (const ids of idsInLanguages(transaction, verifiedSources, tags))
    unread_in_files += [...staging.remembered(ids)].filter((id) => !hidden.has(id)).length;
  return { languages, unread_count, unread_in_files };
}

/** @throws Invalid with the questions that are not confirmed. */
function requireConfirmation(questions: readonly Issue[], counts: ImportCounts, options: ImportOptions): void {
  const { asked } = options;
  const isSeen = ({ path, message }: Issue) => path[0] !== "complete" || asked?.includes(message) !== false;
  if (questions.length === 0 || (options.yes === true && questions.every(isSeen))) return;
  if (options.dryRun === true) for (const { message } of questions) counts.warn(message);
  else throw new Invalid(questions);
}
