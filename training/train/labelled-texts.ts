/**
 * The labelled texts of this folder's neighbours: clauses and reviews written for the project, and labels of real
 * reviews, whose texts stand outside of the project in `../shared/data/real-reviews`.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import type { Sentiment } from "../../src/insights-document.ts";
import {
  REAL_TEXTS,
  readClauses,
  readLines,
  readLow,
  readLowTexts,
  readNext,
  readOwn,
  readReal,
  readSplit,
  readTexts,
  type Trade,
} from "../labels/labels.ts";

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly aspects: readonly { readonly id: string; readonly sentiment: Sentiment }[];
}

export interface LabelledText {
  /** The file it comes from. */
  readonly origin: string;
  readonly text: string;
  readonly rating?: number;
  readonly spans: readonly Span[];
  /** Whether the reader found any blame of the business; only where the labels say so. */
  readonly criticism?: boolean;
  /** Whether patterns were written with a look at this text. */
  readonly isOpen: boolean;
  /** Whether its author was given shares of praise, blame and contradiction: it decides on no probability. */
  readonly isCommissioned?: boolean;
  /** How many times it is used in a round, if not once. */
  readonly times?: number;
  /** Aspects that the labels do not cover. */
  readonly unread?: readonly string[];
  /** 0 to 4: the part in which it is kept back when the training is tried out. No file of own reviews and no real business is split. */
  readonly fold: number;
}

const training = join(import.meta.dirname, "..");
export const FOLDS = 5;

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Weight of the texts whose authors set the trade's practice of labelling. The other texts are five times as many. */
const TIMES_OF_THE_TRADE = 3;

/** Single clauses of the trade, without stars. The half with an even hash was looked at while patterns were written. */
export function labelledClauses(): LabelledText[] {
  return globSync("*.jsonl", { cwd: join(training, "trade/clauses") })
    .sort()
    .flatMap((file) =>
      readLines<{ text: string; aspects: Span["aspects"] }>(join(training, "trade/clauses", file)).map(
        ({ text, aspects }) => ({
          origin: `clauses/${file}`,
          text,
          spans: [{ from: 0, to: text.length, aspects }],
          isOpen: digest(text).readUInt8(0) % 2 === 0,
          times: TIMES_OF_THE_TRADE,
          fold: digest(text).readUInt8(1) % FOLDS,
        }),
      ),
    );
}

/** Short texts of the home trades without stars, written for training: mostly what happened, told in a sentence. */
export function ownClauses(): LabelledText[] {
  return [...readClauses()].flatMap(([file, clauses]) =>
    clauses.map(({ text, aspects }) => ({
      origin: `short/${file}`,
      text,
      spans: [{ from: 0, to: text.length, aspects }],
      isOpen: false,
      fold: digest(text).readUInt8(1) % FOLDS,
    })),
  );
}

/** Whole reviews of the trade; patterns were written with a look at those of `tune`. */
export function labelledReviews(set: "tune" | "report"): LabelledText[] {
  return readLines<{ text: string; rating: number; aspects: Span["aspects"] }>(
    join(training, "trade", set, "reviews.jsonl"),
  ).map(({ text, rating, aspects }) => ({
    origin: set,
    text,
    rating,
    spans: [{ from: 0, to: text.length, aspects }],
    criticism: aspects.some(({ sentiment }) => sentiment === "negative"),
    isOpen: set === "tune",
    times: TIMES_OF_THE_TRADE,
    fold: digest(text).readUInt8(1) % FOLDS,
  }));
}

/** Files of reviews by other authors, who were given shares of blame and of contradiction to the stars. */
const COMMISSIONED = /^hand-/;
/** Of these the reviews that were all to contradict their stars, as few of a customer's do: they teach words, not stars. */
const AGAINST_THE_STARS = /^hand-(3-home-d-contrary|4-general-wrong-stars-2|2[34]-home)/;

/** Reviews written for training, each with the spans that say something. Those of a file sound alike and are kept back together. */
export function ownReviews(trade: Trade): LabelledText[] {
  const files = [...readOwn()].map(([file, all]) => ({
    file,
    reviews: all.filter((review) => review.trade === trade),
  }));
  return files
    .filter(({ reviews }) => reviews.length > 0)
    .toSorted((a, b) => Buffer.compare(digest(a.file), digest(b.file)))
    .flatMap(({ file, reviews }, place) =>
      reviews.map(({ text, rating, spans, criticism }) => ({
        origin: `own/${file}`,
        text,
        ...(AGAINST_THE_STARS.test(file) ? {} : { rating }),
        spans,
        criticism,
        isOpen: false,
        isCommissioned: COMMISSIONED.test(file),
        fold: place % FOLDS,
      })),
    );
}

