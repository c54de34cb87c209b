import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countingWork } from "../../../test/support/counted-work.ts";
import { measureJson, parseJson } from "./json-text.ts";

describe("parseJson()", () => {
  for (const [name, part] of [
    ["lines", "\n"],
    ["brackets", "["],
    ["texts", '"a\\n",'],
    ["objects", "{},"],
  ] as const) {
    test(`does twice the work for twice as many ${name} before a fault`, async () => {
      const read = (times: number) => countingWork(() => parseJson(`[${part.repeat(times)}!`));
      const once = await read(100_000);
      assert.ok("fault" in once.result);
      assert.ok((await read(200_000)).work < 2.1 * once.work + 1_000);
    });
  }

  test("names line and column of a fault", () => {
    assert.match(JSON.stringify(parseJson('[\n{"a": 1},\n  x]')), /unexpected .*x.* in line 3, column 3/);
    assert.match(JSON.stringify(parseJson("x")), /in line 1, column 1/);
  });

  test("refuses what is nested deeper than any export, however it ends", () => {
    for (const open of ["[", '{"a":']) {
      const text = `${open.repeat(200_000)}1`;
      assert.match(JSON.stringify(parseJson(text)), /nested more than 1000 deep/);
    }
    assert.ok("value" in parseJson(`"${"[".repeat(200_000)}"`), "brackets in a text are words");
  });

  test("refuses an object with more values than any review has, and reads one of as many records", () => {
    const many = (value: string) => `{${Array.from({ length: 100_001 }, (_, at) => `"k${at}": ${value}`).join()}}`;
    assert.match(JSON.stringify(parseJson(`[${many("1")}]`)), /an object with more than 100000 values in it/);
    for (const value of ['{"a":1}', "[1]"]) assert.ok("value" in parseJson(many(value)), value);
    assert.ok("value" in parseJson(`[${Array.from({ length: 100_001 }, () => '{"a":1}').join()}]`));
  });

  test("refuses what takes more memory than it may, before it is parsed", () => {
    const many = (part: string) => `[${part.repeat(200_000)}0]`;
    for (const part of ["{},", "[],", "0,", '"abcdef",', '{"a":1},']) {
      assert.match(JSON.stringify(parseJson(many(part), 5_000_000)), /needs more than 5 MB of memory as JSON/, part);
      assert.ok("value" in parseJson(many(part)), part);
    }
  });
});

test("parseJson() refuses a great many objects, lists or values with next to nothing in them, and no reviews", () => {
  const many = (part: string, times: number) => parseJson(`{"reviews":[${Array(times).fill(part).join()}]}`);
  for (const [part, times] of [
    ["[]", 400_000],
    ['[1,"a"]', 400_000],
    ["[[[[[[]]]]]]", 60_000],
    ['[{"a":1,"b":2}]', 200_000],
    ["1", 2_100_000],
  ] as const)
    assert.match(
      JSON.stringify(many(part, times)),
      /has \d+ (?:objects and lists|values) with next to nothing in them/,
      part,
    );
  assert.ok("value" in many('{"stars":5,"day":"2026-01-05"}', 310_000));
});

test("measureJson() counts members and depth outside of texts", () => {
  assert.deepEqual(measureJson('{"a":[1,{"b\\"":"{[,:"}]}'), {
    bytes: 3 * 64 + 3 * 40,
    depth: 3,
    members: 1,
    tiny: 2,
    containers: 3,
    values: 1,
  });
  assert.equal(measureJson('[{},{"a":{"b":1}},{"c":1,"d":2}]').tiny, 3);
  assert.equal(measureJson("[".repeat(1_000_000)).depth, 1_001);
});
