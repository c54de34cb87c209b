import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/program.ts";
import { CODINGS, encodeOnPool } from "../../edition/codings.ts";
import { openEditionWorker } from "./edition-worker.ts";

test("encode() gives the same bytes before the thread has started, beside a rendering, after it and once it has ended", async () => {
  using folder = temporaryFolder();
  const settings = { databaseUrl: `sqlite:${join(folder.path, "goodword.db")}`, baseUrl: "https://reviews.example" };
  const worker = openEditionWorker(settings, { isKept: () => false, last: () => undefined });
  const bodies = [2_000, 300_000].map((length) => new TextEncoder().encode("They came on time. ".repeat(length / 19)));
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
