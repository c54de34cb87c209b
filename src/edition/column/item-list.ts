/** Many items as bytes in a row. Those of pieces that stayed the same are copied from the list before. */
import { makeByteWriter } from "./byte-writer.ts";
import type { Piece } from "./pieces.ts";
import { sharedBytes, sharedNumbers } from "./shared-memory.ts";

export interface ItemList {
  /** The items, each with the byte that ends it; the last one's may be missing. */
  readonly items: Uint8Array;
  /** The start of each item. One more start follows the last one and the byte that ends it. */
  readonly starts: Uint32Array;
}

export interface ItemSource {
  readonly pieces: readonly Piece[];
  /** The text of the item at a position. */
  readonly textOf: (position: number) => string;
  /** The byte that ends each item. */
  readonly ending: number;
  readonly before?: ItemList | undefined;
}

/** The list, and all bytes between a head and a tail. The last item is followed by the tail instead of its ending. */
export function makeFramedList(
  source: ItemSource,
  { head, tail }: { readonly head: string; readonly tail: string },
): ItemList & { readonly bytes: Uint8Array } {
  const { starts, write } = measured(source);
  const [first, last] = [Buffer.from(head), Buffer.from(tail)];
  const length = Math.max(0, (starts.at(-1) ?? 0) - 1);
  const bytes = sharedBytes(first.byteLength + length + last.byteLength);
  const items = bytes.subarray(first.byteLength, first.byteLength + length);
  bytes.set(first);
  write(items);
  bytes.set(last, first.byteLength + length);
  return { items, starts, bytes };
}

/** The list, with all items ended. */
export function makeItemList(source: ItemSource): ItemList {
  const { starts, write } = measured(source);
  const items = sharedBytes(starts.at(-1) ?? 0);
  write(items);
  return { items, starts };
}

/** The average size of an item, roughly. */
const EXPECTED_BYTES = 400;

/** Finds where each item will start, and returns what writes them there. */
function measured({ pieces, textOf, ending, before }: ItemSource): {
  readonly starts: Uint32Array;
  readonly write: (items: Uint8Array) => void;
} {
  const count = pieces.at(-1)?.end ?? 0;
  const starts = sharedNumbers(count + 1);
  const fresh = pieces.reduce((sum, { start, end, from }) => sum + (from === undefined ? end - start : 0), 0);
  const writer = makeByteWriter(fresh * EXPECTED_BYTES);
  const end = String.fromCharCode(ending);
  const isText = ending < 0x80;
  let at = 0;
  for (const piece of pieces) {
    if (piece.from !== undefined && before !== undefined) {
      const shift = at - (before.starts[piece.from] ?? 0);
      const ahead = piece.from - piece.start;
      for (let next = piece.start + 1; next <= piece.end; next++)
        starts[next] = (before.starts[next + ahead] ?? 0) + shift;
      at = starts[piece.end] ?? 0;
      continue;
    }
    for (let position = piece.start; position < piece.end; position++) {
      const from = writer.length;
      if (isText) writer.text(textOf(position) + end);
      else {
        writer.text(textOf(position));
        writer.byte(ending);
      }
      at += writer.length - from;
      starts[position + 1] = at;
    }
  }
  return { starts, write };

  function write(items: Uint8Array): void {
    let read = 0;
    for (const { start, end, from } of pieces) {
      const [target, length] = [starts[start] ?? 0, (starts[end] ?? 0) - (starts[start] ?? 0)];
      const room = Math.min(length, items.byteLength - target);
      if (from !== undefined && before !== undefined) {
        const source = before.starts[from] ?? 0;
        items.set(before.items.subarray(source, source + room), target);
        if (room === length) items[target + length - 1] = ending; // the last item of the list before may lack it
      } else {
        items.set(writer.part(read, read + room), target);
        read += length;
      }
    }
  }
}
