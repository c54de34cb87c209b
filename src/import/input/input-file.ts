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
  /** Reads the bytes. Throws Invalid if they are damaged or exceed the limit. Can be called again. */
  bytes(): AsyncIterable<Buffer>;
}

/** Maximum number of entries in an archive (interface §5). */
export const MAX_ENTRIES = 10_000;

/** Maximum size of an unpacked file in bytes (interface §5). */
export const MAX_FILE_BYTES = 200_000_000;
