/** The aspects that a review speaks of, each with one polarity and the words that show it. */
import type { AspectMention, Sentiment } from "../../insights.ts";
import { clauseValence, type Frame, isNegated, sentenceValence } from "../sentiment/polarity.ts";
import { isIronic, isWished } from "../sentiment/tone.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { evidenceOf } from "./evidence.ts";
import type { VerificationOutcome } from "./findings.ts";

/** Of a phrase so long or longer the words inside tell what happened and not how it was. */
const LONG = 4;

/** How plainly a clause must speak to be believed against the stars. */
const AGAINST_STARS = 1;

/** The weight of the stars where the words of a review both praise and blame an aspect. */
const STARS_VOTE = 0.4;

interface Vote {
  readonly finding: VerificationOutcome;
  /** -1, 0 or 1. */
  readonly sign: number;
  readonly weight: number;
}

/** One mention an aspect, in the taxonomy's order. Of several findings the stronger side wins, then the stars. */
export function aspectMentions(
  frame: Frame,
  found: readonly VerificationOutcome[],
  rating: number,
  taxonomy: Taxonomy,
): AspectMention[] {
  const votes = new Map<number, Vote[]>();
  for (const finding of found) {
    const sign = signOf(frame, finding, rating);
    if (sign === undefined) continue;
    const weight =
      (finding.isHint ? 0.2 : finding.stance === "open" ? 0.6 : 1) *
      Math.min(2, 0.8 + 0.2 * (finding.to - finding.from));
    const list = votes.get(finding.aspect);
    if (list === undefined) votes.set(finding.aspect, [{ finding, sign, weight }]);
    else list.push({ finding, sign, weight });
  }
  return taxonomy.aspects.flatMap(({ id }, index) => {
    const cast = votes.get(index);
    return cast === undefined ? [] : [mention(frame, id, cast, rating)];
  });
}

function mention(frame: Frame, id: string, votes: readonly Vote[], rating: number): AspectMention {
  const sign = verdict(votes, rating);
  const side = votes.filter((vote) => vote.sign === sign);
  const best = (side.length > 0 ? side : votes).reduce((a, b) => (b.weight > a.weight ? b : a));
  return { id, sentiment: sentimentOf(sign), evidence: evidenceOf(frame, best.finding.from, best.finding.to) };
}

/** The side that weighs more. Where votes go both ways the stars have one too; "too early to say" wins a close count. */
function verdict(votes: readonly Vote[], rating: number): number {
  const weightOf = (sign: number) => votes.reduce((sum, vote) => sum + (vote.sign === sign ? vote.weight : 0), 0);
  const [praise, blame, neither] = [weightOf(1), weightOf(-1), weightOf(0)];
  const stars = praise > 0 && blame > 0 ? STARS_VOTE * starSign(rating) : 0;
  const sum = praise - blame + stars;
  if (neither > 0 && neither >= Math.abs(sum)) return 0;
  return Math.abs(sum) > 0.05 ? Math.sign(sum) : starSign(rating);
}

/** What a finding says: -1, 0, 1, or undefined when it says nothing of this business. */
function signOf(frame: Frame, finding: VerificationOutcome, rating: number): number | undefined {
  const { stance, from, to } = finding;
  if (stance === "neutral") return finding.ofRival ? undefined : 0;
  let sign = finding.isHint
    ? hintSign(frame, from, to, rating)
    : stance === "open"
      ? openSign(frame, from, to, rating)
      : stance === "positive"
        ? 1
        : -1;
  if (sign === undefined) return undefined;
  if (stance !== "open" && !finding.ownNegation && isNegated(frame, from)) sign = -sign;
  // What is said of another company is said to compare: the stars tell who comes off better.
  if (finding.ofRival) return starSign(rating) === 0 ? undefined : starSign(rating);
  if (sign > 0 && stance !== "open" && isWished(frame, from)) return -1;
  if (sign > 0 && rating <= 2 && isIronic(frame, from, to)) return -1;
  return sign;
}

/** What is around a phrase that may be praise or blame; a lone word of which nothing is said is no mention. */
function openSign(frame: Frame, from: number, to: number, rating: number): number | undefined {
  const near = clauseValence(frame, from, to, to - from < LONG);
  const stars = rating >= 4 ? 1 : -1;
  if (Math.abs(near) >= (near * stars > 0 ? 0.5 : AGAINST_STARS)) return Math.sign(near);
  const wide = sentenceValence(frame, from);
  if (Math.abs(wide) >= (wide * stars > 0 ? 0.8 : 2 * AGAINST_STARS)) return Math.sign(wide);
  return to - from > 1 ? stars : undefined;
}

/** What a hint says: what its clause says where it speaks plainly, otherwise the stars. */
function hintSign(frame: Frame, from: number, to: number, rating: number): number {
  const near = clauseValence(frame, from, to);
  return Math.abs(near) >= AGAINST_STARS ? Math.sign(near) : rating >= 4 ? 1 : -1;
}

function starSign(rating: number): number {
  return Math.sign(rating - 3);
}

function sentimentOf(sign: number): Sentiment {
  return sign > 0 ? "positive" : sign < 0 ? "negative" : "neutral";
}
