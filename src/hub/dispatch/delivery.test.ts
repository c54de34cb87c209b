import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeDocument } from "../../edition/document.ts";
import type { Subscription } from "../../subscription.ts";
import type { CallbackRequest } from "../callback/callback.ts";
import { makeCircuitBreaker } from "../limits/circuit-breaker.ts";
import { HOST_LIMITER_LIMITS, makeHostLimiter } from "../limits/host-limiter.ts";
import { DELIVERY_BREAKER, HUB_LIMITS } from "../limits/hub-limits.ts";
import { openUnrecordedDeliveries } from "../limits/unrecorded-deliveries.ts";
import { openDeliveries } from "./delivery.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import { makeSecretSealing } from "./secret-sealing.ts";

const TOPIC = "/feed.xml";
const secrets = makeSecretSealing([], randomBytes);

function subscriber(id: string, secret: string | undefined): Subscription {
  const origin = `https://${id}.example`;
  const sealed = secret === undefined ? undefined : secrets.seal(secret, id);
  const lease = { secret: sealed, endsAt: new Date(Date.now() + 60_000), failures: 0, dueAt: undefined };
  return { id, shard: 0, topic: TOPIC, callback: `${origin}/changed`, origin, site: origin, lease };
}

/** Deliveries of a shard whose subscribers acknowledge everything, and the requests that they got. */
function openTestDeliveries() {
  const sent: CallbackRequest[] = [];
  const clock = () => performance.now();
  const breaker = makeCircuitBreaker({ ...HUB_LIMITS, ...DELIVERY_BREAKER }, clock);
  const breakers = { deliveries: breaker, verifications: breaker, addresses: breaker };
  const context: Partial<DispatchContext> = {
    limiter: makeHostLimiter(HOST_LIMITER_LIMITS, breakers, clock),
    unrecorded: openUnrecordedDeliveries(HOST_LIMITER_LIMITS.total, clock).share(),
    settings: { baseUrl: "https://reviews.example", retrySeconds: [1], secrets, subscriptionsOfSite: 9 },
    now: () => new Date(),
    randomBytes,
    log: () => {},
    async send(request) {
      sent.push(request);
      return { kind: "answered", status: 204, body: new Uint8Array(), complete: true, retryAfter: undefined };
    },
  };
  const write = () => assert.fail("nothing is owed, so nothing is recorded");
  const deliveries = openDeliveries(context as DispatchContext, write, {
    signal: new AbortController().signal,
    isHeld: () => true,
  });
  return { sent, deliveries };
}

test("every subscriber is sent the same bytes, signed with its secret if it has one", async () => {
  const { sent, deliveries } = openTestDeliveries();
  const document = makeDocument(TOPIC, "application/atom+xml", "news");
  const all = Array.from({ length: 60 }, (_, at) => subscriber(`s${at}`, [undefined, "one", "two"][at % 3]));
  const made = all.map((each) => deliveries.deliver(each, () => document, false));
  assert.deepEqual(new Set(await Promise.all(made.map(({ settled }) => settled))), new Set([true]));
  assert.equal(sent.length, 60);
  for (const { body } of sent) assert.equal(body, document.body, "not even a copy");
  const signatures = new Set(sent.map(({ headers }) => headers["X-Hub-Signature"]));
  const signed = ["one", "two"].map((secret) => `sha256=${createHmac("sha256", secret).update("news").digest("hex")}`);
  assert.deepEqual(signatures, new Set([undefined, ...signed]));
});
