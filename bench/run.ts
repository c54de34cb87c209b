/**
 * Runs the benches one after the other and writes their figures to `bench/RESULTS.json`, and as a table with limits to
 * `bench/RESULTS.md`: some ten minutes on a quiet machine. With names only these run, and the others keep their
 * rows. `--quick` runs small versions and only prints, to check that they run. `--against FOLDER` compares imports with
 * another version of the program instead of a limit. Ends with 1 if a limit does not hold or a bench fails.
 *
 *     npm run bench [-- [--quick] [--against FOLDER] NAME …]
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import packageFile from "../package.json" with { type: "json" };
import { type Figure, parseFigure } from "./figures.ts";
import { nginxVersion } from "./nginx-peer.ts";
import { machine } from "./processor.ts";
import { type Measurement, type Results, renderResults, tableOf } from "./results.ts";

/** The benches, in the order of the table, and their arguments with `--quick`. */
const BENCHES: Readonly<Record<string, readonly string[]>> = {
  read: ["200", "1"],
  start: ["1", "2000"],
  change: ["1", "2000"],
  search: ["2000"],
  import: ["2000"],
  push: ["1"],
  mcp: ["1"],
  growth: ["1000", "4000"],
};
/** A bench that takes longer is ended; the figures that it has reported stay. */
const MAX_BENCH_MS = 600_000;
const [DATA, PAGE] = [join(import.meta.dirname, "RESULTS.json"), join(import.meta.dirname, "RESULTS.md")];

const { values: options, positionals: names } = parseArgs({
  options: { quick: { type: "boolean", default: false }, against: { type: "string" } },
  allowPositionals: true,
});
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0)
  throw new Error(`There is no bench ${unknown.join(", ")}, only ${Object.keys(BENCHES).join(", ")}`);

const earlier = (JSON.parse(readFileSync(DATA, "utf8")) as Results).benches;
const measured: Record<string, Measurement> = {};
const { dependencies, devDependencies } = packageFile;
const versions = [
  nginxVersion() ?? "no nginx",
  `SQLite ${process.versions.sqlite}`,
  `@modelcontextprotocol/server ${devDependencies["@modelcontextprotocol/server"]}`,
  `fastify ${devDependencies.fastify}`,
  `undici ${dependencies.undici}`,
];
const head = `${machine()}; ${versions.join(", ")}`;
const commit = currentCommit();
for (const name of names.length === 0 ? Object.keys(BENCHES) : names) {
  process.stdout.write(`\n## ${name}\n\n`);
  measured[name] = await measure(name);
  if (!options.quick) save();
}
const { table, summary, missed } = tableOf(Object.values(measured));
process.stdout.write(`\n${head}\n\n${table}\n\n${summary}\n`);
if (missed > 0 && !options.quick) process.exitCode = 1;

/** Writes what was measured now, and what was measured earlier by the other benches. */
function save(): void {
  const benches = Object.keys(BENCHES).flatMap((name) => {
    const measurement = measured[name] ?? earlier[name];
    return measurement === undefined ? [] : [[name, measurement] as const];
  });
  const results: Results = { machine: head, benches: Object.fromEntries(benches) };
  writeFileSync(DATA, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(PAGE, renderResults(results));
}

/** The commit that is measured, and whether files other than the results differ from it. */
function currentCommit(): string {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const changed = git("status", "--porcelain", "--", ":/", ":(exclude,top)bench/RESULTS.*");
    return `${git("rev-parse", "--short", "HEAD").trim()}${changed === "" ? "" : " with changes"}`;
  } catch {
    return `version ${packageFile.version}`; // unpacked without its history
  }
}

/** The load average of the last minute, with one decimal. */
function load(): number {
  return Math.round((loadavg()[0] ?? Number.NaN) * 10) / 10;
}

/** Runs a bench in a process group of its own, which is killed at the end with everything that the bench started. */
async function measure(name: string): Promise<Measurement> {
  const args = options.quick ? (BENCHES[name] ?? []) : [];
  const against = name === "import" && options.against !== undefined ? [`--against=${resolve(options.against)}`] : [];
  const startedAt = performance.now();
  const before = load();
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args, ...against], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const figures: Figure[] = [];
  createInterface(child.stdout).on("line", (line) => {
    const figure = parseFigure(line);
    if (figure === undefined) process.stdout.write(`${line}\n`);
    else figures.push(figure);
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.removeAllListeners(signal).once(signal, () => {
      killGroup(child.pid);
      process.exit(1);
    });
  }
  let isEnded = false;
  const deadline = setTimeout(() => {
    isEnded = true;
    killGroup(child.pid);
  }, MAX_BENCH_MS);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(deadline);
  killGroup(child.pid);
  const failure = isEnded ? `ended after ${MAX_BENCH_MS / 1000} s` : code === 0 ? undefined : `${name} failed`;
  return {
    day: new Date().toISOString().slice(0, 10),
    commit,
    load: [before, load()],
    seconds: Math.round((performance.now() - startedAt) / 1000),
    figures,
    ...(failure === undefined ? {} : { failure }),
  };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended
  }
}
