/** Finds the technicians named in a review, by first name, full name or nickname, and excludes other people. */
import type { BusinessFile } from "../../business.ts";
import type { Language } from "../text/language-words.ts";
import { isWordName, peopleWords, shortForms } from "../text/person-names.ts";
import { BREAK, type Tokens, tokenise } from "../text/tokens.ts";

/** A way to refer to a technician: the words of a name in lower case. */
interface Naming {
  readonly id: string;
  readonly words: readonly string[];
  /** Whether it is a first name or nickname alone, so that the context decides. */
  readonly isSingle: boolean;
}

interface Name {
  readonly namings: readonly Naming[];
  readonly surnames: ReadonlyMap<string, string>;
}

/** Returns a function that finds the business's technicians in a tokenised text of a language; ids in the business's order. */
export function technicianFinder(business: BusinessFile, language: Language): (tokens: Tokens) => string[] {
  const names = namesOf(business, language);
  const companyWords = new Set(tokenise(business.name, language).forms);
  return (tokens) => {
    const found = new Set<string>();
    const shouting = isShouting(tokens.text);
    for (const [index, form] of tokens.forms.entries()) {
      for (const naming of names.get(form)?.namings ?? []) {
        if (!naming.words.every((word, offset) => tokens.forms[index + offset] === word)) continue;
        if (found.has(naming.id) && naming.isSingle) continue;
        if (
          !isOtherPerson(tokens, index, naming, { names, companyWords, shouting }) &&
          isPerson(tokens, index, naming, shouting)
        )
          found.add(naming.id);
      }
    }
    return business.technicians.filter(({ id }) => found.has(id)).map(({ id }) => id);
  };
}

/** All namings by first word. A single name shared by two technicians is excluded. */
function namesOf(business: BusinessFile, language: Language): Map<string, Name> {
  const claims = new Map<string, Set<string>>();
  const full: Naming[] = [];
  const claim = (word: string, id: string) => claims.set(word, (claims.get(word) ?? new Set()).add(id));
  const surnames = new Map<string, string>();
  for (const { id, name, aliases } of business.technicians) {
    for (const spelling of [name, ...aliases]) {
      const words = tokenise(spelling, language).forms;
      const [first, ...rest] = words;
      if (first === undefined) continue;
      if (rest.length === 0) claim(first, id);
      else full.push({ id, words, isSingle: false });
    }
    const [first, ...rest] = tokenise(name, language).forms;
    const last = rest.at(-1);
    if (first !== undefined && first.length > 1) claim(first, id);
    if (last !== undefined && last.length > 2) {
      surnames.set(last, id);
      if (first !== undefined) full.push({ id, words: [first, last.charAt(0)], isSingle: false });
    }
  }
  const taken = new Set(claims.keys());
  for (const { id, name } of business.technicians) {
    const first = tokenise(name, language).forms[0] ?? "";
    for (const short of shortForms(first, language)) if (!taken.has(short)) claim(short, id);
  }
  for (const [surname, id] of surnames) if (!claims.has(surname) && !isWordName(surname, language)) claim(surname, id);
  const namings = [...full];
  for (const [word, ids] of claims) {
    const [only] = ids;
    if (ids.size === 1 && only !== undefined) namings.push({ id: only, words: [word], isSingle: true });
  }
  const byFirst = new Map<string, Name>();
  for (const naming of namings) {
    const first = naming.words[0] ?? "";
    byFirst.set(first, { namings: [...(byFirst.get(first)?.namings ?? []), naming], surnames });
  }
  return byFirst;
}

interface Surroundings {
  readonly names: ReadonlyMap<string, Name>;
  readonly companyWords: ReadonlySet<string>;
  readonly shouting: boolean;
}

/**
 * Whether the name is another person's: a relative, another company's employee, or a person with another surname.
 */
function isOtherPerson(tokens: Tokens, index: number, naming: Naming, around: Surroundings): boolean {
  const { forms, breaks } = tokens;
  const people = peopleWords(tokens.vocabulary.language);
  const before = forms[index - 1] ?? "";
  const afterPause = breaks[index] !== BREAK.none;
  if (breaks[index] !== BREAK.sentence && people.relations.has(before)) return true;
  if (!afterPause && people.strangers.has(before)) {
    if (people.others.has(forms[index - 2] ?? "")) return true;
    if (people.theirs.has(forms[index - 2] ?? "")) return namesAnotherCompany(tokens, around);
  }
  if (isSignature(tokens, index + naming.words.length)) return true;
  const next = index + naming.words.length;
  const nextForm = forms[next] ?? "";
  if (breaks[next] === BREAK.none) {
    if (people.with.has(nextForm)) return false;
    if (people.from.has(nextForm)) return isStranger(tokens, next + 1, around);
    if (people.unknown.has(nextForm)) return true;
    const isSurname =
      naming.isSingle &&
      !around.shouting &&
      isCapital(tokens, next) &&
      nextForm.length > 1 &&
      !people.noSurnames.has(nextForm);
    if (isSurname && !around.names.has(nextForm) && !isAbbreviation(tokens, next)) {
      return around.names.get(naming.words[0] ?? "")?.surnames.get(nextForm) !== naming.id;
    }
  }
  return false;
}

