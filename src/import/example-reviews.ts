/** A few reviews of a file, as they would be published: they show at once if something was taken for something else. */
import type { Candidate } from "./review/candidate.ts";
import { oneLine } from "./review/customer-text.ts";

/** A review as an example. Long words are cut in their middle: what does not belong to them is often at the end. */
interface ExampleReview {
  readonly author: string | null;
  readonly rating: number;
  readonly date: string;
  readonly text: string | null;
  /** The owner's reply. */
  readonly reply: string | null;
}

/** `lowest`: the first one with the fewest stars. Absent where it is one of the others, and `last` where it is the first. */
export interface Examples {
  readonly first: ExampleReview;
  readonly lowest?: ExampleReview;
  readonly last?: ExampleReview;
}

/** The examples of one file after one more of its reviews. */
export function withExample(before: Examples | undefined, review: Candidate): Examples {
  const last = exampleOf(review);
  if (before === undefined) return { first: last };
  return joinedExamples(before, { first: last });
}

/** The examples of files that are read one after the other. */
export function joinedExamples(before: Examples, after: Examples): Examples {
  const { first } = before;
  const last = after.last ?? after.first;
  const all = [first, before.lowest, before.last, after.first, after.lowest, last].filter((each) => each !== undefined);
  const lowest = all.reduce((lower, each) => (each.rating < lower.rating ? each : lower));
  return { first, ...(lowest !== first && lowest !== last && { lowest }), last };
}

const [MAX_START, MAX_END, MAX_READ] = [60, 30, 1000];

function exampleOf({ author, rating, date, text, owner_reply }: Candidate): ExampleReview {
  return { author: author ?? null, rating, date, text: excerpt(text), reply: excerpt(owner_reply?.text) };
}

function excerpt(text: string | null | undefined): string | null {
  const line = oneLine(
    (text ?? "").length > MAX_READ ? `${text?.slice(0, MAX_START * 4)} … ${text?.slice(-MAX_END * 4)}` : (text ?? ""),
  );
  if (line === "") return null;
  if (line.length <= MAX_START + MAX_END) return line;
  return `${line.slice(0, MAX_START).toWellFormed()} … ${line.slice(-MAX_END).toWellFormed()}`;
}
