/** The pattern keys that match a word: its stem, its exact form, and its kinds. */
import { stem } from "./word-stem.ts";

const SMALL = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBERS = new Set([
  ..."couple few several dozen fifteen twenty thirty forty fifty sixty ninety hundred thousand".split(" "),
  ...SMALL,
]);
const CLOCK = new Set(["noon", "midnight", ...SMALL]);

/** Full verbs for contracted ones: "he's", "they'd". */
const SHORTENED = new Map([
  ["'s", ["be"]],
  ["'d", ["would", "have"]],
]);

/** Keys for a lower-case word from `tokenise`. */
export function keysOf(form: string): string[] {
  const keys = [stem(form), `=${form}`, ...(SHORTENED.get(form) ?? [])];
  if (/^[$£€]/.test(form)) return [...keys, "#money"];
  if (form.endsWith("%")) return [...keys, "#percent"];
  if (/^\d[\d.,:/]*(k|st|nd|rd|th|hrs?|min)?$/.test(form) || NUMBERS.has(form)) keys.push("#num");
  if (/^([1-9]|1[0-2])([:.][0-5]\d)?(am|pm|a|p|ish|oclock)?$/.test(form) || CLOCK.has(form)) keys.push("#clock");
  return keys;
}
