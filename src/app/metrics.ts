/** `/metrics`: figures about the process, the edition and the requests, in the text format of Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Edition } from "../edition/edition.ts";

export interface Metrics {
  /** The answer to GET /metrics. */
  readonly answer: () => Promise<Response>;
  /** Counts one answered request. `route` is a pattern such as `/reviews/:id`, never what a client sent. */
  readonly count: (route: string, status: number, seconds: number) => void;
  /** Adds a gauge: a figure that rises and falls, read when it is asked for. */
  readonly watch: (name: string, help: string, read: () => number) => void;
  /** Adds a counter: a figure that only rises, named `…_total`. */
  readonly watchCounter: (name: string, help: string, read: () => number) => void;
}

/** Starts collecting. */
export function openMetrics(edition: () => Edition | undefined): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Map<string, number>();
  let secondsSum = 0;
  new Counter({
    name: "goodword_http_requests_total",
    help: "Requests answered, by route and status",
    labelNames: ["route", "status"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, value] of requests) {
        const [status = "", route = ""] = key.split(" ");
        this.inc({ route, status }, value);
      }
    },
  });
  new Counter({
    name: "goodword_http_request_seconds_total",
    help: "Seconds from request to answer, in all",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(secondsSum);
    },
  });
  const watch = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  const watchCounter = (name: string, help: string, read: () => number) => {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
  watch("goodword_edition_revision", "Revision of the edition that is served", () => edition()?.revision ?? -1);
  watch("goodword_published_reviews", "Reviews in the edition that is served", () => edition()?.reviewCount ?? 0);
  return {
    answer: async () => {
      const headers = { "Content-Type": registry.contentType, "Cache-Control": "no-store" };
      return new Response(await registry.metrics(), { headers });
    },
    count: (route, status, seconds) => {
      const key = `${status} ${route}`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      secondsSum += seconds;
    },
    watch,
    watchCounter,
  };
}
