/**
 * Removes stored analyses that no published review needs any more: after every removal, and when they are a large share
 * of all analyses, so that edits, withdrawals and new analyser versions do not make the store grow without bound.
 */
import { UNNAMED_BUSINESS } from "../business.ts";
import { analysisKey } from "../insight/text-analysis.ts";
import {
  analysesByKeys,
  analysisKeysAfter,
  countAnalyses,
  countPublishedTexts,
  deleteAnalyses,
  keepAnalyses,
  publishedTexts,
} from "../store/analysis-rows.ts";
import { isUnpublishedMark } from "../store/model-analysis-rows.ts";
import { readBusiness, type Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { textKey } from "./language-model/model-cache-key.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

/** A text needs at most two analyses, the lexicon's and a model's; up to a third of the rows may be unused. */
const MAX_ROWS_PER_TEXT = 3;
const MIN_ROWS_TO_SWEEP = 1_000;
const BATCH = 500;

/** Removes unused analyses once they are a large share of all; returns the number of removed rows. */
export async function sweepAnalyses({ database }: Store, minRowsToSweep: number = MIN_ROWS_TO_SWEEP): Promise<number> {
  const { verified_sources } = (await readBusiness(database)) ?? UNNAMED_BUSINESS;
  const rows = await countAnalyses(database);
  if (rows <= minRowsToSweep) return 0;
  if (rows <= minRowsToSweep + MAX_ROWS_PER_TEXT * (await countPublishedTexts(database, verified_sources))) return 0;
  return await removeUnneededAnalyses(database);
}

/**
 * Removes every analysis that no published review needs; returns the number of removed rows. Outside a transaction
 * there is no lock between batches: a row from a concurrent import that is removed by mistake is recomputed when
 * needed.
 */
export async function removeUnneededAnalyses(database: Database): Promise<number> {
  const needed = await readNeeded(database);
  let removed = 0;
  for await (const keys of allKeys(database)) {
    const unneeded = keys.filter((key) => !needed.has(needOf(key)) && !isUnpublishedMark(key));
    await deleteAnalyses(database, unneeded);
    removed += unneeded.length;
  }
  return removed;
}

/** Copies the analyses that published reviews need from another store. */
export async function copyNeededAnalyses(from: Database, to: Database): Promise<void> {
  const needed = await readNeeded(to);
  for await (const keys of allKeys(from)) {
    const copied = keys.filter((key) => needed.has(needOf(key)));
    await keepAnalyses(to, await analysesByKeys(from, copied));
  }
}

/** The analyses that a store's published reviews need, as `needOf` gives them: two for each text, some 200 bytes. */
async function readNeeded(database: Database): Promise<ReadonlySet<string>> {
  const business = await readBusiness(database);
  const { verified_sources } = business ?? UNNAMED_BUSINESS;
  const taxonomy = taxonomyOf(business);
  const needed = new Set<string>();
  for await (const page of publishedTexts(database, verified_sources)) {
    for (const { text, rating } of page) {
      needed.add(analysisKey(text, rating, taxonomy)).add(textKey(text, rating));
    }
  }
  return needed;
}

/** All keys, ascending, page by page. */
async function* allKeys(database: Database): AsyncGenerator<readonly string[]> {
  for (let after = ""; ; ) {
    const keys = await analysisKeysAfter(database, after, BATCH);
    const last = keys.at(-1);
    if (last === undefined) return;
    yield keys;
    after = last;
  }
}

/**
 * The part of a key that decides whether its row is kept: the whole key for the lexicon, the text's part for a model.
 */
function needOf(key: string): string {
  return key.split(".", 1)[0] ?? key;
}
