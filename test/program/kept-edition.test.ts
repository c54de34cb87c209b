/** The edition kept beside the store: what the next start begins with, and never longer than it is true. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { deleteEditionFile, readEditionFile, writeEditionFile } from "../../src/app/publishing/edition-file.ts";
import { removeReviews } from "../../src/maintenance/removal.ts";
import { openStore, raiseRevision, readSnapshot, type Store } from "../../src/store/store.ts";
import { freePort } from "../support/free-port.ts";
import { BIN, environmentOf, run, type Served, serveProgram, temporaryFolder } from "../support/program.ts";
import { ask } from "../support/wire.ts";

const FILE_MODULE = new URL("../../src/app/publishing/edition-file.ts", import.meta.url).href;

const row = (author: string, text: string) => `${author},5,2026-01-02,${text},google`;
const csv = (...rows: string[]) => ["author,rating,date,text,source", ...rows, ""].join("\n");

async function importText(folder: string, text: string): Promise<void> {
  const file = join(folder, "reviews.csv");
  writeFileSync(file, text);
  assert.equal((await run(folder, ["import", file])).code, 0);
}

/** Serves until the edition is kept, then stops. */
async function serveOnce(folder: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const program = await serveProgram(folder, settings);
  const { headers } = await ask(`${program.url}/reviews.json`);
  assert.equal(await program.stop(), 0);
  return headers.etag ?? "";
}

test("what was imported meanwhile is out at once after a start, and kept in its turn", async () => {
  using folder = temporaryFolder();
  const settings = { PORT: String(await freePort()), HOST: "127.0.0.1" };
  await importText(folder.path, csv(row("Ann", "They came on time")));
  const before = await serveOnce(folder.path, settings);
  await importText(folder.path, csv(row("Ben", "A second review")));
  const after = await serveOnce(folder.path, settings);
  assert.notEqual(after, before);
  assert.equal(await serveOnce(folder.path, settings), after);
});

test("the sample's edition is kept beside a new store, so that the next start is a quick one too", async () => {
  using folder = temporaryFolder();
  const program = await serveProgram(folder.path, { HOST: "127.0.0.1" });
  const kept = join(folder.path, "goodword.db.edition");
  while (!existsSync(kept)) assert.equal((await ask(`${program.url}/reviews.json`)).status, 200);
  assert.equal(await program.stop(), 0);
});

test("the sample that was kept is not shown once something has been imported, not even for a moment", async () => {
  using folder = temporaryFolder();
  const settings = { PORT: String(await freePort()), HOST: "127.0.0.1" };
  const first = await serveProgram(folder.path, settings);
  const kept = join(folder.path, "goodword.db.edition");
  while (!existsSync(kept)) assert.match((await ask(`${first.url}/reviews.json`)).body.toString(), /\(sample\)/);
  assert.equal(await first.stop(), 0);
  await importText(folder.path, csv(row("Ann", "They came on time")));
  assert.ok(existsSync(kept));
  const starting = serveProgram(folder.path, settings); // it resolves when all is ready: readers ask before that
  const bodies: string[] = [];
  while (bodies.at(-1)?.includes("They came on time") !== true) {
    const answer = await ask(`${first.url}/reviews.json`).catch(() => undefined); // it does not listen yet
    if (answer !== undefined) bodies.push(answer.body.toString());
    await setImmediate();
  }
  assert.equal(await (await starting).stop(), 0);
  for (const body of bodies) assert.doesNotMatch(body, /\(sample\)/);
});

test("the kept edition is its owner's alone, and deleting or spoiling it is harmless", async () => {
  using folder = temporaryFolder();
  const settings = { PORT: String(await freePort()), HOST: "127.0.0.1" };
  const kept = join(folder.path, "goodword.db.edition");
  await importText(folder.path, csv(row("Ann", "They came on time")));
  const tag = await serveOnce(folder.path, settings);
  assert.ok(existsSync(kept));
  rmSync(kept);
  assert.equal(await serveOnce(folder.path, settings), tag);
  writeFileSync(kept, readFileSync(kept).fill(0, 100, 200));
  assert.equal(await serveOnce(folder.path, settings), tag);
});

test("a store that was taken away is not served from what was kept of it", async () => {
  using folder = temporaryFolder();
  const settings = { PORT: String(await freePort()), HOST: "127.0.0.1" };
  await importText(folder.path, csv(row("Ann", "They came on time")));
  await serveOnce(folder.path, settings);
  for (const ending of ["", "-wal", "-shm"]) rmSync(join(folder.path, `goodword.db${ending}`), { force: true });
  const program: Served = await serveProgram(folder.path, settings);
  assert.doesNotMatch((await ask(`${program.url}/reviews.json`)).text, /They came on time/);
  assert.equal(await program.stop(), 0);
});

