/** Word polarity in context: valence, reversed by negation and strengthened by intensifiers. */
import { type Clauses, clausesOf } from "../text/clauses.ts";
import { perLanguage, wordSet } from "../text/language-words.ts";
import { BREAK, hasWordsAt, type Tokens } from "../text/tokens.ts";
import { wordTable } from "../text/vocabulary.ts";
import { valenceOf } from "./valence.ts";

/** A text with the data for computing polarity. */
export interface Frame {
  readonly tokens: Tokens;
  readonly clauses: Clauses;
  /** Positions of the negators, except those in idioms ("can't say enough", "not only"). */
  readonly negators: readonly number[];
  readonly valences: readonly number[];
}

const [NEAR, FAR] = [3, 7];

/** How a language negates and strengthens (`taxonomies/words`). */
const negation = perLanguage(({ negation: words, intensifiers }) => ({
  negators: wordSet(words.negators),
  /** Negators with a wide scope: "not once in ten years have they …", "never … late". */
  far: wordSet(words.far),
  /** Negators that apply only to the next few words: "no mess", "without a toilet for three days". */
  close: wordSet(words.close),
  never: wordSet(words.never),
  not: wordSet(words.not),
  /** Words after "not" that widen its scope: "not once", "not even". */
  farAfterNot: wordSet(words.far_after_not),
  /** Words that a negator later in the clause denies, as in German: "das funktioniert leider immer noch nicht". */
  fromBehind: wordSet(words.from_behind),
  /** Words that one denies which ends the clause: "pünktlich waren sie nicht". */
  atEnd: wordSet(words.at_end),
  /** Reporting verbs: "nobody mentioned the fee" denies the mentioning, not the fee. */
  telling: wordSet(words.telling),
  /** Idioms in which a negator does not negate, each given as the words that follow the negator; by the first of these. */
  idioms: Map.groupBy(
    words.idioms.map((idiom) => idiom.split(" ")),
    ([first]) => first,
  ),
  modal: wordSet(words.modal),
  /** Words with which an idiom needs a modal verb, and those with which it needs a comparative. */
  modalIdioms: wordSet(words.modal_idioms),
  comparedIdioms: wordSet(words.compared_idioms),
  /** Verbs after "never" that express a superlative if "so", "such" or a comparative follows: "never met a nicer man". */
  experiences: wordSet(words.experiences),
  superlative: wordSet(words.superlative),
  comparatives: wordSet(words.comparatives),
  comparativeEnding: words.comparative_ending,
  intensifiers: new Map<string, number>(Object.entries(intensifiers)),
}));

/** By word: whether it is a negator, and its valence in millionths. */
const WORD = { negates: 0, valence: 1 } as const;
const WORD_WIDTH = 2;
const wordRows = wordTable(WORD_WIDTH, (rows, row, form, language) => {
  rows[row + WORD.negates] = negation(language).negators.has(form) ? 1 : 0;
  rows[row + WORD.valence] = Math.round(valenceOf(form, language) * 1e6);
});

/** Computes the frame of a tokenised text. */
export function frameOf(tokens: Tokens): Frame {
  const { words } = tokens;
  const rows = wordRows(tokens);
  const negators: number[] = [];
  const valences: number[] = [];
  const frame = { tokens, clauses: clausesOf(tokens), negators, valences };
  for (let index = 0; index < words.length; index++) {
    const row = (words[index] as number) * WORD_WIDTH;
    if (rows[row + WORD.negates] === 1 && !isIdiom(tokens, index)) negators.push(index);
  }
  for (let index = 0; index < words.length; index++) {
    const valence = rows[(words[index] as number) * WORD_WIDTH + WORD.valence] as number;
    valences.push(valence === 0 ? 0 : inContext(frame, index, valence / 1e6));
  }
  return frame;
}

