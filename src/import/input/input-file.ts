/** A file to import, on disk or in an archive. */

export interface InputFile {
  /** Name for messages: the path, or `archive.zip!path/of/entry`. */
  readonly name: string;
  /** Whether the user named the file itself, rather than a folder or archive that contains it. */
  readonly named: boolean;
  /** Whether its place makes it a business file: a YAML file that the user named, or a folder's own `business.yaml`. */
  readonly isBusinessFile: boolean;
  /** The folders and archives that contain it, as the user named them. */
  readonly origins: readonly string[];
  /** How many bytes of it may be held in memory, as JSON and web pages are. Without it, as many as a file may have. */
  readonly maxWholeBytes?: number | undefined;
  /** When it was last changed, as its archive or the system says; an archive has no time zone. */
  readonly modifiedAt?: Date | undefined;
  /** What speaks against the encoding that the owner has named for it; undefined if nothing does. */
  encodingDoubt?(): Promise<string | undefined>;
  /** Reads the bytes. Throws Invalid if they are damaged or exceed the limit. Can be called again. */
  bytes(): AsyncIterable<Buffer>;
}

/** Maximum number of entries in an archive (interface §5). */
export const MAX_ENTRIES = 10_000;

/** Maximum size of an unpacked file in bytes (interface §5). */
export const MAX_FILE_BYTES = 200_000_000;

/** Maximum number of bytes of text in an archive, and of all that it unpacks to, including pictures. */
export const MAX_TEXT_BYTES_OF_ARCHIVE = 1_000_000_000;
export const MAX_UNPACKED_BYTES = 4_000_000_000;

/** An open file: its name for messages, and its descriptor, which whoever opened it closes. */
export interface OpenedFile {
  readonly name: string;
  readonly descriptor: number;
  /** It is the owner's own YAML file of the business. No other open file may describe it. */
  readonly isBusinessFile?: boolean;
}

/** What is to be imported: a path, or a file that is open, such as one that was fetched. */
export type ImportInput = string | OpenedFile;

/** The path or name for messages. */
export function nameOf(input: ImportInput): string {
  return typeof input === "string" ? input : input.name;
}
