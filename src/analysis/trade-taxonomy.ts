/** The taxonomy by which a business's reviews are read, parsed once in a process: the files come with the program. */
import { type BusinessFile, UNNAMED_BUSINESS } from "../business.ts";
import { parseTaxonomy, type Taxonomy, withNames } from "../insight/taxonomy/taxonomy.ts";
import { readModelFiles, readTaxonomy } from "../store/taxonomy-files.ts";

const parsed = new Map<string, Taxonomy>();
/** The last business's taxonomy: a process serves one, whose file may change. */
let named: { readonly key: string; readonly taxonomy: Taxonomy } | undefined;

/**
 * A taxonomy of the program by its name, with its model.
 * @throws RangeError when there is none of this name.
 */
export function taxonomyNamed(name: string): Taxonomy {
  const taxonomy =
    parsed.get(name) ?? parseTaxonomy(readTaxonomy(name), name, { isTested: true, model: readModelFiles(name) });
  parsed.set(name, taxonomy);
  return taxonomy;
}

/**
 * The taxonomy that the business file names, or the usual one where there is no file; it masks the file's names.
 * @throws RangeError when there is none of this name.
 */
export function taxonomyOf(business: BusinessFile | undefined): Taxonomy {
  const { taxonomy, name, technicians } = business ?? UNNAMED_BUSINESS;
  const names = { business: name, people: technicians.map((technician) => technician.name) };
  const key = JSON.stringify([taxonomy, names]);
  if (named?.key !== key) named = { key, taxonomy: withNames(taxonomyNamed(taxonomy), names) };
  return named.taxonomy;
}
