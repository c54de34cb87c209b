/**
 * Now and then removes kept analyses that no published review needs any more, so that edits, withdrawals and new
 * versions of the lexicon do not make the store grow for ever.
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

/** A text needs at most two analyses, the lexicon's and a model's. A third of the rows may be stale before we sweep. */
const ROWS_A_TEXT = 3;
const ROWS_ALWAYS_LEFT = 1_000;
const BATCH = 500;

/**
 * Removes what is not needed when it has come to be a good part of all. Gives how many rows. Only whole keys of what
 * is published are compared, without a lock between the batches: a row of another import that comes in meanwhile and
 * is lost is made again by whoever needs it.
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

/** What must be remembered for a key to stay: the whole of a lexicon's key, the text's part of a model's. */
function needOf(key: string): string {
  return key.split(".", 1)[0] ?? key;
}
