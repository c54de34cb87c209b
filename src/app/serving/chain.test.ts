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

test("an address of a chain at which there is nothing says so in the chain's language, and leads to the chain", async () => {
  const chain = openChain(
    { name: "Cadena", base_url: "http://chain.test", language: "es" },
    () => Promise.resolve([]),
    { cacheControl: "no-cache" },
  );
  const ask = (headers: Record<string, string>) => chain.answer(new Request("http://chain.test/nada", { headers }));
  const answer = await ask({ Accept: "text/html" });
  const page = await answer.text();
  assert.deepEqual([answer.status, answer.headers.get("Vary")], [404, "Accept"]);
  assert.match(page, /<html lang="es".*<bdi>Cadena<\/bdi>.*<h1>En esta dirección no hay nada<\/h1>/s);
  assert.match(page, /<meta name="robots" content="noindex">/);
  assert.doesNotMatch(page, /Goodword|href="\/reviews|feed/);
  assert.deepEqual(await (await ask({})).json(), { error: "Nothing is at /nada" });
});
