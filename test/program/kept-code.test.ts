/** Scripts of the built program run with the code that V8 has made of them before. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { garbageCollector } from "../../src/analysis/garbage-collector.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";

const RUNNER = join(import.meta.dirname, "../../bin/kept-code.cjs");
const { builtProgram } = (await import(
  pathToFileURL(join(import.meta.dirname, "../../bin/built-program.js")).href
)) as {
  readonly builtProgram: (command: string) => Promise<string | undefined>;
};
/** Functions that are not called are left out of what V8 keeps, and make no difference; these are called. */
const CALLED = Array.from({ length: 200 }, (_, at) => `function f${at}(a) { return [a, ${at}].join("-"); }`);
/** As the bundle has them: esbuild escapes what is not ASCII in texts, but not in patterns and tagged templates. */
const SIGNS = 'const signs = [/^★–$/u.test("\\u2605\\u2013"), String.raw`·…`.length].join();';
const TEXT = `${CALLED.join("\n")}\n${SIGNS}\nexports.said = [${CALLED.map((_, at) => `f${at}`)}].map((f) => f(1)).at(-1) + " " + signs;`;
const SAID = "1-199 true,2";

/** A script as the bundle has it, and what runs it in a process of its own, with a status to end with. */
function script(folder: string, text = TEXT) {
  writeFileSync(join(folder, "sample.script.js"), `(function (exports, require, module, SCRIPT_URL) {${text}\n})`);
  const main = `console.log(require(${JSON.stringify(RUNNER)}).run(${JSON.stringify(folder)}, "sample").said)`;
  return {
    run: ({ status = 0, argument = "", flags = [] as readonly string[] } = {}) => {
      const args = [...flags, "-e", `${main}; process.exitCode = ${status};`, ...(argument === "" ? [] : [argument])];
      const ended = spawnSync(process.execPath, args, { encoding: "utf8" });
      assert.deepEqual([ended.status, ended.stderr], [status, ""]);
      return ended.stdout.trim();
    },
    kept: () => globSync("sample.*.code", { cwd: folder }).map((name) => join(folder, name)),
  };
}

test("a command that succeeds keeps the code of the functions that it called, once", () => {
  using folder = temporaryFolder();
  const { run, kept } = script(folder.path);
  assert.equal(run({ status: 1 }), SAID);
  assert.deepEqual(kept(), [], "a command that fails has called too little");
  assert.equal(run(), SAID);
  const [file = ""] = kept();
  const { size, ino } = statSync(file);
  assert.ok(size > 30_000, `${size} bytes: more than of functions that were not called`);
  assert.equal(run(), SAID);
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

test("code that is damaged does no harm, and is made anew", () => {
  using folder = temporaryFolder();
  const { run, kept } = script(folder.path);
  run();
  const [file = ""] = kept();
  const whole = readFileSync(file);
  const changed = Buffer.from(whole).fill(0x5a, whole.length / 2, whole.length / 2 + 64);
  for (const damaged of [whole.subarray(0, 100), Buffer.alloc(0), changed]) {
    writeFileSync(file, damaged);
    assert.equal(run(), SAID);
    assert.ok(statSync(file).size > whole.length / 2);
    assert.notDeepEqual(readFileSync(file), damaged);
  }
});

test("where nothing may be written, as under --permission, nothing is kept or said", () => {
  using folder = temporaryFolder();
  const { run, kept } = script(folder.path);
  assert.equal(run({ flags: ["--permission", "--allow-fs-read=*"] }), SAID);
  assert.deepEqual(kept(), []);
});

test("code that is a day old stays if there is no more of it, and counts as new", () => {
  using folder = temporaryFolder();
  const { run, kept } = script(folder.path);
  run();
  const [file = ""] = kept();
  const { size } = statSync(file);
  const before = Date.now() / 1000 - 90_000;
  utimesSync(file, before, before);
  run();
  assert.ok(statSync(file).mtimeMs > before * 1000 + 60_000, "it is new again");
  assert.ok(statSync(file).size >= size);
});

test("where no code can be kept, the script runs as well", () => {
  using folder = temporaryFolder();
  const { run } = script(
    folder.path,
    `${TEXT} require("node:fs").rmSync(${JSON.stringify(folder.path)}, { recursive: true });`,
  );
  assert.equal(run(), SAID);
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

test("the built program runs its scripts, and they read and write what is not ASCII", async () => {
  using folder = temporaryFolder();
  const built = fileURLToPath((await builtProgram("import")) ?? "");
  assert.equal(basename(built), "import.cjs");
  const of = (pattern: string) =>
    globSync(pattern, { cwd: dirname(built) }).map((name) => readFileSync(join(dirname(built), name), "utf8"));
  assert.ok(of("*.js").some((text) => text.includes('"./edition-worker-thread.cjs"')));
  assert.ok(of("import.script.js").some((text) => text.includes('"./analysis-thread.cjs"')));
  const rows = ["id,author,rating,date,text", "1,Ann Sample,★★★★☆,2026-01-05,They came on time – thank you."];
  writeFileSync(join(folder.path, "reviews.csv"), rows.join("\n"));
  const { code, stderr } = await run(folder.path, ["import", "reviews.csv", "--source", "google"]);
  assert.equal(code, 0, stderr);
  await using program = await serveProgram(folder.path);
  const { reviews } = (await (await fetch(`${program.url}/reviews.json`)).json()) as { reviews: { rating: number }[] };
  assert.deepEqual(
    reviews.map(({ rating }) => rating),
    [4],
  );
  const page = await (await fetch(program.url)).text();
  assert.match(page, /They came on time – thank you\./);
  assert.doesNotMatch(page, /[ÂÃâ]/, "bytes of UTF-8 that were read as if they were characters");
  assert.match(page, /·/);
});
