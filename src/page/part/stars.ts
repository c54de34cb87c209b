/** Star ratings as a drawing with a text alternative for screen readers. */
import { html } from "hono/html";
import { starPath } from "../chart/star-path.ts";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { fill } from "../text/words.ts";

/** Five stars, filled up to `rating`; a fraction fills part of a star. `digits` are the label's decimals. */
export function renderStars(rating: number, locale: Locale, digits = 0): Markup {
  const label = fill(locale.words.starsOfFive, { stars: locale.number(rating, digits) });
  return html`<svg class="stars" role="img" aria-label="${label}" viewBox="0 0 100 20">${Number.isInteger(rating) ? renderWhole(rating) : renderPart(rating)}</svg>`;
}

function renderWhole(rating: number): Markup {
  return html`<path class="on" d="${starPath(0, rating)}"/>${rating < 5 ? html`<path class="off" d="${starPath(rating, 5)}"/>` : ""}`;
}

function renderPart(rating: number): Markup {
  const part = Math.round(rating * 20);
  return html`<path class="off" d="${starPath(0, 5)}"/><svg width="${part}" height="20" viewBox="0 0 ${part} 20"><path class="on" d="${starPath(0, Math.ceil(rating))}"/></svg>`;
}
