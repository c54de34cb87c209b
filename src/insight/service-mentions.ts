/** Which services a review names: by label or alias in any inflection, or as the taxonomy says customers put it. */
import type { BusinessFile } from "../business.ts";
import { compileMatcher } from "./matcher.ts";
import type { Taxonomy } from "./taxonomy.ts";
import { type Tokens, tokenise } from "./tokens.ts";
import { stem } from "./word-stem.ts";

/** Finds the services of a business in a text that is cut into words. Ids in the business's order. */
export function serviceFinder(business: BusinessFile, taxonomy: Taxonomy): (tokens: Tokens) => string[] {
  const patterns: string[] = [];
  const owners: number[] = [];
  for (const [index, service] of business.services.entries()) {
    const spellings = [service.label, ...service.aliases];
    const own = [...spellings.flatMap(patternOf), ...paraphrases(service, taxonomy)];
    for (const pattern of new Set(own)) {
      patterns.push(pattern);
      owners.push(index);
    }
  }
  const matcher = compileMatcher(patterns, taxonomy.classes);
  return (tokens) => {
    const found = new Set(matcher.find(tokens).map(({ pattern }) => owners[pattern]));
    return business.services.filter((_, index) => found.has(index)).map(({ id }) => id);
  };
}

/** A spelling as a pattern: its words, between which an article may stand; a lone long word also as two. */
function patternOf(spelling: string): string[] {
  const words = tokenise(spelling).forms.filter((form) => /^[\p{L}\p{N}']+$/u.test(form) && form !== "'s");
  if (words.length === 0) return [];
  return [words.length > 4 ? words.join(" ") : words.join(" [(the|my|our|a|an|your|his|her)] ")];
}

/** What the taxonomy knows of a service that has one of its names. */
function paraphrases(service: BusinessFile["services"][number], taxonomy: Taxonomy): string[] {
  const own = new Set([service.id.replaceAll(/[-_.]/g, " "), service.label].map(key));
  return taxonomy.services
    .filter(({ names }) => names.some((name) => own.has(key(name))))
    .flatMap(({ phrases }) => phrases);
}

function key(name: string): string {
  return tokenise(name).forms.map(stem).join(" ");
}
