/**
 * Detects praise that is not meant: wished for, or sarcastic. The models were trained with it, so another result needs a
 * new number of the analyser (`text-analysis.ts`).
 */
import { perLanguage } from "../text/language-words.ts";
import { codeAt, hasWordsAt } from "../text/tokens.ts";
import type { Frame } from "./polarity.ts";

/** The rest of each phrase by its first word, so that a text's words are looked up once each. */
function byFirstWord(phrases: readonly string[]): ReadonlyMap<string, readonly (readonly string[])[]> {
  const split = phrases.map((phrase) => phrase.split(" "));
  return new Map(
    [...Map.groupBy(split, ([first = ""]) => first)].map(([first, list]) => [
      first,
      list.map((words) => words.slice(1)),
    ]),
  );
}

const unmeant = perLanguage(({ wishes, sneers }) => ({ wishes: byFirstWord(wishes), sneers: byFirstWord(sneers) }));

/** Whether one of the phrases begins at the word `at`. */
function begins(phrases: ReadonlyMap<string, readonly (readonly string[])[]>, forms: readonly string[], at: number) {
  return phrases.get(forms[at] ?? "")?.some((rest) => hasWordsAt(forms, at + 1, rest)) ?? false;
}

/** Whether the word at `place` is only wished for: "wish they had called", "should have told us". */
export function isWished({ tokens: { forms, vocabulary }, clauses }: Frame, place: number): boolean {
  const { wishes } = unmeant(vocabulary.language);
  for (let at = place - 1; at >= 0 && at >= place - 6 && clauses.sentence[at] === clauses.sentence[place]; at--) {
    if (begins(wishes, forms, at)) return true;
  }
  return false;
}

/** Whether the words `from` to `to` (exclusive) are in quotation marks. */
export function isQuoted({ tokens: { starts, ends, text } }: Frame, from: number, to: number): boolean {
  const before = codeAt(text, (starts[from] ?? 0) - 1);
  if (before !== 34 && before !== 0x201c && before !== 0x201e) return false;
  return /["“”.,!]/.test(text.charAt(ends[to - 1] ?? 0));
}

/**
 * Whether the words `from` to `to` (exclusive) are sarcastic: in quotation marks, or in a sentence with a mocking
 * phrase.
 */
export function isIronic(frame: Frame, from: number, to: number): boolean {
  if (isQuoted(frame, from, to)) return true;
  const {
    tokens: { forms, vocabulary },
    clauses,
  } = frame;
  const { sneers } = unmeant(vocabulary.language);
  const sentence = clauses.sentence[from];
  let at = from;
  while (at > 0 && clauses.sentence[at - 1] === sentence) at--;
  for (; at < forms.length && clauses.sentence[at] === sentence; at++) {
    if (begins(sneers, forms, at)) return true;
  }
  return false;
}
