/** The language of the analysis's prose, if it differs from the page's. */
import { html } from "hono/html";
import type { Locale } from "./locale.ts";
import type { Markup } from "./markup.ts";

/** The `lang` attribute for labels and prose in `language` (default: English); empty if it is the page's language. */
export function proseLanguage({ tag }: Locale, language = "en"): Markup {
  const isSame = tag === language || (language === "en" && tag.startsWith("en-"));
  return isSame ? "" : html` lang="${language}"`;
}
