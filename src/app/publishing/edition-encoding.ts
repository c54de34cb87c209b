/**
 * Encodes a rendered edition as bytes for a file, and decodes it. Large arrays have the same layout in the file as in
 * memory, so that decoding copies nothing: a decoded edition's arrays are views of the file's bytes.
 *
 *     8 bytes    format name
 *     32 bytes   SHA-256 of the rest
 *     8 bytes    length of the description, little-endian
 *     ...        the description (V8's serialisation), then the blocks, each at a multiple of 8
 */
import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import type { RenderedEdition } from "../../edition/render-edition.ts";

/** The name, whose last character is the version of the format. */
export const FORMAT = Buffer.from("GOODWED1", "latin1");
const HASH_BYTES = 32;
const LENGTH_BYTES = 8;
const HEAD_BYTES = FORMAT.length + HASH_BYTES + LENGTH_BYTES;
const ALIGNMENT = 8;

/** Smaller arrays are part of the description. */
const LEAST_BLOCK_BYTES = 4096;

/** In the description, an object with this member is a reference to an array. */
const REFERENCE = "\0array";

const ARRAYS = { Uint8Array, Uint32Array, Float64Array } as const;
type LargeArray = Uint8Array | Uint32Array | Float64Array;

/** An array's position after the description. */
interface Place {
  readonly type: keyof typeof ARRAYS;
  readonly start: number;
  readonly length: number;
}

interface Description {
  readonly madeBy: string;
  readonly places: readonly Place[];
  readonly edition: unknown;
}

/** An edition's bytes after the hash. `madeBy` identifies everything that the edition depends on besides the store. */
export function encodeEdition(edition: RenderedEdition, madeBy: string): readonly Uint8Array[] {
  const arrays: LargeArray[] = [];
  const described = mapArrays(edition, (array) => {
    if (array.byteLength < LEAST_BLOCK_BYTES) return array.slice(); // a copy, without the rest of its pool
    arrays.push(array);
    return { [REFERENCE]: arrays.length - 1 };
  });
  const { blocks, places } = layOut(arrays);
  const description = serialize({ madeBy, places, edition: described } satisfies Description);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(description.byteLength);
  return [length, ...padded(description), ...blocks.flatMap(padded)];
}

/** The whole file: the head, the hash, and the parts. */
export function wholeFile(head: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return Buffer.concat([head, hash.digest(), ...parts]);
}

/**
 * Decodes a file's bytes; undefined if they are of another version of the format, or `madeBy` differs. `bytes` must start
 * at a multiple of 8 in its buffer.
 * @throws Error if they are damaged.
 */
export function decodeEdition(bytes: Uint8Array, madeBy: string): RenderedEdition | undefined {
  if (bytes.byteLength < HEAD_BYTES) throw new Error("it is damaged: it breaks off");
  const version = FORMAT.length - 1;
  if (!FORMAT.subarray(0, version).equals(bytes.subarray(0, version))) throw new Error("it is no edition");
  if (FORMAT[version] !== bytes[version]) return undefined;
  const hash = bytes.subarray(FORMAT.length, FORMAT.length + HASH_BYTES);
  const content = bytes.subarray(FORMAT.length + HASH_BYTES);
  if (!createHash("sha256").update(content).digest().equals(hash))
    throw new Error("it is damaged: its contents do not match its checksum");
  const length = new DataView(content.buffer, content.byteOffset).getUint32(0, true);
  const description = deserialize(content.subarray(LENGTH_BYTES, LENGTH_BYTES + length)) as Description;
  if (description.madeBy !== madeBy) return undefined;
  const blocks = bytes.byteOffset + HEAD_BYTES + aligned(length);
  const arrays = description.places.map(
    ({ type, start, length }) => new ARRAYS[type](bytes.buffer as ArrayBuffer, blocks + start, length),
  );
  return mapReferences(description.edition, arrays) as RenderedEdition;
}

/**
 * Returns the blocks to write, and each array's position. An array that is part of another is not written again, so
 * bytes that are shared in memory are shared in the file.
 */
function layOut(arrays: readonly LargeArray[]): { blocks: Uint8Array[]; places: Place[] } {
  const whole = new Map<ArrayBufferLike, { readonly from: number; readonly to: number; readonly start: number }[]>();
  const blocks: Uint8Array[] = [];
  const starts = new Map<LargeArray, number>();
  let end = 0;
  for (const array of arrays.toSorted((a, b) => b.byteLength - a.byteLength)) {
    const from = array.byteOffset;
    const to = from + array.byteLength;
    const known = whole.get(array.buffer) ?? [];
    const isFit = (at: number) => array instanceof Uint8Array || at % array.BYTES_PER_ELEMENT === 0;
    const around = known.find((block) => block.from <= from && to <= block.to && isFit(from - block.from));
    if (around !== undefined || starts.has(array)) {
      starts.set(array, starts.get(array) ?? (around?.start ?? 0) + from - (around?.from ?? 0));
      continue;
    }
    blocks.push(new Uint8Array(array.buffer, from, array.byteLength));
    whole.set(array.buffer, [...known, { from, to, start: end }]);
    starts.set(array, end);
    end += aligned(array.byteLength);
  }
  const places = arrays.map((array) => {
    const type =
      array instanceof Uint8Array ? "Uint8Array" : array instanceof Uint32Array ? "Uint32Array" : "Float64Array";
    return { type, start: starts.get(array) ?? 0, length: array.length } satisfies Place;
  });
  return { blocks, places };
}

function padded(bytes: Uint8Array): Uint8Array[] {
  return [bytes, new Uint8Array(aligned(bytes.byteLength) - bytes.byteLength)];
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

/** Copies a value with its typed arrays replaced. Strings, numbers and dates are unchanged. */
function mapArrays(value: unknown, replace: (array: LargeArray) => unknown): unknown {
  if (value instanceof Uint8Array || value instanceof Uint32Array || value instanceof Float64Array)
    return replace(value);
  return mapMembers(value, (member) => mapArrays(member, replace));
}

function mapReferences(value: unknown, arrays: readonly LargeArray[]): unknown {
  if (typeof value === "object" && value !== null && REFERENCE in value) return arrays[Number(value[REFERENCE])];
  if (ArrayBuffer.isView(value)) return value;
  return mapMembers(value, (member) => mapReferences(member, arrays));
}

function mapMembers(value: unknown, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, map(member)]));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
}
