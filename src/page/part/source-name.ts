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

/** A source's display name, or its id if it has none. */
export function sourceName(source: string): string {
  return (Object.hasOwn(SOURCE_NAMES, source) ? SOURCE_NAMES[source] : undefined) ?? source;
}
