/** Evidence for a mention: its clause verbatim, shortened if it is long. */
import type { Frame } from "../sentiment/polarity.ts";

/** Maximum length in characters. Longer clauses are cut to the matched words and `CONTEXT_WORDS` words on each side. */
const MAX_EVIDENCE_CHARACTERS = 160;
const CONTEXT_WORDS = 4;
/** Maximum length of the matched words alone: more than a person writes without a full stop. */
const MAX_MATCHED_CHARACTERS = 1_000;

/** Verbatim evidence for the words `from` to `to` (exclusive). */
export function evidenceOf({ tokens, clauses }: Frame, from: number, to: number): string {
  let first = from;
  let last = to - 1;
  while (first > 0 && clauses.clause[first - 1] === clauses.clause[from]) first--;
  while (last + 1 < clauses.clause.length && clauses.clause[last + 1] === clauses.clause[to - 1]) last++;
  if (width(tokens, first, last) > MAX_EVIDENCE_CHARACTERS) {
    first = Math.max(first, from - CONTEXT_WORDS);
    last = Math.min(last, to - 1 + CONTEXT_WORDS);
  }
  if (width(tokens, first, last) > MAX_EVIDENCE_CHARACTERS) {
    first = from;
    last = to - 1;
  }
  while (last > first && width(tokens, first, last) > MAX_MATCHED_CHARACTERS) last--;
  // A word of several tokens is shown from its start.
  while (first > 0 && tokens.ends[first - 1] === tokens.starts[first]) {
    if (width(tokens, first - 1, last) > MAX_MATCHED_CHARACTERS) break;
    first--;
  }
  const start = tokens.starts[first] ?? 0;
  const evidence = tokens.text.slice(start, Math.min(tokens.ends[last] ?? 0, start + MAX_MATCHED_CHARACTERS));
  return evidence.replace(/[\ud800-\udbff]$/, ""); // half a character
}

function width({ starts, ends }: Frame["tokens"], first: number, last: number): number {
  return (ends[last] ?? 0) - (starts[first] ?? 0);
}
