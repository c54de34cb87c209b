/** Tables of invented reviews as files, and their import by the command. */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { run } from "../test/support/program.ts";
import { CSV_HEAD, csvLine } from "./invented-reviews.ts";

/** Rows that are written at once: a million of them are longer than a text may be. */
const ROWS_AT_A_TIME = 10_000;

/** Writes the reviews of these numbers to a new file in a folder, and gives its path. */
export function writeTable(folder: string, { from, rows }: { from: number; rows: number }): string {
  const path = join(folder, `reviews-${from}.csv`);
  const file = openSync(path, "w");
  writeSync(file, `${CSV_HEAD}\n`);
  const end = from + rows;
  for (let start = from; start < end; start += ROWS_AT_A_TIME) {
    const count = Math.min(ROWS_AT_A_TIME, end - start);
    writeSync(file, Array.from({ length: count }, (_, index) => `${csvLine(start + index)}\n`).join(""));
  }
  closeSync(file);
  return path;
}

/** Imports a file into the store of a folder by the command. @throws Error with what it said if it refuses the reviews. */
export async function importTable(folder: string, file: string): Promise<void> {
  const { code, stderr } = await run(folder, ["import", file, "--source", "google"]);
  if (code !== 0) throw new Error(stderr);
}
