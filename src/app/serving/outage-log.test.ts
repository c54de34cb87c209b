import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOutageLog } from "./outage-log.ts";

test("an outage is told once a minute, with its length, and its end once", () => {
  const told: [string, unknown][] = [];
  let time = 5_000;
  const say = (level: string) => (fields: { seconds?: number }) => void told.push([level, fields.seconds]);
  const outage = makeOutageLog({ error: say("error"), info: say("info") } as never, () => time);
  outage.recordRecovery();
  for (let second = 0; second < 130; second++) {
    outage.recordFailure(new Error("connect ECONNREFUSED"));
    time += 1_000;
  }
  outage.recordRecovery();
  outage.recordRecovery();
  outage.recordFailure(new Error("connect ECONNREFUSED"));
  assert.deepEqual(told, [
    ["error", 0],
    ["error", 60],
    ["error", 120],
    ["info", 130],
    ["error", 0],
  ]);
});
