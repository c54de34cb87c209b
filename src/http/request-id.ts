/** Ids of requests, by which the log's lines about one request are found. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const HEADER = "X-Request-Id";

/** One request and how it was answered, for the access log. */
export interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
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
export function observe(
  request: IncomingMessage,
  answer: ServerResponse,
  onExchange: (exchange: Exchange) => void,
): void {
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

/** The id that the request was given, or a new one, and the header that tells it to the client. */
export function requestId(answer: ServerResponse | undefined): {
  readonly id: string;
  readonly headers: Record<string, string>;
} {
  const id = String(answer?.getHeader(HEADER) ?? randomUUID());
  return { id, headers: { [HEADER]: id } };
}
