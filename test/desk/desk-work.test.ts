/** Work of the desk that takes long: it goes on whatever windows do, and what a killed desk leaves is never half done. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { type DeskSession, enter, type OpenDesk, openDesk } from "../support/desk.ts";
import { releaseEngines } from "../support/engines.ts";
import { listening, through } from "../support/loopback.ts";
import { emptyDatabase } from "../support/postgres-server.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { roundsOf } from "../support/test-runs.ts";

releaseEngines();

const KILLS = Number(process.env.GOODWORD_DESK_KILLS ?? 1);
/** Of the large file; without it there is no such test. 198000000 takes some minutes and 1.3 GB of memory. */
const BYTES = Number(process.env.GOODWORD_DESK_BYTES ?? 0);
/** Of a table that takes a moment to publish. */
const ROWS = 100;
const YAML = "name: Northside Cooling\ntime_zone: America/Chicago\n";

/** A table of reviews with ids that begin so. */
function table(prefix: string, count: number, words = "Quick and clean"): string {
  const rows = Array.from({ length: count }, (_, at) => `${prefix}${at},Ann ${at},5,2025-01-02,${words} ${at},google`);
  return `id,author,rating,date,text,source\n${rows.join("\n")}\n`;
}

/** A folder with a store of two reviews, a desk on it, and a session. */
async function opened(settings: Readonly<Record<string, string>> = {}) {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder()).path;
  writeFileSync(join(folder, "business.yaml"), YAML);
  writeFileSync(join(folder, "first.csv"), table("f", 2));
  assert.equal((await run(folder, ["import", "business.yaml", "first.csv"], settings)).code, 0);
  const open = async () => stack.use(await openDesk(folder, [], settings));
  const desk = await open();
  return { folder, desk, open, session: await enter(desk), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Uploads a table and checks it; resolves to the form that publishes it. */
async function checked(session: DeskSession, name: string, csv: string): Promise<{ readonly id: string }> {
  await session.send("/import", { files: new File([csv], name) });
  const text = await until(session, "/import", FORM_ID);
  return { id: FORM_ID.exec(text)?.[1] ?? "" };
}

async function publishedCount(session: DeskSession): Promise<number> {
  const shown = />([\d,]+) reviews? (?:is|are) in your publication/.exec((await session.get("/")).text)?.[1] ?? "0";
  return Number(shown.replaceAll(",", ""));
}

/** Asks for a page until it says this, and returns it. */
async function until(session: DeskSession, path: string, says: RegExp): Promise<string> {
  for (;;) {
    const { text } = await session.get(path);
    if (says.test(text)) return text;
    await wait(20);
  }
}

/** Holds the store's lock for writing, so that work stays in the middle. */
function held(folder: string): Disposable {
  const database = new DatabaseSync(join(folder, "goodword.db"));
  database.exec("begin immediate");
  return { [Symbol.dispose]: () => database.close() };
}

const WORK_ID = /action="\/under-way\/seen">.*?name="id" value="([^"]+)"/;
const FORM_ID = /name="id" value="([^"]+)"/;

const notes = (folder: string) => readdirSync(folder).filter((name) => name.startsWith(".goodword-desk-"));

const firstId = async (session: DeskSession) => /[0-9A-Z]{26}/.exec((await session.get("/reviews")).text)?.[0] ?? "";

