/**
 * Several times more searches than one core can answer, from many clients and a greedy one, with datasets read beside
 * them: the share that is answered, its latency, the cheap reads' latency, memory, and how soon all is as before.
 *
 *     node bench/overload.ts [reviews] [seconds]
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { run, serveProgram, temporaryFolder } from "../test/program.ts";
import { machine, residentMb } from "./processor.ts";

const REVIEWS = Number(process.argv[2] ?? 20_000);
const SECONDS = Number(process.argv[3] ?? 10);
const CLIENTS = 40;
const GREEDY_CONNECTIONS = 100;
const WORDS =
  "cold warm quick late polite honest furnace filter quote invoice duct thermostat weekend tidy again".split(" ");

interface Tally {
  readonly answered: number[];
  refused: number;
}

/** Asks again and again over one connection until `until`, and counts. Each client has an address of its own. */
async function ask(port: number, path: () => string, client: number, until: number, pauseMs = 0): Promise<Tally> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const tally: Tally = { answered: [], refused: 0 };
  while (performance.now() < until) {
    const startedAt = performance.now();
    const status = await new Promise<number>((resolve) => {
      const options = { agent, host: "127.0.0.1", port, path: path(), localAddress: `127.0.0.${client}` };
      get(options, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      }).on("error", () => resolve(0));
    });
    if (status === 200) tally.answered.push(performance.now() - startedAt);
    else tally.refused++;
    if (pauseMs > 0) await wait(pauseMs);
  }
  agent.destroy();
  return tally;
}

const search = () =>
  `/api/reviews/search?q=${WORDS[Math.floor(Math.random() * WORDS.length)]}${Math.floor(Math.random() * 90)}`;
const dataset = () => "/api/feed.json";

function at(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0);
}

async function phase(name: string, port: number, searches: readonly number[], seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  const [cheap, ...tallies] = await Promise.all([
    ask(port, dataset, 250, until, 20),
    ...searches.map((client) => ask(port, search, client, until)),
  ]);
  const answered = tallies.flatMap((tally) => tally.answered);
  const refused = tallies.reduce((sum, tally) => sum + tally.refused, 0);
  const greedy = tallies.filter((_, index) => searches[index] === 200).flatMap((tally) => tally.answered).length;
  console.log(
    `${name.padEnd(34)} ${(answered.length / seconds).toFixed(0).padStart(8)}/s ${((100 * refused) / Math.max(1, refused + answered.length)).toFixed(0).padStart(6)} % ${at(answered, 0.5).padStart(7)} ${at(answered, 0.99).padStart(7)} ${at(cheap.answered, 0.5).padStart(7)} ${at(cheap.answered, 0.99).padStart(7)} ${String(greedy).padStart(8)} ${residentMb(pid).toFixed(0).padStart(8)}`,
  );
}

using folder = temporaryFolder();
const lines = Array.from({ length: REVIEWS }, (_, number) => {
  const text = Array.from(
    { length: 40 },
    (_, word) => `${WORDS[(number * 7 + word * 13) % WORDS.length]}${(number * word) % 90}`,
  ).join(" ");
  const date = new Date(Date.UTC(2026, 0, 1) - number * 3_600_000).toISOString().slice(0, 10);
  return JSON.stringify({
    id: `overload-${number}`,
    author: "Ann Sample",
    rating: 1 + (number % 5),
    date,
    text,
    source: "google",
  });
});
const file = join(folder.path, "reviews.jsonl");
writeFileSync(file, lines.join("\n"));
writeFileSync(
  join(folder.path, "business.yaml"),
  "name: Overload Sample\ncategory: HVACBusiness\ntime_zone: America/Chicago\n",
);
const imported = await run(folder.path, ["import", file, join(folder.path, "business.yaml")]);
if (imported.code !== 0) throw new Error(imported.stderr);
const program = await serveProgram(folder.path, { LOG_LEVEL: "info" });
const pid = program.process.pid ?? 0;
if (availableParallelism() > 1)
  spawn("taskset", ["-a", "-p", "-c", "0", String(pid)], { stdio: "ignore" }).on("error", () => {});

console.log(machine());
console.log(
  `${REVIEWS} reviews; searches by ${CLIENTS} clients of one connection, and a greedy one of ${GREEDY_CONNECTIONS}; ms`,
);
console.log("                                   searches refused  median     p99   cheap    p99  greedy   MB resident");
const few = [1, 2];
const many = [
  ...Array.from({ length: CLIENTS }, (_, index) => index + 1),
  ...Array<number>(GREEDY_CONNECTIONS).fill(200),
];
await phase("two clients", program.port, few, SECONDS);
await phase("all of them", program.port, many, SECONDS);
await phase("all of them, longer", program.port, many, 2 * SECONDS);
await phase("the first two seconds after", program.port, few, 2);
await phase("after that", program.port, few, SECONDS);
await program.stop();
