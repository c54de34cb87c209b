/** What stores of different sizes cost: their import, an edition of them made anew, and a start from the cached edition. */
import { join } from "node:path";
import { importPaths } from "../src/import/importer.ts";
import { openRenderer } from "../src/publication/renderer.ts";
import { openStore } from "../src/store/store.ts";
import { freePort } from "../test/support/free-port.ts";
import { serveProgram, temporaryFolder } from "../test/support/program.ts";
import { processorSeconds } from "./processor.ts";
import { writeTable } from "./table-import.ts";

/** A file may have 200 MB, and a row has some 380 bytes. */
const ROWS_OF_A_FILE = 250_000;

/** Milliseconds of processor time, of all threads. */
export interface StoreCosts {
  readonly import: number;
  readonly render: number;
  readonly start: number;
}

/** Measures each round on a new store of so many reviews. */
export async function storeCosts(size: number, rounds: number): Promise<StoreCosts[]> {
  const costs: StoreCosts[] = [];
  for (let round = 0; round < rounds; round++) costs.push(await measureStore(size));
  return costs;
}

async function measureStore(size: number): Promise<StoreCosts> {
  using folder = temporaryFolder();
  const databaseUrl = `sqlite:${join(folder.path, "goodword.db")}`;
  const files = writeTables(folder.path, size);
  return {
    import: await importMs(databaseUrl, files),
    render: await renderMs(databaseUrl),
    start: await startMs(folder.path),
  };
}

/** Writes so many reviews to as many files as they need, and gives their paths. */
function writeTables(folder: string, reviews: number): string[] {
  const starts = Array.from({ length: Math.ceil(reviews / ROWS_OF_A_FILE) }, (_, index) => index * ROWS_OF_A_FILE);
  return starts.map((from) => writeTable(folder, { from, rows: Math.min(ROWS_OF_A_FILE, reviews - from) }));
}

/** What the import of files takes, in this process. */
async function importMs(databaseUrl: string, files: readonly string[]): Promise<number> {
  const store = await openStore(databaseUrl);
  const before = process.cpuUsage();
  await importPaths(store, files, { source: "google", now: new Date() });
  const took = processorMs(before);
  await store.close();
  return took;
}

/** What a thread takes for the edition of a store that it knows nothing of. The loading of its code is part of it. */
async function renderMs(databaseUrl: string): Promise<number> {
  const settings = { databaseUrl, baseUrl: "http://localhost" };
  const alive = setInterval(() => {}, 60_000); // the thread keeps no process running
  const worker = openRenderer(settings, (problem) => console.warn(problem));
  const before = process.cpuUsage();
  await worker.render();
  const took = processorMs(before);
  await worker.close();
  clearInterval(alive);
  return took;
}

/** What the program takes to its first answers from the edition that it kept when it stopped. */
async function startMs(folder: string): Promise<number> {
  const port = String(await freePort()); // an edition is kept for an address
  const first = await serveProgram(folder, { PORT: port });
  if ((await first.stop()) !== 0) throw new Error("The server was cut off, and may have kept no edition");
  await using again = await serveProgram(folder, { PORT: port });
  const took = processorSeconds(again.process.pid ?? 0) * 1000;
  await again.stop();
  return took;
}

function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
