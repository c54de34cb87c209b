/** Cuts a phrase out of a sentence at natural boundaries. */
import { type Language, perLanguage, wordSet } from "./language-words.ts";
import { BREAK, type Tokens } from "./tokens.ts";

const [MIN_WORDS, MAX_WORDS] = [2, 6];

/** The words by which a language's phrases are cut. */
const cutting = perLanguage(({ phrases }) => ({
  /** Words that need a continuation: no phrase ends with them. */
  leading: wordSet(phrases.leading),
  /** Light verbs, whose meaning depends on the words after them. */
  light: wordSet(phrases.light),
  /** Words before which a phrase is incomplete: "a joy to deal" before "with", "clean top" before "to bottom". */
  ledOn: wordSet(phrases.led_on),
  articles: wordSet(phrases.articles),
  /** Words after which a verb says what was wanted or possible, not what was done: "to repair the leak". */
  notDone: wordSet(phrases.not_done),
  /** Function words that can end a phrase, because they belong to the word before them. */
  closing: wordSet(phrases.closing),
  objects: wordSet(phrases.objects),
  /** Words that say where, when or how, with the words after them, of the word before them. */
  prepositions: wordSet(phrases.prepositions),
  auxiliaries: wordSet(phrases.auxiliaries),
  subjects: wordSet(phrases.subjects),
  /** Words removed from the start of a phrase. */
  heads: wordSet(phrases.heads),
  /** Words that open a subordinate clause: a phrase that would extend over one is rejected. */
  opening: wordSet(phrases.opening),
  /** Words that change the meaning of the words after them. */
  turning: wordSet(phrases.turning),
  leaving: wordSet(phrases.leaving),
  making: wordSet(phrases.making),
  /** Nouns that a clause without "that" describes: "cleans up the way I like". */
  clauseNouns: wordSet(phrases.clause_nouns),
  joining: wordSet(phrases.joining),
  of: wordSet(phrases.of),
  as: wordSet(phrases.as),
  you: wordSet(phrases.you),
  feel: wordSet(phrases.feel),
  time: wordSet(phrases.time),
  atTime: wordSet(phrases.at_time),
  /** A verb that a phrase about when or how can begin with. */
  isVerb: new RegExp(phrases.verb, "u"),
  isAdverb: new RegExp(`${phrases.adverb_ending}$`, "u"),
}));

/** Whether a word is a function word, without a meaning of its own. */
export function isFunctionWord(form: string, language: Language): boolean {
  const { leading, heads, objects } = cutting(language);
  return leading.has(form) || heads.has(form) || objects.has(form);
}

/** The same, or one that only adds to the word before it: "early", "back". */
export function isSmall(form: string, language: Language): boolean {
  return isFunctionWord(form, language) || cutting(language).closing.has(form);
}

/**
 * Returns the phrase of two to six words around the words `from` to `to` (exclusive), verbatim: extended until it is
 * complete, without function words at its start. Undefined if there is no such phrase.
 */
