/** Formats numbers, names and dates as English text. */
import { MONTH_NAMES } from "../../calendar-date.ts";

/** "1 review", "2 reviews". */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A whole number of zero or more with grouped thousands, as `Intl` writes it, which takes 20 ms for the first one. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "a", "a and b", "a, b and c". */
export function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** "March 2026" for a day or month that begins with YYYY-MM. */
export function monthName(day: string): string {
  return `${MONTH_NAMES[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
}

/** A name with the number of its reviews, and what they are most often about. */
interface CountedName {
  readonly name: string;
  readonly count: number;
  readonly topics?: readonly CountedTopic[];
}

/** What some of the reviews of a count are about, and how many. */
export interface CountedTopic {
  readonly label: string;
  readonly count: number;
}

/** "A (15 reviews), B (14; named there: D 9) and C (1)"; with a bound, "A (about 15 reviews) and B (about 14)". */
export function countedNames(entries: readonly CountedName[], bound: "" | "about " | "at least " = ""): string {
  return listed(
    entries.map(({ name, count, topics }, index) => {
      const shown = index === 0 ? counted(count, "review") : grouped(count);
      return `${name} (${bound}${shown}${namedThere(topics)})`;
    }),
  );
}

/** Continues a count with the topics of its reviews, each with its own count: the rest is seen to be of something else. */
export function namedThere(topics: readonly CountedTopic[] = []): string {
  return topics.length === 0
    ? ""
    : `; named there: ${listed(topics.map(({ label, count }) => `${label} ${grouped(count)}`))}`;
}