describe("long work of the desk", () => {
  test("is shown in every window while it lasts, excludes other work, is done once, and its end is said until it was seen", async () => {
    await using bench = await opened();
    const { folder, desk, session } = bench;
    const other = await enter(desk);
    const id = await firstId(session);
    const publishing = await checked(session, "more.csv", table("m", 3));
    const lock = held(folder);
    const sent = session.post(`/reviews/${id}/remove`, {});
    const waiting = await until(other, "/under-way", /data-waiting="\/under-way\/progress"/);
    assert.match(waiting, /It is being taken out of the store/);
    const beside = /role="status">It is being taken out of the store[^<]* … <a href="\/under-way">See how far it is/;
    assert.match((await other.get("/history")).text, beside);
    assert.match(
      (await other.get("/under-way/progress")).text,
      /^\{"isWaiting":true,"text":"\d+ seconds? so far\."\}$/,
    );
    for (const [path, fields] of [
      [`/reviews/${id}/hide-name`, {}],
      ["/history/undo", { number: "1" }],
      ["/online", { address: "https://reviews.example.com" }],
      ["/import/publish", publishing],
    ] as const)
      assert.match((await other.send(path, fields)).text, /Something else is under way/, path);
    assert.equal(notes(folder).length, 1);
    assert.doesNotMatch(readFileSync(join(folder, notes(folder)[0] ?? ""), "utf8"), new RegExp(id));
    assert.equal((await sent).headers.location, "/under-way", "it takes longer than a request waits");
    lock[Symbol.dispose]();
    await until(other, "/under-way/progress", /"isWaiting":false/);
    for (const window of [session, other]) assert.match((await window.get("/")).text, /Removed 1 review/);
    const [, seen = ""] = WORK_ID.exec((await other.get("/")).text) ?? [];
    await other.send("/under-way/seen", { id: seen });
    assert.doesNotMatch((await session.get("/")).text, /Removed 1 review/);
    assert.deepEqual(notes(folder), []);
    assert.equal(await publishedCount(session), 1);

    const windows = [session, other, session];
    await Promise.all(windows.map(async (window) => await window.post("/import/publish", publishing)));
    await until(session, "/import", /The reviews are stored on this machine/);
    for (const sees of [/The reviews are stored on this machine/, /Nothing of it is stored yet/]) {
      assert.match(
        (await other.send("/import/publish", publishing)).text,
        new RegExp(`have been published already.*${sees.source}`, "s"),
      );
      await checked(session, "next.csv", table("n", 1));
    }
    const history = JSON.parse((await run(folder, ["history", "--json"])).stdout) as { command: string }[];
    assert.equal(history.filter(({ command }) => command === "import").length, 2, "it is published once");
  });

  describe("of a desk that is ended in the middle", () => {
    let bench: Awaited<ReturnType<typeof opened>>;
    let desk: OpenDesk;
    let session: DeskSession;
    before(async () => {
      bench = await opened();
      ({ desk, session } = bench);
    });
    after(async () => await bench[Symbol.asyncDispose]());

    /** Ends the desk and opens another one in its folder. What the first leaves besides can be written meanwhile. */
    async function openNext(signal: NodeJS.Signals = "SIGKILL", leave = () => {}): Promise<void> {
      await desk.kill(signal);
      leave();
      desk = await bench.open();
      session = await enter(desk);
    }

    for (const { what, path, fields, says, signals } of [
      {
        what: "a removal",
        signals: ["SIGKILL", "SIGINT"],
        path: "remove",
        fields: {},
        says: /took something out of a review.*Nothing of it was changed/s,
      },
      {
        what: "an undo",
        signals: ["SIGINT", "SIGKILL"],
        path: "/history/undo",
        fields: { number: "1" },
        says: /undid the last change.*had not been done/s,
      },
      {
        what: "an import",
        signals: ["SIGKILL", "SIGINT"],
        path: "/import/publish",
        fields: {},
        says: /published “more\.csv”.*Nothing of it was changed/s,
      },
    ] as const)
      test(`${what} that is killed or stopped by Ctrl+C changes nothing, and the next desk says so`, async () => {
        for (const signal of roundsOf(signals)) {
          const count = await publishedCount(session);
          const target = path === "remove" ? `/reviews/${await firstId(session)}/remove` : path;
          const form = path === "/import/publish" ? await checked(session, "more.csv", table("m", 3)) : fields;
          const lock = held(bench.folder);
          const sent = session.post(target, form).catch(() => undefined);
          await until(session, "/under-way/progress", /"isWaiting":true/);
          await openNext(signal, () => lock[Symbol.dispose]());
          await sent;
          const shown = await until(session, "/", /class="card done"/);
          assert.match(shown, says, signal);
          assert.equal(await publishedCount(session), count);
          assert.match((await session.get("/reviews")).text, says, "on every page, until it was seen");
          await session.send("/under-way/seen", { id: WORK_ID.exec(shown)?.[1] ?? "" });
        }
      });

    test("an export is said to be interrupted by the next desk, which writes nothing by itself", async () => {
      const { folder } = bench;
      const note = { kind: "export", at: "2026-01-02T10:00:00.000Z", address: "javascript:alert(1)" };
      await openNext("SIGKILL", () => {
        writeFileSync(join(folder, ".goodword-desk-999999999-1"), JSON.stringify(note));
        writeFileSync(join(folder, ".goodword-desk-999999999-2"), "{");
      });
      const said = await until(session, "/", /class="card done"/);
      assert.match(said, /was ended while it wrote the folder.*Write it again/s);
      assert.ok(!readdirSync(folder).includes("public"));
      assert.deepEqual(notes(folder), []);
      await session.send("/under-way/seen", { id: WORK_ID.exec(said)?.[1] ?? "" });
    });

    test("work that was done before the kill is said to be done, and the words of a removal are erased", async () => {
      const { folder } = bench;
      await session.send(`/reviews/${await firstId(session)}/remove`, {});
      const [last] = JSON.parse((await run(folder, ["history", "--json"])).stdout) as { at: string; number: number }[];
      const note = { kind: "remove", at: last?.at, files: [] };
      await openNext("SIGKILL", () => writeFileSync(join(folder, ".goodword-desk-999999999-1"), JSON.stringify(note)));
      const said = await until(session, "/", /class="card done"/);
      assert.match(said, new RegExp(`It had been done: it is change ${last?.number} in the history`));
    });
  });

  test(`killed at ${KILLS} random moments while it publishes, it has published all or nothing, and the next desk knows`, async (t) => {
    await using bench = await opened();
    const { open } = bench;
    let { desk, session } = bench;
    const random = seededRandom(Number(process.env.GOODWORD_TEST_SEED ?? Date.now()));
    let known = 2;
    let took = 0;
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const form = await checked(session, `k${kill}.csv`, table(`k${kill}-`, ROWS));
      const begun = performance.now();
      const sent = session.post("/import/publish", form).catch(() => undefined);
      if (kill === 0) {
        await sent;
        await until(session, "/import/progress", /"isWaiting":false/);
        took = performance.now() - begun;
        known = await publishedCount(session);
        continue;
      }
      const delay = random() * took * 2;
      await wait(delay);
      await desk.kill();
      await sent;
      desk = await open();
      session = await enter(desk);
      await until(session, "/under-way/progress", /"isWaiting":false/);
      const said = (await session.get("/")).text;
      const count = await publishedCount(session);
      t.diagnostic(`killed after ${Math.round(delay)} ms: ${count - known} added`);
      assert.ok(count === known || count === known + ROWS, `${count} after ${known}`);
      if (/had been done/.test(said)) assert.equal(count, known + ROWS);
      if (/Nothing of it was changed/.test(said)) assert.equal(count, known);
      known = count;
    }
  });

  if (BYTES > 0)
    test(`a file of ${BYTES} bytes is uploaded, checked and published, and every window shows how far it is`, async (t) => {
      await using bench = await opened();
      const { desk, session } = bench;
      const other = await enter(desk);
      const rowBytes = 2_000;
      const count = Math.floor(BYTES / (rowBytes + 50));
      const csv = table("l", count, "They came on time and the price was fair. ".repeat(rowBytes / 42));
      t.diagnostic(`${csv.length} bytes, ${count} reviews`);
      const begun = performance.now();
      const seconds = () => Math.round((performance.now() - begun) / 1_000);
      const form = await checked(session, "large.csv", csv);
      t.diagnostic(`checked after ${seconds()} s`);
      const sent = session.send("/import/publish", form);
      await until(other, "/import/progress", /"isWaiting":true,"text":"[\d,]+ records read|"isWaiting":false/);
      let said = (await sent).text;
      if (/ name="yes" required/.test(said)) {
        t.diagnostic(`asks after ${seconds()} s: ${/would hold[^<]+/.exec(said)?.[0]}`); // a server may lack the memory
        said = (await session.send("/import/publish", { id: FORM_ID.exec(said)?.[1] ?? "", yes: "on" })).text;
      }
      assert.match(said, /The reviews are stored on this machine/);
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${desk.pid}/status`, "utf8"))?.[1];
      t.diagnostic(`published after ${seconds()} s, peak ${Math.round(Number(peak) / 1_000)} MB`);
      assert.equal(await publishedCount(other), 2 + count);
    });

  test("two desks of one store publish and remove at once, beside a server that imports: all of it is done, and served", async () => {
    await using bench = await opened();
    const { folder, session, open } = bench;
    const second = await enter(await open());
    const [made, watched] = [join(folder, "c.csv"), join(folder, "watched")];
    writeFileSync(made, table("c", ROWS));
    mkdirSync(watched);
    await using served = await serveProgram(folder, {}, ["--watch", watched]);
    const servedCount = async (count: number) => {
      for (;;) {
        const { reviews } = (await (await fetch(`${served.url}/reviews.json`)).json()) as { reviews: unknown[] };
        if (reviews.length === count) return;
        await wait(50);
      }
    };
    const forms = [await checked(session, "a.csv", table("a", ROWS)), await checked(second, "b.csv", table("b", ROWS))];
    const id = await firstId(session);
    renameSync(made, join(watched, "c.csv"));
    await Promise.all([
      session.send("/import/publish", forms[0] ?? {}),
      second.send("/import/publish", forms[1] ?? {}),
      servedCount(2 + 3 * ROWS),
    ]);
    for (const window of [session, second]) {
      await until(window, "/import/progress", /"isWaiting":false/);
      assert.match((await window.get("/import")).text, /The reviews are stored on this machine/);
    }
    await Promise.all([session.send(`/reviews/${id}/remove`, {}), second.send("/history/undo", { number: "4" })]);
    for (const window of [session, second]) await until(window, "/under-way/progress", /"isWaiting":false/);
    await servedCount(2 + 2 * ROWS - 1);
    for (const window of [session, second]) assert.equal(await publishedCount(window), 2 + 2 * ROWS - 1);
  });

  test("PostgreSQL that goes away in the middle changes nothing, which the page says; the same files are published later", async () => {
    const url = await emptyDatabase();
    await using database = await openSwitch(url);
    await using bench = await opened({ DATABASE_URL: database.url });
    const { session } = bench;
    const form = await checked(session, "more.csv", table("m", 3));
    const [holder, watcher] = [new pg.Client(url), new pg.Client(url)]; // a transaction sees others as they were
    for (const client of [holder, watcher]) await client.connect();
    await holder.query("begin; select * from revision for update");
    const sent = session.post("/import/publish", form);
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    while ((await watcher.query(waiting)).rows.length === 0) await wait(20);
    database.away();
    await sent;
    const said = await until(session, "/import", /class="faults"/);
    assert.match(said, /database|PostgreSQL/i);
    await holder.query("rollback");
    for (const client of [holder, watcher]) await client.end();
    database.back();
    assert.equal(await publishedCount(session), 2);
    await session.send("/import", {});
    const again = await until(session, "/import", FORM_ID);
    await session.send("/import/publish", { id: FORM_ID.exec(again)?.[1] ?? "" });
    await until(session, "/import", /The reviews are stored on this machine/);
    assert.equal(await publishedCount(session), 5);
  });
});

/** A database behind a connection that can be taken away. */
async function openSwitch(url: string) {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let isAway = false;
  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => {}).on("close", () => other.destroy());
      socket.pipe(other);
    }
  });
  const listens = await listening(server);
  return {
    url: through(url, listens),
    away() {
      isAway = true;
      for (const socket of open) socket.destroy();
    },
    back() {
      isAway = false;
    },
    [Symbol.asyncDispose]: listens.close,
  };
}
