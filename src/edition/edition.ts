/** An edition: an immutable, numbered version of everything that is published, and the queries on it. */
import type { Filter } from "../filter.ts";
import { nameOfMark, newestMarked, SENTIMENTS } from "../insight/statistics/analysed-reviews.ts";
import { meanAt } from "../insight/statistics/arithmetic.ts";
import { criticisedThemes } from "../insight/statistics/aspect-ranking.ts";
import { yearly } from "../insight/statistics/trend.ts";
import type { Analysis, Sentiment, Topic, Year } from "../insights-document.ts";
import type { Review } from "../review.ts";
import { changesSince } from "./changes.ts";
import { adoptCodings } from "./codings.ts";
import { assembleDocument, type Document, JSON_TYPE, lengthOf, makeDocument } from "./document.ts";
import type { RenderedEdition } from "./render-datasets.ts";
import {
  analysisAt,
  countSince,
  idsStartingWith,
  positionOf,
  type ReviewIndex,
  recordSlice,
  reviewAt,
} from "./review-index.ts";
import { renderHits, searchSteps } from "./search.ts";
import { searchHints } from "./search-hints.ts";
import { finish, type Steps } from "./steps.ts";
import { formsOf, type HeldForms } from "./word-forms.ts";

/** A rendered edition as readers use it: the review index and the documents are reached through the functions below. */
export interface Edition extends Omit<RenderedEdition, "reviewIndex" | "documents" | "gone" | "sequence"> {
  readonly reviewCount: number;
  /** Whether its pages are for a host that only serves files: they omit features that need a running server. */
  readonly isStatic?: boolean;
  /** The document at an address such as `/reviews.json`. */
  document(path: string): Document | undefined;
  /** All rendered documents, in no particular order. */
  documents(): Iterable<Document>;
  /** The search result for a filter, as a document. `unknown` are parameters that came with it and mean nothing. */
  search(filter: Filter, unknown?: readonly string[]): Document;
  searchSteps(filter: Filter, unknown?: readonly string[]): Steps<Document>;
  /** The reviews that match a filter, and how many match in total. */
  list(filter: Filter): Listed;
  listSteps(filter: Filter): Steps<Listed>;
  /** Other forms of each word, and words for the same, that reviews hold. */
  formSteps(words: readonly string[]): Steps<readonly HeldForms[]>;
  /** The `hints` of a search: what of the filter was most likely meant otherwise, given how many match it. */
  hintSteps(filter: Filter, hits: Pick<Listed, "matched">, unknown: readonly string[]): Steps<string[]>;
  /** The figures of each year, oldest first. */
  yearly(): Year[];
  /** The number of reviews with a link to the original at their source. */
  readonly linkedCount: number;
  /** The number of reviews with a reply of the owner. */
  repliedCount(): number;
  /** The reviews dated on or after a day, as a document. */
  since(date: string): Document;
  /** What is new to the holder of a cursor, as a document, or why there is none. */
  changes(cursor?: string): ReturnType<typeof changesSince>;
  /** The review with this id. */
  review(id: string): Review | undefined;
  /** The review with this id, whatever the case of its letters, with its analysis and the address of its page. */
  single(id: string): { readonly review: Review; readonly analysis: Analysis; readonly url: string } | undefined;
  /** The id of the newest review. */
  newestId(): string | undefined;
  /** Up to `limit` ids with this prefix, newest first, and how many there are in total. */
  idsStartingWith(prefix: string, limit: number): { readonly ids: readonly string[]; readonly total: number };
  /** Whether the review with this id was published once, and was removed or withdrawn. */
  isGone(id: string): boolean;
  /** The analysis of the review with this id. */
  analysis(id: string): Analysis | undefined;
  /** The reviews before and after this one in the order of publication. */
  neighbours(id: string): { readonly newer: Review | undefined; readonly older: Review | undefined };
  /** The mean stars of the reviews that name the topic with this id, two decimals. */
  topicRating(id: string): number | null;
  /** The topics that reviews which criticise an aspect name more often than others do, and how many of them name each. */
  criticisedTopics(aspect: string): (Topic & { readonly count: number })[];
  /** Up to `limit` of the newest reviews that mention the technician or service with this id. */
  mentioning(kind: "technicians" | "services", id: string, limit: number): Review[];
  /** For each sentiment, up to `limit` of the newest reviews whose first mention of the aspect has it. */
  judging(aspect: string, limit: number): Readonly<Record<Sentiment, readonly Review[]>>;
}

interface Listed {
  readonly matched: number;
  readonly reviews: readonly Review[];
}

/** Total size, uncompressed, of the responses of the incremental endpoint that an edition caches with their codings. */
const MAX_PREFIX_BYTES = 64_000_000;

const [OPENING, CLOSING] = [Buffer.from("["), Buffer.from("]")];

