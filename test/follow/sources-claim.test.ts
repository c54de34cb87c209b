/** Two processes on one store follow its addresses in turn: one fetches, and the other takes over when it is killed. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { parseBusinessFile } from "../../src/import/business-file.ts";
import { readFollowedSources } from "../../src/store/followed-source-rows.ts";
import { openStore, writeBusiness } from "../../src/store/store.ts";
import { listening } from "../support/loopback.ts";
import { temporaryFolder } from "../support/program.ts";

const sourceFile = (path: string) => JSON.stringify(join(import.meta.dirname, "..", "..", "src", path));

/** A follower on the store argv[1]; each line of its input is a clock at which it looks once, and answers when it has. */
const CHILD = `
  import { createInterface } from "node:readline";
  import { openClaims } from ${sourceFile("store/claims.ts")};
  import { openFollower } from ${sourceFile("follow/follower.ts")};
  import { openStore } from ${sourceFile("store/store.ts")};
  const store = await openStore(process.argv[1]);
  const claims = openClaims(store);
  let time = 0;
  const follower = openFollower({
    store,
    allowedAddresses: ["127.0.0.0/8"],
    environment: () => undefined,
    importSource: async () => ({ added: 0, changed: 0, withdrawn: 0, read: 0, withheld: 0, warnings: [] }),
    log: () => {},
    now: () => new Date(time),
    random: () => 0,
    claims,
    secret: new Uint8Array(32),
  });
  for await (const line of createInterface({ input: process.stdin })) {
    time = Number(line);
    await follower.round();
    console.log("looked");
  }
  await follower.close();
  await claims.close();
  await store.close();`;

interface Follower {
  readonly process: ChildProcess;
  /** Looks once at a clock, in minutes; done when nothing is under way any more. */
  look(minutes: number): Promise<void>;
}

function startFollower(url: string): Follower & AsyncDisposable {
  const child = spawn(process.execPath, ["--input-type=module", "-e", CHILD, url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const waiting: (() => void)[] = [];
  createInterface({ input: child.stdout }).on("line", () => waiting.shift()?.());
  return {
    process: child,
    look: async (minutes) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      child.stdin.write(`${minutes * 60_000}\n`);
      await promise;
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

test("one of two processes fetches a followed address, and the other goes on when that one is killed", async () => {
  using folder = temporaryFolder();
  const held: ServerResponse[] = [];
  const arrivals: (() => void)[] = [];
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    held.push(response);
    arrivals.shift()?.();
  });
  const feed = await listening(server);
  const arrived = () => new Promise<void>((resolve) => arrivals.push(resolve));
  const url = `sqlite:${join(folder.path, "goodword.db")}`;
  const store = await openStore(url);
  const address = `http://127.0.0.1:${feed.port}/reviews.csv`;
  const yaml = `name: A\ntime_zone: UTC\nsources:\n  - { url: "${address}", every: 1h }\n`;
  await writeBusiness(store.database, parseBusinessFile("business.yaml", yaml));
  try {
    await using second = startFollower(url);
    await using first = startFollower(url);

    const begun = arrived();
    const looking = first.look(0);
    await begun;
    await second.look(1);
    assert.equal(requests, 1, "while one fetches, the other leaves it alone");
    held.shift()?.end("id,rating,date\n1,5,2024-01-01\n");
    await looking;
    await second.look(1);
    assert.equal(requests, 1, "what was fetched is not due for the other either");

    const again = arrived();
    void first.look(61);
    await again;
    await second.look(60 * 24);
    assert.equal(requests, 2, "however long it takes");
    first.process.kill("SIGKILL");
    await once(first.process, "exit");
    const over = arrived();
    const takingOver = second.look(64);
    await over;
    for (const response of held) response.end("id,rating,date\n1,5,2024-01-01\n");
    await takingOver;
    assert.equal(requests, 3);
    const [row] = (await readFollowedSources(store)).values();
    assert.equal(row?.last_at, new Date(64 * 60_000).toISOString());
  } finally {
    await feed.close();
    await store.close();
  }
});
