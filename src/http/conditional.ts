/** Evaluates preconditions of GET and HEAD: whether the client already has the bytes (RFC 9110 §13). */
import { CODINGS } from "../edition/codings.ts";
import type { Document } from "../edition/document.ts";
import { parseHttpDate } from "./http-date.ts";

/** The preconditions of a request, read from its headers. */
export interface Preconditions {
  readonly ifNoneMatch: string | null;
  readonly ifModifiedSince: string | null;
}

/**
 * Whether the response is 304. If-None-Match, if given, decides alone (RFC 9110 §13.2.2): any tag of the document or of
 * one of its codings matches, by weak comparison. Otherwise If-Modified-Since decides, to the second.
 */
export function isNotModified(preconditions: Preconditions, tag: string, lastModified: Date, now: () => Date): boolean {
  const { ifNoneMatch, ifModifiedSince } = preconditions;
  if (ifNoneMatch !== null) {
    return ifNoneMatch.trim() === "*" || opaqueTags(ifNoneMatch).some((held) => isTagOf(tag, held));
  }
  if (ifModifiedSince === null) return false;
  const since = parseHttpDate(ifModifiedSince, now());
  return since !== undefined && Math.floor(lastModified.getTime() / 1000) <= since;
}

/** The value of ETag for the document in a coding: each representation has its own (RFC 9110 §8.8.3). */
export function entityTag(document: Document, coding: string): string {
  return coding === "identity" ? `"${document.tag}"` : `"${document.tag}-${coding}"`;
}

function isTagOf(tag: string, held: string): boolean {
  if (held === tag) return true;
  return held.startsWith(`${tag}-`) && (CODINGS as readonly string[]).includes(held.slice(tag.length + 1));
}

/** The tags of If-None-Match without quotes and `W/`, for weak comparison. A tag may contain a comma. */
function opaqueTags(header: string): string[] {
  return (header.match(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []).map((quoted) => quoted.slice(1, -1));
}
