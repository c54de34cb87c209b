/** The outline of a row of stars, for all drawings with stars. */
import { html } from "hono/html";
import type { Markup } from "../text/markup.ts";

/** A star in a 20 × 20 square, without its starting point. */
const STAR = "l2.6 5.7 6.2.7-4.6 4.2 1.3 6.1-5.5-3.1-5.5 3.1 1.3-6.1-4.6-4.2 6.2-.7z";

/** The path for the stars from `from` (0 is the first) up to but excluding `to`. */
export function starPath(from: number, to: number): string {
  return Array.from({ length: Math.max(to - from, 0) }, (_, index) => `M${(from + index) * 20 + 10} 1.5${STAR}`).join(
    "",
  );
}

/** One star as a drawing in the colour of the text; a fallback font for the character ★ takes longer than a page's layout. */
export function renderStar(): Markup {
  return html`<svg class="star" viewBox="0 0 20 20" aria-hidden="true"><path d="${starPath(0, 1)}"/></svg>`;
}
