/** Cuts a phrase out of a sentence at natural boundaries. */
import { BREAK, type Tokens } from "./tokens.ts";

const [MIN_WORDS, MAX_WORDS] = [2, 6];

const words = (text: string) => new Set(text.split(/\s+/));

/** Words that need a continuation: no phrase ends with them. */
const LEADING = words(
  `a an the and or but nor so of to in on at by for with from as is was were are be been am being it's this that these those
  my our your his her their its i we he she they who which what when where how why if than then because about after before
  until while into onto past per via above will would could should can may might must has have had do does did not no very really too
  quite just also every each any some all both another other more most less least like even still only there without within`,
);
/** Light verbs, whose meaning depends on the words after them. */
const LIGHT = words(
  `get gets got getting let lets make makes made making take takes took taking give gives gave giving tell tells told telling
  put puts use used uses keep keeps kept try tries tried trying want wants wanted need needs needed say says said seem seems
  seemed feel feels felt become became going go goes be know knew think thought show shows ask asked see saw find left leave`,
);
/** Words before which a phrase is incomplete: "a joy to deal" before "with", "clean top" before "to bottom". */
const LED_ON = words("with of the a an my our your his her their beyond to there why how what whether");
const ARTICLES = words("the a an my our your his her their");
/** Words after which a verb says what was wanted or possible, not what was done: "to repair the leak". */
const NOT_DONE = words("to can could will would should may might must");
/** Function words that can end a phrase, because they belong to the word before them. */
const CLOSING = words("up off out back again down away over around through ago enough too well early late here apart");
const OBJECTS = words("me us him her them it you myself himself herself themselves itself anything everything nothing");
/** Words that say where, when or how, with the words after them, of the word before them. */
const PREPOSITIONS = words(
  `in on at by for from with without within inside around under over behind below beneath beside between through across along
  against near since before after into onto until`,
);
const AUXILIARIES = words("is was were are has had will would can could 's");
const SUBJECTS = words("i we he she they you");
/** Words removed from the start of a phrase. */
const HEADS = words(
  `and or but nor so that which who because then also just the a an my our his her their your its to i we they he she it
  this these those there is was were are be been am being 's has have had as if when while than plus of`,
);
/** Words that open a subordinate clause: a phrase that would extend over one is rejected. */
const OPENING = words("that if because when where which who while what how why until unless although though so");
/** Words that change the meaning of the words after them. */
const TURNING = words(
  `not never no nobody none nothing hardly barely without cannot very really so super extremely incredibly always highly
  completely truly absolutely totally too quite most more less least`,
);

/** Whether a word is a function word, without a meaning of its own. */
export function isSmall(form: string): boolean {
  return LEADING.has(form) || HEADS.has(form) || OBJECTS.has(form) || CLOSING.has(form);
}

/**
 * Returns the phrase of two to six words around the words `from` to `to` (exclusive), verbatim: extended until it is
 * complete, without function words at its start. Undefined if there is no such phrase.
 */
export function fitPhrase(tokens: Tokens, from: number, to: number): string | undefined {
  const { forms, starts, ends, breaks, text } = tokens;
  const form = (at: number) => forms[at] ?? "";
  const joined = (at: number) => at > 0 && at < forms.length && breaks[at] === BREAK.none;
  const isPartOfWord = (at: number) => at > 0 && starts[at] === ends[at - 1];
  let [first, last] = [from, to - 1];
  while (joined(first) && (isPartOfWord(first) || isBoundBefore(form(first - 1), last - first))) first--;
  while (joined(last + 1) && last - first < MAX_WORDS + 2) {
    if (!isPartOfWord(last + 1) && !isBoundAfter(form(last), form(last + 1))) break;
    if (OPENING.has(form(last + 1))) return undefined;
    last++;
  }
  // The words before "and" are half of a pair: "plain and simple".
  if (/^(and|or|&)$/.test(form(last + 1)) && joined(last + 1)) last = Math.min(last, Math.max(to - 1, first));
  while (first < last && HEADS.has(form(first)) && !isPartOfWord(first + 1)) first++;
  if (form(first) === "time" && /^(on|in)$/.test(form(first - 1)) && joined(first)) first--;
  // The verb comes first: "worked around night shifts", "came at no cost".
  if (PREPOSITIONS.has(form(first)) && joined(first) && VERB.test(form(first - 1))) first--;
  // The verb and its object come first: "left the house clean", "made me feel welcome".
  const verb = form(first - 2);
  const isLeft = ARTICLES.has(form(first - 1)) && LEAVING.has(verb);
  const isMade = OBJECTS.has(form(first - 1)) && form(first) === "feel" && MAKING.has(verb);
  if ((isLeft || isMade) && joined(first) && joined(first - 1)) first -= 2;
  const count = last - first + 1;
  if (count < MIN_WORDS || count > MAX_WORDS || first > from + 1 || last < to - 1) return undefined;
  if (LEADING.has(form(last)) || LIGHT.has(form(last)) || isPartOfWord(last + 1)) return undefined;
  if (joined(last + 1) && LED_ON.has(form(last + 1))) return undefined;
  if (joined(first) && NOT_DONE.has(form(first - 1))) return undefined;
  // "phone promptly" lacks its verb: "answered the phone promptly".
  if (count === MIN_WORDS && joined(first) && ARTICLES.has(form(first - 1)) && form(last).endsWith("ly"))
    return undefined;
  if (opensInside(tokens, { first, last }, joined) || isCutOff(tokens, { first, last }, joined)) return undefined;
  const content = forms.slice(first, last + 1).filter((word) => !isSmall(word));
  if (content.every((word) => LIGHT.has(word)) || new Set(content).size < content.length || OPENING.has(form(last)))
    return undefined;
  const phrase = text.slice(starts[first], ends[last]);
  return PHRASE.test(phrase) ? phrase : undefined;
}

