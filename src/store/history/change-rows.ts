/**
 * The history of changes. The rows that the latest changes replaced are saved (table `saved_row`), so that they can be
 * undone. All writes of reviews but removals go through an open change, which saves every row that it replaces or deletes.
 * `takeBackReviews` puts the saved rows back; `maintenance/undo.ts` restores everything else.
 */
import { isDeepStrictEqual } from "node:util";
import { verifiedSourcesOf } from "../../business.ts";
import { isDescribedAlike } from "../../business-powers.ts";
import { MAX_PAGE_BYTES } from "../../lib/bounded-pages.ts";
import { identityPart } from "../../review.ts";
import { followCorrectedReviews, renameCorrections } from "../correction-rows.ts";
import { isEdited, recordEarlierEdits, recordEdits } from "../edit-rows.ts";
import { insertMany } from "../engine/insert-many.ts";
import { type ListPage, type ListWish, readPage } from "../list-page.ts";
import { renameQuotedReviews } from "../notice-rows.ts";
import {
  forgetSourceImports,
  type PublishedChange,
  type PublishedCounts,
  recordPublishedChange,
  recordSourceImports,
  type SourceImport,
} from "../published-change-rows.ts";
import { deleteReviews, insertReviews, replaceReview, reviewPagesById } from "../review-writes.ts";
import { renameSightings, takeBackSightings } from "../sighting-rows.ts";
import { readSourcePlaces } from "../source-place-rows.ts";
import { parseBusiness, readBusinessText } from "../store.ts";
import type { ChangeTable, Database, ReviewTable, SavedRowTable, SourcePlaceTable } from "../tables.ts";
import { type PublishedDifference, recordDifference, type Written, writtenBy } from "./published-difference.ts";
import { allSavedRows, savedRowsOf } from "./saved-rows.ts";
import {
  addWithdrawn,
  forgetReturned,
  markWithdrawn,
  ownerWithdrawn,
  unmarkChange,
  type WithdrawnReview,
} from "./withdrawn-rows.ts";

/** The number of changes with saved rows, and the size of these rows without those of the latest change. */
export const MAX_SAVED_CHANGES = 10;
export const MAX_SAVED_BYTES = 32_000_000;
/** The number of changes that the history lists. */
const MAX_LINES = 1000;
const ROWS_AT_A_TIME = 100;

/** The commands that can be undone. */
const UNDOABLE = ["import", "withdraw", "restore"] as const;

/** A line of the output of `goodword history --json`. */
export interface HistoryLine {
  readonly number: number;
  readonly at: string;
  readonly command: string;
  readonly files: readonly string[];
  readonly added: number;
  readonly changed: number;
  readonly withdrawn: number;
  readonly undone: boolean;
}

export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly withdrawn: number;
}

/** A change in progress, inside its transaction. */
export interface OpenChange {
  readonly number: number;
  /** Adds rows. With `skipsConflicts`, rows whose id or source key is already stored are skipped. */
  insert(rows: readonly ReviewTable[], options?: { readonly skipsConflicts?: boolean }): Promise<void>;
  /** Replaces `before` with `row`, which may have another id. */
  replace(before: ReviewTable, row: ReviewTable): Promise<void>;
  /** Deletes the rows with these ids. `became` returns the new id of a row that is inserted again. */
  delete(ids: readonly string[], became?: (id: string) => string | null): Promise<void>;
  /** Records reviews that another store has withdrawn. */
  addWithdrawn(reviews: readonly WithdrawnReview[]): Promise<void>;
  /** Adds the change to the history, and to the published one if it altered what is published. Returns what it altered. */
  finish(counts: ChangeCounts, details?: ChangeDetails): Promise<PublishedDifference>;
}

interface ChangeDetails {
  /** The former business file; undefined if it is unchanged. */
  readonly businessBefore?: string | null | undefined;
  /** The sources of the imported reviews, and when they were imported. */
  readonly imports?: readonly SourceImport[];
  /** What was written besides the saved rows, which tell it when absent. */
  readonly written?: Written;
  /** What a restore changed of what is published. */
  readonly published?: PublishedCounts;
  /** Whether it brings corrections of findings, which alter publications but no review. */
  readonly isCorrecting?: boolean;
}

/** How the published history calls the commands that it lists. */
const KINDS: Readonly<Record<string, PublishedChange["kind"]>> = {
  import: "import",
  withdraw: "withdrawal",
  remove: "removal",
  redact: "redaction",
  restore: "restore",
  correct: "correction",
  uncorrect: "correction",
};

