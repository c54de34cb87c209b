/** The edition cached beside the store: the next start serves it only if nothing has changed. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { deleteEditionCache } from "../../src/publication/edition-cache.ts";
import { freePort } from "../support/free-port.ts";
import { run, type Served, serveProgram, startProgram, temporaryFolder } from "../support/program.ts";
import { roundsOf } from "../support/test-runs.ts";
import { ask } from "../support/wire.ts";
import { until } from "../support/within.ts";

const AT_HOME = { HOST: "127.0.0.1", BASE_URL: "https://reviews.example" };

const row = (author: string, text: string) => `${author},5,2026-01-02,${text},google`;
const csv = (...rows: string[]) => ["author,rating,date,text,source", ...rows, ""].join("\n");

async function importText(folder: string, text: string): Promise<void> {
  const file = join(folder, "reviews.csv");
  writeFileSync(file, text);
  assert.equal((await run(folder, ["import", file])).code, 0);
}

/** Serves until a stop has had the time to cache the edition. Resolves to the tag of the reviews. */
async function cacheEdition(
  folder: string,
  settings: Readonly<Record<string, string>>,
  kept = join(folder, "goodword.db.edition"),
): Promise<string> {
  for (;;) {
    await using program = await serveProgram(folder, settings);
    const { headers } = await ask(`${program.url}/reviews.json`);
    assert.equal(await program.stop(), 0);
    if (existsSync(kept)) return headers.etag ?? "";
  }
}

test("the cached sample is not served once something has been imported, not even for a moment", async () => {
  using folder = temporaryFolder();
  const settings = { PORT: String(await freePort()), HOST: "127.0.0.1" };
  const first = await serveProgram(folder.path, settings);
  const kept = join(folder.path, "goodword.db.edition");
  await until(async () => {
    assert.match((await ask(`${first.url}/reviews.json`)).body.toString(), /\(sample\)/);
    return existsSync(kept);
  });
  assert.equal(await first.stop(), 0);
  await importText(folder.path, csv(row("Ann", "They came on time")));
  assert.ok(existsSync(kept));
  await using second = startProgram(folder.path, settings);
  await second.logged(({ port }) => port !== undefined); // it listens, and may have nothing to serve yet
  const bodies: string[] = [];
  while (bodies.at(-1)?.includes("They came on time") !== true) {
    bodies.push((await ask(`${first.url}/reviews.json`)).body.toString());
  }
  assert.equal(await second.stop(), 0);
  for (const body of bodies) assert.doesNotMatch(body, /\(sample\)/);
});

test("a deleted store is not served from its cache", async () => {
  using folder = temporaryFolder();
  const settings = { PORT: String(await freePort()), HOST: "127.0.0.1" };
  await importText(folder.path, csv(row("Ann", "They came on time")));
  await cacheEdition(folder.path, settings);
  for (const ending of ["", "-wal", "-shm"]) rmSync(join(folder.path, `goodword.db${ending}`), { force: true });
  const program: Served = await serveProgram(folder.path, settings);
  assert.doesNotMatch((await ask(`${program.url}/reviews.json`)).text, /They came on time/);
  assert.equal(await program.stop(), 0);
});

const WARNING = 40;

