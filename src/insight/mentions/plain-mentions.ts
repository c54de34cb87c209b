/**
 * Mentions of aspects that a review makes outright ("the hall is very clean") and of which the model is not sure, mostly
 * because the sentence praises other things too.
 */
import type { AspectMention } from "../../insights-document.ts";
import { evidenceOf } from "../reading/evidence.ts";
import type { PlainFinding } from "../reading/findings.ts";
import type { Frame } from "../sentiment/polarity.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";

interface PlainText {
  readonly frame: Frame;
  readonly rating: number;
  readonly found: readonly PlainFinding[];
}

/** Stars that contradict neither praise nor blame. Where they do, only the model tells what is meant. */
const MIDDLE_STARS = 3;

/**
 * The mentions and, in the order of the taxonomy, those that are said outright of other aspects. An aspect that is both
 * praised and blamed gets none, nor does one that counts as another for this business: to a firm that cleans, a dirty
 * house is no blame. Up to three stars, outright blame within the praise of an aspect is what is said of it.
 */
export function withPlainMentions(
  mentions: readonly AspectMention[],
  { frame, rating, found }: PlainText,
  { aspects, countsAs }: Pick<Taxonomy, "aspects" | "countsAs">,
): readonly AspectMention[] {
  if (found.length === 0) return mentions;
  return aspects.flatMap(({ id }, aspect) => {
    const mentioned = mentions.find((mention) => mention.id === id);
    const own = found.filter((finding) => finding.aspect === aspect);
    const [first] = own;
    if (mentioned !== undefined) {
      const blame = own.find((finding) => isBlameIn(mentioned, finding, frame));
      if (blame === undefined || rating > MIDDLE_STARS) return [mentioned];
      return [{ id, sentiment: "negative", evidence: evidenceOf(frame, blame.from, blame.to) }];
    }
    if (first === undefined || countsAs?.[id] !== undefined) return [];
    const { sentiment, from, to } = first;
    if (own.some((other) => other.sentiment !== sentiment)) return [];
    if (sentiment === "positive" ? rating < MIDDLE_STARS : rating > MIDDLE_STARS) return [];
    return [{ id, sentiment, evidence: evidenceOf(frame, from, to) }];
  });
}

/** Whether what praises an aspect says blame of it outright: "no place to park, otherwise it's a good hall". */
function isBlameIn({ sentiment, evidence }: AspectMention, finding: PlainFinding, { tokens }: Frame): boolean {
  if (sentiment !== "positive" || finding.sentiment !== "negative") return false;
  const { text, starts, ends } = tokens;
  return evidence.includes(text.slice(starts[finding.from], ends[finding.to - 1]));
}
