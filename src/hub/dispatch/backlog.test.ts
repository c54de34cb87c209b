import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { HostLimiter, Ticket } from "../limits/host-limiter.ts";
import { firstOfEach, MAX_QUEUED, MAX_ROWS, trimBacklog } from "./backlog.ts";

/** Work that its host delays for `delayMs` milliseconds. */
interface TestWork {
  readonly ticket: Ticket;
  readonly delayMs: number;
}

const limiter = { delayMs: (ticket: Ticket) => (ticket as Ticket & { delayMs: number }).delayMs } as HostLimiter;

function work(count: number, delayMs: number, begunAt?: number): TestWork[] {
  const ticket = { end: Promise.resolve("done" as const), begunAt, delayMs };
  return Array.from({ length: count }, () => ({ ticket, delayMs }));
}

describe("trimBacklog()", () => {
  test("stops reading while enough work can begin; work that its host delays does not count", async () => {
    const never = () => assert.fail("nothing is put off");
    assert.equal(await trimBacklog(work(MAX_ROWS, 0), limiter, never), undefined);
    assert.deepEqual(await trimBacklog(work(MAX_ROWS - 1, 0), limiter, never), []);
    const delayed = await trimBacklog([...work(5, 0), ...work(MAX_ROWS + 10, 500)], limiter, never);
    assert.equal(delayed?.length, MAX_ROWS + 10);
  });

  test("puts off work that its host delays and that has not begun, once the backlog is full", async () => {
    const putOff: TestWork[] = [];
    const queued = [...work(10, 0), ...work(20, 500, 1), ...work(MAX_QUEUED - 30, 500)];
    await trimBacklog(queued, limiter, async (each) => putOff.push(each));
    assert.equal(putOff.length, MAX_QUEUED - 30);
    assert.ok(putOff.every(({ ticket, delayMs }) => delayMs > 0 && ticket.begunAt === undefined));
  });
});

test("firstOfEach() takes some of each party, in order", () => {
  const rows = [..."ab", ...Array.from({ length: 300 }, () => "a"), "c"].map((party, index) => ({ party, index }));
  const taken = firstOfEach(rows, ({ party }) => party);
  assert.deepEqual(
    ["a", "b", "c"].map((party) => taken.filter((row) => row.party === party).length),
    [128, 1, 1],
  );
  assert.equal(taken[0]?.index, 0);
});
