/**
 * Answers a request whose bytes are those of an earlier one without parsing it again. Clients send the same head again
 * and again, and Node's parser, its objects for a request and a response and the writing of headers cost several times
 * what the answer itself does. No bytes are interpreted here: a head is known because Node has parsed exactly these
 * bytes before, found a plain request for a ready document in them, and nothing else. All other bytes go to Node, with
 * all its limits and deadlines, and so does the first request of each connection.
 */
import type { Server, Socket } from "node:net";
import type { AnswerBytes, Asked, DocumentAnswers, PlainRequest } from "./document-answers.ts";

/** Longer heads are not remembered. */
const LONGEST_HEAD = 2_048;
const MOST_REMEMBERED = 1_000;
const HEAD_END = "\r\n\r\n";

/** A head that Node has parsed. */
interface Known {
  readonly bytes: Buffer;
  readonly asked: Asked;
}

interface Found {
  requests: number;
  asked: Asked | undefined;
}

export interface RepeatedRequests {
  /** Tells of a request that has been answered from `answers`, so that its bytes are known from now on. */
  learn(socket: Socket, request: PlainRequest): void;
  /** From now on, all requests go to Node. */
  stop(): void;
}

/** Watches the connections of an HTTP server. `isQuiet` returns whether no response is in progress on a connection. */
export function answerRepeated(
  server: Server,
  answers: DocumentAnswers,
  isQuiet: (socket: Socket) => boolean,
): RepeatedRequests {
  const known = new Map<string, Known>();
  /** What Node finds in the head that it is parsing, by connection. */
  const parsing = new Map<Socket, Found>();
  const listeners = new WeakMap<Socket, (bytes: Buffer) => void>();
  let isStopped = false;

  server.on("connection", (socket) => {
    const [parse, ...others] = socket.listeners("data") as ((bytes: Buffer) => void)[];
    if (parse === undefined || others.length > 0) return; // Node has changed: then it answers everything
    let isBetweenRequests = false;
    let latest: Known | undefined;
    let unsent = 0;
    const onSent = () => {
      unsent -= 1;
    };

    function take(bytes: Buffer): void {
      const found = isBetweenRequests && !isStopped && unsent < 2 ? knownOf(bytes) : undefined;
      const answer = found !== undefined && isQuiet(socket) ? answers.bytesOf(found.asked) : undefined;
      if (answer === undefined) give(bytes);
      else send(answer);
    }

    /** Most connections send the same head again: to compare it costs less than to find it among all. */
    function knownOf(bytes: Buffer): Known | undefined {
      if (latest?.bytes.equals(bytes)) return latest;
      if (bytes.length > LONGEST_HEAD) return undefined;
      latest = known.get(bytes.toString("latin1"));
      return latest;
    }

    function send({ head, body }: AnswerBytes): void {
      unsent += 1;
      const last = body.at(-1);
      if (last === undefined) {
        socket.write(head, onSent);
        return;
      }
      socket.cork(); // one system call for all
      socket.write(head);
      for (const piece of body.slice(0, -1)) socket.write(piece);
      socket.write(last, onSent);
      socket.uncork();
    }

    /** Has Node parse the bytes. If they were one plain request and nothing else, they need not be parsed again. */
    function give(bytes: Buffer): void {
      const head = bytes.length <= LONGEST_HEAD ? bytes.toString("latin1") : "";
      if (!isWholeHead(head)) {
        isBetweenRequests = false;
        parse?.call(socket, bytes);
        return;
      }
      const found: Found = { requests: 0, asked: undefined };
      parsing.set(socket, found);
      const wasBetween = isBetweenRequests || socket.bytesRead === bytes.length;
      parse?.call(socket, bytes);
      parsing.delete(socket);
      isBetweenRequests = wasBetween && found.requests === 1 && found.asked !== undefined;
      if (!isBetweenRequests || found.asked === undefined || known.has(head)) return;
      if (known.size >= MOST_REMEMBERED) known.clear();
      const copy = Buffer.allocUnsafeSlow(head.length); // memory of its own: what is kept of Node's pool keeps 64 kB
      copy.write(head, "latin1");
      known.set(head, { bytes: copy, asked: found.asked });
    }

    socket.removeListener("data", parse);
    socket.on("data", take);
    listeners.set(socket, take);
  });

  server.prependListener("request", ({ socket }: { readonly socket: Socket }) => {
    const found = parsing.get(socket);
    if (found !== undefined) found.requests += 1;
  });

  // Node's parser leaves the connection then, and must get no more bytes of it.
  server.prependListener("connect", (_request: unknown, socket: Socket) => {
    const take = listeners.get(socket);
    if (take !== undefined) socket.removeListener("data", take);
  });

  return {
    learn(socket, request) {
      const found = parsing.get(socket);
      if (found !== undefined) found.asked = answers.asked(request);
    },
    stop() {
      isStopped = true;
    },
  };
}

function isWholeHead(head: string): boolean {
  return head.startsWith("GET /") && head.indexOf(HEAD_END) === head.length - HEAD_END.length;
}
