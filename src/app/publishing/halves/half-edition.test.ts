import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openSandbox } from "../../../../test/import-sandbox.ts";
import { temporaryFolder } from "../../../../test/program.ts";
import type { RenderedEdition } from "../../../edition/render-edition.ts";
import { readInHalves, renderStore } from "../edition-worker-thread.ts";
import { belongTogether, makeHalf } from "./half-edition.ts";
import { openSecondThread } from "./second-thread.ts";

const BASE_URL = "https://reviews.example";
const BUSINESS =
  "name: Ash\ntime_zone: UTC\nverified_sources: [google, yelp]\ntechnicians: [{ id: bea, name: Bea Lund }]\n";
const TEXTS = ["They asked a fair price.", "Bea came on time 🙂", "", "Nobody called me back", "Über alles gut."];

function rowsOf(count: number, first = 0): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const number = first + at;
    const day = String(1 + (number % 28)).padStart(2, "0");
    return `g${number},Customer ${number},${1 + (number % 5)},2024-05-${day},${TEXTS[number % TEXTS.length]}`;
  });
  return `id,author,rating,date,text\n${rows.join("\n")}\n`;
}

const tags = ({ documents }: RenderedEdition) => documents.map(({ path, tag }) => [path, tag]);

test("an edition that two threads have made is the same as that of one, and so is the next", async () => {
  using folder = temporaryFolder();
  const url = `sqlite:${join(folder.path, "goodword.db")}`;
  await using box = await openSandbox(url);
  await box.take([box.write("business.yaml", BUSINESS), box.write("all.csv", rowsOf(60))], { source: "google" });
  await using other = await openSandbox(url);
  const whole = await renderStore(other.store, BASE_URL);
  const second = openSecondThread({ databaseUrl: url });
  try {
    assert.equal(await readInHalves(box.store, second, 10), undefined, "none is new");
    await box.take(box.write("more.csv", rowsOf(30, 60)), { source: "google" });
    const snapshot = await readInHalves(box.store, second, 10);
    assert.equal(snapshot?.reviews.length, 90);
    assert.deepEqual(JSON.parse(JSON.stringify(snapshot.reviews)), await box.reviews());
    const halves = await renderStore(box.store, BASE_URL);
    assert.notDeepEqual(tags(halves), tags(whole));
    await using fresh = await openSandbox(url);
    assert.deepEqual(tags(halves), tags(await renderStore(fresh.store, BASE_URL)));
    await box.take(box.write("one.csv", rowsOf(1, 90)), { source: "google" });
    const next = await renderStore(box.store, BASE_URL);
    await using last = await openSandbox(url);
    assert.deepEqual(tags(next), tags(await renderStore(last.store, BASE_URL)));
  } finally {
    second.close();
  }
});

test("a second thread that has ended makes no half, and one thread makes all", async () => {
  using folder = temporaryFolder();
  const url = `sqlite:${join(folder.path, "goodword.db")}`;
  await using box = await openSandbox(url);
  await box.take([box.write("business.yaml", BUSINESS), box.write("all.csv", rowsOf(200))], { source: "google" });
  const second = openSecondThread({ databaseUrl: url });
  second.close();
  assert.equal(await readInHalves(box.store, second, 10), undefined);
  assert.equal((await renderStore(box.store, BASE_URL)).reviewIndex.count, 200);
});

test("halves belong together if they are of one source and of the same state of the store", async () => {
  await using box = await openSandbox();
  await box.take([box.write("business.yaml", BUSINESS), box.write("all.csv", rowsOf(60))], { source: "google" });
  const border = { date: "2024-05-14", id: "0" };
  const newer = await makeHalf(box.store, { border, isOlder: false });
  const older = await makeHalf(box.store, { border, isOlder: true });
  assert.ok(newer !== undefined && older !== undefined);
  assert.equal(newer.index.count + older.index.count, 60);
  assert.ok(belongTogether(newer, older));
  await box.take(box.write("one.csv", rowsOf(1, 60)), { source: "google" });
  const later = await makeHalf(box.store, { border, isOlder: true });
  assert.ok(later !== undefined && !belongTogether(newer, later));
  await box.take(box.write("yelp.csv", rowsOf(1)), { source: "yelp" });
  assert.equal(await makeHalf(box.store, { border, isOlder: true }), undefined, "one may be a copy");
});
