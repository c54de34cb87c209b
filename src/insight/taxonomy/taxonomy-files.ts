/**
 * Reads the data files for a trade that come with the program: the taxonomy, `taxonomies/NAME.yaml`, and the weights of
 * the trained model, `models/NAME.json`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PROGRAM_FOLDER } from "../../program-folder.ts";

const FOLDER = join(PROGRAM_FOLDER, "taxonomies");
const MODELS = join(PROGRAM_FOLDER, "models");
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
  return readFileSync(join(FOLDER, `${name}${ENDING}`), "utf8");
}

/** Reads what `npm run taxonomies` made of a taxonomy file, if it did. */
export function readCompiledTaxonomy(name: string): string | undefined {
  const file = join(FOLDER, "compiled", `${name}.json`);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

const categoriesSchema = z.record(z.string(), z.array(z.string()));

/** The business categories of each taxonomy, by its name (`taxonomies/categories.json`). */
export function readCategories(): Readonly<Record<string, readonly string[]>> {
  return categoriesSchema.parse(JSON.parse(readFileSync(join(FOLDER, "categories.json"), "utf8")));
}

/** Reads the texts of the weights for a taxonomy and of their word vectors. */
export function readModelFiles(taxonomy: string): { readonly weights: string; readonly vectors: string } {
  const own = join(MODELS, `${taxonomy}.json`);
  return {
    weights: readFileSync(existsSync(own) ? own : join(MODELS, `${ANY_TRADE}.json`), "utf8"),
    vectors: readFileSync(join(MODELS, "word-vectors.json"), "utf8"),
  };
}
