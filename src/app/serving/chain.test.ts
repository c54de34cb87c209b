import assert from "node:assert/strict";
import { test } from "node:test";
import { normalForm } from "../../lib/normal-form.ts";
import { byName, type ChainSite, openChain } from "./chain.ts";

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

test("byName() puts places in order by name and address, in time that does not grow with a name of marks", () => {
  const placesOf = (...names: readonly string[]) =>
    names.map((name, at) => ({ name, base_url: `http://${9 - at}.test` })).toSorted(byName);
  assert.deepEqual(
    placesOf("Zoë", "émile", "Anna", "Zoë").map(({ name, base_url }) => `${name} ${base_url}`),
    ["Anna http://7.test", "émile http://8.test", "Zoë http://6.test", "Zoë http://9.test"],
  );
  const marks = `Anna${"\u0301\u0316".repeat(60_000)}`;
  const processorTime = (run: () => unknown) => {
    const before = process.cpuUsage();
    run();
    return process.cpuUsage(before).user;
  };
  const once = processorTime(() => normalForm(marks, "NFC"));
  const ordering = processorTime(() => placesOf("Anna", marks, `${marks}b`));
  assert.ok(ordering < 5 * once + 300_000, `${ordering} beside ${once}`); // microseconds
});