export function fitPhrase(tokens: Tokens, from: number, to: number): string | undefined {
  const { forms, starts, ends, breaks, text, vocabulary } = tokens;
  const { language } = vocabulary;
  const words = cutting(language);
  const form = (at: number) => forms[at] ?? "";
  const joined = (at: number) => at > 0 && at < forms.length && breaks[at] === BREAK.none;
  const isPartOfWord = (at: number) => at > 0 && starts[at] === ends[at - 1];
  let [first, last] = [from, to - 1];
  while (joined(first) && (isPartOfWord(first) || isBoundBefore(form(first - 1), last - first, language))) first--;
  while (joined(last + 1) && last - first < MAX_WORDS + 2) {
    if (!isPartOfWord(last + 1) && !isBoundAfter(form(last), form(last + 1), language)) break;
    if (words.opening.has(form(last + 1))) return undefined;
    last++;
  }
  // The words before "and" are half of a pair: "plain and simple".
  if (words.joining.has(form(last + 1)) && joined(last + 1)) last = Math.min(last, Math.max(to - 1, first));
  while (first < last && words.heads.has(form(first)) && !isPartOfWord(first + 1)) first++;
  if (words.time.has(form(first)) && words.atTime.has(form(first - 1)) && joined(first)) first--;
  // The verb comes first: "worked around night shifts", "came at no cost".
  if (words.prepositions.has(form(first)) && joined(first) && words.isVerb.test(form(first - 1))) first--;
  // The verb and its object come first: "left the house clean", "made me feel welcome".
  const verb = form(first - 2);
  const isLeft = words.articles.has(form(first - 1)) && words.leaving.has(verb);
  const isMade = words.objects.has(form(first - 1)) && words.feel.has(form(first)) && words.making.has(verb);
  if ((isLeft || isMade) && joined(first) && joined(first - 1)) first -= 2;
  const count = last - first + 1;
  if (count < MIN_WORDS || count > MAX_WORDS || first > from + 1 || last < to - 1) return undefined;
  if (words.leading.has(form(last)) || words.light.has(form(last)) || isPartOfWord(last + 1)) return undefined;
  if (joined(last + 1) && words.ledOn.has(form(last + 1))) return undefined;
  if (joined(first) && words.notDone.has(form(first - 1))) return undefined;
  // "phone promptly" lacks its verb: "answered the phone promptly".
  if (count === MIN_WORDS && joined(first) && words.articles.has(form(first - 1)) && words.isAdverb.test(form(last)))
    return undefined;
  if (opensInside(tokens, { first, last }, joined) || isCutOff(tokens, { first, last }, joined)) return undefined;
  const content = forms.slice(first, last + 1).filter((word) => !isSmall(word, language));
  if (
    content.every((word) => words.light.has(word)) ||
    new Set(content).size < content.length ||
    words.opening.has(form(last))
  )
    return undefined;
  const phrase = text.slice(starts[first], ends[last]);
  return PHRASE.test(phrase) ? phrase : undefined;
}

/** The first and the last word of a phrase. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/** Whether a phrase opens with the end of another one: "(at my) place within an hour", "(got my) licence really quickly", "(as) promised and on time". */
function opensInside(
  { forms, vocabulary: { language } }: Tokens,
  { first, last }: Span,
  joined: (at: number) => boolean,
): boolean {
  const words = cutting(language);
  if (!joined(first)) return false;
  const [before = "", next = "", afterNext = ""] = [forms[first - 1], forms[first + 1], forms[first + 2]];
  if (words.as.has(before)) return !forms.slice(first, last).some((form) => words.as.has(form));
  if (!words.articles.has(before)) return false;
  const isOfPlace = joined(first - 1) && words.prepositions.has(forms[first - 2] ?? "");
  return (isOfPlace && words.prepositions.has(next)) || (words.turning.has(next) && words.isAdverb.test(afterNext));
}

/** Whether a phrase ends in the beginning of what follows: "told us the part (was delayed)", "every thing I threw (at him)". */
function isCutOff(
  { forms, vocabulary: { language } }: Tokens,
  { first, last }: Span,
  joined: (at: number) => boolean,
): boolean {
  const words = cutting(language);
  if (!joined(last + 1)) return false;
  const [end = "", beforeEnd = "", next = ""] = [forms[last], forms[last - 1], forms[last + 1]];
  if (words.you.has(end) || (words.clauseNouns.has(end) && words.subjects.has(next))) return true;
  if (words.prepositions.has(end) && !isSmall(next, language)) return true;
  if (words.prepositions.has(end) && (words.articles.has(next) || words.objects.has(next))) return true;
  if (words.subjects.has(beforeEnd) && words.prepositions.has(next)) return true;
  return words.auxiliaries.has(next) && forms.slice(first + 1, last).some((form) => words.articles.has(form));
}

/** Words separated by single spaces, without other punctuation. */
const PHRASE = /^[\p{L}\p{M}\p{N}$'’%-]+(?: [\p{L}\p{M}\p{N}$'’%-]+)+$/u;

/** Whether the word before a phrase belongs to it. `more` is the phrase's number of words minus one. */
function isBoundBefore(before: string, more: number, language: Language): boolean {
  const words = cutting(language);
  if (words.turning.has(before)) return true;
  return more < 2 && !isSmall(before, language) && !words.light.has(before);
}

/** Whether the word `after` belongs to the same phrase as `word`. */
function isBoundAfter(word: string, after: string, language: Language): boolean {
  const words = cutting(language);
  if (words.closing.has(after) || words.objects.has(after)) return true;
  if (words.leading.has(word) || words.light.has(word) || /^\d/.test(word)) return true;
  return words.of.has(after) || !isSmall(after, language);
}
