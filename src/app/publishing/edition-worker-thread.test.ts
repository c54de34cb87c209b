import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openSandbox } from "../../../test/support/import-sandbox.ts";
import { openStore } from "../../store/store.ts";
import { recall, rehearseFromNothing, renderStore } from "./edition-worker-thread.ts";

test("an edition of a store that withholds a copy is recalled, and the next one is the same", async () => {
  await using box = await openSandbox();
  await box.take(box.write("business.yaml", "name: Ash\ntime_zone: UTC\nverified_sources: [google, yelp]\n"));
  for (const source of ["google", "yelp"]) {
    const table = `id,author,rating,date,text\n${source},Bea Lund,5,2024-05-01,They asked a fair price\n`;
    await box.take(box.write(`${source}.csv`, table), { source });
  }
  const first = await renderStore(box.store, "https://reviews.example");
  assert.equal(first.reviewIndex.count, 1);
  assert.equal(first.madeOf.place, undefined);
  const { snapshot, read } = recall({ ...first, lasting: undefined, picture: undefined });
  assert.deepEqual([...snapshot.reviews], await box.reviews());
  assert.deepEqual(read, {});
  let steps = 0;
  await rehearseFromNothing(box.store, { baseUrl: "https://reviews.example", isOver: () => ++steps === Infinity });
  assert.ok(steps > 10, String(steps));
  const tags = ({ documents }: typeof first) => documents.map(({ path, tag }) => [path, tag]);
  assert.deepEqual(tags(await renderStore(box.store, "https://reviews.example")), tags(first));
});

test("a large change of an empty store is prepared with the sample, which leaves nothing behind", async () => {
  await using box = await openSandbox();
  const baseUrl = "https://reviews.example";
  await rehearseFromNothing(box.store, { baseUrl, isOver: () => false });
  await box.take(box.write("business.yaml", "name: Ash\ntime_zone: UTC\n"));
  await box.take(box.write("google.csv", "id,author,rating,date,text\n1,Bea Lund,5,2024-05-01,They came on time\n"), {
    source: "google",
  });
  const { reviewIndex, business } = await renderStore(box.store, baseUrl);
  assert.deepEqual([reviewIndex.count, business.name], [1, "Ash"]);
});

test("preparing for a large change ends when the store has changed: the order for it is coming", async () => {
  const { database, close } = await openStore("sqlite::memory:");
  let steps = 0;
  const isOver = () => {
    steps++;
    void sql`update revision set number = number + 1`.execute(database); // before the next look at the store
    return false;
  };
  await rehearseFromNothing({ database, close }, { baseUrl: "https://reviews.example", isOver });
  assert.equal(steps, 1);
  await close();
});
