/**
 * A zip archive as files to import. Entries are unpacked in memory, within limits, and never written to disk. Hostile and
 * damaged archives are refused.
 */
import { fstatSync, read } from "node:fs";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { Invalid, type Issue, quote } from "../../issue.ts";
import { bytesOf } from "../../lib/private-file.ts";
import {
  type InputFile,
  MAX_ENTRIES,
  MAX_FILE_BYTES,
  MAX_TEXT_BYTES_OF_ARCHIVE,
  MAX_UNPACKED_BYTES,
  type OpenedFile,
} from "./input-file.ts";

export interface ZipArchive {
  /** The archive's files, sorted by name. */
  readonly files: readonly InputFile[];
  /** The same files by their names in the archive. */
  readonly entries: ReadonlyMap<string, InputFile>;
  close(): void;
}

/**
 * The highest plausible compression ratio, of an entry and of all together. Text rarely exceeds 30, while zip bombs
 * reach 1000.
 */
const BOMB_RATIO = 250;
const BOMB_BYTES = 10_000_000;

/** An entry's name, extra fields and comment. A path is no longer than 4,096 bytes on any system. */
const MAX_ENTRY_HEADER_BYTES = 8_192;

/** Spreadsheet formats that are zip archives. */
export type OfficeKind = "xlsx" | "ods" | "numbers" | undefined;

/** The spreadsheet format that an archive has the entries of. */
export function officeKind({ entries }: ZipArchive): OfficeKind {
  if (entries.has("xl/workbook.xml")) return "xlsx";
  if (entries.has("mimetype") && entries.has("content.xml")) return "ods";
  return entries.keys().some((name) => /^Index\/.*\.iwa$/.test(name)) ? "numbers" : undefined;
}

/** Some hundred headers. */
const BLOCK_BYTES = 16_384;

const OPTIONS = { autoClose: false, strictFileNames: true };

/**
 * Opens the archive. Its descriptor has to stay open as long as it, and is not closed with it.
 * @throws Invalid if the archive is damaged, encrypted, a zip bomb or too large, or an entry's name leads out of its
 * folder.
 */
export async function openZip(input: OpenedFile, maxTextBytes = MAX_TEXT_BYTES_OF_ARCHIVE): Promise<ZipArchive> {
  const { name, descriptor } = input;
  const { size } = fstatSync(descriptor);
  const opening = fromRandomAccessReaderPromise(new DescriptorReader(descriptor), size, OPTIONS);
  return await readArchive(name, opening, maxTextBytes);
}

class DescriptorReader extends RandomAccessReader {
  readonly #descriptor: number;
  #block = Buffer.alloc(0);
  #blockAt = 0;

  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(bytesOf(this.#descriptor, start, end), { objectMode: false });
  }

  /** Reads headers in blocks: a stream for each takes most of the time in an archive of thousands of entries. */
  override read(
    ...[buffer, offset, length, position, callback]: Parameters<RandomAccessReader["read"]>
  ): ReturnType<RandomAccessReader["read"]> {
    // A hostile position makes read() throw, where a stream only fails.
    const isPossible = position >= 0 && Number.isSafeInteger(position + BLOCK_BYTES + length);
    if (!isPossible) return super.read(buffer, offset, length, position, callback);
    const from = position - this.#blockAt;
    if (from >= 0 && from + length <= this.#block.length) {
      this.#block.copy(buffer, offset, from, from + length);
      setImmediate(callback, null);
      return;
    }
    const block = Buffer.alloc(Math.max(length, BLOCK_BYTES));
    read(this.#descriptor, block, 0, block.length, position, (error, bytesRead) => {
      if (error !== null || bytesRead < length) return super.read(buffer, offset, length, position, callback);
      this.#block = block.subarray(0, bytesRead);
      this.#blockAt = position;
      block.copy(buffer, offset, 0, length);
      callback(null);
    });
  }
}

/** Opens an archive in memory, with the same checks. Messages use `name`. */
export async function openZipBytes(name: string, bytes: Buffer): Promise<ZipArchive> {
  return await readArchive(name, fromBufferPromise(bytes, OPTIONS), MAX_TEXT_BYTES_OF_ARCHIVE);
}

