/** Looks at the pages of a SQLite file that hold its schema (https://sqlite.org/fileformat2.html, "B-tree Pages"). */
import { type FileHandle, open } from "node:fs/promises";

const [HEADER_BYTES, PAGE_SIZE_AT, LARGEST_PAGE] = [100, 16, 65_536];
const [INTERIOR, LEAF] = [5, 13];
const [CELLS_AT, RIGHT_AT, LEAF_HEAD, INTERIOR_HEAD] = [3, 8, 8, 12];
/** Many times what a store defines. */
const [MAX_DEFINITIONS, MAX_DEFINITION_BYTES] = [1_000, 1_000_000];
/** The least that a cell may have: the number of a page below. */
const CELL_BYTES = 4;
const MAX_VARINT_BYTES = 9;

/**
 * Whether SQLite comes to an end when it reads a file's schema, which it does before any statement: pages of a hostile file
 * may lead to each other again and again, and no statement that has begun can be ended.
 */
export async function isSchemaFinite(file: string): Promise<boolean> {
  await using opened = await open(file);
  const head = await read(opened, 0, HEADER_BYTES);
  if (head === undefined) return true; // no database: SQLite says so
  const given = head.readUInt16BE(PAGE_SIZE_AT);
  const size = given === 1 ? LARGEST_PAGE : given;
  if (size < 512) return true; // likewise
  const seen = new Set<number>();
  const waiting = [1];
  let [definitions, bytes] = [0, 0];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (seen.has(number)) return false;
    seen.add(number);
    const page = await read(opened, (number - 1) * size, size);
    if (page === undefined) return true; // it ends early: SQLite says so
    const at = number === 1 ? HEADER_BYTES : 0;
    const kind = page[at];
    const cells = cellsOf(page, at, kind === LEAF ? LEAF_HEAD : INTERIOR_HEAD);
    if (cells === undefined) return false;
    if (kind === INTERIOR)
      waiting.push(page.readUInt32BE(at + RIGHT_AT), ...cells.map((cell) => page.readUInt32BE(cell)));
    else if (kind === LEAF) {
      definitions += cells.length;
      for (const cell of cells) bytes += varint(page, cell);
    } else return false;
    if (seen.size + waiting.length > MAX_DEFINITIONS || definitions > MAX_DEFINITIONS) return false;
    if (bytes > MAX_DEFINITION_BYTES) return false;
  }
  return true;
}

/** Where the cells of a page begin; undefined if one is not in the page. */
function cellsOf(page: Buffer, at: number, headBytes: number): number[] | undefined {
  const count = page.readUInt16BE(at + CELLS_AT);
  const first = at + headBytes;
  if (first + 2 * count > page.length) return undefined;
  const cells = Array.from({ length: count }, (_, index) => page.readUInt16BE(first + 2 * index));
  return cells.every((cell) => cell + CELL_BYTES <= page.length) ? cells : undefined;
}

function varint(page: Buffer, at: number): number {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES - 1; index++) {
    const byte = page[at + index] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return value;
  }
  return Number.POSITIVE_INFINITY;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return bytesRead === length ? buffer : undefined;
}
