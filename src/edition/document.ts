/** A document: the bytes of one address, with their media type, their tag and their codings. */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";

/** Content codings we make, the one we like best first (RFC 9110 §8.4.1, RFC 8878 for zstd). */
export const CODINGS = ["br", "zstd", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

export interface Document {
  /** Address below the origin, such as `/reviews.json`. */
  readonly path: string;
  readonly mediaType: string;
  /** Opaque tag of the bytes alone, without quotes: the same bytes have the same tag everywhere. */
  readonly tag: string;
  readonly body: Uint8Array;
  /** The body in each coding that makes it smaller. */
  readonly coded: Readonly<Partial<Record<Coding, Uint8Array>>>;
}

/** Below this many bytes a coding saves less than its headers cost. */
const WORTH_CODING = 512;

/** The document of `body` at `path`; codings are made by `withCodings`. */
export function makeDocument(path: string, mediaType: string, body: Uint8Array | string): Document {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  return { path, mediaType, tag: tagOf([bytes]), body: bytes, coded: {} };
}

/** The tag of the bytes of `parts` in a row: 128 bits of their SHA-256, base64url. */
function tagOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("base64url").slice(0, 22);
}

/** The document with all its codings made, at once and on this thread. */
export function withCodings(document: Document): Document {
  const { body } = document;
  if (body.byteLength < WORTH_CODING) return document;
  const coded: Partial<Record<Coding, Uint8Array>> = {};
  for (const coding of CODINGS) {
    const bytes = encode(coding, body);
    if (bytes.byteLength < body.byteLength) coded[coding] = bytes;
  }
  return { ...document, coded };
}

/** `body` in a coding. Large bodies are pressed less hard, so that printing takes seconds and not minutes. */
function encode(coding: Coding, body: Uint8Array): Uint8Array {
  const large = body.byteLength > 4_000_000;
  if (coding === "gzip") return gzipSync(body, { level: large ? 4 : 8 });
  if (coding === "zstd") {
    return zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: large ? 3 : 9 } });
  }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: large ? 4 : 7,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  return brotliCompressSync(body, { params });
}
