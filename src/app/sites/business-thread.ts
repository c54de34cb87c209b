/** The thread that reads a large business.yaml of a site, so that no other site waits for it; posts what is wrong with it. */
import { parentPort, workerData } from "node:worker_threads";
import { parseBusinessFile } from "../../import/business-file.ts";
import { Invalid } from "../../issue.ts";
import type { BusinessText } from "./site-survey.ts";

const { file, text } = workerData as BusinessText;
try {
  parseBusinessFile(file, text);
  parentPort?.postMessage([]);
} catch (error) {
  if (!(error instanceof Invalid)) throw error;
  parentPort?.postMessage(error.issues);
}
