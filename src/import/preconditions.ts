/** Preconditions of an import, besides valid files. */
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Invalid, quote } from "../issue.ts";
import { TAKEOUT_PAGE } from "./apply/coverage.ts";
import { takeout } from "./format/google/takeout.ts";
import type { ImportCounts } from "./import-counts.ts";
import { isEncoding } from "./input/encoding.ts";
import type { Inputs } from "./input/inputs.ts";
import { locationInPath } from "./place/told-place.ts";
import { sourceName } from "./review/review-source.ts";
import type { Staging } from "./staging/staging.ts";

/** @throws Invalid when the given source name is invalid. */
export function requireSource(source: string): void {
  const ruling = sourceName(source);
  if ("value" in ruling) return;
  throw new Invalid([{ code: "source", path: ["source"], message: `source ${ruling.fault}` }]);
}

/** @throws Invalid when the given encoding is unknown. */
export function requireEncoding(encoding: string): void {
  if (isEncoding(encoding)) return;
  const message = `encoding is ${quote(encoding)}, which is not known; windows-1252, utf-16le and macintosh are, for example`;
  throw new Invalid([{ code: "encoding", path: ["encoding"], message }]);
}

/**
 * Prevents `--complete` from withdrawing reviews that are merely missing from the given files.
 * @throws Invalid when the files cannot be the complete exports of their sources.
 */
export async function requireComplete(staging: Staging, counts: ImportCounts): Promise<void> {
  const faults: string[] = [];
  if (counts.refused > 0) faults.push("some of it was refused");
  if (staging.sources().length === 0) faults.push("it holds no reviews, so all would be withdrawn");
  for (const [format, extents] of counts.extents) {
    if (extents.has("part")) faults.push(`the ${format} never gives all reviews`);
    else if (!extents.has("whole")) faults.push(`the last page of the ${format} is missing`);
  }
  faults.push(...(await missingPages(counts)));
  if (faults.length === 0) return;
  throw new Invalid(
    faults.map((fault) => ({
      code: "incomplete",
      path: ["complete"],
      message: `The import cannot be complete: ${fault}. Without --complete it is imported, and nothing is withdrawn.`,
    })),
  );
}

/** Files of a Takeout's reviews, and the archives that a large one comes in, which are numbered. */
const PAGE_NAME = /^reviews\b.*\.json$/i;
const NUMBERED_ARCHIVE = /^(takeout-.*?)(\d{3})\.(?:zip|tgz)$/i;

/**
 * Whether the files hold a whole Takeout: all pages of its folder, and all of its archives. Its pages are not numbered, so
 * a page that is missing from an archive or folder is not found here.
 */
export async function isWholeTakeout(counts: ImportCounts, { origins }: Pick<Inputs, "origins">): Promise<boolean> {
  const pages = counts.files.filter(({ format }) => format === takeout.name);
  if (pages.length === 0 || counts.refused > 0) return false;
  if (counts.passedOver.some((name) => PAGE_NAME.test(name.split(/[/\\!]/).at(-1) ?? ""))) return false;
  if (pages.some(({ name, isNamed }) => isNamed && locationInPath(name) === undefined)) return false;
  if (counts.extents.get(takeout.name)?.has("whole") !== true || (await missingPages(counts)).length > 0) return false;
  for (const origin of origins) if (await isPartOfSeveral(origin, origins)) return false;
  return true;
}

/** Whether no page of a Takeout's place, which is told as in `Coverage`, is shorter than those before the last one are. */
export function areAllPagesFull({ files }: ImportCounts, place: readonly string[] = []): boolean {
  const isOfPlace = (name: string) => {
    const location = locationInPath(name);
    return location === undefined || place.includes(`location ${location}`);
  };
  const pages = files.filter(({ format, name }) => format === takeout.name && isOfPlace(name));
  return pages.every(({ records }) => records >= TAKEOUT_PAGE);
}

/** The names in a folder; none if it cannot be read, or if a fetched file has only a name. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}

/** Whether an archive is one of several of the same Takeout that are not all given: those up to it, and those beside it. */
async function isPartOfSeveral(archive: string, given: readonly string[]): Promise<boolean> {
  const [, start, number] = NUMBERED_ARCHIVE.exec(basename(archive)) ?? [];
  if (start === undefined) return false;
  const numberOf = (path: string) => {
    const [, other, found] = NUMBERED_ARCHIVE.exec(basename(path)) ?? [];
    return other === start ? [Number(found)] : [];
  };
  const numbers = new Set(given.flatMap(numberOf));
  const beside = (await namesIn(dirname(archive))).flatMap(numberOf);
  const last = Math.max(Number(number), ...beside);
  return Array.from({ length: last }, (_, index) => index + 1).some((one) => !numbers.has(one));
}

const MISSING = "give the whole Takeout instead, its .zip or its folder";

/** Explains why pages of a Takeout that were named one by one are not all of it. */
async function missingPages({ files }: ImportCounts): Promise<string[]> {
  const pages = files.filter(({ format }) => format === takeout.name);
  const lone = pages.find(({ isNamed }) => isNamed);
  if (lone === undefined) return [];
  if (pages.length === 1 && lone.records >= TAKEOUT_PAGE) {
    return [
      `${lone.name} is one full page of a Google Takeout (${TAKEOUT_PAGE} reviews), and others follow it; ${MISSING}`,
    ];
  }
  const given = new Set(pages.map(({ name }) => resolve(name)));
  const folders = [...new Set(pages.filter(({ isNamed }) => isNamed).map(({ name }) => dirname(name)))];
  const beside = await Promise.all(
    folders.map(async (folder) => (await namesIn(folder)).map((name) => join(folder, name))),
  );
  const others = beside.flat().filter((path) => PAGE_NAME.test(basename(path)) && !given.has(resolve(path)));
  return others.length === 0
    ? []
    : [`beside ${lone.name} there is ${others[0]}, another page of the same Takeout; ${MISSING}`];
}
