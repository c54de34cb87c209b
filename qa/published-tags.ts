/**
 * Records the published bytes across histories of changes and compares them with an earlier recording: a refactoring must
 * not change them. It drives the command of a checkout from outside, so any version can be recorded:
 *
 *   node qa/published-tags.ts --write before.json
 *   node qa/published-tags.ts --compare before.json --program ../other-checkout
 *
 * It uses the sample and, if it is beside the project, the real export (`--data` names another folder), or with
 * `--large` 100,000 invented reviews instead.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Ask, type DrivenProgram, driveProgram, sha256 } from "./published-tags/driven-program.ts";
import {
  type History,
  inventedHistory,
  realHistory,
  type StepContext,
  sampleHistory,
} from "./published-tags/histories.ts";
import {
  type Dataset,
  type PublishedDocument,
  type PublishedDocuments,
  readDocuments,
  readExport,
} from "./published-tags/public-documents.ts";

interface Recording {
  /** The hash of what each history imports. */
  readonly inputs: Record<string, string>;
  /** Documents by history and step. */
  readonly steps: Record<string, PublishedDocuments>;
}

/** The time of the first step of a history. Its milliseconds show where a date is cut. */
const FIRST_STEP = Date.UTC(2027, 0, 1, 22, 33, 44, 567);
const STEP_MS = 26 * 3_600_000;
const COMMAND_MS = 1_000;
/** Longer than a server may take to follow a change (interface §5). */
const FOLLOWED_MS = 2_100;
const PUBLISHED_MS = 120_000;
const LOOK_MS = 50;

const { values } = parseArgs({
  options: {
    program: { type: "string", default: join(import.meta.dirname, "..") },
    data: { type: "string", default: join(import.meta.dirname, "..", "..", "shared", "data") },
    large: { type: "boolean", default: false },
    write: { type: "string" },
    compare: { type: "string" },
  },
});

const recording: Recording = { inputs: {}, steps: {} };
for (const history of histories()) await record(history);
if (values.write !== undefined) {
  mkdirSync(dirname(resolve(values.write)), { recursive: true });
  writeFileSync(values.write, `${JSON.stringify(recording, null, 1)}\n`);
}
if (values.compare !== undefined) {
  process.exitCode = compare(JSON.parse(readFileSync(values.compare, "utf8")) as Recording) ? 0 : 1;
}
if (values.write === undefined && values.compare === undefined) console.log(JSON.stringify(recording, null, 1));

function histories(): readonly History[] {
  if (values.large) return [inventedHistory()];
  if (existsSync(join(values.data, "takeout-sv"))) return [sampleHistory(), realHistory(values.data)];
  console.error(`Skipped the real export: there is no takeout-sv in ${values.data}`);
  return [sampleHistory()];
}

