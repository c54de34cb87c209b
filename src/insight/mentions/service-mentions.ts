/** Finds the services named in a review: by label or alias in any inflection, or by the taxonomy's paraphrases. */
import type { BusinessFile } from "../../business.ts";
import { compileMatcher } from "../engine/matcher.ts";
import type { ServiceMeaning, Taxonomy } from "../taxonomy/taxonomy.ts";
import { type Language, perLanguage, wordsIn } from "../text/language-words.ts";
import { type Tokens, tokenise } from "../text/tokens.ts";
import { stem } from "../text/word-stem.ts";

/** The words `from` to `to` (exclusive) of a text. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** The largest `to` of the places that begin before a word; 0 if there are none. */
type Reach = (before: number) => number;

const reachesTo = (reach: Reach, { from, to }: Place) => reach(to) > from;
const holdsMore = (reach: Reach, { from, to }: Place) => reach(from) >= to || reach(from + 1) > to;

/** Returns a function that finds the business's services in a tokenised text of the taxonomy's language; ids in the business's order. */
export function serviceFinder(business: BusinessFile, taxonomy: Taxonomy): (tokens: Tokens) => string[] {
  const { language } = taxonomy;
  const owners = business.services.flatMap(({ label, aliases }, service) =>
    [...new Set([label, ...aliases].flatMap((spelling) => patternOf(spelling, language)))].map((pattern) => ({
      pattern,
      service,
    })),
  );
  const ownersWords = compileMatcher(
    owners.map(({ pattern }) => pattern),
    {},
    language,
  );
  const synonymsOf = serviceLookup(taxonomy);
  /** By number of the business's service: the numbers of the taxonomy's services with the same meaning. */
  const synonyms = business.services.map((service) => [...synonymsOf(service)]);
  const wanted = new Set(synonyms.flat());

  /** The taxonomy's matches, by number of its service. */
  function namingsIn(tokens: Tokens): Record<ServiceMeaning["kind"], Place[]>[] {
    const found = taxonomy.services.map(() => ({
      phrases: [] as Place[],
      alone: [] as Place[],
      except: [] as Place[],
    }));
    if (wanted.size === 0) return found; // saves reading the taxonomy's patterns
    for (const { pattern, from, to } of taxonomy.serviceMatcher.find(tokens)) {
      const { service, kind } = taxonomy.serviceMeanings[pattern] as ServiceMeaning;
      if (wanted.has(service)) found[service]?.[kind].push({ from, to });
    }
    return found;
  }

  return (tokens) => {
    const namings = namingsIn(tokens);
    const except = namings.map((found) => reachOf(found.except));
    const owned = business.services.map((): Place[] => []);
    for (const { pattern, from, to } of ownersWords.find(tokens)) {
      const { service } = owners[pattern] as { service: number };
      const isOther = synonyms[service]?.some((number) => holdsMore(except[number] as Reach, { from, to }));
      if (isOther !== true) owned[service]?.push({ from, to });
    }
    const reaches = owned.map(reachOf);
    // The owner's wording takes precedence over paraphrases of other services: "the heat" in "the heat pump".
    const isFree = (place: Place, number: number, service: number) =>
      !reachesTo(except[number] as Reach, place) &&
      !reaches.some((reach, other) => other !== service && reachesTo(reach, place));
    const isNamed = (kind: "phrases" | "alone", service: number) =>
      synonyms[service]?.some((number) => namings[number]?.[kind].some((place) => isFree(place, number, service))) ===
      true;
    const numbers = [...business.services.keys()];
    const named = numbers.filter((service) => owned[service]?.length !== 0 || isNamed("phrases", service));
    const found = new Set(named.length > 0 ? named : numbers.filter((service) => isNamed("alone", service)));
    return business.services.filter((_, service) => found.has(service)).map(({ id }) => id);
  };
}

/** Answers by binary search, because a text may name a service thousands of times. `places` are sorted. */
function reachOf(places: readonly Place[]): Reach {
  let most = 0;
  const reached = places.map(({ to }) => {
    most = Math.max(most, to);
    return most;
  });
  return (before) => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as Place).from < before) low = middle + 1;
      else high = middle;
    }
    return reached[low - 1] ?? 0;
  };
}

/** A spelling as a pattern. Up to four words may have articles between them; longer ones may not. */
function patternOf(spelling: string, language: Language): string[] {
  const words = tokenise(spelling, language).forms.filter((form) => /^[\p{L}\p{N}']+$/u.test(form) && form !== "'s");
  if (words.length === 0) return [];
  return [words.length > 4 ? words.join(" ") : words.join(` [(${serviceWords(language).articles})] `)];
}

/**
 * Returns a function that finds the numbers of the taxonomy's services for one of the business, by its id, its label and
 * its other spellings. A label such as "Ductwork and indoor air quality" is two names.
 */
function serviceLookup(taxonomy: Taxonomy) {
  const { language } = taxonomy;
  const { qualifying, joints } = serviceWords(language);
  const key = (name: string) => keyOf(name, language);
  const names = taxonomy.services.map((entry) => entry.names.map(key));
  const isAnyWork = anyWork(names);
  const numbersNamed = (name: string) => [...names.keys()].filter((number) => names[number]?.includes(name));
  return ({ id, label, aliases }: BusinessFile["services"][number]): ReadonlySet<number> => {
    const parts = [...partsOf(label, joints, { key, isAnyWork }), ...aliases.map(key)].filter(
      (part) => !isAnyWork(part),
    );
    const own = new Set([key(id.replaceAll(/[-_.]/g, " ")), key(label), ...parts]);
    const numbersOf = (name: string) =>
      endsOf(name, qualifying)
        .map(numbersNamed)
        .find((found) => found.length > 0) ?? [];
    return new Set([...own].flatMap(numbersOf));
  };
}

const serviceWords = perLanguage(({ services }, language) => ({
  articles: wordsIn(services.articles).join("|"),
  /** Words that may precede a service's name without changing its meaning. */
  qualifying: new Set(wordsIn(services.qualifying).map((word) => stem(word, language))) as ReadonlySet<string>,
  /** What joins two names: "ductwork and indoor air quality". */
  joints: new RegExp(` (?:${wordsIn(services.and).join("|")}) | & |[,/+]`),
}));

/** A name, then its ends without qualifying words, longest first: that of "residential AC repair" is "AC repair". */
function endsOf(name: string, qualifying: ReadonlySet<string>): string[] {
  const words = name.split(" ");
  const first = words.findIndex((word) => !qualifying.has(word));
  return [name, ...words.slice(1, first + 1).map((_, index) => words.slice(index + 1).join(" "))];
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
function partsOf(
  label: string,
  joints: RegExp,
  { key, isAnyWork }: { key: (name: string) => string; isAnyWork: (word: string) => boolean },
): string[] {
  let object = "";
  return label
    .split(joints)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const name = key(part);
      if (isAnyWork(name) && object !== "") return `${object} ${name}`;
      object = name.slice(0, Math.max(0, name.lastIndexOf(" ")));
      return name;
    });
}

function keyOf(name: string, language: Language): string {
  return tokenise(name, language)
    .forms.map((form) => stem(form, language))
    .join(" ");
}
