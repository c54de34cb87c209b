/** Finds reviews that the store holds under two sources, so that each is published once (interface §5). */
import { hash } from "node:crypto";
import type { ReviewTable } from "./tables.ts";

/** What decides whether two rows are copies of one review, and which of them came first. */
export type CopyRow = Pick<ReviewTable, "id" | "source" | "source_id" | "author" | "date" | "text" | "arrived">;

/** A row that is not published because another source brought the same review before. */
export interface Copy {
  readonly id: string;
  readonly source: string;
  /** The row that is published in its place. */
  readonly original: { readonly id: string; readonly source: string };
}

interface Member {
  readonly id: string;
  readonly source: string;
  readonly arrived: number;
}

/**
 * Collects rows and tells which are copies. Two rows of different sources are the same review when author, day and words
 * agree; ratings without words only when the source's own id agrees as well. The source that came first keeps it; of
 * sources that came together, the one that stands earlier in `verifiedSources`. Rows of one source are never copies of
 * each other.
 */
export class CopyFinder {
  readonly #rank: (source: string) => number;
  readonly #members = new Map<string, Member | Member[]>();

  constructor(verifiedSources: readonly string[]) {
    this.#rank = (source) => (verifiedSources.includes(source) ? verifiedSources.indexOf(source) : Infinity);
  }

  add(row: CopyRow): void {
    const key = copyKey(row);
    if (key === undefined) return;
    const member = { id: row.id, source: row.source, arrived: row.arrived };
    const known = this.#members.get(key);
    if (Array.isArray(known)) known.push(member);
    else this.#members.set(key, known === undefined ? member : [known, member]);
  }

  *copies(): Generator<Copy> {
    for (const members of this.#members.values()) {
      if (!Array.isArray(members)) continue;
      const original = members.toSorted((a, b) => this.#compare(a, b))[0];
      if (original === undefined) continue;
      for (const { id, source } of members) if (source !== original.source) yield { id, source, original };
    }
  }

  #compare(a: Member, b: Member): number {
    const [left, right] = [this.#rank(a.source), this.#rank(b.source)];
    if (a.arrived !== b.arrived) return a.arrived - b.arrived;
    if (left !== right) return left < right ? -1 : 1;
    return a.source < b.source ? -1 : a.source > b.source ? 1 : 0;
  }
}

/** The same for copies of one review; undefined for a rating without words or id, which nothing identifies. */
function copyKey({ author, date, text, source_id }: CopyRow): string | undefined {
  const words = text === null ? "" : normalised(text);
  if (words === "" && source_id === null) return undefined;
  const name = normalised(author).toLowerCase();
  return hash("sha1", JSON.stringify([name, date, words, words === "" ? source_id : ""]), "base64");
}

/** Spreadsheets and exports wrap lines and compose accents differently; the words are the same. */
function normalised(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}
