/** Preconditions of an import, besides valid files. */
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Invalid, quote } from "../issue.ts";
import { takeout } from "./format/google/takeout.ts";
import type { ImportCounts } from "./import-counts.ts";
import { isEncoding } from "./input/encoding.ts";
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

/** The number of reviews in each file of a Google Takeout. */
const TAKEOUT_PAGE = 20;
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
    folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  );
  const others = beside
    .flat()
    .filter((path) => /^reviews\b.*\.json$/i.test(basename(path)) && !given.has(resolve(path)));
  return others.length === 0
    ? []
    : [`beside ${lone.name} there is ${others[0]}, another page of the same Takeout; ${MISSING}`];
}
