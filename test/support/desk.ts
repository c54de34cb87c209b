/** A desk of the program as a child process, and requests to it as its pages make them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { BIN, environmentOf } from "./program.ts";

export interface OpenDesk extends AsyncDisposable {
  /** The address with the key. */
  readonly address: string;
  readonly origin: string;
  readonly pid: number;
  /** What it wrote to stderr until its end. */
  readonly complaints: Promise<string>;
  /** SIGKILL. */
  kill(): Promise<void>;
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
    kill: async () => await end("SIGKILL"),
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

/** A browser's session: its cookie, and the token of its forms. */
export interface DeskSession {
  readonly cookie: string;
  readonly token: string;
  get(path: string): Promise<Answer>;
  /** Sends a form, as a page of the desk would. Follows the redirect. */
  send(path: string, fields: Readonly<Record<string, string | File>>): Promise<Answer>;
}

/** Opens the desk by its key. */
export async function enter({ address, origin }: Pick<OpenDesk, "address" | "origin">): Promise<DeskSession> {
  const entered = await askDesk(address);
  const cookie = String(entered.headers["set-cookie"]).split(";")[0] ?? "";
  const get = (path: string) => askDesk(`${origin}${path}`, { headers: { Cookie: cookie } });
  const pages = [await get("/"), await get("/import")]; // a desk with sites has no imports, one without business no start
  const token = /name="token" value="([^"]+)"/.exec(pages.map((page) => page.text).join())?.[1] ?? "";
  return {
    cookie,
    token,
    get,
    async send(path, fields) {
      const form = new FormData();
      form.append("token", token);
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const made = new Request(origin, { method: "POST", body: form });
      const headers = { Cookie: cookie, Origin: origin, "Content-Type": made.headers.get("Content-Type") ?? "" };
      const body = new Uint8Array(await made.arrayBuffer());
      const answer = await askDesk(`${origin}${path}`, { method: "POST", headers, body });
      return answer.status === 303 ? await get(String(answer.headers.location)) : answer;
    },
  };
}
