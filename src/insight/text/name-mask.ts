/**
 * Replaces the names of the business and its people with pronouns, so that "Smart Movers" is not read as praise and
 * "Will" not as a verb. The text and the word positions do not change.
 */
import { isWordName } from "./person-names.ts";
import { BREAK, type Tokens, tokenise } from "./tokens.ts";
import { wordNumber, wordTable } from "./vocabulary.ts";

/** Names from a business file. */
export interface BusinessNames {
  readonly business: string;
  readonly people: readonly string[];
}

const [BUSINESS, PERSON] = ["they", "he"];
/** Legal forms, which customers leave out of company names. */
const LEGAL_FORM = /^(llc|inc|ltd|limited|co|corp|corporation|company|pty|gmbh|plc)$/;

interface Name {
  readonly words: readonly string[];
  readonly pronoun: string;
  /** Whether the words are also ordinary words, so that only capitals make them a name. */
  readonly needsCapitals: boolean;
}

/** Returns a function that masks these names. */
export function nameMask({ business, people }: BusinessNames): (tokens: Tokens) => Tokens {
  const byFirst = Map.groupBy(
    [...businessNames(business), ...people.flatMap(personNames)],
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
function businessNames(business: string): Name[] {
  const words = tokenise(business).forms.filter((word) => !LEGAL_FORM.test(word));
  const spellings = words.length > 2 ? [words, words.slice(0, 2)] : [words];
  return spellings
    .filter((spelling) => spelling.length > 0)
    .map((spelling) => ({ words: spelling, pronoun: BUSINESS, needsCapitals: spelling.length < 3 }));
}

/** The full name, and the first name alone. */
function personNames(person: string): Name[] {
  const words = tokenise(person).forms;
  const first = words.slice(0, 1);
  return [words, first]
    .filter((spelling, index) => spelling.join("").length > 1 && (index === 0 || words.length > 1))
    .map((spelling) => ({ words: spelling, pronoun: PERSON, needsCapitals: spelling.length === 1 }));
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
  return !(words.length === 1 && only !== undefined && opensSentence && isWordName(only) && only !== "will");
}
