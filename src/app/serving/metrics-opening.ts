/** Opens the metrics of a server, late in its start, and their own port where one is set. */

import type { LoadShedding } from "../../http/load-shedding.ts";
import { refuse } from "../../http/refusal.ts";
import { openServer, type RunningServer } from "../../http/server.ts";
import type { Config } from "../config.ts";
import type { Metric, Metrics, ShareMetrics } from "../metrics/metrics.ts";
import { maxOpenFiles, shareConnections } from "./connection-shares.ts";

/** The parts of the server that metrics are read from, besides the services. */
interface Measured {
  readonly server: RunningServer;
  readonly shedding: LoadShedding;
  /** Loads what else is measured from the start. */
  readonly others: () => Promise<readonly Metric[]>;
}

interface MetricsSettings {
  /** Has each worker answer for all at `/metrics`. */
  readonly shareMetrics?: ShareMetrics | undefined;
  readonly onFault: (error: unknown) => void;
  /** Called once, before the metrics are read for the first time. */
  readonly onFirstRead: () => void;
  /** Called with the server of the metrics' own port. */
  readonly onPort: (server: RunningServer) => void;
}

/** Metrics that requests can be counted in, and that can be asked for, before they are open. */
export interface MetricsOpening {
  /** Opens the metrics once, without those of the services. Needs no store, so that they can show an outage. */
  open(): Promise<Metrics>;
  /** Fails every request that waits for the metrics. */
  failed(error: unknown): void;
  /** Answers GET /metrics as soon as they are open. */
  answer(): Promise<Response>;
  readonly count: Metrics["count"];
}

export function makeMetricsOpening(config: Config, measured: Measured, settings: MetricsSettings): MetricsOpening {
  let metrics: Metrics | undefined;
  let opening: Promise<Metrics> | undefined;
  const there = Promise.withResolvers<Metrics>();
  there.promise.catch(() => {}); // the caller of open() reports it
  return {
    async open() {
      opening ??= openAll();
      metrics = await opening;
      there.resolve(metrics);
      return metrics;
    },
    failed: there.reject,
    answer: async () => await (await there.promise).answer(),
    count(...answer) {
      if (metrics !== undefined) metrics.count(...answer);
      else there.promise.then((opened) => opened.count(...answer)).catch(() => {});
    },
  };

  async function openAll(): Promise<Metrics> {
    const { openMetrics } = await import("../metrics/metrics.ts");
    const { httpMetrics } = await import("../metrics/service-metrics.ts");
    const { server, shedding, others } = measured;
    const opened = openMetrics({ share: settings.shareMetrics, onFirstRead: settings.onFirstRead });
    opened.add([...(await others()), ...httpMetrics(server, shedding)]);
    if (config.METRICS_PORT !== null) settings.onPort(await openPort(config.METRICS_PORT, opened));
    return opened;
  }

  async function openPort(port: number, { answer }: Metrics): Promise<RunningServer> {
    const route = async (request: Request) =>
      new URL(request.url).pathname === "/metrics" ? await answer() : refuse(404, "There is only /metrics here");
    const maxConnections = shareConnections(maxOpenFiles()).metrics;
    try {
      return await openServer(route, { host: config.HOST, port, onFault: settings.onFault, maxConnections });
    } catch (error) {
      throw error instanceof Error ? Object.assign(error, { setting: "METRICS_PORT" }) : error; // named to the operator
    }
  }
}
