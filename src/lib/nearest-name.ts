/** The name that a misspelt one most likely stands for. */

/** Longer names are compared by their beginning. */
const MAX_COMPARED = 40;

/** The first of the names with the fewest letters to insert, delete or replace; undefined if there are no names. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => distance(given.slice(0, MAX_COMPARED).toLowerCase(), name));
  return names[distances.indexOf(Math.min(...distances))];
}

/** Levenshtein's distance, row by row. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1];
    for (const [at, against] of [...other].entries()) {
      const replaced = (row[at] as number) + (letter === against ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
