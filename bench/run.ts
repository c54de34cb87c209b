/**
 * Runs the benches one after the other, each beside its peer, and writes what they print to `bench/RESULTS.md`: some
 * twenty minutes on a quiet machine. With `--quick` everything is small and only printed: it shows that all benches run.
 *
 *     npm run bench [-- [--quick] NAME …]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { machine } from "./processor.ts";

interface Bench {
  readonly what: string;
  readonly args: readonly string[];
  /** The arguments with `--quick`. */
  readonly quick: readonly string[];
}

const BENCHES: Readonly<Record<string, Bench>> = {
  start: { what: "Start and memory at rest", args: ["3"], quick: ["1", "1", "1000"] },
  change: { what: "From commit until served", args: ["240", "1000", "100000"], quick: ["240"] },
  read: { what: "Reading documents", args: ["1", "5"], quick: ["1", "1"] },
  search: { what: "Search among 100,000 reviews", args: ["100000"], quick: ["2000"] },
  growth: { what: "Growth with the number of reviews", args: [], quick: ["1000", "10000"] },
  import: { what: "Import", args: ["100000"], quick: ["2000"] },
  mcp: { what: "MCP calls", args: ["4"], quick: ["1"] },
  push: { what: "Pushing to subscribers", args: ["5"], quick: ["1"] },
};

/** A bench that takes longer is ended, and what it has printed is kept. */
const LONGEST_MS = 480_000;

const asked = process.argv.slice(2).filter((argument) => argument !== "--quick");
const isQuick = process.argv.includes("--quick");
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0)
  throw new Error(`There is no bench ${unknown.join(", ")}, only ${Object.keys(BENCHES).join(", ")}`);
const results = join(import.meta.dirname, "RESULTS.md");
/** Runs of half an hour, which are written by hand and kept. */
const LONG_RUNS = "\n## Long runs\n";
const before = readFileSync(results, "utf8");
const longRuns = before.includes(LONG_RUNS) ? before.slice(before.indexOf(LONG_RUNS)) : "";
const parts = [
  "# Results",
  "",
  `${machine()}. Made by \`npm run bench\`; every figure stands beside its peer of the same run.`,
];
for (const [name, { what, args, quick }] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`\n${what}\n`);
  const startedAt = performance.now();
  const text = await run(name, isQuick ? quick : args);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  parts.push("", `## ${what}`, "", "```", text.trimEnd(), "```", "", took(seconds));
  process.stdout.write(`${took(seconds)}\n`);
  if (!isQuick) writeFileSync(results, `${parts.join("\n")}\n${longRuns}`); // each in turn
}

function took(seconds: number): string {
  return `Took ${seconds} s; load ${loadavg()[0]?.toFixed(1)} at the end.`;
}

/** What a bench prints. One that fails or is ended says so, and the others go on. */
async function run(name: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true, // a group of its own, which ends with all that the bench has started
  });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => {
    text += piece.toString();
    process.stdout.write(piece);
  });
  let isEnded = false;
  const end = setTimeout(() => {
    isEnded = true;
    endGroup(child.pid);
  }, LONGEST_MS);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(end);
  endGroup(child.pid);
  if (isEnded) return `${text}Ended after ${LONGEST_MS / 1000} s.`;
  return code === 0 ? text : `${text}Ended with the status ${code}: a limit is not met, or it failed.`;
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended
  }
}
