/**
 * Removes stored analyses that no published review needs any more, so that edits, withdrawals and new versions of the
 * analyser do not make the store grow without bound.
 */
import { UNNAMED_BUSINESS } from "../business.ts";
import { analysisKey } from "../insight/text-analysis.ts";
import {
  analysisKeysAfter,
  countAnalyses,
  countPublishedTexts,
  deleteAnalyses,
  publishedTexts,
} from "../store/analysis-rows.ts";
import { isUnpublishedMark } from "../store/model-rows.ts";
import { openStaging } from "../store/staging.ts";
import { readBusiness, type Store } from "../store/store.ts";
import { textTag } from "./language-model/model-cache-key.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

/** A text needs at most two analyses, the lexicon's and a model's. A third of the rows may be unused before they are swept. */
const ROWS_A_TEXT = 3;
const ROWS_ALWAYS_LEFT = 1_000;
const BATCH = 500;

/**
 * Removes unused analyses once they are a large part of all; returns the number of rows. There is no lock between the
 * batches: should a row of a concurrent import be removed by mistake, it is made again when it is needed.
 */
export async function sweepAnalyses(store: Store, rowsAlwaysLeft: number = ROWS_ALWAYS_LEFT): Promise<number> {
  const { database } = store;
  const business = await readBusiness(database);
  const { verified_sources } = business ?? UNNAMED_BUSINESS;
  const rows = await countAnalyses(database);
  if (rows <= rowsAlwaysLeft) return 0;
  if (rows <= rowsAlwaysLeft + ROWS_A_TEXT * (await countPublishedTexts(database, verified_sources))) return 0;
  const taxonomy = taxonomyOf(business);
  const needed = openStaging();
  try {
    for await (const page of publishedTexts(database, verified_sources)) {
      needed.remember(page.map(({ text, rating }) => analysisKey(text, rating, taxonomy)));
      needed.remember(page.map(({ text, rating }) => textTag(text, rating)));
    }
    let swept = 0;
    for (let after = ""; ; ) {
      const keys = await analysisKeysAfter(database, after, BATCH);
      const last = keys.at(-1);
      if (last === undefined) return swept;
      const kept = needed.remembered(keys.map(needOf));
      const stale = keys.filter((key) => !kept.has(needOf(key)) && !isUnpublishedMark(key));
      await deleteAnalyses(database, stale);
      swept += stale.length;
      after = last;
    }
  } finally {
    needed.close();
  }
}

/** The part of a key that decides whether it stays: the whole key of the lexicon, the text's part of a model's key. */
function needOf(key: string): string {
  return key.split(".", 1)[0] ?? key;
}
