/** Suites of one business, asked of one site among three (`test/support/among-sites.ts`): the same tests, on each engine. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

const SUITES: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  ["SQLite", {}, ["read/interface"]],
  ["PostgreSQL", { GOODWORD_TEST_REPLICAS: "1" }, ["mcp/mcp-wire"]],
];

for (const [engine, settings, suites] of SUITES) {
  test(`${suites.join(", ")} pass for one site among others: ${engine}`, async () => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const files = suites.map((name) => join(import.meta.dirname, "..", `${name}.test.ts`));
    const child = spawn(process.execPath, ["--test", "--test-concurrency=2", ...files], {
      env: { ...env, ...settings, GOODWORD_TEST_SITES: "3" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
    assert.equal(child.exitCode, 0, said);
  });
}
