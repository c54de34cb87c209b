/** The name that a misspelt one most likely stands for. */

/** Longer names are compared by their beginning. */
const MAX_COMPARED = 40;

/** A near name differs in at most this share of the letters given. */
const MAX_DIFFERENT = 1 / 3;

/** The first of the names with the fewest letters to insert, delete or replace; undefined if none is near. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const compared = given.slice(0, MAX_COMPARED).toLowerCase();
  const distances = names.map((name) => distance(compared, name));
  const least = Math.min(...distances);
  return least <= compared.length * MAX_DIFFERENT ? names[distances.indexOf(least)] : undefined;
}

/** Levenshtein's distance, row by row. */
export function distance(one: string, other: string): number {
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