test("a cache that is deleted or damaged is harmless, and warned of once if damaged; one for other settings is not", async () => {
  using folder = temporaryFolder();
  const kept = join(folder.path, "goodword.db.edition");
  await importText(folder.path, csv(row("Ann", "They came on time")));
  const tag = await cacheEdition(folder.path, AT_HOME);
  const whole = readFileSync(kept);
  /** The warnings of a start about its edition cache, which must serve what it served before. */
  const warningsOf = async (settings: Readonly<Record<string, string>>) => {
    await using program = await serveProgram(folder.path, settings);
    const { headers, text } = await ask(`${program.url}/reviews.json`);
    assert.match(text, /They came on time/);
    if (settings === AT_HOME) assert.equal(headers.etag, tag);
    const faults = program.log.filter(({ level }) => Number(level) >= WARNING);
    return faults.map(({ msg, err }) => `${msg}: ${(err as Error | undefined)?.message}`);
  };
  assert.deepEqual(await warningsOf({ ...AT_HOME, BASE_URL: "https://other.example" }), []);
  const notRead = "The edition cache is damaged and was ignored; rendering from the store";
  const spoilt = [
    [() => writeFileSync(kept, whole.subarray(0, whole.length / 2)), ["its contents do not match its checksum"]],
    [() => assert.equal(spawnSync("mkfifo", [kept]).status, 0), ["it is not a file"]],
    [() => {}, []],
  ] as const;
  for (const [put, warnings] of roundsOf(spoilt)) {
    rmSync(kept, { force: true });
    put();
    const wanted = warnings.map((reason) => `${notRead}: ${reason}`);
    assert.deepEqual(await warningsOf(AT_HOME), wanted);
  }
});

test("a folder in place of the cache is deleted like the cache", async () => {
  using folder = temporaryFolder();
  const kept = join(folder.path, "goodword.db.edition");
  await importText(folder.path, csv(row("Ann", "They came on time"), row("Ben", "A second review")));
  assert.equal((await run(folder.path, ["backup", join(folder.path, "backup.db")])).code, 0);
  const program = await serveProgram(folder.path, { HOST: "127.0.0.1" });
  const found = await ask(`${program.url}/api/reviews/search?query=second`);
  const [review] = JSON.parse(found.text).reviews;
  await program.kill();
  const commands = [
    ["redact", review.id, "--author"],
    ["remove", review.id],
    ["restore", join(folder.path, "backup.db"), "--yes"],
  ];
  for (const command of roundsOf(commands)) {
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(join(kept, "folder"), { recursive: true });
    assert.deepEqual((await run(folder.path, command)).code, 0, command[0]);
    assert.equal(existsSync(kept), false, command[0]);
  }
});

test("the cache of a store that is named by a link is beside the store, and each name deletes what is beside either", async () => {
  using folder = temporaryFolder();
  const [link, disk] = [join(folder.path, "goodword.db"), join(folder.path, "disk")];
  mkdirSync(disk);
  await importText(disk, csv(row("Ann", "They came on time")));
  symlinkSync("disk/goodword.db", link);
  await cacheEdition(folder.path, AT_HOME, join(disk, "goodword.db.edition"));
  assert.deepEqual(caches(folder.path), []);
  assert.deepEqual(caches(disk), ["goodword.db.edition"]);
  writeFileSync(`${link}.edition`, "left beside the link when the store was moved");
  deleteEditionCache(`sqlite:${link}`);
  assert.deepEqual([...caches(folder.path), ...caches(disk)], []);
});

test("deleteEditionCache() enters a folder that is a link by that name, and names what it cannot delete", () => {
  using folder = temporaryFolder();
  const root = join(import.meta.dirname, "..", "..");
  const state = join(folder.path, "lib", "goodword");
  mkdirSync(join(folder.path, "lib", "private", "goodword"), { recursive: true });
  symlinkSync("private/goodword", state);
  for (const name of ["goodword.db", "goodword.db.edition", "goodword.db.edition.1.part"])
    writeFileSync(join(state, name), "");
  const module = new URL("../../src/publication/edition-cache.ts", import.meta.url).href;
  const url = JSON.stringify(`sqlite:${join(state, "goodword.db")}`);
  const script = `import { deleteEditionCache } from ${JSON.stringify(module)}; deleteEditionCache(${url});`;
  const deleteWith = (...allowed: readonly string[]) =>
    spawnSync(
      process.execPath,
      ["--permission", `--allow-fs-read=${root}`, ...allowed, "--no-warnings", "--input-type=module", "-e", script],
      { encoding: "utf8" },
    );
  const refused = deleteWith(`--allow-fs-read=${state}`);
  assert.match(
    refused.stderr,
    /Error: .*goodword\.db\.edition\.1\.part cannot be deleted, and may hold words of reviews/,
  );
  const { stderr } = deleteWith(`--allow-fs-read=${state}`, `--allow-fs-write=${state}`);
  assert.deepEqual(readdirSync(state), ["goodword.db"], stderr);
});

