/**
 * Memory that two threads see at once: the thread that renders editions reads the bytes of the last one, which the
 * requests are answered from, to make the next. They are written once, before any other thread knows of them.
 */

export function sharedBytes(length: number): Uint8Array {
  return new Uint8Array(counted(new SharedArrayBuffer(length)));
}

export function sharedNumbers(length: number): Uint32Array {
  return new Uint32Array(counted(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT)));
}

/** Memory of this thread, as much as each shared buffer has. It is never written to, so the system provides none. */
const counterparts = new WeakMap<SharedArrayBuffer, ArrayBuffer>();

/**
 * Has this thread's collector take the size of a shared buffer into account. V8 ignores it, and would not collect the
 * editions of the past while other garbage is scarce.
 */
export function counted(buffer: SharedArrayBuffer): SharedArrayBuffer {
  if (!counterparts.has(buffer)) counterparts.set(buffer, new ArrayBuffer(buffer.byteLength));
  return buffer;
}

/** The bytes, in memory of this thread alone: `Response` and other interfaces of the Web take no other. */
export function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
