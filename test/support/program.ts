/** The whole program as a child process, as a user runs it, on a store of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { isMoreThanOne } from "./test-runs.ts";

export const BIN = join(import.meta.dirname, "..", "..", "bin", "goodword.js");

/** As `npm start` runs it: with one thread of V8's own, which takes a fourteenth less of the processor. */
const PROGRAM = ["--v8-pool-size=1", BIN];

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** The parsed log lines so far. */
  readonly log: readonly Record<string, unknown>[];
  /** The first log line, past or to come, that satisfies the predicate. */
  logged(predicate: (entry: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** A new empty folder, removed when it is disposed of. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "goodword-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The environment of a program whose store lies in `folder`. */
export function environmentOf(folder: string, settings: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const certificates = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
  return { PATH, HOME, ...certificates, DATABASE_URL: `sqlite:${join(folder, "goodword.db")}`, ...settings };
}

/** The settings of a program in `folder`: with the store of its replicas or its site, if it is more than one program. */
async function settingsOf(folder: string, settings: Readonly<Record<string, string>>) {
  return isMoreThanOne() ? { DATABASE_URL: await (await manyPrograms()).storeOf(folder), ...settings } : settings;
}

/** Loaded only where it is needed, because it loads most of the program. */
const manyPrograms = async () => await import("./replicas.ts");

/** Runs a command to its end. */
export async function run(
  folder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    cwd: folder,
    env: environmentOf(folder, await settingsOf(folder, settings)),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

/** Starts serving on a free port and waits until the first edition is out. */
export async function serveProgram(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<Served> {
  if (isMoreThanOne()) return await (await manyPrograms()).serveReplicas(folder, settings, args);
  const { published, ...starting } = startProgram(folder, settings, args);
  const url = await published;
  return { ...starting, url, port: Number(new URL(url).port) };
}

/** A program that may not serve yet. */
export interface Starting extends Omit<Served, "url" | "port"> {
  /** The address, once the first edition is out. Rejects when the program ends before. */
  readonly published: Promise<string>;
}

/** Starts serving, on a free port unless `PORT` is set, and waits for nothing. */
export function startProgram(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Starting {
  const port = settings.PORT ?? "0";
  const child = spawn(process.execPath, [...PROGRAM, "serve", "--port", port, ...args], {
    cwd: folder,
    env: environmentOf(folder, settings),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  const log: Record<string, unknown>[] = [];
  const waiting = new Set<(entry: Record<string, unknown>) => void>();
  const published = Promise.withResolvers<string>();
  let listening = "";
  let isPublished = false;
  createInterface(child.stderr).on("line", (line) => {
    const entry = parseLine(line);
    log.push(entry);
    for (const tell of waiting) tell(entry);
    if (typeof entry.url === "string" && typeof entry.port === "number") listening = `http://localhost:${entry.port}`;
    if ("reviews" in entry) isPublished = true; // the edition of the last run is out before the port is told
    if (isPublished && listening !== "") published.resolve(listening);
  });
  exited.then(() => published.reject(new Error(`The program ended early: ${JSON.stringify(log)}`))).catch(() => {});
  published.promise.catch(() => {}); // who does not wait for it looks at the exit code
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  const logged = (predicate: (entry: Record<string, unknown>) => boolean) => {
    const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
    const tell = (entry: Record<string, unknown>) => {
      if (!predicate(entry)) return;
      waiting.delete(tell);
      resolve(entry);
    };
    waiting.add(tell);
    for (const entry of log) tell(entry);
    return promise;
  };
  return {
    published: published.promise,
    logged,
    process: child,
    log,
    stop: () => end("SIGTERM"),
    [Symbol.asyncDispose]: async () => void (await end("SIGKILL")),
    kill: async () => void (await end("SIGKILL")),
  };
}

function parseLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { text: line };
  }
}
