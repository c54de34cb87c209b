import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/support/properties.ts";
import { Invalid } from "../../issue.ts";
import type { InputFile } from "./input-file.ts";
import { firstBytes, utf8Text, wholeText } from "./utf8-text.ts";

function fileOf(bytes: Buffer, size: number): InputFile {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  return { name: "a.csv", named: true, isBusinessFile: false, origins: [], bytes: chunks };
}

test("utf8Text() gives the text wherever its bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 5 }), async (text, size) => {
      assert.equal(await wholeText(fileOf(Buffer.from(text), size)), text.replace(/^\uFEFF/, ""));
    }),
  );
});

test("utf8Text() drops the mark at the beginning only", async () => {
  assert.equal(await wholeText(fileOf(Buffer.from("\uFEFFa\uFEFF"), 2)), "a\uFEFF");
});

test("utf8Text() names line and byte of what is not UTF-8", async () => {
  const cases: [Buffer, RegExp][] = [
    [Buffer.from("a\nb\xe9c", "latin1"), /^a\.csv, line 2, byte 3: the byte 0xe9 is not UTF-8/],
    [Buffer.concat([Buffer.from("é\n👍\n"), Buffer.from([0x80])]), /line 3, byte 8: the byte 0x80/],
    [Buffer.concat([Buffer.from("abc"), Buffer.from([0xf0, 0x9f])]), /line 1, byte 3: the byte 0xf0/],
    [Buffer.from([0xed, 0xa0, 0x80]), /line 1, byte 0: the byte 0xed/],
  ];
  for (const [bytes, expected] of cases) {
    for (const size of [1, 3, 100]) {
      await assert.rejects(Array.fromAsync(utf8Text(fileOf(bytes, size))), (error: unknown) => {
        assert.ok(error instanceof Invalid);
        assert.match(error.message, expected);
        return true;
      });
    }
  }
});

test("firstBytes() gives no more than asked for", async () => {
  assert.equal((await firstBytes(fileOf(Buffer.from("abcdef"), 4), 5)).toString(), "abcde");
  assert.equal((await firstBytes(fileOf(Buffer.from("ab"), 4), 5)).toString(), "ab");
});
