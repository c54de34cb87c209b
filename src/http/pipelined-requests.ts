/**
 * Has the requests that a client sends one behind the other wait for each other's answers. They are valid (RFC 9112 §9.3.2),
 * but Node starts all that arrive in one piece, thousands of them, in one turn of the event loop, before it looks whether
 * the client reads any answer. Here what exceeds some requests stays unparsed until those are answered.
 */
import type { Server, Socket } from "node:net";

/** A piece up to this size is parsed as a whole: it is one request, in most cases, and a few dozen at the most. */
const PIECE_BYTES = 1_024;
/** Requests of a connection that are begun in one turn of the event loop, and that are under way at once. */
const MOST_OF_TURN = 16;
const MOST_UNDER_WAY = 32;

interface Connection {
  begun: number;
  underWay: number;
  /** Parses what waits, in the next turn. */
  readonly goOn: () => void;
}

/** Watches the connections of an HTTP server. Call it after whatever else takes the data of a connection before Node. */
export function paceRequests(server: Server): void {
  const connections = new WeakMap<Socket, Connection>();
  const listeners = new WeakMap<Socket, (bytes: Buffer) => void>();

  server.on("connection", (socket) => {
    const [parse, ...others] = socket.listeners("data") as ((bytes: Buffer) => void)[];
    if (parse === undefined || others.length > 0) return; // Node has changed: then nothing waits
    let waiting: Buffer[] = [];
    let isScheduled = false;
    const endings = socket.listeners("end") as (() => void)[];
    let hasEnded = false;
    const connection: Connection = { begun: 0, underWay: 0, goOn };
    connections.set(socket, connection);

    function goOn(): void {
      if (waiting.length === 0 || isScheduled) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        connection.begun = 0;
        parseWaiting();
      });
    }

    function mayParse(): boolean {
      return connection.begun < MOST_OF_TURN && connection.underWay < MOST_UNDER_WAY && !isPausedByNode(socket);
    }

    function take(bytes: Buffer): void {
      if (waiting.length === 0 && bytes.length <= PIECE_BYTES && connection.underWay < MOST_UNDER_WAY) {
        connection.begun = 0;
        parse?.call(socket, bytes);
        return;
      }
      if (waiting.length === 0) connection.begun = 0;
      waiting.push(bytes);
      parseWaiting();
    }

    function parseWaiting(): void {
      for (let [bytes] = waiting; bytes !== undefined && mayParse() && !socket.destroyed; [bytes] = waiting) {
        if (bytes.length <= PIECE_BYTES) waiting.shift();
        else waiting[0] = bytes.subarray(PIECE_BYTES);
        parse?.call(socket, bytes.subarray(0, PIECE_BYTES));
      }
      if (socket.destroyed) waiting = [];
      if (waiting.length === 0) {
        if (hasEnded) end();
        else if (socket.isPaused() && !isPausedByNode(socket)) socket.resume();
        return;
      }
      socket.pause();
      // Otherwise an answer, or Node, has it go on.
      if (connection.underWay < MOST_UNDER_WAY && !isPausedByNode(socket)) goOn();
    }

    /** Tells Node that the client sends no more, once all that it has sent has been parsed. */
    function end(): void {
      for (const ending of endings.splice(0)) ending.call(socket);
    }

    socket.removeListener("data", parse);
    socket.on("data", take);
    listeners.set(socket, take);
    socket.on("resume", goOn);
    for (const ending of endings) socket.removeListener("end", ending);
    socket.on("end", () => {
      hasEnded = true;
      if (waiting.length === 0) end();
    });
  });

  for (const event of ["request", "checkExpectation"]) {
    server.prependListener(
      event,
      ({ socket }: { readonly socket: Socket }, answer: { once(event: "close", end: () => void): void }) => {
        const connection = connections.get(socket);
        if (connection === undefined) return;
        connection.begun++;
        connection.underWay++;
        answer.once("close", () => {
          connection.underWay--;
          connection.goOn();
        });
      },
    );
  }

  // Node's parser leaves the connection then, and must get no more bytes of it.
  server.prependListener("connect", (_request: unknown, socket: Socket) => {
    const take = listeners.get(socket);
    if (take !== undefined) socket.removeListener("data", take);
  });
}

/** Whether Node waits until the client has read more: its parser must get nothing then. Node does not document this. */
function isPausedByNode(socket: Socket): boolean {
  return (socket as Socket & { readonly _paused?: boolean })._paused === true;
}
