import assert from "node:assert/strict";
import { test } from "node:test";
import { setDefaultCACertificates } from "node:tls";
import { type Behaviour, openSubscribers, SUBSCRIBER_CERTIFICATE } from "../../test/support/subscriber.ts";
import { type NoticeAddress, UNNAMED_BUSINESS } from "../business.ts";
import { aggregateRatingOf } from "../edition/aggregate-rating.ts";
import { composeSentence } from "./notice-message.ts";
import { openNoticeSender } from "./notice-sender.ts";

const NOTICE = composeSentence(
  {
    ...{ id: "d48c50d1-6155-44c9-93f0-6c901fdfb0ef", at: "2026-11-27T02:36:08.979Z", business: UNNAMED_BUSINESS },
    ...{ base_url: "https://reviews.example.com", aggregate_rating: aggregateRatingOf(new Map()) },
  },
  { type: "test", what: "a test", isUrgent: false },
);

/** Answers and goes on for ever, as fast as it is read. */
const endless: Behaviour = (_, response) => {
  response.writeHead(200);
  const write = () => void (response.destroyed || (response.write(Buffer.alloc(65_536)) && setImmediate(write)));
  response.on("drain", write);
  write();
};

const CASES: readonly (readonly [what: string, timeoutMs: number, Behaviour, isAccepted: boolean, outcome: RegExp])[] =
  [
    ["never answers", 200, () => undefined, false, /in time|within/],
    ["answers without end", 60_000, endless, true, /^It answered 200$/],
    ["leads elsewhere", 60_000, (_, to) => to.writeHead(307, { Location: "/b" }).end(), false, /^It answered 307$/],
  ];

test("an address gets so much time and no more, its answer is read to 4 KB, and it leads nowhere else", async (t) => {
  setDefaultCACertificates([SUBSCRIBER_CERTIFICATE.certificate]);
  const receivers = await openSubscribers();
  t.after(receivers.close);
  const address: NoticeAddress = { to: `https://localhost:${receivers.port}/a`, when: [], format: "json" };
  for (const [what, timeoutMs, behaviour, isAccepted, outcome] of CASES) {
    receivers.behave("/a", behaviour);
    const allowed = { allowedAddresses: ["127.0.0.0/8", "::1"], mail: undefined, keySetting: () => undefined };
    const sender = openNoticeSender({ ...allowed, now: () => new Date(), timeoutMs });
    const sent = await sender.send(address, NOTICE, new AbortController().signal);
    await sender.close();
    assert.equal(sent.isAccepted, isAccepted, what);
    assert.match(sent.outcome, outcome, what);
  }
  assert.equal(receivers.deliveries("/b").length, 0);
});
