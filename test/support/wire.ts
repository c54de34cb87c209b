/** Requests as they go over the wire: no decompression, no redirects, any header, any bytes. */
import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { until } from "./within.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

/** Asks once, on a connection of its own. */
export async function ask(url: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> {
  const outgoing = httpRequest(url, { method, headers, agent: false });
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  const bytes = await buffer(incoming);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes, text: bytes.toString("utf8") };
}

/** Asks until a site has an edition: on a busy machine that takes longer than a request waits for it. */
export async function askPatiently(...asked: Parameters<typeof ask>): Promise<Answer> {
  let answer = await ask(...asked);
  const isStarting = () => answer.status === 503 && answer.text.includes("Still starting");
  await until(async () => {
    if (isStarting()) answer = await ask(...asked);
    return !isStarting();
  });
  return answer;
}

/** The JSON of an answer. */
export function json(answer: Answer): unknown {
  return JSON.parse(answer.text);
}

/** The text that markup shows, without its entities. */
export function unescaped(markup: string): string {
  const plain = markup.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&lt;", "<");
  return plain.replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** Writes the bytes to a new connection and gives all that comes back until the other side closes, or nothing more comes. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.on("error", () => {});
  socket.setTimeout(60_000, () => socket.destroy());
  socket.end(bytes);
  await once(socket, "close");
  return Buffer.concat(parts).toString("latin1");
}
