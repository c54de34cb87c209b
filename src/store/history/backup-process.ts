/**
 * The process that reads a backup. SQLite trusts the pages of a file, so that one whose pages lead to each other may hold it
 * for ever, or fill the memory; no statement that has begun can be ended, but a process can. It is sent a `BackupOrder`, and
 * then a message for each further part; it answers each with a `BackupAnswer`.
 */
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { type BackupAnswer, type BackupOrder, faultOf } from "./backup-answers.ts";
import { backupParts } from "./backup-parts.ts";

/** What SQLite may take of memory, for any backup. */
const MAX_HEAP_BYTES = 200_000_000;

/** Ends the process when a part takes too long, whatever SQLite is doing and whether or not somebody waits for it. */
const WATCH = `
  const { parentPort, workerData } = require("node:worker_threads");
  let timer;
  parentPort.on("message", (isBusy) => {
    clearTimeout(timer);
    if (isBusy) timer = setTimeout(() => process.kill(process.pid, "SIGKILL"), workerData);
  });`;

process.once("message", ({ file, seconds }: BackupOrder) => {
  const watch = new Worker(WATCH, { eval: true, workerData: seconds * 1_000 });
  watch.unref();
  new DatabaseSync(":memory:").exec(`pragma hard_heap_limit = ${MAX_HEAP_BYTES}`); // of the whole process
  const parts = backupParts(file);
  const answer = () => {
    watch.postMessage(true);
    process.send?.(next());
    watch.postMessage(false);
  };
  const next = (): BackupAnswer => {
    try {
      return { part: parts.next().value };
    } catch (error) {
      return { fault: faultOf(error) };
    }
  };
  process.on("message", answer);
  answer();
});