/** Opens a rendered edition. Reuses the codings of documents that have not changed since the `previous` one. */
export function openEdition(rendered: RenderedEdition, previous?: Edition): Edition {
  const { reviewIndex, documents, gone, sequence, ...published } = rendered;
  const review = (position: number) => reviewAt(reviewIndex, position);
  const goneIds = new Set(gone);
  const { business } = published;
  const byPath = new Map(documents.map((document) => [document.path, document]));
  for (const document of documents) {
    const before = previous?.document(document.path);
    if (before?.tag === document.tag) adoptCodings(document, before);
  }
  /** Cache of responses of the incremental endpoint, by their number of reviews. */
  const prefixes = new Map<number, Document>();
  let prefixBytes = 0;

  function since(date: string): Document {
    const count = countSince(reviewIndex, date);
    const cached = prefixes.get(count);
    if (cached !== undefined) return cached;
    const pieces = [OPENING, recordSlice(reviewIndex, 0, count), CLOSING];
    const length = lengthOf(pieces);
    const isCached = prefixBytes + length <= MAX_PREFIX_BYTES;
    const document = assembleDocument(JSON_TYPE, pieces, { tag: reviewIndex.prefixTags.get(count), isCached });
    reviewIndex.prefixTags.set(count, document.tag);
    if (isCached) {
      prefixes.set(count, document);
      prefixBytes += length;
    }
    return document;
  }

  function* searchDocument(filter: Filter, unknown?: readonly string[]): Steps<Document> {
    const hits = yield* searchSteps(reviewIndex, business, filter);
    return makeDocument("", JSON_TYPE, renderHits(reviewIndex, hits, yield* hints(filter, hits, unknown)));
  }

  function hints(filter: Filter, hits: Pick<Listed, "matched">, unknown?: readonly string[]): Steps<string[]> {
    const { topics, languages } = published.insights;
    return searchHints({ reviewIndex, business, topics, languages }, filter, hits, unknown);
  }

  function* listed(filter: Filter): Steps<Listed> {
    const { matched, positions } = yield* searchSteps(reviewIndex, business, filter);
    return { matched, reviews: positions.map(review) };
  }

  return {
    ...published,
    reviewCount: reviewIndex.count,
    document: (path) => byPath.get(path),
    documents: () => byPath.values(),
    search: (filter, unknown) => finish(searchDocument(filter, unknown)),
    searchSteps: searchDocument,
    list: (filter) => finish(listed(filter)),
    listSteps: listed,
    formSteps: (words) =>
      formsOf(
        reviewIndex,
        words,
        published.insights.languages.map(({ language }) => language),
      ),
    hintSteps: hints,
    since,
    yearly: () => yearly(reviewIndex),
    changes: (cursor) => changesSince({ reviewIndex, sequence }, cursor),
    linkedCount: reviewIndex.linkedCount,
    repliedCount: () => reviewIndex.replied.reduce((sum, one) => sum + one, 0),
    neighbours: (id) => {
      const position = positionOf(reviewIndex, id);
      if (position === undefined) return { newer: undefined, older: undefined };
      return {
        newer: position === 0 ? undefined : review(position - 1),
        older: position + 1 === reviewIndex.count ? undefined : review(position + 1),
      };
    },
    newestId: () => (reviewIndex.count === 0 ? undefined : review(0).id),
    review: (id) => at(reviewIndex, id, review),
    single: (id) =>
      at(reviewIndex, id.toUpperCase(), (position) => {
        const found = review(position);
        return {
          review: found,
          analysis: analysisAt(reviewIndex, position),
          url: `${published.baseUrl}/reviews/${found.id}`,
        };
      }),
    idsStartingWith: (prefix, limit) => idsStartingWith(reviewIndex, prefix, limit),
    isGone: (id) => goneIds.has(id),
    analysis: (id) => at(reviewIndex, id, (position) => analysisAt(reviewIndex, position)),
    topicRating: (id) => {
      const theme = reviewIndex.themes.find((one) => one.id === id);
      return theme === undefined ? null : meanAt(reviewIndex.ratings, theme.positions);
    },
    criticisedTopics: (aspect) => {
      const [critical = []] = newestMarked(reviewIndex, [nameOfMark("negative", aspect)], Number.POSITIVE_INFINITY);
      const { topics, languages } = published.insights;
      const texts = languages.reduce((sum, { analysed, review_count }) => sum + (analysed ? review_count : 0), 0);
      return criticisedThemes(reviewIndex.themes, { critical, texts }).flatMap((theme) =>
        topics.filter(({ id }) => id === theme.id).map((topic) => ({ ...topic, count: theme.count })),
      );
    },
    mentioning: (kind, id, limit) => {
      const positions = reviewIndex[kind].get(id) ?? new Uint32Array();
      return [...positions.subarray(0, limit)].map(review);
    },
    judging: (aspect, limit) => {
      const names = SENTIMENTS.map((sentiment) => nameOfMark(sentiment, aspect));
      const found = newestMarked(reviewIndex, names, limit).map((positions) => positions.map(review));
      const [positive = [], neutral = [], negative = []] = found;
      return { positive, neutral, negative };
    },
  };
}

function at<T>(reviewIndex: ReviewIndex, id: string, read: (position: number) => T): T | undefined {
  const position = positionOf(reviewIndex, id);
  return position === undefined ? undefined : read(position);
}
