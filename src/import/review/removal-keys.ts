/**
 * Hashes that recognise a removed or redacted review in later exports: in another format, under another source, and on
 * the neighbouring days that another time zone may give it.
 */

import { createHash } from "node:crypto";
import { normalForm } from "../../lib/normal-form.ts";
import { identityPart } from "../../review.ts";
import type { Removal, RemovalKey } from "../../store/history/removal-rows.ts";
import type { ReviewTable } from "../../store/tables.ts";
import { type Basis, type Candidate, unnamedAuthor } from "./candidate.ts";

type Kind = RemovalKey["kind"];

/** Texts of at least this many characters identify a review even under another author; shorter ones are often alike. */
const MIN_TELLING_CHARACTERS = 20;
type Content = Pick<Candidate, "source" | "source_id" | "author" | "date" | "text">;

/** The fields of an imported review or a stored row that removals compare. */
export interface Suspect extends Content {
  readonly id: string;
  readonly basis: Basis;
}

/** A removal that matches a review. */
export interface RemovalMatch {
  /** The id under which the removal is listed. */
  readonly id: string;
  readonly what: ReadonlySet<Removal["what"]>;
  /** Whether source and own id match; otherwise the content does. */
  readonly isSameIdentity: boolean;
}

/** Finds removals. Built once from all those in the store. */
export interface RemovalIndex {
  readonly isEmpty: boolean;
  find(review: Suspect): RemovalMatch | undefined;
  /** Finds a removal by the id of its review, regardless of the date. */
  findById(id: string): RemovalMatch | undefined;
}

/** The keys to store for a row, without its text and names. */
export function removalKeysOf(row: ReviewTable): RemovalKey[] {
  const isDayVague = row.written_at !== null || row.text !== null;
  const days = isDayVague ? [-1, 0, 1].map((days) => dayAfter(row.date, days)) : [row.date];
  const keys = days.flatMap((date) => {
    const review = { ...row, date };
    if (folded(row.text ?? "") !== "") {
      const kinds: Kind[] = row.source_id === null ? [] : ["words of an id"];
      const ofId = kinds.flatMap((kind) => [keyOf(kind, review), keyOf(kind, unnamed(review))]);
      return [keyOf("words", review), keyOf("words alone", review), ...ofId];
    }
    return row.source_id === null
      ? [keyOf("stars", review)]
      : [keyOf("stars with an id", review), keyOf("stars of an id", review)];
  });
  return [{ kind: "identity" as const, key: identityPart(row.id) }, ...keys].map((key) => ({ id: row.id, ...key }));
}

export function indexRemovals(removals: readonly Removal[], keys: readonly RemovalKey[]): RemovalIndex {
  const whatById = new Map<string, Set<Removal["what"]>>();
  for (const { id, what } of removals) whatById.set(id, (whatById.get(id) ?? new Set()).add(what));
  const idByKey = new Map(keys.map(({ id, kind, key }) => [`${kind} ${key}`, id]));
  const wordsOfIds = new Set(keys.flatMap(({ id, kind, key }) => (kind === "words of an id" ? [`${id} ${key}`] : [])));
  /** Whether the source's own ids show that these are two reviews. */
  const isAnother = (id: string, review: Suspect) =>
    review.basis === "own id" &&
    [review, unnamed(review)].some((one) => wordsOfIds.has(`${id} ${keyOf("words of an id", one).key}`));
  const byId = (id: string) => idByKey.get(`identity ${identityPart(id)}`);
  return {
    isEmpty: removals.length === 0,
    findById(given) {
      const id = byId(given);
      const what = id === undefined ? undefined : whatById.get(id);
      return id === undefined || what === undefined ? undefined : { id, what, isSameIdentity: true };
    },
    find(review) {
      if (removals.length === 0) return undefined;
      const byIdentity = byId(review.id);
      const byContent = contentKeysOf(review).map(({ kind, key }) => idByKey.get(`${kind} ${key}`));
      const id = byIdentity ?? byContent.find((found) => found !== undefined && !isAnother(found, review));
      const what = id === undefined ? undefined : whatById.get(id);
      if (id === undefined || what === undefined) return undefined;
      return { id, what, isSameIdentity: byIdentity !== undefined };
    },
  };
}

/** The fields of a stored row that removals compare. */
export function suspectOf(row: ReviewTable): Suspect {
  return { ...row, basis: row.source_id === null ? "content" : "own id" };
}

/**
 * The keys by which the content of a review can be found. A text identifies a review regardless of its source, and of
 * its author unless both reviews have one and the text is short. A rating without text is identified by the source's
 * own id; without one it equals any other of that author, day and source.
 */
function contentKeysOf(review: Suspect): { kind: Kind; key: string }[] {
  const { text, basis } = review;
  const words = folded(text ?? "");
  if (words !== "") {
    const isTelling = words.length >= MIN_TELLING_CHARACTERS || nameOf(review) === "";
    const byWords = isTelling ? [keyOf("words alone", review)] : [];
    return [keyOf("words", review), keyOf("words", unnamed(review)), ...byWords];
  }
  const kinds: Kind[] =
    basis === "own id" ? ["stars with an id", "stars"] : basis === "content" ? ["stars", "stars of an id"] : [];
  return kinds.map((kind) => keyOf(kind, review));
}

function keyOf(kind: Kind, review: Content): { kind: Kind; key: string } {
  const { source, source_id, date, text } = review;
  const name = nameOf(review);
  const words = folded(text ?? "");
  if (kind === "words alone") return { kind, key: hash(date, words) };
  if (kind === "words of an id") return { kind, key: hash(name, date, words, source) };
  const parts = { words, "stars with an id": source_id ?? "", stars: source, identity: "" };
  return { kind, key: hash(name, date, kind === "stars of an id" ? source : parts[kind]) };
}

/** The author's name; empty if there is none. */
function nameOf({ author, source }: Content): string {
  return author === undefined || author === unnamedAuthor(source) ? "" : folded(author);
}

function unnamed(review: Content): Content {
  return { ...review, author: undefined };
}

function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Normalises line breaks and accents, which differ between exports. */
function folded(text: string): string {
  return normalForm(text, "NFC").replace(/\s+/g, " ").trim().toLowerCase();
}

function hash(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts), "utf8").digest("hex");
}
