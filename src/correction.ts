/** A correction: what the owner says that a review does, or does not, say of an aspect that was found in it (interface §6). */
import type { Sentiment } from "./insights-document.ts";

export const CORRECTED = ["none", "positive", "negative"] as const;

/** As `goodword corrections --json` lists it. */
export interface Correction {
  readonly id: string;
  readonly aspect: string;
  /** What the analysis had found. */
  readonly was: Sentiment;
  /** What counts instead; `none`: the review does not speak of the aspect. */
  readonly is: (typeof CORRECTED)[number];
  /** ISO 8601. */
  readonly at: string;
  readonly note: string | null;
}

/** How many corrections hide what was found, and how many change it. */
export interface CorrectionCounts {
  readonly hidden_criticism: number;
  readonly hidden_praise: number;
  readonly changed: number;
}

/** Counts corrections for the public: each is in exactly one of the figures, so that none hides criticism uncounted. */
export function countCorrections(corrections: readonly Pick<Correction, "was" | "is">[]): CorrectionCounts {
  const hidden = (was: Sentiment) => corrections.filter((each) => each.is === "none" && each.was === was).length;
  const [hidden_criticism, hidden_praise] = [hidden("negative"), hidden("positive")];
  return { hidden_criticism, hidden_praise, changed: corrections.length - hidden_criticism - hidden_praise };
}
