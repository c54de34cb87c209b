/** Since 2018, Facebook asks "Would you recommend it?" Such reviews have no stars, and none may be invented. */
import { spellingOf } from "./column-names.ts";

/** A member or column that says whether a customer recommends the business. */
const RECOMMENDATION = /^(?:is_|has_)?recommend(?:ed|s|ation|ation_type|ation_status)?$|^(?:would|does)_recommend$/;

/** The names among these that say whether a customer recommends the business, by which some tools make up 5 stars or 1. */
export function recommendationsIn(names: Iterable<string>): string[] {
  return [...names].filter((name) => RECOMMENDATION.test(spellingOf(name)));
}

/** The fault of a record without stars. */
export function noStars(site: unknown): { readonly fault: string } {
  const where = typeof site === "string" && !/facebook/i.test(site) ? "" : ", as recommendations on Facebook are";
  return { fault: `is without stars${where}, but a review needs 1 to 5; import the others with --skip-invalid` };
}
