/**
 * Search: finds the reviews of the index that match a filter. Dates narrow it to a range of positions. With a word index,
 * only texts that can match the words are read, and none if the query is one term.
 */
import type { Business } from "../business.ts";
import type { Filter } from "../filter.ts";
import { wordsOf } from "../filter-names.ts";
import { type MarkKind, nameOfMark } from "../insight/statistics/analysed-reviews.ts";
import { lowerBound } from "../lib/lower-bound.ts";
import { makeFind, SEPARATOR } from "./byte-search.ts";
import { foldCase } from "./case-folding.ts";
import { openItemWriter } from "./item-writer.ts";
import { countAfter, countSince, type ReviewIndex, recordSlice, reviewAt } from "./review-index.ts";
import { finish, type Steps } from "./steps.ts";
import { foldWords, lettersOf, makeWordTest } from "./whole-words.ts";
import { findCandidates, findWholeWords, HOLDS_NONE, HOLDS_ONE, type WordIndex } from "./word-index.ts";

/** The total number of matches, and the positions of those within offset and limit. */
export interface Hits {
  readonly matched: number;
  readonly positions: readonly number[];
}

/** The number of reviews that a search looks at in one step, and the bytes of their texts if there is more than one. */
const [STEP_REVIEWS, STEP_BYTES] = [2_048, 2_097_152];

/**
 * Finds the reviews that match all members of the filter, newest first or in the order asked for.
 * @public Benches measure it.
 */
export function search(reviewIndex: ReviewIndex, business: Business, filter: Filter): Hits {
  return finish(searchSteps(reviewIndex, business, filter));
}

/** The same in steps of a millisecond or less, after each of which other work can be done. */
export function* searchSteps(reviewIndex: ReviewIndex, business: Business, filter: Filter): Steps<Hits> {
  const start = filter.until === undefined ? 0 : countAfter(reviewIndex, filter.until);
  const end = filter.since === undefined ? reviewIndex.count : countSince(reviewIndex, filter.since);
  const { sort = "newest", has_reply: replied, has_text: written } = filter;
  const hits = sort === "newest" ? collector(filter) : sortingCollector(filter, sort, reviewIndex.ratings);
  const isRated = ratingTest(filter, reviewIndex);
  const named = namedPositions(reviewIndex, business, filter);
  const isOpen = [isRated, named, replied, written].every((one) => one === undefined);
  const isAllowed = (position: number) =>
    (isRated === undefined || isRated(position)) &&
    (named === undefined || named[position] === 1) &&
    (replied === undefined || (reviewIndex.replied[position] === 1) === replied) &&
    (written === undefined || hasText(reviewIndex, position) === written);
  const columns = yield* textColumns(reviewIndex, filter);
  const questions = textQuestions(filter);
  let scope: Scope = { start, end, isAllowed };
  for (const [number, find] of questions.entries()) {
    const [only] = columns;
    if (number === questions.length - 1 && only !== undefined && columns.length === 1) {
      yield* find(only, scope, hits.add);
      return { matched: hits.matched(), positions: hits.positions() };
    }
    const found = new Uint8Array(reviewIndex.count);
    const note = (position: number) => {
      found[position] = 1;
    };
    for (const texts of columns) yield* find(texts, scope, note);
    scope = { start, end, isAllowed: (position) => found[position] === 1 };
  }
  if (isOpen && questions.length === 0) {
    hits.addAll(start, end);
  } else {
    for (let position = start; position < end; position++) {
      if (scope.isAllowed(position)) hits.add(position);
      if ((position - start) % STEP_REVIEWS === STEP_REVIEWS - 1) yield;
    }
  }
  return { matched: hits.matched(), positions: hits.positions() };
}

