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
  /** The text of the item at a position. Items are asked for in their order, each once. */
  readonly textOf: (position: number) => string;
  /** Is told of pieces that are copied, in their order between the items. */
  readonly onKept?: (piece: Piece & { readonly from: number }) => void;
  /** The byte that ends each item. */
  readonly ending: number;
  /** The bytes of an average item, and a third more. */
  readonly room: number;
  readonly before?: ItemList | undefined;
}

/** A list that is part of a document. */
interface FramedList extends ItemList {
  /** All bytes of the document. */
  readonly bytes: Uint8Array;
}

/** What a document has before and after the items of a list. */
export interface Frame {
  readonly head: string;
  readonly tail: string;
}

/** The items of a document of which the rest may depend on them. */
export interface UnframedList extends ItemList {
  /** Puts the frame around the items, where they stand. The last one is followed by the tail instead of its ending. */
  framed(frame: Frame): FramedList;
}

/** The list in a document. `headRoom` is how many bytes the head has, more or less: those that are not needed are lost. */
export function makeFramedList(source: ItemSource, headRoom: number): UnframedList {
  const writer = openSharedWriter(roomFor(source) + headRoom + TAIL_ROOM, headRoom);
  const starts = writeItems(writer, source);
  const to = headRoom + Math.max(0, (starts.at(-1) ?? 0) - 1);
  return {
    items: writer.written(headRoom, to),
    starts,
    framed: ({ head, tail }) => {
      writer.backTo(to);
      writer.bytes(Buffer.from(tail));
      const start = Buffer.from(head);
      const from = writer.before(headRoom, start);
      const items = from + start.byteLength;
      return { items: writer.written(items, items + to - headRoom), starts, bytes: writer.written(from) };
    },
  };
}

/** Room for what follows the items of a document. */
const TAIL_ROOM = 65_536;

/** The list, with all items ended. */
export function makeItemList(source: ItemSource): ItemList {
  const writer = openSharedWriter(roomFor(source));
  const starts = writeItems(writer, source);
  return { items: writer.written(), starts };
}

function roomFor({ pieces, before, room: roomForItem }: ItemSource): number {
  let room = 0;
  for (const { start, end, from } of pieces) {
    if (from === undefined || before === undefined) room += (end - start) * roomForItem;
    else room += (before.starts[from + end - start] ?? 0) - (before.starts[from] ?? 0);
  }
  return room;
}

/** Writes all items, each ended, and returns where each starts, from the first one on. */
function writeItems(writer: SharedWriter, { pieces, textOf, onKept, ending, before }: ItemSource): Uint32Array {
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
      onKept?.({ start, end: last, from });
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
