/** Detects praise that is not meant: wished for, or sarcastic. */
import { codeAt, hasWordsAt } from "../text/tokens.ts";
import type { Frame } from "./polarity.ts";

const WISHES = [
  "wish",
  "wished",
  "should",
  "supposed",
  "if only",
  "would have been nice",
  "would be nice",
  "would have liked",
  "would have appreciated",
  "would have loved",
];
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
];

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

const WISHES_BY_WORD = byFirstWord(WISHES);
const SNEERS_BY_WORD = byFirstWord(SNEERS);

/** Whether one of the phrases begins at the word `at`. */
function begins(phrases: ReadonlyMap<string, readonly (readonly string[])[]>, forms: readonly string[], at: number) {
  return phrases.get(forms[at] ?? "")?.some((rest) => hasWordsAt(forms, at + 1, rest)) ?? false;
}

/** Whether the word at `place` is only wished for: "wish they had called", "should have told us". */
export function isWished({ tokens: { forms }, clauses }: Frame, place: number): boolean {
  for (let at = place - 1; at >= 0 && at >= place - 6 && clauses.sentence[at] === clauses.sentence[place]; at--) {
    if (begins(WISHES_BY_WORD, forms, at)) return true;
  }
  return false;
}

/** Whether the words `from` to `to` (exclusive) are in quotation marks. */
export function isQuoted({ tokens: { starts, ends, text } }: Frame, from: number, to: number): boolean {
  const before = codeAt(text, (starts[from] ?? 0) - 1);
  if (before !== 34 && before !== 0x201c) return false;
  return /["”.,!]/.test(text.charAt(ends[to - 1] ?? 0));
}

/**
 * Whether the words `from` to `to` (exclusive) are sarcastic: in quotation marks, or in a sentence with a mocking
 * phrase.
 */
export function isIronic(frame: Frame, from: number, to: number): boolean {
  if (isQuoted(frame, from, to)) return true;
  const {
    tokens: { forms },
    clauses,
  } = frame;
  const sentence = clauses.sentence[from];
  let at = from;
  while (at > 0 && clauses.sentence[at - 1] === sentence) at--;
  for (; at < forms.length && clauses.sentence[at] === sentence; at++) {
    if (begins(SNEERS_BY_WORD, forms, at)) return true;
  }
  return false;
}
