/** Appends bytes piece by piece to one growing buffer, which is cheaper than a Buffer per piece. */

export interface ByteWriter {
  /** The number of bytes written so far. */
  readonly length: number;
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
  /** The written bytes in a separate buffer, which can be transferred to another thread. */
  whole(): Uint8Array<ArrayBuffer>;
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
    bytes: (bytes) => {
      reserve(bytes.byteLength);
      buffer.set(bytes, end);
      end += bytes.byteLength;
    },
    whole: () => new Uint8Array(buffer.subarray(0, end)),
  };
}
