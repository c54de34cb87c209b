import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeByteWriter } from "./byte-writer.ts";

test("what is written piece by piece is what the pieces are in a row, however small the writer began", () => {
  const piece = fc.oneof(fc.string({ unit: "binary" }), fc.nat(255));
  fc.assert(
    fc.property(fc.array(piece), fc.nat(4000), (pieces, expected) => {
      const writer = makeByteWriter(expected);
      for (const each of pieces) {
        if (typeof each === "string") writer.text(each);
        else writer.byte(each);
      }
      const row = Buffer.concat(pieces.map((each) => (typeof each === "string" ? Buffer.from(each) : Buffer.of(each))));
      assert.equal(writer.length, row.byteLength);
      assert.deepEqual(Buffer.from(writer.part(0, writer.length)), row);
    }),
  );
});

test("a piece that is larger than all before it fits", () => {
  const writer = makeByteWriter(1);
  writer.text("ü".repeat(100_000));
  assert.equal(writer.part(0, writer.length).byteLength, 200_000);
});
