/**
 * Exports to test with: the sample's reviews in the shape of each kind of export, and a real export of 440 reviews where
 * one stands beside the project (it is no part of it).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeExports } from "./made-exports.ts";

export interface ExportSet {
  readonly name: string;
  /** How many reviews its Takeout holds. */
  readonly total: number;
  /** The folder of its Google Takeout. */
  readonly takeout: string;
  /** Another file of the set, such as `formats/outscraper-reviews.csv`. */
  file(name: string): string;
}

const REAL = join(import.meta.dirname, "..", "..", "..", "shared", "data");

/** The exports at hand; the made ones come first and are always there. */
export const EXPORT_SETS: readonly ExportSet[] = [
  made(),
  ...(existsSync(REAL) ? [setOf("a real export", REAL, 440)] : []),
];

function made(): ExportSet {
  const { folder, total } = makeExports();
  return setOf("a made export", folder, total);
}

function setOf(name: string, folder: string, total: number): ExportSet {
  return { name, total, takeout: join(folder, "takeout-sv"), file: (file) => join(folder, file) };
}
