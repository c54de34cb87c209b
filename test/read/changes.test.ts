/** A copy that stays right: `/api/changes` over HTTP, and the program in docs/developers.md that keeps such a copy. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { openEdition } from "../../src/edition/edition.ts";
import { renderStore } from "../../src/publication/publication.ts";
import type { Review } from "../../src/review.ts";
import { freePort } from "../support/free-port.ts";
import { openSandbox } from "../support/import-sandbox.ts";
import { run, type Served, serveProgram, temporaryFolder } from "../support/program.ts";
import { get, program as sample } from "../support/served-sample.ts";
import { routesTo } from "../support/test-routes.ts";
import { ask, json } from "../support/wire.ts";
import { until } from "../support/within.ts";

interface Answer {
  readonly cursor: string;
  readonly is_complete: boolean;
  readonly changed: readonly Review[];
  readonly removed: readonly string[];
}

const SEED_ROWS = ["a,5,2026-01-01,Great work", "b,4,2026-01-02,Good", "c,1,2026-01-03,Bad"];

/** A program on a store of its own, and commands on that. */
async function openProgram() {
  const folder = temporaryFolder();
  let served: Served | undefined;
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(folder.path, args);
    assert.equal(code, 0, stdout + stderr);
  };
  const changes = async (cursor?: string) =>
    await ask(`${served?.url}/api/changes${cursor === undefined ? "" : `/${cursor}`}`);
  const dataset = async () => (json(await ask(`${served?.url}/reviews.json`)) as { reviews: Review[] }).reviews;
  const start = async () => {
    served = await serveProgram(folder.path);
  };
  return {
    folder: folder.path,
    command,
    changes,
    dataset,
    start,
    url: () => served?.url ?? "",
    stop: async () => void (await served?.stop()),
    /** Rows of id, stars, day, text and, if there is one, the reply. */
    async import(rows: readonly string[], ...options: string[]) {
      const reviews = rows.map((row) => {
        const [id, rating, date, words, reply] = row.split(",");
        const owner_reply = reply === undefined ? null : { text: reply, date };
        return {
          id,
          author: `Customer ${id}`,
          rating: Number(rating),
          date,
          text: words,
          source: "google",
          owner_reply,
        };
      });
      writeFileSync(join(folder.path, "reviews.json"), JSON.stringify(reviews));
      await command("import", "reviews.json", ...options);
    },
    /** What is new to a cursor, once something is. */
    async next(cursor: string): Promise<Answer> {
      let answer: Answer | undefined;
      await until(async () => {
        answer = json(await changes(cursor)) as Answer;
        return answer.cursor !== cursor;
      });
      return answer ?? assert.fail();
    },
    async [Symbol.asyncDispose]() {
      await served?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const idOf = (reviews: readonly Review[], words: string) => reviews.find((review) => review.text === words)?.id ?? "";

test("an answer holds all that differs: edits, replies, withdrawals, removals and what comes back, and nothing else", async () => {
  await using program = await openProgram();
  await program.import(SEED_ROWS);
  await program.start();
  const begun = json(await program.changes()) as Answer;
  assert.deepEqual(begun, { ...begun, is_complete: true, changed: await program.dataset(), removed: [] });
  const copy = new Map(begun.changed.map((review) => [review.id, review]));
  const [a, b, c] = ["Great work", "Good", "Bad"].map((words) => idOf(begun.changed, words));
  const histories: readonly [string, () => Promise<void>, changed: readonly unknown[], removed: readonly unknown[]][] =
    [
      ["an edit", () => program.import(["a,4,2026-01-01,Great work"]), [a], []],
      ["a reply", () => program.import(["b,4,2026-01-02,Good,Thanks"]), [b], []],
      [
        "a withdrawal",
        () => program.import(["a,4,2026-01-01,Great work", "b,4,2026-01-02,Good,Thanks"], "--complete", "--yes"),
        [],
        [c],
      ],
      ["an undo", () => program.command("undo", "--yes"), [c], []],
      ["a redaction", () => program.command("redact", a ?? "", "--text"), [a], []],
      ["a removal", () => program.command("remove", b ?? ""), [], [b]],
      ["a source withdrawn", () => program.command("withdraw", "--source", "google", "--yes"), [], [c, a]],
      ["an import of everything", () => program.import(SEED_ROWS), [c, a], []],
    ];
  let { cursor } = begun;
  for (const [name, change, changed, removed] of histories) {
    await change();
    const answer = await program.next(cursor);
    assert.deepEqual([answer.changed.map(({ id }) => id), answer.removed], [changed, removed], name);
    for (const review of answer.changed) copy.set(review.id, review);
    for (const id of answer.removed) copy.delete(id);
    assert.deepEqual(
      [...copy.values()].toSorted((x, y) => (x.id < y.id ? 1 : -1)),
      await program.dataset(),
      name,
    );
    assert.deepEqual(json(await program.changes(answer.cursor)), { ...answer, changed: [], removed: [] }, name);
    cursor = answer.cursor;
  }
  const other = json(await program.changes(begun.cursor)) as Answer;
  assert.deepEqual([other.changed.length, other.removed], [2, [b]], "of a copy that was away all the time");
});

test("an answer has at most 1,000 reviews, and their parts stay right while the store changes", async () => {
  await using program = await openProgram();
  const rows = Array.from({ length: 1_100 }, (_, at) => `r${at},5,2025-0${1 + (at % 9)}-01,Number ${at}`);
  await program.import(rows);
  await program.start();
  const first = json(await program.changes()) as Answer;
  assert.deepEqual([first.changed.length, first.is_complete], [1_000, false]);
  const copy = new Map(first.changed.map((review) => [review.id, review]));
  const [seen, unseen] = [first.changed[0], (await program.dataset()).find(({ id }) => !copy.has(id))];
  await program.command("remove", seen?.id ?? "", unseen?.id ?? "");
  await until(async () => (await program.dataset()).length === 1_098);
  for (let cursor = first.cursor, isComplete = false; !isComplete; ) {
    const answer = json(await program.changes(cursor)) as Answer;
    assert.ok(answer.changed.length <= 1_000);
    for (const review of answer.changed) copy.set(review.id, review);
    for (const id of answer.removed) copy.delete(id);
    [cursor, isComplete] = [answer.cursor, answer.is_complete];
  }
  assert.deepEqual(
    [...copy.values()].toSorted((x, y) => (x.id < y.id ? 1 : -1)),
    await program.dataset(),
  );
});

test("it has an ETag and the rest as datasets have, and a link to the page with the same for people", async () => {
  const { cursor } = json(await get("/api/changes")) as Answer;
  for (const path of ["/api/changes", `/api/changes/${cursor}`]) {
    const got = await get(path);
    assert.deepEqual([got.status, got.headers["content-type"]], [200, "application/json"]);
    assert.equal(got.headers["access-control-allow-origin"], "*");
    assert.equal(got.headers["cache-control"], "no-cache");
    assert.equal(got.headers.link, `<${sample.url}/reviews>; rel="alternate"; type="text/html"`);
    const { etag = "", "last-modified": date = "" } = got.headers as Record<string, string>;
    assert.equal(date, (await get("/reviews.json")).headers["last-modified"]);
    for (const headers of [{ "If-None-Match": etag }, { "If-Modified-Since": date }]) {
      const held = await get(path, { headers });
      assert.deepEqual([held.status, held.text, held.headers.etag], [304, "", etag]);
    }
    const head = await get(path, { method: "HEAD" });
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", etag]);
    const coded = await get(path, { headers: { "Accept-Encoding": "gzip" } });
    assert.equal(coded.headers.vary, "Accept-Encoding");
  }
});

test("a cursor is the same after a restart; one that the store does not know is 410 and says to begin anew", async () => {
  await using program = await openProgram();
  await program.start();
  const ofSample = (json(await program.changes()) as Answer).cursor;
  await program.import(SEED_ROWS);
  await until(async () => (await program.dataset()).length === 3);
  const { cursor: first } = json(await program.changes()) as Answer;
  await program.stop();
  const file = join(program.folder, "goodword.db");
  copyFileSync(file, `${file}.before`);
  await program.import(["d,5,2026-01-04,More"]);
  await program.start();
  const { cursor: second, changed } = json(await program.changes(first)) as Answer;
  assert.deepEqual(
    changed.map((review) => review.text),
    ["More"],
  );
  const refusals = async (...cursors: readonly string[]) => {
    for (const each of cursors) {
      const answer = await program.changes(each);
      assert.equal(answer.status, 410, each);
      const { issues } = json(answer) as { issues: { code: string; path: string[]; message: string }[] };
      assert.deepEqual(
        issues.map(({ code, path }) => [code, ...path]),
        [["unknown_cursor", "cursor"]],
      );
      assert.match(issues[0]?.message ?? "", /begin anew at \/api\/changes/);
    }
  };
  await refusals(
    ofSample,
    "x",
    "%00",
    "a".repeat(4_000),
    second.toUpperCase(),
    `${second}.zzzzzzzz`,
    `${first.split(".")[0]}.1`,
  );
  await program.stop();
  copyFileSync(`${file}.before`, file); // a disk's snapshot, say: nothing tells the program
  await program.start();
  await refusals(second);
  assert.equal((json(await program.changes(first)) as Answer).cursor, first);
  await program.import(["e,5,2026-01-05,Another", "f,5,2026-01-06,And another"]);
  await program.next(first);
  await refusals(second);
  await program.command("backup", "backup.db");
  const { cursor: third } = json(await program.changes()) as Answer;
  await program.import(["g,5,2026-01-07,The last"]);
  const { cursor: fourth } = await program.next(third);
  await program.command("restore", "backup.db", "--yes");
  await until(async () => (await program.changes(third)).status === 410);
  await refusals(first, third, fourth);
  const anew = json(await program.changes()) as Answer;
  assert.deepEqual(anew.changed, await program.dataset());
});

test("a process waits for the edition that another has served the cursor of, and with its store away says so", async () => {
  await using box = await openSandbox();
  const settings = { baseUrl: "https://reviews.example" };
  const row = (id: string) => ({ id, author: "Ann", rating: 5, date: "2026-01-01", source: "google" });
  await box.take(box.write("reviews.json", [row("a")]));
  const before = openEdition(await renderStore(box.store, settings));
  await box.take(box.write("reviews.json", [row("a"), row("b")]));
  const after = openEdition(await renderStore(box.store, settings));
  const [document, asked] = [after.changes(), { times: 0 }];
  const { cursor } = JSON.parse(typeof document === "string" ? "" : Buffer.from(document.body).toString()) as Answer;
  const request = new Request(`https://reviews.example/api/changes/${cursor}`);
  const lagging = routesTo(before, { edition: () => (asked.times++ < 3 ? before : after) });
  const answer = await lagging(request);
  assert.deepEqual(
    [answer.status, await answer.json()],
    [200, { cursor, is_complete: true, changed: [], removed: [] }],
  );
  const away = await routesTo(before, { isStoreAway: () => true })(request);
  assert.deepEqual([away.status, away.headers.get("Retry-After")], [503, "10"]);
});

const PROGRAMS = [
  { language: "TypeScript", fence: "ts", run: [process.execPath, "copy.ts"], lines: 31 },
  { language: "Python", fence: "python", run: ["python3", "goodword_copy.py"], lines: 40 },
] as const;

test("the program in TypeScript has no type errors in a project that knows Node's types and no browser's", () => {
  const root = join(import.meta.dirname, "..", "..");
  using folder = temporaryFolder();
  copyFileSync(join(root, "src", "page", "asset", "copy-ts.txt"), join(folder.path, "copy.ts"));
  writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022"],
    module: "nodenext",
    typeRoots: [join(root, "node_modules", "@types")],
    types: ["node"],
  };
  writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["copy.ts"] }));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder.path], { encoding: "utf8" });
  assert.deepEqual([status, stdout], [0, ""]);
});

