/** The kept edition: the last published edition, saved beside the store so that the next start can serve it at once. */
import type { RenderedEdition } from "../../edition/render-edition.ts";
import { decodeEdition, encodeEdition, FORMAT } from "./edition-encoding.ts";
import { birthOfStore, readEditionFile, writeEditionFile } from "./edition-file.ts";
import type { EditionWorkerSettings } from "./edition-worker-thread.ts";
import { programTag } from "./program-tag.ts";

/**
 * Reads the kept edition; undefined unless there is one that was made by this version of the program with these
 * settings.
 * @throws Error if its file cannot be read, is no file or is damaged.
 */
export function keptEdition(settings: EditionWorkerSettings): RenderedEdition | undefined {
  const bytes = readEditionFile(settings.databaseUrl);
  return bytes === undefined ? undefined : decodeEdition(bytes, madeBy(settings));
}

/**
 * Saves an edition, unless `isKeepable` returns false, because words in it may have been removed from the store.
 */
export async function keepEdition(
  edition: RenderedEdition,
  settings: EditionWorkerSettings,
  isKeepable: () => Promise<boolean>,
): Promise<void> {
  const parts = encodeEdition(edition, madeBy(settings));
  await writeEditionFile(settings.databaseUrl, { head: FORMAT, parts }, isKeepable);
}

/** While editions follow one another faster than one can be saved, one of them is saved so often nevertheless. */
const LONGEST_UNKEPT_MS = 30_000;

/** When an edition is saved although a newer one has come. */
export interface KeepingPace {
  /** An edition has been published, and is to be saved. */
  published(): void;
  /** Whether nothing of a series of editions has been saved for too long. */
  isOverdue(): boolean;
  /** An edition has been saved. */
  saved(): void;
}

/** @param clock milliseconds that never jump */
export function makeKeepingPace(clock: () => number): KeepingPace {
  /** When the first edition was published after the last saving ended. */
  let unkeptSince: number | undefined;
  return {
    published() {
      unkeptSince ??= clock();
    },
    isOverdue: () => unkeptSince !== undefined && clock() - unkeptSince > LONGEST_UNKEPT_MS,
    saved() {
      unkeptSince = undefined;
    },
  };
}

/**
 * Identifies everything that an edition depends on besides the store's contents: the program files, the Node version, the
 * settings, and which store it is.
 */
function madeBy({ databaseUrl, baseUrl, model }: EditionWorkerSettings): string {
  const store = birthOfStore(databaseUrl);
  return JSON.stringify([programTag(), process.version, baseUrl, model ?? null, store]);
}
