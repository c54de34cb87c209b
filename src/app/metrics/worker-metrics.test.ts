import assert from "node:assert/strict";
import type { Worker } from "node:cluster";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import pino from "pino";
import { shareAmongWorkers } from "./worker-metrics.ts";

/** The supervisor's end of a worker that answers at once with what `metrics` gives. */
function workerWith(metrics: () => string): Worker {
  const worker = Object.assign(new EventEmitter(), {
    isConnected: () => true,
    send({ goodword, number, text }: { goodword: string; number: number; text?: string }) {
      if (goodword === "metrics wanted") worker.emit("message", { goodword: "metrics", number, text: metrics() });
      else worker.emit("all metrics", text);
    },
  });
  return worker as unknown as Worker;
}

test("shareAmongWorkers() says once that a worker's metrics cannot be read, and again after they could", async () => {
  const said: { readonly worker: number }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void said.push(JSON.parse(line)) });
  let second = "";
  const workers = [workerWith(() => "# HELP a A\n# TYPE a gauge\na 1\n"), workerWith(() => second)] as const;
  shareAmongWorkers(workers[0], () => workers, log);
  const all = async () => {
    const answer = once(workers[0], "all metrics");
    workers[0].emit("message", { goodword: "all metrics wanted", number: 1 });
    return String((await answer)[0]);
  };
  for (const metrics of ["", "", "# HELP b B\n# TYPE b gauge\nb 2\n", ""]) {
    second = metrics;
    assert.match(await all(), metrics === "" ? /^a 1$/m : /^b 2$/m);
  }
  assert.deepEqual(
    said.map(({ worker }) => worker),
    [2, 2],
  );
});
