/**
 * The authors of stored reviews by their words, so that a table without authors adds no review a second time: the same
 * source, day and words are one review.
 */
import { hash } from "node:crypto";
import type { AuthoredText } from "../../store/review-rows.ts";
import { type Candidate, unnamedAuthor } from "./candidate.ts";

/** Shorter texts are often alike. */
const MIN_TELLING_CHARACTERS = 20;

export interface AuthorIndex {
  /** The author of the stored review that this one must be; undefined if there is none, or more than one. */
  authorOf(review: Pick<Candidate, "source" | "date" | "text">): string | undefined;
}

/** Collects the authors of stored reviews. */
export async function indexAuthors(pages: AsyncIterable<readonly AuthoredText[]>): Promise<AuthorIndex> {
  const authors = new Map<string, string | null>();
  for await (const page of pages) {
    for (const review of page) {
      const key = keyOf(review);
      if (key === undefined || review.author === unnamedAuthor(review.source)) continue;
      const other = authors.get(key);
      authors.set(key, other === undefined || other === review.author ? review.author : null);
    }
  }
  return {
    authorOf(review) {
      const key = keyOf(review);
      return (key === undefined ? undefined : authors.get(key)) ?? undefined;
    },
  };
}

function keyOf({ source, date, text }: Pick<Candidate, "source" | "date" | "text">): string | undefined {
  if ((text?.length ?? 0) < MIN_TELLING_CHARACTERS) return undefined;
  return hash("sha1", JSON.stringify([source, date, text]), "base64");
}