test("deleteEditionFile() leaves nothing of it", async () => {
  using folder = temporaryFolder();
  const settings = { PORT: String(await freePort()), HOST: "127.0.0.1" };
  await importText(folder.path, csv(row("Ann", "They came on time")));
  await serveOnce(folder.path, settings);
  writeFileSync(join(folder.path, "goodword.db.edition.1.part"), "They came on time");
  deleteEditionFile(`sqlite:${join(folder.path, "goodword.db")}`);
  assert.equal(existsSync(join(folder.path, "goodword.db.edition")), false);
  assert.equal(existsSync(join(folder.path, "goodword.db.edition.1.part")), false);
});

test("deleteEditionFile() deletes that of a store that is named by a link", async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "links"));
  const [file, link] = [join(folder.path, "goodword.db"), join(folder.path, "links", "goodword.db")];
  writeFileSync(file, "");
  symlinkSync(file, link);
  const always = async () => true;
  await writeEditionFile(`sqlite:${link}`, { head: Buffer.from("head"), parts: [] }, always);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ["goodword.db", "goodword.db.edition", "links"]);
  deleteEditionFile(`sqlite:${file}`);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ["goodword.db", "links"]);
});

test("deleteEditionFile() deletes what was left beside each link to the store", async () => {
  using folder = temporaryFolder();
  const [disk, links, data] = ["disk", "links", "data"].map((name) => join(folder.path, name));
  assert.ok(disk !== undefined && links !== undefined && data !== undefined);
  for (const each of [disk, links, data]) {
    mkdirSync(each);
    writeFileSync(join(each, "goodword.db.edition"), "They were whimsical");
    writeFileSync(join(each, "goodword.db.edition.1.part"), "They were whimsical");
  }
  writeFileSync(join(disk, "goodword.db"), "");
  symlinkSync("../disk/goodword.db", join(links, "goodword.db"));
  symlinkSync("../links/goodword.db", join(data, "goodword.db"));
  deleteEditionFile(`sqlite:${join(data, "goodword.db")}`);
  for (const each of [disk, links, data]) assert.deepEqual(readdirSync(each), ["goodword.db"]);
});

test("a server that is started by a link deletes what was left beside it when the store was moved", async () => {
  using folder = temporaryFolder();
  const disk = join(folder.path, "disk");
  const left = join(folder.path, "goodword.db.edition");
  mkdirSync(disk);
  await importText(disk, csv(row("Ann", "They came on time")));
  writeFileSync(left, "They were whimsical");
  symlinkSync("disk/goodword.db", join(folder.path, "goodword.db"));
  await serveOnce(folder.path, { HOST: "127.0.0.1" });
  assert.equal(existsSync(left), false);
  assert.ok(existsSync(join(disk, "goodword.db.edition")));
});

/** Saves words as the edition of a store. */
async function keep(store: string): Promise<void> {
  const edition = { head: Buffer.from("head"), parts: [Buffer.from("They were whimsical")] };
  await writeEditionFile(`sqlite:${store}`, edition, async () => true);
}

test("`..` in a link is taken from the real folder, as the system takes it", async () => {
  using folder = temporaryFolder();
  for (const each of ["app", "real/sub", "real/store"]) mkdirSync(join(folder.path, each), { recursive: true });
  writeFileSync(join(folder.path, "real", "store", "goodword.db"), "");
  symlinkSync("../real/sub", join(folder.path, "app", "data"));
  symlinkSync("../store/goodword.db", join(folder.path, "real", "sub", "goodword.db"));
  const store = join(folder.path, "app", "data", "goodword.db");
  await keep(store);
  assert.deepEqual(readdirSync(join(folder.path, "real", "store")), ["goodword.db", "goodword.db.edition"]);
  assert.ok(readEditionFile(`sqlite:${store}`) !== undefined);
  writeFileSync(join(folder.path, "real", "store", "goodword.db.edition.1.part"), "They were whimsical");
  deleteEditionFile(`sqlite:${store}`);
  assert.deepEqual(readdirSync(join(folder.path, "real", "store")), ["goodword.db"]);
});

