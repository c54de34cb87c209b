/**
 * Reads the data files for a trade that come with the program: the taxonomy, `taxonomies/NAME.yaml`, and the weights of
 * the trained model, `models/NAME.json`. Those for texts in another language are in a folder that is named by its tag.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PROGRAM_FOLDER } from "../../program-folder.ts";
import { ENGLISH, READ_TAGS } from "../text/language-words.ts";

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

/** The folder of a language's files within the folder of those for English. */
const folderOf = (tag: string) => (tag === ENGLISH.tag ? "." : tag);

/**
 * Reads the text of a taxonomy file.
 * @throws RangeError when there is none with this name.
 */
export function readTaxonomy(name: string, tag: string = ENGLISH.tag): string {
  if (!taxonomyNames().includes(name)) {
    throw new RangeError(`There is no taxonomy ${JSON.stringify(name)}, only ${taxonomyNames().join(", ") || "none"}`);
  }
  return readFileSync(join(FOLDER, folderOf(tag), `${name}${ENDING}`), "utf8");
}

/** Reads what `npm run compile` made of a taxonomy file, if it did. */
export function readCompiledTaxonomy(name: string, tag: string = ENGLISH.tag): string | undefined {
  const file = join(FOLDER, "compiled", folderOf(tag), `${name}.json`);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

const categoriesSchema = z.record(z.string(), z.array(z.string()));

/** The business categories of each taxonomy, by its name (`taxonomies/categories.json`). */
export function readCategories(): Readonly<Record<string, readonly string[]>> {
  return categoriesSchema.parse(JSON.parse(readFileSync(join(FOLDER, "categories.json"), "utf8")));
}

/** Reads the texts of the weights for a taxonomy and of their word vectors. */
export function readModelFiles(
  taxonomy: string,
  tag: string = ENGLISH.tag,
): { readonly weights: string; readonly vectors: string } {
  return {
    weights: readFileSync(weightsFile(taxonomy, tag), "utf8"),
    vectors: readFileSync(join(MODELS, "word-vectors.json"), "utf8"),
  };
}

/** The weights of a language, or those for English, by which its words can be read, too: `like` in its words. The
 * trade's own come first. A folder is named after the languages whose weights it holds. */
function weightsFile(taxonomy: string, tag: string): string {
  const own = readdirSync(MODELS).find((folder) => folder.split("-").includes(tag)) ?? "";
  const folders = [join(MODELS, own), MODELS];
  const files = [taxonomy, ANY_TRADE].flatMap((name) => folders.map((folder) => join(folder, `${name}.json`)));
  return files.find((file) => existsSync(file)) as string;
}

/** A hash of all that texts in other languages are read with: their analyses change with it. */
export function hashOfTranslations(taxonomy: string): string {
  const hash = createHash("sha256");
  for (const tag of READ_TAGS) {
    if (tag === ENGLISH.tag) continue;
    hash.update(readFileSync(join(FOLDER, folderOf(tag), `${taxonomy}${ENDING}`)));
    hash.update(readFileSync(join(FOLDER, "words", `${tag}.json`)));
    hash.update(readFileSync(weightsFile(taxonomy, tag)));
  }
  return hash.digest("hex");
}
