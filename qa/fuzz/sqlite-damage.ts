/** Damage to a SQLite file (https://sqlite.org/fileformat2.html): header, pages, trees, chains of pages and their lists. */

/** Where damage is done and with what; each kind of damage takes of it what it needs. */
export interface Spot {
  readonly where: number;
  readonly to: number;
  readonly value: number;
  readonly bytes: Uint8Array;
}

interface Kind {
  /** The rows of the file, if they can still be read, are the same: no byte of them is changed. */
  readonly keepsRows: boolean;
  readonly apply: (file: Buffer, spot: Spot) => Buffer | undefined;
}

const [HEADER_BYTES, PAGE_SIZE_AT, RESERVED_AT, PAGES_AT, FREE_AT, FREE_COUNT_AT] = [100, 16, 20, 28, 32, 36];
/** The fields of the header with their bytes, and those of a tree's page. */
const HEADER = [
  ...[0, 16, 18, 19, 20, 21, 22, 23].map((at) => [at, at === 16 ? 2 : 1] as const),
  ...Array.from({ length: 19 }, (_, index) => [24 + 4 * index, 4] as const),
];
const PAGE_HEAD = [0, 1, 3, 5, 7, 8].map((at) => [at, at === 8 ? 4 : at % 7 === 0 ? 1 : 2] as const);
const [INDEX_ABOVE, TABLE_ABOVE, INDEX_LEAF, TABLE_LEAF] = [2, 5, 10, 13];
const ABOVE: readonly number[] = [INDEX_ABOVE, TABLE_ABOVE];

/** The pages of a file, which may be damaged already. Positions are those of the file. */
class Pages {
  readonly file: Buffer;
  readonly size: number;
  readonly count: number;

  constructor(file: Buffer) {
    this.file = file;
    const given = file.length < HEADER_BYTES ? 0 : file.readUInt16BE(PAGE_SIZE_AT);
    this.size = given === 1 ? 65_536 : Math.max(given, 512);
    this.count = Math.floor(file.length / this.size);
  }

  at(page: number): number {
    return (page - 1) * this.size;
  }

  headAt(page: number): number {
    return this.at(page) + (page === 1 ? HEADER_BYTES : 0);
  }

  kind(page: number): number {
    return this.file[this.headAt(page)] ?? 0;
  }

  /** The pages of trees, of these kinds. */
  trees(kinds: readonly number[] = [INDEX_ABOVE, TABLE_ABOVE, INDEX_LEAF, TABLE_LEAF]): number[] {
    return Array.from({ length: this.count }, (_, index) => index + 1).filter((page) =>
      kinds.includes(this.kind(page)),
    );
  }

  /** Where the pointers to the cells of a page are. */
  pointers(page: number): number[] {
    const head = this.headAt(page);
    const first = head + (ABOVE.includes(this.kind(page)) ? 12 : 8);
    const count = Math.min(this.file.readUInt16BE(head + 3), (this.at(page) + this.size - first) >> 1);
    return Array.from({ length: Math.max(0, count) }, (_, index) => first + 2 * index);
  }

  /** Where the cells of a page begin. */
  cells(page: number): number[] {
    const found = this.pointers(page).map((at) => this.at(page) + this.file.readUInt16BE(at));
    return found.filter((at) => at + 16 < this.at(page) + this.size);
  }

  /** Where the children of a page are named. */
  children(page: number): number[] {
    return ABOVE.includes(this.kind(page)) ? [this.headAt(page) + 8, ...this.cells(page)] : [];
  }

  /** The rows that begin in a page: where their length is, and the link to their first page outside, if they have one. */
  rows(page: number): { readonly at: number; readonly link: number | undefined }[] {
    const kind = this.kind(page);
    if (kind === TABLE_ABOVE) return [];
    const usable = this.size - (this.file[RESERVED_AT] ?? 0);
    const isTable = kind === TABLE_LEAF;
    const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    return this.cells(page).map((cell) => {
      const at = cell + (kind === INDEX_ABOVE ? 4 : 0);
      const [length, body] = this.varint(at);
      if (length <= most) return { at, link: undefined };
      const local = least + ((length - least) % (usable - 4));
      const link = (isTable ? this.varint(body)[1] : body) + (local <= most ? local : least);
      return { at, link: link + 4 <= this.file.length ? link : undefined };
    });
  }