test("a folder that is a link is entered by that name alone, because its real name may be closed to the program", () => {
  using folder = temporaryFolder();
  const root = join(import.meta.dirname, "..", "..");
  const state = join(folder.path, "lib", "goodword");
  mkdirSync(join(folder.path, "lib", "private", "goodword"), { recursive: true });
  symlinkSync("private/goodword", state);
  writeFileSync(join(state, "store.db"), "");
  symlinkSync("store.db", join(state, "goodword.db"));
  const script = `
    import { deleteEditionFile, readEditionFile, writeEditionFile } from ${JSON.stringify(FILE_MODULE)};
    const url = ${JSON.stringify(`sqlite:${join(state, "goodword.db")}`)};
    await writeEditionFile(url, { head: Buffer.from("head"), parts: [] }, async () => true);
    const read = readEditionFile(url) !== undefined;
    deleteEditionFile(url);
    console.log(read, readEditionFile(url) === undefined);`;
  const allowed = [`--allow-fs-read=${root}`, `--allow-fs-read=${state}`, `--allow-fs-write=${state}`];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--permission", ...allowed, "--no-warnings", "--input-type=module", "-e", script],
    { encoding: "utf8" },
  );
  assert.equal(stdout, "true true\n", stderr);
});

test("links in a circle are no store", async () => {
  using folder = temporaryFolder();
  symlinkSync("other.db", join(folder.path, "goodword.db"));
  symlinkSync("goodword.db", join(folder.path, "other.db"));
  const url = `sqlite:${join(folder.path, "goodword.db")}`;
  assert.equal(readEditionFile(url), undefined);
  deleteEditionFile(url);
  assert.deepEqual(readdirSync(folder.path), ["goodword.db", "other.db"]);
});

/** Warnings that a start logs about what it finds in place of the kept edition. */
async function warningsOf(folder: string, settings: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
  await using program = await serveProgram(folder, { HOST: "127.0.0.1", ...settings });
  assert.match((await ask(`${program.url}/reviews.json`)).text, /They came on time/);
  const faults = program.log.filter(({ level }) => Number(level) >= WARNING);
  return faults.map(({ msg, err }) => `${msg}: ${(err as Error | undefined)?.message}`);
}

const WARNING = 40;

test("a start that finds a damaged file says so once, and one that finds that of other settings says nothing", async () => {
  using folder = temporaryFolder();
  const kept = join(folder.path, "goodword.db.edition");
  await importText(folder.path, csv(row("Ann", "They came on time")));
  await serveOnce(folder.path, { HOST: "127.0.0.1", BASE_URL: "https://old.example" });
  const whole = readFileSync(kept);
  assert.deepEqual(await warningsOf(folder.path, { BASE_URL: "https://new.example" }), []);
  const notRead =
    "What was published before the stop cannot be read from its file, so this start takes longer: it is made anew from the store";
  for (const [bytes, reason] of [
    [whole.subarray(0, whole.length / 2), "it is damaged: its contents do not match its checksum"],
    [Buffer.alloc(0), "it is damaged: it breaks off"],
    [Buffer.from("words ".repeat(100)), "it is no edition"],
  ] as const) {
    rmSync(kept, { force: true });
    writeFileSync(kept, bytes);
    assert.deepEqual(await warningsOf(folder.path), [`${notRead}: ${reason}`]);
  }
  rmSync(kept, { force: true });
  assert.equal(spawnSync("mkfifo", [kept]).status, 0);
  assert.deepEqual(await warningsOf(folder.path), [`${notRead}: it is no file`]);
});

test("a folder in place of the file is deleted by what deletes the file", async () => {
  using folder = temporaryFolder();
  const kept = join(folder.path, "goodword.db.edition");
  await importText(folder.path, csv(row("Ann", "They came on time"), row("Ben", "A second review")));
  assert.equal((await run(folder.path, ["backup", join(folder.path, "backup.db")])).code, 0);
  const program = await serveProgram(folder.path, { HOST: "127.0.0.1" });
  const found = await ask(`${program.url}/api/reviews/search?query=second`);
  const [review] = JSON.parse(found.text).reviews;
  await program.kill();
  for (const command of [
    ["redact", review.id, "--author"],
    ["remove", review.id],
    ["restore", join(folder.path, "backup.db"), "--yes"],
  ]) {
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(join(kept, "folder"), { recursive: true });
    assert.deepEqual((await run(folder.path, command)).code, 0, command[0]);
    assert.equal(existsSync(kept), false, command[0]);
  }
});

test("a command that cannot delete a file names it, after what it has done", async () => {
  using folder = temporaryFolder();
  const [own, closed] = [join(folder.path, "own"), join(folder.path, "closed")];
  mkdirSync(own);
  mkdirSync(closed);
  await importText(own, csv(row("Ann", "They came on time")));
  const backup = join(folder.path, "backup.db");
  assert.equal((await run(own, ["backup", backup])).code, 0);
  await importText(own, csv(row("Cara", "A third review")));
  symlinkSync("../own/goodword.db", join(closed, "link.db"));
  symlinkSync("../closed/link.db", join(own, "linked.db"));
  writeFileSync(join(closed, "link.db.edition"), "They came on time");
  const permissions = ["--permission", "--allow-fs-read=*", `--allow-fs-write=${own}`, "--allow-worker"];
  const { stderr, status } = spawnSync(process.execPath, [...permissions, BIN, "restore", backup, "--yes"], {
    encoding: "utf8",
    cwd: own,
    env: { ...environmentOf(own), DATABASE_URL: `sqlite:${join(own, "linked.db")}` },
  });
  assert.equal(status, 1);
  assert.match(
    stderr,
    /backup\.db was restored, as revision \d+, but then: .*link\.db\.edition cannot be deleted, and may hold words/,
  );
});

