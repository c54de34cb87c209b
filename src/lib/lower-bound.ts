/** Binary search. */

/** The first position for which `holds` is true, or `count`. From there on, `holds` must be true for all positions. */
export function lowerBound(count: number, holds: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
