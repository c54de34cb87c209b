/** Properties of a word that patterns match besides its stem and exact form: its kinds, and the verbs it may abbreviate. */
import { type Language, perLanguage, wordSet } from "./language-words.ts";

/** The kind of a word, and whether it can also be a time of day. */
interface Kinds {
  readonly kind: "#money" | "#percent" | "#num" | undefined;
  readonly isClock: boolean;
}

const NO_KIND: Kinds = { kind: undefined, isClock: false };
/** How a language writes numbers and times of day. */
const numbersOf = perLanguage(({ numbers, contractions }) => {
  const [small, others] = [wordSet(numbers.small), wordSet(numbers.others)];
  const clock = small.union(wordSet(numbers.clock));
  const writtenOut = new Map<string, Kinds>();
  for (const form of clock.union(others))
    writtenOut.set(form, { kind: small.has(form) || others.has(form) ? "#num" : undefined, isClock: clock.has(form) });
  const verbs = new Map<string, readonly string[]>(Object.entries(contractions.verbs));
  return { writtenOut, verbs, number: new RegExp(numbers.number), time: new RegExp(numbers.time) };
});
const [SMALL_A, SMALL_Z] = [97, 122];

/** The kinds of a lower-case word from `tokenise`. */
export function kindsOf(form: string, language: Language): Kinds {
  const { writtenOut, number, time } = numbersOf(language);
  const known = writtenOut.get(form);
  if (known !== undefined) return known;
  const [first, last] = [form.charCodeAt(0), form.charCodeAt(form.length - 1)];
  // Fast path: nearly all words consist of small letters.
  if (first >= SMALL_A && first <= SMALL_Z && last >= SMALL_A && last <= SMALL_Z) return NO_KIND;
  if (/^[$£€]/.test(form)) return { kind: "#money", isClock: false };
  if (form.endsWith("%")) return { kind: "#percent", isClock: false };
  return {
    kind: number.test(form) ? "#num" : undefined,
    isClock: time.test(form),
  };
}

/** The full verbs that a contracted one ("he's", "they'd") may abbreviate. */
export function fullVerbs(form: string, language: Language): readonly string[] {
  return form.startsWith("'") ? (numbersOf(language).verbs.get(form) ?? []) : [];
}
