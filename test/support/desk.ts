/** A desk of the program as a child process, and requests to it as its pages make them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { BIN, environmentOf } from "./program.ts";

const POLL_MS = 50;

export interface OpenDesk extends AsyncDisposable {
  /** The address with the key. */
  readonly address: string;
  readonly origin: string;
  readonly pid: number;
  /** What it wrote to stderr until its end. */
  readonly complaints: Promise<string>;
  /** Resolves when it has ended; the signal is SIGKILL unless given. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts `goodword desk` in a folder, on a free port. */
export async function openDesk(
  folder: string,
  args: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<OpenDesk> {
  const child = spawn(process.execPath, [BIN, "desk", "--port", "0", ...args], {
    cwd: folder,
    env: environmentOf(folder, settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const complaints = text(child.stderr);
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line") as Promise<[string]>,
    exited.then(async () => Promise.reject(new Error(`The desk ended early: ${await complaints}`))),
  ]);
  const address = /^Desk: (http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{20,})$/.exec(line)?.[1] ?? "";
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  return {
    address,
    origin: new URL(address).origin,
    pid: child.pid ?? 0,
    complaints,
    kill: async (signal = "SIGKILL") => await end(signal),
    [Symbol.asyncDispose]: async () => await end("SIGTERM"),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** One request, with exactly the headers that are given. */
export async function askDesk(url: string, { method = "GET", headers = {}, body = "" }: Asked = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request(url, { method, headers, agent: false }, (incoming) => {
    text(incoming).then(
      (read) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: read }),
      reject,
    );
  });
  sent.on("error", reject);
  sent.end(body);
  return await promise;
}

type Fields = Readonly<Record<string, string | File>>;

/** A browser's session: its cookie, and the token of its forms. */
export interface DeskSession {
  readonly cookie: string;
  readonly token: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends a form, and does not follow the redirect. */
  post(path: string, fields: Fields): Promise<Answer>;
  /** Sends a form, as a page of the desk would. Follows the redirect, and waits until what was begun has ended. */
  send(path: string, fields: Fields): Promise<Answer>;
}

/** Opens the desk by its key. */
export async function enter({ address, origin }: Pick<OpenDesk, "address" | "origin">): Promise<DeskSession> {
  const entered = await askDesk(address);
  const cookie = String(entered.headers["set-cookie"]).split(";")[0] ?? "";
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    askDesk(`${origin}${path}`, { headers: { Cookie: cookie, ...headers } });
  const pages = [await get("/"), await get("/import")]; // a desk with sites has no imports, one without business no start
  const token = /name="token" value="([^"]+)"/.exec(pages.map((page) => page.text).join())?.[1] ?? "";
  const post = async (path: string, fields: Fields): Promise<Answer> => {
    const form = new FormData();
    form.append("token", token);
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const made = new Request(origin, { method: "POST", body: form });
    const headers = { Cookie: cookie, Origin: origin, "Content-Type": made.headers.get("Content-Type") ?? "" };
    const body = new Uint8Array(await made.arrayBuffer());
    return await askDesk(`${origin}${path}`, { method: "POST", headers, body });
  };
  return {
    cookie,
    token,
    get,
    post,
    async send(path, fields) {
      const answer = await post(path, fields);
      let shown = answer;
      for (let path = ""; shown.status === 303 || shown.text.includes("data-waiting="); shown = await get(path)) {
        if (shown.status === 303) path = String(shown.headers.location);
        else await wait(POLL_MS);
      }
      return shown;
    },
  };
}
