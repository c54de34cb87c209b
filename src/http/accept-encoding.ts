/** Which content coding an answer takes (RFC 9110 §12.5.3). */
import { CODINGS, type Coding } from "../edition/codings.ts";

/** A coding, plain bytes, or `none` when the reader refuses every one that we can give. */
export type Choice = Coding | "identity" | "none";

/**
 * The coding of the highest weight that we can make, ours first among equals; plain bytes when nothing else is asked
 * for, or when they are weighed higher. A missing header asks for plain bytes. `*` stands for all not named.
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
  return identity === 0 || (identity === undefined && weights.get("*") === 0) ? "none" : "identity";
}

/** Codings in lower case with their weight, 0 to 1; a weight that is none makes the element count for nothing. */
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
