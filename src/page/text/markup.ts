/** Markup made by the escaping template; pages are composed from it. */
import { html } from "hono/html";

export type Markup = ReturnType<typeof html> | "";

/** The start of a page in this language, up to what its head has of its own. */
export function pageStart(language: string): Markup {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">`;
}

/** A sentence with its `{names}` replaced by markup. */
export function fillMarkup(sentence: string, values: Readonly<Record<string, Markup>>): Markup {
  const parts = sentence.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? "")))}`;
}

/** A sentence with its `{name}` replaced by a name, isolated from the direction of the text around it. */
export function withName(sentence: string, name: string): Markup {
  const [before = "", after = ""] = sentence.split("{name}");
  return html`${before}<bdi>${name}</bdi>${after}`;
}

/** A letter that is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Prose in which names and quotes (“…”) written from right to left are isolated. An element with `dir="auto"` then
 * takes the direction of the prose, even if a name begins it.
 */
export function withNamesApart(prose: string, names: readonly string[]): Markup {
  const foreign = names.filter((name) => RIGHT_TO_LEFT.test(name)).toSorted((a, b) => b.length - a.length);
  const apart = new RegExp(["(?<=“)[^“”]+(?=”)", ...foreign.map((name) => RegExp.escape(name))].join("|"), "gu");
  const parts: Markup[] = [];
  let end = 0;
  for (const { 0: found, index } of prose.matchAll(apart)) {
    parts.push(
      html`${prose.slice(end, index)}`,
      RIGHT_TO_LEFT.test(found) ? html`<bdi>${found}</bdi>` : html`${found}`,
    );
    end = index + found.length;
  }
  return html`${parts}${prose.slice(end)}`;
}
