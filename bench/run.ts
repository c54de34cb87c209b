/**
 * Runs the benches one after the other, each beside its peer, and makes one table of their figures in
 * `bench/RESULTS.md`, with what each has printed below: some thirty minutes on a quiet machine. With names only
 * these are run, and the others keep their rows. Each row says when, of which commit and at which load it was measured. A
 * million reviews are only searched when asked for by name, since that alone takes some eight minutes and 6 GB of memory.
 * With `--quick` everything is small and only printed: it shows that all benches run. Ends with 1 if a figure misses what
 * is wanted, or a bench fails.
 *
 *     npm run bench [-- [--quick] NAME …]
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import packageFile from "../package.json" with { type: "json" };
import { isFigure } from "./figures.ts";
import { nginxVersion } from "./nginx-peer.ts";
import { machine } from "./processor.ts";
import { type Part, type Parts, partOf, readResults, resultsOf, tableOf } from "./results.ts";

interface Bench {
  readonly what: string;
  /** Its file, if that is not its name. */
  readonly file?: string;
  readonly args: readonly string[];
  /** The arguments with `--quick`. */
  readonly quick: readonly string[];
  /** Only run when asked for by name. */
  readonly isLong?: boolean;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  start: { what: "Start and memory at rest", args: ["3"], quick: ["1", "1", "1000"] },
  change: { what: "From commit until served", args: [], quick: ["--starts=1", "240", "240+1000"] },
  read: { what: "Reading documents", args: ["700", "9"], quick: ["200", "1"] },
  search: { what: "Search among 100,000 reviews", args: ["100000"], quick: ["2000"] },
  million: {
    what: "Search among a million reviews",
    file: "search",
    args: ["1000000"],
    quick: ["4000"],
    isLong: true,
  },
  growth: { what: "Growth with the number of reviews", args: [], quick: ["1000", "4000"] },
  import: { what: "Import", args: ["100000"], quick: ["2000"] },
  mcp: { what: "MCP calls", args: ["4"], quick: ["1"] },
  push: { what: "Pushing to subscribers", args: ["15"], quick: ["1"] },
};

/** A bench that takes longer is ended, and what it has printed is kept. */
const LONGEST_MS = 900_000;
const LONGEST_OF_LONG_MS = 1_200_000;

const asked = process.argv.slice(2).filter((argument) => argument !== "--quick");
const isQuick = process.argv.includes("--quick");
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0)
  throw new Error(`There is no bench ${unknown.join(", ")}, only ${Object.keys(BENCHES).join(", ")}`);
const results = join(import.meta.dirname, "RESULTS.md");
const headings = Object.values(BENCHES).map(({ what }) => what);
const { parts: kept, longRuns } = readResults(readFileSync(results, "utf8"), headings);
const made = new Map<string, Part>();
const { dependencies, devDependencies } = packageFile;
const versions = [
  nginxVersion() ?? "no nginx",
  `SQLite ${process.versions.sqlite}`,
  `@modelcontextprotocol/server ${devDependencies["@modelcontextprotocol/server"]}`,
  `fastify ${devDependencies.fastify}`,
  `json-server ${devDependencies["json-server"]}`,
  `undici ${dependencies.undici}`,
].join(", ");
const head = `${machine()}; ${versions}`;
const commit = currentCommit();
for (const [name, { what, args, quick, isLong = false }] of Object.entries(BENCHES)) {
  if (asked.length > 0 ? !asked.includes(name) : isLong) continue;
  process.stdout.write(`\n${what}\n`);
  const startedAt = performance.now();
  const before = load();
  const { text, failure } = await run(name, isQuick ? quick : args);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const measured = `${new Date().toISOString().slice(0, 10)}, ${commit}, load ${before}–${load()}`;
  const took = `Took ${seconds} s: ${measured}.`;
  made.set(what, partOf(what, { text, failure, took, measured }));
  process.stdout.write(`${took}\n`);
  if (!isQuick) writeFileSync(results, resultsOf(head, allParts(), longRuns)); // each in turn
}
const { table, summary, missed } = tableOf(made);
process.stdout.write(`\n${head}\n\n${table}\n\n${summary}\n`);
if (missed > 0 && !isQuick) process.exitCode = 1;

/** What was made now, and what was there of the other benches, in their order. */
function allParts(): Parts {
  const all = headings.map((heading) => [heading, made.get(heading) ?? kept.get(heading)] as const);
  return new Map(all.filter((entry): entry is [string, Part] => entry[1] !== undefined));
}

/** The commit whose files are measured, and whether they have been changed since, apart from the results. */
function currentCommit(): string {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const changed = git("status", "--porcelain", "--", ":/", ":(exclude,top)bench/RESULTS.md");
    return `${git("rev-parse", "--short", "HEAD").trim()}${changed === "" ? "" : " with changes"}`;
  } catch {
    return `version ${packageFile.version}`; // unpacked without its history
  }
}

/** How many processes wanted a processor in the last minute, on average. */
function load(): string {
  return loadavg()[0]?.toFixed(1) ?? "";
}

/** What a bench prints, and why that is not all, if it fails or is ended. The others go on. */
async function run(name: string, args: readonly string[]): Promise<{ text: string; failure?: string }> {
  const { file = name, isLong = false } = BENCHES[name] ?? {};
  const child = spawn(process.execPath, [join(import.meta.dirname, `${file}.ts`), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true, // a group of its own, which ends with all that the bench has started
  });
  let text = "";
  createInterface(child.stdout).on("line", (line) => {
    text += `${line}\n`;
    if (!isFigure(line)) process.stdout.write(`${line}\n`);
  });
  const longest = isLong ? LONGEST_OF_LONG_MS : LONGEST_MS;
  let isEnded = false;
  const end = setTimeout(() => {
    isEnded = true;
    endGroup(child.pid);
  }, longest);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(end);
  endGroup(child.pid);
  if (isEnded) return { text, failure: `ended after ${longest / 1000} s` };
  return code === 0 ? { text } : { text, failure: `it failed with the status ${code}` };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended
  }
}
