/**
 * Counts requests and how long they took, by route. Each request is counted, also those that are answered with ready
 * bytes, so counting must cost next to nothing: the library would check and join the labels each time.
 */

interface RouteFigures {
  /** Requests by status. */
  readonly statuses: Map<number, number>;
  /** Requests by the bucket that their duration falls into. The last one has no bound. */
  readonly counts: number[];
  seconds: number;
}

/** One line of the text format. */
interface Line {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export interface RequestFigures {
  /** Counts one answered request. */
  readonly count: (route: string, status: number, seconds: number) => void;
  /** The number of requests by route and status. */
  readonly requests: () => { readonly labels: { readonly route: string; readonly status: string }; value: number }[];
  /** The lines of a histogram of the durations. */
  readonly histogram: (name: string) => Line[];
}

/** `bounds` are those of the histogram's buckets, in ascending order. */
export function makeRequestFigures(bounds: readonly number[]): RequestFigures {
  const byRoute = new Map<string, RouteFigures>();

  function figuresOf(route: string): RouteFigures {
    const known = byRoute.get(route);
    if (known !== undefined) return known;
    const made = { statuses: new Map(), counts: Array.from({ length: bounds.length + 1 }, () => 0), seconds: 0 };
    byRoute.set(route, made);
    return made;
  }

  function linesOf(name: string, route: string, { counts, seconds }: RouteFigures): Line[] {
    let sum = 0;
    const buckets = counts.map((count, bucket) => {
      sum += count;
      return { metricName: `${name}_bucket`, labels: { le: bounds[bucket] ?? "+Inf", route }, value: sum };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: { route }, value: seconds },
      { metricName: `${name}_count`, labels: { route }, value: sum },
    ];
  }

  return {
    count(route, status, seconds) {
      const figures = figuresOf(route);
      const { statuses, counts } = figures;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      figures.seconds += seconds;
    },
    requests: () =>
      [...byRoute].flatMap(([route, { statuses }]) =>
        Array.from(statuses, ([status, value]) => ({ labels: { route, status: String(status) }, value })),
      ),
    histogram: (name) => [...byRoute].flatMap(([route, figures]) => linesOf(name, route, figures)),
  };
}
