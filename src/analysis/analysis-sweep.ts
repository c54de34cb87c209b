/**
 * Removes stored analyses that no published review needs any more: after every removal, and when they are a large share
 * of all analyses, so that edits, withdrawals and new analyser versions do not make the store grow without bound.
 */
import { z } from "zod";
import { verifiedSourcesOf } from "../business.ts";
import type { Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import { isReadLanguage, languageOfText } from "../insight/text/language.ts";
import { analysisKey, type TextAnalysis } from "../insight/text-analysis.ts";
import { HYPHEN, JOINT, readThemeWords } from "../insight/theme/theme-words.ts";
import { type AspectMention, analysisSchema, aspectMentionSchema } from "../insights-document.ts";
import type { Review } from "../review.ts";
import {
  analysesBelow,
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
import type { AnalysisTable, Database } from "../store/tables.ts";
import { textKey } from "./language-model/model-cache-key.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

/** A text needs at most two analyses, the program's and a language model's; up to a third of the rows may be unused. */
const MAX_ROWS_PER_TEXT = 3;
const MIN_ROWS_TO_SWEEP = 1_000;
const BATCH = 500;

/** Removes unused analyses once they are a large share of all; returns the number of removed rows. */
export async function sweepAnalyses({ database }: Store, minRowsToSweep: number = MIN_ROWS_TO_SWEEP): Promise<number> {
  const sources = verifiedSourcesOf(await readBusiness(database));
  const rows = await countAnalyses(database);
  if (rows <= minRowsToSweep) return 0;
  if (rows <= minRowsToSweep + MAX_ROWS_PER_TEXT * (await countPublishedTexts(database, sources))) return 0;
  return await removeUnneededAnalyses(database);
}

/**
 * Removes every analysis that no published review needs; returns the number of removed rows. Outside a transaction
 * there is no lock between batches: a row from a concurrent import that is removed by mistake is recomputed when
 * needed.
 */
export async function removeUnneededAnalyses(database: Database): Promise<number> {
  const needed = new Set<string>();
  for await (const { need } of neededBy(database)) needed.add(need);
  let removed = 0;
  for await (const keys of allKeys(database)) {
    const unneeded = keys.filter((key) => !needed.has(needOf(key)) && !isUnpublishedMark(key));
    await deleteAnalyses(database, unneeded);
    removed += unneeded.length;
  }
  return removed;
}

/**
 * Copies the analyses that published reviews need from a backup. One that its review's text does not bear out is left
 * out, and computed again when it is needed.
 */
export async function copyNeededAnalyses(from: Database, to: Database): Promise<void> {
  const taxonomy = taxonomyOf(await readBusiness(to));
  const texts = new Map<string, string>();
  for await (const { need, text } of neededBy(to)) texts.set(need, text);
  for await (const keys of allKeys(from)) {
    const rows = await analysesByKeys(
      from,
      keys.filter((key) => texts.has(needOf(key))),
    );
    const borneOut = rows.filter((row) => isBorneOut(row, texts.get(needOf(row.key)) ?? "", taxonomy));
    await keepAnalyses(to, borneOut);
  }
}

/** As long as the analyser's longest, and without half of a character. */
const evidence = z
  .string()
  .max(1_000)
  .refine((words) => words.isWellFormed());
const bodySchema = analysisSchema
  .pick({ language: true, sentiment: true, score: true, problems: true })
  .extend({
    aspects: z.array(aspectMentionSchema.extend({ evidence }).omit({ corrected: true }).strict()),
    theme_words: z.string(),
  })
  .strict();

/** Whether a stored analysis has a valid form, the language of the text, only ids of the taxonomy, and evidence and words that are in the text. */
function isBorneOut({ key, body }: AnalysisTable, text: string, { aspects, problems }: Taxonomy): boolean {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return false;
  }
  const { data } = bodySchema.safeParse(value);
  const isKnown = (list: readonly { readonly id: string }[], id: string) => list.some((one) => one.id === id);
  if (data === undefined || data.language !== languageOfText(text)) return false;
  const isUnread = !isReadLanguage(data.language) && !isOfModel(key);
  if (isUnread !== (data.sentiment === null) || isUnread !== (data.score === null)) return false;
  return (
    (!isUnread || [data.aspects, data.problems, data.theme_words].every(({ length }) => length === 0)) &&
    data.aspects.every(({ id, evidence }) => isKnown(aspects, id) && text.includes(evidence)) &&
    data.problems.every((id) => isKnown(problems, id)) &&
    isOfText(data.theme_words, text)
  );
}

const PARTS = new RegExp(`${JOINT}|${HYPHEN}`);

/** Whether the words for themes are words of the text. */
function isOfText(themeWords: string, text: string): boolean {
  const [folded, words] = [text.toLowerCase(), [] as string[]];
  readThemeWords(themeWords, (from, to) => words.push(themeWords.slice(from, to).toLowerCase()));
  return words.every((word) => word.split(PARTS).every((part) => folded.includes(part)));
}

/** What language models found in a text, as it is stored. */
export async function modelFindings(
  database: Database,
  { text, rating }: Pick<Review, "text" | "rating">,
): Promise<AspectMention[]> {
  const bodies = await analysesBelow(database, `${textKey(text ?? "", rating)}.`);
  return bodies.flatMap((body) => (JSON.parse(body) as TextAnalysis).aspects);
}

/** What a store's published reviews need, as `needOf` gives it, with the text: two for each, some 200 bytes. */
async function* neededBy(database: Database): AsyncGenerator<{ readonly need: string; readonly text: string }> {
  const business = await readBusiness(database);
  const taxonomy = taxonomyOf(business);
  for await (const page of publishedTexts(database, verifiedSourcesOf(business))) {
    for (const { text, rating } of page) {
      yield { need: analysisKey(text, rating, taxonomy), text };
      yield { need: textKey(text, rating), text };
    }
  }
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

/** Whether the row is a language model's, which reads every language. */
function isOfModel(key: string): boolean {
  return key.includes(".");
}
