/** A review with its analysis, which all figures are computed from. */
import type { Analysis } from "../../insights-document.ts";
import type { Review } from "../../review.ts";

export interface Analysed {
  readonly review: Review;
  readonly analysis: Analysis;
}
