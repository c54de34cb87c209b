/**
 * `npm run taxonomies`: reads each `taxonomies/NAME.yaml`, indexes its patterns and writes both to
 * `taxonomies/compiled/NAME.json`, so that the program need not do so at each start. A compiled file whose YAML has
 * changed since is not used.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileTaxonomy } from "../src/insight/taxonomy/taxonomy.ts";
import { readTaxonomy, taxonomyNames } from "../src/insight/taxonomy/taxonomy-files.ts";

const folder = join(import.meta.dirname, "../taxonomies/compiled");
mkdirSync(folder, { recursive: true });
for (const name of taxonomyNames()) {
  const json = compileTaxonomy(readTaxonomy(name), name);
  writeFileSync(join(folder, `${name}.json`), json);
  console.log(`taxonomies/compiled/${name}.json: ${(json.length / 1024).toFixed(0)} KiB`);
}
