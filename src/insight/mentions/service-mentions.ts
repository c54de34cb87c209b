/** Finds the services named in a review: by label or alias in any inflection, or by the taxonomy's paraphrases. */
import type { BusinessFile } from "../../business.ts";
import { compileMatcher } from "../taxonomy/matcher.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { type Tokens, tokenise } from "../text/tokens.ts";
import { stem } from "../text/word-stem.ts";

/**
 * Origin of a phrase for a service: the owner, the taxonomy, or the taxonomy only if no other service is named
 * (`alone`). An `except` is the taxonomy's phrase that only resembles one: the "boiler room".
 */
type Authority = "owner" | "taxonomy" | "alone" | "except";

type TaxonomyService = Taxonomy["services"][number];

interface Naming {
  readonly service: number;
  readonly authority: Authority;
  /** The taxonomy's entry; an `except` of one is not one of another. */
  readonly entry?: TaxonomyService;
}

/** Returns a function that finds the business's services in a tokenised text; ids in the business's order. */
export function serviceFinder(business: BusinessFile, taxonomy: Taxonomy): (tokens: Tokens) => string[] {
  const patterns: string[] = [];
  const namings: Naming[] = [];
  const add = (list: Iterable<string>, naming: Naming) => {
    for (const pattern of list) {
      patterns.push(pattern);
      namings.push(naming);
    }
  };
  const knownServices = serviceLookup(taxonomy);
  for (const [service, entry] of business.services.entries()) {
    add(new Set([entry.label, ...entry.aliases].flatMap(patternOf)), { service, authority: "owner" });
    for (const known of knownServices(entry)) {
      add(known.phrases, { service, authority: "taxonomy", entry: known });
      add(known.alone, { service, authority: "alone", entry: known });
      add(known.except, { service, authority: "except", entry: known });
    }
  }
  const matcher = compileMatcher(patterns, taxonomy.classes);
  return (tokens) => {
    const matches = matcher.find(tokens).map((match) => ({ ...match, ...(namings[match.pattern] as Naming) }));
    const by = (authority: Authority) => matches.filter((match) => match.authority === authority);
    const except = by("except");
    const owned = by("owner").filter(
      ({ service, from, to }) =>
        !except.some((it) => it.service === service && it.from <= from && to <= it.to && it.to - it.from > to - from),
    );
    // The owner's wording takes precedence over paraphrases of other services: "the heat" in "the heat pump".
    const isFree = ({ service, entry, from, to }: (typeof matches)[number]) =>
      !owned.some((own) => own.service !== service && own.from < to && from < own.to) &&
      !except.some((other) => other.entry === entry && other.service === service && other.from < to && from < other.to);
    const named = [...owned, ...by("taxonomy").filter(isFree)];
    const found = new Set((named.length > 0 ? named : by("alone").filter(isFree)).map(({ service }) => service));
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
 * Returns a function that finds the taxonomy's entries for a service, by its id, its label and its other spellings. A
 * label such as "Ductwork and indoor air quality" is two names.
 */
function serviceLookup(taxonomy: Taxonomy) {
  const entries = taxonomy.services.map((entry) => ({ entry, names: entry.names.map(key) }));
  const isAnyWork = anyWork(entries.map(({ names }) => names));
  return ({ id, label, aliases }: BusinessFile["services"][number]): Taxonomy["services"] => {
    const parts = [...partsOf(label, isAnyWork), ...aliases.map(key)].filter((part) => !isAnyWork(part));
    const own = new Set([key(id.replaceAll(/[-_.]/g, " ")), key(label), ...parts]);
    const known = (name: string) => entries.filter(({ names }) => names.includes(name)).map(({ entry }) => entry);
    return [
      ...new Set(
        [...own].flatMap(
          (name) =>
            endsOf(name)
              .map(known)
              .find((found) => found.length > 0) ?? [],
        ),
      ),
    ];
  };
}

/** A name, then its ends of two words or more, longest first: that of "residential AC repair" is "AC repair". */
function endsOf(name: string): string[] {
  const words = name.split(" ");
  return [name, ...words.slice(1, -1).map((_, index) => words.slice(index + 1).join(" "))];
}

/** Whether a word ends the names of several services, so that it names none of them: "repair", "installation". */
function anyWork(services: readonly (readonly string[])[]): (word: string) => boolean {
  const counts = new Map<string, number>();
  for (const names of services) {
    const ends = new Set(
      names.filter((name) => name.includes(" ")).map((name) => name.slice(name.lastIndexOf(" ") + 1)),
    );
    for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return (word) => (counts.get(word) ?? 0) > 1;
}

/** The keys of a label's names. The second of "furnace repair and installation" is that of "furnace installation". */
function partsOf(label: string, isAnyWork: (word: string) => boolean): string[] {
  let object = "";
  return label
    .split(/ and | & |[,/+]/)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const name = key(part);
      if (isAnyWork(name) && object !== "") return `${object} ${name}`;
      object = name.slice(0, Math.max(0, name.lastIndexOf(" ")));
      return name;
    });
}

function key(name: string): string {
  return tokenise(name).forms.map(stem).join(" ");
}
