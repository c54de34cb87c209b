/**
 * The routes of goodword over an edition that another thread has rendered, in a thread of its own: its stalls are its own, and
 * not those of a bench that holds all reviews as objects. `bench/search.ts` starts it. Asked with `true`, it begins to watch
 * how late the event loop is; with `false` it answers with the longest delay in milliseconds.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import { openEdition } from "../src/edition/edition.ts";
import { makeDocumentHandler } from "../src/http/answer-document.ts";
import { makeLoadShedding } from "../src/http/load-shedding.ts";
import { makeRoutes } from "../src/http/routes.ts";
import { openServer } from "../src/http/server.ts";

const edition = openEdition(workerData);
const reading = {
  edition: () => edition,
  baseUrl: "http://localhost",
  cacheControl: "no-cache",
  now: () => new Date(),
  onAnswer: () => {},
};
const onFault = (error: unknown) => console.error(error);
const routes = makeRoutes({
  ...reading,
  shedding: makeLoadShedding({
    clock: () => performance.now(),
    work: () => process.threadCpuUsage().user / 1000,
    nextTurn: (run) => void setImmediate(run),
  }),
  onFault,
  clientAddress: () => "127.0.0.1",
  mcp: async () => new Response(null),
  hub: async () => new Response(null),
});
const documents = makeDocumentHandler(reading);
const server = await openServer(routes, { host: "127.0.0.1", port: 0, onFault, documents });
let delay = monitorEventLoopDelay({ resolution: 1 });
parentPort?.on("message", (isBeginning: boolean) => {
  if (isBeginning) {
    delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
  } else {
    delay.disable();
    parentPort?.postMessage(delay.max / 1e6);
  }
});
parentPort?.postMessage(server.port);