/** Tests the stars of a review; undefined if the filter allows any. */
function ratingTest({ rating, min_rating, max_rating }: Filter, { ratings }: ReviewIndex) {
  if (rating === undefined && min_rating === undefined && max_rating === undefined) return undefined;
  const allowed = [0, 1, 2, 3, 4, 5].map(
    (stars) =>
      (rating === undefined || stars === rating) &&
      (min_rating === undefined || stars >= min_rating) &&
      (max_rating === undefined || stars <= max_rating),
  );
  return (position: number): boolean => allowed[ratings[position] ?? 0] ?? false;
}

/** Whether the review has more in the index of texts than the byte that ends it. */
function hasText({ wordStarts }: ReviewIndex, position: number): boolean {
  return (wordStarts[position + 1] ?? 0) - (wordStarts[position] ?? 0) > 1;
}

/** Counts matches and collects the positions within offset and limit. */
function collector({ offset, limit }: Filter) {
  const positions: number[] = [];
  let matched = 0;
  return {
    positions: () => positions,
    matched: () => matched,
    add(position: number): void {
      if (matched >= offset && positions.length < limit) positions.push(position);
      matched++;
    },
    /** Adds all positions from `start` to `end` without iterating over them. */
    addAll(start: number, end: number): void {
      const last = Math.min(end, start + offset + limit);
      for (let position = start + offset; position < last; position++) positions.push(position);
      matched = Math.max(0, end - start);
    },
  };
}

/** Collects all matches, those of each number of stars apart if the order is by stars. */
function sortingCollector({ offset, limit }: Filter, order: NonNullable<Filter["sort"]>, ratings: Uint8Array) {
  const found: number[][] = [[], [], [], [], [], []];
  const groupOf = order === "oldest" ? () => 0 : (position: number) => ratings[position] ?? 0;
  let matched = 0;
  const add = (position: number): void => {
    matched++;
    found[groupOf(position)]?.push(position);
  };
  return {
    positions(): readonly number[] {
      const groups = order === "lowest" ? found : found.toReversed();
      const positions: number[] = [];
      let passed = 0;
      for (const group of groups) {
        const first = Math.max(0, offset - passed);
        const last = offset + limit - passed; // as group.length grows, `slice` ends where the group does
        if (last > 0) positions.push(...slice(group, first, last));
        passed += group.length;
      }
      return positions;
    },
    matched: () => matched,
    add,
    addAll(start: number, end: number): void {
      for (let position = start; position < end; position++) add(position);
    },
  };

  /** Part of a group; with `oldest` its last match comes first. */
  function slice(group: readonly number[], first: number, last: number): number[] {
    if (order !== "oldest") return group.slice(first, last);
    const length = group.length;
    return group.slice(Math.max(0, length - last), Math.max(0, length - first)).reverse();
  }
}

/** `{ matched, returned, reviews[], hints[]? }` as JSON (interface §1, search result). */
export function renderHits(reviewIndex: ReviewIndex, hits: Hits, hints: readonly string[] = []): Uint8Array {
  const reviews = hits.positions.flatMap((position, index) => {
    const record = recordSlice(reviewIndex, position, position + 1);
    return index === 0 ? [record] : [Buffer.from(","), record];
  });
  const head = `{"matched":${hits.matched},"returned":${hits.positions.length},"reviews":[`;
  const tail = hints.length === 0 ? "]}" : `],"hints":${JSON.stringify(hints)}}`;
  return Buffer.concat([Buffer.from(head), ...reviews, Buffer.from(tail)]);
}

/**
 * 1 for each review that matches all filters of mentions, topics and languages; undefined without such filters. An
 * unknown name matches no review.
 */
