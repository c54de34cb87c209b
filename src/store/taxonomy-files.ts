/**
 * The data by which a trade's reviews are read, as it came with the program: the taxonomies, `taxonomies/NAME.yaml`,
 * and the trained weights, `models/NAME.json`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

const FOLDER = new URL("../../taxonomies/", import.meta.url);
const MODELS = new URL("../../models/", import.meta.url);
/** The taxonomy for businesses that no other is made for; its model reads for a taxonomy without one of its own. */
export const ANY_TRADE = "general";
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

const categoriesSchema = z.record(z.string(), z.array(z.string()));

/** By the name of a taxonomy the categories of business that it is made for (`taxonomies/categories.json`). */
export function readCategories(): Readonly<Record<string, readonly string[]>> {
  return categoriesSchema.parse(JSON.parse(readFileSync(new URL("categories.json", FOLDER), "utf8")));
}

/** The texts of the weights for a taxonomy and of the word vectors that they use. */
export function readModelFiles(taxonomy: string): { readonly weights: string; readonly vectors: string } {
  const own = new URL(`${taxonomy}.json`, MODELS);
  return {
    weights: readFileSync(existsSync(own) ? own : new URL(`${ANY_TRADE}.json`, MODELS), "utf8"),
    vectors: readFileSync(new URL("word-vectors.json", MODELS), "utf8"),
  };
}
