/**
 * Suites of the interface over several processes on one PostgreSQL: where GOODWORD_TEST_REPLICAS is set, what a test
 * starts as one program is that many, behind a proxy that gives each request to one of them at random.
 * GOODWORD_TEST_SEED repeats a choice.
 */
import { randomInt } from "node:crypto";
import { after } from "node:test";
import { SAMPLE_FOLDER } from "../../scripts/sample-snapshot.ts";
import type { SessionKey } from "../../src/store/session-keys.ts";
import { openStore } from "../../src/store/store.ts";
import { emptyDatabase, stopPostgres } from "./postgres-server.ts";
import { run, type Served, type Starting, serveProgram, temporaryFolder } from "./program.ts";
import { openSpreadingProxy } from "./spreading-proxy.ts";

/** How many processes a program is; 0 when it is what it is everywhere else: one, with an embedded store. */
export const REPLICAS = Number(process.env.GOODWORD_TEST_REPLICAS ?? 0);

const SEED = Number(process.env.GOODWORD_TEST_SEED ?? randomInt(2 ** 31));

const databases = new Map<string, Promise<string>>();

/** The database of the programs that run in a folder, instead of the file that would lie there. */
export async function databaseOf(folder: string): Promise<string> {
  if (databases.size === 0) after(stopPostgres);
  const known = databases.get(folder) ?? emptyDatabase();
  databases.set(folder, known);
  return await known;
}

/** Starts one of the processes. */
export type Start = (settings: Readonly<Record<string, string>>) => Starting;

/** Starts the processes one after the other behind their proxy. What is told of them is told as of one. */
export async function serveReplicas(start: Start, settings: Readonly<Record<string, string>>): Promise<Served> {
  const proxy = await openSpreadingProxy(SEED);
  const url = `http://localhost:${proxy.port}`;
  const started: Starting[] = [];
  try {
    const ports: number[] = [];
    for (let count = 0; count < REPLICAS; count++) {
      const one = start({ BASE_URL: url, ...settings });
      started.push(one);
      ports.push(Number(new URL(await one.published).port));
    }
    proxy.spreadOver(ports);
    const [first] = started;
    if (first === undefined) throw new Error("GOODWORD_TEST_REPLICAS is not a number above 0");
    const close = async (how: "stop" | "kill") => {
      const codes = await Promise.all(started.map((one) => one[how]()));
      if (!closed) {
        const [least = 0] = proxy.counts().toSorted((a, b) => a - b);
        const all = proxy.counts().reduce((sum, count) => sum + count, 0);
        if (all >= 40 && least === 0) throw new Error(`A process was asked nothing: ${proxy.counts().join(", ")}`);
        process.stdout.write(`# seed ${SEED}, requests of each process: ${proxy.counts().join(", ")}\n`);
      }
      closed = true;
      await proxy.close().catch(() => {});
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
  const store = await openStore(await databaseOf(folder.path));
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
