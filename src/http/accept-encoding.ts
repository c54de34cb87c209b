/** Chooses the content coding of a response (RFC 9110 §12.5.3). */
import { CODINGS, type Coding } from "../edition/codings.ts";

/** A coding, or the document as it is. */
export type Choice = Coding | "identity";

/** Memo of the choices for short headers: clients send few different ones. Emptied when it is full. */
const choices = new Map<string, Choice>();
const MAX_CHOICES = 100;
const MAX_MEMO_HEADER_CHARACTERS = 100;

/**
 * The supported coding with the highest weight, in the server's order of preference among equals. Identity if no coding
 * is accepted, if it has a higher weight, or without the header. `*` matches all codings that are not named.
 */
export function chooseCoding(header: string | null): Choice {
  if (header === null) return "identity";
  const before = choices.get(header);
  if (before !== undefined) return before;
  const choice = heaviest(parseWeights(header));
  if (header.length > MAX_MEMO_HEADER_CHARACTERS) return choice;
  if (choices.size === MAX_CHOICES) choices.clear();
  choices.set(header, choice);
  return choice;
}

function heaviest(weights: ReadonlyMap<string, number>): Choice {
  const weight = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  let best: Choice = "identity";
  let highest = 0;
  for (const coding of CODINGS) {
    if (weight(coding) > highest) [best, highest] = [coding, weight(coding)];
  }
  return (weights.get("identity") ?? 0) > highest ? "identity" : best;
}

/** Whether the client refuses the uncompressed document: with `identity;q=0`, or `*;q=0` without naming it. */
export function refusesIdentity(header: string | null): boolean {
  if (header === null) return false;
  const weights = parseWeights(header);
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
