/** The names by which people know where reviews are written. */
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

/** The name of a source; its id where it has no other. */
export function sourceName(source: string): string {
  return (Object.hasOwn(SOURCE_NAMES, source) ? SOURCE_NAMES[source] : undefined) ?? source;
}
