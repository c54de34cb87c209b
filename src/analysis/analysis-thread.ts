/** A thread that analyses texts of a large import, beside the thread that imports (`parallel-analysis.ts`). */
import { parentPort, workerData } from "node:worker_threads";
import type { BusinessFile } from "../business.ts";
import { analyseText } from "../insight/text-analysis.ts";
import { lowerThreadPriority } from "./low-priority.ts";
import type { TextAlone } from "./parallel-analysis.ts";
import { taxonomyOf } from "./trade-taxonomy.ts";

lowerThreadPriority();
const taxonomy = taxonomyOf(workerData as BusinessFile | undefined);

parentPort?.on("message", (texts: readonly TextAlone[]) => {
  parentPort?.postMessage(texts.map(({ text, rating }) => JSON.stringify(analyseText(text, rating, taxonomy))));
});
