/** The run of tests itself: one that fails must be seen to fail by whoever looks at its exit code alone. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../support/program.ts";

test("a run with PostgreSQL and a failing test ends with exit code 1, and without another fault", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "failing.test.mjs");
  writeFileSync(file, 'import { test } from "node:test"; test("fails", () => { throw new Error("on purpose"); });');
  const setup = join(import.meta.dirname, "..", "support", "global-setup.ts");
  const { NODE_TEST_CONTEXT: _, TEST_DATABASE_URL: __, ...env } = process.env;
  const args = ["--test", `--test-global-setup=${setup}`, file];
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  assert.deepEqual({ status, stderr }, { status: 1, stderr: "" });
});
