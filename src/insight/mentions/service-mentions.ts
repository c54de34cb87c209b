/** Finds the services named in a review: by label or alias in any inflection, or by the taxonomy's paraphrases. */
import type { BusinessFile } from "../../business.ts";
import { compileMatcher } from "../taxonomy/matcher.ts";
import type { ServiceMeaning, Taxonomy } from "../taxonomy/taxonomy.ts";
import { type Tokens, tokenise } from "../text/tokens.ts";
import { stem } from "../text/word-stem.ts";

interface Naming {
  /** Number of the business's service. */
  readonly service: number;
  /** Number of the taxonomy's service; an `except` of one is not one of another. */
  readonly known: number;
  readonly kind: ServiceMeaning["kind"];
  readonly from: number;
  readonly to: number;
}

/** Returns a function that finds the business's services in a tokenised text; ids in the business's order. */
export function serviceFinder(business: BusinessFile, taxonomy: Taxonomy): (tokens: Tokens) => string[] {
  const owners = business.services.flatMap(({ label, aliases }, service) =>
    [...new Set([label, ...aliases].flatMap(patternOf))].map((pattern) => ({ pattern, service })),
  );
  const ownersWords = compileMatcher(
    owners.map(({ pattern }) => pattern),
    {},
  );
  const knownServices = serviceLookup(taxonomy);
  /** By number of the taxonomy's service: the numbers of the business's services that it stands for. */
  const standsFor = taxonomy.services.map((): number[] => []);
  for (const [service, entry] of business.services.entries()) {
    for (const known of knownServices(entry)) standsFor[known]?.push(service);
  }
  const isKnown = standsFor.some((services) => services.length > 0);

  function namingsIn(tokens: Tokens): Naming[] {
    if (!isKnown) return []; // the taxonomy's patterns are not even read
    return taxonomy.serviceMatcher.find(tokens).flatMap(({ pattern, from, to }) => {
      const { service: known, kind } = taxonomy.serviceMeanings[pattern] as ServiceMeaning;
      return (standsFor[known] as readonly number[]).map((service) => ({ service, known, kind, from, to }));
    });
  }

  return (tokens) => {
    const namings = namingsIn(tokens);
    const except = namings.filter(({ kind }) => kind === "except");
    const owned = ownersWords
      .find(tokens)
      .map(({ pattern, from, to }) => ({ service: (owners[pattern] as { service: number }).service, from, to }))
      .filter(
        ({ service, from, to }) =>
          !except.some((it) => it.service === service && it.from <= from && to <= it.to && it.to - it.from > to - from),
      );
    // The owner's wording takes precedence over paraphrases of other services: "the heat" in "the heat pump".
    const free = namings.filter(
      ({ service, known, from, to }) =>
        !owned.some((own) => own.service !== service && own.from < to && from < own.to) &&
        !except.some((it) => it.known === known && it.service === service && it.from < to && from < it.to),
    );
    const named = [...owned, ...free.filter(({ kind }) => kind === "phrases")];
    const found = new Set(
      (named.length > 0 ? named : free.filter(({ kind }) => kind === "alone")).map(({ service }) => service),
    );
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
 * Returns a function that finds the numbers of the taxonomy's services for one of the business, by its id, its label and
 * its other spellings. A label such as "Ductwork and indoor air quality" is two names.
 */
function serviceLookup(taxonomy: Taxonomy) {
  const names = taxonomy.services.map((entry) => entry.names.map(key));
  const isAnyWork = anyWork(names);
  const known = (name: string) => [...names.keys()].filter((number) => names[number]?.includes(name));
  return ({ id, label, aliases }: BusinessFile["services"][number]): ReadonlySet<number> => {
    const parts = [...partsOf(label, isAnyWork), ...aliases.map(key)].filter((part) => !isAnyWork(part));
    const own = new Set([key(id.replaceAll(/[-_.]/g, " ")), key(label), ...parts]);
    const numbersOf = (name: string) =>
      endsOf(name)
        .map(known)
        .find((found) => found.length > 0) ?? [];
    return new Set([...own].flatMap(numbersOf));
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
