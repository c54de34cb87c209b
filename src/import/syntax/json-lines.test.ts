import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/support/properties.ts";
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

test("jsonLines() looks for line ends in each character once, wherever a long line is cut", async () => {
  const line = JSON.stringify("a".repeat(10_000));
  const { split } = String.prototype;
  let looked = 0;
  try {
    String.prototype.split = function (...given: unknown[]) {
      looked += this.length;
      return Reflect.apply(split, this, given) as string[];
    };
    const read = await Array.fromAsync(jsonLines(asynchronous(line.match(/.{1,10}/g) ?? [])));
    assert.deepEqual(read, [{ line: 1, value: "a".repeat(10_000) }]);
  } finally {
    String.prototype.split = split;
  }
  assert.equal(looked, line.length);
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

const FAULTS: readonly [string, string][] = [
  ['{\n "a": 1,\n}', 'unexpected "}" in line 3, column 1'],
  ['{\n "a": [', "it ends too early in line 2, column 8"],
  ["oops", 'unexpected "o" in line 1, column 1'],
  ["", "it ends too early in line 1, column 1"],
  ['{"a" 1}', 'unexpected "1" in line 1, column 6'],
  ['{"a": 01}', 'unexpected "1" in line 1, column 8'],
  ['{"a": "x\ny"}', 'unexpected "\\n" in line 1, column 9'],
  ['{"a": "\\x"}', 'unexpected "\\\\" in line 1, column 8'],
  ["[1, 2}", 'unexpected "}" in line 1, column 6'],
  ["[1,]", 'unexpected "]" in line 1, column 4'],
  ["{} {}", 'unexpected "{" in line 1, column 4'],
  ["{a: 1}", 'unexpected "a" in line 1, column 2'],
  ["[1 2]", 'unexpected "2" in line 1, column 4'],
];

for (const [text, expected] of FAULTS) {
  test(`parseJson() names line and column of the fault in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(parseJson(text), { fault: `is not valid JSON: ${expected}` });
  });
}

test("parseJson() names the end, or a place before it, where a good text is cut or spoilt", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom("", "}", "]", ",", '"', "x", "1"), (json, where, spoilt) => {
      const at = where % (json.length + 1);
      const text = json.slice(0, at) + spoilt;
      const parsed = parseJson(text);
      if ("value" in parsed) return;
      const column = Number(/column (\d+)$/.exec(parsed.fault)?.[1]);
      assert.ok(column >= 1 && column <= text.length + 1);
      if (spoilt === "") assert.match(parsed.fault, /ends too early|unexpected "\\\\"|unexpected "[-tfn.eE]"/);
    }),
  );
});
