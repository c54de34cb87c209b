/** JSON from text, its faults with line and column. */

export type JsonText = { readonly value: unknown } | { readonly fault: string };

/** The value of a JSON text, or why it is none. */
export function parseJson(text: string): JsonText {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `is not valid JSON: ${explained(String((error as Error).message), text)}` };
  }
}

/** The engine's sentence with a place in the text instead of an excerpt of it. */
function explained(sentence: string, text: string): string {
  if (sentence.startsWith("Unexpected end")) return `it ends too early, in ${place(text, text.length)}`;
  const at = /^(.*?) in JSON at position (\d+)/.exec(sentence);
  if (at?.[1] !== undefined) return `${at[1]} in ${place(text, Number(at[2]))}`;
  const excerpt = /^(Unexpected token .*?), \.\.\."([\s\S]*)"(?:\.\.\.)? is not valid JSON$/.exec(sentence);
  // The engine shows ten characters before the fault; if they stand in several places, none is named.
  const start = excerpt?.[2] === undefined ? -1 : text.indexOf(excerpt[2]);
  if (excerpt?.[2] === undefined || start === -1 || text.indexOf(excerpt[2], start + 1) !== -1) {
    return /^Unexpected token .{1,3}(?=,)/su.exec(sentence)?.[0] ?? "unexpected text";
  }
  return `${excerpt[1]} in ${place(text, start + 10)}`;
}

function place(text: string, index: number): string {
  const before = text.slice(0, index);
  const line = before.split("\n").length;
  return `line ${line}, column ${index - before.lastIndexOf("\n")}`;
}