/** Begins a change. It is discarded unless `finish` is called in the same transaction. */
export async function openChange(
  transaction: Database,
  { command, files, at }: { readonly command: string; readonly files: readonly string[]; readonly at: Date },
): Promise<OpenChange> {
  const latest = await transaction.selectFrom("change").select("number").orderBy("number", "desc").executeTakeFirst();
  const number = (latest?.number ?? 0) + 1;
  const placesBefore = await readSourcePlaces(transaction);
  // An earlier change with this number may have saved rows and never finished: an import that changed nothing published.
  await transaction.deleteFrom("saved_row").where("change", "=", number).execute();
  /** Undo and restore take out what the owner did not. */
  const withdrawn_by = command === "import" || command === "withdraw" ? number : 0;
  const marks = await ownerWithdrawn(transaction);
  const returned: string[] = [];
  let waiting: SavedRowTable[] = [];
  let edited: string[] = [];
  let [bytes, waitingBytes] = [0, 0];

  async function save(
    rows: readonly Omit<SavedRowTable, "change" | "withdrawn_by" | "withdrawn_source">[],
  ): Promise<void> {
    for (const { id, became, body } of rows) {
      const size = id.length + (body === null ? 0 : Buffer.byteLength(body));
      bytes += size;
      waitingBytes += size;
      const mark = body === null && marks.size > 0 ? marks.get(identityPart(id)) : undefined;
      waiting.push({
        change: number,
        id,
        became,
        body,
        withdrawn_by: mark?.withdrawn_by ?? 0,
        withdrawn_source: mark?.source ?? null,
      });
      if (waiting.length === ROWS_AT_A_TIME || waitingBytes > MAX_PAGE_BYTES) await flush();
    }
  }

  /** Only the first saved row of an id counts: this change itself wrote the later ones. */
  async function flush(): Promise<void> {
    await recordEdits(transaction, edited, at);
    edited = [];
    if (waiting.length === 0) return;
    await insertMany(transaction, "saved_row", { rows: waiting, skipsConflicts: true });
    waiting = [];
    waitingBytes = 0;
  }

  /** Saves that there was no row, and notes which withdrawn reviews are back. */
  async function saveNew(ids: readonly string[]): Promise<void> {
    for (const id of marks.size > 0 ? ids : []) returned.push(marks.get(identityPart(id))?.id ?? id);
    await save(ids.map((id) => ({ id, became: null, body: null })));
  }

  return {
    number,
    async insert(rows, options) {
      await saveNew(rows.map(({ id }) => id));
      await insertReviews(transaction, rows, options);
      await recordEarlierEdits(transaction, rows, at);
      await followCorrectedReviews(transaction, rows);
    },
    async replace(before, row) {
      const isRenamed = before.id !== row.id;
      await save([{ id: before.id, became: isRenamed ? row.id : null, body: JSON.stringify(before) }]);
      if (isRenamed) await saveNew([row.id]);
      await replaceReview(transaction, before.id, row);
      if (!isRenamed && isEdited(before, row)) edited.push(row.id);
      if (isRenamed) await renameReviews(transaction, new Map([[before.id, row.id]]));
    },
    async delete(ids, became = () => null) {
      const gone: WithdrawnReview[] = [];
      const renamed = new Map<string, string>();
      for await (const rows of reviewPagesById(transaction, ids)) {
        await save(rows.map((row) => ({ id: row.id, became: became(row.id), body: JSON.stringify(row) })));
        for (const { id, source } of rows) {
          const other = became(id);
          if (other === null) gone.push({ id, source, withdrawn_by });
          else renamed.set(id, other);
        }
      }
      await deleteReviews(transaction, ids);
      await renameReviews(transaction, renamed);
      await addWithdrawn(transaction, gone);
    },
    async addWithdrawn(reviews) {
      await save(reviews.map(({ id }) => ({ id, became: null, body: null })));
      const theirs = reviews.filter((each) => each.withdrawn_by > 0).map(({ id }) => id);
      await addWithdrawn(
        transaction,
        reviews.map((each) => ({ ...each, withdrawn_by: 0 })),
      );
      await markWithdrawn(transaction, theirs, number); // the numbers of the other store's changes say nothing here
    },
    async finish(counts, { imports = [], ...details } = {}) {
      const { businessBefore } = details;
      await flush();
      await markWithdrawn(transaction, returned, 0);
      await forgetReturned(transaction);
      const row: ChangeTable = {
        ...{ number, at: at.toISOString(), command, files: JSON.stringify(files), ...counts, undone: 0 },
        business_before: businessBefore === undefined ? null : JSON.stringify(businessBefore),
        places_before: isDeepStrictEqual(await readSourcePlaces(transaction), placesBefore)
          ? null
          : JSON.stringify(placesBefore),
        saved_bytes: isUndoable(command) ? bytes : null,
      };
      await transaction.insertInto("change").values(row).execute();
      await recordSourceImports(transaction, number, imports);
      const kind = KINDS[command];
      const altered = { ...details, change: number };
      const published =
        kind === undefined
          ? { added: 0, changed: 0, withdrawn: 0, removed: 0, fresh: [] }
          : await publishChange(transaction, { kind, at }, altered);
      await dropOldSavedRows(transaction);
      return published;
    },
  };
}

