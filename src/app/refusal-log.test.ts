import assert from "node:assert/strict";
import { test } from "node:test";
import { openRefusalLog } from "./refusal-log.ts";

/** A log whose minutes end when they are told to. */
function openBench() {
  const lines: string[] = [];
  const minutes: (() => void)[] = [];
  const log = openRefusalLog((count) => lines.push(`${count} left out`), {
    after: (_milliseconds, work) => minutes.push(work),
  });
  return { log, lines, minutes, refuse: (client: string) => log.add(client, () => lines.push(client)) };
}

test("openRefusalLog() writes some lines of a client in a minute, and says how many it left out", () => {
  const { lines, minutes, refuse } = openBench();
  for (let index = 0; index < 301; index += 1) refuse("a");
  refuse("b");
  assert.equal(lines.filter((line) => line === "a").length, 10);
  assert.equal(lines.at(-1), "b");
  assert.equal(minutes.length, 1);
  minutes[0]?.();
  assert.equal(lines.at(-1), "291 left out");
  refuse("a");
  assert.equal(lines.at(-1), "a");
  minutes[1]?.();
  assert.equal(lines.at(-1), "a", "nothing was left out");
});

test("openRefusalLog() bounds the lines of all clients, and does not remember more clients than lines", () => {
  const { log, lines, refuse } = openBench();
  for (let client = 0; client < 5_000; client += 1) refuse(String(client));
  assert.equal(lines.length, 100);
  log.end();
  assert.equal(lines.at(-1), "4900 left out");
});

test("openRefusalLog() does not end a minute twice", () => {
  const { log, lines, minutes, refuse } = openBench();
  refuse("a");
  log.end();
  for (let index = 0; index < 20; index += 1) refuse("a");
  minutes[0]?.();
  assert.equal(lines.at(-1), "a", "the minute that began after the end goes on");
  minutes[1]?.();
  assert.equal(lines.at(-1), "10 left out");
});
