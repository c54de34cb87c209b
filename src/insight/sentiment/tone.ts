/** Detects praise that is not meant: wished for, or sarcastic. */
import { hasWordsAt } from "../text/tokens.ts";
import type { Frame } from "./polarity.ts";

const WISHES = new Set(["wish", "wished", "should", "supposed"]);
const IF_ONLY = [
  "if only",
  "would have been nice",
  "would be nice",
  "would have liked",
  "would have appreciated",
  "would have loved",
].map((words) => words.split(" "));
const SNEERS = [
  "so much for",
  "thanks for nothing",
  "my foot",
  "my eye",
  "my ass",
  "great job guys",
  "nice job guys",
  "good job guys",
  "great work guys",
  "funny how",
  "imagine that",
  "real nice",
  "real professional",
  "real class",
  "way to go",
  "well done guys",
  "wonderful way",
  "lovely way",
  "great way",
  "supposedly",
  "allegedly",
  "apparently",
  "bravo",
  "kudos to",
  "slow clap",
  "what a joke",
  "if you can call",
  "if you enjoy",
  "if you like",
  "if you want to",
  "unless you",
  "🙄",
  "🤡",
].map((words) => words.split(" "));

/** Whether the word at `place` is only wished for: "wish they had called", "should have told us". */
export function isWished({ tokens: { forms }, clauses }: Frame, place: number): boolean {
  for (let at = place - 1; at >= 0 && at >= place - 6 && clauses.sentence[at] === clauses.sentence[place]; at--) {
    if (WISHES.has(forms[at] ?? "")) return true;
    if (IF_ONLY.some((words) => hasWordsAt(forms, at, words))) return true;
  }
  return false;
}

/**
 * Whether the words `from` to `to` (exclusive) are sarcastic: in quotation marks, or in a sentence with a mocking
 * phrase.
 */
export function isIronic({ tokens, clauses }: Frame, from: number, to: number): boolean {
  const { forms, starts, ends, text } = tokens;
  const before = text.charCodeAt((starts[from] ?? 0) - 1);
  const after = text.charAt(ends[to - 1] ?? 0);
  if ((before === 34 || before === 0x201c) && /["”.,!]/.test(after)) return true;
  const sentence = clauses.sentence[from];
  let at = from;
  while (at > 0 && clauses.sentence[at - 1] === sentence) at--;
  for (; at < forms.length && clauses.sentence[at] === sentence; at++) {
    if (SNEERS.some((words) => hasWordsAt(forms, at, words))) return true;
  }
  return false;
}
