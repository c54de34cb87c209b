/**
 * Suites of the interface over several processes on one PostgreSQL: where GOODWORD_TEST_REPLICAS is set, what a test
 * starts as one program is that many, behind a proxy that gives each request to one of them at random.
 * GOODWORD_TEST_SEED repeats a choice. `among-sites.ts` has each of them serve many sites.
 */
import { randomInt } from "node:crypto";
import { after } from "node:test";
import { SAMPLE_FOLDER } from "../../scripts/sample-snapshot.ts";
import type { SessionKey } from "../../src/store/session-keys.ts";
import { openStore } from "../../src/store/store.ts";
import { askOthers, databaseOfSites, folderOfSites, ownStoreUrl } from "./among-sites.ts";
import { emptyDatabase, stopPostgres } from "./postgres-server.ts";
import { run, type Served, type Starting, serveProgram, startProgram, temporaryFolder } from "./program.ts";
import { openSpreadingProxy } from "./spreading-proxy.ts";
import { REPLICAS, SITES } from "./test-runs.ts";
import { ask } from "./wire.ts";
import { until } from "./within.ts";

const SEED = Number(process.env.GOODWORD_TEST_SEED ?? randomInt(2 ** 31));

const databases = new Map<string, Promise<string>>();

/** The database of the programs that run in a folder, instead of the file that would lie there. */
async function databaseOf(folder: string): Promise<string> {
  if (databases.size === 0) after(stopPostgres);
  const key = SITES > 0 ? "" : folder;
  const known = databases.get(key) ?? (SITES > 0 ? databaseOfSites() : emptyDatabase());
  databases.set(key, known);
  return await known;
}

/** The store of the programs that run in a folder. */
export async function storeOf(folder: string): Promise<string> {
  const database = REPLICAS > 0 ? await databaseOf(folder) : undefined;
  return database === undefined || SITES > 0 ? ownStoreUrl(folder, database) : database;
}

type Settings = Readonly<Record<string, string>>;

/** Starts one of the processes. Resolves once it serves, to its port and the host to ask for. */
async function start(folder: string, settings: Settings, args: readonly string[], started: Starting[]) {
  const { BASE_URL = "", ...others } = settings;
  const database = REPLICAS > 0 ? { DATABASE_URL: await databaseOf(folder) } : {};
  if (SITES === 0) {
    const one = startProgram(folder, { ...database, ...settings }, args);
    started.push(one);
    return { port: Number(new URL(await one.published).port) };
  }
  const { path, host } = await folderOfSites(folder, BASE_URL, REPLICAS > 0);
  const one = startProgram(folder, { ...others, ...database }, [...args, "--sites", path]);
  started.push(one);
  const listening = one.logged(({ port }) => typeof port === "number");
  const { port } = (await Promise.race([listening, one.published])) as { port: number };
  const answer = async () => await ask(`http://127.0.0.1:${port}/reviews.json`, { headers: { Host: host } });
  const isEmpty = (await answer()).text.includes("Nothing is published here yet"); // on a busy machine it may only be slow
  if (isEmpty) await run(folder, ["import", SAMPLE_FOLDER], settings); // as one program would serve
  await until(async () => (await answer()).status === 200);
  return { port, host };
}

/** Starts the processes one after the other behind their proxy. What is told of them is told as of one. */
export async function serveReplicas(folder: string, settings: Settings, args: readonly string[]): Promise<Served> {
  const proxy = await openSpreadingProxy(SEED);
  const url = `http://localhost:${proxy.port}`;
  const started: Starting[] = [];
  try {
    const ports: number[] = [];
    let host: string | undefined;
    for (let count = 0; count < Math.max(REPLICAS, 1); count++) {
      const serving = await start(folder, { BASE_URL: url, ...settings }, args, started);
      ports.push(serving.port);
      host = serving.host;
    }
    const others = askOthers(() => (SITES > 0 ? ports[0] : undefined));
    proxy.spreadOver(ports, { host, onRequest: others.look });
    const [first] = started;
    if (first === undefined) throw new Error("GOODWORD_TEST_REPLICAS is not a number above 0");
    const close = async (how: "stop" | "kill") => {
      const faults = how === "stop" ? await others.faults() : [];
      const codes = await Promise.all(started.map((one) => one[how]()));
      if (!closed) {
        const [least = 0] = proxy.counts().toSorted((a, b) => a - b);
        const all = proxy.counts().reduce((sum, count) => sum + count, 0);
        if (all >= 40 && least === 0) throw new Error(`A process was asked nothing: ${proxy.counts().join(", ")}`);
        process.stdout.write(`# seed ${SEED}, requests of each process: ${proxy.counts().join(", ")}\n`);
      }
      closed = true;
      await proxy.close().catch(() => {});
      if (faults.length > 0) throw new Error(`Other sites were not served as before: ${faults.join("\n")}`);
      return codes.find((code) => code !== 0) ?? 0;
    };
    let closed = false;
    return {
      url,
      port: ports[0] ?? 0,
      process: first.process,
      get log() {
        return started.flatMap(({ log }) => log);
      },
      logged: (predicate) => Promise.race(started.map((one) => one.logged(predicate))),
      stop: () => close("stop"),
      kill: async () => void (await close("kill")),
      [Symbol.asyncDispose]: async () => void (await close("kill")),
    };
  } catch (error) {
    await Promise.all(started.map((one) => one.kill()));
    await proxy.close();
    throw error;
  }
}

let sampleOrigin: Promise<string> | undefined;

/** The origin of replicas that serve the imported sample under a base URL, with a session key that tests know. */
export function openSampleReplicas(baseUrl: string, key: SessionKey): Promise<string> {
  sampleOrigin ??= serveSample(baseUrl, key);
  return sampleOrigin;
}

async function serveSample(baseUrl: string, { secret, made_at }: SessionKey): Promise<string> {
  const folder = temporaryFolder();
  const imported = await run(folder.path, ["import", SAMPLE_FOLDER]);
  if (imported.code !== 0) throw new Error(imported.stderr);
  const store = await openStore(await storeOf(folder.path));
  const row = { number: 1, secret: Buffer.from(secret).toString("hex"), made_at: made_at.toISOString() };
  await store.database.insertInto("session_key").values(row).execute();
  await store.close();
  const served = await serveProgram(folder.path, { BASE_URL: baseUrl, ALLOWED_HOSTS: "reviews.example.com" });
  after(async () => {
    await served.stop();
    folder[Symbol.dispose]();
  });
  return served.url;
}
