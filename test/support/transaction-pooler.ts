/**
 * A pooler in transaction mode, as PgBouncer is one: few connections to the database for many clients, and each
 * transaction of a client on another of them. What a client leaves behind on its session is so met by somebody else.
 */
import { createServer, type Socket } from "node:net";
import pg from "pg";
import { listening, through } from "./loopback.ts";

const READY = "Z".charCodeAt(0);
const TERMINATE = "X".charCodeAt(0);
const IDLE = "I".charCodeAt(0);
/** "You are who you say", and "ready, outside of a transaction". */
const WELCOME = Buffer.from([..."R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I"].map((letter) => letter.charCodeAt(0)));

export interface TransactionPooler extends AsyncDisposable {
  /** The database's URL through the pooler. */
  readonly url: string;
}

/** Opens a pooler with so many connections to the database at `url`. Who waits longest is served first. */
export async function openTransactionPooler(url: string, connections: number): Promise<TransactionPooler> {
  const idle: Socket[] = [];
  const waiting: ((server: Socket) => void)[] = [];
  const free = (server: Socket) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(server);
    else next(server);
  };
  const sessions = await Promise.all(Array.from({ length: connections }, () => openSession(url)));
  for (const { socket } of sessions) free(socket);

  function serve(client: Socket): void {
    let server: Socket | undefined;
    let asked: Buffer[] | undefined; // what came in while no connection was free
    const take = (taken: Socket) => {
      server = taken;
      const ends = makeEndOfTransaction();
      taken.on("data", (bytes: Buffer) => {
        client.write(bytes);
        if (!ends(bytes)) return;
        taken.removeAllListeners("data");
        server = undefined;
        free(taken);
      });
      for (const bytes of asked ?? []) taken.write(bytes);
      asked = undefined;
    };
    client.once("data", () => {
      client.write(WELCOME);
      client.on("data", (bytes: Buffer) => {
        if (server !== undefined) return void server.write(bytes);
        if (asked !== undefined) return void asked.push(bytes);
        if (bytes[0] === TERMINATE) return void client.end();
        asked = [bytes];
        const next = idle.shift();
        if (next === undefined) waiting.push(take);
        else take(next);
      });
    });
  }

  const listens = await listening(createServer(serve));
  return {
    url: through(url, listens),
    async [Symbol.asyncDispose]() {
      await listens.close();
      for (const { socket } of sessions) socket.destroy();
    },
  };
}

/** A session of the database that has logged in, as a bare socket. */
async function openSession(url: string): Promise<{ readonly socket: Socket }> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection;
  socket.removeAllListeners("data");
  return { socket };
}

/** Reads what the database sends. Returns whether the last message says that it is ready, outside of a transaction. */
function makeEndOfTransaction(): (bytes: Buffer) => boolean {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let isOver = false;
    for (;;) {
      if (rest.length < 5) return isOver;
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) return isOver;
      isOver = rest[0] === READY && rest[5] === IDLE;
      rest = rest.subarray(length);
    }
  };
}
