/** Properties of a word that patterns match besides its stem and exact form: its kinds, and the verbs it may abbreviate. */
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

/** The kind of a word, and whether it can also be a time of day. */
interface Kinds {
  readonly kind: "#money" | "#percent" | "#num" | undefined;
  readonly isClock: boolean;
}

const NO_KIND: Kinds = { kind: undefined, isClock: false };
const WRITTEN_OUT = new Map(
  [...NUMBERS, ...CLOCK].map((form): [string, Kinds] => [
    form,
    { kind: NUMBERS.has(form) ? "#num" : undefined, isClock: CLOCK.has(form) },
  ]),
);
const [SMALL_A, SMALL_Z] = [97, 122];

/** The kinds of a lower-case word from `tokenise`. */
export function kindsOf(form: string): Kinds {
  const writtenOut = WRITTEN_OUT.get(form);
  if (writtenOut !== undefined) return writtenOut;
  const [first, last] = [form.charCodeAt(0), form.charCodeAt(form.length - 1)];
  // Fast path: nearly all words consist of small letters.
  if (first >= SMALL_A && first <= SMALL_Z && last >= SMALL_A && last <= SMALL_Z) return NO_KIND;
  if (/^[$£€]/.test(form)) return { kind: "#money", isClock: false };
  if (form.endsWith("%")) return { kind: "#percent", isClock: false };
  return {
    kind: /^\d[\d.,:/]*(k|st|nd|rd|th|hrs?|min)?$/.test(form) ? "#num" : undefined,
    isClock: /^([1-9]|1[0-2])([:.][0-5]\d)?(am|pm|a|p|ish|oclock)?$/.test(form),
  };
}

/** The full verbs that a contracted one may abbreviate. */
export function fullVerbs(form: string): readonly string[] {
  return form.startsWith("'") ? (SHORTENED.get(form) ?? []) : [];
}
