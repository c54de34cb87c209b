import assert from "node:assert/strict";
import { Socket } from "node:net";
import { test } from "node:test";
import { hasKeptConnections, isOwnUsers, isPeerOfUsers } from "./peer-user.ts";

/** A line of /proc/net/tcp. */
const end = (from: string, to: string, { state = "01", user = 1000, inode = 77 } = {}) =>
  `   4: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000  ${user}        0 ${inode} 1 0000000000000000 20 4 30 10 -1`;

const [DESK, BROWSER] = ["0100007F:1F9A", "0100007F:C350"]; // ports 8090 and 50000
const BESIDE = "0200007F:C350"; // the same port of 127.0.0.2
const MAPPED = "0000000000000000FFFF00000100007F:C350";
const SIX = ["00000000000000000000000001000000:1F9A", "00000000000000000000000001000000:C350"] as const;
const BACK = [SIX[1], SIX[0]] as const;
const own = end(DESK, BROWSER, { user: 1000, inode: 5 });

const CASES: readonly [what: string, lines: readonly string[], isOurs: boolean, from?: string][] = [
  ["the user of the desk", [own, end(BROWSER, DESK)], true],
  ["root", [own, end(BROWSER, DESK, { user: 0 })], true],
  ["another user", [own, end(BROWSER, DESK, { user: 1001 })], false],
  [
    "another user, from an IPv6 socket",
    [own, end(MAPPED, "0000000000000000FFFF00000100007F:1F9A", { user: 1001 })],
    false,
  ],
  [
    "one that has closed its end, which then is nobody's",
    [own, end(BROWSER, DESK, { state: "06", user: 0, inode: 0 })],
    false,
  ],
  [
    "another user, whose socket has the same end as one that the user's browser opens",
    [own, end(BROWSER, DESK, { state: "02" }), end(BROWSER, DESK, { user: 1001 })],
    false,
  ],
  [
    "one that the user's browser opens, beside another user's that is not listed",
    [own, end(BROWSER, DESK, { state: "02" })],
    false,
  ],
  ["the user beside another one", [own, end(BROWSER, DESK), end(BROWSER, DESK, { user: 1001 })], false],
  ["two of the user", [own, end(BROWSER, DESK), end(BROWSER, DESK, { inode: 78 })], true],
  ["one that has reset it", [], false],
  ["one that is gone, with our end closing", [end(DESK, BROWSER, { state: "08" })], false],
  ["one that is nowhere", [own], false],
  [
    "another connection of the user beside it",
    [own, end("0100007F:C351", DESK), end(BROWSER, DESK, { user: 1001 })],
    false,
  ],
  [
    "another user, at another address of the machine, from the number of the user's port",
    [own, end(BROWSER, DESK), end(DESK, BESIDE, { inode: 6 }), end(BESIDE, DESK, { user: 1001 })],
    false,
    "127.0.0.2",
  ],
  ["the user of the desk by IPv6", [end(...SIX), end(...BACK)], true, "::1"],
  ["another user by IPv6", [end(...SIX), end(...BACK, { user: 1001 })], false, "::1"],
  [
    "another user by IPv6, at the port of the user's own connection by IPv4",
    [own, end(BROWSER, DESK), end(...SIX), end(...BACK, { user: 1001 })],
    false,
    "::1",
  ],
];

test("isPeerOfUsers() tells the user at the other end of a connection", () => {
  const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
  for (const [what, lines, isOurs, from = "127.0.0.1"] of CASES)
    for (const order of [lines, lines.toReversed()]) {
      const isFour = (line: string) => /^ *\d+: .{8}:/.test(line);
      const table = (isIn: (line: string) => boolean) => () => `${[head, ...order.filter(isIn)].join("\n")}\n`;
      const tables = [table(isFour), table((line) => !isFour(line))];
      const judge = (isPassedOn: boolean) =>
        isPeerOfUsers(
          tables,
          { own: 8090, from, peer: 50_000 },
          { users: new Set([0, 1000]), isPassedOn, isTelling: true },
        );
      assert.equal(judge(false), isOurs, what);
      assert.equal(judge(true), isOurs || what === "one that is nowhere", `${what}, where connections are passed on`);
    }
});

test("isOwnUsers() sees another user's socket that is moved from the table of IPv6 to the other while they are read", () => {
  const other = { user: 54_321 };
  for (const movedAfter of [0, 1, 2, 3]) {
    let reads = 0;
    const read = (path: string) => {
      const [isSix, isMoved] = [path.endsWith("6"), reads >= movedAfter];
      reads += 1;
      if (!isSix) return [own, ...(isMoved ? [end(BROWSER, DESK, other)] : [])].join("\n");
      return isMoved ? "" : end(MAPPED, "0000000000000000FFFF00000100007F:1F9A", other);
    };
    const socket = { localPort: 8090, remoteAddress: "127.0.0.1", remotePort: 50_000 };
    assert.equal(isOwnUsers(socket, read, true), false, `moved after ${movedAfter} readings`);
  }
});

test("hasKeptConnections() sees what stands at the port at any address of this machine alone, whoever has it until the desk listens", () => {
  const kept = (line: string, isBegun = false) =>
    hasKeptConnections(8090, isBegun, (path) => (path.endsWith("6") === /: .{32}:/.test(line) ? line : ""));
  const other = { user: 54_321 };
  for (const from of [DESK, "0200007F:1F9A", "0000000000000000FFFF00000100007F:1F9A", SIX[0]]) {
    assert.ok(kept(end(from, BROWSER, other)), from);
    assert.ok(kept(end(from, BROWSER, other), true), from);
    assert.ok(kept(end(from, BROWSER, { user: process.getuid?.() ?? 0 })), from);
    assert.ok(!kept(end(from, BROWSER, { user: process.getuid?.() ?? 0 }), true), "the desk's own");
  }
  for (const line of [
    end(BROWSER, DESK, other),
    end(DESK, BROWSER, { ...other, state: "0A" }),
    end(DESK, BROWSER, { ...other, state: "06", inode: 0 }),
    end("0A00020F:1F9A", "08080808:01BB", other),
  ])
    assert.ok(!kept(line), line);
});

test("isOwnUsers() lets nobody in by a table of the kernel that cannot be read, unless the system never has one", () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  for (const [code, isLinux, isOwn] of [
    ["ENOENT", false, true],
    ["ENOENT", true, false], // a folder as root, without /proc
    ["EMFILE", true, false], // whoever holds all connections of the desk brings that about
    ["EACCES", true, false],
  ] as const)
    assert.equal(isOwnUsers(new Socket(), failing(code), false, isLinux), isOwn, code);
  const withoutSix = (path: string) => (path.endsWith("6") ? failing("ENOENT")() : "");
  assert.equal(isOwnUsers(new Socket(), withoutSix), false, "a connection that a system without IPv6 does not list");
});
