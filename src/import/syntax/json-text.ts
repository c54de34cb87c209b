/** Parses JSON and reports faults with line and column, independently of V8's wording. */

export type JsonText = { readonly value: unknown } | { readonly fault: string };

/** Parses JSON text, or describes its fault. */
export function parseJson(text: string): JsonText {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const at = faultIndex(text);
    const before = text.slice(0, at);
    const place = `line ${before.split("\n").length}, column ${at - before.lastIndexOf("\n")}`;
    const found = text.codePointAt(at);
    const what =
      found === undefined ? "it ends too early" : `unexpected ${JSON.stringify(String.fromCodePoint(found))}`;
    return { fault: `is not valid JSON: ${what} in ${place}` };
  }
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
