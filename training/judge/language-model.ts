/**
 * How well an owner's language model reads labelled reviews, in the tables of `insights.ts`, beside the weights:
 *
 *     ANALYZER_URL=http://127.0.0.1:11434/v1 ANALYZER_MODEL=NAME node training/judge/language-model.ts
 *
 * Without ANALYZER_URL a stand-in answers what a second reader noted of each review (`training/labels/second`), as a model
 * that reads as well as a person would. It goes the whole way: request, schema, ids and quotations looked up in the text.
 */
import { openLanguageModel } from "../../src/analysis/language-model/language-model.ts";
import { makeReader } from "../../src/analysis/language-model/model-reader.ts";
import { taxonomyNamed } from "../../src/analysis/trade-taxonomy.ts";
import { analyseText } from "../../src/insight/text-analysis.ts";
import type { AspectMention } from "../../src/insights-document.ts";
import { openStandIn } from "../../test/support/model-stand-in.ts";
import {
  LABELS,
  type Labels,
  type OwnReview,
  type RealReview,
  readLines,
  readTexts,
  type Trade,
} from "../labels/labels.ts";
import { type LabelledText, ownReviews, realReviews } from "../train/labelled-texts.ts";
import { figures } from "./mention-figures.ts";

const RETRY_WAITS_MILLISECONDS = [1_000, 5_000];
const TIMEOUT_MILLISECONDS = 120_000;

/** The second reader's labels, by text. */
function recorded(trade: Trade): Map<string, Labels> {
  const own = readLines<OwnReview>(`${LABELS}/second/own.jsonl`).map((review) => ({ ...review, read: review.text }));
  const real = readLines<RealReview & { readonly business: string; readonly trade: Trade }>(
    `${LABELS}/second/real.jsonl`,
  ).map((review) => ({ ...review, read: readTexts(review.business).get(review.id) ?? "" }));
  return new Map([...own, ...real].filter((review) => review.trade === trade).map((review) => [review.read, review]));
}

/** The labels as a model answers: of each aspect the first span. */
function answerOf(text: string, labels: Labels | undefined): object {
  const spans = labels?.spans ?? [];
  const aspects = spans.flatMap(({ from, to, aspects }) =>
    aspects.map(({ id, sentiment }) => ({ id, sentiment, evidence: text.slice(from, to) })),
  );
  return { sentiment: labels?.criticism ? "negative" : "positive", aspects, problems: [], theme_words: "" };
}

const { ANALYZER_URL = "", ANALYZER_MODEL = "stand-in", ANALYZER_KEY = "" } = process.env;
for (const trade of ["home-services", "general"] as const) {
  const taxonomy = taxonomyNamed(trade);
  const answers = recorded(trade);
  const reviews = [...ownReviews(trade), ...realReviews("train", trade), ...realReviews("validate", trade)].filter(
    ({ text }) => answers.has(text),
  );
  await using standIn = await openStandIn(({ review }) => ({
    labels: answerOf(review.text, answers.get(review.text)),
  }));
  const door = openLanguageModel({
    url: ANALYZER_URL === "" ? standIn.url : ANALYZER_URL,
    model: ANALYZER_MODEL,
    key: ANALYZER_KEY,
    timeoutMs: TIMEOUT_MILLISECONDS,
    connections: 1,
  });
  const read = makeReader(door, taxonomy, RETRY_WAITS_MILLISECONDS);
  const found = new Map<LabelledText, readonly AspectMention[]>();
  for (const review of reviews) {
    const reading = await read({ text: review.text, rating: review.rating ?? 3 });
    if ("analysis" in reading) found.set(review, reading.analysis.aspects);
    else console.log(`  no answer: ${reading.reason}`);
  }
  await door.close();
  console.log(
    `\n${trade}: ${reviews.length} reviews that a second reader read, ${found.size} answers of ${ANALYZER_MODEL}`,
  );
  figures("model", reviews, (review) => found.get(review) ?? []);
  figures("ours, trained on most", reviews, ({ text, rating }) => analyseText(text, rating ?? 3, taxonomy).aspects);
}
