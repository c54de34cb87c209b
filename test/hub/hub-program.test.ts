/** The hub of the whole program: an import reaches the subscriber, through a kill and a restart, as GET gives it. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run, type Served, serveProgram, temporaryFolder } from "../support/program.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE } from "../support/subscriber.ts";
import { until } from "../support/within.ts";

const TOPICS = ["/feed.xml", "/api/feed.json", "/reviews.json"];

test("an import is delivered to the subscribers of every topic, also after a kill and a change during the downtime", async (t) => {
  using folder = temporaryFolder();
  const authority = join(folder.path, "authority.pem");
  writeFileSync(authority, SUBSCRIBER_CERTIFICATE.certificate);
  const settings = {
    NODE_EXTRA_CA_CERTS: authority,
    HUB_ALLOW_CALLBACKS: "127.0.0.0/8",
    HUB_RETRY_SECONDS: "1,1",
    BASE_URL: "http://reviews.example",
  };
  const subscribers = await openSubscribers();
  let served: Served | undefined;
  t.after(async () => {
    await served?.kill();
    await subscribers.close();
  });

  async function importReview(id: number): Promise<void> {
    const file = join(folder.path, `${id}.csv`);
    writeFileSync(file, `id,author,rating,date,text,source\n${id},Ann,5,2026-01-0${id},Cold again,google\n`);
    const { code, stderr } = await run(folder.path, ["import", file], settings);
    assert.equal(code, 0, stderr);
  }

  /** Waits until the last notification of every topic is what GET gives. */
  async function untilTold(): Promise<void> {
    const newest = await Promise.all(
      TOPICS.map(async (topic) => {
        const response = await fetch(`${served?.url}${topic}`, { headers: { "Accept-Encoding": "identity" } });
        return { topic, body: Buffer.from(await response.arrayBuffer()), headers: response.headers };
      }),
    );
    const lastOf = (topic: string) => subscribers.deliveries(`/hear${topic}`).at(-1);
    const isTold = () => newest.every(({ topic, body }) => lastOf(topic)?.body.equals(body) === true);
    await subscribers.until(isTold, "every topic was told what GET gives");
    for (const { topic, body, headers } of newest) {
      const notification = lastOf(topic);
      assert.equal(notification?.headers["content-type"], headers.get("Content-Type"));
      assert.equal(notification?.headers.link, headers.get("Link"));
      const hmac = createHmac("sha256", "between us").update(body).digest("hex");
      assert.equal(notification?.headers["x-hub-signature"], `sha256=${hmac}`);
    }
  }

  /** Waits until every process of the program has published an edition with so many reviews. */
  async function untilPublished(count: number): Promise<void> {
    const isPublished = () => {
      const byProcess = Map.groupBy(served?.log ?? [], ({ pid }) => pid);
      return [...byProcess.values()].every((log) => log.some(({ reviews }) => reviews === count));
    };
    await until(isPublished);
  }

  await importReview(1);
  served = await serveProgram(folder.path, settings);
  for (const topic of TOPICS) {
    const form = {
      "hub.mode": "subscribe",
      "hub.topic": `http://reviews.example${topic}`,
      "hub.callback": `https://127.0.0.1:${subscribers.port}/hear${topic}?for=${topic}`,
      "hub.secret": "between us",
    };
    const response = await fetch(`${served.url}/api/websub/hub`, { method: "POST", body: new URLSearchParams(form) });
    assert.equal(response.status, 202);
  }
  await subscribers.until(() => subscribers.verifications().length === 3, "all topics were verified");
  await importReview(2);
  await untilPublished(2);
  await untilTold();

  await served.kill();
  const told = subscribers.deliveries().length;
  await importReview(3);
  served = await serveProgram(folder.path, settings);
  await untilTold();
  assert.equal(subscribers.deliveries().length, told + 3, "each topic once");

  const { stdout } = await run(folder.path, ["subscriptions", "--json"], settings);
  const lines = JSON.parse(stdout) as { topic: string; state: string; callback_host: string; failures: number }[];
  assert.deepEqual(lines.map(({ topic }) => topic).toSorted(), TOPICS.toSorted());
  for (const { state, callback_host, failures } of lines) {
    assert.deepEqual([state, callback_host, failures], ["active", `127.0.0.1:${subscribers.port}`, 0]);
  }
  assert.ok(!stdout.includes("hear"), "the callback's path is a secret");
  assert.equal(await served.stop(), 0);
});
