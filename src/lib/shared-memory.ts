/**
 * Memory that two threads see at once: the thread that renders editions reads the bytes of the last one, which the
 * requests are answered from, to make the next. They are written once, before any other thread knows of them.
 */

export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

export function sharedNumbers(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT));
}

export function sharedDecimals(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
}

/** Memory of this thread, as much as shared buffers have. It is never written to, so the system provides none. */
const counterparts = new WeakMap<SharedArrayBuffer, ArrayBuffer>();

/**
 * Has this thread's collector take the size of the editions' shared columns into account. V8 ignores it, and would not
 * collect those of the past while other garbage is scarce. It may collect at once: call it when nobody waits.
 */
export function countShared(editions: readonly object[]): void {
  /** Up to where each is used: what is after that takes no memory. */
  const ends = new Map<SharedArrayBuffer, number>();
  for (const column of editions.flatMap(Object.values)) {
    if (!ArrayBuffer.isView(column) || !(column.buffer instanceof SharedArrayBuffer)) continue;
    if (counterparts.has(column.buffer)) continue;
    ends.set(column.buffer, Math.max(ends.get(column.buffer) ?? 0, column.byteOffset + column.byteLength));
  }
  const counterpart = new ArrayBuffer(ends.values().reduce((sum, end) => sum + end, 0));
  for (const buffer of ends.keys()) counterparts.set(buffer, counterpart);
}

/** The bytes, in memory of this thread alone: `Response` and other interfaces of the Web take no other. */
export function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
