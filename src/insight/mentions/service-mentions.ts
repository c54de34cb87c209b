/** Finds the services named in a review: by label or alias in any inflection, or by the taxonomy's paraphrases. */
import type { BusinessFile } from "../../business.ts";
import { compileMatcher } from "../taxonomy/matcher.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { type Tokens, tokenise } from "../text/tokens.ts";
import { stem } from "../text/word-stem.ts";

/**
 * Origin of a phrase for a service: the owner, the taxonomy, or the taxonomy only if no other service is named
 * (`alone`).
 */
type Authority = "owner" | "taxonomy" | "alone";

interface Naming {
  readonly service: number;
  readonly authority: Authority;
}

/** Returns a function that finds the business's services in a tokenised text; ids in the business's order. */
export function serviceFinder(business: BusinessFile, taxonomy: Taxonomy): (tokens: Tokens) => string[] {
  const patterns: string[] = [];
  const namings: Naming[] = [];
  const add = (list: Iterable<string>, service: number, authority: Authority) => {
    for (const pattern of list) {
      patterns.push(pattern);
      namings.push({ service, authority });
    }
  };
  for (const [service, entry] of business.services.entries()) {
    add(new Set([entry.label, ...entry.aliases].flatMap(patternOf)), service, "owner");
    for (const known of knownServices(entry, taxonomy)) {
      add(known.phrases, service, "taxonomy");
      add(known.alone, service, "alone");
    }
  }
  const matcher = compileMatcher(patterns, taxonomy.classes);
  return (tokens) => {
    const matches = matcher.find(tokens).map((match) => ({ ...match, ...(namings[match.pattern] as Naming) }));
    const by = (authority: Authority) => matches.filter((match) => match.authority === authority);
    const owned = by("owner");
    // The owner's wording takes precedence over paraphrases of other services: "the heat" in "the heat pump".
    const isTaken = ({ service, from, to }: (typeof matches)[number]) =>
      owned.some((own) => own.service !== service && own.from < to && from < own.to);
    const named = [...owned, ...by("taxonomy").filter((match) => !isTaken(match))];
    const found = new Set((named.length > 0 ? named : by("alone")).map(({ service }) => service));
    return business.services.filter((_, index) => found.has(index)).map(({ id }) => id);
  };
}

/** A spelling as a pattern. Up to four words may have articles between them; longer ones may not. */
function patternOf(spelling: string): string[] {
  const words = tokenise(spelling).forms.filter((form) => /^[\p{L}\p{N}']+$/u.test(form) && form !== "'s");
  if (words.length === 0) return [];
  return [words.length > 4 ? words.join(" ") : words.join(" [(the|my|our|a|an|your|his|her)] ")];
}

/**
 * The taxonomy's entries for a service, by its id, its label and its other spellings. A label such as "Ductwork and
 * indoor air quality" is two names.
 */
function knownServices({ id, label, aliases }: BusinessFile["services"][number], taxonomy: Taxonomy) {
  const parts = label.split(/ and | & |[,/+]/).filter((part) => part.trim() !== "");
  const own = new Set([id.replaceAll(/[-_.]/g, " "), label, ...parts, ...aliases].map(key));
  return taxonomy.services.filter(({ names }) => names.some((name) => own.has(key(name))));
}

function key(name: string): string {
  return tokenise(name).forms.map(stem).join(" ");
}
