/** Says in English which reviews were not read, and what follows from it. */
import type { LanguageCount } from "../../insights-document.ts";
import { counted } from "./prose.ts";

interface Languages {
  readonly languages: readonly LanguageCount[];
  readonly unread_count: number;
  /** All of them if absent. */
  readonly unread_in_files?: number;
}

const NAMES = new Intl.DisplayNames("en", { type: "language" });

/**
 * The number of the published reviews that were not read, of those in an import's files where these are fewer, and their
 * languages; undefined if there are none.
 */
export function unreadSentence(
  { languages, unread_count, unread_in_files = unread_count }: Languages,
  nameOf: (language: string) => string = (language) => NAMES.of(language) ?? language,
): string | undefined {
  if (unread_count === 0) return undefined;
  const unread = languages.filter(({ analysed }) => !analysed).map(({ language }) => nameOf(language));
  const what = unread.length === 1 ? "a language that is" : "languages that are";
  const which = `${what} not read here (${unread.join(", ")})`;
  const published = counted(unread_count, "review is", "reviews are");
  const those = unread_in_files === unread_count ? "" : `, ${unread_in_files || "none"} of them in these files`;
  return `${published} in ${which}${those}: what ${unread_count === 1 ? "it says" : "they say"} is in no topic, score or quotation.`;
}
