import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { test } from "node:test";
import { readableLines } from "./log.ts";

const line = (fields: object) =>
  readableLines(JSON.stringify({ level: 30, time: "2026-01-02T03:04:05.678Z", pid: 1, ...fields }));

test("readableLines() gives the message, the reason and the values in one readable line", () => {
  assert.match(
    line({ msg: "Published", business: "Air & Co", reviews: 3, revision: 7 }),
    /^\d\d:04:05 info {2}Published \(business Air & Co, reviews 3\)\n$/,
  );
  assert.match(
    line({
      level: 40,
      event: "failed",
      url: "https://a.example/x",
      reason: "It answered with 404",
      next: "2026-01-02T04:04:00.000Z",
      msg: "Not imported",
    }),
    /warn {2}Not imported: It answered with 404 \(url https:\/\/a\.example\/x, next 2026-01-02 \d\d:04:00\)\n$/,
  );
  assert.match(
    line({ msg: "Listening: http://localhost:8080", url: "http://localhost:8080", port: 8080 }),
    /info {2}Listening: http:\/\/localhost:8080\n$/,
  );
});

test("openLog() writes JSON where no terminal is: what a stranger sends stays in one line", () => {
  const hostile = '/x\n{"level":30,"msg":"forged"}\r\u2028\u001b[2J\u202e\u009b2J';
  const script = `import { openLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    openLog("info", false).info({ path: process.argv[1] }, process.argv[1]);`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script, hostile], { encoding: "utf8" });
  assert.equal(stderr.match(/\n/g)?.length, 1, stderr);
  assert.match(stderr, /^[\n\x20-\x7e]+$/, "nothing in it turns the writing direction or commands a terminal");
  const { path, msg } = JSON.parse(stderr);
  assert.deepEqual([path, msg], [hostile, hostile]);
});

test("readableLines() puts each warning on its own line, without control characters", () => {
  assert.match(
    line({ msg: "Imported", added: 1, warnings: ["one", "two\u001b[2J\nthree"] }),
    /Imported \(added 1\)\n {15}one\n {15}two\?\[2J\?three\n$/,
  );
  assert.match(
    line({ level: 50, msg: "Failed", err: { stack: "Error: x\n    at y" } }),
    /error Failed\nError: x\n {4}at y\n$/,
  );
});

/** The one line that the log writes of these fields. */
function written(script: string): Record<string, unknown> {
  const source = `import { openLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    const log = openLog("info", false); ${script}`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
  assert.equal(stderr.match(/\n/g)?.length, 1, stderr);
  return JSON.parse(stderr);
}

test("openLog() cuts long texts", () => {
  const { host } = written('log.info({ host: "a".repeat(15_000) }, "x");');
  assert.equal(String(host).length, 1_001);
});

test("openLog() writes of an error what the program knows, and no word of an input that it quotes", () => {
  const line = written(`
    let cause;
    try { JSON.parse("Zebulonquux: never came"); } catch (error) { cause = error; }
    const error = new Error("The row was refused", { cause });
    const details = { code: "23502", detail: "Failing row contains (Zebulonquux)", input: "Zebulonquux" };
    log.error({ err: Object.assign(error, details) }, "x");`);
  const { message, stack } = line.err as Record<string, string>;
  assert.equal(message, "The row was refused: text that cannot be parsed");
  assert.match(
    String(stack),
    /^Error: The row was refused\n {4}at .*caused by: SyntaxError: text that cannot be parsed\n {4}at /s,
  );
  assert.doesNotMatch(JSON.stringify(line), /Zebulonquux/);
});

test("openLog() goes on where the disk of the log is full, and keeps a bounded part", {
  skip: process.platform !== "linux",
}, () => {
  const source = `import { openLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    const log = openLog("info", false);
    const held = () => { gc(); return process.memoryUsage().heapUsed; };
    const before = held();
    for (let line = 0; line < 20_000; line++) log.info({ reason: "x".repeat(900) }, "A line of the log");
    process.stdout.write(String(held() - before < 5_000_000));`;
  const full = openSync("/dev/full", "w");
  const { status, stdout } = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", source], {
    ...{ encoding: "utf8", stdio: ["ignore", "pipe", full] },
  });
  closeSync(full);
  assert.deepEqual([status, stdout], [0, "true"]);
});
