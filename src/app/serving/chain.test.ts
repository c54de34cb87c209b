import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChainSite, openChain } from "./chain.ts";

test("answer() asks to come again while the places of a chain are read for the first time, and is whole after that", async () => {
  const { promise, resolve } = Promise.withResolvers<readonly ChainSite[]>();
  const chain = openChain({ name: "Chain", base_url: "http://chain.test", language: "en" }, () => promise, {
    ...{ cacheControl: "no-cache", maxFirstMs: 1 },
  });
  const ask = () => chain.answer(new Request("http://chain.test/places.json"));
  const { status, headers } = await ask();
  assert.deepEqual([status, headers.get("Retry-After")], [503, "5"]);
  resolve([]);
  await promise;
  let answer = await ask();
  while (answer.status === 503) answer = await ask();
  assert.deepEqual(await answer.json(), { name: "Chain", review_count: 0, places: [] });
});
