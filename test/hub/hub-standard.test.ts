/** The conditions of the public WebSub test suite for hubs (websub.rocks 100 to 106), for each of our topics. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { topicLink } from "../../src/edition/topic.ts";
import { BASE_URL, type HubHarness, openHarness } from "../support/hub-harness.ts";
import { type Arrival, openSubscribers, queryOf, type Subscribers } from "../support/subscriber.ts";
import type { TestTopic } from "../support/test-publisher.ts";

const TOPICS: readonly (readonly [TestTopic, string])[] = [
  ["/feed.xml", "application/atom+xml"],
  ["/api/feed.json", "application/json"],
  ["/reviews.json", "application/json"],
];

for (const [topic, type] of TOPICS) {
  describe(`${topic}:`, () => {
    let hub: HubHarness;
    let subscribers: Subscribers;
    let count = 0;
    before(async () => {
      subscribers = await openSubscribers();
      hub = await openHarness();
    });
    after(async () => {
      await hub.close();
      await subscribers.close();
    });

    /** A subscriber with a path of its own. */
    function newcomer(query = "") {
      const path = `/s${count++}`;
      const callback = `https://localhost:${subscribers.port}${path}${query}`;
      return {
        callback,
        path,
        ask: (mode: string, extra: Readonly<Record<string, string>> = {}) =>
          hub.ask({ "hub.mode": mode, "hub.topic": BASE_URL + topic, "hub.callback": callback, ...extra }),
        verified: (times: number) =>
          subscribers.until(
            () => subscribers.verifications(path).length >= times,
            `${path} was verified ${times} times`,
          ),
        delivered: (times: number) =>
          subscribers.until(() => subscribers.deliveries(path).length >= times, `${path} was notified ${times} times`),
        verifications: () => subscribers.verifications(path),
        deliveries: () => subscribers.deliveries(path),
      };
    }

    /** Publishes, and gives what it has published once somebody who is told of everything has it. */
    async function publish(): Promise<string> {
      const text = `words ${count++}`;
      hub.publisher.publish(text);
      await subscribers.until(
        () => subscribers.deliveries("/witness").some(({ body }) => body.toString() === `${topic} ${text}`),
        "the witness was notified",
      );
      return `${topic} ${text}`;
    }

    before(() => hub.subscribe(`https://localhost:${subscribers.port}/witness`, topic));

    /** The conditions of a notification that every test has. */
    function checkNotification(notification: Arrival | undefined, body: string): asserts notification {
      assert.ok(notification);
      assert.equal(notification.body.toString(), body);
      assert.equal(notification.headers["content-type"], type);
      const links = notification.rawHeaders.filter((name) => name.toLowerCase() === "link");
      assert.equal(links.length, 1, "one Link header holds both entries");
      assert.equal(notification.headers.link, topicLink(BASE_URL, topic));
      assert.match(
        topicLink(BASE_URL, topic),
        /^<http:\/\/localhost:8080\/api\/websub\/hub>; rel="hub", <.*>; rel="self"$/,
      );
    }

    function checkVerification(verification: Arrival | undefined, mode: string): void {
      assert.ok(verification);
      const query = queryOf(verification.target);
      assert.equal(query.get("hub.mode"), mode);
      assert.equal(query.get("hub.topic"), BASE_URL + topic);
      assert.match(query.get("hub.challenge") ?? "", /^[A-Za-z0-9_-]{43}$/);
      assert.match(query.get("hub.lease_seconds") ?? "", /^\d+$/);
    }

    test("100, typical subscriber request", async () => {
      const subscriber = newcomer();
      const active = hub.activations();
      assert.equal((await subscriber.ask("subscribe")).status, 202);
      await hub.event("subscription activated", active + 1);
      checkVerification(subscriber.verifications()[0], "subscribe");
      const body = await publish();
      await subscriber.delivered(1);
      const [notification] = subscriber.deliveries();
      checkNotification(notification, body);
      assert.equal(notification.headers["x-hub-signature"], undefined);
    });

    test("101, subscriber includes a secret", async () => {
      const subscriber = newcomer();
      const secret = "a secret of 20 bytes";
      const active = hub.activations();
      assert.equal((await subscriber.ask("subscribe", { "hub.secret": secret })).status, 202);
      await hub.event("subscription activated", active + 1);
      const body = await publish();
      await subscriber.delivered(1);
      const [notification] = subscriber.deliveries();
      checkNotification(notification, body);
      const hmac = createHmac("sha256", secret).update(notification.body).digest("hex");
      assert.equal(notification.headers["x-hub-signature"], `sha256=${hmac}`);
    });

    test("102, subscriber sends additional parameters", async () => {
      const subscriber = newcomer();
      await hub.subscribe(subscriber.callback, topic, { foo: "bar", "hub.foo": "hub.bar" });
      const body = await publish();
      await subscriber.delivered(1);
      checkNotification(subscriber.deliveries()[0], body);
    });

    test("103, subscriber subscribes again before the subscription expires", async () => {
      const subscriber = newcomer();
      await hub.subscribe(subscriber.callback, topic);
      await publish();
      await subscriber.delivered(1);
      const { length } = await hub.lines();
      await hub.subscribe(subscriber.callback, topic);
      assert.equal((await hub.lines()).length, length, "there is no second record");
      await subscriber.verified(2);
      await publish();
      await subscriber.delivered(2);
      await publish();
      await subscriber.delivered(3);
      assert.equal(subscriber.deliveries().length, 3, "one notification for each change");
      assert.equal(subscriber.verifications().length, 2);
    });

    test("104, unsubscribe request", async () => {
      const subscriber = newcomer();
      await hub.subscribe(subscriber.callback, topic);
      await publish();
      await subscriber.delivered(1);
      assert.equal((await subscriber.ask("unsubscribe")).status, 202);
      await hub.event("subscription ended by the subscriber");
      checkVerification(subscriber.verifications()[1], "unsubscribe");
      await publish();
      await publish();
      assert.equal(subscriber.deliveries().length, 1);
    });

    test("105 and 106, the content is what GET gives, byte for byte, in its type", async () => {
      const subscriber = newcomer("?token=a%20b&flag");
      await hub.subscribe(subscriber.callback, topic, { "hub.lease_seconds": "7200" });
      assert.equal(queryOf(subscriber.verifications()[0]?.target ?? "").get("hub.lease_seconds"), "7200");
      await publish();
      await subscriber.delivered(1);
      const [notification] = subscriber.deliveries();
      const document = hub.publisher.confirmed()?.document(topic);
      assert.deepEqual(notification?.body, Buffer.from(document?.body ?? []));
      assert.equal(notification?.headers["content-type"], document?.mediaType);
      assert.equal(
        notification?.target,
        `${subscriber.path}?token=a%20b&flag`,
        "its own query is kept, nothing is added",
      );
    });
  });
}
