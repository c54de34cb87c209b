/** The taxonomy by which a business's reviews are read, parsed once in a process: the files come with the program. */
import { type BusinessFile, UNNAMED_BUSINESS } from "../business.ts";
import { parseTaxonomy, type Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import { readTaxonomy } from "../store/taxonomy-files.ts";

const parsed = new Map<string, Taxonomy>();

/**
 * The taxonomy that the business file names, or the usual one where there is no file.
 * @throws RangeError when there is none of this name.
 */
export function taxonomyOf(business: BusinessFile | undefined): Taxonomy {
  const { taxonomy: name } = business ?? UNNAMED_BUSINESS;
  const taxonomy = parsed.get(name) ?? parseTaxonomy(readTaxonomy(name), name, { isTested: true });
  parsed.set(name, taxonomy);
  return taxonomy;
}
