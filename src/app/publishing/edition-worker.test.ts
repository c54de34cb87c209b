import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/program.ts";
import { CODINGS, encodeOnPool } from "../../edition/codings.ts";
import { openEditionWorker } from "./edition-worker.ts";

test("encode() gives the same bytes before the thread has started, beside a rendering, after it and once it has ended", async () => {
  using folder = temporaryFolder();
  const settings = { databaseUrl: `sqlite:${join(folder.path, "goodword.db")}`, baseUrl: "https://reviews.example" };
  const worker = openEditionWorker(settings, { isKept: () => false, last: () => undefined });
  const bodies = [2_000, 262_143, 262_144, 300_000].map((length) =>
    new TextEncoder().encode("They came on time. ".repeat(length / 19 + 1).slice(0, length)),
  );
  const check = async () => {
    for (const body of bodies) {
      for (const coding of CODINGS) {
        const coded = await worker.encode(body, coding);
        assert.deepEqual(Buffer.from(coded), Buffer.from(await encodeOnPool(body, coding)), coding);
      }
    }
  };
  await check();
  const rendering = worker.render("sample");
  await check();
  await rendering;
  await check();
  const [body = new Uint8Array()] = bodies;
  const [coded] = await Promise.all([worker.encode(body, "br"), worker.close()]);
  assert.deepEqual(Buffer.from(coded), Buffer.from(await encodeOnPool(body, "br")));
  await check();
});

test("encode() has the pool compress what the thread does not compress in time", async () => {
  using folder = temporaryFolder();
  const settings = { databaseUrl: `sqlite:${join(folder.path, "goodword.db")}`, baseUrl: "https://reviews.example" };
  const worker = openEditionWorker(settings, { isKept: () => false, last: () => undefined, encodingMs: 0 });
  await worker.render("sample");
  const body = new TextEncoder().encode(
    Array.from({ length: 40_000 }, (_, n) => n * n)
      .join()
      .slice(0, 200_000),
  );
  let isOnPool = false;
  const hook = createHook({
    init(_id, type) {
      isOnPool ||= type === "ZLIB";
    },
  }).enable();
  const coded = await worker.encode(body, "br");
  hook.disable();
  assert.ok(isOnPool);
  assert.deepEqual(Buffer.from(coded), Buffer.from(await encodeOnPool(body, "br")));
  await worker.close();
});
