/**
 * Finds the reviews that an earlier import of the same source and place had and that this one lacks although it covers
 * them (interface §9), and records what this one had. Call it inside the one transaction of the import.
 */

import { lastArrival } from "../../store/review-writes.ts";
import {
  countOfSource,
  dropOldSightings,
  idsByEdit,
  type LackedReview,
  lackedReviews,
  recordSightings,
  recordVanished,
  reviewsOfAuthors,
  sightingsOf,
  type VanishedReview,
  vanishedOf,
} from "../../store/sighting-rows.ts";
import type { Database, SightingTable } from "../../store/tables.ts";
import { unnamedAuthor } from "../review/candidate.ts";
import type { Staging } from "../staging/staging.ts";
import { lackedIds } from "./apply-staged.ts";

const BATCH = 300;
const DAY_MS = 86_400_000;

/** The number of reviews in each file of a Google Takeout. */
export const TAKEOUT_PAGE = 20;

/** What an import says of the reviews that it lacks. */
export interface Coverage {
  /** Whether the owner says that the files are all of their sources (`--complete`). */
  readonly isDeclared: boolean;
  /** The source of which a whole Takeout of one place is among the files. */
  readonly takeout: string | undefined;
  /** Whether all pages of that Takeout are full: only the last one may be shorter, so that it may have been lost. */
  readonly mayLackLastPage: boolean;
  /** Whether the owner confirms that a page's worth of reviews in a row is really gone. */
  readonly isConfirmed: boolean;
  /** The place of each source's reviews: the ids that the files tell, with their kinds. */
  readonly places: ReadonlyMap<string, readonly string[]>;
  /** When the files were made, as they say. */
  readonly madeAt: Date | undefined;
  /** When the import is made. */
  readonly now: Date;
}

/** In numbers of reviews. */
export interface VanishedCounts {
  readonly vanished: number;
  readonly returned: number;
  /** Those that are missing one after the other, as if a page of the Takeout were: then none counts as vanished. */
  readonly missingInARow: number;
}

export interface Findings extends VanishedCounts {
  /** The sources of which the import had every review that is stored and has not vanished. */
  readonly seenWhole: ReadonlySet<string>;
}

/** Records which reviews have vanished and which are back, as the work of a change. Call it before any is withdrawn. */
export async function findVanished(
  database: Database,
  change: number,
  { staging, coverage }: { readonly staging: Staging; readonly coverage: Coverage },
): Promise<Findings> {
  const at = coverage.now.toISOString();
  const seenWhole = new Set<string>();
  let [vanished, returned, missingInARow] = [0, 0, 0];
  for (const source of staging.sources()) {
    const listed = new Map((await vanishedOf(database, source)).map((row) => [row.id, row]));
    const former = [...listed.values()].filter(({ returned_at }) => returned_at === null);
    const given = staging.remembered(former.map(({ id }) => id));
    const back = former.filter(({ id }) => given.has(id));
    const rows = back.map((row): VanishedReview => ({ ...row, returned_at: at }));
    const covers = coverage.isDeclared || coverage.takeout === source;
    const lacked = (await countOfSource(database, source)) - staging.countRemembered(source);
    let isWhole = lacked === 0;
    if (lacked > 0 && (covers || lacked <= former.length)) {
      const { gone, unknown } = await lackedOf(database, source, { staging, coverage, listed });
      const isTrusted = coverage.isDeclared || coverage.isConfirmed;
      const { mayLackLastPage } = coverage;
      const inARow =
        covers && !isTrusted ? await countInPages(database, source, { staging, gone, mayLackLastPage }) : 0;
      missingInARow += inARow;
      const isProof = covers && inARow === 0;
      for (const [id, { rating, had_last_at }] of isProof ? gone : [])
        rows.push({ id, source, rating, had_last_at, lacked_first_at: at, returned_at: null });
      isWhole = unknown === 0 && (isProof || gone.size === 0);
    }
    await recordVanished(database, change, rows);
    vanished += rows.length - back.length;
    returned += back.length;
    if (isWhole) seenWhole.add(source);
  }
  return { vanished, returned, missingInARow, seenWhole };
}

type SeenAt = Pick<SightingTable, "at" | "place" | "made_at">;

type Gone = Pick<VanishedReview, "rating" | "had_last_at">;

