/** Puts bytes together piece by piece, in one buffer that grows: a Buffer for each piece costs more than its bytes. */

export interface ByteWriter {
  /** How many bytes were written so far. */
  readonly length: number;
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
  /** All that was written, in a buffer of its own, as another thread can be given it. */
  whole(): Uint8Array<ArrayBuffer>;
}

/** Opens a writer; `expected` is how many bytes will be written, about. */
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