  /** Where the pages that hold the rest of long rows are named: in their rows and in each other. */
  links(): number[] {
    const links: number[] = [];
    for (const page of this.trees())
      for (const { link } of this.rows(page))
        for (let at = link, left = 100; at !== undefined && left > 0; left -= 1) {
          links.push(at);
          const next = this.file.readUInt32BE(at);
          at = next > 1 && next <= this.count ? this.at(next) : undefined;
        }
    return links;
  }

  /** Where the pages of the list of free pages, and their numbers, are. */
  freeList(): number[] {
    const fields = [FREE_AT, FREE_COUNT_AT];
    const trunk = this.file.readUInt32BE(FREE_AT);
    if (trunk > 1 && trunk <= this.count) fields.push(...[0, 4, 8, 12].map((offset) => this.at(trunk) + offset));
    return fields;
  }

  varint(at: number): readonly [value: number, end: number] {
    let value = 0;
    for (let index = 0; index < 8; index += 1) {
      const byte = this.file[at + index] ?? 0;
      value = value * 128 + (byte & 127);
      if (byte < 128) return [value, at + index + 1];
    }
    return [value * 256 + (this.file[at + 8] ?? 0), at + 9];
  }
}

/** What is defined, and the list of migrations: they are read before all pages are checked. */
const FIRST_PAGES = [1, 2, 3, 4];
/** Of a row that has not so much. The largest is more than SQLite takes for one. */
const LENGTHS = [5_000, 100_000, 15_000_000, 17_000_000, 300_000_000, 999_000_000, 2_100_000_000];

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)];
}

/** Writes a number of some bytes. */
function put(file: Buffer, at: number | undefined, value: number, bytes: number): Buffer | undefined {
  if (at === undefined || at + bytes > file.length) return undefined;
  file.writeUIntBE(value % 256 ** bytes, at, bytes);
  return file;
}

function varintOf(value: number): Buffer {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(128 + (rest % 128));
  return Buffer.from(bytes);
}

/** A page's number: of one that is there, of none, and of two beyond the end. */
const anyPage = (pages: Pages, to: number) => to % (pages.count + 3);

/** Adds pages, and says so in the header. */
function withPages(file: Buffer, count: number, added: readonly Buffer[]): Buffer {
  file.writeUInt32BE(count + added.length, PAGES_AT);
  return Buffer.concat([file, ...added]);
}

/** The definition of an index without words of its own, which SQLite takes any number of times. */
function indexEntries(file: Buffer, pages: Pages): Buffer {
  const made = Buffer.alloc(pages.size);
  const row = pages
    .trees([TABLE_LEAF])
    .flatMap((page) => pages.rows(page))
    .find(({ at }) => file.toString("latin1", at, at + 60).includes("indexsqlite_autoindex_kysely"));
  const length = 2 + (file[row?.at ?? 0] ?? 0);
  const cell = pages.size - length;
  if (row !== undefined) file.copy(made, cell, row.at, row.at + length);
  made[0] = TABLE_LEAF;
  made.writeUInt16BE(row === undefined ? 0 : 1, 3);
  made.writeUInt16BE(cell, 5);
  made.writeUInt16BE(cell, 8);
  return made;
}