/** Gives what the store knows of reviews their new ids. */
async function renameReviews(transaction: Database, renamed: ReadonlyMap<string, string>): Promise<void> {
  await renameCorrections(transaction, renamed);
  await renameSightings(transaction, renamed);
  await renameQuotedReviews(transaction, renamed);
}

/** Records what a change altered of what is published, and adds it to the published history if it did. Returns it. */
async function publishChange(
  transaction: Database,
  { kind, at }: { readonly kind: PublishedChange["kind"]; readonly at: Date },
  {
    change,
    businessBefore,
    published,
    isCorrecting,
    ...details
  }: Omit<ChangeDetails, "imports"> & { readonly change: number },
): Promise<PublishedDifference> {
  const business = parseBusiness(await readBusinessText(transaction));
  const before = businessBefore === undefined ? business : parseBusiness(businessBefore);
  const verifiedSources = verifiedSourcesOf(business);
  const written = details.written ?? (await writtenBy(transaction, change));
  const recording = { verifiedSources, at, change, isRestart: kind === "restore" };
  const isOfAnyDay = recording.isRestart || !isDeepStrictEqual(verifiedSourcesOf(before), verifiedSources);
  const { fresh, ...difference } = await recordDifference(
    transaction,
    isOfAnyDay ? { ...written, days: undefined } : written,
    recording,
  );
  const { withdrawn } = difference;
  const counts = published ?? (kind === "removal" ? { ...difference, withdrawn: 0, removed: withdrawn } : difference);
  const isAltered = Object.values(counts).some((count) => count > 0) || !isDescribedAlike(before, business);
  if (isAltered || kind === "correction" || isCorrecting === true)
    await recordPublishedChange(transaction, { kind, at: at.toISOString(), ...counts });
  return { ...counts, fresh };
}

function isUndoable(command: string): boolean {
  return UNDOABLE.some((name) => name === command);
}

/** Limits the size of the saved rows. Those of the latest change always stay, older ones while they fit. */
async function dropOldSavedRows(transaction: Database): Promise<void> {
  const changes = await transaction
    .selectFrom("change")
    .select(["number", "saved_bytes"])
    .where("saved_bytes", "is not", null)
    .where("undone", "=", 0)
    .orderBy("number", "desc")
    .execute();
  let bytes = 0;
  for (const [index, { number, saved_bytes }] of changes.entries()) {
    if (index > 0) bytes += saved_bytes ?? 0;
    if (index === 0 || (index < MAX_SAVED_CHANGES && bytes <= MAX_SAVED_BYTES)) continue;
    await dropSavedRows(transaction, number);
  }
  const oldest = await transaction
    .selectFrom("change")
    .select("number")
    .orderBy("number", "desc")
    .offset(MAX_LINES)
    .limit(1)
    .executeTakeFirst();
  if (oldest !== undefined) await transaction.deleteFrom("change").where("number", "<=", oldest.number).execute();
}

async function dropSavedRows(transaction: Database, number: number): Promise<void> {
  await transaction.deleteFrom("saved_row").where("change", "=", number).execute();
  await transaction.updateTable("change").set({ saved_bytes: null }).where("number", "=", number).execute();
}

/** The history, newest first. */
export async function readHistory(database: Database): Promise<HistoryLine[]> {
  const rows = await database.selectFrom("change").select(LINE_COLUMNS).orderBy("number", "desc").execute();
  return rows.map(historyLine);
}

/** What the place of a change in their list consists of. */
export const HISTORY_PLACE = ["number"] as const;

/** A page of it. */
export async function historyPage(
  database: Database,
  wish: ListWish<"number">,
): Promise<ListPage<HistoryLine, "number">> {
  const { rows, last } = await readPage(
    database,
    database.selectFrom("change").select(LINE_COLUMNS),
    HISTORY_PLACE,
    wish,
  );
  return { rows: rows.map(historyLine), last };
}

const LINE_COLUMNS = ["number", "at", "command", "files", "added", "changed", "withdrawn", "undone"] as const;
type LineRow = Pick<ChangeTable, (typeof LINE_COLUMNS)[number]>;

function historyLine({ number, at, command, files, added, changed, withdrawn, undone }: LineRow): HistoryLine {
  return { number, at, command, files: JSON.parse(files) as string[], added, changed, withdrawn, undone: undone === 1 };
}

