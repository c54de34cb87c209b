/** The icon of the pages: a star on the business's colour. */
import { starPath } from "../chart/star-path.ts";

/** The icon as SVG, in a square of 32. */
export function renderIcon(color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${color}"/><path fill="#fff" transform="translate(3.5 3.2) scale(1.25)" d="${starPath(0, 1)}"/></svg>`;
}
