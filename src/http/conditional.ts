/** Preconditions of a GET or HEAD: whether the reader proves that it holds the bytes already (RFC 9110 §13). */
import { CODINGS } from "../edition/codings.ts";
import type { Document } from "../edition/document.ts";
import { parseHttpDate } from "./http-date.ts";

/** What of a request decides, read from its headers. */
export interface Preconditions {
  readonly ifNoneMatch: string | null;
  readonly ifModifiedSince: string | null;
}

/**
 * Whether the answer is 304: If-None-Match decides alone where it is given (RFC 9110 §13.2.2), any tag of the document
 * or of a coding of it matches, weakly; without it If-Modified-Since decides to the second.
 */
export function isHeld(preconditions: Preconditions, tag: string, revisedAt: Date, now: Date): boolean {
  const { ifNoneMatch, ifModifiedSince } = preconditions;
  if (ifNoneMatch !== null) {
    return ifNoneMatch.trim() === "*" || opaqueTags(ifNoneMatch).some((held) => isTagOf(tag, held));
  }
  const since = parseHttpDate(ifModifiedSince, now);
  return since !== undefined && Math.floor(revisedAt.getTime() / 1000) <= since;
}

/** The tag of the document in a coding, as in the ETag header: each representation has its own (RFC 9110 §8.8.3). */
export function entityTag(document: Document, coding: string): string {
  return coding === "identity" ? `"${document.tag}"` : `"${document.tag}-${coding}"`;
}

function isTagOf(tag: string, held: string): boolean {
  if (held === tag) return true;
  return held.startsWith(`${tag}-`) && (CODINGS as readonly string[]).includes(held.slice(tag.length + 1));
}

/** The tags of the header without quotes and `W/`: it compares weakly. A tag may hold a comma, so no split. */
function opaqueTags(header: string): string[] {
  return (header.match(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []).map((quoted) => quoted.slice(1, -1));
}
