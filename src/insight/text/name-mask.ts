/**
 * Replaces the names of the business and its people with pronouns, so that "Smart Movers" is not read as praise and
 * "Will" not as a verb. The text and the word positions do not change.
 */
import type { Language } from "./language-words.ts";
import { isWordName, peopleWords } from "./person-names.ts";
import { BREAK, type Tokens, tokenise } from "./tokens.ts";
import { wordNumber, wordTable } from "./vocabulary.ts";

/** Names from a business file. */
export interface BusinessNames {
  readonly business: string;
  readonly people: readonly string[];
}

/** Legal forms, which customers leave out of company names. */
const LEGAL_FORM = /^(llc|inc|ltd|limited|co|corp|corporation|company|pty|gmbh|plc)$/;

interface Name {
  readonly words: readonly string[];
  readonly pronoun: string;
  /** Whether the words are also ordinary words, so that only capitals make them a name. */
  readonly needsCapitals: boolean;
}

/** Returns a function that masks these names in texts of a language. */
export function nameMask({ business, people }: BusinessNames, language: Language): (tokens: Tokens) => Tokens {
  const byFirst = Map.groupBy(
    [...businessNames(business, language), ...people.flatMap((person) => personNames(person, language))],
    ({ words }) => words[0] ?? "",
  );
  for (const list of byFirst.values()) list.sort((a, b) => b.words.length - a.words.length);
  const beginsName = wordTable(1, (rows, row, form) => {
    rows[row] = byFirst.has(form) ? 1 : 0;
  });
  return (tokens) => {
    const begins = beginsName(tokens);
    let forms: string[] | undefined;
    let words = tokens.words;
    for (let at = 0; at < tokens.forms.length; at++) {
      if (begins[tokens.words[at] as number] === 0) continue;
      const name = byFirst.get(tokens.forms[at] ?? "")?.find((candidate) => isNameAt(tokens, at, candidate));
      if (name === undefined) continue;
      if (forms === undefined) [forms, words] = [[...tokens.forms], [...tokens.words]];
      forms.fill(name.pronoun, at, at + name.words.length);
      words.fill(wordNumber(tokens.vocabulary, name.pronoun), at, at + name.words.length);
      at += name.words.length - 1;
    }
    return forms === undefined ? tokens : { ...tokens, forms, words };
  };
}

/** The name without its legal form and, if that has more than two words, its first two words. */
function businessNames(business: string, language: Language): Name[] {
  const pronoun = language.words.pronouns.business;
  const words = tokenise(business, language).forms.filter((word) => !LEGAL_FORM.test(word));
  const spellings = words.length > 2 ? [words, words.slice(0, 2)] : [words];
  return spellings
    .filter((spelling) => spelling.length > 0)
    .map((spelling) => ({ words: spelling, pronoun, needsCapitals: spelling.length < 3 }));
}

/** The full name, and the first name alone. */
function personNames(person: string, language: Language): Name[] {
  const pronoun = language.words.pronouns.person;
  const words = tokenise(person, language).forms;
  const first = words.slice(0, 1);
  return [words, first]
    .filter((spelling, index) => spelling.join("").length > 1 && (index === 0 || words.length > 1))
    .map((spelling) => ({ words: spelling, pronoun, needsCapitals: spelling.length === 1 }));
}

function isNameAt(tokens: Tokens, at: number, { words, needsCapitals }: Name): boolean {
  const { forms, breaks, starts, text } = tokens;
  for (const [offset, word] of words.entries()) {
    if (forms[at + offset] !== word) return false;
    if (offset > 0 && breaks[at + offset] === BREAK.sentence) return false;
    if (needsCapitals && !/\p{Lu}/u.test(text.charAt(starts[at + offset] ?? 0))) return false;
  }
  const [only] = words;
  const opensSentence = breaks[at] === BREAK.sentence;
  if (words.length !== 1 || only === undefined || !opensSentence) return true;
  const { language } = tokens.vocabulary;
  return !isWordName(only, language) || peopleWords(language).verbNames.has(only);
}
