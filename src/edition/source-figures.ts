/** Figures of the published reviews of each source, from the columns of the review index. */
import type { ReviewIndex } from "./review-index.ts";

export interface SourceFigures {
  readonly published: number;
  /** The date of the newest review. */
  readonly newest: string;
}

type Columns = Pick<ReviewIndex, "count" | "days" | "ratings" | "sources" | "sourceNames">;

/** By the names of the sources, those of the newest reviews first. */
export function figuresBySource({ count, days, sources, sourceNames }: Columns): ReadonlyMap<string, SourceFigures> {
  const counts = new Uint32Array(sourceNames.length);
  const figures = new Map<number, string>();
  for (let position = 0; position < count; position++) {
    const source = sources[position] ?? 0;
    if (counts[source] === 0) figures.set(source, dateOf(days[position] ?? 0));
    counts[source] = (counts[source] ?? 0) + 1;
  }
  return new Map([...figures].map(([at, newest]) => [sourceNames[at] ?? "", { published: counts[at] ?? 0, newest }]));
}

/** The stars of a source's reviews. */
export function ratingsOf({ ratings, sources, sourceNames }: Columns, source: string): Uint8Array {
  const sought = sourceNames.indexOf(source);
  return ratings.filter((_, position) => sources[position] === sought);
}

function dateOf(day: number): string {
  return String(day)
    .padStart(8, "0")
    .replace(/(....)(..)(..)/, "$1-$2-$3");
}
