/** The language of the analysis's prose and labels, if it differs from the page's. */
import { html } from "hono/html";
import type { Locale } from "./locale.ts";
import type { Markup } from "./markup.ts";

/** The `lang` attribute for labels and prose in `language` (default: English); empty if it is the page's language. */
export function proseLanguage({ tag }: Locale, language = "en"): Markup {
  const isSame = tag === language || (language === "en" && tag.startsWith("en-"));
  return isSame ? "" : html` lang="${language}"`;
}

/** An aspect's label in the page's language. One that has no translation stays as it is, marked as English. */
export function aspectLabel(label: string, locale: Locale): { readonly text: string; readonly lang: Markup | "" } {
  const labels: Readonly<Record<string, string>> = locale.words.aspectLabels;
  if (Object.hasOwn(labels, label)) return { text: labels[label] ?? label, lang: "" };
  return { text: label, lang: proseLanguage(locale) };
}
