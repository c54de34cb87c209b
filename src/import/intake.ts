/** Reads files into the staging area: recognises each, judges its records, counts and names what is refused. */
import { Invalid, type Issue, quote } from "../issue.ts";
import type { StagedReview, Staging } from "../store/staging.ts";
import { FORMATS } from "./format/formats.ts";
import { goodwordFields } from "./format/goodword-fields.ts";
import type { Tally } from "./import-counts.ts";
import { type Candidate, identity } from "./review/candidate.ts";
import type { Entry } from "./review/raw-review.ts";
import { type ImportDefaults, validateReview } from "./review/review-validation.ts";
import type { InputFile } from "./source/input-file.ts";
import type { Inputs } from "./source/inputs.ts";
import { type Content, readContent, type UnknownContent } from "./syntax/content.ts";

/** What an intake needs: where reviews go, what holds for all of them, what counts them. */
export interface Intake {
  readonly staging: Staging;
  readonly defaults: ImportDefaults;
  readonly tally: Tally;
  /** Called now and then with the file being read. */
  readonly onRead?: ((file: string) => void) | undefined;
}

const RECORDS_BETWEEN_REPORTS = 500;
const REPEATED =
  "Rows without an id that say the same as another row were counted once; give each row an id if they are different reviews.";

/** Takes in every file but business files. A folder or archive in which nothing is of a known format is refused. */
export async function takeInAll(inputs: Inputs, businesses: readonly InputFile[], intake: Intake): Promise<void> {
  const { tally } = intake;
  for (const issue of inputs.issues) tally.refuseFile([issue]);
  for (const name of inputs.passedOver) tally.passOver(name);
  const fruitful = new Set<string>();
  for (const file of inputs.files) {
    intake.onRead?.(file.name);
    if (businesses.includes(file) || (await takeIn(file, intake)))
      for (const origin of file.origins) fruitful.add(origin);
  }
  for (const origin of inputs.origins) {
    if (fruitful.has(origin) || inputs.issues.some(({ path }) => String(path[0]).startsWith(origin))) continue;
    const names = inputs.files.filter(({ origins }) => origins.includes(origin)).map(({ name }) => name);
    const found =
      names.length === 0 ? "it is empty" : `it holds ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
    tally.refuseFile([{ code: "nothing", path: [origin], message: `${origin} has nothing to import: ${found}` }]);
  }
}

/** Takes in one file. Gives whether it is of a known format, or refused. */
async function takeIn(file: InputFile, intake: Intake): Promise<boolean> {
  const { tally } = intake;
  try {
    const content = await readContent(file);
    const format = FORMATS.find((candidate) => candidate.recognises(content));
    if (format === undefined) return leave(file, content, tally);
    tally.extents.set(format.name, (tally.extents.get(format.name) ?? new Set()).add(format.extent(content)));
    const before = tally.read;
    for await (const entry of format.records(content)) {
      takeEntry(file.name, entry, intake);
      if (tally.read % RECORDS_BETWEEN_REPORTS === 0) intake.onRead?.(file.name);
    }
    tally.files.push({ name: file.name, format: format.name, records: tally.read - before, isNamed: file.named });
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    tally.refuseFile(error.issues);
  }
  return true;
}

/** What becomes of a file in no known format: refused when the user named it, else passed over by name. */
function leave(file: InputFile, content: Content, tally: Tally): boolean {
  const why = content.syntax === "unknown" ? content.why : unrecognised(content);
  if (file.named || (content.syntax === "unknown" && content.isSuspect)) {
    tally.refuseFile([{ code: "unrecognised", path: [file.name], message: `${file.name} ${why}` }]);
    return true;
  }
  tally.passOver(file.name);
  if (content.syntax === "csv" && goodwordFields(content.columns).names.has("rating"))
    tally.warn(`${file.name} ${why}`);
  if (content.syntax === "unknown" && /UTF-16|zip/.test(why)) tally.warn(`${file.name} ${why}`);
  return false;
}

/** Why content that can be read is of no format. */
function unrecognised(content: Exclude<Content, UnknownContent>): string {
  if (content.syntax === "html") return "is a page without reviews in JSON-LD";
  if (content.syntax !== "csv") return "is JSON, but of no format of reviews that can be imported";
  const columns = content.columns.slice(0, 30).map((column) => quote(column));
  return `has the columns ${columns.join(", ")}, but a table of reviews needs rating and date`;
}

function takeEntry(file: string, entry: Entry, { staging, defaults, tally }: Intake): void {
  const place = entry.at === "" ? file : `${file}, ${entry.at}`;
  if ("warning" in entry) {
    tally.warn(`${place}: ${entry.warning}`);
    return;
  }
  tally.read += 1;
  if ("fault" in entry) {
    tally.refuseRecord([{ code: "record", path: [file, entry.at], message: `${place}: ${entry.fault}` }]);
    return;
  }
  if (defaults.source === undefined && (entry.review.source ?? null) === null) tally.isSourceAssumed = true;
  const judged = validateReview(entry.review, entry.names, defaults);
  if (Array.isArray(judged)) {
    tally.refuseRecord(
      judged.map(({ field, message }): Issue => {
        return { code: "field", path: [file, entry.at, field], message: `${place}: ${field} ${message}` };
      }),
    );
    return;
  }
  const staged = stagedReview(judged, place);
  if (!staging.add(staged) && staged.basis === "content") tally.warn(REPEATED);
}

/** A candidate as the staging area holds it. */
export function stagedReview(candidate: Candidate, place: string): StagedReview {
  const { source, source_id, published_id } = candidate;
  const basis = source_id !== null ? "own id" : published_id !== undefined ? "published id" : "content";
  return { ...identity(candidate), source, basis, place, body: JSON.stringify(candidate) };
}
