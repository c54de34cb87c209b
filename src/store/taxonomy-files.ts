/**
 * Reads the data files for a trade that come with the program: the taxonomy, `taxonomies/NAME.yaml`, and the weights of
 * the trained model, `models/NAME.json`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

const FOLDER = new URL("../../taxonomies/", import.meta.url);
const COMPILED = new URL("../../taxonomies/compiled/", import.meta.url);
const MODELS = new URL("../../models/", import.meta.url);
/** The taxonomy for all other businesses. Its trained model also serves taxonomies without one of their own. */
export const ANY_TRADE = "general";
const ENDING = ".yaml";

/** The taxonomy names that a business file may use, sorted. */
export function taxonomyNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .toSorted();
}

/**
 * Reads the text of a taxonomy file.
 * @throws RangeError when there is none with this name.
 */
export function readTaxonomy(name: string): string {
  if (!taxonomyNames().includes(name)) {
    throw new RangeError(`There is no taxonomy ${JSON.stringify(name)}, only ${taxonomyNames().join(", ") || "none"}`);
  }
  return readFileSync(new URL(`${name}${ENDING}`, FOLDER), "utf8");
}

/** Reads what `npm run taxonomies` made of a taxonomy file, if it did. */
export function readCompiledTaxonomy(name: string): string | undefined {
  const file = new URL(`${name}.json`, COMPILED);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

const categoriesSchema = z.record(z.string(), z.array(z.string()));

/** The business categories of each taxonomy, by its name (`taxonomies/categories.json`). */
export function readCategories(): Readonly<Record<string, readonly string[]>> {
  return categoriesSchema.parse(JSON.parse(readFileSync(new URL("categories.json", FOLDER), "utf8")));
}

/** Reads the texts of the weights for a taxonomy and of their word vectors. */
export function readModelFiles(taxonomy: string): { readonly weights: string; readonly vectors: string } {
  const own = new URL(`${taxonomy}.json`, MODELS);
  return {
    weights: readFileSync(existsSync(own) ? own : new URL(`${ANY_TRADE}.json`, MODELS), "utf8"),
    vectors: readFileSync(new URL("word-vectors.json", MODELS), "utf8"),
  };
}
