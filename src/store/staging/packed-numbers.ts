/** A growing list of numbers outside V8's heap: half as large as an array of them, and not looked through for garbage. */

export interface PackedNumbers {
  readonly length: number;
  push(number: number): void;
  at(index: number): number;
  /** All of them, until the next one is added. */
  all(): Float64Array;
}

const FIRST_LENGTH = 64;

export function makePackedNumbers(): PackedNumbers {
  let numbers = new Float64Array(FIRST_LENGTH);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(number) {
      if (length === numbers.length) {
        const longer = new Float64Array(2 * length);
        longer.set(numbers);
        numbers = longer;
      }
      numbers[length] = number;
      length += 1;
    },
    at: (index) => numbers[index] ?? Number.NaN,
    all: () => numbers.subarray(0, length),
  };
}

/** The indexes of the numbers in ascending order. `compare` decides between two that are equal, or not numbers. */
export function sortedIndexes(list: PackedNumbers, compare: (a: number, b: number) => number): Uint32Array {
  const numbers = list.all();
  const indexes = Uint32Array.from(numbers.keys());
  return indexes.sort((a, b) => {
    const [left = 0, right = 0] = [numbers[a], numbers[b]];
    return left < right ? -1 : left > right ? 1 : compare(a, b);
  });
}
