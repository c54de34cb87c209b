/**
 * `/metrics` of several workers: any of them can answer for all. It asks the supervisor, who asks each worker. A worker's
 * metrics carry its place as a label, so that its counters are told apart from those of the others, and start at zero
 * again only when that worker is replaced, which Prometheus expects of counters.
 */
import type { Worker } from "node:cluster";
import type { Logger } from "pino";
import type { ReadMetrics } from "./metrics.ts";

type Message =
  /** From a worker to the supervisor, and back. */
  | { readonly goodword: "all metrics wanted"; readonly number: number }
  | { readonly goodword: "all metrics"; readonly number: number; readonly text: string }
  /** From the supervisor to a worker, and back. */
  | { readonly goodword: "metrics wanted"; readonly number: number; readonly place: number }
  | { readonly goodword: "metrics"; readonly number: number; readonly text: string };

/** How long the supervisor waits for a worker, which is left out then. Longer than reading the store may take. */
const MAX_WORKER_MS = 3_000;
/** How long a worker waits for the supervisor. */
const MAX_SUPERVISOR_MS = 5_000;

let lastNumber = 0;

/** The workers that the log says are left out. */
const silent = new WeakSet<Worker>();

/** In the supervisor: answers a worker that asks for the metrics of all, in the order of their places. */
export function shareAmongWorkers(worker: Worker, all: () => readonly Worker[], log: Logger): void {
  worker.on("message", async (message: Message) => {
    if (message.goodword !== "all metrics wanted") return;
    const ask = async (each: Worker, index: number) => {
      const wanted: Message = { goodword: "metrics wanted", number: ++lastNumber, place: index + 1 };
      const text = (await answered(each, wanted, MAX_WORKER_MS)) ?? "";
      if (text !== "") silent.delete(each);
      else if (!silent.has(each)) {
        silent.add(each);
        log.warn(
          { worker: wanted.place },
          "The metrics of a worker cannot be read: /metrics leaves them out until they can",
        );
      }
      return text;
    };
    const text = mergeTexts(await Promise.all(all().map(ask)));
    if (worker.isConnected()) worker.send({ goodword: "all metrics", number: message.number, text }, () => {});
  });
}

/** In a worker: answers the supervisor with `read`, and returns the function that asks it for the metrics of all. */
export function shareWithWorkers(read: ReadMetrics): () => Promise<string | undefined> {
  process.on("message", async (message: Message) => {
    if (message.goodword !== "metrics wanted") return;
    const text = await read({ worker: String(message.place) }).catch(() => "");
    const answer: Message = { goodword: "metrics", number: message.number, text };
    process.send?.(answer, undefined, {}, () => {}); // a supervisor that is gone needs none
  });
  return () => answered(process, { goodword: "all metrics wanted", number: ++lastNumber }, MAX_SUPERVISOR_MS);
}

/** Sends a message to the other process and waits for the answer with its number; undefined if there is none in time. */
async function answered(
  other: Pick<NodeJS.Process | Worker, "on" | "off" | "send">,
  message: Message,
  maxMs: number,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const listen = (answer: Message) => {
    if ("text" in answer && answer.number === message.number) resolve(answer.text);
  };
  const timer = setTimeout(() => resolve(undefined), maxMs);
  other.on("message", listen);
  try {
    other.send?.(message, undefined, undefined, (error: Error | null) => error && resolve(undefined));
    return await promise;
  } finally {
    clearTimeout(timer);
    other.off("message", listen);
  }
}

/** Joins texts of metrics: the samples of all for a metric stand below its one heading. */
function mergeTexts(texts: readonly string[]): string {
  const byHeading = new Map<string, string[]>();
  for (const metric of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const lines = metric.split("\n").filter((line) => line !== "");
    const [heading, samples] = [lines.slice(0, 2).join("\n"), lines.slice(2)];
    if (heading !== "") byHeading.set(heading, [...(byHeading.get(heading) ?? []), ...samples]);
  }
  return Array.from(byHeading, ([heading, samples]) => [heading, ...samples, ""].join("\n")).join("\n");
}
