/** What a run must fulfil beyond the files that it reads. */
import { Invalid } from "../issue.ts";
import type { Staging } from "../store/staging.ts";
import type { Tally } from "./import-counts.ts";
import { sourceName } from "./review/review-validation.ts";

/** @throws Invalid when the source that a run names cannot be one. */
export function requireSource(source: string): void {
  const ruling = sourceName(source);
  if ("value" in ruling) return;
  throw new Invalid([{ code: "source", path: ["source"], message: `source ${ruling.fault}` }]);
}

/**
 * Keeps a run from withdrawing reviews that it merely does not hold.
 * @throws Invalid when the run cannot be the whole of its sources.
 */
export function requireComplete(staging: Staging, tally: Tally): void {
  const faults: string[] = [];
  if (tally.refused > 0) faults.push("some of it was refused");
  if (staging.sources().length === 0) faults.push("it holds no reviews, so all would be withdrawn");
  for (const [format, extents] of tally.extents) {
    if (extents.has("part")) faults.push(`the ${format} never gives all reviews`);
    else if (!extents.has("whole")) faults.push(`the last page of the ${format} is missing`);
  }
  if (faults.length === 0) return;
  throw new Invalid(
    faults.map((fault) => ({
      code: "incomplete",
      path: ["complete"],
      message: `The import cannot be complete: ${fault}.`,
    })),
  );
}
