import assert from "node:assert/strict";
import { test } from "node:test";
import { openItemWriter } from "./item-writer.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

for (const length of [1, 40_000, 70_000]) {
  test(`edited() replaces ends of added and copied items, between a head and a tail of ${length} bytes`, () => {
    const first = openItemWriter(3, 0x2c);
    for (const item of ["a[1]", "b[22]", "c[]"]) first.add(item);
    const last = first.document("{", "}");
    const writer = openItemWriter(4, 0x2c);
    writer.copy(last, { from: 0, to: 2 });
    writer.add("d[]");
    writer.copy(last, { from: 2, to: 3 });
    const end = (list: string) => Buffer.from(`${list},`);
    const edited = writer.edited([
      { position: 1, cut: 5, end: end("[]") },
      { position: 2, cut: 3, end: end("[4,5]") },
      { position: 3, cut: 3, end: end("[6]") },
    ]);
    assert.equal(text(edited.items), "a[1],b[],d[4,5],c[6],");
    const [head, tail] = ["{".padStart(length, "h"), "}".padEnd(length, "t")];
    const { bytes, items, starts } = edited.frame(head, tail);
    assert.equal(text(bytes), `${head}a[1],b[],d[4,5],c[6]${tail}`);
    assert.deepEqual([...starts], [0, 5, 9, 16, 21]);
    assert.equal(text(items.subarray(0, 20)), "a[1],b[],d[4,5],c[6]");
  });
}
