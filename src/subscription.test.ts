/** The table of states of the interface (§3), row by row, and the clauses of WebSub that fill it in. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "../test/support/properties.ts";
import type { Intent } from "./intent.ts";
import { acknowledge, confirm, expire, fail, owe, type Subscription } from "./subscription.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const WAITS = [60, 600];
const PLACE = {
  id: "1",
  shard: 0,
  topic: "/feed.xml",
  callback: "https://a.example/cb",
  origin: "https://a.example",
  site: "a.example",
};

function at(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

function asked(mode: Intent["mode"], rest: Partial<Intent> = {}): Intent {
  const times = { askedAt: NOW, dueAt: NOW };
  const wanted = { token: "t", secret: undefined, leaseSeconds: 3600, knownTag: "A", client: "c", attempts: 0 };
  return { ...PLACE, mode, ...wanted, ...times, ...rest };
}

const subscribing = asked("subscribe");
const confirmation = { sentAt: NOW, now: at(1), newestTag: "A" };
const active = confirm(undefined, subscribing, confirmation);
const unsubscribing = asked("unsubscribe", { token: "u" });
const renewing = asked("subscribe", { token: "r", secret: "new", leaseSeconds: 7200, knownTag: "A" });

describe("interface §4", () => {
  test("pending verification, the challenge comes back: active", () => {
    assert.deepEqual(active, {
      ...PLACE,
      lease: { secret: undefined, endsAt: at(3600), failures: 0, dueAt: undefined },
    });
  });

  test("awaiting unsubscribe verification, the challenge comes back: removed", () => {
    assert.equal(confirm(active, unsubscribing, confirmation), undefined);
  });

  test("active, acknowledged with 2xx: active, and what was acknowledged is known", () => {
    assert.deepEqual(acknowledge(active, "v2", NOW), { ...active, lease: { ...active?.lease, acknowledged: "v2" } });
    assert.equal(acknowledge(active, undefined, NOW), active);
  });

  test("active, three failures in a row: removed", () => {
    const once = fail(active, { now: NOW, waitsSeconds: WAITS });
    assert.deepEqual(once?.lease, { secret: undefined, endsAt: at(3600), failures: 1, dueAt: at(60) });
    const twice = fail(once, { now: at(60), waitsSeconds: WAITS });
    assert.deepEqual(twice?.lease, { secret: undefined, endsAt: at(3600), failures: 2, dueAt: at(660) });
    assert.equal(fail(twice, { now: at(660), waitsSeconds: WAITS }), undefined);
  });

  test("active, the lease elapses: gone", () => {
    assert.ok(active);
    assert.equal(expire(active, at(3599.999)), active);
    assert.equal(expire(active, at(3600)), undefined);
  });
});

describe("confirm()", () => {
  test("the lease runs from the moment the verification was sent", () => {
    const late = confirm(undefined, subscribing, { ...confirmation, sentAt: at(5), now: at(9) });
    assert.deepEqual(late?.lease.endsAt, at(3605));
  });

  test("a renewal overrides secret and lease", () => {
    const renewed = confirm(active, renewing, confirmation);
    assert.deepEqual(renewed?.lease, { secret: "new", endsAt: at(7200), failures: 0, dueAt: undefined });
  });

  test("a verified renewal without a secret takes the secret away", () => {
    const secret = confirm(undefined, { ...subscribing, secret: "s" }, confirmation);
    assert.equal(secret?.lease.secret, "s");
    assert.equal(confirm(secret, subscribing, confirmation)?.lease.secret, undefined);
  });

  test("a topic that changed between request and activation is due at once", () => {
    assert.deepEqual(confirm(undefined, subscribing, { ...confirmation, newestTag: "B" })?.lease.dueAt, at(1));
  });

  test("a request from before the first document is owed that document", () => {
    const early = asked("subscribe", { knownTag: "" });
    assert.deepEqual(confirm(undefined, early, { ...confirmation, newestTag: undefined })?.lease.dueAt, at(1));
  });

  test("a renewal is not owed what has already been delivered under its lease", () => {
    assert.equal(confirm(active, renewing, { ...confirmation, newestTag: "B" })?.lease.dueAt, undefined);
  });

  test("a renewal resets the failures, and an owed delivery is due at once", () => {
    const troubled = fail(active, { now: NOW, waitsSeconds: WAITS });
    const { failures, dueAt } = confirm(troubled, renewing, confirmation)?.lease ?? {};
    assert.deepEqual([failures, dueAt], [0, at(1)]);
  });

  test("a renewal verified after the lease had ended counts as new", () => {
    const late = { sentAt: at(3599), now: at(3601), newestTag: "B" };
    assert.deepEqual(confirm(active, renewing, late)?.lease.dueAt, at(3601));
  });

  test("there is nothing to end once the subscription is gone", () => {
    assert.equal(confirm(undefined, unsubscribing, confirmation), undefined);
  });
});

describe("acknowledge(), fail(), owe()", () => {
  const troubled = fail(active, { now: NOW, waitsSeconds: WAITS });

  test("any acknowledgement sets the count to 0", () => {
    const acknowledged = acknowledge(troubled, "v2", NOW);
    assert.deepEqual(acknowledged, { ...active, lease: { ...active?.lease, acknowledged: "v2" } });
  });

  test("an acknowledgement of what is no longer newest leaves the newest owed at once", () => {
    assert.deepEqual(acknowledge(troubled, undefined, at(9))?.lease, { ...active?.lease, failures: 0, dueAt: at(9) });
  });

  test("a longer wait that the callback asks for is granted, within an hour", () => {
    const asking = (seconds: number) =>
      fail(active, { now: NOW, waitsSeconds: WAITS, retryAfterSeconds: seconds })?.lease?.dueAt;
    assert.deepEqual([asking(10), asking(120), asking(1e9)], [at(60), at(120), at(3600)]);
  });

  test("an owed delivery does not count as a failure", () => {
    assert.deepEqual(owe(troubled, at(5))?.lease, { ...troubled?.lease, dueAt: at(5) });
  });

  test("what is gone can neither fail nor be owed a delivery", () => {
    assert.equal(fail(undefined, { now: NOW, waitsSeconds: WAITS }), undefined);
    assert.equal(owe(undefined, NOW), undefined);
    assert.equal(acknowledge(undefined, undefined, NOW), undefined);
  });
});

test("after any events, a subscription has at most two failures", () => {
  const intents = [subscribing, unsubscribing, renewing];
  const step = fc.record({
    kind: fc.integer({ min: 0, max: 4 }),
    which: fc.integer({ min: 0, max: 2 }),
    wait: fc.nat(5000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let current: Subscription | undefined;
      let seconds = 0;
      for (const { kind, which, wait } of steps) {
        seconds += wait;
        const now = at(seconds);
        const chosen = intents[which] ?? subscribing;
        if (kind === 0) current = confirm(current, chosen, { sentAt: now, now, newestTag: "A" });
        if (kind === 1) current = acknowledge(current, which === 0 ? "newest" : undefined, now);
        if (kind === 2) current = fail(current, { now, waitsSeconds: WAITS });
        if (kind === 3) current = owe(current, now);
        if (kind === 4) current = current && expire(current, now);
        assert.ok((current?.lease.failures ?? 0) <= WAITS.length);
      }
    }),
  );
});