/** Has a page of a tree lead to its own rows again and again: `fan` to the power of `levels` times. */
function fanned(file: Buffer, pages: Pages, page: number, fan: number, levels: number): Buffer {
  const { size, count } = pages;
  const [at, offset] = [pages.at(page), page === 1 ? HEADER_BYTES : 0];
  const isIndex = [INDEX_ABOVE, INDEX_LEAF].includes(pages.kind(page));
  const below = page === 1 ? indexEntries(file, pages) : Buffer.from(file.subarray(at, at + size));
  const row = pages.rows(page)[0]?.at ?? at;
  const body = isIndex ? file.subarray(row, row + Math.min(size / 4, 1 + (file[row] ?? 0))) : Buffer.of(127);
  const above = (child: number, head: number) => {
    const made = Buffer.alloc(size);
    const cell = size - 4 - body.length;
    const cells = Math.min(fan, Math.floor((cell - head - 12) / 2));
    made.writeUInt32BE(child, cell);
    body.copy(made, cell + 4);
    made[head] = isIndex ? INDEX_ABOVE : TABLE_ABOVE;
    made.writeUInt16BE(cells, head + 3);
    made.writeUInt16BE(cell, head + 5);
    made.writeUInt32BE(child, head + 8);
    for (let index = 0; index < cells; index += 1) made.writeUInt16BE(cell, head + 12 + 2 * index);
    return made;
  };
  const tree = Array.from({ length: levels }, (_, level) => above(count + 1 + level, 0));
  const top = above(count + 1 + levels, offset);
  file.copy(top, 0, at, at + offset);
  const whole = page === 1 && pages.kind(1) === TABLE_ABOVE ? pages.children(1).slice(1) : [];
  const last = file.readUInt32BE(pages.headAt(page) + 8);
  const children = [...whole.map((child) => file.readUInt32BE(child)), ...(whole.length > 0 ? [last] : [])];
  for (const [index, child] of children.entries()) {
    const cell = size - 4 * body.length - 16 - 5 * (index + 1);
    top.writeUInt32BE(child, cell);
    body.copy(top, cell + 4);
    top.writeUInt16BE(cell, offset + 12 + 2 * index);
  }
  top.copy(file, at);
  return withPages(file, count, [below, ...tree]);
}

/** Has a row be as long as it says, in a page that goes on in itself. */
function endlessRow(file: Buffer, pages: Pages, row: number | undefined, bytes: number): Buffer | undefined {
  const length = varintOf(bytes);
  const page = Math.floor((row ?? 0) / pages.size) + 1;
  if (row === undefined || row + length.length + 4 > file.length) return undefined;
  length.copy(file, row);
  const link = pages.rows(page).find(({ at }) => at === row)?.link;
  if (put(file, link, pages.count + 1, 4) === undefined) return undefined;
  const loop = Buffer.alloc(pages.size, "x");
  loop.writeUInt32BE(pages.count + 1);
  return withPages(file, pages.count, [loop]);
}

const keepsRows = true;

