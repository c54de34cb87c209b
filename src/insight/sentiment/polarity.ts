/** Word polarity in context: valence, reversed by negation and strengthened by intensifiers. */
import { type Clauses, clausesOf } from "../text/clauses.ts";
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

const NEGATORS = new Set(
  "not no never nobody nothing none without neither nor hardly barely scarcely cannot zero".split(" "),
);
/** Negators with a wide scope: "not once in ten years have they …", "never … late". */
const FAR_REACHING = new Set(["never", "nobody", "none", "neither", "nothing", "hardly", "barely"]);
/** Negators that apply only to the next few words: "no mess", "without a toilet for three days". */
const CLOSE = new Set(["no", "without", "zero"]);
const NEAR = 3;
const FAR = 7;
/** Words after "not" that widen its scope: "not once", "not even". */
const FAR_AFTER_NOT = new Set(["once", "one", "even", "a"]);
/** Reporting verbs: "nobody mentioned the fee" denies the mentioning, not the fee. */
const TELLING = new Set(
  "call called calls text texted phoned bothered mention mentioned tell told explain explained say said disclose disclosed warn warned know knew expect expected think".split(
    " ",
  ),
);

/** Idioms in which a negator does not negate, each given as the words that follow the negator; by the first of these. */
const IDIOMS = Map.groupBy(
  [
    "only",
    "just",
    "say enough",
    "speak highly",
    "speak high",
    "thank them",
    "thank him",
    "thank her",
    "thank you",
    "thank these",
    "thank this",
    "thank everyone",
    "recommend them enough",
    "recommend him enough",
    "recommend her enough",
    "recommend this",
    "recommend enough",
    "recommend these",
    "recommend more",
    "recommend highly",
    "have been",
    "be happier",
    "be more",
    "be better",
    "ask for",
    "beat",
    "go wrong",
    "wait to",
    "hesitate",
    "doubt",
    "question",
    "problem",
    "imagine",
    "believe how",
    "help but",
    "even",
    "stress enough",
    "praise",
    "matter",
    "sure",
    "idea",
    "fault them",
    "get any better",
    "get better",
    "be any",
    "be nicer",
    "be kinder",
    "be easier",
    "be friendlier",
    "get over how",
    "gotten better",
    "have asked",
    "have done",
    "have had",
    "have gone",
    "have wished",
    "have made",
    "have gotten",
    "find a better",
    "wonder",
    "surprised",
    "sooner",
    "less than",
    "later than",
    "more than",
    "long after",
    "complain",
    "complaints",
    "trust them more",
  ].map((words) => words.split(" ")),
  ([first]) => first,
);
const MODAL = new Set(["could", "can", "would"]);
const MODAL_IDIOM = new Set([
  "have",
  "be",
  "ask",
  "beat",
  "say",
  "speak",
  "thank",
  "recommend",
  "praise",
  "stress",
  "get",
  "trust",
]);

const INTENSIFIERS = new Map(
  Object.entries({
    very: 0.3,
    really: 0.3,
    extremely: 0.5,
    so: 0.25,
    super: 0.4,
    absolutely: 0.5,
    incredibly: 0.5,
    totally: 0.4,
    completely: 0.4,
    too: 0.2,
    especially: 0.3,
    exceptionally: 0.5,
    truly: 0.3,
    beyond: 0.4,
    most: 0.3,
    highly: 0.3,
    slightly: -0.4,
    somewhat: -0.4,
    bit: -0.4,
    little: -0.35,
    kinda: -0.4,
    fairly: -0.2,
    almost: -0.4,
    tad: -0.4,
    mildly: -0.4,
  }),
);

