/** Finds the technicians named in a review, by first name, full name or nickname, and excludes other people. */
import type { BusinessFile } from "../../business.ts";
import {
  CALLINGS,
  COMPANIES,
  isWordName,
  NO_SURNAMES,
  RELATIONS,
  STRANGERS,
  shortForms,
} from "../text/person-names.ts";
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

/** Returns a function that finds the business's technicians in a tokenised text; ids in the business's order. */
export function technicianFinder(business: BusinessFile): (tokens: Tokens) => string[] {
  const names = namesOf(business);
  const companyWords = new Set(tokenise(business.name).forms);
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
function namesOf(business: BusinessFile): Map<string, Name> {
  const claims = new Map<string, Set<string>>();
  const full: Naming[] = [];
  const claim = (word: string, id: string) => claims.set(word, (claims.get(word) ?? new Set()).add(id));
  const surnames = new Map<string, string>();
  for (const { id, name, aliases } of business.technicians) {
    for (const spelling of [name, ...aliases]) {
      const words = tokenise(spelling).forms;
      const [first, ...rest] = words;
      if (first === undefined) continue;
      if (rest.length === 0) claim(first, id);
      else full.push({ id, words, isSingle: false });
    }
    const [first, ...rest] = tokenise(name).forms;
    const last = rest.at(-1);
    if (first !== undefined && first.length > 1) claim(first, id);
    if (last !== undefined && last.length > 2) {
      surnames.set(last, id);
      if (first !== undefined) full.push({ id, words: [first, last.charAt(0)], isSingle: false });
    }
  }
  const taken = new Set(claims.keys());
  for (const { id, name } of business.technicians) {
    const first = tokenise(name).forms[0] ?? "";
    for (const short of shortForms(first)) if (!taken.has(short)) claim(short, id);
  }
  for (const [surname, id] of surnames) if (!claims.has(surname) && !isWordName(surname)) claim(surname, id);
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

const CALENDAR = new Set([
  ...`monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december i i'm`.split(/\s+/),
  ...NO_SURNAMES,
]);

/**
 * Whether the name is another person's: a relative, another company's employee, or a person with another surname.
 */
function isOtherPerson(tokens: Tokens, index: number, naming: Naming, around: Surroundings): boolean {
  const { forms, breaks } = tokens;
  const before = forms[index - 1] ?? "";
  const afterPause = breaks[index] !== BREAK.none;
  if (breaks[index] !== BREAK.sentence && RELATIONS.has(before)) return true;
  if (!afterPause && /^(their|other|his|her)$/.test(forms[index - 2] ?? "") && STRANGERS.has(before)) {
    return forms[index - 2] !== "other" ? namesAnotherCompany(tokens, around) : true;
  }
  if (isSignature(tokens, index + naming.words.length)) return true;
  const next = index + naming.words.length;
  const nextForm = forms[next] ?? "";
  if (breaks[next] === BREAK.none) {
    if (nextForm === "from" || nextForm === "at" || nextForm === "with") {
      return nextForm === "with" ? false : isStranger(tokens, next + 1, around);
    }
    if (/^(somebody|someone|something|whatshisname)$/.test(nextForm)) return true;
    const isSurname =
      naming.isSingle && !around.shouting && isCapital(tokens, next) && nextForm.length > 1 && !CALENDAR.has(nextForm);
    if (isSurname && !around.names.has(nextForm) && !isAbbreviation(tokens, next)) {
      return around.names.get(naming.words[0] ?? "")?.surnames.get(nextForm) !== naming.id;
    }
  }
  return false;
}

/** Whether the words after "from", "at" or "by" name another company. */
function isStranger(tokens: Tokens, at: number, { companyWords, shouting }: Surroundings): boolean {
  const form = tokens.forms[at] ?? "";
  if (/^(another|other)$/.test(form)) return true;
  if (form === "the" && /^(other|competitor|previous|last)$/.test(tokens.forms[at + 1] ?? "")) return true;
  if (shouting || !isCapital(tokens, at) || companyWords.has(form) || CALENDAR.has(form)) return false;
  const following = tokens.forms.slice(at, at + 4).join(" ");
  return !/\b(office|start|here)\b/.test(following) && !companyWords.has(tokens.forms[at + 1] ?? "");
}

function namesAnotherCompany(tokens: Tokens, around: Surroundings): boolean {
  return tokens.forms.some(
    (form, index) =>
      ((form === "from" || form === "by") && isStranger(tokens, index + 1, around)) ||
      (/^(another|other|previous|last|different)$/.test(form) && COMPANIES.has(tokens.forms[index + 1] ?? "")),
  );
}

/** Whether the text ends with the name on its own line or after a dash: the customer's signature. */
function isSignature({ text, ends, starts, forms }: Tokens, next: number): boolean {
  if (next !== forms.length || next < 2) return false;
  const between = text.slice(ends[next - 2], starts[next - 1]);
  return /[-–—~\n]/.test(between) && text.slice(ends[next - 1]).trim().length <= 1;
}

const VERBS = new Set(
  `was is did does has had 's came went got took made gave said told knew knows found fixed left kept put ran sent brought
  showed shows explains comes arrives takes makes goes gets says deserves rocks rules drove spent thought felt saw saved stood
  sat cut caught who also even then though himself herself again and & from our the came can could would must might turned
  really always both spoke dealt wore worked never quickly immediately patiently kindly by here there does doesn not wasn`.split(
    /\s+/,
  ),
);
/** Words that look like third-person verbs but are not. */
const NO_VERBS = new Set(
  "always perhaps sometimes thanks this plus across services prices times days hours guys".split(" "),
);
/**
 * Words after "Will" that make it the verb of a sentence without a subject: "Will never go back", "Will always call
 * them".
 */
const CLIPPED_AFTER_WILL = new Set(
  "not never always really quickly again and & even also then definitely by here there put cut can".split(" "),
);

/** Whether a name that is also an ordinary word means a person here. */
function isPerson(tokens: Tokens, index: number, naming: Naming, shouting: boolean): boolean {
  if (!naming.isSingle) return isSafeInitial(tokens, index, naming);
  const form = naming.words[0] ?? "";
  if (!isWordName(form)) return true;
  const opensSentence = tokens.breaks[index] === BREAK.sentence || opensQuote(tokens, index);
  const capital = isCapital(tokens, index) && !shouting;
  if (capital && !opensSentence) return !isTitle(tokens, index);
  const next = tokens.forms[index + 1] ?? "";
  const isFollowed = tokens.breaks[index + 1] === BREAK.none && isPersonVerb(next, form, tokens, index + 1);
  if (capital || (shouting && isCapital(tokens, index))) return isFollowed || isAddressed(tokens, index);
  const before = tokens.forms[index - 1] ?? "";
  const introduced =
    tokens.breaks[index] === BREAK.none && (CALLINGS.has(before) || /^(named|mr|thanks)$/.test(before));
  return introduced && !/^(be|not|never|have|call|you|to|of)$/.test(next);
}

function isPersonVerb(next: string, form: string, tokens: Tokens, at: number): boolean {
  if (form === "will" && CLIPPED_AFTER_WILL.has(next)) {
    return next === "and" && isCapital(tokens, at + 1) && tokens.forms[at + 1] !== "i";
  }
  if (next === "and") return isCapital(tokens, at + 1) || /^(his|her|the|another)$/.test(tokens.forms[at + 1] ?? "");
  if (/^(the|our|here|there)$/.test(next)) return form !== "will";
  if (next === "from" || next === "by") return true;
  const isVerb =
    (next.length > 4 && next.endsWith("ed")) || (next.length > 3 && /[^s]s$/.test(next) && !NO_VERBS.has(next));
  return VERBS.has(next) || isVerb;
}

/** Whether a description or direct address follows: "Rich, our technician,". */
function isAddressed({ forms, breaks }: Tokens, index: number): boolean {
  return (
    breaks[index + 1] === BREAK.pause && /^(our|the|who|a|my|you|your|their|thank|thanks)$/.test(forms[index + 1] ?? "")
  );
}

function isSafeInitial({ text, starts, ends }: Tokens, index: number, { words }: Naming): boolean {
  const last = words.at(-1) ?? "";
  if (last.length > 1) return true;
  const initial = text.slice(starts[index + words.length - 1], ends[index + words.length - 1]);
  return /^[A-Z]$/.test(initial) && initial !== "A" && initial !== "I";
}

/** Whether the name follows "of the", as in a title: its capital then does not indicate a person. */
function isTitle(tokens: Tokens, index: number): boolean {
  return tokens.breaks[index] === BREAK.none && tokens.forms[index - 1] === "the" && tokens.forms[index - 2] === "of";
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
