/** The first letter of an author's name in a circle: reviews are told apart at a glance, and no picture is loaded. */
import { html } from "hono/html";
import type { Markup } from "../text/markup.ts";

const TINTS = 6;
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The circle, in a tint that follows from the name. It says nothing that the name beside it does not. */
export function renderFace(name: string): Markup {
  const letter = initial(name);
  const sum = [...name.slice(0, 100)].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return html`<span class="face tint-${sum % TINTS}" aria-hidden="true"><bdi>${letter}</bdi></span>`;
}

/** The first character that is a letter or a digit, in upper case; a star where a name has none. */
function initial(name: string): string {
  for (const { segment } of CHARACTERS.segment(name.slice(0, 100))) {
    if (/^[\p{L}\p{N}]/u.test(segment) && segment.length <= 4) return segment.toLocaleUpperCase("und").slice(0, 4);
  }
  return "★";
}
