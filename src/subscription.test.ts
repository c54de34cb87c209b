/** The table of states of the interface (§3), row by row, and the clauses of WebSub that fill it in. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Intent, Subscription } from "./subscription.ts";
import {
  acknowledge,
  confirm,
  endLease,
  expire,
  fail,
  holdBack,
  leaveUnanswered,
  owe,
  postpone,
  type RequestedSubscription,
  reject,
  request,
} from "./subscription.ts";

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

function asked(mode: Intent["mode"], rest: Partial<Intent> = {}): RequestedSubscription {
  const intent = {
    mode,
    token: "t",
    secret: undefined,
    leaseSeconds: 3600,
    knownTag: "A",
    client: "c",
    attempts: 0,
    askedAt: NOW,
    dueAt: NOW,
  };
  return { ...PLACE, intent: { ...intent, ...rest } };
}

const subscribing = asked("subscribe");
const pending: Subscription | undefined = request(undefined, subscribing, NOW);
const confirmation = { sentAt: NOW, now: at(1), newestTag: "A" };
const active = confirm(pending, subscribing.intent, confirmation);
const unsubscribing = asked("unsubscribe", { token: "u" });
const leaving = request(active, unsubscribing, NOW);
const renewing = asked("subscribe", { token: "r", secret: "new", leaseSeconds: 7200, knownTag: "A" });
const underRenewal = request(active, renewing, NOW);

describe("interface §4", () => {
  test("(none), subscribe: pending verification", () => {
    assert.deepEqual(pending, subscribing);
  });

  test("pending verification, the challenge comes back: active", () => {
    assert.deepEqual(active, {
      ...PLACE,
      lease: { secret: undefined, endsAt: at(3600), failures: 0, dueAt: undefined },
    });
  });

  test("pending verification, any other answer: rejected", () => {
    assert.equal(reject(pending, subscribing.intent), undefined);
  });

  test("active, unsubscribe: awaiting unsubscribe verification, and still active", () => {
    assert.deepEqual(leaving?.lease, active?.lease);
    assert.equal(leaving?.intent?.mode, "unsubscribe");
  });

  test("awaiting unsubscribe verification, the challenge comes back: removed", () => {
    assert.equal(confirm(leaving, unsubscribing.intent, confirmation), undefined);
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

describe("request()", () => {
  test("unsubscribing where there is nothing leaves nothing", () => {
    assert.equal(request(undefined, unsubscribing, NOW), undefined);
  });

  test("unsubscribing where the lease has ended leaves nothing", () => {
    assert.equal(request(active, unsubscribing, at(3600)), undefined);
  });

  test("a later request replaces an unverified one", () => {
    assert.equal(request(pending, renewing, NOW)?.intent?.token, "r");
    assert.equal(request(pending, unsubscribing, NOW)?.intent?.mode, "unsubscribe");
  });

  test("unsubscribing while a renewal is pending takes its place and keeps the lease", () => {
    const both = request(underRenewal, unsubscribing, NOW);
    assert.equal(both?.intent?.mode, "unsubscribe");
    assert.deepEqual(both?.lease, active?.lease);
  });
});

describe("confirm()", () => {
  test("the lease runs from the moment the verification was sent", () => {
    assert.deepEqual(
      confirm(pending, subscribing.intent, { ...confirmation, sentAt: at(5), now: at(9) })?.lease?.endsAt,
      at(3605),
    );
  });

  test("a renewal overrides secret and lease only once it is verified", () => {
    assert.equal(underRenewal?.lease, active?.lease);
    const renewed = confirm(underRenewal, renewing.intent, confirmation);
    assert.deepEqual(renewed?.lease, { secret: "new", endsAt: at(7200), failures: 0, dueAt: undefined });
    assert.equal(renewed?.intent, undefined);
  });

  test("a verified renewal without a secret takes the secret away", () => {
    const secret = confirm(pending, { ...subscribing.intent, secret: "s" }, confirmation);
    assert.equal(secret?.lease?.secret, "s");
    assert.equal(
      confirm(request(secret, subscribing, NOW), subscribing.intent, confirmation)?.lease?.secret,
      undefined,
    );
  });

  test("a topic that changed between request and activation is due at once", () => {
    assert.deepEqual(confirm(pending, subscribing.intent, { ...confirmation, newestTag: "B" })?.lease?.dueAt, at(1));
  });

  test("a request from before the first document is owed that document", () => {
    const early = asked("subscribe", { knownTag: "" });
    assert.deepEqual(confirm(early, early.intent, { ...confirmation, newestTag: undefined })?.lease?.dueAt, at(1));
  });

  test("a renewal is not owed what has already been delivered under its lease", () => {
    assert.equal(confirm(underRenewal, renewing.intent, { ...confirmation, newestTag: "B" })?.lease?.dueAt, undefined);
  });

  test("a renewal resets the failures, and an owed delivery is due at once", () => {
    const troubled = request(fail(active, { now: NOW, waitsSeconds: WAITS }), renewing, NOW);
    const { failures, dueAt } = confirm(troubled, renewing.intent, confirmation)?.lease ?? {};
    assert.deepEqual([failures, dueAt], [0, at(1)]);
  });

  test("a renewal verified after the lease had ended counts as new", () => {
    const late = { sentAt: at(3599), now: at(3601), newestTag: "B" };
    assert.deepEqual(confirm(underRenewal, renewing.intent, late)?.lease?.dueAt, at(3601));
  });

  test("an answer to an earlier request leaves the later one to be verified", () => {
    const both = request(pending, unsubscribing, NOW);
    const after = confirm(both, subscribing.intent, confirmation);
    assert.equal(after?.intent?.mode, "unsubscribe");
    assert.ok(after?.lease);
  });

  test("there is nothing to confirm once the subscription is gone", () => {
    assert.equal(confirm(undefined, subscribing.intent, confirmation), undefined);
  });
});

describe("reject()", () => {
  test("a renewal that fails leaves lease and secret as they were", () => {
    assert.deepEqual(reject(underRenewal, renewing.intent), active);
  });

  test("an unsubscription that fails leaves the subscription as it was", () => {
    assert.deepEqual(reject(leaving, unsubscribing.intent), active);
  });

  test("the rejection of an earlier request does not touch a later one", () => {
    assert.deepEqual(reject(request(pending, renewing, NOW), subscribing.intent)?.intent, renewing.intent);
  });
});

describe("leaveUnanswered()", () => {
  test("asks again after each wait, then gives up", () => {
    const waiting = { now: NOW, waitsSeconds: WAITS };
    const once = leaveUnanswered(pending, subscribing.intent, waiting);
    assert.deepEqual([once?.intent?.attempts, once?.intent?.dueAt], [1, at(60)]);
    const twice = leaveUnanswered(once, subscribing.intent, waiting);
    assert.deepEqual([twice?.intent?.attempts, twice?.intent?.dueAt], [2, at(600)]);
    assert.equal(leaveUnanswered(twice, subscribing.intent, waiting), undefined);
  });

  test("does not touch a later request", () => {
    const later = request(pending, renewing, NOW);
    assert.equal(leaveUnanswered(later, subscribing.intent, { now: NOW, waitsSeconds: WAITS }), later);
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

  test("the third failure while a renewal is pending takes the lease and leaves the renewal", () => {
    const renewed = request(fail(troubled, { now: NOW, waitsSeconds: WAITS }), renewing, NOW);
    assert.deepEqual(fail(renewed, { now: NOW, waitsSeconds: WAITS }), { ...PLACE, intent: renewing.intent });
  });

  test("an owed delivery does not count as a failure", () => {
    assert.deepEqual(owe(troubled, at(5))?.lease, { ...troubled?.lease, dueAt: at(5) });
  });

  test("a pending subscription can neither fail nor be owed a delivery", () => {
    assert.equal(fail(pending, { now: NOW, waitsSeconds: WAITS }), pending);
    assert.equal(owe(pending, NOW), pending);
    assert.equal(acknowledge(pending, undefined, NOW), pending);
  });

  test("endLease() leaves a pending intent", () => {
    assert.equal(endLease(active), undefined);
    assert.deepEqual(endLease(underRenewal), { ...PLACE, intent: renewing.intent });
  });

  test("holdBack() waits for an hour and no longer, and does not touch a lease or a later request", () => {
    assert.deepEqual(holdBack(pending, subscribing.intent, at(3600))?.intent?.dueAt, at(3600));
    assert.equal(holdBack(pending, subscribing.intent, at(3601)), undefined);
    assert.deepEqual(holdBack(underRenewal, renewing.intent, at(3601)), active);
    assert.equal(holdBack(underRenewal, subscribing.intent, at(3601)), underRenewal);
  });

  test("postpone() moves the intent it was given, and no later one", () => {
    assert.deepEqual(postpone(pending, subscribing.intent, at(5))?.intent?.dueAt, at(5));
    assert.equal(postpone(underRenewal, subscribing.intent, at(5)), underRenewal);
  });
});

test("after any events, a subscription has an intent or a lease, and at most two failures", () => {
  const intents = [subscribing, unsubscribing, renewing];
  const step = fc.record({
    kind: fc.integer({ min: 0, max: 8 }),
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
        const waiting = { now, waitsSeconds: WAITS };
        if (kind === 0) current = request(current, chosen, now);
        if (kind === 1) current = confirm(current, chosen.intent, { sentAt: now, now, newestTag: "A" });
        if (kind === 2) current = reject(current, chosen.intent);
        if (kind === 3) current = leaveUnanswered(current, chosen.intent, waiting);
        if (kind === 4) current = acknowledge(current, which === 0 ? "newest" : undefined, now);
        if (kind === 5) current = fail(current, waiting);
        if (kind === 6) current = owe(current, now);
        if (kind === 7) current = endLease(current);
        if (kind === 8) current = current && expire(current, now);
        if (current === undefined) continue;
        assert.ok(current.intent !== undefined || current.lease !== undefined);
        assert.ok((current.lease?.failures ?? 0) <= WAITS.length);
      }
    }),
  );
});
