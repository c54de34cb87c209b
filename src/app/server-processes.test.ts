import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import cluster from "node:cluster";
import { on, once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/support/program.ts";
import { superviseWorkers } from "./server-processes.ts";
import { openLog } from "./terminal/log.ts";

test("superviseWorkers() reports a worker whose process cannot be started", async () => {
  cluster.setupPrimary({ cwd: "/nowhere" });
  const { signal } = new AbortController();
  await assert.rejects(superviseWorkers(1, openLog("silent", false), signal), /ENOENT/);
});

test("superviseWorkers() tries again when the system refuses a process, also while all are replaced", async (t) => {
  // A variable that is too long has the process refused at once (E2BIG), as too little memory does (ENOMEM).
  const program = `
    import cluster from "node:cluster";
    import { isWorker, reportServing, superviseWorkers } from ${JSON.stringify(import.meta.resolve("./server-processes.ts"))};
    const tell = (said) => process.send(said);
    const log = { info: tell, warn: ({ fault }) => tell(fault ?? "ended"), error: ({ fault }, said) => tell(said + ": " + fault) };
    process.on("message", (order) => {
      if (order === "allow") delete process.env.LONG;
      else process.env.LONG = "x".repeat(1_000_000);
      if (order === "kill") for (const { process } of Object.values(cluster.workers)) process.kill("SIGKILL");
      if (order === "replace") process.kill(process.pid, "SIGHUP");
    });
    cluster.on("message", () => tell("serving"));
    if (isWorker()) reportServing(1);
    else await superviseWorkers(1, log, new AbortController().signal);`;
  using folder = temporaryFolder();
  const file = join(folder.path, "supervisor.mts");
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  t.after(() => child.kill("SIGKILL"));
  const said = on(child, "message", { close: ["exit"] });
  const next = async () => (await said.next()).value?.[0];
  assert.equal(await next(), "serving");
  child.send("kill");
  assert.equal(await next(), "ended");
  assert.match(await next(), /E2BIG/);
  child.send("allow");
  assert.equal(await next(), "serving");
  child.send("replace");
  assert.equal(await next(), "Replacing the workers one after the other");
  assert.match(await next(), /^A new worker did not start; the old ones keep running: .*E2BIG/);
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
