/** An edition: a frozen, numbered state of everything that is published, and the questions it answers. */
import type { Filter } from "../filter.ts";
import type { Analysis } from "../insights.ts";
import type { Review } from "../review.ts";
import { type Document, makeDocument } from "./document.ts";
import { JSON_TYPE, type Printing } from "./printing.ts";
import { renderHits, search } from "./search.ts";
import { analysisSlice, countSince, positionOf, recordSlice, type Shelf } from "./shelf.ts";

/** What was printed, but for the shelf and the list of documents: those are asked by the questions below. */
export interface Edition extends Omit<Printing, "shelf" | "documents"> {
  readonly reviewCount: number;
  /** The document at an address such as `/reviews.json`. */
  document(path: string): Document | undefined;
  /** All documents that were printed, in no particular order. */
  documents(): Iterable<Document>;
  /** The search result for a filter, as a document. */
  search(filter: Filter): Document;
  /** The array of reviews dated on or after a day, as a document. */
  since(date: string): Document;
  /** The review of that id. */
  review(id: string): Review | undefined;
  /** The analysis of the review of that id. */
  analysis(id: string): Analysis | undefined;
  /** Up to `limit` newest reviews that mention a technician or a service, by its id. */
  mentioning(kind: "technicians" | "services", id: string, limit: number): Review[];
}

/** How many bytes of assembled answers of the incremental endpoint an edition keeps. */
const KEPT_BYTES = 64_000_000;

/** The edition of a printing. */
export function openEdition(printing: Printing): Edition {
  const { shelf, documents, ...printed } = printing;
  const { business } = printed;
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const kept = new Map<number, Document>();
  let keptBytes = 0;

  function since(date: string): Document {
    const count = countSince(shelf, date);
    const known = kept.get(count);
    if (known !== undefined) return known;
    const body = Buffer.concat([Buffer.from("["), recordSlice(shelf, 0, count), Buffer.from("]")]);
    const tag = shelf.prefixTags.get(count);
    const document =
      tag === undefined ? makeDocument("", JSON_TYPE, body) : { path: "", mediaType: JSON_TYPE, tag, body, coded: {} };
    if (keptBytes + body.byteLength <= KEPT_BYTES) {
      kept.set(count, document);
      keptBytes += body.byteLength;
    }
    return document;
  }

  return {
    ...printed,
    reviewCount: shelf.count,
    document: (path) => byPath.get(path),
    documents: () => byPath.values(),
    search: (filter) => makeDocument("", JSON_TYPE, renderHits(shelf, search(shelf, business, filter))),
    since,
    review: (id) => at(shelf, id, reviewAt),
    analysis: (id) => at(shelf, id, (position) => parse<Analysis>(analysisSlice(shelf, position))),
    mentioning: (kind, id, limit) => {
      const positions = shelf[kind].get(id) ?? new Uint32Array();
      return [...positions.subarray(0, limit)].map(reviewAt);
    },
  };

  function reviewAt(position: number): Review {
    return parse<Review>(recordSlice(shelf, position, position + 1));
  }
}

function at<T>(shelf: Shelf, id: string, read: (position: number) => T): T | undefined {
  const position = positionOf(shelf, id);
  return position === undefined ? undefined : read(position);
}

function parse<T>(json: Uint8Array): T {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("utf8")) as T;
}
