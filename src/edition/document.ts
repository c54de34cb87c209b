/** A document: the bytes at one address, their media type, and the tag from which the ETag is made. */
import { createHash, type Hash } from "node:crypto";

export const JSON_TYPE = "application/json";

export interface Document {
  /** Path of its address, such as `/reviews.json`. */
  readonly path: string;
  readonly mediaType: string;
  /** Hash of the bytes, without quotes. The same bytes have the same tag everywhere. */
  readonly tag: string;
  readonly body: Uint8Array;
}

/** Makes the document and computes its tag. */
export function makeDocument(path: string, mediaType: string, body: Uint8Array | string): Document {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  return { path, mediaType, tag: tagOf([bytes]), body: bytes };
}

/** The tag of the concatenated `parts`. */
function tagOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return tagOfHash(hash);
}

/** The tag of the bytes that a SHA-256 has read: 128 bits of it in base64url. Ends the hash. */
export function tagOfHash(hash: Hash): string {
  return hash.digest("base64url").slice(0, 22);
}
