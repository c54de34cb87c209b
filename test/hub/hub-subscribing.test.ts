/** Subscribing, renewing, leaving: what the hub asks the callback, and what becomes of the subscription (interface §4). */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type HubHarness, openHarness } from "../support/hub-harness.ts";
import { bodies, callbackOf, form, isSignedWith, newPath, subscribers, told } from "../support/hub-subscribers.ts";
import { type Arrival, answer, challengeOf, queryOf } from "../support/subscriber.ts";

let hub: HubHarness;
let clockAheadMs = 0;
const now = () => new Date(Date.now() + clockAheadMs);
beforeEach(async () => {
  clockAheadMs = 0;
  hub = await openHarness({ parts: { now } });
});
afterEach(() => hub.close());

function ask(mode: string, path: string, extra: Readonly<Record<string, string>> = {}): Promise<Response> {
  return hub.ask(form(callbackOf(path), { "hub.mode": mode, ...extra }));
}
/** Publishes, and waits until a subscriber who is told of everything has it. */
async function publish(text: string): Promise<void> {
  hub.publisher.publish(text);
  await subscribers.until(() => bodies("/witness").includes(text), `the witness has ${text}`);
}
/** Keeps verifications of a path waiting until they are let go. */
function holdVerifications(path: string): { readonly held: (() => void)[]; arrived(times: number): Promise<void> } {
  const held: (() => void)[] = [];
  subscribers.behave(path, (arrival, response) => {
    if (arrival.method === "POST") return false;
    return held.push(() => answer(arrival, response));
  });
  return { held, arrived: (times) => subscribers.until(() => held.length >= times, `${times} verifications are held`) };
}

describe("a verification", () => {
  test("comes after 202, which does not wait for it", async () => {
    const path = newPath();
    const { held, arrived } = holdVerifications(path);
    assert.equal((await ask("subscribe", path)).status, 202);
    await arrived(1);
    assert.equal((await hub.lines())[0]?.state, "pending verification");
    held[0]?.();
    await hub.event("subscription activated");
    assert.equal((await hub.lines())[0]?.state, "active");
  });

  const refusals: readonly [string, (arrival: Arrival, response: ServerResponse) => unknown][] = [
    ["404", (_arrival, response) => response.writeHead(404).end()],
    ["500 with the challenge", ({ target }, response) => response.writeHead(500).end(challengeOf(target))],
    ["302", (_arrival, response) => response.writeHead(302, { Location: "/elsewhere" }).end()],
    ["200 and nothing", (_arrival, response) => response.end()],
    ["200 and another body", (_arrival, response) => response.end("yes, please")],
    ["200, the challenge and a line break", ({ target }, response) => response.end(`${challengeOf(target)}\n`)],
    [
      "200 and the beginning of the challenge",
      ({ target }, response) => response.end(challengeOf(target).slice(0, -1)),
    ],
    ["200 and the challenge of another", (_arrival, response) => response.end("x".repeat(43))],
  ];
  for (const [name, behaviour] of refusals) {
    test(`answered ${name} is a refusal, asked once`, async () => {
      const path = newPath();
      subscribers.behave(path, behaviour);
      assert.equal((await ask("subscribe", path)).status, 202);
      await hub.event("verification refused");
      assert.deepEqual(await hub.lines(), []);
      assert.equal(subscribers.verifications(path).length, 1);
      assert.equal(subscribers.verifications("/elsewhere").length, 0);
    });
  }

  test("answered with any 2xx and the challenge is a consent, whatever its type", async () => {
    const path = newPath();
    subscribers.behave(path, ({ target }, response) =>
      response.writeHead(203, { "Content-Type": "application/octet-stream" }).end(challengeOf(target)),
    );
    await ask("subscribe", path);
    await hub.event("subscription activated");
  });

  test("that nothing answers is tried three times in all", async () => {
    const path = newPath();
    subscribers.behave(path, (_arrival, response) => response.destroy());
    await ask("subscribe", path);
    await hub.event("verification unanswered", 3);
    assert.deepEqual(await hub.lines(), []);
    assert.equal(subscribers.verifications(path).length, 3);
  });

  test("has a new challenge each time", async () => {
    const path = newPath();
    for (let time = 0; time < 3; time++) await hub.subscribe(callbackOf(path));
    assert.equal(new Set(subscribers.verifications(path).map(({ target }) => challengeOf(target))).size, 3);
  });

  test("names the lease: the asked one within its bounds, the default where none was asked", async () => {
    for (const [asked, given] of [
      ["7200", "7200"],
      ["1", "60"],
      ["99999999", "2592000"],
      ["", "864000"],
    ] as const) {
      const path = newPath();
      await hub.subscribe(callbackOf(path), "/feed.xml", { "hub.lease_seconds": asked });
      assert.equal(queryOf(subscribers.verifications(path)[0]?.target ?? "").get("hub.lease_seconds"), given);
    }
  });

  test("keeps the callback's own query to the byte, overlapping names too", async () => {
    const path = newPath();
    const query = "?hub.mode=mine&flag&a=%2F+%2f&a=2&token=~";
    await hub.subscribe(callbackOf(path + query));
    assert.ok(subscribers.verifications(path)[0]?.target.startsWith(`${path}${query}&hub.mode=subscribe&hub.topic=`));
  });
});

