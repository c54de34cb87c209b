/** Appends bytes piece by piece to one growing buffer, which is cheaper than a Buffer per piece. */

export interface ByteWriter {
  /** The number of bytes written so far. */
  readonly length: number;
  text(text: string): void;
  byte(byte: number): void;
  /** The bytes written from one place to another: a view that is valid until more is written. */
  part(from: number, to: number): Uint8Array;
}

/** Opens a writer; `expected` is the approximate number of bytes. */
export function makeByteWriter(expected: number): ByteWriter {
  let buffer = Buffer.allocUnsafeSlow(Math.max(1024, expected));
  let end = 0;

  function reserve(length: number): void {
    if (end + length <= buffer.byteLength) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(end + length, Math.ceil(buffer.byteLength * 1.5)));
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  }

  return {
    get length() {
      return end;
    },
    text: (text) => {
      reserve(text.length * 3); // UTF-8 needs no more for one unit of UTF-16
      end += buffer.write(text, end, "utf8");
    },
    byte: (byte) => {
      reserve(1);
      buffer[end++] = byte;
    },
    part: (from, to) => buffer.subarray(from, Math.min(to, end)),
  };
}
