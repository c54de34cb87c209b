/** Cutting a phrase out of a sentence so that it begins and ends where a reader would begin and end it. */
import { BREAK, type Tokens } from "./tokens.ts";

const [FEWEST, MOST] = [2, 6];

const words = (text: string) => new Set(text.split(/\s+/));

/** Words that lead on to others: no phrase ends with them. */
const LEADING = words(
  `a an the and or but nor so of to in on at by for with from as is was were are be been am being it's this that these those
  my our your his her their its i we he she they who which what when where how why if than then because about after before
  until while into onto past per via will would could should can may might must has have had do does did not no very really too
  quite just also every each any some all both another other more most less least like even still only there without within`,
);
/** Verbs of which the sense comes after them. */
const LIGHT = words(
  `get gets got getting let lets make makes made making take takes took taking give gives gave giving tell tells told telling
  put puts use used uses keep keeps kept try tries tried trying want wants wanted need needs needed say says said seem seems
  seemed feel feels felt become became going go goes be know knew think thought show shows ask asked see saw find left leave`,
);
/** Before these a phrase has lost what it is about: "a joy to deal" with, "came in under" the quote. */
const LED_ON = words("with of the a an my our beyond");
/** Small words with which a phrase may end, and which belong to what stands before them. */
const CLOSING = words("up off out back again down away over around through ago enough too well early late here apart");
const OBJECTS = words("me us him her them it you myself himself herself themselves itself anything everything nothing");
/** Words that a phrase loses at its head. */
const HEADS = words(
  `and or but nor so that which who because then also just the a an my our his her their your its to i we they he she it
  this these those there is was were are be been am being 's has have had as if when while than plus of`,
);
/** Words that open a clause of its own: a phrase that grows over one has lost its shape. */
const OPENING = words("that if because when where which who while what how why until unless although though so");
/** Words without which what comes after them says something else. */
const TURNING = words(
  `not never no nobody none nothing hardly barely without cannot very really so super extremely incredibly always highly
  completely truly absolutely totally too quite most more less least`,
);

/** Whether a word carries no meaning of its own. */
export function isSmall(form: string): boolean {
  return LEADING.has(form) || HEADS.has(form) || OBJECTS.has(form) || CLOSING.has(form);
}

/**
 * The phrase of two to six words around the words `from` to `to` (exclusive), verbatim: grown to where its sense is
 * complete, without small words at its head. Undefined where none can be cut.
 */
export function fitPhrase(tokens: Tokens, from: number, to: number): string | undefined {
  const { forms, starts, ends, breaks, text } = tokens;
  const form = (at: number) => forms[at] ?? "";
  const joined = (at: number) => at > 0 && at < forms.length && breaks[at] === BREAK.none;
  const isPartOfWord = (at: number) => at > 0 && starts[at] === ends[at - 1];
  let [first, last] = [from, to - 1];
  while (joined(first) && (isPartOfWord(first) || isBoundBefore(form(first - 1), last - first))) first--;
  while (joined(last + 1) && last - first < MOST + 2) {
    if (!isPartOfWord(last + 1) && !isBoundAfter(form(last), form(last + 1))) break;
    if (OPENING.has(form(last + 1))) return undefined;
    last++;
  }
  // What stands before "and" is half of a pair: "plain and simple".
  if (/^(and|or|&)$/.test(form(last + 1)) && joined(last + 1)) last = Math.min(last, Math.max(to - 1, first));
  while (first < last && HEADS.has(form(first)) && !isPartOfWord(first + 1)) first++;
  const count = last - first + 1;
  if (count < FEWEST || count > MOST || first > from + 1 || last < to - 1) return undefined;
  if (LEADING.has(form(last)) || LIGHT.has(form(last)) || isPartOfWord(last + 1)) return undefined;
  if (joined(last + 1) && LED_ON.has(form(last + 1))) return undefined;
  const content = forms.slice(first, last + 1).filter((word) => !isSmall(word));
  if (content.every((word) => LIGHT.has(word)) || new Set(content).size < content.length || OPENING.has(form(last)))
    return undefined;
  const phrase = text.slice(starts[first], ends[last]);
  return PHRASE.test(phrase) ? phrase : undefined;
}

/** Words with single blanks between them, and no other sign. */
const PHRASE = /^[\p{L}\p{M}\p{N}$'’%-]+(?: [\p{L}\p{M}\p{N}$'’%-]+)+$/u;

/** Whether the word before a phrase of so many words more than one belongs to it. */
function isBoundBefore(before: string, more: number): boolean {
  if (TURNING.has(before)) return true;
  return more < 2 && !isSmall(before) && !LIGHT.has(before);
}

/** Whether the word after another belongs to the same phrase. */
function isBoundAfter(word: string, after: string): boolean {
  if (CLOSING.has(after) || OBJECTS.has(after)) return true;
  if (LEADING.has(word) || LIGHT.has(word) || /^\d/.test(word)) return true;
  return after === "of" || !isSmall(after);
}
