/** The commands that look after the store, as an owner runs them: removed, undone, restored (interface §5). */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { promisify } from "node:util";
import { identityPart } from "../../src/review.ts";
import { BIN, environmentOf, run, serveProgram, temporaryFolder } from "../support/program.ts";
import { deriveReviewId } from "../support/review-id.ts";
import { ask, json } from "../support/wire.ts";
import { until } from "../support/within.ts";

const ROWS = [
  "1,Ann,5,2026-01-02,Cold again within the hour,google",
  "2,Bo,2,2026-01-03,Came late and whimsical,google",
  "3,Cy,4,2026-01-04,Neat work,facebook",
];
const ID = deriveReviewId("google", "2", "2026-01-03");

function writeRows(folder: string, rows: readonly string[]): string {
  writeFileSync(
    join(folder, "business.yaml"),
    "name: Northside\nverified_sources: [google, facebook]\ncategory: HVACBusiness\ntime_zone: UTC\n",
  );
  writeFileSync(join(folder, "reviews.csv"), `${["id,author,rating,date,text,source", ...rows].join("\n")}\n`);
  return "reviews.csv";
}

/** The files of the store, and those that a server keeps beside it, in which a word stands. */
function storeFilesWith(folder: string, word: string): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith("goodword.db"));
  return names.filter((name) => existsSync(join(folder, name)) && readFileSync(join(folder, name)).includes(word));
}

