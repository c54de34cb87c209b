/** Finds the places named in a review: labels and aliases as whole words, except within the company's own name. */
import type { BusinessFile } from "../../business.ts";
import { valenceOf } from "../sentiment/valence.ts";
import type { Language } from "../text/language-words.ts";
import { isWordName } from "../text/person-names.ts";
import { hasWordsAt, type Tokens, tokenise } from "../text/tokens.ts";

interface Spelling {
  readonly id: string;
  readonly words: readonly string[];
  /** Whether it is also an ordinary word, so that only a capital makes it a place. */
  readonly needsCapital: boolean;
}

/** Returns a function that finds the business's places in a tokenised text of a language; ids in the business's order. */
export function areaFinder(business: BusinessFile, language: Language): (tokens: Tokens) => string[] {
  const company = tokenise(business.name, language).forms;
  const spellings = new Map<string, Spelling[]>();
  for (const { id, label, aliases } of business.service_areas) {
    for (const spelling of [label, ...aliases]) {
      const words = tokenise(spelling, language).forms;
      const first = words[0];
      if (first === undefined) continue;
      const needsCapital =
        words.length === 1 && (isWordName(first, language) || valenceOf(first, language) !== 0 || first.length < 4);
      spellings.set(first, [...(spellings.get(first) ?? []), { id, words, needsCapital }]);
    }
  }
  return (tokens) => {
    const found = new Set<string>();
    for (const [index, form] of tokens.forms.entries()) {
      for (const { id, words, needsCapital } of spellings.get(form) ?? []) {
        if (!hasWordsAt(tokens.forms, index, words) || isInCompanyName(tokens, index, words.length, company)) continue;
        if (!needsCapital || /\p{Lu}/u.test(tokens.text.charAt(tokens.starts[index] ?? 0))) found.add(id);
      }
    }
    return business.service_areas.filter(({ id }) => found.has(id)).map(({ id }) => id);
  };
}

/** Whether the words are part of the company's name in the review: "Dallas" in "Dallas Air Pros". */
function isInCompanyName(tokens: Tokens, index: number, length: number, company: readonly string[]): boolean {
  if (company.length <= length) return false;
  for (let start = index - company.length + 1; start <= index; start++) {
    const covers = start + company.length >= index + length;
    if (start >= 0 && covers && hasWordsAt(tokens.forms, start, company)) return true;
  }
  return false;
}