/** A verb that a phrase about when or how can begin with. */
const VERB =
  /^(?!morning|evening)(?:\p{L}+(?:ed|ing)|came|come|comes|went|works?|did|paid|kept|left|ran|sat|spoke|fit|fits|stood)$/u;

const LEAVING = words("left leave leaves leaving kept keep keeps keeping");
const MAKING = words("made make makes making");

/** The first and the last word of a phrase. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/** Whether a phrase opens with the end of another one: "(at my) place within an hour", "(got my) licence really quickly", "(as) promised and on time". */
function opensInside({ forms }: Tokens, { first, last }: Span, joined: (at: number) => boolean): boolean {
  if (!joined(first)) return false;
  const [before = "", next = "", afterNext = ""] = [forms[first - 1], forms[first + 1], forms[first + 2]];
  if (before === "as") return !forms.slice(first, last).includes("as");
  if (!ARTICLES.has(before)) return false;
  const isOfPlace = joined(first - 1) && PREPOSITIONS.has(forms[first - 2] ?? "");
  return (isOfPlace && PREPOSITIONS.has(next)) || (TURNING.has(next) && afterNext.endsWith("ly"));
}

/** Whether a phrase ends in the beginning of what follows: "told us the part (was delayed)", "every thing I threw (at him)". */
function isCutOff({ forms }: Tokens, { first, last }: Span, joined: (at: number) => boolean): boolean {
  if (!joined(last + 1)) return false;
  const [end = "", beforeEnd = "", next = ""] = [forms[last], forms[last - 1], forms[last + 1]];
  if (end === "you" || (CLAUSE_NOUNS.has(end) && SUBJECTS.has(next))) return true;
  if (PREPOSITIONS.has(end) && !isSmall(next)) return true;
  if (PREPOSITIONS.has(end) && (ARTICLES.has(next) || OBJECTS.has(next))) return true;
  if (SUBJECTS.has(beforeEnd) && PREPOSITIONS.has(next)) return true;
  return AUXILIARIES.has(next) && forms.slice(first + 1, last).some((form) => ARTICLES.has(form));
}

/** Nouns that a clause without "that" describes: "cleans up the way I like". */
const CLAUSE_NOUNS = words("way thing things time day moment");

/** Words separated by single spaces, without other punctuation. */
const PHRASE = /^[\p{L}\p{M}\p{N}$'’%-]+(?: [\p{L}\p{M}\p{N}$'’%-]+)+$/u;

/** Whether the word before a phrase belongs to it. `more` is the phrase's number of words minus one. */
function isBoundBefore(before: string, more: number): boolean {
  if (TURNING.has(before)) return true;
  return more < 2 && !isSmall(before) && !LIGHT.has(before);
}

/** Whether the word `after` belongs to the same phrase as `word`. */
function isBoundAfter(word: string, after: string): boolean {
  if (CLOSING.has(after) || OBJECTS.has(after)) return true;
  if (LEADING.has(word) || LIGHT.has(word) || /^\d/.test(word)) return true;
  return after === "of" || !isSmall(after);
}
