/** Finds the technicians, services and places named in a review. */
import type { BusinessFile } from "../../business.ts";
import { inLanguage, type Taxonomy } from "../taxonomy/taxonomy.ts";
import { ENGLISH, languageNamed, perLanguage } from "../text/language-words.ts";
import { tokenise } from "../text/tokens.ts";
import { areaFinder } from "./area-mentions.ts";
import { serviceFinder } from "./service-mentions.ts";
import { technicianFinder } from "./technician-mentions.ts";

/** Ids of the technicians, services and places named in a review, each list in the business's order. */
export interface Mentions {
  readonly technicians: string[];
  readonly services: string[];
  readonly service_areas: string[];
}

/**
 * Compiles a finder for the business's technicians, services and places, to be reused for every review: for a text and
 * its language, whose finders are made when the first text needs them.
 */
export function mentionFinder(
  business: BusinessFile,
  taxonomy: Taxonomy,
): (text: string | null, language?: string | null) => Mentions {
  const named = [business.technicians, business.services, business.service_areas];
  if (named.every(({ length }) => length === 0)) return () => ({ technicians: [], services: [], service_areas: [] });
  const findersOf = perLanguage((_, language) => ({
    technicians: technicianFinder(business, language),
    services: serviceFinder(business, inLanguage(taxonomy, language) ?? taxonomy),
    areas: areaFinder(business, language),
  }));
  return (text, tag = ENGLISH.tag) => {
    if (text === null) return { technicians: [], services: [], service_areas: [] };
    const language = languageNamed(tag);
    const tokens = tokenise(text, language);
    const { technicians, services, areas } = findersOf(language);
    return { technicians: technicians(tokens), services: services(tokens), service_areas: areas(tokens) };
  };
}