test("the programs in docs/developers.md keep a copy, through 304 and 410", async (t) => {
  const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "developers.md"), "utf8");
  await using program = await openProgram();
  await program.import(Array.from({ length: 1_200 }, (_, at) => `r${at},5,2025-01-01,Number ${at}`));
  await program.command("backup", "backup.db");
  await program.start();

  interface Copy {
    readonly tag?: string;
    readonly reviews: Readonly<Record<string, Review>>;
  }
  const programs = PROGRAMS.filter(({ run }) => spawnSync(run[0], ["--version"]).status === 0);
  if (programs.length < PROGRAMS.length) t.diagnostic("python3 is not installed");
  for (const { run } of programs.filter(({ language }) => language === "Python")) {
    const asked = "import sys; print(sys.argv[1].removesuffix('.py') in sys.stdlib_module_names)";
    const { stdout } = spawnSync("python3", ["-c", asked, run[1]], { encoding: "utf8" });
    assert.equal(stdout.trim(), "False", `${run[1]} hides a module of Python from the programs beside it`);
  }
  for (const { language, fence, run, lines } of programs) {
    const code = guide.split(`\n\`\`\`${fence}\n`)[1]?.split("```")[0] ?? "";
    assert.ok(code !== "" && code.split("\n").length <= lines, `${language}: ${code.split("\n").length} lines`);
    assert.equal(
      await (await fetch(`${program.url()}/assets/${run[1]}`)).text(),
      code,
      `${language}: as /docs links it`,
    );
    mkdirSync(join(program.folder, language));
    writeFileSync(join(program.folder, language, run[1]), code);
  }

  /** Runs each program once. Gives the copies, which hold what is published. */
  async function update(address = program.url()): Promise<Copy[]> {
    const ids = (await program.dataset()).map(({ id }) => id);
    const copies: Copy[] = [];
    for (const { language, run } of programs) {
      const cwd = join(program.folder, language);
      const child = spawn(run[0], [run[1], address], { cwd, stdio: ["ignore", "ignore", "pipe"] });
      const [said] = await Promise.all([text(child.stderr), once(child, "close")]);
      assert.equal(child.exitCode, 0, said);
      const copy = JSON.parse(readFileSync(join(cwd, "copy.json"), "utf8")) as Copy;
      assert.deepEqual(Object.keys(copy.reviews).toSorted().reverse(), ids, language);
      copies.push(copy);
    }
    return copies;
  }

  await update();
  const copies = await update(`${program.url()}/`); // as /embed writes it
  for (const { tag } of copies) assert.equal(typeof tag, "string");
  const [id = ""] = Object.keys((await update())[0]?.reviews ?? {});
  await program.command("remove", id);
  await until(async () => (await program.dataset()).length === 1_199);
  await update();
  await program.command("restore", "backup.db", "--yes"); // the removal stays in force
  await program.import(["new,1,2026-02-02,Of today"]);
  await until(async () => (await program.dataset()).length === 1_200);
  for (const { reviews } of await update())
    assert.equal(Object.values(reviews).filter((review) => review.text === "Of today").length, 1);
});

