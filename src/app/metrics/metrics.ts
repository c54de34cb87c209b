/**
 * `/metrics`: metrics in the Prometheus text format, with its naming conventions: base units, counters ending in
 * `_total`, histograms for quantiles. Label values come from the program or its owner, never from a client.
 */
import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from "prom-client";
import { makeCachedRead } from "./cached-read.ts";
import { makeRequestFigures } from "./request-figures.ts";

/** One value of a metric with labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric that is read when `/metrics` is requested. If reading fails, it is omitted from that response. */
export interface Figure {
  /** A counter only increases and is named `…_total`. */
  readonly kind: "gauge" | "counter";
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly read: () => number | readonly Sample[] | Promise<number | readonly Sample[]>;
}

export interface Metrics {
  /** Answers GET /metrics. */
  readonly answer: () => Promise<Response>;
  /** Counts one answered request. `route` is a pattern such as `/reviews/:id`, never client input. */
  readonly count: (route: string, status: number, seconds: number) => void;
  readonly add: (figures: readonly Figure[]) => void;
}

/** The buckets' upper bounds in seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Longer than the supervisor waits for its workers, and those for the store. */
const LONGEST_READING_MS = 6_000;

/** Gauges that the library names like counters. The same figures exist per type under other names. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** Offers this process's figures, under labels, to the others; returns what asks for those of all. */
export type ShareFigures = (
  read: (labels: Readonly<Record<string, string>>) => Promise<string>,
) => () => Promise<string | undefined>;

/** Starts collecting metrics of the process and of requests. `add` adds others. Workers share theirs. */
export function openMetrics(share?: ShareFigures): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const figures = makeRequestFigures(DURATION_BUCKETS);
  registry.registerMetric(durations());
  add([
    {
      kind: "counter",
      name: "goodword_http_requests_total",
      help: "Requests answered, by route and status",
      labels: ["route", "status"],
      read: figures.requests,
    },
  ]);

  /** What the registry asks of a histogram. */
  function durations(): Histogram {
    const [name, type] = ["goodword_http_request_duration_seconds", "histogram"];
    const help = "Seconds from the request's headers to the answer, by route";
    const get = async () => ({ name, type, help, values: figures.histogram(name) });
    return { name, type, help, get } as unknown as Histogram;
  }

  function add(figures: readonly Figure[]): void {
    for (const { kind, name, help, labels = [], read } of figures) {
      new (kind === "gauge" ? Gauge : Counter)({
        ...{ name, help, labelNames: [...labels], registers: [registry] },
        async collect() {
          const samples = await samplesOf(read);
          this.reset();
          if (samples.length === 0 && labels.length === 0) this.remove(); // it would be reported as 0
          for (const { labels, value } of samples) this.inc(labels, value);
        },
      });
    }
  }

  const ofAll = share?.((labels) => {
    registry.setDefaultLabels(labels);
    return registry.metrics();
  });

  /** Requests at the same time share one reading, so that many of them cost no more than one. */
  const readAll = makeCachedRead(ofAll ?? (() => registry.metrics()), { keepMs: 0, deadlineMs: LONGEST_READING_MS });

  return {
    answer: async () => {
      const headers = { "Content-Type": registry.contentType, "Cache-Control": "no-store" };
      const text = await readAll().catch(() => undefined);
      if (text === undefined) return new Response("The figures could not be read in time\n", { status: 503 });
      return new Response(text, { headers });
    },
    count: figures.count,
    add,
  };
}

/** The current samples of a metric; none if it cannot be read. */
async function samplesOf(read: Figure["read"]): Promise<readonly Sample[]> {
  try {
    const value = await read();
    return typeof value === "number" ? [{ labels: {}, value }] : value;
  } catch {
    return [];
  }
}