/** The total size of the saved rows in bytes. */
export async function countSavedBytes(database: Database): Promise<number> {
  const row = await database
    .selectFrom("change")
    .select(({ fn }) => fn.sum<number | string | null>("saved_bytes").as("bytes"))
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** The change that `goodword undo` would undo. */
export interface UndoableChange extends HistoryLine {
  /** Whether the rows that it replaced are still saved. */
  readonly areRowsSaved: boolean;
  /** The former business file; undefined if the change did not affect it. */
  readonly businessBefore: string | null | undefined;
  /** The former places of sources; undefined if the change did not affect them. */
  readonly placesBefore: readonly SourcePlaceTable[] | undefined;
}

/** The latest import, withdrawal or restore that has not been undone. */
export async function lastUndoable(database: Database): Promise<UndoableChange | undefined> {
  const row = await database
    .selectFrom("change")
    .selectAll()
    .where("command", "in", UNDOABLE)
    .where("undone", "=", 0)
    .orderBy("number", "desc")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const businessBefore = row.business_before === null ? undefined : (JSON.parse(row.business_before) as string | null);
  const placesBefore = row.places_before === null ? undefined : (JSON.parse(row.places_before) as SourcePlaceTable[]);
  return { ...historyLine(row), areRowsSaved: row.saved_bytes !== null, businessBefore, placesBefore };
}

/**
 * Restores the reviews as they were before a change, and deletes its saved rows. Returns what was changed of the store,
 * and of what is published. `sources` are the verified ones then; with `isOfAnyDay`, the change altered them.
 */
export async function takeBackReviews(
  transaction: Database,
  number: number,
  {
    now,
    sources,
    isOfAnyDay,
  }: { readonly now: Date; readonly sources: readonly string[]; readonly isOfAnyDay: boolean },
): Promise<ChangeCounts & { readonly published: PublishedCounts }> {
  let [added, changed, withdrawn, renamed] = [0, 0, 0, 0];
  const written = await writtenBy(transaction, number);
  await unmarkChange(transaction, number);
  for await (const saved of savedRowsOf(transaction, number)) {
    const earlier = saved.flatMap(({ id, became }) => (became === null ? [] : [[became, id] as const]));
    await renameReviews(transaction, new Map(earlier));
    const ids = saved.map(({ id }) => id);
    const bodies = new Map(saved.map(({ id, body }) => [id, body]));
    const present = new Map<string, string>();
    const edited: string[] = [];
    for await (const page of reviewPagesById(transaction, ids)) {
      for (const row of page) {
        present.set(row.id, row.source);
        const body = bodies.get(row.id) ?? null;
        if (body !== null && isEdited(row, JSON.parse(body) as ReviewTable)) edited.push(row.id);
      }
    }
    await recordEdits(transaction, edited, now);
    await deleteReviews(transaction, ids);
    const leaving = saved.flatMap(({ id, body, withdrawn_by, withdrawn_source }) => {
      const source = withdrawn_source ?? present.get(id);
      return source === undefined || body !== null ? [] : [{ id, source, withdrawn_by }];
    });
    await addWithdrawn(transaction, leaving);
    const marked = leaving.filter(({ withdrawn_by }) => withdrawn_by > 0); // those that were recorded already, too
    for (const [by, some] of Map.groupBy(marked, ({ withdrawn_by }) => withdrawn_by))
      await markWithdrawn(transaction, some.map(({ id }) => id), by); // biome-ignore format: one page
    for (const { id, became, body } of saved) {
      if (body === null) withdrawn += present.has(id) ? 1 : 0;
      else if (present.has(id) || became !== null) changed += 1;
      else added += 1;
      if (body !== null && became !== null) renamed += 1;
    }
  }
  for await (const saved of savedRowsOf(transaction, number)) {
    const rows = saved.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body) as ReviewTable]));
    await insertReviews(transaction, rows, { skipsConflicts: true });
    await followCorrectedReviews(transaction, rows);
  }
  await forgetReturned(transaction);
  const days = isOfAnyDay ? undefined : written.days;
  const recording = { verifiedSources: sources, at: now, change: number };
  const { fresh: _, ...published } = await recordDifference(transaction, { ...written, days }, recording);
  await dropSavedRows(transaction, number);
  await forgetSourceImports(transaction, number);
  await takeBackSightings(transaction, number);
  await transaction.updateTable("change").set({ undone: 1 }).where("number", "=", number).execute();
  return { added, changed, withdrawn: Math.max(0, withdrawn - renamed), published };
}

/** Rewrites every saved row, for removals. `rewrite` returns a changed row, the same one, or null to delete it. */
export async function rewriteSavedRows(
  transaction: Database,
  rewrite: (saved: SavedRowTable) => SavedRowTable | null,
): Promise<void> {
  for await (const saved of allSavedRows(transaction)) {
    for (const row of saved) {
      const rewritten = rewrite(row);
      if (rewritten === row) continue;
      const former = transaction.deleteFrom("saved_row").where("change", "=", row.change).where("id", "=", row.id);
      await former.execute();
      if (rewritten !== null) await transaction.insertInto("saved_row").values(rewritten).execute();
    }
  }
}
