/**
 * The open connections of clients: what is under way on each, and which is closed to make room for another. Node's own
 * notion of idle does not suffice: Node counts a response as finished once it is written, although most of it may still
 * wait for a slow client.
 */
import type { Server, Socket } from "node:net";
import { networkOf } from "../outbound/address-class.ts";

/**
 * A connection on which this many requests wait for earlier ones is not read until only `RESUMED_REQUESTS` do. Pipelining
 * is valid (RFC 9112 §9.3.2), but must not fill the memory of the server. Node parses what it has read as a whole: that
 * is up to 64 KiB, or 1,500 short requests.
 */
const MAX_PIPELINED_REQUESTS = 32;
const RESUMED_REQUESTS = 16;

/** The parts of Node's response that are used. */
interface Outgoing {
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
  readonly req: { readonly complete: boolean };
  setHeader(name: string, value: string): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** The connections of one address, or of one IPv6 network. */
interface Client {
  readonly network: string;
  connections: number;
}

interface Connection {
  readonly client: Client;
  /** The number of its latest request among those of all connections: the lowest is the longest ago. */
  lastUse: number;
  /** The response to its latest request. Responses are sent in order, so it is the last one to end. */
  latest: Outgoing | undefined;
  /** Requests that arrived before the response to the one before them was sent, and are under way. */
  pipelined: number;
  /** Whether reading from it is suspended. */
  isHeldBack: boolean;
  /** Whether it ends after its next response, and whether that response is under way. */
  end: "open" | "after the next" | "after the latest";
}

export interface ClientConnections {
  count(): number;
  /** Tracks a response until its last byte is sent. False if nothing is to be answered any more on this connection. */
  watch(socket: Socket, outgoing: Outgoing): boolean;
  /** Ends a connection with an error status; without one if it would become a part of another response. */
  refuse(socket: Socket, status: number): void;
  /** Ends a connection after its next response, which says so. */
  endAfterNext(socket: Socket): void;
  /** Ends each connection after its next response, which says so. */
  endAfterAnswer(): void;
  /** Ends each connection as soon as no response is under way on it. */
  endWhenQuiet(): void;
  /** Closes every connection at once. */
  cut(): void;
}

export interface ConnectionSettings {
  readonly max: number;
  /** Sends an error and closes the connection. */
  readonly endWith: (socket: Socket, status: number) => void;
}

/** Tracks the connections of a server. */
export function watchConnections(server: Server, { max, endWith }: ConnectionSettings): ClientConnections {
  const open = new Map<Socket, Connection>();
  const clients = new Map<string, Client>();
  let uses = 0;
  let isDraining = false;
  server.on("connection", (socket) => {
    // Node removes its own listeners at CONNECT. Without a listener for errors, a reset would then end the process;
    // without one for timeouts, the connection could stay open for ever.
    socket.on("error", ignore);
    socket.on("timeout", destroy);
    const network = networkOf(socket.remoteAddress ?? "");
    if (open.size >= max && !makeRoomFor(clients.get(network)?.connections ?? 0)) return endWith(socket, 503);
    const client = clients.get(network) ?? { network, connections: 0 };
    clients.set(network, client);
    client.connections++;
    const connection: Connection = {
      client,
      lastUse: uses++,
      latest: undefined,
      pipelined: 0,
      isHeldBack: false,
      end: "open",
    };
    open.set(socket, connection);
    socket.on("resume", () => connection.isHeldBack && socket.pause()); // Node resumes it after each parsed request
    socket.once("close", () => forget(socket));
  });

  function forget(socket: Socket): void {
    const client = open.get(socket)?.client;
    if (client === undefined || !open.delete(socket)) return;
    client.connections--;
    if (client.connections === 0) clients.delete(client.network);
  }

  /**
   * Closes a connection of the client that has the most, so that no client shuts out another: the one whose latest request
   * is the longest ago. One with a response under way is closed only if its client keeps more than the new one gets.
   */
  function makeRoomFor(connectionsOfClient: number): boolean {
    let most = 0;
    for (const { connections } of clients.values()) most = Math.max(most, connections);
    let [idle, busy]: [Socket?, Socket?] = [];
    let [idleUse, busyUse] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const [socket, connection] of open) {
      if (connection.client.connections < most) continue;
      if (isQuiet(connection) && connection.lastUse < idleUse) [idle, idleUse] = [socket, connection.lastUse];
      if (!isQuiet(connection) && connection.lastUse < busyUse) [busy, busyUse] = [socket, connection.lastUse];
    }
    const closed = idle ?? (most > connectionsOfClient + 1 ? busy : undefined);
    if (closed === undefined) return false;
    closed.destroy();
    forget(closed);
    return true;
  }

  function countPipelined(socket: Socket, connection: Connection, outgoing: Outgoing): void {
    connection.pipelined++;
    if (connection.pipelined === MAX_PIPELINED_REQUESTS) holdBack(socket, connection);
    outgoing.once("close", () => {
      connection.pipelined--;
      if (!connection.isHeldBack || connection.pipelined !== RESUMED_REQUESTS) return;
      // In a later turn of the event loop, so that other connections come first.
      setImmediate(() => {
        connection.isHeldBack = false;
        socket.resume();
      });
    });
  }

  function holdBack(socket: Socket, connection: Connection): void {
    connection.isHeldBack = true;
    socket.pause();
  }

  function endIfQuiet(socket: Socket, connection: Connection): void {
    if (isQuiet(connection)) socket.destroySoon();
    else connection.latest?.once("close", () => endIfQuiet(socket, connection));
  }

  return {
    count: () => open.size,
    watch(socket, outgoing) {
      const connection = open.get(socket);
      if (connection === undefined) return false;
      if (connection.end === "after the latest") {
        holdBack(socket, connection); // nothing follows a response that says "close" (RFC 9112 §9.6)
        return false;
      }
      if (connection.latest?.writableFinished === false) countPipelined(socket, connection, outgoing);
      connection.latest = outgoing;
      connection.lastUse = uses++;
      if (isDraining || connection.end === "after the next") {
        connection.end = "after the latest";
        outgoing.setHeader("Connection", "close");
      }
      return true;
    },
    refuse(socket, status) {
      const connection = open.get(socket);
      if (connection === undefined || isAnswering(connection)) socket.destroy();
      else endWith(socket, status);
    },
    endAfterNext(socket) {
      const connection = open.get(socket);
      if (connection?.end === "open") connection.end = "after the next";
    },
    endAfterAnswer() {
      isDraining = true;
    },
    endWhenQuiet() {
      isDraining = true;
      for (const [socket, connection] of open) endIfQuiet(socket, connection);
    },
    cut() {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

function ignore(): void {}

function destroy(this: Socket): void {
  this.destroy();
}

/** Whether no response is under way. */
function isQuiet({ latest }: Connection): boolean {
  return latest === undefined || latest.writableFinished;
}

/** Whether the next bytes that the client expects belong to a response: not if its request is still incomplete. */
function isAnswering(connection: Connection): boolean {
  const { latest, pipelined } = connection;
  return !isQuiet(connection) && (latest?.req.complete === true || latest?.headersSent === true || pipelined > 0);
}
