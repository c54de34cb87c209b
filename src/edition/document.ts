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
  /** The body as ranges of other buffers. If set, reading `body` concatenates them. */
  readonly pieces?: readonly Uint8Array[];
  /** Whether its edition caches it, although it is made on request. */
  readonly isCached?: boolean;
}

/** Whether the document is part of an edition. Others are made on request and have no path. */
export function isOfEdition({ path }: Document): boolean {
  return path !== "";
}

/** Makes a document. Computes the tag on first use; MCP results need none. */
export function makeDocument(path: string, mediaType: string, body: Uint8Array | string): Document {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  let tag: string | undefined;
  return {
    path,
    mediaType,
    get tag() {
      tag ??= tagOf([bytes]);
      return tag;
    },
    body: bytes,
  };
}

/** A document made of ranges of other buffers. Its tag is computed unless it is given. */
export function assembleDocument(
  mediaType: string,
  pieces: readonly Uint8Array[],
  { tag = tagOf(pieces), isCached = false }: { readonly tag?: string | undefined; readonly isCached?: boolean } = {},
): Document {
  return {
    path: "",
    mediaType,
    tag,
    pieces,
    isCached,
    get body() {
      return Buffer.concat(pieces);
    },
  };
}

/** The body without copying it. */
export function piecesOf(document: Document): readonly Uint8Array[] {
  return document.pieces ?? [document.body];
}

/** The number of bytes in all. */
export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
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
