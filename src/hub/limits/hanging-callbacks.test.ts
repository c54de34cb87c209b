/** Sixty callbacks at a shared address that never answer, as a stranger may register them (decisions/hub-limits.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { makeHostLimiter, type Outcome } from "./host-limiter.ts";
import { HUB_LIMITS, makeBreakers } from "./hub-limits.ts";

const SHARED = "203.0.113.7";
const HANGING = 60;
const TIMEOUT_MS = 10_000;

/** A hub's limiter with its true limits under a clock of the test, and deliveries to the shared address. */
function openScene() {
  let ms = 0;
  const clock = () => ms;
  const running = new Map<() => void, number>();
  const limiter = makeHostLimiter(HUB_LIMITS, makeBreakers(HUB_LIMITS, clock), clock);
  /**
   * Delivers to a host that answers after `answersAfterMs`, or verifies for a client; resolves to how long it waited, or
   * undefined if paused.
   */
  async function deliver(
    host: string,
    answersAfterMs: number,
    { address = SHARED, client }: { readonly address?: string; readonly client?: string } = {},
  ): Promise<number | undefined> {
    const enteredAt = ms;
    let waitedMs: number | undefined;
    const site = host.split(".").slice(-2).join(".");
    await limiter.enter({
      ...{ id: host, origin: `https://${host}`, site, ...(client !== undefined && { client }) },
      async run(gate): Promise<Outcome> {
        if (gate.isPaused(address)) return undefined;
        if (!gate.claim(address)) return "busy";
        waitedMs = ms - enteredAt;
        const isHanging = answersAfterMs >= TIMEOUT_MS;
        const { promise, resolve } = Promise.withResolvers<Outcome>();
        running.set(() => resolve(isHanging ? "bad" : "good"), ms + Math.min(answersAfterMs, TIMEOUT_MS));
        return await promise;
      },
    }).end;
    return waitedMs;
  }
  async function pass(seconds: number): Promise<void> {
    for (let half = 0; half < seconds * 2; half += 1) {
      ms += 500;
      limiter.tick();
      for (const [end, endsAt] of running) {
        if (endsAt > ms) continue;
        running.delete(end);
        end();
      }
      for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    }
  }
  /** Lets a hanging host be tried again and again: each attempt hangs until the time-out. */
  function keepHanging(host: string): void {
    void deliver(host, TIMEOUT_MS).then((waited) => waited !== undefined && keepHanging(host));
  }
  return { deliver, pass, keepHanging };
}

test("sixty hanging callbacks of one site hold up no delivery of others to their address", async () => {
  const { deliver, pass, keepHanging } = openScene();
  const first = deliver("www.honest.example", 50);
  await pass(1);
  await first;
  for (let index = 0; index < HANGING; index++) keepHanging(`h${index}.stranger.example`);
  await pass(25);
  const proven = deliver("www.honest.example", 50);
  const newcomer = deliver("www.newcomer.example", 50);
  await pass(5);
  assert.ok(Number(await proven) < 1_000, `a host that has acknowledged waited ${await proven} ms`);
  assert.ok(Number(await newcomer) < 1_000, `a host that is new waited ${await newcomer} ms`);
});

test("sixty hanging callbacks of sixty sites delay a new host by their time-outs once, and never a proven one", async () => {
  const { deliver, pass, keepHanging } = openScene();
  const first = deliver("www.honest.example", 50);
  await pass(1);
  await first;
  for (let index = 0; index < HANGING; index++) keepHanging(`www.stranger${index}.example`);
  await pass(1);
  const newcomer = deliver("www.newcomer.example", 50);
  const waits: Promise<number | undefined>[] = [];
  for (let change = 0; change < 20; change++) {
    waits.push(deliver("www.honest.example", 50));
    await pass(12);
  }
  for (const wait of waits)
    assert.ok(Number(await wait) < 1_000, `a host that has acknowledged waited ${await wait} ms`);
  const once = (HANGING / 3) * TIMEOUT_MS;
  assert.ok(Number(await newcomer) <= once + TIMEOUT_MS, `a host that is new waited ${await newcomer} ms`);
  const next = deliver("www.newcomer.example", 50);
  await pass(2);
  assert.ok(Number(await next) < 1_000, `and after its first acknowledgement ${await next} ms`);
});

test("a client's thousand requests for hanging callbacks at as many addresses hold up nobody else", async () => {
  const { deliver, pass } = openScene();
  for (let index = 0; index < 1000; index++) {
    const address = `198.51.${index >> 8}.${index & 255}`;
    void deliver(`h${index}.example`, TIMEOUT_MS, { address, client: "a stranger" });
  }
  await pass(3);
  const delivered = deliver("www.honest.example", 50, { address: "203.0.113.8" });
  const verified = deliver("www.newcomer.example", 50, { address: "203.0.113.9", client: "another" });
  await pass(2);
  assert.ok(Number(await delivered) < 1_000, `a delivery waited ${await delivered} ms`);
  assert.ok(Number(await verified) < 1_000, `another client's verification waited ${await verified} ms`);
});

test("hanging verifications of any number of clients hold up no delivery", async () => {
  const { deliver, pass } = openScene();
  for (let index = 0; index < 1000; index++) {
    const address = `198.51.${index >> 8}.${index & 255}`;
    void deliver(`h${index}.example`, TIMEOUT_MS, { address, client: `stranger ${index}` });
  }
  await pass(3);
  const delivered = deliver("www.honest.example", 50, { address: "203.0.113.8" });
  await pass(1);
  assert.ok(Number(await delivered) < 1_000, `a delivery waited ${await delivered} ms`);
  const verified = deliver("www.newcomer.example", 50, { address: "203.0.113.9", client: "another" });
  await pass(90);
  assert.ok(Number(await verified) <= 80_000, `all of them are asked in turn, after ${await verified} ms`);
});
