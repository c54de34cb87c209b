import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openNoticeBench } from "../../../test/support/notice-bench.ts";
import { UNNAMED_BUSINESS } from "../../business.ts";
import { ownWords } from "../../lib/own-words.ts";
import { keepAddress, noticeKey } from "../../store/notice-rows.ts";
import { readBusiness } from "../../store/store.ts";
import { readConfig } from "../config.ts";
import { listNotices, sendTests } from "./notice-listing.ts";

test("a test says what came back of it, whatever a server sends while another address takes its time", async () => {
  await using bench = await openNoticeBench({ url: "sqlite:", addresses: { quick: "", slow: "" } });
  await bench.describe();
  const { store } = bench.box;
  bench.receivers.behave("/slow", async (_, response) => {
    await setTimeout(300);
    await keepAddress(store.database, {
      ...{ address: noticeKey({ to: `${bench.origin}/quick` }), last_at: new Date().toISOString() },
      ...{ last_type: "change", outcome: ownWords`failed: It answered 500` },
    });
    response.writeHead(410).end();
  });
  const business = (await readBusiness(store.database)) ?? UNNAMED_BUSINESS;
  const config = readConfig({ NOTICES_ALLOW: "127.0.0.0/8,::1/128" });
  assert.equal(await sendTests(config, store, { business, keySetting: () => undefined }), 1);
  assert.deepEqual(
    (await listNotices(store, business)).map(({ last_type, outcome }) => `${last_type}, ${outcome}`),
    ["test, sent: It answered 204", "test, failed: It answered 410"],
  );
  assert.equal(await sendTests(readConfig({}), store, { business, keySetting: () => undefined }), 2);
  for (const { outcome } of await listNotices(store, business))
    assert.equal(outcome, "failed: The host has no public address", "without NOTICES_ALLOW");
});