function namedPositions(reviewIndex: ReviewIndex, business: Business, filter: Filter): Uint8Array | undefined {
  const { mentions_technician: technician, mentions_service: service, topic, language } = filter;
  const lists: (readonly (Uint32Array | undefined)[])[] = [];
  if (technician !== undefined) {
    const isAsked = sameAs(technician);
    const named = business.technicians.filter(({ id, name }) => isAsked(id) || isAsked(name));
    lists.push(named.map(({ id }) => reviewIndex.technicians.get(id)));
  }
  if (service !== undefined) {
    const isAsked = sameAs(service);
    const named = business.services.filter(({ id, label }) => isAsked(id) || isAsked(label));
    lists.push(named.map(({ id }) => reviewIndex.services.get(id)));
  }
  if (topic !== undefined) {
    const isAsked = sameAs(topic);
    lists.push(reviewIndex.themes.filter(({ id }) => isAsked(id)).map(({ positions }) => positions));
  }
  if (language !== undefined) lists.push(markedPositions(reviewIndex, "language", language));
  if (lists.length === 0) return undefined;
  const flags = new Uint8Array(reviewIndex.count);
  for (const [round, alternatives] of lists.entries()) {
    for (const list of alternatives) {
      for (const position of list ?? []) if (flags[position] === round) flags[position] = round + 1;
    }
  }
  return lists.length === 1 ? flags : flags.map((rounds) => (rounds === lists.length ? 1 : 0));
}

/** The positions of the reviews whose analysis has the mark, case aside. A scan, because few searches ask for one. */
function markedPositions(
  { marks, markStarts, markNames, count }: ReviewIndex,
  kind: MarkKind,
  id: string,
): [Uint32Array] {
  const isAsked = sameAs(nameOfMark(kind, id));
  const asked = Uint8Array.from(markNames, (name) => (isAsked(name) ? 1 : 0));
  const found: number[] = [];
  for (let position = 0, at = 0; position < count; position++) {
    let isMarked = false;
    for (const end = markStarts[position + 1] as number; at < end; at++) isMarked ||= asked[marks[at] as number] === 1;
    if (isMarked) found.push(position);
  }
  return [Uint32Array.from(found)];
}

/** Folds the query only once, because a tool's argument may be long. */
function sameAs(asked: string): (name: string) => boolean {
  const sought = foldCase(asked);
  return (name) => foldCase(name) === sought;
}

/** Where to look for words. */
interface Scope {
  readonly start: number;
  readonly end: number;
  readonly isAllowed: (position: number) => boolean;
}

/** The case-folded texts of all reviews, as in a review index, or their replies. */
interface Texts {
  readonly words: Uint8Array;
  readonly wordStarts: Uint32Array;
  readonly wordIndex?: WordIndex | undefined;
}

/** Finds the reviews of a scope whose text meets a condition, ascending. */
type FindInTexts = (texts: Texts, scope: Scope, found: (position: number) => void) => Steps<void>;

/** The conditions on texts: a review meets each of them in its text or in its reply. */
function textQuestions({ query, words, all_words: allWords }: Filter): FindInTexts[] {
  const sought = [words === undefined ? [] : wordsOf(words), ...wordsOf(allWords ?? "").map((word) => [word])];
  const questions = sought.filter(({ length }) => length > 0).map(wordFinder);
  return query === undefined ? questions : [queryFinder(Buffer.from(foldCase(query))), ...questions];
}

/** The texts in which a filter looks for words. */
function* textColumns(index: ReviewIndex, { in: place = "text" }: Filter): Steps<readonly Texts[]> {
  if (place === "text") return [index];
  const replies = yield* repliesOf(index);
  return place === "reply" ? [replies] : [index, replies];
}

const repliesMemo = new WeakMap<ReviewIndex, Texts>();

/** The case-folded replies of an edition: made when a search first asks for them, because few do. */
function* repliesOf(index: ReviewIndex): Steps<Texts> {
  const before = repliesMemo.get(index);
  if (before !== undefined) return before;
  const writer = openItemWriter(index.count, SEPARATOR);
  for (let position = 0, read = 0; position < index.count; position++) {
    const text = index.replied[position] === 1 ? (reviewAt(index, position).owner_reply?.text ?? "") : "";
    writer.add(foldCase(text));
    if (text !== "") read += (index.starts[position + 1] as number) - (index.starts[position] as number);
    if (read < STEP_TEXT_BYTES) continue;
    read = 0;
    yield;
  }
  const { items, starts } = writer.document("", Uint8Array.of(SEPARATOR));
  const replies = { words: items, wordStarts: starts };
  repliesMemo.set(index, replies);
  return replies;
}

