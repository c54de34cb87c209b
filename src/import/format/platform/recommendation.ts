/** Since 2018, Facebook asks "Would you recommend it?" Such reviews have no stars, and none may be invented. */

/** The fault of a record without stars. */
export function noStars(site: unknown): { readonly fault: string } {
  const where = typeof site === "string" && !/facebook/i.test(site) ? "" : ", as recommendations on Facebook are";
  return { fault: `is without stars${where}, but a review needs 1 to 5; import the others with --skip-invalid` };
}
