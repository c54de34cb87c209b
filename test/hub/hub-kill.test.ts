/**
 * A hub that is killed again and again, at any moment: what it has accepted is verified, whoever is subscribed has the
 * newest content in the end, and what is sent twice is little. GOODWORD_SLOW=1 kills it 60 times, GOODWORD_KILLS=n
 * as often as wanted, GOODWORD_SEED=n
 * does what an earlier run did.
 */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { HubEvent } from "../../src/hub/dispatch/hub-event.ts";
import { openStore, raiseRevision, readRevision } from "../../src/store/store.ts";
import { listSubscriptions } from "../../src/store/subscription-rows.ts";
import { chosenStoreUrl } from "../support/engines.ts";
import { temporaryFolder } from "../support/program.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { answer, openSubscribers, queryOf, SUBSCRIBER_CERTIFICATE } from "../support/subscriber.ts";

const SEED = Number(process.env.GOODWORD_SEED ?? randomInt(2 ** 31));
const KILLS = Number(process.env.GOODWORD_KILLS ?? (process.env.GOODWORD_SLOW === "1" ? 60 : 3));
const BASE_URL = "http://localhost:8080";
const TOPIC = "/feed.xml";

/** Starts a process with a hub on the store. */
async function startHub(url: string, certificateFile: string, onEvent: (event: HubEvent) => void) {
  const child = fork(join(import.meta.dirname, "..", "support", "hub-process.ts"), [url, BASE_URL], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile },
  });
  child.on("message", onEvent);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { process: child, port };
}

