/** A review with its analysis, the input for all figures. */
import type { Analysis } from "../../insights-document.ts";
import type { Review } from "../../review.ts";

export interface Analysed {
  readonly review: Review;
  readonly analysis: Analysis;
  /** Whether the review has a text, and more than stars alone. */
  readonly hasWords: boolean;
}
