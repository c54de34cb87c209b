/** The worker thread of an analysis queue: answers each batch of texts with their analyses. */
import { type MessagePort, workerData } from "node:worker_threads";
import type { BusinessFile } from "../business.ts";
import { analyseTexts, type TextToAnalyse } from "./analysis-queue.ts";

const { port, business } = workerData as { readonly port: MessagePort; readonly business: BusinessFile | undefined };

port.on("message", ({ id, texts }: { readonly id: number; readonly texts: readonly TextToAnalyse[] }) => {
  port.postMessage({ id, analyses: analyseTexts(business, texts) });
});