/** By word: whether it is a negator, and its valence in millionths. */
const WORD = { negates: 0, valence: 1 } as const;
const WORD_WIDTH = 2;
const wordRows = wordTable(WORD_WIDTH, (rows, row, form) => {
  rows[row + WORD.negates] = NEGATORS.has(form) ? 1 : 0;
  rows[row + WORD.valence] = Math.round(valenceOf(form) * 1e6);
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
    // Only negators before a word affect its valence, so the later ones may still be missing.
    const valence = rows[row + WORD.valence] as number;
    valences.push(valence === 0 ? 0 : inContext(frame, index, valence / 1e6));
  }
  return frame;
}

/** Verbs after "never" that express a superlative if "so", "such" or a comparative follows: "never met a nicer man". */
const EXPERIENCES = new Set(
  "had have met meet seen see been dealt experienced encountered known felt worked worked used".split(" "),
);

function isIdiom(tokens: Tokens, index: number): boolean {
  const { forms, breaks } = tokens;
  if (forms[index] === "never" && EXPERIENCES.has(forms[index + 1] ?? "")) {
    for (let at = index + 2; at < index + 12 && at < forms.length && breaks[at] === BREAK.none; at++) {
      if (["so", "such", "this", "as"].includes(forms[at] ?? "")) return true;
    }
    return isComparative(forms, index + 2);
  }
  const next = forms[index + 1];
  if (next === undefined || breaks[index + 1] !== BREAK.none) return false;
  for (const idiom of IDIOMS.get(next) ?? []) {
    if (!hasWordsAt(forms, index + 1, idiom)) continue;
    if (MODAL_IDIOM.has(next) && !MODAL.has(forms[index - 1] ?? "")) continue;
    if (next === "have" && !isComparative(forms, index + 2)) continue;
    if (next === "be" && !isComparative(forms, index + 2)) continue;
    return true;
  }
  return false;
}

/** Whether a comparative follows: "could not have been cleaner" denies nothing. */
function isComparative(forms: readonly string[], from: number): boolean {
  for (let at = from; at < from + 5 && at < forms.length; at++) {
    const form = forms[at] ?? "";
    if (["better", "more", "easier", "worse", "happier", "nicer", "asked", "wished", "less"].includes(form))
      return true;
    if (form.length > 5 && (form.endsWith("er") || form.endsWith("ier"))) return true;
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

/** Whether a preceding negator in the same clause applies to the word at `place`. */
export function isNegated({ tokens, clauses, negators }: Frame, place: number): boolean {
  let count = 0;
  for (let index = countBefore(negators, place) - 1; index >= 0; index--) {
    const at = negators[index] as number;
    const distance = place - at - 1;
    if (distance > FAR) break;
    if (clauses.sentence[at] !== clauses.sentence[place]) break;
    const negator = tokens.forms[at] as string;
    const isFar = FAR_REACHING.has(negator) || (negator === "not" && FAR_AFTER_NOT.has(tokens.forms[at + 1] ?? ""));
    if (distance > (isFar ? FAR : NEAR) || clauses.clause[at] !== clauses.clause[place]) continue;
    if (CLOSE.has(negator) && distance > 2) continue;
    if (isTold(tokens, at + 1, place)) continue;
    if (hasPause(tokens, at + 1, place)) continue;
    count++;
  }
  return count % 2 === 1;
}

function isTold({ forms }: Tokens, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (TELLING.has(forms[at] as string)) return true;
  return false;
}

function hasPause({ breaks }: Tokens, from: number, to: number): boolean {
  for (let at = from; at <= to; at++) if (breaks[at] !== BREAK.none) return true;
  return false;
}

function inContext(frame: Omit<Frame, "valences">, place: number, value: number): number {
  const { forms, breaks } = frame.tokens;
  let factor = 1;
  for (let at = place - 1; at >= 0 && at >= place - 2 && breaks[at + 1] === BREAK.none; at--) {
    factor += (INTENSIFIERS.get(forms[at] ?? "") ?? 0) * (at === place - 1 ? 1 : 0.8);
  }
  if (!isNegated(frame as Frame, place)) return value * factor;
  return value * (value > 0 ? -0.8 : -0.5);
}
