/**
 * `/metrics` of several workers: whichever is asked answers for all. Each worker's figures carry its place among the
 * workers as a label, so that its counters are told apart from those of the others, and start at zero again only when
 * that worker is replaced, which Prometheus expects of counters.
 */
import type { Worker } from "node:cluster";

type Message =
  /** To the supervisor: what do all say? And its answer. */
  | { readonly goodword: "figures wanted"; readonly number: number }
  | { readonly goodword: "figures of all"; readonly number: number; readonly text: string }
  /** To a worker: what do you say? And its answer. */
  | { readonly goodword: "figures asked"; readonly number: number; readonly worker: number }
  | { readonly goodword: "figures told"; readonly number: number; readonly text: string };

/** How long the supervisor waits for a worker; one that does not answer is left out. Longer than reading the store may take. */
const WORKER_MS = 3_000;
/** How long a worker waits for the supervisor. */
const SUPERVISOR_MS = 5_000;

let lastNumber = 0;

/** Answers a worker that asks the supervisor for the figures of all workers, in the order of their places. */
export function answerForAll(worker: Worker, all: () => readonly Worker[]): void {
  worker.on("message", (message: Message) => {
    if (message.goodword !== "figures wanted") return;
    void Promise.all(all().map((each, index) => figuresOf(each, index + 1))).then((texts) => {
      const text = mergeFigures(texts.filter((each) => each !== undefined));
      if (worker.isConnected()) worker.send({ goodword: "figures of all", number: message.number, text }, () => {});
    });
  });
}

async function figuresOf(worker: Worker, place: number): Promise<string | undefined> {
  if (!worker.isConnected()) return undefined;
  const number = ++lastNumber;
  return await answered(worker, { goodword: "figures asked", number, worker: place }, WORKER_MS);
}

/**
 * In a worker: answers the supervisor with `read`, and returns the function that asks it for the figures of all;
 * undefined if it does not answer.
 */
export function openSharedFigures(
  read: (labels: Readonly<Record<string, string>>) => Promise<string>,
): () => Promise<string | undefined> {
  process.on("message", (message: Message) => {
    if (message.goodword !== "figures asked") return;
    const { number, worker } = message;
    void read({ worker: `${worker}` }).then((text) => {
      if (process.connected) process.send?.({ goodword: "figures told", number, text } satisfies Message);
    });
  });
  return async () =>
    process.connected
      ? await answered(process, { goodword: "figures wanted", number: ++lastNumber }, SUPERVISOR_MS)
      : undefined;
}

/** Sends a message over the channel between supervisor and worker, and waits for the answer with its number. */
async function answered(
  other: Pick<NodeJS.Process | Worker, "on" | "off" | "send">,
  message: Message,
  deadlineMs: number,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const listen = (answer: Message) => {
    if ("text" in answer && answer.number === message.number) resolve(answer.text);
  };
  const timer = setTimeout(() => resolve(undefined), deadlineMs);
  other.on("message", listen);
  try {
    other.send?.(message, undefined, undefined, () => {});
    return await promise;
  } finally {
    clearTimeout(timer);
    other.off("message", listen);
  }
}

/** Joins texts of figures: what each says of a figure stands together below the figure's one heading. */
export function mergeFigures(texts: readonly string[]): string {
  const figures = new Map<string, string[]>();
  for (const text of texts) {
    for (const figure of text.split(/^(?=# HELP )/m)) {
      const lines = figure.split("\n").filter((line) => line !== "");
      const heading = lines.filter((line) => line.startsWith("#")).join("\n");
      const samples = lines.filter((line) => !line.startsWith("#"));
      if (heading !== "") figures.set(heading, [...(figures.get(heading) ?? []), ...samples]);
    }
  }
  return Array.from(figures, ([heading, samples]) => [heading, ...samples, ""].join("\n")).join("\n");
}
