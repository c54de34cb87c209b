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
