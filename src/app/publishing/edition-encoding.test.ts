import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { openEdition } from "../../edition/edition.ts";
import { importPaths } from "../../import/importer.ts";
import { openStore } from "../../store/store.ts";
import { decodeEdition, encodeEdition, FORMAT } from "./edition-encoding.ts";
import { renderStore } from "./edition-worker-thread.ts";
import { SAMPLE_FOLDER } from "./sample.ts";

const store = await openStore("sqlite::memory:");
await importPaths(store, [SAMPLE_FOLDER], { now: new Date("2026-11-01T00:00:00Z") });
const rendered = await renderStore(store, "http://localhost:8080");
await store.close();
const parts = encodeEdition(rendered, "program 1");
const hash = createHash("sha256");
for (const part of parts) hash.update(part);
const file = new Uint8Array(Buffer.concat([FORMAT, hash.digest(), ...parts]));

test("decodeEdition() gives the edition that was packed", () => {
  const unpacked = decodeEdition(file, "program 1");
  assert.ok(unpacked !== undefined);
  assert.deepEqual({ ...unpacked, documents: [], reviewIndex: {} }, { ...rendered, documents: [], reviewIndex: {} });
  const [before, after] = [openEdition(rendered), openEdition(unpacked)];
  for (const { path, tag } of before.documents()) {
    assert.equal(after.document(path)?.tag, tag);
    assert.ok(Buffer.from(before.document(path)?.body ?? []).equals(after.document(path)?.body ?? new Uint8Array()));
  }
  assert.equal(after.since("2025-06-01").tag, before.since("2025-06-01").tag);
  const filter = { query: "the", limit: 50, offset: 0 };
  assert.deepEqual(after.search(filter).body, before.search(filter).body);
});

test("encodeEdition() writes bytes shared by several documents only once", () => {
  const dataset = rendered.documents.find(({ path }) => path === "/reviews.json");
  const { records } = rendered.reviewIndex;
  assert.equal(records.buffer, dataset?.body.buffer);
  assert.equal(Buffer.from(file).toString("latin1").split(Buffer.from(records).toString("latin1")).length, 2);
});

test("decodeEdition() takes nothing that another program made", () => {
  assert.equal(decodeEdition(file, "program 2"), undefined);
  const newer = file.slice();
  newer.set(Buffer.from("GOODWED2"));
  assert.equal(decodeEdition(newer, "program 1"), undefined);
});

test("decodeEdition() refuses a file that is cut or has a single wrong bit", () => {
  fc.assert(
    fc.property(fc.nat(file.length - 1), fc.nat(7), (at, bit) => {
      assert.throws(() => decodeEdition(file.subarray(0, at), "program 1"), { message: /^it is damaged/ });
      if (at === FORMAT.length - 1) return; // another version of the format
      const spoilt = file.slice();
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << bit);
      assert.throws(() => decodeEdition(spoilt, "program 1"), { message: /^it is (damaged|no edition)/ });
    }),
    { numRuns: 50 },
  );
});
