/** Parses JSON within limits, and reports faults with line and column, independently of V8's wording. */
import { newlinesIn } from "./line-count.ts";

export type JsonText = { readonly value: unknown } | { readonly fault: string };

/** The deepest format of reviews nests a dozen levels. V8 needs memory outside of its heap for each. */
const MAX_DEPTH = 1_000;
/** Below this length, no limit can be exceeded. */
const SMALL_CHARACTERS = 100_000;
const SMALL = { bytes: 0, depth: 0, members: 0, tiny: 0, containers: 0, values: 0 };
/** No review has so many values in one object. */
const MAX_MEMBERS = 100_000;
/** An import keeps a place for each object that may be a review, which takes more than a small object itself. */
const MAX_TINY = 1_000_000;
/** So many objects and lists, or values, have some more characters each: those of reviews have words and days. */
const [MAX_BARE_CONTAINERS, MIN_CONTAINER, MAX_BARE_VALUES, MIN_VALUE] = [300_000, 16, 2_000_000, 4];
/** What V8 needs at most for an object or array, and for a member of it besides the characters of its text. */
const [CONTAINER_BYTES, MEMBER_BYTES] = [64, 40];

/** Parses JSON text, or describes its fault: also if the value would take more than `maxBytes` of memory. */
export function parseJson(text: string, maxBytes = Number.POSITIVE_INFINITY): JsonText {
  const { bytes, depth, members, tiny, containers, values } =
    text.length < SMALL_CHARACTERS ? SMALL : measureJson(text);
  if (depth > MAX_DEPTH) return { fault: `is nested more than ${MAX_DEPTH} deep, as no export of reviews is` };
  if (bytes > maxBytes) return { fault: `needs more than ${Math.floor(maxBytes / 1e6)} MB of memory ${AT_ONCE}` };
  if (members > MAX_MEMBERS)
    return { fault: `has an object with more than ${MAX_MEMBERS} values in it, as no export of reviews has` };
  if (tiny > MAX_TINY)
    return { fault: `has more than ${MAX_TINY} objects with a value at most, as no export of reviews has` };
  const areBare = containers > MAX_BARE_CONTAINERS && text.length < containers * MIN_CONTAINER;
  if (areBare || (values > MAX_BARE_VALUES && text.length < values * MIN_VALUE))
    return {
      fault: `has ${areBare ? containers : values} ${areBare ? "objects and lists" : "values"} with next to nothing in them, as no export of reviews has`,
    };
  try {
    return { value: JSON.parse(text) };
  } catch {
    const at = faultIndex(text);
    const place = `line ${newlinesIn(text, 0, at) + 1}, column ${at - text.lastIndexOf("\n", at - 1)}`;
    const found = text.codePointAt(at);
    const what =
      found === undefined ? "it ends too early" : `unexpected ${JSON.stringify(String.fromCodePoint(found))}`;
    return { fault: `is not valid JSON: ${what} in ${place}` };
  }
}

/** Why JSON takes much memory, and what to do about it. */
export const AT_ONCE =
  "as JSON, which is read at once; as a table (CSV) or as JSON Lines, with one review per line, it is read piece by piece";

/**
 * The memory that the value of a JSON text takes at most, besides its texts, how deep it is nested, the most values that
 * are neither objects nor lists in one object, how many objects have one of them at most, how many objects and lists there
 * are, and how many commas. What is too deep is not looked at to its end.
 */
export function measureJson(text: string): {
  readonly bytes: number;
  readonly depth: number;
  readonly members: number;
  readonly tiny: number;
  readonly containers: number;
  readonly values: number;
} {
  let [bytes, depth, deepest, members, tiny, containers, values] = [0, 0, 0, 0, 0, 0, 0];
  /** Such values of each open object. */
  const counts: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === MARK) at = endOfQuotation(text, at);
    else if (code === COMMA || code === COLON) {
      bytes += MEMBER_BYTES;
      if (code === COMMA) values += 1;
      if (code === COLON && isScalarAt(text, at + 1)) {
        const count = (counts[depth] ?? 0) + 1;
        counts[depth] = count;
        if (count > members) members = count;
      }
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      bytes += CONTAINER_BYTES;
      containers += 1;
      depth += 1;
      counts[depth] = 0;
      if (depth > deepest) deepest = depth;
      if (depth > MAX_DEPTH) break;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (code === CLOSE_BRACE && (counts[depth] ?? 0) <= 1) tiny += 1;
      depth -= 1;
    }
  }
  return { bytes, depth: deepest, members, tiny, containers, values };
}

/** Whether a value that is neither an object nor a list begins here, behind spaces. */
function isScalarAt(text: string, start: number): boolean {
  let at = start;
  while (text.charCodeAt(at) <= SPACE_CODE) at += 1;
  const code = text.charCodeAt(at);
  return code !== OPEN_BRACE && code !== OPEN_BRACKET;
}

const [MARK, COMMA, COLON, BACKSLASH, SPACE_CODE] = [0x22, 0x2c, 0x3a, 0x5c, 0x20];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quotation mark that ends the string beginning at `start`, or of the end of the text. */
function endOfQuotation(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === MARK) return at;
  }
  return text.length;
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** The parser's state: the next expected token. */
type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end";

/** The index of the first character that is invalid in JSON (RFC 8259). */
function faultIndex(text: string): number {
  const open: string[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    at = endOf(SPACE, text, at);
    const character = text[at];
    if (character === undefined) return at;
    if (expected === ":") {
      if (character !== ":") return at;
      expected = "value";
    } else if (expected === ", or end" && character === ",") {
      if (open.length === 0) return at;
      expected = open.at(-1) === "}" ? "key" : "value";
    } else if (
      (character === "]" || character === "}") &&
      expected.endsWith(expected === ", or end" ? "end" : character)
    ) {
      if (open.pop() !== character) return at;
      expected = ", or end";
    } else if (character === '"' && expected !== ", or end") {
      const end = endOfString(text, at);
      if (end.isFault) return end.index;
      at = end.index - 1;
      expected = expected.startsWith("key") ? ":" : ", or end";
    } else if (!expected.startsWith("value")) return at;
    else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]");
      expected = character === "{" ? "key or }" : "value or ]";
    } else {
      const end = endOf(SCALAR, text, at);
      if (end === at) return at;
      at = end - 1;
      expected = ", or end";
    }
    at += 1;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The index after the string that begins at `start`, or of the first invalid character in it. */
function endOfString(text: string, start: number): { readonly index: number; readonly isFault: boolean } {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === '"') return { index: at + 1, isFault: false };
    if (character < " ") return { index: at, isFault: true };
    if (character !== "\\") continue;
    const end = endOf(ESCAPE, text, at);
    if (end === at) return { index: at, isFault: true };
    at = end - 1;
  }
  return { index: text.length, isFault: true };
}
