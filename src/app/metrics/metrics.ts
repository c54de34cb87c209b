/**
 * `/metrics`: metrics in the Prometheus text format, with its naming conventions: base units, counters ending in
 * `_total`, histograms for quantiles. Label values come from the program or its owner, never from a client.
 */
import { makeCachedRead } from "./cached-read.ts";
import type { Figure } from "./figure.ts";
import type { FigureRegistry } from "./figure-registry.ts";
import { makeRequestFigures } from "./request-figures.ts";

export interface Metrics {
  /** Answers GET /metrics. */
  readonly answer: () => Promise<Response>;
  /** Counts one answered request. `route` is a pattern such as `/reviews/:id`, never client input. */
  readonly count: (route: string, status: number, seconds: number) => void;
  readonly add: (figures: readonly Figure[]) => void;
}

const TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

/** The buckets' upper bounds in seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Longer than the supervisor waits for its workers, and those for the store. */
const LONGEST_READING_MS = 6_000;

/** Offers this process's figures, under labels, to the others; returns what asks for those of all. */
export type ShareFigures = (
  read: (labels: Readonly<Record<string, string>>) => Promise<string>,
) => () => Promise<string | undefined>;

export interface MetricsParts {
  /** Workers share theirs. */
  readonly share?: ShareFigures | undefined;
  /** Called once, before the figures are read for the first time. */
  readonly onFirstRead?: () => void;
}

/**
 * Counts requests from now on. The process itself is measured from the first request for its figures on, and the library
 * loaded then: a server whose figures nobody asks for need not wake a hundred times a second to look at its event loop.
 */
export function openMetrics({ share, onFirstRead }: MetricsParts = {}): Metrics {
  const requests = makeRequestFigures(DURATION_BUCKETS);
  const figures: Figure[] = [
    {
      kind: "counter",
      name: "goodword_http_requests_total",
      help: "Requests answered, by route and status",
      labels: ["route", "status"],
      read: requests.requests,
    },
  ];
  let registry: FigureRegistry | undefined;
  let opening: Promise<FigureRegistry> | undefined;

  async function openRegistry(): Promise<FigureRegistry> {
    const { makeFigureRegistry } = await import("./figure-registry.ts");
    onFirstRead?.();
    const opened = await makeFigureRegistry(requests.histogram);
    opened.add(figures);
    registry = opened;
    return opened;
  }

  async function readOwn(labels: Readonly<Record<string, string>> = {}): Promise<string> {
    opening ??= openRegistry().catch((error: unknown) => {
      opening = undefined; // the next request tries again
      throw error;
    });
    return await (await opening).read(labels);
  }

  const ofAll = share?.(readOwn);
  /** Requests at the same time share one reading, so that many of them cost no more than one. */
  const readAll = makeCachedRead<string | undefined>(ofAll ?? (() => readOwn()), {
    keepMs: 0,
    deadlineMs: LONGEST_READING_MS,
  });

  return {
    answer: async () => {
      const text = await readAll().catch(() => undefined);
      if (text === undefined) return new Response("The figures could not be read in time\n", { status: 503 });
      return new Response(text, { headers: { "Content-Type": TEXT_FORMAT, "Cache-Control": "no-store" } });
    },
    count: requests.count,
    add(more) {
      figures.push(...more);
      registry?.add(more);
    },
  };
}
