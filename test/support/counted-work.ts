/** Counts what a reader does with text, so that a test can tell work that grows with the text from work that grows faster. */

/** Runs `read`. Returns how many characters of strings, and items of lists, it looked at, copied or moved meanwhile. */
export async function countingWork<Result>(
  read: () => Result,
): Promise<{ readonly result: Awaited<Result>; readonly work: number }> {
  const { charCodeAt, indexOf, slice, split } = String.prototype;
  const { unshift, shift, includes } = Array.prototype;
  let work = 0;
  try {
    String.prototype.charCodeAt = function (at) {
      work += 1;
      return charCodeAt.call(this, at);
    };
    String.prototype.indexOf = function (sought, from = 0) {
      const found = indexOf.call(this, sought, from);
      work += (found === -1 ? this.length : found + 1) - from;
      return found;
    };
    String.prototype.slice = function (from, to) {
      const part = slice.call(this, from, to);
      work += 1 + part.length;
      return part;
    };
    String.prototype.split = function (this: string, ...by: Parameters<typeof split>) {
      work += this.length;
      return split.apply(this, by);
    } as typeof split;
    for (const [name, method] of Object.entries({ unshift, shift, includes })) {
      Object.assign(Array.prototype, {
        [name](this: unknown[], ...items: unknown[]) {
          work += this.length;
          return Reflect.apply(method, this, items);
        },
      });
    }
    return { result: await read(), work };
  } finally {
    Object.assign(String.prototype, { charCodeAt, indexOf, slice, split });
    Object.assign(Array.prototype, { unshift, shift, includes });
  }
}
