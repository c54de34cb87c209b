import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { getPriority } from "node:os";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

const MODULE = new URL("./low-priority.ts", import.meta.url).href;
const IS_LINUX = process.platform === "linux";

test("lowerThreadPriority() lowers that of its thread alone", { skip: !IS_LINUX && "threads share one" }, async () => {
  const script = `
    import(process.argv[2]).then(({ lowerThreadPriority }) => {
      const { readlinkSync } = require("node:fs");
      const { getPriority } = require("node:os");
      lowerThreadPriority();
      const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
      require("node:worker_threads").parentPort.postMessage(getPriority(thread));
    });`;
  const before = getPriority();
  const worker = new Worker(script, { eval: true, argv: [MODULE] });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  worker.on("message", resolve);
  worker.on("error", reject);
  assert.equal(await promise, Math.min(19, before + 5));
  assert.equal(getPriority(), before);
  await worker.terminate();
});

for (const first of [false, true]) {
  const which = first ? "all threads" : "all threads but the first, which holds the store's write lock";
  test(`lowerProcessPriority() lowers that of ${which}`, { skip: !IS_LINUX && "threads share one" }, () => {
    const script = `
    import { readdirSync } from "node:fs";
    import { getPriority } from "node:os";
    const { lowerProcessPriority } = await import(process.argv[1]);
    lowerProcessPriority({ first: ${first} });
    const helpers = readdirSync("/proc/self/task").map(Number).filter((thread) => thread !== process.pid);
    console.log(JSON.stringify([getPriority(process.pid), helpers.map((thread) => getPriority(thread))]));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script, MODULE], {
      encoding: "utf8",
    });
    const [own, helpers] = JSON.parse(stdout || stderr) as [number, number[]];
    const lowered = Math.min(19, getPriority() + 5);
    assert.equal(own, first ? lowered : getPriority());
    assert.ok(helpers.length > 0);
    assert.deepEqual(new Set(helpers), new Set([lowered]));
  });
}
