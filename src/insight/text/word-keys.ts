/** Under which keys of a pattern a word is found: its stem, its very form, and the kinds of words that it is of. */
import { stem } from "./word-stem.ts";

const SMALL = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBERS = new Set([
  ..."couple few several dozen fifteen twenty thirty forty fifty sixty ninety hundred thousand".split(" "),
  ...SMALL,
]);
const CLOCK = new Set(["noon", "midnight", ...SMALL]);

/** What a shortened verb may stand for: "he's", "they'd". */
const SHORTENED = new Map([
  ["'s", ["be"]],
  ["'d", ["would", "have"]],
]);

/** The keys of a word in small letters, as `tokenise` gives it. */
export function keysOf(form: string): string[] {
  const keys = [stem(form), `=${form}`, ...(SHORTENED.get(form) ?? [])];
  if (/^[$£€]/.test(form)) return [...keys, "#money"];
  if (form.endsWith("%")) return [...keys, "#percent"];
  if (/^\d[\d.,:/]*(k|st|nd|rd|th|hrs?|min)?$/.test(form) || NUMBERS.has(form)) keys.push("#num");
  if (/^([1-9]|1[0-2])([:.][0-5]\d)?(am|pm|a|p|ish|oclock)?$/.test(form) || CLOCK.has(form)) keys.push("#clock");
  return keys;
}
