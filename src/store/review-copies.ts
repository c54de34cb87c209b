/** Finds reviews that were imported from two sources, so that each is published once (interface §5). */

import { hash } from "node:crypto";
import { normalForm } from "../lib/normal-form.ts";
import type { ReviewTable } from "./tables.ts";

/** The columns that decide whether two rows are copies of one review and which of them came first. */
export type CopyRow = Pick<ReviewTable, "id" | "source" | "source_id" | "author" | "date" | "text" | "arrived">;

/** A row that is not published because the same review was imported earlier from another source. */
export interface Copy {
  readonly id: string;
  readonly source: string;
  /** The row that is published instead. */
  readonly original: { readonly id: string; readonly source: string };
}

interface Member {
  readonly id: string;
  readonly source: string;
  readonly arrived: number;
}

/**
 * Collects rows and finds the copies among them. Two rows of different sources are the same review if author, day and
 * text are equal; without a text, the source's own ids must be equal too. The source that was imported first is the
 * original; of sources in the same import, the one that `verifiedSources` lists first. Rows of one source are never
 * copies of each other.
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
    const others = this.#members.get(key);
    if (Array.isArray(others)) others.push(member);
    else this.#members.set(key, others === undefined ? member : [others, member]);
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

/** A key that copies of a review share. Undefined for a rating without text or id, which cannot be identified. */
function copyKey({ author, date, text, source_id }: CopyRow): string | undefined {
  const words = text === null ? "" : normalised(text);
  if (words === "" && source_id === null) return undefined;
  const name = normalised(author).toLowerCase();
  return hash("sha1", JSON.stringify([name, date, words, words === "" ? source_id : ""]), "base64");
}

/** Ignores differences in line breaks and in the composition of accents, which vary between exports. */
function normalised(text: string): string {
  return normalForm(text, "NFC").replace(/\s+/g, " ").trim();
}
