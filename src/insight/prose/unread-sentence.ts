/** Says in English which reviews were not read, and what follows from it. */
import type { LanguageCount } from "../../insights-document.ts";
import { counted } from "./prose.ts";

interface Languages {
  readonly languages: readonly LanguageCount[];
  readonly unread_count: number;
}

/** The number of the reviews that were not read and their languages; undefined if there are none. */
export function unreadSentence({ languages, unread_count }: Languages): string | undefined {
  if (unread_count === 0) return undefined;
  const names = new Intl.DisplayNames("en", { type: "language" });
  const unread = languages.filter(({ analysed }) => !analysed).map(({ language }) => names.of(language) ?? language);
  const what = unread.length === 1 ? "a language that is" : "languages that are";
  const which = `${what} not read here (${unread.join(", ")})`;
  return `${counted(unread_count, "review is", "reviews are")} in ${which}: what ${unread_count === 1 ? "it says" : "they say"} is in no topic, score or quotation.`;
}
