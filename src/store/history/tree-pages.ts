/** Looks at the pages of a SQLite file (https://sqlite.org/fileformat2.html, "B-tree Pages") before SQLite does. */
import { type FileHandle, open } from "node:fs/promises";

const MAGIC = "SQLite format 3\0";
const [HEADER_BYTES, PAGE_SIZE_AT, LARGEST_PAGE, SMALLEST_PAGE] = [100, 16, 65_536, 512];
/** The kinds of pages of a tree: those that lead to others, and all that hold rows. */
const [ABOVE, WITH_ROWS] = [new Set([2, 5]), new Set([2, 10, 13])];
const [CELLS_AT, RIGHT_AT, LEAF_HEAD, HEAD_ABOVE, CHILD_BYTES] = [3, 8, 8, 12, 4];
/** Many times what a store defines, or lists of its migrations. */
const [MAX_PAGES, MAX_ROWS, MAX_ROW_BYTES] = [1_000, 1_000, 1_000_000];
const MAX_VARINT_BYTES = 9;

/** The root of what a file defines. */
export const SCHEMA_PAGE = 1;

/**
 * Whether SQLite comes to an end when it reads a small tree of a file, such as the schema on page 1, which it reads before
 * any statement: pages of a hostile file may lead to each other again and again, and no statement that has begun can be
 * ended. What is none of its files is left to SQLite, which says so.
 */
export async function isTreeFinite(file: string, root: number): Promise<boolean> {
  return await walk(file, root, () => true);
}

/** Whether a file defines statistics, whose rows SQLite reads with the schema, however many there are. */
export async function hasStatistics(file: string): Promise<boolean> {
  return !(await walk(file, SCHEMA_PAGE, (page) => !page.includes("sqlite_stat")));
}

async function walk(file: string, root: number, isFine: (page: Buffer) => boolean): Promise<boolean> {
  await using opened = await open(file).catch(() => undefined);
  const head = opened && (await read(opened, 0, HEADER_BYTES));
  if (opened === undefined || head?.toString("latin1", 0, MAGIC.length) !== MAGIC) return true;
  const given = head.readUInt16BE(PAGE_SIZE_AT);
  const size = given === 1 ? LARGEST_PAGE : given;
  if (size < SMALLEST_PAGE) return false;
  const seen = new Set<number>();
  const waiting = [root];
  let [rows, bytes] = [0, 0];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (seen.has(number)) return false;
    seen.add(number);
    const page = await read(opened, (number - 1) * size, size);
    if (page === undefined || !isFine(page)) return false;
    const at = number === 1 ? HEADER_BYTES : 0;
    const kind = page[at] ?? 0;
    const isAbove = ABOVE.has(kind);
    const cells = cellsOf(page, at, isAbove ? HEAD_ABOVE : LEAF_HEAD);
    if (cells === undefined || !(isAbove || WITH_ROWS.has(kind))) return false;
    if (isAbove) waiting.push(page.readUInt32BE(at + RIGHT_AT), ...cells.map((cell) => page.readUInt32BE(cell)));
    if (WITH_ROWS.has(kind)) {
      rows += cells.length;
      for (const cell of cells) bytes += varint(page, cell + (isAbove ? CHILD_BYTES : 0));
    }
    if (seen.size + waiting.length > MAX_PAGES || rows > MAX_ROWS || bytes > MAX_ROW_BYTES) return false;
  }
  return true;
}

/** Where the cells of a page begin; undefined if one is not in the page. */
function cellsOf(page: Buffer, at: number, headBytes: number): number[] | undefined {
  const count = page.readUInt16BE(at + CELLS_AT);
  const first = at + headBytes;
  if (first + 2 * count > page.length) return undefined;
  const cells = Array.from({ length: count }, (_, index) => page.readUInt16BE(first + 2 * index));
  return cells.every((cell) => cell + CHILD_BYTES <= page.length) ? cells : undefined;
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
  const bytes = Buffer.alloc(length);
  const bytesRead = await file.read(bytes, 0, length, position).then(
    (done) => done.bytesRead,
    () => 0, // a folder
  );
  return bytesRead === length ? bytes : undefined;
}
