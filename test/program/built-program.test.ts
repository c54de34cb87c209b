/** What `npm run build` makes and when a start runs it, in a copy of the program whose sources are changed. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { temporaryFolder } from "../support/program.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PARTS = ["bin", "scripts", "src", "taxonomies", "package.json", "package-lock.json"];
const SOURCE = "src/app/command/command-line.ts";
const BUILT = "dist/command-line.js";

const folder = temporaryFolder();
const copy = folder.path;
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
const version = (...flags: string[]) => node(...flags, "bin/goodword.js", "--version");

/** Has a file print a word when it is run. */
const mark = (file: string, word: string) => appendFileSync(join(copy, file), `\nconsole.log("${word}");\n`);

before(() => {
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  node("scripts/build.js");
});

after(() => folder[Symbol.dispose]());

test("everything outside node_modules that is built in counts as a source", () => {
  const sources = JSON.parse(readFileSync(join(copy, "dist/sources.json"), "utf8")) as [string][];
  const files = sources.map(([file]) => file);
  for (const file of [SOURCE, "src/analysis/analysis-thread.ts", "taxonomies/words/en.json", "package.json"])
    assert.ok(files.includes(file), file);
  const wrong = files.filter((file) => file.includes("node_modules") || file.endsWith(".test.ts"));
  assert.deepEqual(wrong, []);
});

test("without permission to write, the built program runs and keeps nothing", () => {
  assert.match(version("--permission", "--allow-fs-read=*"), /^\d+\.\d+\.\d+$/m);
});

test("the search in the browser is the same built or of the sources, and small", () => {
  const built = readFileSync(join(copy, "dist/file-search.js"), "utf8");
  assert.equal(node("scripts/build.js", "--file-search"), built);
  assert.ok(built.length < 16_000, `${built.length} characters`);
});

test("a start runs the TypeScript until it is built, and again as soon as a source has changed", () => {
  rmSync(join(copy, "dist"), { recursive: true });
  mark(SOURCE, "source 1");
  assert.match(version(), /source 1/);
  node("scripts/build.js");
  mark(BUILT, "built");
  assert.match(version(), /source 1\nbuilt/);
  mark(SOURCE, "source 2");
  utimesSync(join(copy, SOURCE), 0, 0); // as a copy that keeps the times of older files
  const changed = version();
  assert.match(changed, /source 1\nsource 2/);
  assert.doesNotMatch(changed, /built/);
});
