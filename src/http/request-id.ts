/** Ids of requests, which join the log's lines about one request. */
import { randomUUID } from "node:crypto";

const HEADER = "X-Request-Id";

/** The parts of Node's request that are read. */
interface SeenRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly bytesWritten: number };
}

/** The parts of Node's response that are used. */
interface SeenAnswer {
  readonly statusCode: number;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string): unknown;
  getHeader(name: string): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** One request and how it was answered, for the access log. */
export interface Exchange {
  readonly id: string;
  readonly request: SeenRequest;
  /** The address of the connection's peer. */
  readonly peer: string;
  readonly status: number;
  /** Bytes sent, headers included. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** False if the client left, or was cut off, before the end. */
  readonly isComplete: boolean;
}

/** Gives the request an id, which its answer carries, and calls `onExchange` once the answer has ended. */
export function observe(request: SeenRequest, answer: SeenAnswer, onExchange: (exchange: Exchange) => void): void {
  const id = randomUUID();
  const { socket } = request;
  const peer = socket.remoteAddress ?? "";
  const [startedAt, sentBefore] = [performance.now(), socket.bytesWritten];
  answer.setHeader(HEADER, id);
  answer.once("close", () => {
    const [bytes, milliseconds] = [socket.bytesWritten - sentBefore, performance.now() - startedAt];
    const { statusCode: status, writableFinished: isComplete } = answer;
    onExchange({ id, request, peer, status, bytes, milliseconds, isComplete });
  });
}

/** The id of a request, or a new one, and the header that names it to the client. */
export function requestId(answer: Pick<SeenAnswer, "getHeader"> | undefined): {
  readonly id: string;
  readonly headers: Record<string, string>;
} {
  const id = String(answer?.getHeader(HEADER) ?? randomUUID());
  return { id, headers: { [HEADER]: id } };
}
