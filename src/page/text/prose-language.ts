/** Which language the words of the analysis are in, where a page is in another. */
import { html } from "hono/html";
import type { Locale } from "./locale.ts";
import type { Markup } from "./markup.ts";

/** The `lang` attribute for labels and prose in that language, English unless told; nothing where the page's is the same. */
export function proseLanguage({ tag }: Locale, language = "en"): Markup {
  const isSame = tag === language || (language === "en" && tag.startsWith("en-"));
  return isSame ? "" : html` lang="${language}"`;
}
