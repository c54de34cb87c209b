import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import {
  askedBody,
  CODINGS,
  codedBody,
  encodeHere,
  encodeOnPool,
  MOST_ENCODED_HERE,
  prepareCodings,
} from "./codings.ts";
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
  assert.ok(codedBody(large, "br") instanceof Promise, "a newer edition came: it was not made");
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

test("the bytes of a coding are the same wherever they are made", async () => {
  for (const length of [600, 90_000, 200_000, MOST_ENCODED_HERE]) {
    const body = new TextEncoder().encode(
      JSON.stringify(Array.from({ length: length / 6 }, (_, n) => n * n)).slice(0, length),
    );
    for (const coding of CODINGS) {
      const here = encodeHere(body, coding);
      assert.ok(here.byteLength < body.byteLength);
      assert.deepEqual(Buffer.from(here), Buffer.from(await encodeOnPool(body, coding)), `${coding} of ${length}`);
    }
  }
});

test("prepareCodings() has small documents compressed elsewhere, and large ones on the thread pool", async () => {
  const small = makeDocument("/small", "text/plain", "a".repeat(2_000));
  const large = makeDocument("/large", "text/plain", new Uint8Array(4_000_001));
  const sent: number[] = [];
  await prepareCodings([large, small], {
    signal: new AbortController().signal,
    encodeSmall: async (body, coding) => {
      sent.push(body.byteLength);
      return await encodeOnPool(body, coding);
    },
  });
  assert.deepEqual(
    sent,
    CODINGS.map(() => 2_000),
  );
  assert.ok(!(codedBody(large, "br") instanceof Promise));
});

test("prepareCodings() makes the codings of a large document that readers have asked for, besides the preferred one", async () => {
  const version = () => makeDocument("/asked", "text/plain", new Uint8Array(4_000_001));
  const [first, second] = [version(), version()];
  const signal = new AbortController().signal;
  await prepareCodings([first], { signal });
  assert.deepEqual(
    CODINGS.filter((coding) => !(codedBody(first, coding) instanceof Promise)),
    ["br"],
  );
  await askedBody(first, "gzip");
  await prepareCodings([second], { signal });
  assert.deepEqual(
    CODINGS.filter((coding) => !(codedBody(second, coding) instanceof Promise)),
    ["br", "gzip"],
  );
});
