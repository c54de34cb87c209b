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
  /** Joins the items into one buffer, some with other ends, in the order of their positions. Called once, instead. */
  edited(edits: readonly ItemEdit[]): FramedItems;
}

const BLOCK_BYTES = 1_048_576;
/** Reserved before and after the items for a head and tail that are written last. */
const [HEAD_ROOM_BYTES, TAIL_ROOM_BYTES] = [65_536, 32_768];
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
      return joined(chunks, starts, { head: Buffer.byteLength(head), tail: Buffer.byteLength(tail) }).frame(head, tail);
    },
    edited(edits) {
      flush();
      return joined(withEnds(chunks, starts, edits), starts, { head: HEAD_ROOM_BYTES, tail: TAIL_ROOM_BYTES });
    },
  };
}

/** Items between room for a head and a tail, which are written once the items have been read. */
interface FramedItems extends ItemList {
  /** Writes head and tail; the tail overwrites the last separator. If one exceeds its room, all is copied again. */
  frame(head: string, tail: string | Uint8Array): ItemList & { readonly bytes: Uint8Array };
}

/** The bytes before the items, and after them. */
interface Room {
  readonly head: number;
  readonly tail: number;
}

function joined(chunks: readonly Uint8Array[], starts: Uint32Array, room: Room): FramedItems {
  const length = starts.at(-1) as number;
  const all = sharedBytes(room.head + length + room.tail);
  let at = room.head;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  const items = all.subarray(room.head, at);
  return {
    items,
    starts,
    frame(head, tail) {
      const [opening, closing] = [Buffer.from(head), Buffer.from(tail)];
      const exact = { head: opening.byteLength, tail: closing.byteLength };
      if (exact.head > room.head || exact.tail > room.tail) return joined([items], starts, exact).frame(head, tail);
      const from = room.head - exact.head;
      const to = length === 0 ? at : at - 1;
      all.set(opening, from);
      all.set(closing, to);
      return { items, starts, bytes: all.subarray(from, to + exact.tail) };
    },
  };
}

/** Another end for an item: `cut` bytes less, then `end`, both with the byte that ends it. */
export interface ItemEdit {
  readonly position: number;
  readonly cut: number;
  readonly end: Uint8Array;
}

/** The bytes of items with some of their ends replaced, in the order of their positions. Their starts are moved. */
function withEnds(chunks: readonly Uint8Array[], starts: Uint32Array, edits: readonly ItemEdit[]): Uint8Array[] {
  const edited: Uint8Array[] = [];
  let [chunk, within, at, next, shift] = [0, 0, 0, 0, 0];
  const passTo = (to: number, isKept: boolean): void => {
    while (at < to) {
      const one = chunks[chunk] as Uint8Array;
      const end = Math.min(one.byteLength, within + to - at);
      if (isKept) edited.push(one.subarray(within, end));
      at += end - within;
      [chunk, within] = end === one.byteLength ? [chunk + 1, 0] : [chunk, end];
    }
  };
  const length = starts.at(-1) as number;
  for (const { position, cut, end } of edits) {
    for (; next <= position; next++) starts[next] = (starts[next] as number) + shift;
    const to = starts[position + 1] as number;
    passTo(to - cut, true);
    passTo(to, false);
    edited.push(end);
    shift += end.byteLength - cut;
  }
  for (; next < starts.length; next++) starts[next] = (starts[next] as number) + shift;
  passTo(length, true);
  return edited;
}