async function jsonOf(folder: string, ...args: readonly string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run(folder, [...args, "--json"]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>[];
}

test("a command whose reader has read enough, as head does, goes on without a word about that", async () => {
  using folder = temporaryFolder();
  assert.equal((await run(folder.path, ["import", writeRows(folder.path, ROWS)])).code, 0);
  const command = `{ "$0" "$1" history 3>&-; echo "code $?" >&3; } 3>&2 | true`;
  const options = { cwd: folder.path, env: environmentOf(folder.path) };
  const { stderr } = await promisify(execFile)("sh", ["-c", command, process.execPath, BIN], options);
  assert.match(stderr, /code 0\n/);
  assert.doesNotMatch(stderr, /EPIPE/);
});

test("a removed review leaves the server and every file, and its address says 410", async () => {
  using folder = temporaryFolder();
  writeRows(folder.path, ROWS);
  assert.equal((await run(folder.path, ["import", "business.yaml", "reviews.csv"])).code, 0);
  await using program = await serveProgram(folder.path);
  assert.equal((await ask(`${program.url}/reviews/${ID}`)).status, 200);

  const kept = join(folder.path, "goodword.db.edition"); // some time after it was published
  await until(() => existsSync(kept));
  const holding = storeFilesWith(folder.path, "whimsical");
  assert.ok(holding.includes("goodword.db") && holding.includes("goodword.db.edition"), holding.join(" "));

  const wrong = await run(folder.path, ["remove", ID, "01NONSENSE"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /01NONSENSE.* is not published \(its id is .*\). Nothing was changed/);
  assert.equal((await ask(`${program.url}/reviews/${ID}`)).status, 200);

  const removed = await run(folder.path, ["remove", ID]);
  assert.equal(removed.code, 0, removed.stderr);
  assert.deepEqual(storeFilesWith(folder.path, "whimsical"), []);
  await program.logged(({ revision, reviews }) => revision === 2 && reviews === 2);
  assert.deepEqual(storeFilesWith(folder.path, "whimsical"), []);
  const gone = await ask(`${program.url}/reviews/${ID}`);
  assert.deepEqual([gone.status, gone.headers["content-type"]], [410, "application/json"]);
  assert.match(String((json(gone) as { error: string }).error), /was taken out and is no longer published/);
  const page = await ask(`${program.url}/reviews/${ID}`, { headers: { Accept: "text/html" } });
  assert.equal(page.status, 410);
  for (const path of ["/reviews.json", "/insights.json", "/feed.xml", "/api/feed.json", "/sitemap.xml"]) {
    const { text } = await ask(`${program.url}${path}`);
    assert.ok(!text.includes(ID) && !text.includes("whimsical"), path);
  }

  assert.equal((await run(folder.path, ["import", "reviews.csv"])).code, 0);
  assert.equal((await ask(`${program.url}/reviews/${ID}`)).status, 410);
  const [listed] = await jsonOf(folder.path, "removed");
  assert.deepEqual([Object.keys(listed ?? {}), listed?.id, listed?.what], [["id", "what", "at"], ID, "review"]);
  assert.match(String(listed?.at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.match((await run(folder.path, ["removed"])).stdout, new RegExp(`${ID} +review `));

  assert.equal((await run(folder.path, ["readmit", ID])).code, 0);
  assert.equal((await run(folder.path, ["import", "reviews.csv"])).code, 0);
  await program.logged(({ reviews, revision }) => reviews === 3 && Number(revision) > 2);
  assert.equal((await ask(`${program.url}/reviews/${ID}`)).status, 200);
  assert.equal(await program.stop(), 0);
});

test("redact publishes without the name or the words, and wants to know which", async () => {
  using folder = temporaryFolder();
  writeRows(folder.path, ROWS);
  await run(folder.path, ["import", "business.yaml", "reviews.csv"]);
  assert.equal((await run(folder.path, ["redact", ID])).code, 2);
  assert.equal((await run(folder.path, ["redact", "01NONSENSE", "--text"])).code, 1);
  assert.equal((await run(folder.path, ["redact", ID, "--author", "--text"])).code, 0);
  const what = (await jsonOf(folder.path, "removed")).map((line) => line.what);
  assert.deepEqual(what, ["author", "text"]);
  await using program = await serveProgram(folder.path);
  const { reviews } = json(await ask(`${program.url}/reviews.json`)) as { reviews: Record<string, unknown>[] };
  const review = reviews.find(({ id }) => id === ID);
  assert.deepEqual([review?.author, review?.text, review?.rating], ["Customer", null, 2]);
  await program.stop();
});

test("withdraw, undo and restore ask first, are listed, and are served at once", async () => {
  using folder = temporaryFolder();
  writeRows(folder.path, ROWS);
  await run(folder.path, ["import", "business.yaml", "reviews.csv"]);
  assert.equal((await run(folder.path, ["backup", "backup.db"])).code, 0);
  await using program = await serveProgram(folder.path);

  for (const args of [["withdraw", "--source", "google"], ["undo"], ["restore", "backup.db"]]) {
    const { code, stderr } = await run(folder.path, args);
    assert.equal(code, 1, args.join(" "));
    assert.match(stderr, /Nothing was changed: confirm it with --yes/, args.join(" "));
    if (args[0] === "restore")
      assert.match(
        stderr,
        /replaces the reviews and the business in .* with those of backup\.db\. Removals, .* stay\./,
      );
  }
  const absent = await run(folder.path, ["withdraw", "--source", "yelp", "--yes"]);
  assert.equal(absent.code, 1);
  assert.match(absent.stderr, /no reviews from yelp\. The store holds reviews from facebook \(1\), google \(2\)/);

  assert.equal((await run(folder.path, ["withdraw", "--source", "google", "--yes"])).code, 0);
  await program.logged(({ revision, reviews }) => revision === 2 && reviews === 1);
  assert.equal((await run(folder.path, ["undo", "--yes"])).code, 0);
  await program.logged(({ revision, reviews }) => revision === 3 && reviews === 3);

  writeRows(folder.path, [...ROWS, "4,Di,5,2026-01-05,New,google"]);
  await run(folder.path, ["import", "reviews.csv"]);
  assert.equal((await run(folder.path, ["remove", ID])).code, 0);
  assert.match(
    (await run(folder.path, ["history"])).stdout,
    /goodword undo takes back the last import, .*; run it again/,
  );
  const asked = await run(folder.path, ["undo"]);
  assert.match(asked.stderr, /undoes change \d+, import.* The newer change \d+, removal, is not undone: .*readmit ID/);
  const begun = Date.now();
  const restored = await run(folder.path, ["restore", "backup.db", "--yes"]);
  assert.equal(restored.code, 0, restored.stderr);
  const { time } = await program.logged(({ revision, reviews }) => revision === 6 && reviews === 2);
  const { headers } = await ask(`${program.url}/reviews.json`);
  const modified = Date.parse(headers["last-modified"] ?? "");
  const isOfRestore = modified > begun - 1_000 && modified <= Date.parse(String(time));
  assert.ok(isOfRestore, `${headers["last-modified"]} is the time of the restore, in whole seconds`);
  assert.equal((await ask(`${program.url}/reviews/${ID}`)).status, 410, "the removal holds");

  const history = await jsonOf(folder.path, "history");
  assert.deepEqual(
    history.map(({ command, undone }) => [command, undone]),
    [
      ["restore", false],
      ["remove", false],
      ["import", false],
      ["withdraw", true],
      ["import", false],
    ],
  );
  const keys = ["number", "at", "command", "files", "added", "changed", "withdrawn", "undone"];
  for (const line of history) assert.deepEqual(Object.keys(line), keys);
  assert.deepEqual([history.at(-1)?.files, history.at(-1)?.added], [["business.yaml", "reviews.csv"], 3]);

  for (const [command, reviews] of [
    ["restore", 3],
    ["import", 2],
  ] as const) {
    const { stdout } = await run(folder.path, ["undo", "--yes"]);
    assert.match(stdout, new RegExp(`^Took back change \\d, ${command} of `));
    await program.logged((entry) => entry.reviews === reviews && Number(entry.revision) > 6);
  }
  assert.equal(await program.stop(), 0);

  assert.equal((await run(folder.path, ["restore", "backup.db", "--yes"])).code, 0, "also when nothing serves it");
  assert.match((await run(folder.path, ["restore", "goodword.db", "--yes"])).stderr, /is the store itself/);
});

test("restore and undo show what they change besides words, and change nothing before a yes", async () => {
  using folder = temporaryFolder();
  using foreign = temporaryFolder();
  const yaml = "name: Northside\ncategory: HVACBusiness\ntime_zone: UTC\n";
  const source = "{ url: https://stranger.example/key, header: { name: X, from_env: KEY_REVIEWS } }";
  writeRows(folder.path, ROWS);
  writeFileSync(join(folder.path, "business.yaml"), yaml);
  await run(folder.path, ["import", "business.yaml", "reviews.csv"]);
  await run(folder.path, ["backup", "own.db"]);
  writeRows(foreign.path, ROWS);
  writeFileSync(join(foreign.path, "business.yaml"), `${yaml}sources:\n  - ${source}\n`);
  await run(foreign.path, ["import", "business.yaml", "reviews.csv"]);
  assert.equal((await run(foreign.path, ["correct", ID, "punctuality", "none"])).code, 0);
  const backup = join(foreign.path, "foreign.db");
  await run(foreign.path, ["backup", backup]);

  const asked = await run(folder.path, ["restore", backup]);
  assert.equal(asked.code, 1);
  const shown = /^error: +sources, new: \{"url":"https:\/\/stranger\.example\/key".*"from_env":"KEY_REVIEWS"\}\}$/m;
  assert.match(asked.stderr, shown);
  assert.match(asked.stderr, /corrections of what was found, new: 1 hide criticism, 0 hide praise, 0 change/);
  assert.match(asked.stderr, /Nothing was changed: confirm it with --yes/);
  assert.equal((await jsonOf(folder.path, "history")).length, 1);
  const restored = await run(folder.path, ["restore", backup, "--yes"]);
  assert.match(restored.stdout, /^Changed: sources, new: .*KEY_REVIEWS/m);

  const undoing = await run(folder.path, ["undo"]);
  assert.match(undoing.stderr, /^error: +sources, no longer: .*stranger\.example/m);
  assert.equal((await run(folder.path, ["undo", "--yes"])).code, 0);
  await run(folder.path, ["restore", backup, "--yes"]);
  await run(folder.path, ["import", "business.yaml"]);
  assert.match((await run(folder.path, ["undo"])).stderr, shown, "undo would bring them back");

  using fresh = temporaryFolder();
  const first = await run(fresh.path, ["restore", backup]);
  assert.deepEqual([first.code, shown.test(first.stderr)], [1, true]);
  assert.equal(existsSync(join(fresh.path, "goodword.db")), false, "no store is made before a yes");
  const own = await run(fresh.path, ["restore", join(folder.path, "own.db")]);
  assert.equal(own.code, 0, own.stderr);
});

test("restore names the reviews of the store that a crafted removal deletes, and takes no identity of another", async () => {
  using folder = temporaryFolder();
  writeRows(folder.path, ROWS);
  await run(folder.path, ["import", "business.yaml", "reviews.csv"]);
  const forged = deriveReviewId("google", "forged", "2026-01-05");
  /** A backup with one removal and these keys of it. */
  const crafted = async (name: string, keys: readonly (readonly [kind: string, key: string])[]) => {
    await run(folder.path, ["backup", name]);
    using database = new DatabaseSync(join(folder.path, name), { defensive: false });
    database.prepare("insert into removal values (?, 'review', '2026-01-01T00:00:00.000Z', 'google', 1)").run(forged);
    const insert = database.prepare("insert into removal_key values (?, ?, ?)");
    for (const [kind, key] of keys) insert.run(forged, kind, key);
  };
  const hash = (...parts: readonly string[]) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

  await crafted("identity.db", [["identity", identityPart(ID)]]);
  const refused = await run(folder.path, ["restore", "identity.db", "--yes"]);
  assert.deepEqual([refused.code, /key in the table removal_key/.test(refused.stderr)], [1, true], refused.stderr);

  await crafted("words.db", [["words", hash("bo", "2026-01-03", "came late and whimsical")]]);
  const named = new RegExp(
    `1 review of this store deleted for good, which goodword undo does not take back: ${ID}$`,
    "m",
  );
  const asked = await run(folder.path, ["restore", "words.db"]);
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /removals and redactions, new: 1: later imports leave these reviews or parts out/);
  assert.match(asked.stderr, named);
  const restored = await run(folder.path, ["restore", "words.db", "--yes"]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, named);
  assert.match(restored.stdout, /^goodword undo takes back the rest\.$/m);
});

test("a store that is not there is not made by looking at it", async () => {
  using folder = temporaryFolder();
  for (const args of [
    ["history"],
    ["removed"],
    ["undo", "--yes"],
    ["remove", ID],
    ["withdraw", "--source", "x", "--yes"],
  ]) {
    const { code, stderr } = await run(folder.path, args);
    assert.equal(code, 1, args.join(" "));
    assert.match(stderr, /There is no store at /);
  }
  assert.equal(existsSync(join(folder.path, "goodword.db")), false);
});
