import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { CODINGS, codedBody, prepareCodings } from "./codings.ts";
import { makeDocument } from "./document.ts";

test("prepareCodings() makes those of small documents at once, and those of large ones when there is time", async () => {
  const small = makeDocument("/small", "text/plain", "a".repeat(2_000));
  const large = makeDocument("/large", "text/plain", new Uint8Array(4_000_001));
  const waited = Promise.withResolvers<void>();
  const time = Promise.withResolvers<void>();
  const newer = new AbortController();
  const preparing = prepareCodings([large, small], {
    signal: newer.signal,
    whenQuiet: () => {
      waited.resolve();
      return time.promise;
    },
  });
  await waited.promise;
  for (const coding of CODINGS) assert.ok(!(codedBody(small, coding) instanceof Promise), coding);
  newer.abort();
  time.resolve();
  await preparing;
  assert.ok(codedBody(large, "gzip") instanceof Promise, "a newer edition came: it was not made");
  await prepareCodings([large], { signal: new AbortController().signal });
  assert.ok(!(codedBody(large, "br") instanceof Promise));
});

test("prepareCodings() makes the next coding when the pace of the last one allows it", async () => {
  const document = makeDocument("/document", "text/plain", "b".repeat(2_000));
  const log: string[] = [];
  await prepareCodings([document], {
    signal: new AbortController().signal,
    paced: async (coding) => {
      log.push("begun");
      await coding;
      await turn();
      log.push("rested");
    },
  });
  assert.deepEqual(
    log,
    CODINGS.flatMap(() => ["begun", "rested"]),
  );
});
