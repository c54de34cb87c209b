import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openSharedWriter } from "./shared-writer.ts";

test("what is written piece by piece is what the pieces are in a row, however little room there was", () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  const piece = fc.oneof(fc.string({ unit: "binary" }), fc.nat(255), bytes);
  fc.assert(
    fc.property(fc.array(piece), fc.nat(4000), fc.nat(60), (pieces, room, taken) => {
      const writer = openSharedWriter(room);
      const bytesOf = (each: (typeof pieces)[number]) =>
        typeof each === "string" ? Buffer.from(each) : typeof each === "number" ? Buffer.of(each) : Buffer.from(each);
      for (const each of pieces) {
        if (typeof each === "string") writer.text(each);
        else if (typeof each === "number") writer.byte(each);
        else writer.bytes(each);
      }
      const row = Buffer.concat(pieces.map(bytesOf));
      assert.equal(writer.length, row.byteLength);
      assert.deepEqual(Buffer.from(writer.written()), row);
      const place = Math.max(0, row.byteLength - taken);
      writer.backTo(place);
      writer.text("ü");
      assert.deepEqual(Buffer.from(writer.written()), Buffer.concat([row.subarray(0, place), Buffer.from("ü")]));
      assert.deepEqual(Buffer.from(writer.written(Math.min(1, place), place)), row.subarray(Math.min(1, place), place));
    }),
  );
});

test("a piece that is larger than all before it fits", () => {
  const writer = openSharedWriter(1);
  writer.text("ü".repeat(100_000));
  assert.equal(writer.written().byteLength, 200_000);
});

test("what is put before the beginning moves nothing that is read already", () => {
  const writer = openSharedWriter(1_000, 10); // with room for what comes
  writer.text("the end");
  const read = writer.written(10);
  const start = writer.before(10, Buffer.from("a longer beginning, then "));
  assert.equal(Buffer.from(read).toString(), "the end");
  assert.equal(Buffer.from(writer.written(start)).toString(), "a longer beginning, then the end");
});

test("what is written is in shared memory", () => {
  const writer = openSharedWriter(1);
  writer.text("fine");
  assert.ok(writer.written().buffer instanceof SharedArrayBuffer);
});