/** Finds the folded query as a substring. */
function queryFinder(query: Buffer): FindInTexts {
  return function* (texts, { start, end, isAllowed }, found) {
    const candidates = texts.wordIndex && (yield* findCandidates(texts.wordIndex, query));
    const isCandidate = (position: number) => (candidates?.has(position) ?? true) && isAllowed(position);
    const readTexts = textReader(texts, query);
    for (let position = start; position < end; ) {
      const stop = stepEnd(texts, position, end);
      while (position < stop) {
        const first = position++;
        if (!isCandidate(first)) continue;
        if (candidates?.isExact) {
          found(first);
          continue;
        }
        while (position < stop && isCandidate(position)) position++;
        readTexts(first, position, found);
      }
      yield;
    }
  };
}

/** Bytes of texts that are decoded in one step, and positions that are looked at. */
const [STEP_TEXT_BYTES, STEP_POSITIONS] = [65_536, 16_384];

/** Finds any of the words as a whole word. */
function wordFinder(words: readonly string[]): FindInTexts {
  const sought = words.map(lettersOf);
  const holdsWord = makeWordTest(sought);
  return function* ({ words: bytes, wordStarts, wordIndex }, { start, end, isAllowed }, found) {
    const told = wordIndex && (yield* findWholeWords(wordIndex, sought));
    for (let position = start, read = 0; position < end; position++) {
      if (position % STEP_POSITIONS === STEP_POSITIONS - 1) yield;
      if (told?.[position] === HOLDS_NONE || !isAllowed(position)) continue;
      if (told?.[position] === HOLDS_ONE) {
        found(position);
        continue;
      }
      const from = wordStarts[position] as number;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, (wordStarts[position + 1] as number) - 1 - from);
      for (let at = 0, isHeld = false; at < text.length && !isHeld; ) {
        const piece = text.subarray(at, pieceEnd(text, at));
        isHeld = holdsWord(foldWords(piece.toString()));
        if (isHeld) found(position);
        at += piece.length;
        read += piece.length;
        if (read < STEP_TEXT_BYTES) continue;
        read = 0;
        yield;
      }
    }
  };
}

/**
 * Where a piece of a text that begins at an offset ends: before white space of ASCII, where no word goes on. Only in as
 * many bytes without any a word may be cut in two.
 */
function pieceEnd(text: Uint8Array, start: number): number {
  const most = start + STEP_TEXT_BYTES;
  if (most >= text.length) return text.length;
  for (let end = most; end > start; end--) if ((text[end] as number) <= 0x20) return end;
  let end = most;
  while (((text[end] as number) & 0xc0) === 0x80) end--; // within a character
  return end;
}

/** Where a step ends that begins at a position. */
function stepEnd({ wordStarts }: Texts, position: number, end: number): number {
  const most = Math.min(end, position + STEP_REVIEWS) - position;
  const start = wordStarts[position] as number;
  return (
    position +
    Math.max(
      1,
      lowerBound(most, (more) => (wordStarts[position + more + 1] as number) - start > STEP_BYTES),
    )
  );
}

/**
 * Returns what finds the texts that contain the folded query, from one position up to but not including another. The
 * query cannot contain the byte that ends each text, so no match spans two texts.
 */
function textReader({ words, wordStarts }: Texts, query: Buffer) {
  const find = makeFind(query);
  const startOf = (position: number) => wordStarts[position] as number;
  return (from: number, to: number, found: (position: number) => void): void => {
    const base = startOf(from);
    const texts = Buffer.from(words.buffer, words.byteOffset + base, startOf(to) - base);
    for (let position = from; position < to; position++) {
      const at = base + find(texts, startOf(position) - base);
      if (at < base) return;
      while (startOf(position + 1) <= at) position++;
      found(position);
    }
  };
}
