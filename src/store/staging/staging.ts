/**
 * The staging area: where an import collects its reviews before it touches the store. It takes no locks on the store and
 * keeps memory bounded: reviews are in memory or a temporary file until they are too many, or one has several versions.
 * From then on they are in a private, temporary database. All of it is gone when the staging area is closed.
 */
import { orderOfId } from "../../review.ts";
import { makePackedNumbers, sortedIndexes } from "./packed-numbers.ts";
import { openPackedTexts, type PackedTexts } from "./packed-texts.ts";
import type { Basis, StagedReview, Staging } from "./staged-review.ts";
import { openStagingDatabase, type StagingDatabase } from "./staging-database.ts";

/** Limits of what is kept outside the database. */
export interface StagingLimits {
  /** So many reviews; ids and numbers of each stay in memory, some 100 bytes. */
  readonly reviews: number;
  readonly remembered: number;
  /** The bytes of reviews, of analyses and of remembered ids that stay in memory. The others are in temporary files. */
  readonly reviewBytes: number;
  readonly analysisBytes: number;
  readonly rememberedBytes: number;
}

const LIMITS: StagingLimits = {
  reviews: 400_000,
  remembered: 400_000,
  reviewBytes: 16_000_000,
  analysisBytes: 4_000_000,
  rememberedBytes: 1_000_000,
};

/** Opens an empty staging area. */
export function openStaging(limits: Partial<StagingLimits> = {}): Staging {
  const most = { ...LIMITS, ...limits };
  let rows: StagedRows | undefined = openStagedRows(most.reviewBytes);
  let analyses: StagedAnalyses | undefined = openStagedAnalyses(most.analysisBytes);
  let database: StagingDatabase | undefined;
  /** Ids, as they were given, and which they are: an import remembers all of its own, and few ask for them. */
  let listed = openPackedTexts(most.rememberedBytes);
  let listedIds = 0;
  let remembered: Set<string> | undefined;

  const inDatabase = () => (database ??= openStagingDatabase());

  /** The database, with all reviews. */
  function spilled(): StagingDatabase {
    const to = inDatabase();
    for (const review of rows?.all() ?? []) to.add(review);
    rows?.close();
    rows = undefined;
    return to;
  }

  /** The database, with all analyses. */
  function withAnalyses(): StagingDatabase {
    const to = inDatabase();
    for (const { key, body } of analyses?.all() ?? []) to.addAnalysis(key, body);
    analyses?.close();
    analyses = undefined;
    return to;
  }

  function* allListed(): Generator<string> {
    for (let index = 0; index < listed.count; index += 1) yield* listed.at(index).split(END);
  }

  return {
    add(review) {
      if (rows !== undefined && rows.count >= most.reviews) spilled();
      return rows === undefined ? spilled().add(review) : rows.add(review);
    },
    groupVersions() {
      if (rows?.areAlone() === true) return new Set();
      return spilled().groupVersions();
    },
    duplicates: () => (rows === undefined ? spilled().duplicates() : []),
    replace: (versions, merged) => spilled().replace(versions, merged),
    *batches(size) {
      let last: StagedReview | undefined;
      for (const page of rows?.batches(size) ?? []) {
        yield page;
        last = page.at(-1);
        if (rows === undefined) break;
      }
      if (rows === undefined) yield* spilled().batches(size, last);
    },
    lastNumber: () => rows?.count ?? spilled().lastNumber(),
    isAsAdded: () => rows !== undefined || spilled().isAsAdded(),
    bodies: (size, numbers) => (rows ?? spilled()).bodies(size, numbers),
    sources: () => (rows ?? spilled()).sources(),
    hasBasis: (basis) => (rows ?? spilled()).hasBasis(basis),
    remember(ids) {
      const some = [...ids];
      listed.add(some.join(END));
      listedIds += some.length;
      remembered = undefined;
      if (listedIds <= most.remembered) return;
      for (const id of allListed()) inDatabase().remember([id]);
      listed.close();
      listed = openPackedTexts(most.rememberedBytes);
      listedIds = 0;
    },
    remembered(ids) {
      if (ids.length === 0) return new Set();
      remembered ??= new Set(allListed());
      const [outside, stored] = [remembered, database?.remembered(ids)];
      return new Set(ids.filter((id) => outside.has(id) || stored?.has(id) === true));
    },
    setAside: (key, row) => inDatabase().setAside(key, row),
    aside: (size) => database?.aside(size) ?? [],
    addAnalysis(key, body) {
      if (analyses !== undefined && analyses.count >= most.reviews) withAnalyses();
      (analyses ?? inDatabase()).addAnalysis(key, body);
    },
    doubtAnalyses: () => withAnalyses().doubtAnalyses(),
    needAnalyses: (keys) => withAnalyses().needAnalyses(keys),
    *takeAnalyses(size) {
      if (analyses === undefined) return yield* inDatabase().takeAnalyses(size);
      const taken = analyses;
      analyses = openStagedAnalyses(most.analysisBytes);
      try {
        yield* taken.inOrder(size);
      } finally {
        taken.close();
      }
    },
    close() {
      rows?.close();
      analyses?.close();
      listed.close();
      database?.close();
    },
  };
}

