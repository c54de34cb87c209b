/** What others add to `/metrics`. Names follow the conventions of Prometheus. */

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
