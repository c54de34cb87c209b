/** Finds the technicians, services and places named in a review. */
import type { BusinessFile } from "../../business.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
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

/** Compiles a finder for the business's technicians, services and places, to be reused for every review. */
export function mentionFinder(business: BusinessFile, taxonomy: Taxonomy): (text: string | null) => Mentions {
  const named = [business.technicians, business.services, business.service_areas];
  if (named.every(({ length }) => length === 0)) return () => ({ technicians: [], services: [], service_areas: [] });
  const technicians = technicianFinder(business);
  const services = serviceFinder(business, taxonomy);
  const areas = areaFinder(business);
  return (text) => {
    if (text === null) return { technicians: [], services: [], service_areas: [] };
    const tokens = tokenise(text);
    return { technicians: technicians(tokens), services: services(tokens), service_areas: areas(tokens) };
  };
}