/** Goes through a history with one server, then reads the end from a restarted one and one on a backup. */
async function record({ name, isLarge, input, steps }: History): Promise<void> {
  recording.inputs[name] = sha256(input);
  const folder = mkdtempSync(join(tmpdir(), "goodword-tags-"));
  try {
    const program = driveProgram(resolve(values.program), folder);
    const watched = new Set<string>();
    let published: Dataset | undefined;
    let revisedAt: number | undefined;

    async function read(ask: Ask, step: string, isCoded = false) {
      const { documents, dataset } = await readDocuments(ask, { watched, isLarge, isCoded });
      recording.steps[`${name}: ${step}`] = documents;
      published = dataset;
    }

    {
      await using server = await program.serve();
      for (const [number, { name: step, commands, isChange = true, isExported = false }] of steps.entries()) {
        const startedAt = performance.now();
        const context: StepContext = {
          reviews: published?.reviews ?? [],
          watched,
          path: (file) => join(folder, file),
          write(file, content) {
            const path = join(folder, file);
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, content);
            return path;
          },
        };
        const ended = await runAll(program, commands(context), FIRST_STEP + number * STEP_MS);
        if (isChange) revisedAt = ended;
        else await setTimeout(FOLLOWED_MS);
        if (revisedAt !== undefined) await untilPublished(server.ask, revisedAt, `${name}: ${step}`);
        await read(server.ask, step, step === steps.at(-1)?.name);
        if (isExported) Object.assign(recording.steps[`${name}: ${step}`] ?? {}, await exported(program, folder));
        console.error(`${name}: ${step} (${Math.round(performance.now() - startedAt)} ms)`);
      }
    }
    await program.run(["backup", join(folder, "copy.db")], FIRST_STEP + steps.length * STEP_MS);
    for (const [step, store] of [
      ["restarted", "goodword.db"],
      ["served from a backup", "copy.db"],
    ] as const) {
      const startedAt = performance.now();
      await using server = await program.serve(store);
      await untilPublished(server.ask, revisedAt ?? 0, `${name}: ${step}`);
      await read(server.ask, step);
      console.error(`${name}: ${step} (${Math.round(performance.now() - startedAt)} ms)`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs commands one after the other, a second apart, and returns the time of the last one. */
async function runAll(
  program: DrivenProgram,
  commands: readonly (readonly string[])[],
  startMs: number,
): Promise<number> {
  for (const [at, args] of commands.entries()) await program.run(args, startMs + at * COMMAND_MS);
  return startMs + Math.max(0, commands.length - 1) * COMMAND_MS;
}

/** Waits until the dataset has the date of the last change. */
async function untilPublished(ask: Ask, revisedAt: number, step: string): Promise<void> {
  const expected = new Date(revisedAt).toUTCString();
  const deadline = performance.now() + PUBLISHED_MS;
  for (;;) {
    const { status, headers } = await ask("/reviews.json", { method: "HEAD" });
    if (status === 200 && headers["last-modified"] === expected) return;
    if (performance.now() > deadline) {
      throw new Error(`${step}: /reviews.json is of ${headers["last-modified"]} (${status}), and not of ${expected}`);
    }
    await setTimeout(LOOK_MS);
  }
}

async function exported(program: DrivenProgram, folder: string): Promise<PublishedDocuments> {
  const site = join(folder, "site");
  await program.run(["export", site], FIRST_STEP);
  return readExport(site);
}

/** Prints the differences from an earlier recording. Returns true if there are none. */
function compare(earlier: Recording): boolean {
  let [same, differing] = [0, 0];
  const tell = (line: string) => {
    differing++;
    console.log(line);
  };
  for (const [history, input] of Object.entries(recording.inputs)) {
    if (earlier.inputs[history] === undefined) console.log(`${history} is not in ${values.compare}`);
    else if (earlier.inputs[history] !== input)
      console.log(`${history}: other reviews were imported than at that time`);
  }
  for (const history of Object.keys(earlier.inputs)) {
    if (recording.inputs[history] === undefined) console.log(`${history} was not recorded this time`);
  }
  const compared = Object.keys(recording.inputs).filter((history) => earlier.inputs[history] !== undefined);
  const isCompared = (step: string) => compared.some((history) => step.startsWith(`${history}: `));
  const steps = new Set([...Object.keys(earlier.steps), ...Object.keys(recording.steps)].filter(isCompared));
  for (const step of steps) {
    const [before, now] = [earlier.steps[step] ?? {}, recording.steps[step] ?? {}];
    for (const path of new Set([...Object.keys(before), ...Object.keys(now)])) {
      const differs = differenceOf(before[path], now[path]);
      if (differs === "") same++;
      else tell(`${step}\t${path}\t${differs}`);
    }
  }
  console.log(`${same} the same, ${differing} differ`);
  return differing === 0;
}

/** The names of the differing fields, such as `etag sha256`; empty if there are none. */
function differenceOf(before: PublishedDocument | undefined, now: PublishedDocument | undefined): string {
  if (before === undefined) return "new";
  if (now === undefined) return "missing";
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).join(" ");
}
