/** Markup made by the escaping template; pages are composed from it. */
import { html } from "hono/html";

export type Markup = ReturnType<typeof html> | "";

/** A sentence with its `{names}` replaced by markup. */
export function fillMarkup(sentence: string, values: Readonly<Record<string, Markup>>): Markup {
  const parts = sentence.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? "")))}`;
}

/** A sentence whose `{name}` is replaced by a name in a direction of its own, whatever script it is written in. */
export function withName(sentence: string, name: string): Markup {
  const [before = "", after = ""] = sentence.split("{name}");
  return html`${before}<bdi>${name}</bdi>${after}`;
}

/** A letter that is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Prose with the names in it, and what it quotes (“…”), in directions of their own where they are written from right to
 * left. An element with `dir="auto"` then takes the direction of the prose, also if a name begins it.
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