function caches(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.includes(".edition"));
}

test("a stop right after a change caches what readers already had", async () => {
  using folder = temporaryFolder();
  await importText(folder.path, csv(row("Ann", "They came on time")));
  for (let revision = 2, isInTime = false; !isInTime; revision++) {
    {
      await using program = await serveProgram(folder.path, AT_HOME);
      const published = program.logged(({ reviews }) => reviews === revision);
      await importText(folder.path, csv(row(`Ben ${revision}`, "Another review")));
      await published;
      const begun = performance.now();
      assert.equal(await program.stop(), 0);
      isInTime = performance.now() - begun < MAX_CACHING_MS;
    }
    if (!isInTime) continue; // the machine is busy
    await using program = await serveProgram(folder.path, { ...AT_HOME, LOG_LEVEL: "debug" });
    const cached = program.log.find(({ msg }) => String(msg).startsWith("Serving the cached edition"));
    assert.equal(cached?.revision, revision);
  }
});

/** A stop waits four seconds for an edition to be cached. */
const MAX_CACHING_MS = 3_000;

test("no file beside the store holds a removed word after any command, while a server runs, or once it has stopped", async () => {
  using folder = temporaryFolder();
  const hasWords = () => caches(folder.path).some((name) => /whimsical|Zebulon/.test(contentsOf(folder.path, name)));
  const check = (when: string) => {
    const names = readdirSync(folder.path).filter((name) => name.startsWith("goodword.db"));
    const holding = names.filter((name) => /whimsical|Zebulon/.test(contentsOf(folder.path, name)));
    assert.deepEqual(holding, [], when);
  };
  const words = csv(row("Ann", "They came on time"), row("Ben", "They were whimsical"), row("Zebulon", "A fair price"));
  await importText(folder.path, words);
  assert.equal((await run(folder.path, ["backup", join(folder.path, "backup.db")])).code, 0);
  const settings = { ...AT_HOME, PORT: String(await freePort()) };
  await using program = await serveProgram(folder.path, settings);
  await until(hasWords);
  const found = JSON.parse((await ask(`${program.url}/api/reviews/search`)).text).reviews as Record<string, string>[];
  const idOf = (author: string) => String(found.find((review) => review.author === author)?.id);
  const revisionServed = program.logged(({ revision }) => revision === 3);
  assert.equal((await run(folder.path, ["remove", idOf("Ben")])).code, 0);
  assert.equal((await run(folder.path, ["redact", idOf("Zebulon"), "--author"])).code, 0);
  check("redact");
  await revisionServed;
  check("published");
  const reviews = join(folder.path, "reviews.csv");
  for (const command of [
    ["import", reviews],
    ["withdraw", "--source", "google", "--yes"],
    ["undo", "--yes"],
    ["restore", join(folder.path, "backup.db"), "--yes"],
  ]) {
    const { code, stderr } = await run(folder.path, command);
    assert.equal(code, 0, stderr);
    check(command.join(" "));
    // A fast server has written it before the command deletes what it finds, and then there is none until the next change.
    const endsAt = performance.now() + 5_000;
    await until(() => caches(folder.path).join() === "goodword.db.edition" || performance.now() > endsAt);
    check(`${command[0]}, cached`);
  }
  assert.equal(await program.stop(), 0);
  check("stopped");
  const again = await serveProgram(folder.path, settings);
  const stopped = again.stop();
  assert.equal((await run(folder.path, ["remove", idOf("Ann")])).code, 0);
  assert.equal(await stopped, 0);
  const wrong = caches(folder.path).filter((name) => contentsOf(folder.path, name).includes("on time"));
  assert.deepEqual(wrong, []);
});

/** A file's contents; empty if it is gone by now. */
function contentsOf(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), "latin1");
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOENT");
    return "";
  }
}
