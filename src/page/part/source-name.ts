/** The names of sources as readers know them. */
import type { Locale } from "../text/locale.ts";

/** Display names of the sources. */
export const SOURCE_NAMES: Readonly<Record<string, string>> = {
  google: "Google",
  yelp: "Yelp",
  facebook: "Facebook",
  trustpilot: "Trustpilot",
  tripadvisor: "Tripadvisor",
  bing: "Bing",
  apple: "Apple Maps",
  angi: "Angi",
  bbb: "BBB",
  nextdoor: "Nextdoor",
};

/** A source's display name in the language of `locale`, or its id if it has none. */
export function sourceName(source: string, locale?: Pick<Locale, "words">): string {
  if (source === "first_party" && locale !== undefined) return locale.words.firstParty;
  return (Object.hasOwn(SOURCE_NAMES, source) ? SOURCE_NAMES[source] : undefined) ?? source;
}
