/** What becomes of the store when its disk is full, its file damaged, or its clock wrong. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, copyFileSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { BIN, environmentOf, type Finished, run, temporaryFolder } from "../support/program.ts";

const SAMPLE = join(import.meta.dirname, "..", "..", "sample");
const NO_LIMITS = process.platform === "linux" ? false : "limits of file sizes are set with Linux's sh";

/** Runs a command that may write no file beyond so many KiB: to it, the disk is full. */
async function runOnFullDisk(folder: string, kibibytes: number, args: readonly string[]): Promise<Finished> {
  const command = ["-c", `ulimit -f ${kibibytes * 2}; exec "$0" "$@"`, process.execPath, BIN, ...args]; // sh counts 512 bytes
  const child = spawn("sh", command, { cwd: folder, env: environmentOf(folder), stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

/** Runs a command to which the folder is a disk that cannot be written: a mount of its own, which ends with it. */
async function runOnReadOnlyDisk(folder: string, args: readonly string[]): Promise<Finished> {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"';
  const command = ["--mount", "sh", "-c", mount, folder, process.execPath, BIN, ...args];
  const child = spawn("unshare", command, {
    cwd: "/",
    env: environmentOf(folder),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

const CAN_MOUNT = spawnSync("unshare", ["--mount", "true"]).status === 0;

const model = temporaryFolder();
before(async () => {
  const files = ["reviews.jsonl", "business.yaml"].map((name) => join(SAMPLE, name));
  assert.equal((await run(model.path, ["import", ...files])).code, 0);
});
after(() => model[Symbol.dispose]());

/** A store with the sample's reviews. */
function copySample(folder: string): void {
  copyFileSync(join(model.path, "goodword.db"), join(folder, "goodword.db"));
}

async function historyOf(folder: string): Promise<unknown[]> {
  const { stdout } = await run(folder, ["history", "--json"]);
  return JSON.parse(stdout);
}

/** What the tables of the reviews hold, and those that an import writes beside them. */
function rowsOf(folder: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, "goodword.db"), { readOnly: true });
  try {
    const tables = ["review", "analysis", "change", "saved_row"];
    return tables.map((table) => ({ table, ...database.prepare(`select count(*) as count from ${table}`).get() }));
  } finally {
    database.close();
  }
}

test("an import onto a full disk changes nothing, says so, and succeeds when there is room", {
  skip: NO_LIMITS,
}, async () => {
  using folder = temporaryFolder();
  copySample(folder.path);
  const [before, rows] = [await historyOf(folder.path), rowsOf(folder.path)];
  const more = join(folder.path, "more.jsonl");
  const lines = readFileSync(join(SAMPLE, "reviews.jsonl"), "utf8")
    .replaceAll("sample-", "more-")
    .replaceAll(" the ", " one ");
  writeFileSync(more, lines);
  const refused = await runOnFullDisk(folder.path, 200, ["import", more]);
  assert.equal(refused.code, 1, refused.stdout);
  assert.match(refused.stderr, /error: The disk .*Nothing was changed/);
  assert.deepEqual(await historyOf(folder.path), before);
  assert.deepEqual(rowsOf(folder.path), rows);
  const imported = await run(folder.path, ["import", more]);
  assert.equal(imported.code, 0, imported.stderr);
  assert.equal((await historyOf(folder.path)).length, before.length + 1);
});

test("a removal on a full disk changes nothing, or says what is left to clear, which the next one does", {
  skip: NO_LIMITS,
}, async () => {
  using folder = temporaryFolder();
  copySample(folder.path);
  const file = join(folder.path, "goodword.db");
  const read = (query: string) => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database.prepare(query).all();
    } finally {
      database.close();
    }
  };
  const [first, second] = read("select id, author from review order by id limit 2").map(({ id }) => String(id));
  const rows = rowsOf(folder.path);
  const refused = await runOnFullDisk(folder.path, 40, ["remove", String(first)]);
  assert.equal(refused.code, 1, refused.stdout);
  assert.match(refused.stderr, /error: The disk .*Nothing was changed/);
  assert.deepEqual(rowsOf(folder.path), rows);
  assert.deepEqual(read("select * from removal"), []);
  // The transaction fits on the disk, and the second copy of the store, which clears freed space, does not.
  const unfinished = await runOnFullDisk(folder.path, 240, ["remove", String(first)]);
  assert.equal(unfinished.code, 1, unfinished.stdout);
  assert.match(unfinished.stderr, /taken out of every document .*may still hold removed words.*next goodword/);
  assert.deepEqual(read(`select id from review where id = '${first}'`), []);
  assert.equal(read("select * from pending_erasure").length, 1);
  const finished = await run(folder.path, ["redact", String(second), "--author"]);
  assert.equal(finished.code, 0, finished.stderr);
  assert.deepEqual(read("select * from pending_erasure"), []);
});

test("a store on a read-only disk is named as such, by an import and at the start", { skip: !CAN_MOUNT }, async () => {
  using folder = temporaryFolder();
  copySample(folder.path);
  const before = await historyOf(folder.path);
  for (const args of [
    ["import", join(SAMPLE, "reviews.jsonl")],
    ["serve", "--port", "0"],
  ]) {
    const refused = await runOnReadOnlyDisk(folder.path, args);
    assert.equal(refused.code, 1, refused.stdout);
    assert.match(
      refused.stderr,
      /(error: |"level":60,.*)The store .*cannot be written.*read-only.*Nothing was changed/,
    );
  }
  assert.deepEqual(await historyOf(folder.path), before);
});

test("a damaged store is named and left alone, and a backup takes its place", async () => {
  using folder = temporaryFolder();
  copySample(folder.path);
  const store = join(folder.path, "goodword.db");
  const backup = join(folder.path, "backup.db");
  assert.equal((await run(folder.path, ["backup", backup])).code, 0);
  const { size } = statSync(store);
  const file = openSync(store, "r+");
  for (let page = 2; page < size / 4096; page += 1) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
  closeSync(file);
  const damaged = readFileSync(store);
  const refused = await run(folder.path, ["import", join(SAMPLE, "reviews.jsonl")]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /error: The file of the store is damaged/);
  assert.deepEqual(readFileSync(store), damaged, "nothing is written into it");
  copyFileSync(store, join(folder.path, "damaged.db"));
  const elsewhere = { DATABASE_URL: `sqlite:${join(folder.path, "new.db")}` };
  const restored = await run(folder.path, ["restore", backup, "--yes"], elsewhere);
  assert.equal(restored.code, 0, restored.stderr);
  const history = await run(folder.path, ["history", "--json"], elsewhere);
  assert.ok(JSON.parse(history.stdout).length > 0);
});
