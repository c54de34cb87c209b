/** What a person at a terminal is told: which store is used, whether it is a new one, and what to do next. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { SAMPLE_FOLDER } from "../../scripts/sample-snapshot.ts";
import { firstScreen } from "../../src/app/terminal/first-screen.ts";
import { BIN, environmentOf, run, serveProgram, temporaryFolder } from "../support/program.ts";

const REVIEWS = "id,author,rating,date,text,source\n1,Ann,5,2026-01-02,Cold again,google\n";

test("every command says on stderr which store it used, also with --json, and never on stdout", async () => {
  using folder = temporaryFolder();
  const store = join(folder.path, "goodword.db");
  writeFileSync(join(folder.path, "reviews.csv"), REVIEWS);
  const first = await run(folder.path, ["import", "reviews.csv"]);
  assert.match(first.stderr, new RegExp(`^Store: ${store} \\(new: there was none\\)$`, "m"));
  for (const args of [
    ["import", "reviews.csv", "--json"],
    ["export", "public"],
    ["subscriptions", "--json"],
    ["subscriptions"],
    ["backup", "copy.db"],
  ]) {
    const { code, stdout, stderr } = await run(folder.path, args);
    assert.equal(code, 0, args.join(" "));
    assert.match(stderr, new RegExp(`^Store: ${store}$`, "m"), args.join(" "));
    assert.doesNotMatch(stdout, /^Store:/m);
    if (args.includes("--json")) JSON.parse(stdout);
  }
});

test("a refused first import makes no store, and a later one makes it", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "reviews.csv"), REVIEWS.replace(",5,", ",9,"));
  const refused = await run(folder.path, ["import", "reviews.csv"]);
  assert.equal(refused.code, 1);
  assert.deepEqual(readdirSync(folder.path), ["reviews.csv"]);
  writeFileSync(join(folder.path, "reviews.csv"), REVIEWS);
  const { code, stderr } = await run(folder.path, ["import", "reviews.csv"]);
  assert.equal(code, 0);
  assert.match(stderr, /new: there was none/);
});

test("a command that needs a store makes none", async () => {
  using folder = temporaryFolder();
  for (const args of [["subscriptions"], ["backup", "copy.db"]]) {
    const { code, stderr } = await run(folder.path, args);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^error: There is no store at .*goodword\.db\. Run goodword in its folder, or set DATABASE_URL$/m,
    );
  }
});

test("a new, empty store beside a business.yaml is warned of, by a command and by a start", async () => {
  using folder = temporaryFolder();
  copyFileSync(join(SAMPLE_FOLDER, "business.yaml"), join(folder.path, "business.yaml"));
  await using program = await serveProgram(folder.path);
  const { msg } = await program.logged(({ level }) => Number(level) === 40);
  assert.match(String(msg), /new, empty one is made\. There is (a business\.yaml in this folder|another one)/);
  await program.stop();
});

test("a new, empty store is warned of where another one stands nearby", async () => {
  using folder = temporaryFolder();
  const below = join(folder.path, "site");
  mkdirSync(join(folder.path, "data"));
  mkdirSync(below);
  writeFileSync(join(folder.path, "reviews.csv"), REVIEWS);
  const settings = { DATABASE_URL: "sqlite:data/goodword.db" };
  await run(folder.path, ["import", "reviews.csv"], settings);
  const { stderr } = await run(below, ["import", "../reviews.csv"], settings);
  const other = join(realpathSync(folder.path), "data", "goodword.db");
  assert.match(
    stderr,
    new RegExp(
      `^warning: There is no store at .*There is another one at ${other}: .*DATABASE_URL=sqlite:${other}`,
      "m",
    ),
  );
});

test("firstScreen() says in five lines what is served, where, from which store and what to do next", () => {
  const serving = { business: "Northside Cooling", reviews: 1440, sample: false, url: "http://localhost:8080" };
  const own = firstScreen({ ...serving, storeLocation: "/srv/goodword/data/goodword.db" });
  assert.deepEqual(own.trimEnd().split("\n"), [
    "Goodword serves Northside Cooling, 1,440 reviews",
    "  open   http://localhost:8080",
    "  store  /srv/goodword/data/goodword.db",
    '  next   "npx goodword import NEWER-EXPORT.zip" imports newer reviews; the server shows them at once',
    "  stop   Ctrl+C; everything is kept",
  ]);
  const sample = firstScreen({ ...serving, sample: true, storeLocation: "/x.db" });
  assert.match(sample, /sample business, which is invented: Northside Cooling/);
  assert.match(sample, /npx goodword init/);
});

test("a start on a terminal shows the five lines", { skip: process.platform !== "linux" }, async () => {
  using folder = temporaryFolder();
  const command = `'${process.execPath}' '${BIN}' serve --port 0`;
  const terminal = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: folder.path,
    env: environmentOf(folder.path, { TERM: "dumb" }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines: string[] = [];
  for await (const line of createInterface(terminal.stdout)) {
    lines.push(line.trimEnd());
    if (line.startsWith("  stop ")) break;
  }
  terminal.kill("SIGTERM");
  const start = lines.findIndex((line) => line.startsWith("Goodword serves the sample business"));
  assert.notEqual(start, -1, lines.join("\n"));
  const [, open, store, next] = lines.slice(start);
  assert.match(open ?? "", /^ {2}open {3}http:\/\/localhost:\d+$/);
  assert.equal(store, `  store  ${join(folder.path, "goodword.db")} (no reviews of yours in it yet)`);
  assert.match(next ?? "", /^ {2}next {3}describe your business/);
});

test(".gitignore covers an owner's own files, and none of the project's", () => {
  const root = join(import.meta.dirname, "..", "..");
  const own = [
    "business.yaml",
    "goodword.env",
    "reviews.csv",
    "takeout-2026.zip",
    "takeout.tgz",
    "reviews.xlsx",
    "reviews.json",
    "backup.db",
    ".env",
    "data/goodword.db",
    "public/index.html",
    "Takeout/x.json",
  ];
  const ignored = execFileSync("git", ["check-ignore", "--no-index", ...own], { cwd: root, encoding: "utf8" });
  assert.deepEqual(ignored.trim().split("\n").toSorted(), own.toSorted());
  const lost = execFileSync("git", ["ls-files", "-ci", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  assert.equal(lost, "");
});
