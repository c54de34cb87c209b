/** A client that asks on a few connections, each time with a head that no server has seen before. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

const CONNECTIONS = 16;
const HEAD_END = "\r\n\r\n";

let sent = 0;

/** A request as a reader behind a proxy sends it: with an address and a program of its own. */
function newHead({ pathname, host }: URL, headers: string): string {
  sent++;
  const address = `198.${18 + ((sent >> 16) & 1)}.${(sent >> 8) & 255}.${sent & 255}`;
  return (
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Reader/${sent}\r\n` +
    `Accept: application/json, */*;q=0.8\r\n${headers}X-Forwarded-For: ${address}${HEAD_END}`
  );
}

/** One connection, on which one request at a time is under way. */
class Connection {
  readonly #socket: Socket;
  /** Bytes of the answer that have not arrived; undefined before its head. */
  #missing: number | undefined;
  #answered: (() => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor({ hostname, port }: URL, status: number) {
    const start = `HTTP/1.1 ${status} `;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on("error", (error) => this.#failed?.(error));
    this.#socket.on("close", () => this.#failed?.(new Error("the connection was closed")));
    this.#socket.on("data", (bytes: Buffer) => {
      if (this.#missing === undefined) {
        const end = bytes.indexOf(HEAD_END);
        const head = bytes.toString("latin1", 0, end);
        if (!head.startsWith(start)) return this.#failed?.(new Error(`unexpected answer: ${head.slice(0, 200)}`));
        const length = status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
        this.#missing = end + HEAD_END.length + length;
      }
      this.#missing -= bytes.length;
      if (this.#missing > 0) return;
      this.#missing = undefined;
      this.#answered?.();
    });
  }

  async ask(head: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#answered = resolve;
    this.#failed = reject;
    this.#socket.write(head, "latin1");
    await promise;
  }

  async close(): Promise<void> {
    this.#failed = undefined;
    this.#socket.destroy();
    await once(this.#socket, "close");
  }
}

/**
 * Asks `count` times, on connections that are open and have been used when `onStart` is called.
 * @throws Error if an answer has another status.
 */
export async function askOften(
  url: URL,
  { headers, status, count, onStart }: { headers: string; status: number; count: number; onStart: () => void },
): Promise<void> {
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(url, status));
  await Promise.all(connections.map((each) => each.ask(newHead(url, headers))));
  onStart();
  let left = count;
  await Promise.all(
    connections.map(async (each) => {
      for (; left > 0; ) {
        left--;
        await each.ask(newHead(url, headers));
      }
    }),
  );
  await Promise.all(connections.map((each) => each.close()));
}