describe("many requests for one callback", () => {
  test("become one subscription, and few verifications", async () => {
    const path = newPath();
    const { held, arrived } = holdVerifications(path);
    const askOften = async () => {
      for (let time = 0; time < 50; time++) assert.equal((await ask("subscribe", path)).status, 202);
    };
    await askOften();
    await arrived(1);
    await askOften();
    assert.equal(held.length, 1, "while one is under way there is no other");
    held[0]?.();
    await arrived(2);
    held[1]?.();
    await hub.event("subscription renewed");
    assert.equal((await hub.lines()).length, 1);
    assert.equal(subscribers.verifications(path).length, 2);
  });
});

describe("the change between subscribing and activation", () => {
  test("is delivered, once, and in its newest state", async () => {
    const path = newPath();
    await hub.subscribe(callbackOf("/witness"));
    const { held, arrived } = holdVerifications(path);
    await ask("subscribe", path);
    await arrived(1);
    await publish("while waiting");
    await publish("while still waiting");
    assert.deepEqual(bodies(path), [], "nothing is sent before the verification");
    held[0]?.();
    await told(path, 1);
    await publish("afterwards");
    await told(path, 2);
    assert.deepEqual(bodies(path), ["while still waiting", "afterwards"]);
  });

  test("that is none brings nothing", async () => {
    const path = newPath();
    await hub.subscribe(callbackOf("/witness"));
    await hub.subscribe(callbackOf(path));
    await publish("a change");
    await told(path, 1); // newer content would replace it
    await publish("another");
    await told(path, 2);
    assert.deepEqual(bodies(path), ["a change", "another"]);
  });
});

describe("a renewal", () => {
  test("overrides the secret only once it is verified", async () => {
    const path = newPath();
    await hub.subscribe(callbackOf("/witness"));
    await hub.subscribe(callbackOf(path), "/feed.xml", { "hub.secret": "old" });
    const { held, arrived } = holdVerifications(path);
    await ask("subscribe", path, { "hub.secret": "new" });
    await arrived(1);
    assert.equal((await hub.lines()).filter(({ state }) => state === "renewing").length, 1);
    await publish("one");
    await told(path, 1);
    held[0]?.();
    await hub.event("subscription renewed");
    await publish("two");
    await told(path, 2);
    const [first, second] = subscribers.deliveries(path);
    assert.ok(isSignedWith("old", first) && isSignedWith("new", second));
  });

  test("that is refused leaves lease and secret as they were", async () => {
    const path = newPath();
    await hub.subscribe(callbackOf("/witness"));
    await hub.subscribe(callbackOf(path), "/feed.xml", { "hub.secret": "old", "hub.lease_seconds": "7200" });
    const before = (await hub.lines()).map(({ lease_ends_at }) => lease_ends_at);
    subscribers.behave(path, ({ method }, response) => method === "GET" && response.writeHead(404).end());
    await ask("subscribe", path, { "hub.secret": "new", "hub.lease_seconds": "60" });
    await hub.event("verification refused");
    const ends = (await hub.lines()).map(({ lease_ends_at }) => lease_ends_at);
    assert.deepEqual(ends, before);
    await publish("after the refusal");
    await told(path, 1);
    assert.ok(isSignedWith("old", subscribers.deliveries(path)[0]));
  });

  test("moves the end of the lease on, counted from the verification request", async () => {
    const path = newPath();
    await hub.subscribe(callbackOf(path), "/feed.xml", { "hub.lease_seconds": "7200" });
    clockAheadMs = 3_000_000;
    const { held, arrived } = holdVerifications(path);
    await ask("subscribe", path, { "hub.lease_seconds": "7200" });
    await arrived(1);
    const askedAt = Date.now() + clockAheadMs;
    clockAheadMs = 6_000_000;
    held[0]?.();
    await hub.event("subscription renewed");
    const endsAt = Date.parse((await hub.lines())[0]?.lease_ends_at ?? "");
    assert.ok(Math.abs(endsAt - askedAt - 7_200_000) < 600_000, `${endsAt - askedAt}`);
  });
});

