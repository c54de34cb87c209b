import assert from "node:assert/strict";
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
