/**
 * `/metrics`: metrics in the Prometheus text format, with its naming conventions: base units, counters ending in
 * `_total`, histograms for quantiles. Label values come from the program or its owner, never from a client.
 */
import { setTimeout as wait } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { makeCachedRead } from "./cached-read.ts";

export interface Metrics {
  /** Answers GET /metrics. */
  readonly answer: () => Promise<Response>;
  /** Counts one answered request. `route` is a pattern such as `/reviews/:id`, never client input. */
  readonly count: (route: string, status: number, seconds: number) => void;
  readonly add: (metrics: readonly Metric[]) => void;
}

/** A metric that is read when `/metrics` is requested. If reading fails, it is omitted from that response. */
export interface Metric {
  /** A counter only increases and is named `…_total`. */
  readonly kind: "gauge" | "counter";
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly read: () => number | readonly Sample[] | Promise<number | readonly Sample[]>;
}

/** One value of a metric with labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the metrics of this process, each with these labels. */
export type ReadMetrics = (labels: Readonly<Record<string, string>>) => Promise<string>;

/** Offers this process's metrics to the other workers. The result reads those of all; undefined if it cannot. */
export type ShareMetrics = (read: ReadMetrics) => () => Promise<string | undefined>;

export interface MetricsParts {
  /** Set in a worker. */
  readonly share?: ShareMetrics | undefined;
  /** Called once, before the metrics are read for the first time. */
  readonly onFirstRead?: () => void;
}

const TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

/** The buckets' upper bounds in seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Longer than the supervisor waits for its workers, and those for the store. */
const MAX_READ_MS = 6_000;

/** The library samples the delay of the event loop every ten milliseconds: it has none before the first sample. */
const FIRST_DELAY_MS = 25;

/** Gauges named like counters, which exist per type under other names, and one of 292 years while there is no sample. */
const OMITTED = [
  ...["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"],
  "nodejs_eventloop_lag_min_seconds",
];

/**
 * Counts requests from now on. The process itself is measured from the first scrape: sampling the event loop wakes the
 * process 100 times a second.
 */
export function openMetrics({ share, onFirstRead }: MetricsParts = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "goodword_http_requests_total",
    help: "Requests answered, by route and status",
    labelNames: ["route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "goodword_http_request_duration_seconds",
    help: "Seconds from the request's headers to the answer, by route",
    labelNames: ["route"],
    buckets: DURATION_BUCKETS,
    registers,
  });
  let measuring: Promise<void> | undefined;

  const readOwn: ReadMetrics = async (labels) => {
    if (measuring === undefined) {
      onFirstRead?.();
      measureProcess(registry);
      measuring = wait(FIRST_DELAY_MS);
    }
    await measuring;
    registry.setDefaultLabels(labels);
    return await registry.metrics();
  };

  /** Scrapes at the same time share one reading. */
  const readAll = makeCachedRead<string | undefined>(share?.(readOwn) ?? (() => readOwn({})), {
    keepMs: 0,
    deadlineMs: MAX_READ_MS,
  });

  return {
    answer: async () => {
      const text = await readAll().catch(() => undefined);
      if (text === undefined) return new Response("The metrics could not be read in time\n", { status: 503 });
      return new Response(text, { headers: { "Content-Type": TEXT_FORMAT, "Cache-Control": "no-store" } });
    },
    count(route, status, seconds) {
      requests.inc({ route, status });
      durations.observe({ route }, seconds);
    },
    add(metrics) {
      for (const metric of metrics) register(metric, registry);
    },
  };
}

/** Adds the library's own metrics of the process. */
function measureProcess(registry: Registry): void {
  const { user, system } = process.cpuUsage();
  collectDefaultMetrics({ register: registry });
  for (const name of OMITTED) registry.removeSingleMetric(name);
  countFrom("process_cpu_user_seconds_total", user);
  countFrom("process_cpu_system_seconds_total", system);
  countFrom("process_cpu_seconds_total", user + system);

  /** The library counts processor time from its own start, Prometheus from that of the process. */
  function countFrom(name: string, microseconds: number): void {
    const counter = registry.getSingleMetric(name);
    if (counter instanceof Counter) counter.inc(microseconds / 1e6);
  }
}

function register({ kind, name, help, labels = [], read }: Metric, registry: Registry): void {
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

/** The current samples of a metric; none if it cannot be read. */
async function samplesOf(read: Metric["read"]): Promise<readonly Sample[]> {
  try {
    const value = await read();
    return typeof value === "number" ? [{ labels: {}, value }] : value;
  } catch {
    return [];
  }
}
