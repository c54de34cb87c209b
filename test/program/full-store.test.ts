/** A store without room: what the hub says then, what stays as it was, and that all goes on when there is room again. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openStore, readSnapshot, type Store } from "../../src/store/store.ts";
import { BASE_URL, openHarness } from "../support/hub-harness.ts";
import { temporaryFolder } from "../support/program.ts";
import { openSubscribers } from "../support/subscriber.ts";
import { makeTestPublisher } from "../support/test-publisher.ts";

/** Leaves no page free in a store's file, or gives it room again. */
async function setRoom({ database }: Store, hasRoom: boolean): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database);
  const pages = hasRoom ? 1_000_000 : Number(rows[0]?.page_count);
  await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(database);
}

test("a hub whose store is full refuses with Retry-After, leaves nothing half done, and goes on when there is room", async (t) => {
  const folder = temporaryFolder();
  const store = await openStore(`sqlite:${join(folder.path, "goodword.db")}`);
  const publisher = makeTestPublisher();
  const harness = await openHarness({ store, publisher });
  const subscribers = await openSubscribers();
  t.after(async () => {
    await Promise.all([harness.close(), subscribers.close()]);
    await store.close();
    folder[Symbol.dispose]();
  });
  const callback = (path: string) => `https://localhost:${subscribers.port}${path}`;
  const request = (path: string) => ({
    "hub.mode": "subscribe",
    "hub.topic": `${BASE_URL}/feed.xml`,
    "hub.callback": callback(path),
  });
  await harness.subscribe(callback("/first"));

  await setRoom(store, false);
  const paths = Array.from({ length: 12 }, (_, index) => `/${index}-${"x".repeat(900)}`);
  const answers: Response[] = [];
  for (const path of paths) answers.push(await harness.ask(request(path)));
  const refused = paths.filter((_, index) => answers[index]?.status === 503);
  assert.ok(refused.length > 0, answers.map(({ status }) => status).join());
  for (const answer of answers.filter(({ status }) => status !== 202)) {
    assert.equal(answer.status, 503);
    assert.match(answer.headers.get("Retry-After") ?? "", /^\d+$/);
    assert.match(await answer.text(), /could not be stored/);
  }
  const held = await store.database.selectFrom("subscription").select("callback").execute();
  assert.deepEqual(
    held.filter((row) => refused.some((path) => row.callback.endsWith(path))),
    [],
    "what was refused is in no row",
  );
  assert.equal((await readSnapshot(store)).reviews.length, 0, "the store is read as before");
  publisher.publish("while the store was full");

  await setRoom(store, true);
  const [again = ""] = refused;
  assert.equal((await harness.ask(request(again))).status, 202);
  publisher.publish("with room");
  const hasHeard = (path: string) =>
    subscribers.deliveries(path).some(({ body }) => body.toString().endsWith("with room"));
  await subscribers.until(() => hasHeard("/first"), "the first subscriber hears of the change");
  await subscribers.until(() => subscribers.verifications(again).length > 0, "the refused one is verified");
});