/** Whether the words after "from", "at" or "by" name another company. */
function isStranger(tokens: Tokens, at: number, { companyWords, shouting }: Surroundings): boolean {
  const form = tokens.forms[at] ?? "";
  const people = peopleWords(tokens.vocabulary.language);
  if (people.another.has(form)) return true;
  if (people.articles.has(form) && people.theOther.has(tokens.forms[at + 1] ?? "")) return true;
  if (shouting || !isCapital(tokens, at) || companyWords.has(form) || people.noSurnames.has(form)) return false;
  return (
    !tokens.forms.slice(at, at + 4).some((word) => people.here.has(word)) &&
    !companyWords.has(tokens.forms[at + 1] ?? "")
  );
}

function namesAnotherCompany(tokens: Tokens, around: Surroundings): boolean {
  const people = peopleWords(tokens.vocabulary.language);
  return tokens.forms.some(
    (form, index) =>
      (people.by.has(form) && isStranger(tokens, index + 1, around)) ||
      (people.otherCompanies.has(form) && people.companies.has(tokens.forms[index + 1] ?? "")),
  );
}

/** Whether the text ends with the name on its own line or after a dash: the customer's signature. */
function isSignature({ text, ends, starts, forms }: Tokens, next: number): boolean {
  if (next !== forms.length || next < 2) return false;
  const between = text.slice(ends[next - 2], starts[next - 1]);
  return /[-–—~\n]/.test(between) && text.slice(ends[next - 1]).trim().length <= 1;
}

/** Whether a name that is also an ordinary word means a person here. */
function isPerson(tokens: Tokens, index: number, naming: Naming, shouting: boolean): boolean {
  if (!naming.isSingle) return isSafeInitial(tokens, index, naming);
  const form = naming.words[0] ?? "";
  const { language } = tokens.vocabulary;
  if (!isWordName(form, language)) return true;
  const people = peopleWords(language);
  const opensSentence = tokens.breaks[index] === BREAK.sentence || opensQuote(tokens, index);
  const capital = isCapital(tokens, index) && !shouting;
  if (capital && !opensSentence) return !isTitle(tokens, index);
  const next = tokens.forms[index + 1] ?? "";
  const isFollowed = tokens.breaks[index + 1] === BREAK.none && isPersonVerb(next, form, tokens, index + 1);
  if (capital || (shouting && isCapital(tokens, index))) return isFollowed || isAddressed(tokens, index);
  const before = tokens.forms[index - 1] ?? "";
  const introduced =
    tokens.breaks[index] === BREAK.none && (people.callings.has(before) || people.introducing.has(before));
  return introduced && !people.notIntroduced.has(next);
}

function isPersonVerb(next: string, form: string, tokens: Tokens, at: number): boolean {
  const people = peopleWords(tokens.vocabulary.language);
  const [isVerbName, afterNext] = [people.verbNames.has(form), tokens.forms[at + 1] ?? ""];
  if (isVerbName && people.afterVerbName.has(next)) {
    return people.and.has(next) && isCapital(tokens, at + 1) && !people.self.has(afterNext);
  }
  if (people.and.has(next)) return isCapital(tokens, at + 1) || people.afterAnd.has(afterNext);
  if (people.places.has(next)) return !isVerbName;
  if (people.by.has(next)) return true;
  return people.verbs.has(next) || (people.isVerb.test(next) && !people.noVerbs.has(next));
}

/** Whether a description or direct address follows: "Rich, our technician,". */
function isAddressed({ forms, breaks, vocabulary: { language } }: Tokens, index: number): boolean {
  return breaks[index + 1] === BREAK.pause && peopleWords(language).addressed.has(forms[index + 1] ?? "");
}

function isSafeInitial({ text, starts, ends }: Tokens, index: number, { words }: Naming): boolean {
  const last = words.at(-1) ?? "";
  if (last.length > 1) return true;
  const initial = text.slice(starts[index + words.length - 1], ends[index + words.length - 1]);
  return /^[A-Z]$/.test(initial) && initial !== "A" && initial !== "I";
}

/** Whether the name follows "of the", as in a title: its capital then does not indicate a person. */
function isTitle(tokens: Tokens, index: number): boolean {
  const before = tokens.forms.slice(Math.max(0, index - 2), index).join(" ");
  return tokens.breaks[index] === BREAK.none && before === peopleWords(tokens.vocabulary.language).titled;
}

function opensQuote({ text, starts }: Tokens, index: number): boolean {
  return /["“(]/.test(text.charAt((starts[index] ?? 0) - 1));
}

function isCapital({ text, starts }: Tokens, index: number): boolean {
  const at = starts[index];
  return at !== undefined && /^\p{Lu}/u.test(text.slice(at, at + 2));
}

function isAbbreviation({ text, starts, ends }: Tokens, index: number): boolean {
  return /^[A-Z]{2,4}$/.test(text.slice(starts[index], ends[index]));
}

/** Whether the text is mostly in capitals, by its first 400 characters. */
function isShouting(text: string): boolean {
  let capitals = 0;
  let small = 0;
  for (let at = 0; at < text.length && at < 400; at++) {
    const code = text.charCodeAt(at);
    if (code >= 65 && code <= 90) capitals++;
    else if (code >= 97 && code <= 122) small++;
  }
  return capitals > small * 2;
}