const AT_HOME = { HOST: "127.0.0.1", BASE_URL: "https://reviews.example" };

/** Publishes a second review, has `change` commit something more at once, and stops. Resolves to the revision of the second. */
async function stopAfter(folder: string, change: (store: Store) => Promise<unknown>): Promise<number> {
  await importText(folder, csv(row("Ann", "They came on time")));
  await using program = await serveProgram(folder, AT_HOME);
  while (!existsSync(join(folder, "goodword.db.edition"))) await ask(`${program.url}/healthz`);
  const store = await openStore(`sqlite:${join(folder, "goodword.db")}`);
  const published = program.logged(({ reviews }) => reviews === 2);
  await importText(folder, csv(row("Ben", "They were whimsical")));
  const { revision } = await published;
  await change(store);
  assert.equal(await program.stop(), 0);
  await store.close();
  return Number(revision);
}

test("a stop right after a change keeps what readers already had", async () => {
  using folder = temporaryFolder();
  const now = new Date();
  const revision = await stopAfter(folder.path, ({ database }) =>
    database.transaction().execute((transaction) => raiseRevision(transaction, now)),
  );
  await using program = await serveProgram(folder.path, { ...AT_HOME, LOG_LEVEL: "debug" });
  const kept = program.log.find(({ msg }) => String(msg).startsWith("Serving the edition of the last run"));
  assert.ok(Number(kept?.revision) >= revision, `${kept?.revision} ${revision}`);
});

test("a stop right after a removal keeps nothing with the removed words", async () => {
  using folder = temporaryFolder();
  await stopAfter(folder.path, async (store) => {
    const { reviews } = await readSnapshot(store);
    const ids = [...reviews].filter(({ text }) => text?.includes("whimsical")).map(({ id }) => id);
    assert.equal(ids.length, 1);
    await removeReviews(store, ids, { what: ["review"], now: new Date() });
    deleteEditionFile(`sqlite:${join(folder.path, "goodword.db")}`);
  });
  for (const name of readdirSync(folder.path).filter((name) => name.includes(".edition"))) {
    assert.equal(readFileSync(join(folder.path, name)).includes("whimsical"), false, name);
  }
});

/** Saves an edition of some words while `answers` say in turn whether it is current; what each finds on disk. */
async function saveWords(folder: string, answers: readonly (() => boolean)[]): Promise<string[][]> {
  const filesWithWords = () => {
    const names = readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes("whimsical"));
    return names.map((name) => name.replace(/\.[-\w]+\.part$/, ".part"));
  };
  const found: string[][] = [];
  const left = [...answers];
  const parts = [Buffer.from("They were whimsical")];
  await writeEditionFile(`sqlite:${join(folder, "goodword.db")}`, { head: Buffer.from("head"), parts }, async () => {
    found.push(filesWithWords());
    const answer = left.shift();
    assert.ok(answer !== undefined, "asked too often");
    return answer();
  });
  return [...found, filesWithWords()];
}

test("no words of an edition are written once the store has changed", async () => {
  using folder = temporaryFolder();
  assert.deepEqual(await saveWords(folder.path, [() => false]), [[], []]);
  assert.deepEqual(readdirSync(folder.path), []);
});

test("what a command deletes while it is written is not put back", async () => {
  using folder = temporaryFolder();
  const deleteIt = () => deleteEditionFile(`sqlite:${join(folder.path, "goodword.db")}`);
  const remove = (answer: boolean) => () => {
    deleteIt();
    return answer;
  };
  const [kept, part] = [["goodword.db.edition"], ["goodword.db.edition.part"]];
  assert.deepEqual(await saveWords(folder.path, [() => true, () => true, () => true]), [[], part, kept, kept]);
  deleteIt();
  assert.deepEqual(await saveWords(folder.path, [remove(true), () => true, () => false]), [[], [], [], []]);
  assert.deepEqual(await saveWords(folder.path, [() => true, remove(true), () => false]), [[], part, [], []]);
  assert.deepEqual(await saveWords(folder.path, [() => true, () => true, remove(false)]), [[], part, kept, []]);
  assert.deepEqual(readdirSync(folder.path), []);
});
