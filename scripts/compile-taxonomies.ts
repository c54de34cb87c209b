/**
 * Reads each `taxonomies/NAME.yaml` (and `taxonomies/TAG/NAME.yaml`, for texts in other languages), indexes its patterns and writes both to
 * `taxonomies/compiled/NAME.json`, so that the program need not do so at each start. A compiled file whose YAML has
 * changed since is not used.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compileTaxonomy } from "../src/insight/taxonomy/taxonomy.ts";
import { readTaxonomy, taxonomyNames } from "../src/insight/taxonomy/taxonomy-files.ts";
import { ENGLISH, languageNamed, READ_TAGS } from "../src/insight/text/language-words.ts";

const folder = join(import.meta.dirname, "../taxonomies/compiled");
for (const tag of READ_TAGS) {
  for (const name of taxonomyNames()) {
    const language = languageNamed(tag);
    const json = compileTaxonomy(readTaxonomy(name, tag), name, language);
    const file = join(language === ENGLISH ? "" : tag, `${name}.json`);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), json);
    console.log(`taxonomies/compiled/${file}: ${(json.length / 1024).toFixed(0)} KiB`);
  }
}
