/** Scripts of the built program run with the code that V8 has made of them before. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cachedDataVersionTag } from "node:v8";
import { garbageCollector } from "../src/analysis/garbage-collector.ts";
import { temporaryFolder } from "./program.ts";

const RUNNER = join(import.meta.dirname, "../bin/kept-code.cjs");
/** Functions that are not called are left out of what V8 keeps, and make no difference; these are called. */
const CALLED = Array.from({ length: 200 }, (_, at) => `function f${at}(a) { return [a, ${at}].join("-"); }`);
const TEXT = `${CALLED.join("\n")}\nexports.said = [${CALLED.map((_, at) => `f${at}`)}].map((f) => f(1)).at(-1);`;

/** A script as the bundle has it, and what runs it in a process of its own, with a status to end with. */
function script(folder: string, text = TEXT) {
  writeFileSync(join(folder, "sample.script.js"), `(function (exports, require, module, SCRIPT_URL) {${text}\n})`);
  const main = `console.log(require(${JSON.stringify(RUNNER)}).run(${JSON.stringify(folder)}, "sample").said)`;
  return {
    run: ({ status = 0, argument = "" } = {}) => {
      const args = ["-e", `${main}; process.exitCode = ${status};`, ...(argument === "" ? [] : [argument])];
      return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout.trim();
    },
    kept: () => globSync("sample.*.code", { cwd: folder }).map((name) => join(folder, name)),
  };
}

test("a command that succeeds keeps the code of the functions that it called, once", () => {
  using folder = temporaryFolder();
  const { run, kept } = script(folder.path);
  assert.equal(run({ status: 1 }), "1-199");
  assert.deepEqual(kept(), [], "a command that fails has called too little");
  assert.equal(run(), "1-199");
  const [file = ""] = kept();
  const { size, ino } = statSync(file);
  assert.ok(size > 30_000, `${size} bytes: more than of functions that were not called`);
  assert.equal(run(), "1-199");
  assert.deepEqual(kept(), [file]);
  assert.equal(statSync(file).ino, ino, "V8 took it, so it was not made anew");
});

test("code that is a day old is kept anew, with what has been called since", () => {
  using folder = temporaryFolder();
  const more = `for (const f of [${CALLED.map((_, at) => `f${at}`)}].slice(0, process.argv.length > 1 ? 200 : 1)) f(1);`;
  const { run, kept } = script(folder.path, `${CALLED.join("\n")}\n${more} exports.said = "done";`);
  run();
  const [file = ""] = kept();
  const { size } = statSync(file);
  run({ argument: "more" });
  assert.equal(statSync(file).size, size, "not before");
  const before = Date.now() / 1000 - 90_000;
  utimesSync(file, before, before);
  run({ argument: "more" });
  assert.ok(statSync(file).size > 2 * size, `${size} → ${statSync(file).size} bytes`);
});

test("code that V8 refuses does no harm, and is made anew", () => {
  using folder = temporaryFolder();
  const { run, kept } = script(folder.path);
  run();
  const [file = ""] = kept();
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, 100));
  assert.equal(run(), "1-199");
  assert.ok(statSync(file).size > whole.length / 2);
});

test("where no code can be kept, the script runs as well", () => {
  using folder = temporaryFolder();
  const { run } = script(
    folder.path,
    `${TEXT} require("node:fs").rmSync(${JSON.stringify(folder.path)}, { recursive: true });`,
  );
  assert.equal(run(), "1-199");
  assert.equal(existsSync(folder.path), false);
});

test("a thread keeps the code of what it has done when its time has come, whether or not it ends", () => {
  using folder = temporaryFolder();
  const { kept } = script(folder.path, `${TEXT} setInterval(() => {}, 60_000);`);
  const thread = `require(${JSON.stringify(RUNNER)}).run(${JSON.stringify(folder.path)}, "sample", 1)`;
  const main = `
    const { watch } = require("node:fs");
    watch(${JSON.stringify(folder.path)}, (_, name) => name.endsWith(".code") && process.exit());
    new (require("node:worker_threads").Worker)(${JSON.stringify(thread)}, { eval: true });`;
  execFileSync(process.execPath, ["-e", main], { timeout: 60_000 });
  assert.equal(kept().length, 1);
});

test("V8's settings are as before once its collector is at hand: kept code is refused with others", () => {
  const before = cachedDataVersionTag();
  garbageCollector()({ type: "minor" });
  assert.equal(cachedDataVersionTag(), before);
});
