/** The engines of the store: whatever is promised of one is tested on both. */
import { join } from "node:path";
import { after } from "node:test";
import { openStore, type Store } from "../../src/store/store.ts";
import { emptyDatabase, stopPostgres } from "./postgres-server.ts";

export interface Engine {
  readonly name: string;
  /** The URL of a new, empty store, for several processes or connections. */
  url(): Promise<string>;
  /** A new, empty store. */
  open(): Promise<Store>;
}

/** The embedded engine, in memory. */
const SQLITE: Engine = {
  name: "SQLite",
  url: async () => "sqlite::memory:",
  open: () => openStore("sqlite::memory:"),
};

const POSTGRES: Engine = {
  name: "PostgreSQL",
  url: () => emptyDatabase(),
  open: async () => await openStore(await emptyDatabase()),
};

export const ENGINES: readonly Engine[] = [SQLITE, POSTGRES];

/**
 * The URL of a new store for a suite that runs over one engine at a time, in `folder` if it is a file:
 * GOODWORD_TEST_ENGINE=PostgreSQL chooses the engine.
 */
export async function chosenStoreUrl(folder?: string): Promise<string> {
  if (process.env.GOODWORD_TEST_ENGINE === POSTGRES.name) return await POSTGRES.url();
  return folder === undefined ? await SQLITE.url() : `sqlite:${join(folder, "goodword.db")}`;
}

/** Called once by a file that tests on both engines: what was started for it is stopped after its tests. */
export function releaseEngines(): void {
  after(stopPostgres);
}
