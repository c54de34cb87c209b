/** The outline of stars in a row, for every drawing that has some. */

/** A star in a square of 20, but for where it starts. */
const STAR = "l2.6 5.7 6.2.7-4.6 4.2 1.3 6.1-5.5-3.1-5.5 3.1 1.3-6.1-4.6-4.2 6.2-.7z";

/** The path of the stars from number `from` (0 for the first) up to, not including, `to`. */
export function starPath(from: number, to: number): string {
  return Array.from({ length: Math.max(to - from, 0) }, (_, index) => `M${(from + index) * 20 + 10} 1.5${STAR}`).join(
    "",
  );
}
