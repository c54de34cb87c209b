/** Suites of one business, asked of one site among three (`test/support/among-sites.ts`): the same tests. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { skipRound } from "../support/test-runs.ts";

const SUITES: readonly {
  readonly engine: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly suites: readonly string[];
  readonly skip: string | false;
}[] = [
  { engine: "SQLite", settings: {}, suites: ["read/interface"], skip: false },
  { engine: "PostgreSQL", settings: { GOODWORD_TEST_REPLICAS: "1" }, suites: ["mcp/mcp-wire"], skip: skipRound },
];

for (const { engine, settings, suites, skip } of SUITES) {
  test(`${suites.join(", ")} pass for one site among others: ${engine}`, { skip }, async () => {
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
