/**
 * The command of a checkout, run and served in a folder of its own with a clock that the caller sets. Only the command
 * line and HTTP are used, so it drives any version of the program.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** What documents name as their origin, on whichever port they are served. */
export const BASE_URL = "https://reviews.example.com";

/**
 * Preloaded into every process and thread of the program. A command's time stands still, so that what it commits has
 * the same date in every run. A server's goes on, because it waits for times; its documents have the dates of commits.
 *
 * `Date` is a proxy, since a date from another thread is no instance of a subclass.
 */
const CLOCK = `
const start = Number(process.env.TAGS_CLOCK_MS);
const isRunning = process.env.TAGS_CLOCK_RUNS === "true";
const now = () => (isRunning ? Math.floor(start + performance.now()) : start);
Date.now = now;
globalThis.Date = new Proxy(Date, {
  apply: (RealDate) => new RealDate(now()).toString(),
  construct: (RealDate, given, made) => Reflect.construct(RealDate, given.length === 0 ? [now()] : given, made),
});
`;

/** Later than every change: a server does not tell readers of a date that is in its future. */
const SERVER_TIME = Date.UTC(2028, 0, 1);
const STOP_MS = 20_000;
const MAX_REFUSALS = 100;
const REFUSAL_WAIT_MS = 200;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Ask = (path: string, asked?: Asked) => Promise<Answer>;

interface ServedProgram extends AsyncDisposable {
  readonly ask: Ask;
}

export interface DrivenProgram {
  /**
   * Runs a command at a time, in milliseconds since the epoch, and returns what it printed.
   * @throws Error with its output if it fails.
   */
  run(args: readonly string[], timeMs: number): Promise<string>;
  /** Serves a store in the folder; its documents are not awaited. */
  serve(store?: string): Promise<ServedProgram>;
}

/** The program of the checkout in `program`, with its store and everything else that it writes in `folder`. */
export function driveProgram(program: string, folder: string): DrivenProgram {
  const clock = join(folder, "clock.mjs");
  writeFileSync(clock, CLOCK);

  function start(args: readonly string[], { timeMs = SERVER_TIME, isRunning = false, store = "goodword.db" }) {
    const { PATH, HOME } = process.env;
    return spawn(process.execPath, [join(program, "bin", "goodword.js"), ...args], {
      cwd: folder,
      env: {
        ...{ PATH, HOME, BASE_URL, TZ: "UTC" },
        DATABASE_URL: `sqlite:${join(folder, store)}`,
        NODE_OPTIONS: `--import=${pathToFileURL(clock)}`,
        TAGS_CLOCK_MS: String(timeMs),
        TAGS_CLOCK_RUNS: String(isRunning),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  return {
    async run(args, timeMs) {
      const child = start(args, { timeMs });
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      if (child.exitCode === 0) return stdout;
      throw new Error(`goodword ${args.join(" ")} ended with ${child.exitCode}:\n${stderr}${stdout}`);
    },
    async serve(store) {
      const port = await freePort();
      const child = start(["serve", "--port", String(port)], { isRunning: true, ...(store ? { store } : {}) });
      const output: string[] = [];
      child.stdout.resume();
      child.stderr.setEncoding("utf8").on("data", (part: string) => output.push(part));
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      return {
        async ask(path, asked) {
          try {
            return await askPatiently(`http://127.0.0.1:${port}${path}`, { agent, ...asked });
          } catch (cause) {
            throw new Error(`No answer to ${path}. The server said:\n${output.join("")}`, { cause });
          }
        },
        [Symbol.asyncDispose]: async () => {
          agent.destroy();
          await stop(child);
        },
      };
    },
  };
}

/** The SHA-256 of a text or bytes, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Asks until the server neither refuses connections nor answers 503, as it does while it starts or is busy. */
async function askPatiently(url: string, asked: Asked & { readonly agent: Agent }): Promise<Answer> {
  for (let refusals = 0; ; refusals++) {
    try {
      const answer = await askOnce(url, asked);
      if (answer.status !== 503 || refusals === MAX_REFUSALS) return answer;
    } catch (error) {
      if (refusals === MAX_REFUSALS) throw error;
    }
    await setTimeout(REFUSAL_WAIT_MS);
  }
}

async function askOnce(url: string, { method = "GET", headers = {}, body, agent }: Asked & { readonly agent: Agent }) {
  const all = { Host: new URL(BASE_URL).host, "Accept-Encoding": "identity", ...headers };
  const outgoing = httpRequest(url, { method, headers: all, agent });
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await buffer(incoming) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await Promise.race([exited, setTimeout(STOP_MS, undefined, { ref: false }).then(() => child.kill("SIGKILL"))]);
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
