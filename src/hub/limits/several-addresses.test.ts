/** Hosts that share two addresses, one of which is unreachable, such as IPv6 for a machine without it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { makeHostLimiter, type Outcome } from "./host-limiter.ts";
import { HUB_LIMITS, makeBreakers } from "./hub-limits.ts";

const HOSTS = 25;
const DELIVERIES_OF_HOST = 12;
const MAX_STARTS = 10 * HOSTS * DELIVERIES_OF_HOST;
const [REACHABLE, UNREACHABLE] = ["203.0.113.7", "2001:db8::7"];

/** Delivers to all hosts, over idle connections where there are some; resolves when all are served. No tick helps. */
async function fanOut(siteOf: (host: number) => string): Promise<void> {
  const clock = () => 0;
  const limiter = makeHostLimiter(HUB_LIMITS, makeBreakers(HUB_LIMITS, clock), clock);
  const idle: string[] = [];
  let starts = 0;
  async function deliver(host: number): Promise<void> {
    const origin = `https://h${host}.example`;
    await limiter.enter({
      ...{ id: origin, origin, site: siteOf(host) },
      async run(gate): Promise<Outcome> {
        assert.ok(starts++ < MAX_STARTS, "hosts wake each other without end");
        const index = idle.indexOf(origin);
        if (index === -1) await setImmediate(); // its name is resolved
        if (gate.claim(REACHABLE)) {
          if (index !== -1) idle.splice(index, 1);
          for (let turn = 0; turn < (index === -1 ? 10 : 2); turn++) await setImmediate();
          idle.push(origin);
          return "good";
        }
        if (index === -1 && gate.claim(UNREACHABLE)) await setImmediate();
        return "busy";
      },
    }).end;
  }
  let served = 0;
  const ends = Array.from({ length: HOSTS * DELIVERIES_OF_HOST }, (_, index) =>
    deliver(index % HOSTS).then(() => served++),
  );
  const all = Promise.all(ends);
  for (let turn = 0; turn < MAX_STARTS && served < ends.length; turn++) await Promise.race([all, setImmediate()]);
  assert.equal(served, HOSTS * DELIVERIES_OF_HOST, "the others wait for a tick");
}

test("an unreachable address delays no delivery to hosts that have another one", async () => {
  await fanOut((host) => `h${host}.example`);
  await fanOut(() => "example");
});
