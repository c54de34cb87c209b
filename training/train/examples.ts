/** Labelled texts as the trainer takes them: the features of their clauses, and which of them speak of which aspect. */
import { createHash } from "node:crypto";
import { clauseFeatures, type ReadText } from "../../src/insight/engine/clause-features.ts";
import type { ClauseFeatures } from "../../src/insight/engine/trained-model.ts";
import type { WordVectors } from "../../src/insight/engine/word-vectors.ts";
import { findings } from "../../src/insight/reading/findings.ts";
import { type Frame, frameOf } from "../../src/insight/sentiment/polarity.ts";
import type { Taxonomy } from "../../src/insight/taxonomy/taxonomy.ts";
import { tokenise } from "../../src/insight/text/tokens.ts";
import type { Sentiment } from "../../src/insights-document.ts";
import type { LabelledText } from "./labelled-texts.ts";

/** Clauses of which at least one speaks of the aspect. */
export interface Bag {
  readonly aspect: number;
  readonly clauses: readonly number[];
  readonly sentiment: Sentiment;
}

/** A clause's features, kept for good. */
export type LearnedClause = ClauseFeatures<readonly number[]>;

export interface Example {
  readonly source: LabelledText;
  readonly clauses: readonly LearnedClause[];
  /** The same without what the patterns find: for texts that the patterns were written from, so that they teach no trust in them. */
  readonly withoutPatterns: readonly LearnedClause[];
  readonly bags: readonly Bag[];
  /** The clauses' features that depend on the stars, had the review other ones; none for a text without stars. */
  readonly otherStars: readonly (readonly number[])[] | undefined;
  /** Aspects that the labels do not cover. */
  readonly unread: readonly number[];
}

const MIDDLE = 3;
const OTHER_STARS: Readonly<Record<number, readonly number[]>> = {
  1: [5, 4, 3],
  2: [4, 5, 3],
  3: [1, 5, 2, 4],
  4: [2, 1, 3],
  5: [1, 2, 3],
};

/** Makes examples of labelled texts for one taxonomy; labels of other aspects are left out. */
export function exampleMaker(taxonomy: Taxonomy, vectors: WordVectors): (source: LabelledText) => Example {
  const numberOf = new Map(taxonomy.aspects.map(({ id }, index) => [id, index]));
  const learned = (read: ReadText) => clauseFeatures(read, vectors).map(copyOf);
  return (source) => {
    const frame = frameOf(tokenise(source.text, taxonomy.language));
    const found = findings(frame, taxonomy).aspects;
    const { rating } = source;
    const clauses = learned({ frame, found, rating });
    const bags = source.spans.flatMap(({ from, to, aspects }) => {
      const covered = clausesWithin(frame, clauses, { from, to });
      return aspects.flatMap(({ id, sentiment }) => {
        const aspect = numberOf.get(id);
        return aspect === undefined ? [] : [{ aspect, clauses: covered, sentiment }];
      });
    });
    return {
      source,
      clauses,
      withoutPatterns: source.isOpen ? learned({ frame, found: [], rating }) : clauses,
      bags,
      otherStars:
        rating === undefined || bags.length === 0
          ? undefined
          : learned({ frame, found: [], rating: otherRating(source) }).map(({ stars }) => stars),
      unread: (source.unread ?? []).flatMap((id) => numberOf.get(id) ?? []),
    };
  };
}

/** The features without the lists that the next text's are written into. */
function copyOf({ from, to, cues, denies, keys, stars, around, vectors }: ClauseFeatures): LearnedClause {
  const [ofKeys, ofStars, ofAround, ofVectors] = [keys, stars, around, vectors].map(({ numbers, end }) => [
    ...numbers.subarray(0, end),
  ]) as [number[], number[], number[], number[]];
  return { from, to, cues, denies, keys: ofKeys, stars: ofStars, around: ofAround, vectors: ofVectors };
}

/** Stars on the other side, or, of three, on either: which ones follows from the text. */
function otherRating({ text, rating = MIDDLE }: LabelledText): number {
  const others = OTHER_STARS[rating] ?? [MIDDLE];
  return others[createHash("sha256").update(text).digest().readUInt8(2) % others.length] ?? MIDDLE;
}

/** The clauses of which a span covers a good part, or, where it covers a good part of none, all that it touches. */
function clausesWithin(
  { tokens }: Frame,
  clauses: readonly LearnedClause[],
  { from, to }: { readonly from: number; readonly to: number },
): number[] {
  const shares = clauses.map((clause) => {
    let covered = 0;
    for (let at = clause.from; at < clause.to; at++) {
      if ((tokens.starts[at] ?? 0) < to && (tokens.ends[at] ?? 0) > from) covered++;
    }
    return covered / (clause.to - clause.from);
  });
  const most = Math.max(...shares);
  return shares.flatMap((share, index) => (share > 0 && share >= Math.min(0.5, most) ? [index] : []));
}
