/**
 * The edition cache: a file beside the embedded store (`goodword.db.edition`) that holds the edition published last, so
 * that the next start serves it at once. It is served only if the store is still at that revision, and program and
 * settings are the same; otherwise the server renders. Deleting it is harmless. Commands that permanently remove text
 * from the store delete it after their commit. For a site on PostgreSQL it is a row (`edition-row.ts`).
 *
 * The file is a line of JSON (`Head`), then the edition as V8 serialises it.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import { hashInSteps } from "../lib/hash-in-steps.ts";
import { ownPathOf, storeFileOf } from "../store/engine/store-url.ts";
import { storedRevision } from "../store/engine/stored-revision.ts";
import type { Revision } from "../store/store.ts";
import { isOfRevision } from "./publisher.ts";
import {
  bytesOfEdition,
  type EditionCacheSettings,
  editionOfBytes,
  type Maker,
  makerOf,
} from "./serialised-edition.ts";

/** Everything that an edition depends on. */
interface Origin extends Maker {
  /** When the store's file was created, in nanoseconds; "0" where the file system does not record it. */
  readonly store: string;
  /** Number and time of the store's revision. */
  readonly revision: string;
}

interface Head extends Origin {
  /** SHA-256 of everything after the line, in base64url. */
  readonly hash: string;
}

const ENDING = ".edition";
/** How often a cache is written that another process deletes meanwhile. */
const MAX_ATTEMPTS = 3;

/**
 * Reads the cached edition; undefined if there is none for this revision of the store, this program and these settings.
 * @throws Error if the file is damaged or cannot be read.
 */
export function readEditionCache(settings: EditionCacheSettings): RenderedEdition | undefined {
  const found = findCache(settings);
  const content = found && contentOf(readFileSync(found.file), found.origin);
  return content && restore(content, hashOf(content.bytes));
}

/** Reads it in steps, between which others are answered: one of 100,000 reviews takes 150 ms. @throws Error like it. */
export async function readEditionCacheInSteps(settings: EditionCacheSettings): Promise<RenderedEdition | undefined> {
  const found = findCache(settings);
  const content = found && contentOf(await readFile(found.file), found.origin);
  return content && restore(content, await hashInSteps(content.bytes));
}

/** The file that may hold the edition, and what it must have been made of. */
function findCache(settings: EditionCacheSettings): { readonly file: string; readonly origin: Origin } | undefined {
  const file = cacheFileOf(settings.databaseUrl);
  const revision = storedRevision(settings.databaseUrl);
  const status = file === undefined ? undefined : lstatSync(file, { throwIfNoEntry: false });
  if (file === undefined || revision === undefined || status === undefined) return undefined;
  // Reading a named pipe would block; what a link leads to may be anything, and of any size.
  if (!status.isFile()) throw new Error("it is not a file");
  // Another user's may be made to harm: V8 trusts what it deserialises.
  if (process.geteuid !== undefined && status.uid !== process.geteuid()) return undefined;
  return { file, origin: originOf(settings, revision) };
}

interface CacheContent {
  readonly bytes: Uint8Array;
  /** What the head says that the hash of the bytes is. */
  readonly hash: string;
}

/** What follows the head of a cache; undefined if that is of another origin. */
function contentOf(bytes: Buffer, expected: Origin): CacheContent | undefined {
  const { hash, ...origin } = headOf(bytes);
  if (Object.entries(expected).some(([name, value]) => origin[name as keyof Origin] !== value)) return undefined;
  return { bytes: bytes.subarray(bytes.indexOf("\n") + 1), hash };
}

function restore({ bytes, hash }: CacheContent, found: string): RenderedEdition {
  if (hash !== found) throw new Error("its contents do not match its checksum");
  return editionOfBytes(bytes);
}

/**
 * Saves an edition for the next start, unless the store has moved on. `readRevision` reads the store's revision.
 * @throws Error if the file cannot be written, or the store does not answer.
 */
export async function saveEditionCache(
  edition: RenderedEdition,
  settings: EditionCacheSettings,
  readRevision: () => Promise<Revision>,
): Promise<void> {
  const file = cacheFileOf(settings.databaseUrl);
  if (file === undefined) return;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      return await writeCache(file, edition, settings, readRevision);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      // A command has deleted it, and then the revision is another; or a server that saves its own at the same time.
    }
  }
}

async function writeCache(
  file: string,
  edition: RenderedEdition,
  settings: EditionCacheSettings,
  readRevision: () => Promise<Revision>,
): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  for (const stale of temporaryFilesOf(file)) rmSync(stale, { force: true }); // by a killed process, or another server
  try {
    {
      await using handle = await open(part, "wx", 0o600);
      // The revision is read once the file exists. A removal that commits later finds the file and deletes it, and then it
      // cannot be renamed; a removal that committed before is noticed here, while the file is empty.
      const current = await readRevision();
      if (!isOfRevision(edition, current)) return;
      const content = bytesOfEdition(edition);
      const head: Head = { ...originOf(settings, current), hash: hashOf(content) };
      await handle.writeFile(`${JSON.stringify(head)}\n`);
      await handle.writeFile(content);
    }
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Deletes the cache, and what was left of writing it. A running server saves its next edition again.
 * @throws Error that names what cannot be deleted.
 */
export function deleteEditionCache(databaseUrl: string): void {
  const path = storeFileOf(databaseUrl);
  if (path === undefined) return;
  // As the store is named, too: there is a cache beside a link if the store was moved and the link left in its place.
  for (const cache of new Set([`${path}${ENDING}`, cacheFileOf(databaseUrl) ?? ""])) {
    for (const file of [...temporaryFilesOf(cache), cache]) {
      try {
        rmSync(file, { force: true, recursive: true });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${file} cannot be deleted, and may hold words of reviews (${reason})`, { cause: error });
      }
    }
  }
}

function originOf(settings: EditionCacheSettings, { number, revised_at }: Revision): Origin {
  return {
    ...makerOf(settings),
    store: String(statSync(storeFileOf(settings.databaseUrl) ?? "", { bigint: true }).birthtimeNs),
    revision: `${number} ${revised_at.toISOString()}`,
  };
}

function headOf(bytes: Buffer): Head {
  try {
    return JSON.parse(bytes.toString("utf8", 0, bytes.indexOf("\n"))) as Head;
  } catch {
    throw new Error("its first line is not the head of an edition");
  }
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** The cache's path, beside the store's own file; undefined for a store without a file. */
function cacheFileOf(databaseUrl: string): string | undefined {
  const path = storeFileOf(databaseUrl);
  const own = path === undefined ? undefined : ownPathOf(path);
  return own === undefined ? undefined : `${own}${ENDING}`;
}

/** The files to which a cache was only partly written. */
function temporaryFilesOf(cache: string): string[] {
  const [folder, start] = [dirname(cache), `${basename(cache)}.`];
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith(".part"));
  return names.map((name) => join(folder, name));
}