/** Files of a language's reviews that are never trained on. */
const HELD = /-held-/;

/** Reviews in another language, invented as those in English are; those of a file are of one business or one voice. */
export function reviewsIn(tag: string, trade: Trade, part: "train" | "held" = "train"): LabelledText[] {
  return [...readOwn(tag)]
    .map(([file, all]) => ({ file, reviews: all.filter((review) => review.trade === trade) }))
    .filter(({ file, reviews }) => HELD.test(file) === (part === "held") && reviews.length > 0)
    .flatMap(({ file, reviews }, place) =>
      reviews.map(({ text, rating, spans, criticism }) => ({
        origin: `${tag}/${file}`,
        text,
        rating,
        spans,
        criticism,
        isOpen: false,
        fold: place % FOLDS,
      })),
    );
}

/** The real reviews of the businesses that train or validate; empty where their texts are not at hand. */
export function realReviews(part: "train" | "validate", trade: Trade): LabelledText[] {
  if (!existsSync(REAL_TEXTS)) return [];
  const businesses = readSplit()[part];
  return readReal()
    .filter((file) => file.trade === trade && businesses.includes(file.business))
    .flatMap(({ business, reviews }) => {
      const texts = readTexts(business);
      return reviews.flatMap(({ id, rating, criticism, spans }) => {
        const text = texts.get(id);
        const fold = digest(business).readUInt8(1) % FOLDS;
        return text === undefined
          ? []
          : [{ origin: `real/${business}`, text, rating, spans, criticism, isOpen: false, fold }];
      });
    });
}

/** Weight of customers' own complaints: a hundredth of the texts, and nearest to what is read in the end. */
const TIMES_OF_COMPLAINTS = 3;

/** Real reviews of any trade, mostly of unhappy customers; those of one kind of business are kept back together. Empty without the texts. */
export function lowReviews(part: "train" | "report"): LabelledText[] {
  if (!existsSync(REAL_TEXTS)) return [];
  const texts = readLowTexts();
  return readLow(part).map(({ id, rating, criticism, spans }) => {
    const kind = id.slice(0, id.indexOf("-"));
    const fold = digest(kind).readUInt8(1) % FOLDS;
    const text = texts.get(id) ?? "";
    const source = { origin: `low/${kind}`, text, rating, spans, criticism, isOpen: false, fold };
    return { ...source, times: TIMES_OF_COMPLAINTS };
  });
}

/** Real texts that no weights have learned from yet. Empty without the texts. */
export function nextReviews(): { readonly name: string; readonly trade: Trade; readonly reviews: LabelledText[] }[] {
  if (!existsSync(REAL_TEXTS)) return [];
  return readNext().map(({ business, trade, reviews, texts }) => {
    const origin = `next/${business}`;
    const read = reviews.map(({ id, ...labels }) => ({
      ...labels,
      origin,
      text: texts.get(id) ?? "",
      isOpen: false,
      fold: 0,
    }));
    return { name: business, trade, reviews: read };
  });
}

const CLEANING_FIRMS = new Set(["own/home-cleaners", "own/home-housecleaners", "real/k-cleaning"]);

/**
 * Whether all the reviews of a file are of firms that clean. There a clean house is labelled as their work, which
 * would teach the model for any trade that a clean bathroom praises a hotel's work.
 */
export function isOfCleaningFirm({ origin }: LabelledText): boolean {
  return CLEANING_FIRMS.has(origin);
}

/** The aspect of any trade under which an aspect of home services falls (training/labels/GUIDE.md). */
const GENERAL = new Map([
  ["professionalism", "staff"],
  ["honesty", "staff"],
  ["technical_knowledge", "staff"],
  ["workmanship", "quality"],
  ["pricing", "value"],
  ["punctuality", "speed"],
  ["responsiveness", "speed"],
  ["scheduling", "communication"],
  ["communication", "communication"],
  ["cleanliness", "cleanliness"],
]);

/** A text of the home trades with its labels as those of any trade. */
export function toGeneral(source: LabelledText): LabelledText {
  const spans = source.spans.map((span) => ({
    ...span,
    aspects: span.aspects.flatMap(({ id, sentiment }) => {
      const general = GENERAL.get(id);
      return general === undefined ? [] : [{ id: general, sentiment }];
    }),
  }));
  return { ...source, times: 1, spans };
}
