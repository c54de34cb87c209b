/**
 * Which user of this machine is at the other end of a connection to the desk. Browsers send a host's cookies to all of its
 * ports, so that another user's server on this machine can read the cookie of a session; it is of no use to that user.
 * Only Linux tells.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/** Files of the kernel that list this machine's connections (proc_pid_net(5)). */
const TABLES = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];
const LOOPBACK = ["0100007F", "0000000000000000FFFF00000100007F"]; // 127.0.0.1, and as an IPv6 address
const ESTABLISHED = "01";

/** The ports of a connection on 127.0.0.1. */
interface Ports {
  readonly own: number;
  readonly peer: number;
}

/**
 * Whether one of the users has the other end of a connection, by the lines of the tables. An end that was closed already
 * tells of no user. Where the connection stands and its other end is not listed, it does not belong to a user of this
 * system, but to one that passes connections on to it.
 */
export function isPeerOfUsers(tables: string, { own, peer }: Ports, users: ReadonlySet<number>): boolean {
  const ends = tables.split("\n").map((line) => line.trim().split(/\s+/));
  const end = (from: number, to: number) =>
    ends.find(([, local = "", remote = ""]) => isAt(local, from) && isAt(remote, to));
  const found = end(peer, own);
  if (found === undefined) return end(own, peer)?.[3] === ESTABLISHED;
  const [user, inode] = [Number(found[7]), found[9]];
  return inode !== "0" && users.has(user);
}

function isAt(address: string, port: number): boolean {
  const [host = "", hex = ""] = address.split(":");
  return LOOPBACK.includes(host) && Number.parseInt(hex, 16) === port;
}

/** Root reaches everything anyway; behind sudo, it is the user who called it. */
function ownUsers(): Set<number> {
  const { SUDO_UID } = process.env;
  return new Set([0, process.getuid?.() ?? 0, ...(SUDO_UID === undefined ? [] : [Number(SUDO_UID)])]);
}

const judged = new WeakMap<Socket, boolean>();

/** Whether a connection comes from the user who runs the desk, or from a system that does not say. */
export function isOwnUsers(socket: Socket): boolean {
  const before = judged.get(socket);
  if (before !== undefined) return before;
  const { localPort: own = 0, remotePort: peer = 0 } = socket;
  let tables: string;
  try {
    tables = TABLES.map((path) => readFileSync(path, "latin1")).join("\n");
  } catch {
    return true; // another system
  }
  const isOwn = isPeerOfUsers(tables, { own, peer }, ownUsers());
  judged.set(socket, isOwn);
  return isOwn;
}
