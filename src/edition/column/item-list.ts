/** Many items as bytes in a row. Those of pieces that stayed the same are copied from the list before. */
import type { Piece } from "./pieces.ts";
import { sharedNumbers } from "./shared-memory.ts";
import { openSharedWriter, type SharedWriter } from "./shared-writer.ts";

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
  /** The bytes of an average item, and a third more. */
  readonly room: number;
  readonly before?: ItemList | undefined;
}

/** The list, and all bytes between a head and a tail. The last item is followed by the tail instead of its ending. */
export function makeFramedList(
  source: ItemSource,
  { head, tail }: { readonly head: string; readonly tail: string },
): ItemList & { readonly bytes: Uint8Array } {
  const writer = openSharedWriter(roomFor(source) + MOST_UTF8 * (head.length + tail.length));
  writer.text(head);
  const from = writer.length;
  const starts = writeItems(writer, source);
  const to = from + Math.max(0, (starts.at(-1) ?? 0) - 1);
  writer.backTo(to);
  writer.text(tail);
  return { items: writer.written(from, to), starts, bytes: writer.written() };
}

/** The list, with all items ended. */
export function makeItemList(source: ItemSource): ItemList {
  const writer = openSharedWriter(roomFor(source));
  const starts = writeItems(writer, source);
  return { items: writer.written(), starts };
}

/** UTF-8 needs no more bytes for one unit of UTF-16. */
const MOST_UTF8 = 3;

function roomFor({ pieces, before, room: roomForItem }: ItemSource): number {
  let room = 0;
  for (const { start, end, from } of pieces) {
    if (from === undefined || before === undefined) room += (end - start) * roomForItem;
    else room += (before.starts[from + end - start] ?? 0) - (before.starts[from] ?? 0);
  }
  return room;
}

/** Writes all items, each ended, and returns where each starts, from the first one on. */
function writeItems(writer: SharedWriter, { pieces, textOf, ending, before }: ItemSource): Uint32Array {
  const first = writer.length;
  const starts = sharedNumbers((pieces.at(-1)?.end ?? 0) + 1);
  const end = String.fromCharCode(ending);
  const isText = ending < 0x80;
  for (const { start, end: last, from } of pieces) {
    if (from !== undefined && before !== undefined) {
      const [source, ahead] = [before.starts[from] ?? 0, from - start];
      const shift = writer.length - first - source;
      for (let next = start + 1; next <= last; next++) starts[next] = (before.starts[next + ahead] ?? 0) + shift;
      // The last item of the list before may lack its ending.
      writer.bytes(before.items.subarray(source, (before.starts[last + ahead] ?? 0) - 1));
      writer.byte(ending);
      continue;
    }
    for (let position = start; position < last; position++) {
      if (isText) writer.text(textOf(position) + end);
      else {
        writer.text(textOf(position));
        writer.byte(ending);
      }
      starts[position + 1] = writer.length - first;
    }
  }
  return starts;
}