test(`a hub killed ${KILLS} times loses nothing`, async (t) => {
  t.diagnostic(`GOODWORD_SEED=${SEED} repeats this run`);
  const random = seededRandom(SEED);
  using folder = temporaryFolder();
  const certificateFile = join(folder.path, "authority.pem");
  writeFileSync(certificateFile, SUBSCRIBER_CERTIFICATE.certificate);
  const url = await chosenStoreUrl(folder.path);
  const store = await openStore(url);
  const subscribers = await openSubscribers();
  let hub: { process: ChildProcess; port: number } | undefined;
  const faults: HubEvent[] = [];
  t.after(async () => {
    hub?.process.kill("SIGKILL");
    await subscribers.close();
    await store.close();
  });

  async function start(): Promise<void> {
    hub = await startHub(url, certificateFile, (message) => {
      if (message.event === "fault") faults.push(message);
    });
  }

  /** Asks the hub; gives whether it accepted. A hub that was killed meanwhile may or may not have. */
  async function ask(mode: string, path: string): Promise<"accepted" | "unknown"> {
    const host = `h${path.length * 7 + path.charCodeAt(path.length - 1)}.test.localhost`;
    const form = {
      "hub.mode": mode,
      "hub.topic": BASE_URL + TOPIC,
      "hub.callback": `https://${host}:${subscribers.port}${path}`,
    };
    try {
      const body = new URLSearchParams(form);
      const { status } = await fetch(`http://127.0.0.1:${hub?.port}/`, {
        method: "POST",
        body,
        signal: AbortSignal.timeout(120_000),
      });
      assert.equal(status, 202);
      return "accepted";
    } catch {
      return "unknown";
    }
  }

  /** What each callback wants, if we know that the hub has accepted it. */
  const wanted = new Map<string, "subscribe" | "unsubscribe" | "unknown">();
  let paths = 0;

  async function change(): Promise<void> {
    await store.database.transaction().execute((transaction) => raiseRevision(transaction, new Date()));
  }

  /** Changes the content, or has somebody subscribe, renew or unsubscribe. */
  async function disturb(): Promise<void> {
    const dice = random();
    if (dice < 0.35) return await change();
    const known = [...wanted.keys()];
    const path = dice < 0.8 || known.length === 0 ? `/s${paths++}` : (known[Math.floor(random() * known.length)] ?? "");
    const mode = dice < 0.9 ? "subscribe" : "unsubscribe";
    if (!wanted.has(path)) {
      const delayMs = random() * 20;
      subscribers.behave(path, (arrival, response) => void setTimeout(() => answer(arrival, response), delayMs));
    }
    wanted.set(path, "unknown");
    wanted.set(path, (await ask(mode, path)) === "accepted" ? mode : "unknown");
  }

  // When a kill comes is told by what has happened, not by the clock: so it hits the same work on every machine.
  for (let kill = 0; kill < KILLS; kill++) {
    await start();
    for (let left = 3 + random() * 20; left > 0; left--) await disturb();
    if (random() < 0.7) {
      const arrived = subscribers.arrivals.length;
      const wait = Math.floor(random() * 10);
      await change();
      if (wanted.size > 10)
        await subscribers.until(() => subscribers.arrivals.length >= arrived + wait, "work is done");
    }
    const last = disturb();
    hub?.process.kill("SIGKILL");
    await last;
  }

  // A last change while nobody is there to tell of it: everybody has to be told.
  await store.database.transaction().execute((transaction) => raiseRevision(transaction, new Date()));
  await start();
  const { number } = await readRevision(store.database);
  const newestOf = (path: string) => {
    const last = subscribers.deliveries(path).at(-1)?.body.toString().split(" ")[1];
    return last === undefined ? undefined : Number(last);
  };
  const active = async () => {
    const lines = await store.database
      .selectFrom("subscription")
      .select("callback")
      .where("lease_ends_at", "is not", null)
      .execute();
    return new Set(lines.map(({ callback }) => new URL(callback).pathname));
  };
  const settled = async () => {
    if ((await listSubscriptions(store, new Date())).some(({ state }) => state !== "active")) return false;
    const rows = await store.database
      .selectFrom("fan_out")
      .select("finished")
      .where((where) => where.or([where("finished", "=", 0), where("revision", "<", number)]))
      .execute();
    const owed = await store.database.selectFrom("subscription").select("id").where("due_at", "is not", null).execute();
    return rows.length === 0 && owed.length === 0;
  };
  for (const endsAt = Date.now() + 90_000; !(await settled()); ) {
    assert.ok(Date.now() < endsAt, "everything settles within 90 seconds");
    await sleep(50);
  }

  const subscribed = await active();
  for (const [path, mode] of wanted) {
    const modes = subscribers.verifications(path).map(({ target }) => queryOf(target).get("hub.mode"));
    if (mode === "subscribe") assert.ok(subscribed.has(path) && modes.at(-1) === "subscribe", `${path} is subscribed`);
    if (mode === "unsubscribe") assert.ok(!subscribed.has(path), `${path} is not subscribed any more`);
  }
  let sent = 0;
  let twice = 0;
  for (const path of wanted.keys()) {
    const revisions = subscribers.deliveries(path).map(({ body }) => Number(body.toString().split(" ")[1]));
    sent += revisions.length;
    twice += revisions.length - new Set(revisions).size;
    // Who subscribed after the last change has read the newest, and was told of nothing.
    if (subscribed.has(path) && revisions.length > 0)
      assert.equal(newestOf(path), number, `${path} has the newest: ${revisions}`);
    assert.deepEqual(
      revisions,
      revisions.toSorted((one, other) => one - other),
      `${path} never gets the older after the newer`,
    );
  }
  assert.ok(subscribed.size > KILLS / 2 && sent > KILLS, "there was something to lose");
  assert.ok(twice <= Math.max(20, sent * 0.3), `${twice} of ${sent} were sent twice`);
  if (url.startsWith("sqlite:")) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(store.database);
    assert.deepEqual(
      rows.map(({ integrity_check }) => integrity_check),
      ["ok"],
    );
  }
  assert.deepEqual(faults, []);
  t.diagnostic(
    `${KILLS} kills, seed ${SEED}, ${wanted.size} callbacks, ${subscribed.size} active, ${sent} notifications, ${twice} twice, revision ${number}`,
  );
});
