/** Reads files into the staging area: recognises each, judges its records, counts and names what is refused. */
import { Invalid, type Issue } from "../issue.ts";
import type { StagedReview, Staging } from "../store/staging.ts";
import { type Candidate, identity } from "./candidate.ts";
import { readContent } from "./content.ts";
import { FORMATS } from "./formats.ts";
import type { InputFile } from "./input-file.ts";
import { type Circumstances, judge } from "./judgement.ts";
import type { Entry } from "./raw-review.ts";
import type { Tally } from "./tally.ts";

/** What an intake needs: where reviews go, what holds for all of them, what counts them. */
export interface Intake {
  readonly staging: Staging;
  readonly circumstances: Circumstances;
  readonly tally: Tally;
  /** Called now and then with the file being read. */
  readonly onRead?: ((file: string) => void) | undefined;
}

const RECORDS_BETWEEN_REPORTS = 500;

/** Takes in one file. Gives whether it was of a known format, or refused. */
export async function takeIn(file: InputFile, intake: Intake): Promise<boolean> {
  const { tally } = intake;
  try {
    const content = await readContent(file);
    const format = FORMATS.find((candidate) => candidate.recognises(content));
    if (format === undefined)
      return passOver(file, content.syntax === "unknown" ? content.why : "holds no reviews", tally);
    for await (const entry of format.records(content)) {
      tally.read += 1;
      takeEntry(file.name, entry, intake);
      if (tally.read % RECORDS_BETWEEN_REPORTS === 0) intake.onRead?.(file.name);
    }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    tally.refuse(error.issues);
  }
  return true;
}

function passOver(file: InputFile, why: string, tally: Tally): boolean {
  if (!file.named) {
    tally.passOver(file.name);
    return false;
  }
  tally.refuse([{ code: "unrecognised", path: [file.name], message: `${file.name} ${why}` }]);
  return true;
}

function takeEntry(file: string, entry: Entry, { staging, circumstances, tally }: Intake): void {
  const place = `${file}, ${entry.at}`;
  if ("fault" in entry) {
    tally.refuse([{ code: "record", path: [file, entry.at], message: `${place}: ${entry.fault}` }]);
    return;
  }
  const judged = judge(entry.review, entry.names, circumstances);
  if (Array.isArray(judged)) {
    tally.refuse(
      judged.map(({ field, message }): Issue => {
        return { code: "field", path: [file, entry.at, field], message: `${place}: ${field} ${message}` };
      }),
    );
    return;
  }
  const isNew = staging.add(stagedReview(judged, place));
  if (!isNew && judged.source_id === null) {
    tally.warn(
      "Rows without an id that say the same as another row were counted once; give each row an id if they are different reviews.",
    );
  }
}

/** A candidate as the staging area holds it. */
export function stagedReview(candidate: Candidate, place: string): StagedReview {
  const { source_key, natural_key } = identity(candidate);
  const { source, source_id } = candidate;
  return { source_key, natural_key, source, has_own_id: source_id !== null, place, body: JSON.stringify(candidate) };
}
