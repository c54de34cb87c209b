/**
 * Appends bytes piece by piece to memory that threads share, where they stay. The system provides the memory of a large
 * list only where something is written, which takes longer than writing: what is written twice takes twice as long, and
 * room that is left over nothing.
 */
import { sharedBytes } from "./shared-memory.ts";

export interface SharedWriter {
  /** The number of bytes written so far. */
  readonly length: number;
  text(text: string): void;
  byte(byte: number): void;
  bytes(bytes: Uint8Array): void;
  /** Takes back what was written after a place. */
  backTo(place: number): void;
  /** Writes bytes that end at a place, over what is there or before the beginning, and returns where they start. */
  before(place: number, bytes: Uint8Array): number;
  /** What was written from one place to another. Nothing may be written afterwards. */
  written(from?: number, to?: number): Uint8Array;
}

/** Opens a writer with room for so many bytes, which begins at a place. If more are written, all are copied to a place with more room. */
export function openSharedWriter(room: number, start = 0): SharedWriter {
  let buffer = roomFor(room);
  let end = start;

  function reserve(length: number): void {
    if (end + length <= buffer.byteLength) return;
    const larger = roomFor(2 * (end + length));
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  }

  return {
    get length() {
      return end;
    },
    text(text) {
      reserve(text.length * 3); // UTF-8 needs no more for one unit of UTF-16
      end += buffer.write(text, end, "utf8");
    },
    byte(byte) {
      reserve(1);
      buffer[end++] = byte;
    },
    bytes(bytes) {
      reserve(bytes.byteLength);
      buffer.set(bytes, end);
      end += bytes.byteLength;
    },
    backTo(place) {
      end = Math.min(end, place);
    },
    before(place, bytes) {
      const shift = Math.max(0, bytes.byteLength - place);
      if (shift > 0) {
        const larger = roomFor(end + shift); // what was written before is still read where it is
        buffer.copy(larger, shift, 0, end);
        buffer = larger;
        end += shift;
      }
      buffer.set(bytes, place + shift - bytes.byteLength);
      return place + shift - bytes.byteLength;
    },
    written: (from = 0, to = end) => new Uint8Array(buffer.buffer, buffer.byteOffset + from, to - from),
  };
}

/** Shared memory as a `Buffer`, which writes texts. */
function roomFor(length: number): Buffer {
  return Buffer.from(sharedBytes(length).buffer);
}
