import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { getPriority } from "node:os";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { run, temporaryFolder } from "../../../test/support/program.ts";
import { latestNotice } from "../publishing/change-notice.ts";
import { announceEarly } from "./early-notice.ts";

const SOURCE = join(import.meta.dirname, "..", "..");

/** Whether a notice stands beside a store in the folder while the command line begins. */
function isNoticed(line: string, { folder, variable, file }: { folder: string; variable?: string; file?: string }) {
  if (file !== undefined) writeFileSync(join(folder, "goodword.env"), file);
  const environment = variable === undefined ? {} : { DATABASE_URL: variable };
  using _notice = announceEarly(line.split(" "), { folder, environment });
  return latestNotice(`sqlite:${join(folder, "goodword.db")}`) !== undefined;
}

for (const [line, expected] of [
  ["import reviews.csv", true],
  ["import reviews.csv --source google", true],
  ["import reviews.csv --dry-run", false],
  ["import --help", false],
  ["remove 01ARZ3NDEKTSV4RRFFQ69G5FAV", false],
  ["check reviews.csv", false],
  ["backup copy.db", false],
  ["", false],
] as const) {
  test(`announceEarly() ${expected ? "announces" : "does not announce"} "goodword ${line}"`, () => {
    using folder = temporaryFolder();
    const variable = `sqlite:${join(folder.path, "goodword.db")}`;
    assert.equal(isNoticed(line, { folder: folder.path, variable }), expected);
  });
}

test("announceEarly() finds the store in the settings file, over which the environment wins", () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const file = `\uFEFF# settings\nDATABASE_URL=sqlite:${join(folder.path, "goodword.db")}\n`;
  assert.equal(isNoticed("import a.csv", { folder: folder.path, file }), true);
  const variable = `sqlite:${join(other.path, "goodword.db")}`;
  assert.equal(isNoticed("import a.csv", { folder: folder.path, file, variable }), false);
});

for (const [files, isLowered] of [
  [["small.csv"], true],
  [["small.csv", "--source", "google"], true],
  [["small.csv", "--dry-run"], true],
  [["large.csv"], false],
  [["half.csv", "half.csv", "small.csv"], false],
  [["folder"], false],
  [["missing.csv"], false],
] as const) {
  const title = `announceEarly() ${isLowered ? "lowers" : "keeps"} the first thread's priority: import ${files.join(" ")}`;
  test(title, { skip: process.platform !== "linux" && "threads share one" }, () => {
    using folder = temporaryFolder();
    const sizes = { "small.csv": 1_000, "half.csv": 500_000, "large.csv": 1_000_001 };
    for (const [name, size] of Object.entries(sizes)) writeFileSync(join(folder.path, name), "x".repeat(size));
    mkdirSync(join(folder.path, "folder"));
    const script = `
      const [module, folder, ...options] = process.argv.slice(1);
      const { announceEarly } = await import(module);
      announceEarly(["import", ...options], { folder, environment: {} })?.[Symbol.dispose]();
      console.log((await import("node:os")).getPriority());`;
    const module = new URL("./early-notice.ts", import.meta.url).href;
    const args = ["--input-type=module", "-e", script, "--", module, folder.path, ...files];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder.path });
    assert.equal(stderr, "");
    assert.equal(Number(stdout), isLowered ? Math.min(19, getPriority() + 5) : getPriority());
  });
}

test("announceEarly() loads little: the priority, the notice, what names the store, and what a stop signal means", () => {
  const loaded = new Set<string>();
  const load = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const [, from = ""] of readFileSync(path, "utf8").matchAll(/from "(\.[^"]+)"/g))
      load(join(dirname(path), from));
  };
  load(join(SOURCE, "app/terminal/early-notice.ts"));
  assert.deepEqual(
    [...loaded].map((path) => relative(SOURCE, path)),
    [
      "app/terminal/early-notice.ts",
      "analysis/low-priority.ts",
      "app/publishing/change-notice.ts",
      "store/engine/store-url.ts",
      "app/setting-names.ts",
      "app/terminal/interruption.ts",
      "app/terminal/typed-command.ts",
    ],
  );
});

test("a command that is refused leaves no notice", async () => {
  using folder = temporaryFolder();
  const { code } = await run(folder.path, ["import", "missing.csv"]);
  assert.equal(code, 1);
  assert.deepEqual(
    readdirSync(folder.path, { recursive: true }).filter((name) => String(name).endsWith(".change")),
    [],
  );
});

test("the program announces a change before it reads its settings", async () => {
  using folder = temporaryFolder();
  const database = join(folder.path, "goodword.db");
  const written = watch(folder.path)[Symbol.asyncIterator]();
  const first = written.next(); // watches from now on
  const environment = { DATABASE_URL: `sqlite:${database}`, PORT: "none" };
  const { code, stderr } = await run(folder.path, ["import", "reviews.csv"], environment);
  assert.equal(code, 1);
  assert.match(stderr, /PORT/); // refused before the command itself would have announced anything
  assert.equal((await first).value?.filename, "goodword.db.change");
  await written.return?.();
});
