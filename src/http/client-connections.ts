/**
 * The open connections of clients: what is under way on each, and which is closed to make room for another. Node's own
 * notion of idle does not suffice: Node counts a response as finished once it is written, although most of it may still
 * wait for a slow client.
 */
import type { Server, Socket } from "node:net";
import { networkOf, widerNetworkOf } from "../outbound/address-class.ts";

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
  readonly req: { readonly complete: boolean; readonly readableLength: number };
  setHeader(name: string, value: string): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** One customer can have a wider network (65,536 /64 of IPv6), and so can many: it counts as one with this part of it. */
const CLIENTS_OF_WIDER_NETWORK = 16;

/** The connections of a client, or of the wider network around it. */
interface Network {
  readonly name: string;
  readonly wider?: Network;
  connections: number;
}

interface Connection {
  readonly client: Network;
  /** The number of its latest request among those of all connections: the lowest is the longest ago. */
  lastUse: number;
  /** The response to its latest request. Responses are sent in order, so it is the last one to end. */
  latest: Outgoing | undefined;
  /** Requests that arrived before the response to the one before them was sent, and are under way. */
  pipelined: number;
  /** Whether reading from it is suspended. */
  isHeldBack: boolean;
  /** Whether it ends because of what followed its latest request. */
  isCut: boolean;
  /** Whether it ends after its next response, and whether that response is under way. */
  end: "open" | "after the next" | "after the latest";
}

/** A connection that may be closed for another. */
interface Candidate extends Pick<Connection, "lastUse"> {
  readonly socket: Socket | undefined;
  readonly share: number;
  readonly state: number;
}

export interface ClientConnections {
  count(): number;
  /** Tracks a response until its last byte is sent. False if nothing is to be answered any more on this connection. */
  watch(socket: Socket, outgoing: Outgoing): boolean;
  /** Ends a connection with an error status; without one if it would become a part of another response. */
  refuse(socket: Socket, status: number): void;
  /** Ends a connection once the responses to the requests before are sent; false if none is under way. */
  endAfterLatest(socket: Socket): boolean;
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
  /** Called when a connection gives way to another, or gets no place: its request may be on its way. */
  readonly onUnread?: (() => void) | undefined;
}

/** Tracks the connections of a server. */
export function watchConnections(server: Server, { max, endWith, onUnread }: ConnectionSettings): ClientConnections {
  const open = new Map<Socket, Connection>();
  const networks = new Map<string, Network>();
  let uses = 0;
  let isDraining = false;
  server.on("connection", (socket) => {
    // Node removes its own listeners at CONNECT. Without a listener for errors, a reset would then end the process;
    // without one for timeouts, the connection could stay open for ever.
    socket.on("error", ignore);
    socket.on("timeout", destroy);
    const client = clientOf(socket);
    if (open.size >= max) {
      onUnread?.();
      if (!makeRoomFor(client)) return endWith(socket, 503);
    }
    enter(client);
    const connection: Connection = {
      client,
      lastUse: uses++,
      latest: undefined,
      pipelined: 0,
      isHeldBack: false,
      isCut: false,
      end: "open",
    };
    open.set(socket, connection);
    socket.on("resume", () => connection.isHeldBack && socket.pause()); // Node resumes it after each parsed request
    socket.once("close", () => forget(socket));
  });

  function clientOf({ remoteAddress = "" }: Socket): Network {
    const name = networkOf(remoteAddress);
    const around = `around ${widerNetworkOf(name)}`;
    const wider = networks.get(around) ?? { name: around, connections: 0 };
    return networks.get(name) ?? { name, wider, connections: 0 };
  }

  function enter(network: Network): void {
    networks.set(network.name, network);
    network.connections++;
    if (network.wider !== undefined) enter(network.wider);
  }

  function leave(network: Network): void {
    network.connections--;
    if (network.connections === 0) networks.delete(network.name);
    if (network.wider !== undefined) leave(network.wider);
  }

  function forget(socket: Socket): void {
    const connection = open.get(socket);
    if (connection !== undefined && open.delete(socket)) leave(connection.client);
  }

  /**
   * Closes a connection of the client that has the most, so that no client shuts out another. One that waits for the
   * server is closed only if its client keeps more than the new one gets, the others also if it then has as many.
   */
  function makeRoomFor(newcomer: Network): boolean {
    const share = shareOf(newcomer);
    let closed: Candidate = { socket: undefined, share: 0, state: State.waitsForServer, lastUse: 0 };
    for (const [socket, connection] of open) {
      const shareOfThis = shareOf(connection.client);
      if (shareOfThis < share || shareOfThis < closed.share) continue;
      const { lastUse } = connection;
      // Most connections end here at the limit, without a look at their state.
      if (closed.state === State.idle && shareOfThis === closed.share && lastUse > closed.lastUse) continue;
      const candidate = { socket, share: shareOfThis, state: stateOf(socket, connection), lastUse };
      if (candidate.state === State.waitsForServer && shareOfThis <= share + 1) continue;
      if (closed.socket === undefined || precedes(candidate, closed)) closed = candidate;
    }
    if (closed.socket === undefined) return false;
    closed.socket.destroy();
    forget(closed.socket);
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
        if (connection.isCut) return;
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
    endAfterLatest(socket) {
      const connection = open.get(socket);
      const latest = connection?.latest;
      if (connection === undefined || isQuiet(connection) || latest?.req.complete !== true) return false;
      if (connection.isCut) return true;
      connection.isCut = true;
      connection.end = "after the latest";
      holdBack(socket, connection);
      if (!latest.headersSent) latest.setHeader("Connection", "close");
      endIfQuiet(socket, connection);
      return true;
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

/** How much of the connections a client has: its own, or its part of those of the wider network. */
function shareOf({ connections, wider }: Network): number {
  return Math.max(connections, (wider?.connections ?? 0) / CLIENTS_OF_WIDER_NETWORK);
}

/** What a connection waits for, in the order in which they are closed. */
const State = { idle: 0, waitsForClient: 1, waitsForServer: 2 } as const;

/** The client is waited for if it owes bytes of its request that the server is ready to read, or does not read. */
function stateOf(socket: Socket, connection: Connection): number {
  if (isQuiet(connection)) return State.idle;
  const request = connection.latest?.req;
  const owesBytes = request?.complete === false && request.readableLength === 0;
  return owesBytes || socket.writableLength > 0 ? State.waitsForClient : State.waitsForServer;
}

/** Whether the one is closed rather than the other. */
function precedes(one: Candidate, other: Candidate): boolean {
  if (one.share !== other.share) return one.share > other.share;
  return one.state === other.state ? one.lastUse < other.lastUse : one.state < other.state;
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
