/**
 * Hubs of other sites beside the one under test, where GOODWORD_TEST_SITES is set: as in a process with many sites they
 * share the client for callbacks and its limits, and each has a store, subscribers and words of its own.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { topicLink } from "../../src/edition/topic.ts";
import { openHub } from "../../src/hub/hub.ts";
import type { HubOutbound } from "../../src/hub/hub-outbound.ts";
import { openClaims } from "../../src/store/claims.ts";
import { siteStoreUrl } from "../../src/store/engine/store-url.ts";
import { openStore } from "../../src/store/store.ts";
import { databaseOfSites } from "./among-sites.ts";
import type { LoneHubSettings } from "./lone-hub.ts";
import { openSubscribers } from "./subscriber.ts";
import { makeTestPublisher, type TestPublisher } from "./test-publisher.ts";
import { REPLICAS, SITES } from "./test-runs.ts";

/** At most so many of the sites have a hub: the others rest. */
const MAX_OTHERS = 10;

/** The store of a site: a schema in the database of all, or memory. */
export async function storeOfSite(name: string): Promise<string> {
  return REPLICAS > 0 ? siteStoreUrl(await databaseOfSites(), name, "") : "sqlite::memory:";
}

export interface OtherHubs {
  /** Has each of them bring out an edition. */
  publish(): void;
  /** Closes them. @throws AssertionError if a subscriber of theirs was sent what is not its site's. */
  close(): Promise<void>;
}

/** Opens them, each with one subscriber. */
export async function openOtherHubs(outbound: HubOutbound, settings: LoneHubSettings): Promise<OtherHubs> {
  await using failed = new AsyncDisposableStack();
  const subscribers = await openSubscribers();
  failed.defer(subscribers.close);
  const names = Array.from({ length: Math.min(SITES - 1, MAX_OTHERS) }, () => `hub-${randomBytes(6).toString("hex")}`);
  const baseUrlOf = (name: string) => `https://${name}.test`;
  let edition = 0;
  const opened: { readonly name: string; readonly publisher: TestPublisher }[] = [];
  for (const name of names) {
    const store = await openStore(await storeOfSite(name));
    failed.defer(store.close);
    const claims = openClaims(store);
    failed.defer(claims.close);
    const publisher = makeTestPublisher(`words of ${name} 0`);
    const baseUrl = baseUrlOf(name);
    const parts = { store, claims, publisher, outbound, randomBytes, settings: { ...settings, baseUrl } };
    const hub = openHub({ ...parts, log: () => {}, now: () => new Date() });
    failed.defer(() => hub.close(2_000));
    hub.start();
    const form = { "hub.mode": "subscribe", "hub.topic": `${baseUrl}/feed.xml` };
    const body = new URLSearchParams({ ...form, "hub.callback": `https://localhost:${subscribers.port}/${name}` });
    const { status } = await hub.answer(new Request(`${baseUrl}/hub`, { method: "POST", body }), "198.51.100.1");
    assert.equal(status, 202);
    opened.push({ name, publisher });
  }
  await subscribers.until(() => subscribers.verifications().length >= names.length, "the other sites' were verified");
  const closers = failed.move();
  return {
    publish() {
      edition += 1;
      for (const { name, publisher } of opened) publisher.publish(`words of ${name} ${edition}`);
    },
    async close() {
      await closers.disposeAsync();
      for (const { target, body, headers } of subscribers.deliveries()) {
        const name = target.slice(1);
        assert.match(body.toString(), new RegExp(`^/feed\\.xml words of ${name} \\d+$`));
        assert.equal(headers.link, topicLink(baseUrlOf(name), "/feed.xml"));
      }
    },
  };
}
