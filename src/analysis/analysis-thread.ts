/** A thread that analyses texts of a large import, beside the thread that imports (`parallel-analysis.ts`). */
import { parentPort, workerData } from "node:worker_threads";
import type { BusinessFile } from "../business.ts";
import { analyseText } from "../insight/text-analysis.ts";
import { lowerThreadPriority } from "./low-priority.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

/** A batch of texts and their stars. It is answered with their analyses as JSON, one to a line, in the same order. */
export interface TextsToAnalyse {
  readonly texts: readonly string[];
  readonly ratings: readonly number[];
}

lowerThreadPriority();
const taxonomy = taxonomyOf(workerData as BusinessFile | undefined);

parentPort?.on("message", ({ texts, ratings }: TextsToAnalyse) => {
  const analyses = texts.map((text, index) => JSON.stringify(analyseText(text, ratings[index] ?? 0, taxonomy)));
  parentPort?.postMessage(analyses.join("\n"));
});
