/**
 * Runs the tests of many files in one process, as `npm test` does: a process for each would load the program again, and
 * serve the sample again, which takes longer than most of these tests. Each file is a suite, so its hooks are its own.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { describe } from "node:test";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "..", "..");

const GROUPS = {
  answers: "test/{mcp,read}/*.test.ts",
  app: "src/app/**/*.test.ts",
  import: "src/{analysis,import}/**/*.test.ts",
  serve: "src/{follow,http,hub,maintenance,notices,outbound,publication,store}/**/*.test.ts",
};

/** Those of a group, or all other unit tests. */
export function runUnitTests(group: keyof typeof GROUPS | "others"): void {
  const [pattern, exclude] = group === "others" ? ["src/**/*.test.ts", Object.values(GROUPS)] : [GROUPS[group], []];
  for (const file of globSync(pattern, { cwd: ROOT, exclude }).toSorted())
    describe(file, async () => void (await import(pathToFileURL(join(ROOT, file)).href)));
}
