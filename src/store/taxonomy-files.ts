/** The taxonomies that came with the program, `taxonomies/NAME.yaml`: data by which a trade's reviews are read. */
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../taxonomies/", import.meta.url);
const ENDING = ".yaml";

/** The names that a business file may give as its taxonomy, sorted. */
export function taxonomyNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .toSorted();
}

/**
 * The text of a taxonomy's file.
 * @throws RangeError when there is none of this name.
 */
export function readTaxonomy(name: string): string {
  if (!taxonomyNames().includes(name)) {
    throw new RangeError(`There is no taxonomy ${JSON.stringify(name)}, only ${taxonomyNames().join(", ") || "none"}`);
  }
  return readFileSync(new URL(`${name}${ENDING}`, FOLDER), "utf8");
}
