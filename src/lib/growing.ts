/** Arrays of numbers that grow as they are written. */

/** The array itself if it holds `length` numbers, otherwise a copy of at least `factor` times its length that does. */
export function grown<Numbers extends Int32Array | Float64Array>(
  numbers: Numbers,
  length: number,
  factor = 2,
): Numbers {
  if (length <= numbers.length) return numbers;
  const longer = new (numbers.constructor as new (length: number) => Numbers)(
    Math.max(length, Math.ceil(factor * numbers.length)),
  );
  longer.set(numbers);
  return longer;
}
