/** An import that is killed at any moment leaves the store as it was or as it is to be, never between. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { importPaths } from "../../src/import/importer.ts";
import { openStore, readRevision } from "../../src/store/store.ts";
import { openSandbox } from "../support/import-sandbox.ts";
import { BIN, environmentOf, temporaryFolder } from "../support/program.ts";

const ROWS = 1600;
/** 50 with GOODWORD_KILLS=50. */
const KILLS = Number(process.env.GOODWORD_KILLS ?? 3);
const IMPORTER = JSON.stringify(join(import.meta.dirname, "..", "..", "src", "import", "importer.ts"));
const STORE = JSON.stringify(join(import.meta.dirname, "..", "..", "src", "store", "store.ts"));

/** Imports argv[2] into argv[1], and goes on after each step of its progress, and the end, when it is told to. */
const CHILD = `
  import { readSync, writeSync } from "node:fs";
  import { importPaths } from ${IMPORTER};
  import { openStore } from ${STORE};
  const store = await openStore(process.argv[1]);
  const say = (step) => {
    writeSync(1, step + "\\n");
    readSync(0, Buffer.alloc(1));
  };
  const onProgress = ({ phase }) => say(phase);
  await importPaths(store, process.argv.slice(2), { now: new Date(), complete: true, onProgress });
  say("done");
  await store.close();`;

/** A whole export in which every review is of the edition: half of them are in both, with other words. */
function exportOf(edition: number): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const id = row + (edition * ROWS) / 2;
    return `${id},${1 + ((id + edition) % 5)},2024-01-01,Words of edition ${edition}`;
  });
  return `id,rating,date,text\n${rows.join("\n")}\n`;
}

/** Runs the child and kills it when it says its `step`th sentence. Gives how many it said. */
async function runUntil(step: number, ...args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", CHILD, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.on("error", () => {}); // it has ended
  let said = 0;
  createInterface({ input: child.stdout }).on("line", () => {
    said += 1;
    if (said === step) child.kill("SIGKILL");
    else child.stdin.write("\n");
  });
  await once(child, "close");
  return said;
}

/** The edition of which all reviews are, and the revision. */
async function stateOf(url: string): Promise<{ edition: number; revision: number }> {
  await using store = await openStore(url);
  const rows = await store.database.selectFrom("review").select(["text", "source_id"]).execute();
  const edition = Number(/\d$/.exec(rows[0]?.text ?? "")?.[0]);
  assert.equal(rows.length, ROWS);
  assert.deepEqual(new Set(rows.map(({ text }) => text)), new Set([`Words of edition ${edition}`]));
  const ids = rows.map(({ source_id }) => Number(source_id));
  assert.deepEqual([Math.min(...ids), Math.max(...ids)], [(edition * ROWS) / 2, (edition * ROWS) / 2 + ROWS - 1]);
  return { edition, revision: (await readRevision(store.database)).number };
}

test("kill -9 at any moment of an import leaves the old or the new state", async () => {
  await using box = await openSandbox();
  const url = `sqlite:${join(box.folder, "goodword.db")}`;
  const exports = [0, 1].map((edition) => box.write(`${edition}.csv`, exportOf(edition)));
  const store = await openStore(url);
  await importPaths(store, [exports[0] ?? ""], { now: new Date(0) });
  await store.close();
  let before = await stateOf(url);
  const next = () => exports[1 - before.edition] ?? "";
  const steps = await runUntil(Number.POSITIVE_INFINITY, url, next());
  assert.ok(steps > 8, `only ${steps} steps`);
  before = await stateOf(url);
  assert.deepEqual(before, { edition: 1, revision: 2 });
  const outcomes = new Set<string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await runUntil(1 + Math.round((kill * (steps - 1)) / (KILLS - 1)), url, next());
    const after = await stateOf(url);
    const isNew = after.edition !== before.edition;
    assert.equal(after.revision, before.revision + (isNew ? 1 : 0), "the revision moves with the data");
    outcomes.add(isNew ? "new" : "old");
    before = after;
  }
  assert.deepEqual(outcomes, new Set(["old", "new"]), "kills fell before and after the commit");
});

test("an import ends with Ctrl+C by the system's own action, whatever it computes, and leaves nothing half done", async () => {
  using folder = temporaryFolder();
  const rows = Array.from({ length: 30_000 }, (_, row) => `${row},5,2024-01-01,Words of row ${row}`);
  writeFileSync(join(folder.path, "a.csv"), `id,rating,date,text\n${rows.join("\n")}\n`);
  const child = spawn(process.execPath, [BIN, "import", "a.csv"], {
    cwd: folder.path,
    env: environmentOf(folder.path),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += String(chunk);
  });
  const watcher = watch(folder.path, (_event, name) => {
    if (name?.startsWith("goodword.db") !== true) return;
    watcher.close();
    child.kill("SIGINT"); // long before the end
  });
  const [, signal] = await once(child, "close");
  assert.equal(signal, "SIGINT", said); // a listener would end it with a code, once the main thread has time
  await using store = await openStore(`sqlite:${join(folder.path, "goodword.db")}`);
  assert.equal((await readRevision(store.database)).number, 0);
});
