/** The outline of a row of stars, for all drawings with stars. */

/** A star in a 20 × 20 square, without its starting point. */
const STAR = "l2.6 5.7 6.2.7-4.6 4.2 1.3 6.1-5.5-3.1-5.5 3.1 1.3-6.1-4.6-4.2 6.2-.7z";

/** The path for the stars from `from` (0 is the first) up to but excluding `to`. */
export function starPath(from: number, to: number): string {
  return Array.from({ length: Math.max(to - from, 0) }, (_, index) => `M${(from + index) * 20 + 10} 1.5${STAR}`).join(
    "",
  );
}
