/** Where a review was written, by the name that people know. */
const NAMES: Readonly<Record<string, string>> = {
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
  return (Object.hasOwn(NAMES, source) ? NAMES[source] : undefined) ?? source;
}
