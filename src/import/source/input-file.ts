/** One file to import, wherever its bytes are: on the disk or in a zip. */

export interface InputFile {
  /** What messages call it: the path, or `archive.zip!path/of/entry`. */
  readonly name: string;
  /** Whether the user named it; otherwise it was found in a folder or an archive that the user named. */
  readonly named: boolean;
  /** The folders and archives in which it was found, as the user named them. */
  readonly origins: readonly string[];
  /** The bytes. Throws Invalid when they are damaged or more than allowed. Can be asked for again. */
  bytes(): AsyncIterable<Buffer>;
}

/** Most entries of one archive (interface §5). */
export const ENTRY_LIMIT = 10_000;

/** Most bytes of one file, unpacked (interface §5). */
export const FILE_LIMIT_BYTES = 200_000_000;
