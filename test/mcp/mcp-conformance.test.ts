/**
 * The protocol's own conformance suite, revision by revision. Every check must pass but those named in
 * mcp-conformance.json, each with its reason, and those must fail in the way that is written there.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../support/program.ts";
import { program } from "../support/served-sample.ts";

const SUITE = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

interface Exception {
  readonly reason: string;
  readonly message: string;
  readonly checks: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

const EXCEPTIONS = JSON.parse(readFileSync(join(import.meta.dirname, "mcp-conformance.json"), "utf8")) as Exception[];

/** How many checks pass; fewer mean that scenarios no longer run. */
const REVISIONS = [
  { revision: "2025-06-18", passes: 33 },
  { revision: "2025-11-25", passes: 40 },
  { revision: "2026-07-28", passes: 92 },
] as const;

const seen = new Set<string>();

for (const { revision, passes } of REVISIONS) {
  test(`conformance to ${revision}`, async () => {
    const checks = await runSuite(revision);
    const wrong = checks.filter((check) => check.status === "FAILURE" && exceptionFor(check) === undefined);
    assert.deepEqual(wrong, []);
    const passed = checks.filter(({ status }) => status === "SUCCESS").length;
    assert.ok(passed >= passes, `${passed} checks passed, and ${passes} did before`);
    for (const { id, status } of checks) if (status === "FAILURE") seen.add(id);
  });
}

test("no exception to conformance is kept that is no longer needed", () => {
  const named = EXCEPTIONS.flatMap(({ checks }) => checks);
  const wrong = named.filter((id) => !seen.has(id));
  assert.deepEqual(wrong, []);
  assert.ok(EXCEPTIONS.every(({ reason }) => reason.length > 20));
});

function exceptionFor({ id, errorMessage = "" }: Check): Exception | undefined {
  return EXCEPTIONS.find(({ checks, message }) => checks.includes(id) && new RegExp(message).test(errorMessage));
}

async function runSuite(revision: string): Promise<Check[]> {
  using folder = temporaryFolder();
  const asked = [
    "server",
    "--url",
    `${program.url}/mcp`,
    "--spec-version",
    revision,
    "--suite",
    "all",
    "-o",
    folder.path,
  ];
  const run = promisify(execFile)(process.execPath, [SUITE, ...asked], { cwd: folder.path, maxBuffer: 16_000_000 });
  await run.catch((error: { code?: unknown; stderr: string }) => {
    if (error.code !== 1) throw error; // 1: some checks failed, which is what is looked into
  });
  const files = globSync("*/checks.json", { cwd: folder.path });
  return files.flatMap((file) => JSON.parse(readFileSync(join(folder.path, file), "utf8")) as Check[]);
}
