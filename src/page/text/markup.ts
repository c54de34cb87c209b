/** Markup made by the escaping template; pages are composed from it. */
import { html } from "hono/html";

export type Markup = ReturnType<typeof html> | "";

/** A sentence whose `{name}` is replaced by a name in a direction of its own, whatever script it is written in. */
export function withName(sentence: string, name: string): Markup {
  const [before = "", after = ""] = sentence.split("{name}");
  return html`${before}<bdi>${name}</bdi>${after}`;
}
