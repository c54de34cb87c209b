/** Chooses the content coding of a response (RFC 9110 §12.5.3). */
import { CODINGS, type Coding } from "../edition/codings.ts";

/** A coding, `identity`, or `none` when the client refuses all of them. */
export type Choice = Coding | "identity" | "none";

/**
 * The supported coding with the highest weight, in the server's order of preference among equals. Identity if nothing
 * else is accepted, if it has a higher weight, or without the header. `*` matches all codings that are not named.
 */
export function chooseCoding(header: string | null): Choice {
  if (header === null) return "identity";
  const weights = parseWeights(header);
  const weight = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  let best: Choice = "none";
  let highest = 0;
  for (const coding of CODINGS) {
    if (weight(coding) > highest) [best, highest] = [coding, weight(coding)];
  }
  const identity = weights.get("identity");
  if (identity !== undefined && identity > highest) return "identity";
  if (best !== "none") return best;
  return excludesIdentity(weights) ? "none" : "identity";
}

/** Whether the client refuses the uncompressed document: with `identity;q=0`, or `*;q=0` without naming it. */
export function refusesIdentity(header: string | null): boolean {
  return header !== null && excludesIdentity(parseWeights(header));
}

function excludesIdentity(weights: ReadonlyMap<string, number>): boolean {
  return (weights.get("identity") ?? weights.get("*")) === 0;
}

/** Codings in lower case with their weights, 0 to 1; elements with an invalid weight are ignored. */
function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.slice(0, 1000).split(",")) {
    const [name = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
    if (name === "") continue;
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const value = q === undefined ? "1" : q.slice(q.indexOf("=") + 1).trim();
    if (/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(value)) weights.set(name === "x-gzip" ? "gzip" : name, Number(value));
  }
  return weights;
}
