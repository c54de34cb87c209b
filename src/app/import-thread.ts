/** The thread of an import that a server starts: imports one file or folder, and posts what came of it. */
import { parentPort, workerData } from "node:worker_threads";
import { issuesOfFault } from "./fault-message.ts";
import type { ImportMessage, ImportOrder } from "./import-worker.ts";
import { combinedReport, importIntoStore } from "./stored-import.ts";

const { config, path, file, options } = workerData as ImportOrder;

const input = file === undefined ? path : { name: path, descriptor: file.fd };
const post = (message: ImportMessage) => parentPort?.postMessage(message);
try {
  const onStored: typeof options.onStored = (report) => post({ kind: "stored", report });
  const imported = await importIntoStore(config, [input], { ...options, onStored });
  post({ kind: "done", report: combinedReport(imported) });
} catch (error) {
  post({ kind: "refused", issues: issuesOfFault(error) });
} finally {
  await file?.close();
}
