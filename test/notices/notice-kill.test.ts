/**
 * A process that sends the owner's messages and is killed again and again, at any moment, with a second process beside it:
 * every change is told to every address, and hardly one twice. GOODWORD_KILLS=200 kills as often as the promise is about,
 * in lives of some seconds; GOODWORD_SEED repeats what an earlier run did.
 */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { NoticeMessage } from "../../src/notices/notice-message.ts";
import { ENGINES, releaseEngines } from "../support/engines.ts";
import { openSandbox } from "../support/import-sandbox.ts";
import { temporaryFolder } from "../support/program.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE } from "../support/subscriber.ts";
import { until } from "../support/within.ts";

releaseEngines();

const SEED = Number(process.env.GOODWORD_SEED ?? randomInt(2 ** 31));
const KILLS = Number(process.env.GOODWORD_KILLS ?? 1);
/** Many kills come at any moment of lives of some seconds; a few as soon as some messages have arrived. */
const ARE_MANY = KILLS >= 20;
const CHANGES = ARE_MANY ? 10 : 4;
/** Long enough that no change waits for the store's lock with which the message before is recorded. */
const MAX_PAUSE_MS = 2_000;
const PATHS = ["a", "b", "c"];

for (const engine of ENGINES.filter(({ name }) => name === (process.env.GOODWORD_TEST_ENGINE ?? name))) {
  test(`${KILLS} kills lose no message and repeat hardly one: ${engine.name}`, async (t) => {
    t.diagnostic(`GOODWORD_SEED=${SEED} repeats this run`);
    const random = seededRandom(SEED);
    using folder = temporaryFolder();
    const certificates = join(folder.path, "authority.pem");
    writeFileSync(certificates, SUBSCRIBER_CERTIFICATE.certificate);
    const url = engine.name === "SQLite" ? `sqlite:${join(folder.path, "goodword.db")}` : await engine.url();
    await using box = await openSandbox(url);
    const receivers = await openSubscribers();
    const processes = new Set<ChildProcess>();
    t.after(async () => {
      for (const each of processes) each.kill("SIGKILL");
      await receivers.close();
    });

    async function start(): Promise<ChildProcess> {
      const child = fork(join(import.meta.dirname, "..", "support", "notice-process.ts"), [url], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: certificates },
      });
      processes.add(child);
      await once(child, "message");
      return child;
    }

    async function kill(child: ChildProcess): Promise<void> {
      child.kill("SIGKILL");
      processes.delete(child);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }

    const to = (path: string) => `  - { to: "https://localhost:${receivers.port}/${path}" }`;
    const yaml = `name: N\ntime_zone: UTC\nnotices:\n${PATHS.map(to).join("\n")}\n`;
    await box.take(box.write("business.yaml", yaml));
    let number = 0;
    /** One change of the store: one review more. */
    async function change(): Promise<void> {
      number++;
      const csv = `id,author,rating,date,text,source\n${number},A,5,2026-01-02,number ${number},google\n`;
      await box.take(box.write("reviews.csv", csv), { now: new Date() });
    }

    /** Waits for some messages more. */
    async function arrivals(more: number): Promise<void> {
      const wanted = receivers.arrivals.length + more;
      await receivers.until(() => receivers.arrivals.length >= wanted, "messages arrive");
    }

    await change(); // the first import quotes nothing
    let survivor = await start();
    for (let killed = 0; killed < KILLS; killed++) {
      const victim = survivor;
      survivor = await start(); // it waits for the claim
      const end = Math.floor(random() * CHANGES);
      for (let at = 0; at < CHANGES; at++) {
        await change();
        if (ARE_MANY) await sleep(random() * MAX_PAUSE_MS);
        else await arrivals(Math.floor(random() * PATHS.length));
        if (at === end) await kill(victim);
      }
    }

    const messages = (path: string) =>
      receivers.deliveries(`/${path}`).map(({ body }) => JSON.parse(body.toString()) as NoticeMessage);
    const told = (path: string) =>
      new Set(messages(path).map(({ added, id }) => (added[0] === undefined ? id : String(added[0].text))));
    await receivers.until(() => PATHS.every((path) => told(path).size === number), "every change is told everywhere");
    const { database } = box.store;
    await until(async () => (await database.selectFrom("notice").select("id").execute()).length === 0);

    let [sent, repeated] = [0, 0];
    for (const path of PATHS) {
      const ids = messages(path).map(({ id }) => id);
      sent += ids.length;
      repeated += ids.length - new Set(ids).size;
      assert.equal(new Set(ids).size, number, "a repeated message has its id");
    }
    const allowed = ARE_MANY ? sent / 1000 : KILLS * PATHS.length;
    assert.ok(repeated <= allowed, `${repeated} of ${sent} messages were sent twice`);
    t.diagnostic(`${KILLS} kills, ${number} changes, ${sent} messages, ${repeated} of them twice`);
  });
}
