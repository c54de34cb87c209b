/**
 * Takes each defence of SECURITY.md's threat model out of a copy of the program and runs the test that the threat model
 * names for it, which must then fail, and must pass with all defences. Each processor has a copy of its own.
 *
 *     node qa/mutations.ts [WORDS]
 *
 * WORDS choose the defences whose test, file or description contains them. Takes about a quarter of an hour.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startPostgres } from "../test/support/postgres-server.ts";
import { temporaryFolder } from "../test/support/program.ts";
import type { Mutation } from "./mutations/mutation.ts";
import { THREAT_MODEL } from "./mutations/threat-model.ts";

const ROOT = join(import.meta.dirname, "..");
const LEFT_OUT = new Set([".git", "node_modules", "dist", "release", "data", "public"]);
/** Timeout of a test without its defence: 15 seconds more than four times its usual time. */
const [EXTRA_TIMEOUT_MS, TIMEOUT_FACTOR] = [15_000, 4];
const MAX_TEST_MS = 180_000;
const MAX_ERROR_LENGTH = 90;

interface Result {
  /** `absent`: no test of that name ran to its end, such as when the file cannot be loaded. */
  readonly verdict: "passes" | "fails" | "absent";
  readonly error: string;
  readonly seconds: number;
}

/** Copies the program with its packages, because the build is cached among them. */
function copyProgram(copy: string): void {
  cpSync(ROOT, copy, { recursive: true, filter: (file) => file === ROOT || !isLeftOut(file) });
  linkAll(join(ROOT, "node_modules"), join(copy, "node_modules"));
}

function isLeftOut(file: string): boolean {
  const [name = "", ...below] = file.slice(ROOT.length + 1).split("/");
  return below.length === 0 && (LEFT_OUT.has(name) || name.endsWith(".db"));
}

/** Copies a folder by hard links, or file by file where its disk has none. */
function linkAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === ".cache") continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkAll(source, target);
    else if (entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true });
    else {
      try {
        linkSync(source, target);
      } catch {
        cpSync(source, target);
      }
    }
  }
}

/** Runs a test in the copy, and kills every process that it started. */
async function runTest(copy: string, test: string, timeoutMs = MAX_TEST_MS): Promise<Result> {
  const [file = "", name = ""] = test.split(/: (.*)/s);
  const pattern = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const options = ["--test-reporter=tap", `--test-timeout=${timeoutMs}`];
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--test", ...options, `--test-name-pattern=${pattern}`, file], {
    cwd: copy,
    env: {
      ...process.env,
      NO_COLOR: "1",
      GOODWORD_TEST_WHOLE: "1",
      NODE_COMPILE_CACHE: join(copy, "node_modules", ".cache", "tests"),
    },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const end = () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // all have ended
    }
  };
  const timer = setTimeout(end, 2 * timeoutMs);
  const [output] = await Promise.all([text(child.stdout), once(child, "exit").then(end)]);
  clearTimeout(timer);
  const [judged, tookMs] = [judge(output, name), performance.now() - startedAt];
  const seconds = tookMs / 1000;
  // The runner ends a file as late as its tests, so that one that waits without end may not be named.
  if (judged.verdict === "absent" && tookMs >= timeoutMs) return { verdict: "fails", error: "did not end", seconds };
  return { ...judged, seconds };
}

/** The outcome of the tests with this name, from output in TAP 13. */
function judge(output: string, name: string): Pick<Result, "verdict" | "error"> {
  const lines = output.split("\n");
  const outcomes = [...lines.entries()].flatMap(([at, line]) => {
    const [, not = "", title = ""] = /^ *(not )?ok \d+ - (.*)$/.exec(line) ?? [];
    const isNamed = title.replaceAll("\\", "").includes(name.replaceAll("\\", ""));
    return isNamed && !/ # SKIP/i.test(title) ? [{ isFailed: not !== "", at }] : [];
  });
  const failed = outcomes.find(({ isFailed }) => isFailed);
  if (failed !== undefined) return { verdict: "fails", error: errorAfter(lines.slice(failed.at)) };
  return { verdict: outcomes.length > 0 ? "passes" : "absent", error: "" };
}

function errorAfter(lines: readonly string[]): string {
  const at = lines.findIndex((line) => /^ *error: /.test(line));
  const [first = "", second = "", third = ""] = lines.slice(at).map((line) => line.trim());
  const said = /^error: \|-?$/.test(first) ? `${second} ${third}` : first.replace("error: ", "");
  return said.length > MAX_ERROR_LENGTH ? `${said.slice(0, MAX_ERROR_LENGTH)}…` : said;
}

/** Runs the test of a mutation while the defence is missing. */
async function runWithout(
  copy: string,
  { file, text: defence, instead, test }: Mutation,
  timeoutMs: number,
): Promise<Result> {
  const path = join(copy, file);
  const whole = readFileSync(path, "utf8");
  const parts = whole.split(defence);
  if (parts.length !== 2) throw new Error(`${file} has the text ${parts.length - 1} times:\n${defence}`);
  writeFileSync(path, parts.join(instead));
  try {
    return await runTest(copy, test, timeoutMs);
  } finally {
    writeFileSync(path, whole);
  }
}

const words = process.argv.slice(2).join(" ").toLowerCase();
const chosen = THREAT_MODEL.filter(({ file, test, without }) =>
  `${test}\n${file}\n${without}`.toLowerCase().includes(words),
);
if (chosen.length === 0) {
  console.error(`No defence is named with: ${words}`);
  process.exit(1);
}
using folder = temporaryFolder();
// One for all, started here: its user may not read the copies.
const server = process.env.TEST_DATABASE_URL === undefined ? await startPostgres() : undefined;
if (server !== undefined) process.env.TEST_DATABASE_URL = server.url;
const groups = [...Map.groupBy(chosen, ({ test }) => test)];
const faults: string[] = [];
console.log("verdict  seconds  without; test: its failure");
await Promise.all(
  Array.from({ length: availableParallelism() }, async (_, number) => {
    const copy = join(folder.path, `copy-${number}`);
    copyProgram(copy);
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) await proveTest(copy, ...group);
  }),
);
await server?.stop();

/** Runs a test with all defences, then without each of the defences that name it. */
async function proveTest(copy: string, test: string, mutations: readonly Mutation[]): Promise<void> {
  const whole = await runTest(copy, test);
  if (whole.verdict !== "passes") faults.push(`${test} ${whole.verdict} with all defences: ${whole.error}`);
  const timeoutMs = Math.round(EXTRA_TIMEOUT_MS + TIMEOUT_FACTOR * 1000 * whole.seconds);
  for (const mutation of mutations) {
    const { without } = mutation;
    const { verdict, error, seconds } = await runWithout(copy, mutation, timeoutMs);
    if (verdict !== "fails") faults.push(`${test} ${verdict} without ${without}`);
    console.log(`${verdict.padEnd(7)} ${seconds.toFixed(1).padStart(8)}  ${without}; ${test}: ${error}`);
  }
}

const count = `${chosen.length} defences taken out, ${new Set(chosen.map(({ test }) => test)).size} tests`;
console.log(faults.length === 0 ? `${count}: each test fails without its defence.` : `${count}; not proven:`);
for (const fault of faults) console.log(`  ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
