/** An avatar with the author's initial. It helps readers to distinguish reviews without loading a picture. */
import { html } from "hono/html";
import type { Markup } from "../text/markup.ts";

const TINTS = 6;
/** Made when first needed: loading its data takes some 10 ms. */
let characters: Intl.Segmenter | undefined;

/** An ASCII letter or digit without a combining mark: marks and joiners begin at U+0300. */
const PLAIN_START = /^[a-z0-9](?![\u0300-\uffff])/i;

/** The avatar, with a tint derived from the name. It is hidden from screen readers, because the name follows it. */
export function renderAvatar(name: string): Markup {
  const letter = initial(name);
  const sum = [...name.slice(0, 100)].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return html`<span class="avatar tint-${sum % TINTS}" aria-hidden="true"><bdi>${letter}</bdi></span>`;
}

/** The first letter or digit in upper case, or a star if the name has neither. */
export function initial(name: string): string {
  if (PLAIN_START.test(name)) return name.charAt(0).toUpperCase(); // most names, without loading the segmenter
  characters ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of characters.segment(name.slice(0, 100))) {
    if (/^[\p{L}\p{N}]/u.test(segment) && segment.length <= 4) return segment.toLocaleUpperCase("und").slice(0, 4);
  }
  return "★";
}
