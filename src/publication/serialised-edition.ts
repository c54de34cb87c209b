/** An edition as the bytes of its cache, and by what it was made: another program, or other settings, must not serve it. */
import { deserialize, serialize } from "node:v8";
import type { Document } from "../edition/document.ts";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import type { ReviewIndex } from "../edition/review-index.ts";
import { programFingerprint } from "./program-fingerprint.ts";
import type { PublicationSettings } from "./publication.ts";

export interface EditionCacheSettings extends PublicationSettings {
  readonly databaseUrl: string;
}

/** What makes an edition of the store's contents. */
export interface Maker {
  readonly format: string;
  /** Fingerprint of the program's files, and the version of Node, whose serialisation may change. */
  readonly program: string;
  readonly settings: string;
}

const FORMAT = "goodword edition 2";

export function makerOf({ baseUrl, model }: PublicationSettings): Maker {
  return {
    format: FORMAT,
    program: `${programFingerprint()} ${process.version}`,
    settings: JSON.stringify([baseUrl, model ?? null]),
  };
}

/** The edition as V8 serialises it. */
export function bytesOfEdition(edition: RenderedEdition): Buffer {
  return serialize(withoutViews(edition));
}

/** The edition of bytes that were verified: V8 trusts what it deserialises. */
export function editionOfBytes(bytes: Uint8Array): RenderedEdition {
  return withViews(deserialize(bytes) as StoredEdition);
}

/** Arrays of the review index that are parts of documents, and the documents' paths: their bytes are stored once. */
const VIEWS = { records: "/reviews.json", analyses: "/insights.json" } as const;

type StoredViews = { readonly [Name in keyof typeof VIEWS]: { readonly start: number; readonly length: number } };

type StoredEdition = Omit<RenderedEdition, "reviewIndex"> & {
  readonly reviewIndex: Omit<ReviewIndex, keyof StoredViews> & StoredViews;
};

function withoutViews({ reviewIndex, ...edition }: RenderedEdition): StoredEdition {
  const placeIn = (name: keyof StoredViews) => {
    const { byteOffset, length } = reviewIndex[name];
    return { start: byteOffset - bodyOf(edition.documents, VIEWS[name]).byteOffset, length };
  };
  return { ...edition, reviewIndex: { ...reviewIndex, records: placeIn("records"), analyses: placeIn("analyses") } };
}

function withViews({ reviewIndex, ...edition }: StoredEdition): RenderedEdition {
  const viewOf = (name: keyof StoredViews) => {
    const { start, length } = reviewIndex[name];
    return bodyOf(edition.documents, VIEWS[name]).subarray(start, start + length);
  };
  return { ...edition, reviewIndex: { ...reviewIndex, records: viewOf("records"), analyses: viewOf("analyses") } };
}

function bodyOf(documents: readonly Document[], path: string): Uint8Array {
  const found = documents.find((document) => document.path === path);
  if (found === undefined) throw new Error(`The edition has no ${path}`);
  return found.body;
}