async function readArchive(path: string, opening: Promise<ZipFile>, maxTextBytes: number): Promise<ZipArchive> {
  const zip = await opening.catch(() => {
    throw refusal(path, "is a damaged or truncated zip: download it or make it again");
  });
  try {
    const entries = await listed(zip, path);
    const faults = [...new Set(entries.flatMap((entry) => entryFaults(entry)))].map((fault) => issue(path, fault));
    const packed = entries.reduce((sum, { compressedSize }) => sum + compressedSize, 0);
    const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (faults.length === 0) faults.push(...totalFaults(packed, unpacked).map((fault) => issue(path, fault)));
    if (packed > zip.fileSize) faults.push(issue(path, "has entries that overlap, as a zip bomb has"));
    if (faults.length > 0) throw new Invalid(faults);
    const found = entries
      .filter(({ fileName }) => !fileName.endsWith("/"))
      .toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
    const readBytes = new Map<Entry, number>();
    let text = 0;
    /** Counts what was read of an entry once, however often it is read. Pictures are left after their first bytes. */
    const onRead = (entry: Entry, size: number) => {
      const before = readBytes.get(entry) ?? 0;
      if (size <= before) return;
      readBytes.set(entry, size);
      text += size - before;
      if (text > maxTextBytes) throw refusal(path, `unpacks to more than ${maxTextBytes} bytes of text (1 GB)`);
    };
    const files = found.map((entry): InputFile => {
      const name = `${path}!${entry.fileName}`;
      const bytes = () => entryBytes(zip, entry, { name, onRead: (size) => onRead(entry, size) });
      return { name, named: false, isBusinessFile: false, origins: [], modifiedAt: entry.getLastModDate(), bytes };
    });
    const named = new Map(files.map((file, at) => [found[at]?.fileName ?? "", file]));
    return { files, entries: named, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listed(zip: ZipFile, path: string): Promise<Entry[]> {
  if (zip.entryCount > MAX_ENTRIES) throw refusal(path, tooMany(zip.entryCount));
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileNameLength, extraFieldLength, fileCommentLength } = entry;
      if (fileNameLength + extraFieldLength + fileCommentLength > MAX_ENTRY_HEADER_BYTES)
        throw new Error(`an entry's name and comment have more than ${MAX_ENTRY_HEADER_BYTES} bytes`);
      entry.extraFields.length = 0; // thousands of objects in each entry of a hostile archive
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) break;
    }
  } catch (error) {
    throw refusal(path, `is refused as a zip: ${(error as Error).message}`);
  }
  if (entries.length > MAX_ENTRIES) throw refusal(path, tooMany(entries.length));
  return entries;
}

function tooMany(count: number): string {
  return `has ${count} entries, but a zip may have no more than ${MAX_ENTRIES}`;
}

function entryFaults({ fileName, uncompressedSize, compressedSize, ...entry }: Entry): string[] {
  const name = quote(fileName);
  const faults: string[] = [];
  if (/^[A-Za-z]:|\p{Cc}/u.test(fileName)) faults.push(`has the entry ${name}, whose name leaves the folder`);
  if ((entry.generalPurposeBitFlag & 1) !== 0) faults.push(`has the entry ${name}, which is encrypted`);
  if (uncompressedSize > MAX_FILE_BYTES) {
    faults.push(
      `has the entry ${name} of ${uncompressedSize} bytes, but one may have no more than ${MAX_FILE_BYTES} (200 MB)`,
    );
  } else if (isBomb(compressedSize, uncompressedSize)) {
    faults.push(
      `has the entry ${name}, which unpacks ${compressedSize} bytes to ${uncompressedSize}, as a zip bomb does`,
    );
  }
  return faults;
}

/** The faults of all entries together: many small ones make a bomb as well as a large one. */
function totalFaults(packed: number, unpacked: number): string[] {
  if (unpacked > MAX_UNPACKED_BYTES) return [`unpacks to ${unpacked} bytes, more than ${MAX_UNPACKED_BYTES} (4 GB)`];
  return isBomb(packed, unpacked) ? [`unpacks ${packed} bytes to ${unpacked}, as a zip bomb does`] : [];
}

function isBomb(packed: number, unpacked: number): boolean {
  return unpacked > BOMB_BYTES && unpacked > packed * BOMB_RATIO;
}

interface Reading {
  readonly name: string;
  /** Called with the number of bytes read so far. Throws to end the reading. */
  readonly onRead: (size: number) => void;
}

/** Reads an entry and compares it with the size and checksum declared in the archive. */
async function* entryBytes(zip: ZipFile, entry: Entry, { name, onRead }: Reading): AsyncGenerator<Buffer> {
  let checksum = 0;
  let size = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      size += chunk.length;
      onRead(size);
      if (size > MAX_FILE_BYTES) break;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Invalid) throw error;
    throw refusal(name, `is a damaged zip entry (${(error as Error).message}): download the zip or make it again`);
  }
  if (size > MAX_FILE_BYTES) throw refusal(name, `unpacks to more than ${MAX_FILE_BYTES} bytes (200 MB)`);
  if (checksum !== entry.crc32)
    throw refusal(name, "is a damaged zip entry (its checksum differs): download the zip or make it again");
}

function refusal(name: string, fault: string): Invalid {
  return new Invalid([issue(name, fault)]);
}

function issue(name: string, fault: string): Issue {
  return { code: "zip", path: [name], message: `${name} ${fault}` };
}