test("the subscriber in docs/subscribers.md confirms its own topic alone, takes what is signed alone, and outlives what breaks off", async () => {
  const root = join(import.meta.dirname, "..", "..");
  const code = readFileSync(join(root, "src", "page", "asset", "receiver-mjs.txt"), "utf8");
  const guide = readFileSync(join(root, "docs", "subscribers.md"), "utf8");
  assert.equal(guide.split("\n```js\n")[1]?.split("```")[0], code);
  using folder = temporaryFolder();
  copyFileSync(join(root, "src", "page", "asset", "receiver-mjs.txt"), join(folder.path, "receiver.mjs"));
  const port = String(await freePort());
  const receiver = join(folder.path, "receiver.mjs");
  const topic = "https://reviews.example/feed.xml";
  for (const [missing, env] of [
    ["SECRET", { TOPIC: topic }],
    ["TOPIC", { SECRET: "secret" }],
  ] as const) {
    const open = spawnSync(process.execPath, [receiver], {
      env: { PORT: port, ...env },
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.match(`${open.status}: ${open.stderr}`, new RegExp(`^1: ${missing} is missing: set it to the hub\\.`));
  }
  const child = spawn(process.execPath, [receiver], {
    env: { PORT: port, SECRET: "secret", TOPIC: topic },
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    const url = `http://127.0.0.1:${port}/`;
    const verify = (query: object) => ask(`${url}?${new URLSearchParams({ ...query })}`);
    const asked = { "hub.mode": "subscribe", "hub.topic": topic, "hub.challenge": "word" };
    const challenge = async () => (await verify(asked).catch(() => undefined))?.body.toString();
    await until(async () => (await challenge()) === "word");
    for (const other of [
      { ...asked, "hub.mode": "unsubscribe" },
      { ...asked, "hub.topic": `${topic}?` },
      { "hub.challenge": "<script>" },
      {},
    ]) {
      const { status, body, headers } = await verify(other);
      assert.deepEqual([status, String(body), headers["content-type"]], [404, "Not asked for\n", "text/plain"]);
    }
    assert.equal((await verify(asked)).headers["content-type"], "text/plain");
    const taken = once(child.stdout, "data");
    const send = async (secret: string, body: string) => {
      const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
      return (await ask(url, { method: "POST", body, headers: { "X-Hub-Signature": signature } })).status;
    };
    const logged = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    assert.equal(await send("other", "forged"), 204);
    assert.match((await logged.next()).value ?? "", /^Dropped: its signature is of another secret\./);
    assert.equal((await ask(url, { method: "POST", body: "unsigned" })).status, 204);
    assert.match((await logged.next()).value ?? "", /^Dropped: it has no signature\. Subscribe with hub\.secret\.$/);
    const broken = connect(Number(port), "127.0.0.1", () => {
      broken.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf", () => broken.destroy());
    });
    await once(broken, "close");
    assert.match((await logged.next()).value ?? "", /^Dropped: aborted\.$/);
    assert.equal(await send("secret", "content"), 204);
    assert.equal(String((await taken)[0]), "content\n");
    assert.equal(await challenge(), "word");
  } finally {
    child.kill();
  }
});
