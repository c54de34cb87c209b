import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeByteWriter } from "./byte-writer.ts";

test("what is written piece by piece is what the pieces are in a row, however small the writer began", () => {
  const piece = fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array());
  fc.assert(
    fc.property(fc.array(piece), fc.nat(4000), (pieces, expected) => {
      const writer = makeByteWriter(expected);
      for (const each of pieces) {
        if (typeof each === "string") writer.text(each);
        else writer.bytes(each);
      }
      const row = Buffer.concat(pieces.map((each) => Buffer.from(each as string)));
      assert.equal(writer.length, row.byteLength);
      assert.deepEqual(Buffer.from(writer.whole()), row);
      assert.equal(writer.whole().buffer.byteLength, row.byteLength);
    }),
  );
});

test("a piece that is larger than all before it fits", () => {
  const writer = makeByteWriter(1);
  writer.text("ü".repeat(100_000));
  assert.equal(writer.whole().byteLength, 200_000);
});
