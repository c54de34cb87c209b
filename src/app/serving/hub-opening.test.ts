import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { openHubLog } from "./hub-opening.ts";

test("openHubLog() thins the refusals of one client, says how many it left out, and logs those of another", () => {
  const lines: string[] = [];
  const log = openHubLog(pino({}, { write: (line) => lines.push(line) }));
  const refuse = (client: string) => log.write({ event: "request refused", host: "a.example", reason: "No" }, client);
  for (let index = 0; index < 301; index += 1) refuse("203.0.113.7");
  refuse("198.51.100.9");
  assert.equal(lines.length, 11);
  for (const line of lines) assert.ok(!line.includes("203.0.113.7") && line.length < 1_000);
  log.end();
  assert.deepEqual([lines.length, JSON.parse(lines.at(-1) ?? "").left_out], [12, 291]);
});

test("openHubLog() thins verifications that fail by the host of the callback, and nothing else", () => {
  const lines: string[] = [];
  const log = openHubLog(pino({}, { write: (line) => lines.push(line) }));
  for (const event of ["verification refused", "verification unanswered", "delivery failed"] as const)
    for (let index = 0; index < 50; index += 1) log.write({ event, host: "a.example" });
  assert.equal(lines.length, 10 + 10 + 50);
});
