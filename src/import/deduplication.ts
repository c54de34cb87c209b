/** Settles the versions that one run holds of the same review, before anything touches the store. */
import { quote } from "../issue.ts";
import type { StagedReview, Staging } from "../store/staging.ts";
import type { Tally } from "./import-counts.ts";
import { stagedReview } from "./intake.ts";
import type { Candidate } from "./review/candidate.ts";
import { type Contradiction, mergeVersions } from "./review/duplicate.ts";

/** Leaves one telling of each review in the staging area; contradicting ones are refused and leave none. */
export function mergeDuplicates(staging: Staging, tally: Tally): void {
  staging.gather();
  for (const staged of staging.contested()) {
    const settled = mergeVersions(
      staged.map(({ body, place }) => ({ candidate: JSON.parse(body) as Candidate, place })),
    );
    if ("field" in settled) refuse(settled, staged, tally);
    staging.settle(staged, "field" in settled ? undefined : stagedReview(settled, staged[0]?.place ?? ""));
  }
}

function refuse({ field, places, values }: Contradiction, staged: readonly StagedReview[], tally: Tally): void {
  const [first, second] = places;
  const hint = staged.some(({ basis }) => basis !== "content")
    ? ""
    : " (rows without an id are told apart by author, date and text)";
  tally.refuseRecord(
    [
      {
        code: "contradiction",
        path: [second, field],
        message: `${second}: ${field} is ${quote(values[1])}, but ${quote(values[0])} in ${first}, which tells of the same review${hint}`,
      },
    ],
    staged.length,
  );
}
