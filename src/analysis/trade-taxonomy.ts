/** Chooses the taxonomy for a business's reviews; each bundled one is parsed once per process. */
import { type BusinessFile, UNNAMED_BUSINESS } from "../business.ts";
import { forBusiness, parseTaxonomy, type Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import {
  ANY_TRADE,
  hashOfTranslations,
  readCategories,
  readCompiledTaxonomy,
  readModelFiles,
  readTaxonomy,
} from "../insight/taxonomy/taxonomy-files.ts";
import { ENGLISH, type Language, perLanguage } from "../insight/text/language-words.ts";

const parsed = new Map<string, Taxonomy>();

/**
 * Returns a bundled taxonomy with its model.
 * @throws RangeError if there is none with this name.
 */
export function taxonomyNamed(name: string): Taxonomy {
  let taxonomy = parsed.get(name);
  if (taxonomy === undefined) {
    taxonomy = parseTaxonomy(readTaxonomy(name), name, {
      ...trained(name, ENGLISH),
      translated: perLanguage((_, language) =>
        parseTaxonomy(readTaxonomy(name, language.tag), name, trained(name, language)),
      ),
      translations: hashOfTranslations(name),
    });
    parsed.set(name, taxonomy);
  }
  return taxonomy;
}

function trained(name: string, language: Language) {
  const [model, compiled] = [readModelFiles(name, language.tag), readCompiledTaxonomy(name, language.tag)];
  return { isTested: true, language, model, compiled };
}

/** The chosen taxonomy and the reason for it. */
export interface TaxonomyChoice {
  readonly name: string;
  readonly reason: string;
}

/** The taxonomy named in the business file, otherwise the category's, otherwise the general one. */
export function taxonomyChoice(business: BusinessFile | undefined): TaxonomyChoice {
  const { taxonomy, category } = business ?? UNNAMED_BUSINESS;
  if (taxonomy !== undefined) return { name: taxonomy, reason: "business.yaml names it" };
  const made = Object.entries(readCategories()).find(([, categories]) => categories.includes(category));
  if (made === undefined) return { name: ANY_TRADE, reason: `no taxonomy is made for the category ${category}` };
  if (business === undefined) return { name: made[0], reason: "there is no business.yaml" };
  return { name: made[0], reason: `the category is ${category}` };
}

/**
 * The taxonomy for a business's reviews, with the names from the business file masked and what its category changes.
 * @throws RangeError if the business file names an unknown taxonomy.
 */
export function taxonomyOf(business: BusinessFile | undefined): Taxonomy {
  const { name: taxonomy } = taxonomyChoice(business);
  const { name, technicians, category } = business ?? UNNAMED_BUSINESS;
  const names = { business: name, people: technicians.map((technician) => technician.name) };
  return forBusiness(taxonomyNamed(taxonomy), names, category);
}
