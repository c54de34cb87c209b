/** An independent subscriber: the library `pubsubhubbub`, as its users run it, against the hub over HTTP. */
import assert from "node:assert/strict";
import { type EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { createRequire } from "node:module";
import { test } from "node:test";
import { createAdaptorServer } from "@hono/node-server";
import { BASE_URL, openHarness } from "../support/hub-harness.ts";
import { listening } from "../support/loopback.ts";
import { SUBSCRIBER_CERTIFICATE } from "../support/subscriber.ts";

interface Library {
  createServer(options: { callbackUrl: string; leaseSeconds: number }): EventEmitter & {
    listener(): (request: IncomingMessage, response: ServerResponse) => void;
    subscribe(topic: string, hub: string, callback: (error: Error | null) => void): void;
    unsubscribe(topic: string, hub: string, callback: (error: Error | null) => void): void;
  };
}

test("the pubsubhubbub package subscribes, is notified of changes, and unsubscribes", async (t) => {
  const { certificate: cert, key } = SUBSCRIBER_CERTIFICATE;
  const hub = await openHarness();
  t.after(hub.close);
  const fetch = (request: Request) => hub.hub.answer(request, "127.0.0.1");
  await using door = await listening(createAdaptorServer({ fetch }));
  const subscriberServer = createServer({ cert, key });
  await using callback = await listening(subscriberServer);
  const hubUrl = `http://127.0.0.1:${door.port}/api/websub/hub`;
  const library = createRequire(import.meta.url)("pubsubhubbub") as Library;
  const callbackUrl = `https://localhost:${callback.port}/callback`;
  const subscriber = library.createServer({ callbackUrl, leaseSeconds: 7200 });
  const listen = subscriber.listener();
  subscriberServer.on("request", (request, response) => listen(request, response));

  const topic = `${BASE_URL}/api/feed.json`;
  const accepted = (mode: "subscribe" | "unsubscribe") =>
    new Promise<void>((resolve, reject) =>
      subscriber[mode](topic, hubUrl, (error) => (error ? reject(error) : resolve())),
    );

  const verified = once(subscriber, "subscribe");
  await accepted("subscribe");
  const [{ topic: verifiedTopic, lease }] = await verified;
  assert.equal(verifiedTopic, topic);
  assert.ok(Math.abs(lease - Date.now() / 1000 - 7200) < 5);
  await hub.event("subscription activated");

  const told = once(subscriber, "feed");
  hub.publisher.publish("second");
  const [{ topic: toldTopic, hub: toldHub, feed }] = await told;
  assert.deepEqual([toldTopic, toldHub], [topic, `${BASE_URL}/api/websub/hub`]);
  assert.equal(String(feed), "/api/feed.json second");

  const left = once(subscriber, "unsubscribe");
  await accepted("unsubscribe");
  await left;
  await hub.event("subscription ended by the subscriber");
  assert.deepEqual(await hub.lines(), []);
});
