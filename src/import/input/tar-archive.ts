/**
 * A .tgz, .tar or .gz archive as files to import. A tar has no random access, so it is read once: possible text files
 * are kept one after the other in a temporary file until the archive is closed, other files only with their first bytes.
 */
import type { FileHandle } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { Invalid, quote } from "../../issue.ts";
import { bytesOf, openPrivateFile, writeWhole } from "../../lib/private-file.ts";
import {
  type InputFile,
  MAX_ENTRIES,
  MAX_FILE_BYTES,
  MAX_TEXT_BYTES_OF_ARCHIVE,
  MAX_UNPACKED_BYTES,
  type OpenedFile,
} from "./input-file.ts";

export interface TarArchive {
  /** The archive's files, sorted by name. */
  readonly files: readonly InputFile[];
  /** Entries that are not files, such as links. */
  readonly passedOver: readonly string[];
  close(): Promise<void>;
}

const HEAD_BYTES = 4096;
/** A path is no longer than this on any system. */
const MAX_NAME_CHARACTERS = 4096;
const TAR_MAGIC = "ustar";
const TAR_MAGIC_OFFSET = 257;

/** A file's packing, detected from its first bytes: `gzip`, `tar`, or neither. */
export type Packing = "gzip" | "tar" | undefined;

export function packingOf(head: Buffer): Packing {
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
  return head.toString("latin1", TAR_MAGIC_OFFSET, TAR_MAGIC_OFFSET + TAR_MAGIC.length) === TAR_MAGIC
    ? "tar"
    : undefined;
}

/** Whether a gzip contains a tar; otherwise it contains a single file. */
export async function isTarInside(input: OpenedFile): Promise<boolean> {
  const head: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unzipped(input)) {
      head.push(chunk);
      size += chunk.length;
      if (size >= HEAD_BYTES) break;
    }
  } catch {
    return false; // Damage is reported when the file is read.
  }
  return packingOf(Buffer.concat(head)) === "tar";
}

/** The bytes that a gzip holds. A fault of either stream ends both. */
function unzipped(input: OpenedFile): AsyncIterable<Buffer> {
  return pipeline(Readable.from(bytesOf(input.descriptor)), createGunzip(), () => {});
}

/** Unpacks a single gzip file (`reviews.csv.gz`). Throws Invalid if it is damaged or too large. */
export async function* gunzipped(input: OpenedFile): AsyncGenerator<Buffer> {
  const path = input.name;
  let size = 0;
  try {
    for await (const chunk of unzipped(input)) {
      size += chunk.length;
      if (size > MAX_FILE_BYTES) break;
      yield chunk;
    }
  } catch {
    throw refusal(path, "is a damaged or truncated gzip: download it or make it again");
  }
  if (size > MAX_FILE_BYTES) throw refusal(path, `unpacks to more than ${MAX_FILE_BYTES} bytes (200 MB)`);
}

/**
 * Reads the archive.
 * @throws Invalid if the archive is damaged or too large, or an entry's name leads out of its folder.
 */
export async function openTar(input: OpenedFile, packing: "gzip" | "tar"): Promise<TarArchive> {
  const path = input.name;
  const store = await openPrivateFile();
  const files: InputFile[] = [];
  const passedOver: string[] = [];
  let [count, kept] = [0, 0];
  try {
    for await (const { header, body } of entries(input, packing)) {
      count += 1;
      if (count > MAX_ENTRIES)
        throw refusal(path, `has more than ${MAX_ENTRIES} entries, the most that an archive may have`);
      const name = `${path}!${header.name}`;
      if (header.name.length > MAX_NAME_CHARACTERS)
        throw refusal(path, `has an entry whose name is longer than ${MAX_NAME_CHARACTERS} characters`);
      if (leavesFolder(header.name)) {
        throw refusal(path, `has the entry ${quote(header.name)}, whose name leaves the folder`);
      }
      if (header.type !== "file") {
        if (header.type !== "directory") passedOver.push(name);
        await body.cancel();
        continue;
      }
      if (header.size > MAX_FILE_BYTES) {
        throw refusal(
          path,
          `has the entry ${quote(header.name)} of ${header.size} bytes, but one may have no more than ${MAX_FILE_BYTES} (200 MB)`,
        );
      }
      const start = kept;
      const end = await keep(body, store, start);
      kept = end;
      if (kept > MAX_TEXT_BYTES_OF_ARCHIVE)
        throw refusal(path, `unpacks to more than ${MAX_TEXT_BYTES_OF_ARCHIVE} bytes of text (1 GB)`);
      const bytes = () => bytesOf(store.fd, start, end);
      files.push({ name, named: false, isBusinessFile: false, origins: [], modifiedAt: header.mtime, bytes });
    }
  } catch (error) {
    await store.close();
    if (error instanceof Invalid) throw error;
    throw refusal(path, "is a damaged or truncated archive: download it or make it again");
  }
  return { files: files.toSorted((a, b) => (a.name < b.name ? -1 : 1)), passedOver, close: () => store.close() };
}

async function* entries(input: OpenedFile, packing: "gzip" | "tar"): AsyncGenerator<ParsedTarEntry> {
  const path = input.name;
  const unpacked = packing === "gzip" ? unzipped(input) : bytesOf(input.descriptor);
  let size = 0;
  async function* bounded() {
    for await (const chunk of unpacked) {
      size += chunk.length;
      if (size > MAX_UNPACKED_BYTES) throw refusal(path, `unpacks to more than ${MAX_UNPACKED_BYTES} bytes (4 GB)`);
      yield chunk;
    }
  }
  const stream = Readable.toWeb(Readable.from(bounded())) as ReadableStream<Uint8Array>;
  yield* stream.pipeThrough(createTarDecoder()) as unknown as AsyncIterable<ParsedTarEntry>;
}

/**
 * Writes an entry to the temporary file from `start` on: whole if it may be text, otherwise only its first bytes.
 * Returns where the next may begin.
 */
async function keep(body: ReadableStream<Uint8Array>, store: FileHandle, start: number): Promise<number> {
  let at = start;
  let isWanted = true;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (!isWanted) continue; // read to the end, to reach the next entry
    if (at === start) isWanted = mayHoldReviews(chunk);
    const bytes = isWanted ? chunk : chunk.subarray(0, HEAD_BYTES);
    await writeWhole(store, bytes, at);
    at += bytes.length;
  }
  return at;
}

/** Whether a file with these first bytes may be text, or a zip, which includes spreadsheets. */
function mayHoldReviews(start: Uint8Array): boolean {
  const isZip = start[0] === 0x50 && start[1] === 0x4b;
  return isZip || !start.subarray(0, HEAD_BYTES).includes(0);
}

function leavesFolder(name: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)|\p{Cc}/u.test(name);
}

function refusal(name: string, fault: string): Invalid {
  return new Invalid([{ code: "archive", path: [name], message: `${name} ${fault}` }]);
}
