/** Reads JSON Lines, one JSON value per line, as a stream. */
import { parseJson } from "./json-text.ts";

/** The value or fault of a non-empty line. */
export type JsonLine = { readonly line: number } & ({ readonly value: unknown } | { readonly fault: string });

const MAX_LINE_CHARACTERS = 16_000_000;

/** Reads lines from text chunks. The value of a line may take `maxBytes` of memory. */
export async function* jsonLines(pieces: AsyncIterable<string>, maxBytes?: number): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const text of lines(pieces)) {
    line += 1;
    if (text.length > MAX_LINE_CHARACTERS) {
      yield { line, fault: `is longer than ${MAX_LINE_CHARACTERS} characters` };
      return;
    }
    if (text.trim() === "") continue;
    const parsed = parseJson(text, maxBytes);
    yield "fault" in parsed ? { line, fault: parsed.fault.replace("line 1, ", "") } : { line, value: parsed.value };
  }
}

/** Whether a text with this beginning is JSON Lines: its first line is complete JSON, and another line follows. */
export function looksLikeJsonLines(head: string): boolean {
  const [first = "", second = ""] = head.split("\n").filter((line) => line.trim() !== "");
  return /^\s*\{.*\}\s*$/s.test(first) && /^\s*\{/.test(second);
}

async function* lines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const parts = piece.split("\n");
    parts[0] = rest + parts[0];
    rest = parts.pop() ?? "";
    yield* parts;
    if (rest.length > MAX_LINE_CHARACTERS) break;
  }
  if (rest !== "") yield rest;
}