/** Those reviews that an earlier import proves to be gone, and how many others the import lacks that were not gone before. */
async function lackedOf(
  database: Database,
  source: string,
  given: {
    readonly staging: Staging;
    readonly coverage: Coverage;
    readonly listed: ReadonlyMap<string, VanishedReview>;
  },
): Promise<{ readonly gone: Map<string, Gone>; readonly unknown: number }> {
  const { staging, coverage, listed } = given;
  const ofAll = await sightingsOf(database, source, [""]);
  const gone = new Map<string, Gone>();
  let unknown = 0;
  for await (const page of lackedIds(database, staging, [source])) {
    const ids = page.filter((id) => listed.get(id)?.returned_at !== null);
    if (ids.length === 0) continue;
    const ofOne = Map.groupBy(await sightingsOf(database, source, ids), ({ id }) => id);
    const rows = await lackedReviews(database, ids);
    const edited = await editedOf(database, source, { rows, staging });
    for (const { id, rating, arrived } of rows) {
      const since = listed.get(id)?.returned_at ?? "";
      const proves = (one: SeenAt) => one.at >= since && provesMissing(one, source, coverage);
      const ofAllThen = ofAll.filter((one) => arrived <= Number(one.arrived));
      const last = [ofOne.get(id)?.find(proves), ofAllThen.find(proves)]
        .flatMap((one) => one?.at ?? [])
        .toSorted()
        .at(-1);
      if (last === undefined || edited.has(id)) unknown += 1;
      else gone.set(id, { rating, had_last_at: last });
    }
  }
  return { gone, unknown };
}

/** Whether an import can tell that a review is gone which another one had: one of the same place, of older files. */
function provesMissing({ place, made_at }: SeenAt, source: string, { madeAt, isDeclared, places }: Coverage): boolean {
  // An archive's times have no zone, and copies of files may be made in any order.
  if (madeAt !== undefined && made_at !== null && madeAt.getTime() + DAY_MS < Date.parse(made_at)) return false;
  const [now, before] = [places.get(source) ?? [], place === "" ? [] : place.split("\n")];
  if (isDeclared && (now.length === 0 || before.length === 0)) return true;
  return now.some((id) => before.includes(id));
}

/** Those of the reviews that an author seems to have edited: without ids, another one of that day is in the import. */
async function editedOf(
  database: Database,
  source: string,
  { rows, staging }: { readonly rows: readonly LackedReview[]; readonly staging: Staging },
): Promise<ReadonlySet<string>> {
  const areIdsMissing = staging.hasBasis("content") || staging.hasBasis("published id");
  const doubtful = rows.filter(
    ({ source_id, author }) => (areIdsMissing || source_id === null) && author !== unnamedAuthor(source),
  );
  const others = await reviewsOfAuthors(database, source, doubtful);
  const given = staging.remembered(others.map(({ id }) => id));
  const written = new Set(others.filter(({ id }) => given.has(id)).map(({ author, date }) => `${date} ${author}`));
  return new Set(doubtful.filter(({ author, date }) => written.has(`${date} ${author}`)).map(({ id }) => id));
}

/**
 * Counts those of the missing reviews that Google lists one after the other, as many as a page or more, or at an end of the
 * list if the last page may be missing. A Takeout does not number its pages, so that only this shows that one was lost.
 */
async function countInPages(
  database: Database,
  source: string,
  given: { readonly staging: Staging; readonly gone: ReadonlyMap<string, Gone>; readonly mayLackLastPage: boolean },
): Promise<number> {
  const { staging, gone, mayLackLastPage } = given;
  if (gone.size < TAKEOUT_PAGE && !mayLackLastPage) return 0;
  let [count, run, isEnd] = [0, 0, true];
  const end = () => {
    if (run >= TAKEOUT_PAGE || (isEnd && mayLackLastPage)) count += run;
    run = 0;
  };
  const all = await idsByEdit(database, source);
  for (let from = 0; from < all.length; from += BATCH) {
    const page = all.slice(from, from + BATCH);
    const present = staging.remembered(page);
    for (const id of page) {
      if (gone.has(id)) run += 1;
      else if (present.has(id)) {
        end();
        isEnd = false;
      }
    }
  }
  isEnd = true;
  end();
  return count;
}

/** Records what the import had, as the work of a change; of 0 if it made none. */
export async function recordSeen(
  transaction: Database,
  change: number,
  {
    staging,
    coverage,
    seenWhole,
  }: { readonly staging: Staging; readonly coverage: Coverage } & Pick<Findings, "seenWhole">,
): Promise<void> {
  const { now, madeAt, places } = coverage;
  const arrived = await lastArrival(transaction);
  for (const source of staging.sources()) {
    const place = (places.get(source) ?? []).join("\n");
    const row = {
      source,
      change,
      place,
      at: now.toISOString(),
      made_at: madeAt?.toISOString() ?? null,
      arrived: null,
      until_change: null,
    };
    if (seenWhole.has(source)) await recordSightings(transaction, [{ ...row, id: "", arrived }]);
    else
      for (const ids of staging.rememberedOf(source, BATCH))
        await recordSightings(transaction, ids.map((id) => ({ ...row, id }))); // biome-ignore format: one page
    await dropOldSightings(transaction, source);
  }
}