describe("the end of a lease", () => {
  test("ends the subscription: nothing is sent, nothing is listed", async () => {
    const path = newPath();
    await hub.subscribe(callbackOf("/witness"));
    await hub.subscribe(callbackOf(path), "/feed.xml", { "hub.lease_seconds": "60" });
    clockAheadMs = 10_000;
    await publish("in time");
    await told(path, 1);
    clockAheadMs = 61_000;
    await publish("too late");
    await publish("far too late");
    assert.deepEqual(bodies(path), ["in time"]);
    assert.equal((await hub.lines()).length, 1);
  });
});

describe("unsubscribing", () => {
  test("without a subscription is answered 202 and has no effect", async () => {
    const path = newPath();
    assert.equal((await ask("unsubscribe", path)).status, 202);
    await hub.subscribe(callbackOf("/witness"));
    await publish("anything");
    assert.equal(subscribers.verifications(path).length, 0);
  });

  test("that the callback does not confirm changes nothing", async () => {
    const path = newPath();
    await hub.subscribe(callbackOf("/witness"));
    await hub.subscribe(callbackOf(path));
    subscribers.behave(path, ({ method }, response) => method === "GET" && response.end("never"));
    assert.equal((await ask("unsubscribe", path)).status, 202);
    await hub.event("verification refused");
    await publish("still there");
    await told(path, 1);
  });

  test("while a renewal is pending ends the subscription for good", async () => {
    const path = newPath();
    await hub.subscribe(callbackOf("/witness"));
    await hub.subscribe(callbackOf(path));
    const { held, arrived } = holdVerifications(path);
    await ask("subscribe", path);
    await arrived(1);
    await ask("unsubscribe", path);
    held[0]?.();
    await arrived(2);
    held[1]?.();
    await hub.event("subscription ended by the subscriber");
    assert.deepEqual(
      subscribers.verifications(path).map(({ target }) => queryOf(target).get("hub.mode")),
      ["subscribe", "subscribe", "unsubscribe"],
    );
    assert.equal((await hub.lines()).length, 1);
    await publish("nothing for you");
    assert.deepEqual(bodies(path), []);
  });

  test("of a pending subscription is verified too, and removes it", async () => {
    const path = newPath();
    const { held, arrived } = holdVerifications(path);
    await ask("subscribe", path);
    await arrived(1);
    await ask("unsubscribe", path);
    held[0]?.();
    await arrived(2);
    held[1]?.();
    await hub.event("subscription ended by the subscriber");
    assert.deepEqual(await hub.lines(), []);
  });

  test("from one topic leaves the others", async () => {
    const path = newPath();
    await hub.subscribe(callbackOf(path), "/feed.xml");
    await hub.subscribe(callbackOf(path), "/reviews.json");
    await ask("unsubscribe", path);
    await hub.event("subscription ended by the subscriber");
    const topics = (await hub.lines()).map(({ topic }) => topic);
    assert.deepEqual(topics, ["/reviews.json"]);
  });
});
