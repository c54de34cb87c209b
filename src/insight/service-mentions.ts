/** Which services a review names: by label or alias in any inflection, or as the taxonomy says customers put it. */
import type { BusinessFile } from "../business.ts";
import { compileMatcher } from "./matcher.ts";
import type { Taxonomy } from "./taxonomy.ts";
import { type Tokens, tokenise } from "./tokens.ts";
import { stem } from "./word-stem.ts";

interface Naming {
  readonly service: number;
  /** Whether it is the owner's own label or alias, not the taxonomy's paraphrase. */
  readonly isOwn: boolean;
}

/** Finds the services of a business in a text that is cut into words. Ids in the business's order. */
export function serviceFinder(business: BusinessFile, taxonomy: Taxonomy): (tokens: Tokens) => string[] {
  const patterns: string[] = [];
  const namings: Naming[] = [];
  const add = (pattern: string, naming: Naming) => {
    patterns.push(pattern);
    namings.push(naming);
  };
  for (const [service, entry] of business.services.entries()) {
    const own = new Set([entry.label, ...entry.aliases].flatMap(patternOf));
    for (const pattern of own) add(pattern, { service, isOwn: true });
    for (const pattern of paraphrases(entry, taxonomy)) add(pattern, { service, isOwn: false });
  }
  const matcher = compileMatcher(patterns, taxonomy.classes);
  return (tokens) => {
    const matches = matcher.find(tokens).map((match) => ({ ...match, ...(namings[match.pattern] as Naming) }));
    const owned = matches.filter(({ isOwn }) => isOwn);
    const found = new Set<number>();
    for (const match of matches) {
      // What the owner's own words name is not also another service by a paraphrase: "the heat" in "the heat pump".
      const isTaken = owned.some((own) => own.service !== match.service && own.from < match.to && match.from < own.to);
      if (match.isOwn || !isTaken) found.add(match.service);
    }
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
