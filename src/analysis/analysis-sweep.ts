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
import { openStaging } from "../store/staging/staging.ts";
import { readBusiness, type Store } from "../store/store.ts";
import type { Database } from "../store/tables.ts";
import { textTag } from "./language-model/model-cache-key.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

/** A text needs at most two analyses, the lexicon's and a model's; up to a third of the rows may be unused. */
const ROWS_A_TEXT = 3;
const ROWS_ALWAYS_LEFT = 1_000;
const BATCH = 500;

/** Removes unused analyses once they are a large share of all; returns the number of removed rows. */
export async function sweepAnalyses({ database }: Store, rowsAlwaysLeft: number = ROWS_ALWAYS_LEFT): Promise<number> {
  const { verified_sources } = (await readBusiness(database)) ?? UNNAMED_BUSINESS;
  const rows = await countAnalyses(database);
  if (rows <= rowsAlwaysLeft) return 0;
  if (rows <= rowsAlwaysLeft + ROWS_A_TEXT * (await countPublishedTexts(database, verified_sources))) return 0;
  return await removeUnneededAnalyses(database);
}

/**
 * Removes every analysis that no published review needs; returns the number of removed rows. Outside a transaction
 * there is no lock between batches: a row from a concurrent import that is removed by mistake is recomputed when
 * needed.
 */
export async function removeUnneededAnalyses(database: Database): Promise<number> {
  const needs = await openNeeds(database);
  try {
    let removed = 0;
    for await (const keys of allKeys(database)) {
      const needed = needs.among(keys);
      const stale = keys.filter((key) => !needed.has(key) && !isUnpublishedMark(key));
      await deleteAnalyses(database, stale);
      removed += stale.length;
    }
    return removed;
  } finally {
    needs.close();
  }
}

/** Copies the analyses that published reviews need from another store. */
export async function copyNeededAnalyses(from: Database, to: Database): Promise<void> {
  const needs = await openNeeds(to);
  try {
    for await (const keys of allKeys(from)) {
      await keepAnalyses(to, await analysesByKeys(from, [...needs.among(keys)]));
    }
  } finally {
    needs.close();
  }
}

/** The analyses that a store's published reviews need. */
interface Needs {
  /** Returns those of `keys` that are needed. */
  among(keys: readonly string[]): Set<string>;
  close(): void;
}

async function openNeeds(database: Database): Promise<Needs> {
  const business = await readBusiness(database);
  const { verified_sources } = business ?? UNNAMED_BUSINESS;
  const taxonomy = taxonomyOf(business);
  const needed = openStaging();
  for await (const page of publishedTexts(database, verified_sources)) {
    needed.remember(page.map(({ text, rating }) => analysisKey(text, rating, taxonomy)));
    needed.remember(page.map(({ text, rating }) => textTag(text, rating)));
  }
  return {
    among(keys) {
      const remembered = needed.remembered(keys.map(needOf));
      return new Set(keys.filter((key) => remembered.has(needOf(key))));
    },
    close: () => needed.close(),
  };
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
