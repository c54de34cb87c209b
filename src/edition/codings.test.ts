import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addCodings,
  CODINGS,
  codedBody,
  compress,
  compressLarge,
  isCompressedEarly,
  MAX_BYTES_COMPRESSED_EARLY,
} from "./codings.ts";
import { makeDocument } from "./document.ts";

/** A body of so many bytes that compresses to half of them, about. */
function bodyOf(length: number): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(Array.from({ length: length / 6 }, (_, n) => n * n)).slice(0, length));
}

test("the bytes of a coding are the same on the calling thread and on the thread pool", async () => {
  for (const length of [700, 90_000, 200_000, MAX_BYTES_COMPRESSED_EARLY]) {
    const body = bodyOf(length);
    const coded = compress(body);
    for (const coding of CODINGS) {
      const onPool = await codedBody(makeDocument("/document", "text/plain", body), coding);
      assert.ok(onPool !== null && onPool.byteLength < body.byteLength);
      assert.deepEqual(Buffer.from(coded.get(coding) ?? []), Buffer.from(onPool), `${coding} of ${length}`);
    }
  }
});

test("compress() gives null where compression does not make the body smaller", () => {
  const body = compress(bodyOf(90_000)).get("br") ?? new Uint8Array();
  assert.deepEqual([...compress(body).values()], [null, null, null]);
});

test("compressLarge() compresses what is not compressed early, in the preferred coding", async () => {
  const [small, large] = [1_000, MAX_BYTES_COMPRESSED_EARLY + 1].map((length, index) =>
    makeDocument(`/${index}`, "text/plain", bodyOf(length)),
  );
  assert.ok(small !== undefined && large !== undefined);
  assert.deepEqual([isCompressedEarly(small.body), isCompressedEarly(large.body)], [true, false]);
  await compressLarge([small, large]);
  const isMade = CODINGS.map((coding) => !(codedBody(large, coding) instanceof Promise));
  assert.deepEqual(isMade, [true, false, false]);
  assert.ok(codedBody(small, "br") instanceof Promise);
});

test("a document has the codings that were added to it at once", () => {
  const document = makeDocument("/document", "text/plain", bodyOf(1_000));
  addCodings(document, compress(document.body));
  for (const coding of CODINGS) assert.ok(codedBody(document, coding) instanceof Uint8Array);
});
