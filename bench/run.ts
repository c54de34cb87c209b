/**
 * Runs the benches one after the other, each beside its peer, and writes what they print to `bench/RESULTS.md`.
 *
 *     npm run bench [-- NAME …]
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { machine } from "./processor.ts";

/** Each bench with its arguments, and what it measures. */
const BENCHES: Readonly<Record<string, readonly [what: string, ...args: string[]]>> = {
  start: ["Start and memory at rest"],
  change: ["From commit until served", "240", "1000", "20000"],
  read: ["Reading documents", "1", "3"],
  search: ["Search among 100,000 reviews"],
  growth: ["Growth with the number of reviews"],
  import: ["Import", "20000"],
  mcp: ["MCP calls"],
  push: ["Pushing to subscribers", "5"],
};

const LONGEST_MS = 900_000;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0)
  throw new Error(`There is no bench ${unknown.join(", ")}, only ${Object.keys(BENCHES).join(", ")}`);
const parts = [
  "# Results",
  "",
  `${machine()}. Made by \`npm run bench\`; every figure stands beside its peer of the same run.`,
];
for (const [name, [what, ...args]] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`\n${what}\n`);
  parts.push("", `## ${what}`, "", "```", run(name, args).trimEnd(), "```");
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${parts.join("\n")}\n`); // each in turn: a run takes long
}

/** What a bench prints; a bench that fails says so in its place, and the others go on. */
function run(name: string, args: readonly string[]): string {
  const file = join(import.meta.dirname, `${name}.ts`);
  try {
    const text = execFileSync(process.execPath, [file, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      timeout: LONGEST_MS,
    });
    process.stdout.write(text);
    return text;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stdout.write(`${message}\n`);
    return `not measured: ${message.split("\n")[0]}`;
  }
}