/** Analyses outside the database, all of them needed. */
interface StagedAnalyses extends Pick<Staging, "addAnalysis" | "close"> {
  readonly count: number;
  /** All of them, in any order. */
  all(): Iterable<{ readonly key: string; readonly body: string }>;
  /** All of them in the order of their keys, `size` at a time. */
  inOrder: Staging["takeAnalyses"];
}

function openStagedAnalyses(bytesInMemory: number): StagedAnalyses {
  /** By the first character of their keys: so many can be sorted in memory, after being read in one go. */
  const parts = new Map<string, PackedTexts>();
  let count = 0;
  const openPart = () => openPackedTexts(bytesInMemory / HEXADECIMAL_DIGITS);

  function* all(part: PackedTexts) {
    for (let index = 0; index < part.count; index += 1) {
      const [key = "", body = ""] = part.at(index).split(END);
      yield { key, body };
    }
  }

  return {
    get count() {
      return count;
    },
    addAnalysis(key, body) {
      parts.getOrInsertComputed(key.slice(0, 1), openPart).add(`${key}${END}${body}`);
      count += 1;
    },
    *all() {
      for (const part of parts.values()) yield* all(part);
    },
    *inOrder(size) {
      let page: { readonly key: string; readonly body: string }[] = [];
      for (const [, part] of [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        for (const analysis of [...all(part)].sort((a, b) => (a.key < b.key ? -1 : 1))) {
          page.push(analysis);
          if (page.length < size) continue;
          yield page;
          page = [];
        }
      }
      if (page.length > 0) yield page;
    },
    close() {
      for (const part of parts.values()) part.close();
    },
  };
}

/** What stands between the parts of a text. None contains it, except the last of a review: its place. */
const END = "\0";
const HEXADECIMAL_DIGITS = 16;
/** So many hexadecimal digits make a number that is exact. */
const DIGITS = 13;

/** The first digits of a key that is a hash. */
function startOf(key: string): number {
  return Number.parseInt(key.slice(0, DIGITS), 16);
}

/** Reviews outside the database, of each of which there is one version. */
interface StagedRows extends Pick<Staging, "add" | "batches" | "bodies" | "sources" | "hasBasis" | "close"> {
  readonly count: number;
  /** Whether no two can be versions of the same review. False if that is not certain. */
  areAlone(): boolean;
  /** All of them as added. */
  all(): Iterable<StagedReview>;
}

function openStagedRows(bytesInMemory: number): StagedRows {
  const texts = openPackedTexts(bytesInMemory);
  const starts = makePackedNumbers();
  const orders = makePackedNumbers();
  const sources = new Set<string>();
  const bases = new Set<Basis>();

  function at(index: number): StagedReview {
    const [body = "", id = "", source_key = "", natural_key = "", source = "", basis, ...place] = texts
      .at(index)
      .split(END);
    return { id, source_key, natural_key, source, basis: basis as Basis, place: place.join(END), body };
  }

  function bodyAt(index: number): string {
    const text = texts.at(index);
    return text.slice(0, text.indexOf(END));
  }

  /** The order of ids, and of source keys where two have the same id. */
  function compare(a: number, b: number): number {
    const [left, right] = [at(a), at(b)];
    if (left.id === right.id) return left.source_key < right.source_key ? -1 : 1;
    return left.id < right.id ? -1 : 1;
  }

  return {
    get count() {
      return texts.count;
    },
    add({ id, source_key, natural_key, source, basis, place, body }) {
      const keys = `${id}${END}${source_key}${END}${natural_key}`;
      texts.add(`${body}${END}${keys}${END}${source}${END}${basis}${END}${place}`);
      starts.push(startOf(source_key));
      orders.push(orderOfId(id));
      sources.add(source);
      bases.add(basis);
      return texts.count;
    },
    areAlone() {
      if (bases.size > 1) return false;
      const sorted = starts.all().toSorted(); // keys that are no numbers come last, as NaN
      return !Number.isNaN(sorted.at(-1) ?? 0) && sorted.every((start, index) => start !== sorted[index + 1]);
    },
    *all() {
      for (let index = 0; index < texts.count; index += 1) yield at(index);
    },
    *batches(size) {
      const order = sortedIndexes(orders, compare);
      for (let from = 0; from < order.length; from += size)
        yield Array.from(order.subarray(from, from + size), (index) => at(index));
    },
    *bodies(size, { first, last }) {
      const end = Math.min(last, texts.count);
      for (let from = first - 1; from < end; from += size)
        yield Array.from({ length: Math.min(size, end - from) }, (_, more) => bodyAt(from + more));
    },
    sources: () => [...sources],
    hasBasis: (basis) => bases.has(basis),
    close: texts.close,
  };
}