/** Every kind of damage by its name. `where` and `to` choose among what there is. It gives nothing where there is nothing. */
export const DAMAGES: Readonly<Record<string, Kind>> = {
  "field of the header": {
    keepsRows,
    apply: (file, { where, value }) => {
      const [at, bytes] = pick(HEADER, where) ?? [0, 1];
      return put(file, at, value, bytes);
    },
  },
  "head of a page": {
    keepsRows,
    apply: (file, { where, to, value }) => {
      const pages = new Pages(file);
      const [offset, bytes] = pick(PAGE_HEAD, to) ?? [0, 1];
      const page = pick(pages.trees(), where);
      return page === undefined ? undefined : put(file, pages.headAt(page) + offset, value, bytes);
    },
  },
  "place of a row": {
    keepsRows,
    apply: (file, { where, to, value }) => {
      const pages = new Pages(file);
      const pointers = pages.pointers(pick(pages.trees(), where) ?? 1);
      const other = pick(pointers, value);
      return put(file, pick(pointers, to), value % 2 === 0 && other ? file.readUInt16BE(other) : value, 2);
    },
  },
  "child of a page": {
    keepsRows,
    apply: (file, { where, to }) => {
      const pages = new Pages(file);
      return put(
        file,
        pick(
          pages.trees(ABOVE).flatMap((page) => pages.children(page)),
          where,
        ),
        anyPage(pages, to),
        4,
      );
    },
  },
  "page outside a row": {
    keepsRows,
    apply: (file, { where, to }) => {
      const pages = new Pages(file);
      return put(file, pick(pages.links(), where), anyPage(pages, to), 4);
    },
  },
  "list of free pages": {
    keepsRows,
    apply: (file, { where, to, value }) => {
      const pages = new Pages(file);
      return put(file, pick(pages.freeList(), where), value % 3 === 0 ? value : anyPage(pages, to), 4);
    },
  },
  "pages that lead to the same": {
    keepsRows,
    apply: (file, { where, to, value }) => {
      const pages = new Pages(file);
      const page = pick(value % 2 === 0 ? FIRST_PAGES : pages.trees(), where);
      return page === undefined ? undefined : fanned(file, pages, page, 2 + (to % 400), 1 + (value % 6));
    },
  },
  "length of a row": {
    keepsRows: false,
    apply: (file, { where, to, value }) => {
      const pages = new Pages(file);
      const row = pick(pages.rows(pick(pages.trees(), where) ?? 1), to)?.at;
      if (row !== undefined) varintOf(value).copy(file, row);
      return file;
    },
  },
  "row without an end": {
    keepsRows: false,
    apply: (file, { where, to, value }) => {
      const pages = new Pages(file);
      const page = value % 3 === 0 ? 1 : (pick(pages.trees([TABLE_LEAF, INDEX_LEAF]), where) ?? 1);
      return endlessRow(file, pages, pick(pages.rows(page), to)?.at, LENGTHS[value % LENGTHS.length] ?? 0);
    },
  },
  "head of a row": {
    keepsRows: false,
    apply: (file, { where, to, value, bytes }) => {
      const pages = new Pages(file);
      const row = pick(pages.rows(pick(pages.trees(), where) ?? 1), to)?.at;
      if (row !== undefined) Buffer.from(bytes).copy(file, row + 1 + (value % 12));
      return file;
    },
  },
  "some bytes": {
    keepsRows: false,
    apply: (file, { where, bytes }) => {
      Buffer.from(bytes).copy(file, where % file.length);
      return file;
    },
  },
  "a bit": {
    keepsRows: false,
    apply: (file, { where, to }) => {
      const at = where % file.length;
      file[at] = (file[at] ?? 0) ^ (1 << (to % 8));
      return file;
    },
  },
  "two pages changed for each other": {
    keepsRows,
    apply: (file, { where, to }) => {
      const pages = new Pages(file);
      const [one, other] = [where, to].map((number) => pages.at((number % pages.count) + 1));
      if (one === undefined || other === undefined) return undefined;
      const kept = Buffer.from(file.subarray(one, one + pages.size));
      file.copy(file, one, other, other + pages.size);
      kept.copy(file, other);
      return file;
    },
  },
  "a page in the place of another": {
    keepsRows,
    apply: (file, { where, to }) => {
      const pages = new Pages(file);
      const [one, other] = [where, to].map((number) => pages.at((number % pages.count) + 1));
      if (one !== undefined && other !== undefined) file.copy(file, one, other, other + pages.size);
      return file;
    },
  },
  "an empty page": {
    keepsRows,
    apply: (file, { where, to }) => {
      const pages = new Pages(file);
      const at = pages.at((where % pages.count) + 1);
      return file.fill(to % 2 === 0 ? 0 : 255, at, at + pages.size);
    },
  },
  "an early end": {
    keepsRows,
    apply: (file, { where, to }) => {
      const pages = new Pages(file);
      return file.subarray(0, to % 2 === 0 ? where % file.length : pages.size * (where % pages.count));
    },
  },
  "pages after the end": {
    keepsRows,
    apply: (file, { where, to, value }) => {
      const pages = new Pages(file);
      const added = Array.from({ length: 1 + (where % 200) }, () => Buffer.alloc(pages.size, to % 2));
      return value % 2 === 0 ? withPages(file, pages.count, added) : Buffer.concat([file, ...added]);
    },
  },
};

/** A copy of a file with this damage. */
export function damaged(file: Buffer, damages: readonly (Spot & { readonly kind: string })[]): Buffer {
  return damages.reduce<Buffer>((copy, { kind, ...spot }) => {
    if (new Pages(copy).count < FIRST_PAGES.length) return copy; // an earlier damage has left nothing of it
    return DAMAGES[kind]?.apply(copy, spot) ?? copy;
  }, Buffer.from(file));
}
