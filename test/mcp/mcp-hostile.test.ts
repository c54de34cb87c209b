/** Thousands of bodies of every kind: each gets an answer of the protocol, the program lives, its memory stays flat. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { residentMb } from "../../bench/processor.ts";
import { mcpDoor } from "../../qa/fuzz/network-doors.ts";
import fc from "../support/properties.ts";
import { program } from "../support/served-sample.ts";
import { IS_WHOLE } from "../support/test-runs.ts";

const BODIES = IS_WHOLE ? 2_000 : 800;
/** The bodies after which the memory is measured first: by then the program has met every path. */
const WARM = 0.75 * BODIES;
const MAX_GROWTH_MB = 48;

test(`${BODIES} hostile bodies get the protocol's errors and the program lives, its memory flat`, {
  timeout: 500_000,
}, async () => {
  const { property } = await mcpDoor(program);
  const memoryAfter = async (numRuns: number) => {
    await fc.assert(property, { numRuns });
    return process.platform === "linux" ? residentMb(Number(program.process.pid)) : 0;
  };
  const warm = await memoryAfter(WARM);
  const growth = (await memoryAfter(BODIES - WARM)) - warm;
  assert.ok(growth < MAX_GROWTH_MB, `the program grew by ${growth} MB`);
  assert.equal(program.process.exitCode, null);
  assert.deepEqual(
    program.log.filter(({ level }) => Number(level) >= 50),
    [],
    "no fault in the log",
  );
});
