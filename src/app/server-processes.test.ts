import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import cluster from "node:cluster";
import { once } from "node:events";
import { test } from "node:test";
import { superviseWorkers } from "./server-processes.ts";
import { openLog } from "./terminal/log.ts";

test("superviseWorkers() reports a worker whose process cannot be started", async () => {
  cluster.setupPrimary({ cwd: "/nowhere" });
  const { signal } = new AbortController();
  await assert.rejects(superviseWorkers(1, openLog("silent", false), signal), /ENOENT/);
});

test("reportServing() and reportFault() go on without a supervisor", async () => {
  const program = `
    import { reportFault, reportServing } from ${JSON.stringify(import.meta.resolve("./server-processes.ts"))};
    process.disconnect();
    reportServing(1);
    await reportFault("none");
    setImmediate(() => process.exit(7));`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  assert.deepEqual(await once(child, "exit"), [7, null]);
});
