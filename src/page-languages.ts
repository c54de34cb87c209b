/** The languages that the program's own words are in: those of pages, messages to the owner and appeals. */

/** BCP 47 primary subtags. English stands in for every other language. */
export const PAGE_LANGUAGES = ["en", "de", "es", "fr", "nl"] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Something in all of these languages. */
export type Translations<Words> = Readonly<Record<PageLanguage, Words>>;

/** The language of the words for a BCP 47 tag: `de` for `de-AT`; undefined if there is no translation. */
export function pageLanguageOf(tag: string): PageLanguage | undefined {
  const primary = tag.toLowerCase().split("-")[0];
  return PAGE_LANGUAGES.find((language) => language === primary);
}
