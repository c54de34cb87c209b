/**
 * Which user of this machine is at the other end of a connection to the desk. Browsers send a host's cookies to all of its
 * ports, so that another user's server on this machine can read the cookie of a session; it is of no use to that user.
 * Only Linux tells.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { release } from "node:os";

/**
 * Files of the kernel that list this machine's connections (proc_pid_net(5)). The second is not there without IPv6. Its
 * owner can move a socket from the second to the first at any moment (ipv6(7), IPV6_ADDRFORM), and never back: what is in
 * neither is looked for once more.
 */
const TABLES = ["/proc/self/net/tcp", "/proc/self/net/tcp6", "/proc/self/net/tcp"];
const ESTABLISHED = "01";
/** WSL passes on the connections of Windows's programs, whose ends no table lists. */
const IS_WSL = /microsoft/i.test(release());

/**
 * The addresses that the desk listens on, as the tables write them. They are also where connections to them come from,
 * unless those ask for another one. A socket of IPv6 has 127.0.0.1 as an address of its own.
 */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ["127.0.0.1", "(?:0100007F|0000000000000000FFFF00000100007F)"],
  ["::1", "00000000000000000000000001000000"],
]);

/** A connection to one of those addresses: the ports, and the address of the other end. */
interface Connection {
  readonly own: number;
  readonly from: string;
  readonly peer: number;
}

interface Judges {
  /** The numbers of those who may come in. */
  readonly users: ReadonlySet<number>;
  /** Whether the system passes connections on. */
  readonly isPassedOn: boolean;
  /** Whether the system has tables. */
  readonly isTelling: boolean;
}

/**
 * Whether one of the users has the other end of a connection, by the first table that lists it; a table that is not there
 * is undefined, and a system that never has any does not say. Both ends have the same address. Another one of this machine,
 * such as 127.0.0.2, has ports of its own: whoever comes from there could take the number of the browser's. Only an end
 * that stands tells of its user, and a socket that is bound to a device may have the same end as the browser's next one:
 * each that is listed must stand, and be theirs. One that is nowhere is nobody's: no moment of its own choosing may let
 * anybody in. Where the system passes connections on, one that stands without another end comes from beyond it.
 */
export function isPeerOfUsers(
  tables: readonly (() => string | undefined)[],
  { own, from, peer }: Connection,
  { users, isPassedOn, isTelling }: Judges,
): boolean {
  const address = ADDRESSES.get(from);
  const [ours, theirs] = [own, peer].map((port) => `${address}:${hexadecimal(port)}`) as [string, string];
  let [isTold, isOpen] = [false, false];
  for (const read of tables) {
    const table = read();
    if (table === undefined) continue;
    if (address === undefined) return false;
    const found = endsOf(table, theirs, ours);
    if (found.length > 0) return found.every(({ isStanding, user }) => isStanding && users.has(user));
    isTold = true;
    isOpen ||= endsOf(table, ours, theirs).some(({ isStanding }) => isStanding);
  }
  return isTold ? isPassedOn && isOpen : !isTelling;
}

/** The ends of a connection that a table lists. */
function endsOf(table: string, from: string, to: string) {
  const lines = table.matchAll(new RegExp(`: ${from} ${to} (..)(?: +\\S+){3} +(\\d+) +\\d+ (\\d+)`, "g"));
  return [...lines].map(([, state, user, inode]) => ({
    isStanding: state === ESTABLISHED && inode !== "0",
    user: Number(user),
  }));
}

/** A port as the tables write it. */
function hexadecimal(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** Root reaches everything anyway; behind sudo, it is the user who called it. */
function ownUsers(): Set<number> {
  const { SUDO_UID } = process.env;
  return new Set([0, process.getuid?.() ?? 0, ...(SUDO_UID === undefined ? [] : [Number(SUDO_UID)])]);
}

/** Any address of this machine alone, as the tables write it. */
const LOOPBACK = "(?:[0-9A-F]{6}7F|0{16}FFFF0000[0-9A-F]{6}7F|0{24}01000000)";

/**
 * Whether a program has connections at a port of this machine that nobody listens on: a browser that had them goes on using
 * them for whatever listens there later. `isBegun`: the desk listens, so that those of its own user may be its own.
 */
export function hasKeptConnections(
  port: number,
  isBegun: boolean,
  read = (path: string) => readFileSync(path, "latin1"),
): boolean {
  const line = new RegExp(
    `: ${LOOPBACK}:${hexadecimal(port)} \\S+ ${ESTABLISHED}(?: +\\S+){3} +(\\d+) +\\d+ (\\d+)`,
    "g",
  );
  const own = isBegun ? ownUsers() : new Set<number>();
  return TABLES.some((path) =>
    [...(readIfThere(read, path) ?? "").matchAll(line)].some(
      ([, user, inode]) => inode !== "0" && !own.has(Number(user)),
    ),
  );
}

const judged = new WeakMap<object, boolean>();

/**
 * Whether a connection comes from the user who runs the desk, or from a system that does not say. Where tables cannot be
 * read, or Linux has none, nobody is let in: whoever can take all open files of the desk would choose the moment.
 */
export function isOwnUsers(
  socket: Pick<Socket, "localPort" | "remoteAddress" | "remotePort">,
  read = (path: string) => readFileSync(path, "latin1"),
  isPassedOn = IS_WSL,
  isTelling = process.platform === "linux",
): boolean {
  const before = judged.get(socket);
  if (before !== undefined) return before;
  const { localPort: own = 0, remoteAddress: from = "", remotePort: peer = 0 } = socket;
  try {
    const tables = TABLES.map((path) => () => readIfThere(read, path));
    const isOwn = isPeerOfUsers(tables, { own, from, peer }, { users: ownUsers(), isPassedOn, isTelling });
    judged.set(socket, isOwn);
    return isOwn;
  } catch {
    return false;
  }
}

function readIfThere(read: (path: string) => string, path: string): string | undefined {
  try {
    return read(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
