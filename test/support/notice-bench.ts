/** A store whose owner is told what is new, at addresses on loopback, and a notifier whose clock stands still. */
import assert from "node:assert/strict";
import { setDefaultCACertificates } from "node:tls";
import { sourceNaming } from "../../src/follow/shown-source.ts";
import type { NoticeMessage } from "../../src/notices/notice-message.ts";
import { addressNaming, openNoticeSender } from "../../src/notices/notice-sender.ts";
import { type NoticeEvent, type NotifierParts, openNotifier } from "../../src/notices/notifier.ts";
import { openTroubleWatch } from "../../src/notices/trouble.ts";
import { readDigest } from "../../src/publication/store-digest.ts";
import { openClaims } from "../../src/store/claims.ts";
import { openStore } from "../../src/store/store.ts";
import { openSandbox } from "./import-sandbox.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE } from "./subscriber.ts";

const SECRET = Buffer.from("secret of the store");
export const START = new Date("2026-11-21T12:00:00Z");

interface BenchParts {
  readonly url: string;
  /** The members of each entry besides `to`, which ends with its key, as YAML. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly business?: string;
  readonly freeBytes?: () => number;
  readonly notifier?: Partial<NotifierParts>;
}

export async function openNoticeBench({ url, addresses, business = "", ...parts }: BenchParts) {
  setDefaultCACertificates([SUBSCRIBER_CERTIFICATE.certificate]);
  const receivers = await openSubscribers();
  const box = await openSandbox(url);
  const origin = `https://localhost:${receivers.port}`;
  const lines = Object.entries(addresses).map(
    ([path, rest]) => `  - { to: "${origin}/${path}"${rest === "" ? "" : `, ${rest}`} }`,
  );
  const yaml = `name: Northside Cooling\ntime_zone: America/Chicago\n${business}notices:\n${lines.join("\n")}\n`;
  let [time, passedMs] = [START.getTime(), 0];
  const now = () => new Date(time);

  function open(others: Partial<NotifierParts> = {}, store = box.store) {
    const events: NoticeEvent[] = [];
    const claims = openClaims(store);
    const nameOfSource = sourceNaming(SECRET);
    const watch = { store, databaseUrl: "sqlite:/nowhere/goodword.db", nameOfSource, now };
    const notifier = openNotifier({
      ...{ store, claims, now, baseUrl: "https://reviews.example.com" },
      sender: openNoticeSender({
        ...{ allowedAddresses: ["127.0.0.0/8", "::1"], mail: undefined, now },
        keySetting: (name) => (name === "KEY_NOTICES" ? "the key" : undefined),
      }),
      nameOf: addressNaming(SECRET),
      troubles: openTroubleWatch({ ...watch, readFreeBytes: async () => parts.freeBytes?.() ?? 1e12 }),
      async digest(cadence, at) {
        const digest = await readDigest(store, { cadence, now: at, baseUrl: "https://reviews.example.com" });
        return digest ?? assert.fail("The store is empty");
      },
      servedRevision: () => Number.POSITIVE_INFINITY,
      log: (event) => events.push(event),
      clock: () => passedMs,
      ...parts.notifier,
      ...others,
    });
    return {
      events,
      notifier,
      async [Symbol.asyncDispose]() {
        await notifier.close(0);
        await claims.close();
      },
    };
  }

  const own = open();
  return {
    ...{ receivers, box, origin, yaml, now, open, ...own },
    /** Imports rows of a CSV with the columns id, rating, date and text, and whatever else is given. */
    async take(rows: readonly string[], options: Parameters<typeof box.take>[1] = {}) {
      const file = box.write("reviews.csv", `id,rating,date,text,source\n${rows.join("\n")}\n`);
      return await box.take(file, { now: now(), ...options });
    },
    /** Imports the business file. */
    describe: async (text = yaml) => await box.take(box.write("business.yaml", text), { now: now() }),
    /** The messages that an address got, as JSON. */
    messages: (path: string): NoticeMessage[] =>
      receivers.deliveries(`/${path}`).map(({ body }) => JSON.parse(body.toString()) as NoticeMessage),
    /** Lets time pass. */
    pass(seconds: number) {
      time += seconds * 1000;
      passedMs += seconds * 1000;
    },
    /** Another connection to the store, as another process has it. */
    another: async () => await openStore(url),
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await receivers.close();
      await box[Symbol.asyncDispose]();
    },
  };
}
