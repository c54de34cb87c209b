/** The thread of an import that a server or the desk starts: imports files or a folder, and posts what came of it. */
import { parentPort, workerData } from "node:worker_threads";
import type { AnalystProgress } from "../analysis/model-analyst.ts";
import type { Progress } from "../import/importer.ts";
import type { Snapshot } from "../store/store.ts";
import { issuesOfFault } from "./fault-message.ts";
import type { ImportMessage, ImportOrder } from "./import-worker.ts";
import { checkAgainstStore, combinedReport, importIntoStore } from "./stored-import.ts";

const { config, path, file, inputs: given, isCheck = false, options } = workerData as ImportOrder;

const PROGRESS_MS = 250;
const inputs = given ?? [file === undefined ? path : { name: path, descriptor: file.fd }];
const post = (message: ImportMessage) => parentPort?.postMessage(message);
let postedAt = 0;
function onProgress(progress: Progress | AnalystProgress): void {
  if (performance.now() - postedAt < PROGRESS_MS) return;
  postedAt = performance.now();
  post({ kind: "progress", progress });
}

/** Checks, and renders what the front page would be; nothing of either is stored. */
async function check(): Promise<void> {
  const { sampleFiles } = await import("../import/file-samples.ts");
  const { snapshotIn } = await import("../store/store.ts");
  const { renderPreview } = await import("../publication/preview.ts");
  const samples = await sampleFiles(inputs, options);
  let snapshot: Snapshot | undefined;
  try {
    const report = await checkAgainstStore(config, inputs, {
      ...options,
      onProgress,
      onApplied: async (transaction) => {
        snapshot = await snapshotIn(transaction);
      },
    });
    const { BASE_URL: baseUrl, ANALYZER_MODEL: model } = config;
    const preview = snapshot === undefined ? [] : renderPreview(snapshot, { baseUrl, model: model || undefined });
    post({ kind: "done", report, ...samples, preview });
  } catch (error) {
    post({ kind: "refused", issues: issuesOfFault(error), ...samples });
  }
}

try {
  if (isCheck) await check();
  else {
    const onStored: typeof options.onStored = (report) => post({ kind: "stored", report });
    const imported = await importIntoStore(config, inputs, { ...options, onStored, onProgress });
    post({ kind: "done", report: combinedReport(imported) });
  }
} catch (error) {
  post({ kind: "refused", issues: issuesOfFault(error) });
} finally {
  await file?.close();
}
