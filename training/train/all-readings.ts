/** Reads all aspects of a text, of which an analysis reads only those that may be mentioned. */

import { type AspectReading, readAspect, scoreText } from "../../src/insight/engine/review-reading.ts";
import type { ClauseFeatures, Weights } from "../../src/insight/engine/trained-model.ts";

/** Readings for all aspects, by aspect number, of a text with `rating` stars and at least one clause. */
export function allReadings<List>(
  clauses: readonly ClauseFeatures<List>[],
  weights: Weights<List>,
  rating: number,
): AspectReading[] {
  const text = scoreText(clauses, weights, { rating });
  return Array.from({ length: text.aspects }, (_, aspect) => readAspect(text, aspect));
}
