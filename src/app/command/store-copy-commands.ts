/**
 * `goodword backup` writes a consistent copy of the store, which may be in use, to a SQLite file. `goodword
 * migrate-store` copies a store with all its contents to another engine.
 */
import { existsSync } from "node:fs";
import { changedPowers } from "../../business-powers.ts";
import { isPostgres, isStoreThere } from "../../store/engine/store-url.ts";
import { copyStore } from "../../store/history/store-copy.ts";
import { backupStore, openStore, readBusiness } from "../../store/store.ts";
import { describeStore } from "../terminal/store-note.ts";
import { plural, terminalText } from "../terminal/terminal-text.ts";

/** A private SQLite file, which is deleted when it is closed. */
const PRIVATE_FILE = "sqlite:";

/** Writes the copy to `file`. @throws Error if the file exists. */
export async function backupCommand(databaseUrl: string, file: string): Promise<void> {
  if (existsSync(file))
    throw new Error(
      `Cannot write the backup to ${JSON.stringify(file)}: it exists already. Name another file, or move that one away`,
    );
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await openStore(databaseUrl));
  if (isPostgres(databaseUrl)) {
    const copy = stack.use(await openStore(PRIVATE_FILE));
    await copyStore(store, copy);
    await backupStore(copy, file);
  } else {
    await backupStore(store, file);
  }
  process.stdout.write(`Wrote a copy of the store to ${file}\n`);
}

/**
 * Copies the store at `from` to the empty store at `to`.
 * @throws Error if there is no store at `from`, or `to` is not empty.
 */
export async function migrateStoreCommand(from: string, to: string): Promise<void> {
  const [source, target] = [describeStore(from).location, describeStore(to).location];
  if (!isStoreThere(from)) throw new Error(`There is no store at ${source}. Nothing was copied`);
  if (source === target) throw new Error(`Both addresses lead to the same store, ${source}. Nothing was copied`);
  await using stack = new AsyncDisposableStack();
  const fromStore = stack.use(await openStore(from));
  const toStore = stack.use(await openStore(to));
  const copied = await copyStore(fromStore, toStore, showProgress);
  const [reviews, subscriptions, changes] = (["review", "subscription", "change"] as const).map(
    (table) => copied.get(table) ?? 0,
  );
  const powers = changedPowers(undefined, await readBusiness(toStore.database));
  for (const power of powers) process.stderr.write(`The copy has ${terminalText(power)}\n`);
  process.stdout.write(
    `Copied ${source} to ${target}: ${plural(reviews ?? 0, "review")}, ${plural(subscriptions ?? 0, "subscription")}, ${plural(changes ?? 0, "change")} of the history, and everything else in it. Set DATABASE_URL to the new address and start the servers; keep the old store until you have seen them serve.\n`,
  );
}

/** Shows progress in one line that is redrawn on a terminal. */
function showProgress(table: string, rows: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${table}: ${rows.toLocaleString("en")} rows\r`);
}
