/** A document: the bytes of one address, with their media type and their tag. */
import { createHash } from "node:crypto";

export const JSON_TYPE = "application/json";

export interface Document {
  /** Address below the origin, such as `/reviews.json`. */
  readonly path: string;
  readonly mediaType: string;
  /** Opaque tag of the bytes alone, without quotes: the same bytes have the same tag everywhere. */
  readonly tag: string;
  readonly body: Uint8Array;
}

/** The document of `body` at `path`. */
export function makeDocument(path: string, mediaType: string, body: Uint8Array | string): Document {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  return { path, mediaType, tag: tagOf([bytes]), body: bytes };
}

/** The tag of the bytes of `parts` in a row: 128 bits of their SHA-256, base64url. */
function tagOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("base64url").slice(0, 22);
}
