import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonLines, looksLikeJsonLines } from "./json-lines.ts";
import { parseJson } from "./json-text.ts";

test("jsonLines() reads a value a line, skips empty lines, and names the line of a fault", async () => {
  const text = '{"a":1}\n\n{"a":\r\n{"b":"x\\ny"}';
  for (const size of [1, 4, 100]) {
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    const read = await Array.fromAsync(jsonLines(asynchronous(pieces)));
    assert.deepEqual(
      read.map((line) => [line.line, "value" in line ? line.value : line.fault.slice(0, 17)]),
      [
        [1, { a: 1 }],
        [3, "is not valid JSON"],
        [4, { b: "x\ny" }],
      ],
    );
  }
});

async function* asynchronous(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

test("looksLikeJsonLines() tells lines of objects from one object on several lines", () => {
  for (const text of ['{"a":1}\n{"b":2}', '{"a":1}\n\n{"b"', '{"a":}\n{"b":2}'])
    assert.equal(looksLikeJsonLines(text), true);
  for (const text of ['{"a":1}', '{"a":1}\n', '{\n"a":1}', '[{"a":1}\n]', '{"a":\n{"b":1}}'])
    assert.equal(looksLikeJsonLines(text), false);
});

test("parseJson() names line and column of a fault", () => {
  const faultOf = (text: string) => {
    const parsed = parseJson(text);
    return "fault" in parsed ? parsed.fault : "none";
  };
  assert.match(faultOf('{\n "a": 1,\n}'), /in line 3, column 1$/);
  assert.match(faultOf('{\n "a": ['), /ends too early, in line 2, column 8$/);
  assert.match(faultOf(`{\n "${"a".repeat(30)}": oops, "b": 1 }`), /in line 2, column 36$/);
  assert.match(faultOf("oops"), /^is not valid JSON: Unexpected token 'o'$/);
});
