/**
 * Sends random inputs to every door of the running program: requests, forms, messages, tokens, files to import, arguments,
 * settings and backups. One server runs during all of it, on the store that the imports change. An input that breaks the law of a
 * door is shrunk and printed with its seed, which repeats it.
 *
 *     node qa/fuzz.ts [MINUTES [SEED [DOOR]]]
 */
import { join } from "node:path";
import fc from "fast-check";
import { machine, residentMb } from "../bench/processor.ts";
import { run, serveProgram, temporaryFolder } from "../test/support/program.ts";
import { backupDoor } from "./fuzz/backup-door.ts";
import { commandDoor, importDoor, settingsDoor } from "./fuzz/command-doors.ts";
import type { Door } from "./fuzz/door.ts";
import { documentsDoor, hubDoor, mcpDoor, requestDoor, searchDoor, tokenDoor } from "./fuzz/network-doors.ts";

const MINUTES = Number(process.argv[2] ?? 30);
const SEED = Number(process.argv[3] ?? Math.floor(Math.random() * 1_000_000));
const ONLY = process.argv[4];
/** Limit for shrinking a finding; a round of a command takes less. */
const MAX_ROUND_MS = 90_000;

const sample = join(import.meta.dirname, "..", "sample");
using folder = temporaryFolder();
const imported = await run(folder.path, [
  "import",
  ...["reviews.jsonl", "business.yaml"].map((name) => join(sample, name)),
]);
if (imported.code !== 0) throw new Error(imported.stderr);
/** Nothing goes out, because the proxy of all callbacks does not exist. Each request may come from another client. */
const settings = { HUB_PROXY: "http://127.0.0.1:1", TRUST_PROXY: "127.0.0.0/8,::1/128" };
const server = await serveProgram(folder.path, settings);
const isChosen = ({ name }: Door) => ONLY === undefined || name === ONLY;
const networkDoors: readonly Door[] = [
  requestDoor(server),
  searchDoor(server),
  documentsDoor(server),
  hubDoor(server),
  await mcpDoor(server),
  await tokenDoor(server),
].filter(isChosen);
/** Each input is a process or two, so these run beside the network doors, whose inputs take a hundredth of the time. */
const commandDoors: readonly Door[] = [
  importDoor(folder.path),
  commandDoor(folder.path),
  settingsDoor(),
  await backupDoor(),
].filter(isChosen);
if (networkDoors.length + commandDoors.length === 0) throw new Error(`There is no door ${ONLY}`);

console.log(machine());
console.log(`${MINUTES} minutes from the seed ${SEED}`);
const endsAt = performance.now() + MINUTES * 60_000;
const inputs = new Map<string, number>();
const findings = new Map<string, string>();
const memory: number[] = [];
/** How many lines of the log have been read. */
let readLogLines = 0;
await Promise.all([runRounds(networkDoors), runRounds(commandDoors)]);
const code = await server.stop();
if (code !== 0) note(undefined, SEED, `The server ended with ${code}`);
for (const { name, summary } of commandDoors) if (summary !== undefined) console.log(`${name}\n  ${summary()}`);
console.log([...inputs].map(([name, count]) => `${name} ${count}`).join(", "));
console.log(
  `MB resident after each round: ${thinned(memory)
    .map((mb) => mb.toFixed(0))
    .join(", ")}`,
);
console.log(findings.size === 0 ? "Nothing broke a law." : `${findings.size} findings, printed above.`);
process.exit(findings.size === 0 ? 0 : 1);

/** Runs the doors in turns until the time is over. */
async function runRounds(doors: readonly Door[]): Promise<void> {
  for (let round = 0; doors.length > 0 && performance.now() < endsAt; round += 1) {
    for (const door of doors) {
      const seed = SEED + round;
      const result = await fc.check(door.property, {
        seed,
        numRuns: door.runs,
        interruptAfterTimeLimit: MAX_ROUND_MS,
      });
      inputs.set(door.name, (inputs.get(door.name) ?? 0) + result.numRuns);
      if (result.counterexample !== null) tell(door, seed, result);
      for (const entry of server.log.slice(readLogLines).filter(({ level }) => Number(level) >= 50))
        note(door, seed, JSON.stringify(entry));
      readLogLines = server.log.length;
      if (server.process.exitCode !== null) throw new Error(`${door.name} ended the server, seed ${seed}`);
      if (performance.now() > endsAt) break;
    }
    memory.push(residentMb(Number(server.process.pid)));
  }
}

function tell(door: Door, seed: number, result: fc.RunDetails<[unknown]>): void {
  const { errorInstance, counterexample, counterexamplePath } = result;
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  note(door, seed, `${message}\n  ${fc.stringify(counterexample).slice(0, 2_000)}\n  path ${counterexamplePath}`);
}

/** Prints a finding once: the same first line at the same door is the same finding. */
function note(door: Door | undefined, seed: number, message: string): void {
  const key = `${door?.name}: ${message.split("\n", 1)[0]?.replaceAll(/\d+/g, "0").slice(0, 120)}`;
  if (findings.has(key)) return;
  findings.set(key, message);
  const again = door === undefined ? "" : `; again: node qa/fuzz.ts 0.1 ${seed} ${door.name}`;
  console.log(`\n${door?.name ?? "server"}, seed ${seed}${again}\n  ${message}`);
}

/** At most ten of the values, evenly spread. */
function thinned(values: readonly number[]): number[] {
  const step = Math.max(1, Math.ceil(values.length / 10));
  return values.filter((_, index) => index % step === 0);
}