function isIdiom(tokens: Tokens, index: number): boolean {
  const { forms, breaks } = tokens;
  const words = negation(tokens.vocabulary.language);
  if (words.never.has(forms[index] as string) && words.experiences.has(forms[index + 1] ?? "")) {
    for (let at = index + 2; at < index + 12 && at < forms.length && breaks[at] === BREAK.none; at++) {
      if (words.superlative.has(forms[at] ?? "")) return true;
    }
    return isComparative(tokens, index + 2);
  }
  const next = forms[index + 1];
  if (next === undefined || breaks[index + 1] !== BREAK.none) return false;
  for (const idiom of words.idioms.get(next) ?? []) {
    if (!hasWordsAt(forms, index + 1, idiom)) continue;
    if (words.modalIdioms.has(next) && !words.modal.has(forms[index - 1] ?? "")) continue;
    if (words.comparedIdioms.has(next) && !isComparative(tokens, index + 2)) continue;
    return true;
  }
  return false;
}

/** Whether a comparative follows: "could not have been cleaner" denies nothing. */
function isComparative({ forms, vocabulary: { language } }: Tokens, from: number): boolean {
  const { comparatives, comparativeEnding } = negation(language);
  for (let at = from; at < from + 5 && at < forms.length; at++) {
    const form = forms[at] ?? "";
    if (comparatives.has(form) || (form.length > 5 && form.endsWith(comparativeEnding))) return true;
  }
  return false;
}

/** The number of negators before the word at `place`, by binary search: a text may have a hundred thousand. */
export function countBefore(negators: readonly number[], place: number): number {
  let [low, high] = [0, negators.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((negators[middle] as number) >= place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Whether a negator in the same clause applies to the word at `place`: one before it, or, of some words, one behind, from
 * the word at `end` on.
 */
export function isNegated({ tokens, clauses, negators }: Frame, place: number, end = place + 1): boolean {
  const words = negation(tokens.vocabulary.language);
  const first = countBefore(negators, place);
  let count = 0;
  for (let index = first - 1; index >= 0; index--) {
    const at = negators[index] as number;
    const distance = place - at - 1;
    if (distance > FAR) break;
    if (clauses.sentence[at] !== clauses.sentence[place]) break;
    const negator = tokens.forms[at] as string;
    const isFar =
      words.far.has(negator) || (words.not.has(negator) && words.farAfterNot.has(tokens.forms[at + 1] ?? ""));
    if (distance > (isFar ? FAR : NEAR) || clauses.clause[at] !== clauses.clause[place]) continue;
    if (words.close.has(negator) && distance > 2) continue;
    if (isTold(tokens, at + 1, place, words.telling)) continue;
    if (hasPause(tokens, at + 1, place)) continue;
    count++;
  }
  return (
    (count +
      (isNegatedBehind({ clauses, negators }, { form: tokens.forms[place] as string, place, end }, words) ? 1 : 0)) %
      2 ===
    1
  );
}

/** Whether a word is denied from behind: some by any negator that follows, others only by one that ends the clause. */
function isNegatedBehind(
  { clauses: { clause }, negators }: Pick<Frame, "clauses" | "negators">,
  { form, place, end }: { readonly form: string; readonly place: number; readonly end: number },
  { fromBehind, atEnd }: { readonly fromBehind: ReadonlySet<string>; readonly atEnd: ReadonlySet<string> },
): boolean {
  const isAny = fromBehind.has(form);
  if (!isAny && !atEnd.has(form)) return false;
  const behind = negators[countBefore(negators, end)];
  if (behind === undefined || behind - place > FAR || clause[behind] !== clause[place]) return false;
  return isAny || clause[behind + 1] !== clause[place];
}

function isTold({ forms }: Tokens, from: number, to: number, telling: ReadonlySet<string>): boolean {
  for (let at = from; at < to; at++) if (telling.has(forms[at] as string)) return true;
  return false;
}

function hasPause({ breaks }: Tokens, from: number, to: number): boolean {
  for (let at = from; at <= to; at++) if (breaks[at] !== BREAK.none) return true;
  return false;
}

function inContext(frame: Omit<Frame, "valences">, place: number, value: number): number {
  const { forms, breaks, vocabulary } = frame.tokens;
  const { intensifiers } = negation(vocabulary.language);
  let factor = 1;
  for (let at = place - 1; at >= 0 && at >= place - 2 && breaks[at + 1] === BREAK.none; at--) {
    factor += (intensifiers.get(forms[at] ?? "") ?? 0) * (at === place - 1 ? 1 : 0.8);
  }
  if (!isNegated(frame as Frame, place)) return value * factor;
  return value * (value > 0 ? -0.8 : -0.5);
}
