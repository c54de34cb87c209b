/**
 * The registry behind `/metrics`: the library's own figures of the process, the requests and all that others add, in the
 * Prometheus text format. Made when the figures are first asked for.
 */
import { setTimeout as wait } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from "prom-client";
import type { Figure, Sample } from "./figure.ts";
import type { RequestFigures } from "./request-figures.ts";

export interface FigureRegistry {
  readonly add: (figures: readonly Figure[]) => void;
  /** All figures as text, each with these labels. */
  readonly read: (labels: Readonly<Record<string, string>>) => Promise<string>;
}

/** Gauges that the library names like counters. The same figures exist per type under other names. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** The delay of the event loop is measured every ten milliseconds: until then it has no figures. */
const FIRST_DELAYS_MS = 25;

/** Makes the registry, and begins to measure the process. */
export async function makeFigureRegistry(durations: RequestFigures["histogram"]): Promise<FigureRegistry> {
  const registry = new Registry();
  const { user, system } = process.cpuUsage();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  countFrom("process_cpu_user_seconds_total", user);
  countFrom("process_cpu_system_seconds_total", system);
  countFrom("process_cpu_seconds_total", user + system);
  registry.registerMetric(histogramOf(durations));
  await wait(FIRST_DELAYS_MS);

  /** The library counts processor time from its own start on, and others from that of the process. */
  function countFrom(name: string, microseconds: number): void {
    const counter = registry.getSingleMetric(name);
    if (counter instanceof Counter) counter.inc(microseconds / 1e6);
  }

  return {
    add(figures) {
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
    },
    async read(labels) {
      registry.setDefaultLabels(labels);
      return await registry.metrics();
    },
  };
}

/** What the registry asks of a histogram. */
function histogramOf(durations: RequestFigures["histogram"]): Histogram {
  const [name, type] = ["goodword_http_request_duration_seconds", "histogram"];
  const help = "Seconds from the request's headers to the answer, by route";
  const get = async () => ({ name, type, help, values: durations(name) });
  return { name, type, help, get } as unknown as Histogram;
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
