/** A folder to write exports into and a store to import them into, both gone when disposed of. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ImportOptions, type ImportReport, importPaths } from "../../src/import/importer.ts";
import { Invalid } from "../../src/issue.ts";
import type { Review } from "../../src/review.ts";
import { openStore, readSnapshot, type Store } from "../../src/store/store.ts";
import type { ReviewTable } from "../../src/store/tables.ts";

const NOW = new Date("2026-01-02T03:04:05Z");

/** PostgreSQL is loaded only when it is asked for. */
async function newStoreUrl(): Promise<string> {
  if (process.env.GOODWORD_TEST_ENGINE === undefined) return "sqlite::memory:";
  return await (await import("./engines.ts")).chosenStoreUrl();
}

export interface Sandbox extends AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  readonly store: Store;
  /** Writes a file, a value as JSON, and gives its path. */
  write(name: string, content: unknown): string;
  /** Imports paths, as they are or below the folder. */
  take(paths: string | readonly string[], options?: Partial<ImportOptions>): Promise<ImportReport>;
  /** The messages with which an import is refused; none when it is not. */
  refusal(paths: string | readonly string[], options?: Partial<ImportOptions>): Promise<string[]>;
  /** What is published. */
  reviews(): Promise<readonly Review[]>;
  /** Every row, withheld ones too, by id. */
  rows(): Promise<ReviewTable[]>;
}

/** The store is of this URL, or of one in the folder; without, it is new, of the engine that GOODWORD_TEST_ENGINE chooses. */
export async function openSandbox(given?: string | ((folder: string) => Promise<string>)): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), "goodword-import-"));
  const url = typeof given === "function" ? await given(folder) : (given ?? (await newStoreUrl()));
  const store = await openStore(url);
  const take: Sandbox["take"] = (paths, options) =>
    importPaths(store, typeof paths === "string" ? [paths] : paths, { now: NOW, ...options });
  return {
    folder,
    url,
    store,
    take,
    write(name, content) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content),
      );
      return path;
    },
    async refusal(paths, options) {
      try {
        await take(paths, options);
        return [];
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        return error.issues.map(({ message }) => message.replaceAll(`${folder}/`, ""));
      }
    },
    reviews: async () => [...(await readSnapshot(store)).reviews],
    rows: async () => await store.database.selectFrom("review").selectAll().orderBy("id").execute(),
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A review as Google Takeout writes it, with what a test wants otherwise. */
export function takeoutReview(id: string, others: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: `accounts/1/locations/2/reviews/${id}`,
    reviewer: { displayName: `Customer ${id}` },
    starRating: "FIVE",
    comment: `The words of ${id}`,
    createTime: "2024-05-06T07:08:09.123456Z",
    updateTime: "2024-05-06T07:08:09.123456Z",
    ...others,
  };
}

/** A page of Google Takeout. */
export function takeoutPage(...reviews: readonly Record<string, unknown>[]): { reviews: readonly object[] } {
  return { reviews };
}
