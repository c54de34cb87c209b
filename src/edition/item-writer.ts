/** Writes texts one after the other as bytes, in memory that threads share. Spans of an earlier list are copied as bytes. */

import { sharedBytes, sharedNumbers } from "../lib/shared-memory.ts";
import type { Span } from "../lib/span.ts";

/** Texts in UTF-8, each followed by a byte that ends it. */
export interface ItemList {
  readonly items: Uint8Array;
  /** The start of each item, and the end of the last one. */
  readonly starts: Uint32Array;
}

export interface ItemWriter {
  add(text: string): void;
  /** Appends the items of a span of another list. */
  copy(list: ItemList, span: Span): void;
  /** Joins head, items and tail into one buffer; `items` is a view of it. The tail overwrites the last separator. */
  document(head: string, tail: string | Uint8Array): ItemList & { readonly bytes: Uint8Array };
}

const BLOCK_BYTES = 1_048_576;
/** UTF-8 needs no more for one unit of UTF-16. */
const MAX_BYTES_PER_UNIT = 3;

/** Opens a writer for `count` items, each of which ends with the byte `ending`. */
export function openItemWriter(count: number, ending: number): ItemWriter {
  const starts = sharedNumbers(count + 1);
  const end = Uint8Array.of(ending);
  /** The bytes so far. They are joined once their total length is final. */
  const chunks: Uint8Array[] = [];
  let [number, length] = [0, 0];
  let block = Buffer.alloc(0);
  let [from, to] = [0, 0];

  function flush(): void {
    chunks.push(block.subarray(from, to));
    from = to;
  }

  return {
    add(text) {
      const needed = text.length * MAX_BYTES_PER_UNIT + 1;
      if (to + needed > block.byteLength) {
        flush();
        block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, needed));
        [from, to] = [0, 0];
      }
      const start = to;
      to += block.write(text, to, "utf8");
      block[to++] = ending;
      length += to - start;
      starts[++number] = length;
    },
    copy(list, span) {
      flush();
      const first = list.starts[span.from] as number;
      const last = list.starts[span.to] as number;
      chunks.push(list.items.subarray(first, last - 1), end); // the last item of a list is followed by the tail instead
      const shift = length - first;
      for (let next = span.from + 1; next <= span.to; next++) starts[++number] = (list.starts[next] as number) + shift;
      length += last - first;
    },
    document(head, tail) {
      flush();
      return { ...joined(chunks, length, head, tail), starts };
    },
  };
}

/** The bytes of items between a head and a tail, which overwrites the last separator. */
function joined(chunks: readonly Uint8Array[], length: number, head: string, tail: string | Uint8Array) {
  const [opening, closing] = [Buffer.from(head), Buffer.from(tail)];
  const all = sharedBytes(opening.byteLength + length + closing.byteLength);
  let at = 0;
  for (const chunk of [opening, ...chunks]) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  const closingAt = length === 0 ? at : at - 1;
  all.set(closing, closingAt);
  const items = all.subarray(opening.byteLength, opening.byteLength + length);
  return { bytes: all.subarray(0, closingAt + closing.byteLength), items };
}

/** Another end for an item: `cut` bytes less, then `end`, both with the byte that ends it. */
export interface ItemEdit {
  readonly position: number;
  readonly cut: number;
  readonly end: Uint8Array;
}

/** The items of a list with some of their ends replaced, in the order of their positions, between head and tail. */
export function withEnds(
  { items, starts }: ItemList,
  edits: readonly ItemEdit[],
  [head, tail]: readonly [head: string, tail: string],
): ItemList & { readonly bytes: Uint8Array } {
  const moved = sharedNumbers(starts.length);
  const chunks: Uint8Array[] = [];
  let [from, next, shift] = [0, 0, 0];
  for (const { position, cut, end } of edits) {
    for (; next <= position; next++) moved[next] = (starts[next] as number) + shift;
    const to = starts[position + 1] as number;
    chunks.push(items.subarray(from, to - cut), end);
    from = to;
    shift += end.byteLength - cut;
  }
  for (; next < starts.length; next++) moved[next] = (starts[next] as number) + shift;
  chunks.push(items.subarray(from));
  return { ...joined(chunks, items.byteLength + shift, head, tail), starts: moved };
}
