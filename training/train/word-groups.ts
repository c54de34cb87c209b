/** Groups of words of like meaning, found by their vectors (k-means over directions); the same to the bit each time. */

const ROUNDS = 8;

/** The number of each row's group. `table` holds one row of `dimensions` numbers a word; `groups` is at most 256. */
export function wordGroups(table: Int8Array, dimensions: number, groups: number): Uint8Array {
  const count = table.length / dimensions;
  const rows = normalised(Float64Array.from(table), dimensions);
  const centres = new Float64Array(groups * dimensions);
  for (let group = 0; group < groups; group++) {
    const row = Math.floor((group * count) / groups) * dimensions;
    centres.set(rows.subarray(row, row + dimensions), group * dimensions);
  }
  const groupOf = new Uint8Array(count);
  for (let round = 0; round < ROUNDS; round++) {
    for (let row = 0; row < count; row++) groupOf[row] = nearest(rows, row * dimensions, centres, dimensions);
    centres.fill(0);
    for (let row = 0; row < count; row++) {
      const base = (groupOf[row] as number) * dimensions;
      for (let at = 0; at < dimensions; at++) {
        centres[base + at] = (centres[base + at] as number) + (rows[row * dimensions + at] as number);
      }
    }
    normalised(centres, dimensions);
  }
  return groupOf;
}

function nearest(rows: Float64Array, row: number, centres: Float64Array, dimensions: number): number {
  let [most, group] = [Number.NEGATIVE_INFINITY, 0];
  for (let base = 0; base < centres.length; base += dimensions) {
    let product = 0;
    for (let at = 0; at < dimensions; at++) product += (rows[row + at] as number) * (centres[base + at] as number);
    if (product > most) [most, group] = [product, base / dimensions];
  }
  return group;
}

/** Makes every row as long as 1, in place. */
function normalised(rows: Float64Array, dimensions: number): Float64Array {
  for (let base = 0; base < rows.length; base += dimensions) {
    let square = 0;
    for (let at = 0; at < dimensions; at++) square += (rows[base + at] as number) ** 2;
    const length = Math.sqrt(square) || 1;
    for (let at = 0; at < dimensions; at++) rows[base + at] = (rows[base + at] as number) / length;
  }
  return rows;
}
