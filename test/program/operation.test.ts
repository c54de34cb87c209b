/** How the program is operated: commands, exit codes, settings, tags that survive, changes that arrive (interface §5). */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { RENDERED_PATHS } from "../../src/interface.ts";
import { initialize } from "../support/mcp-server.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";
import { deriveReviewId } from "../support/review-id.ts";
import { EXPORT_SETS } from "../support/shared-data.ts";
import { roundsOf } from "../support/test-runs.ts";
import { ask, json } from "../support/wire.ts";

const DOCUMENTS = [
  "/reviews.json",
  "/api/feed.json",
  "/feed.xml",
  "/.well-known/openapi.json",
  "/api/reviews/since/2020-01-01",
];

async function tagsOf(url: string, paths: readonly string[]): Promise<Record<string, string | undefined>> {
  const answers = await Promise.all(
    paths.map(async (path) => [path, (await ask(`${url}${path}`)).headers.etag] as const),
  );
  return Object.fromEntries(answers);
}

function goodwordTable(folder: string, name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${["id,author,rating,date,text,source", ...rows].join("\n")}\n`);
  return path;
}

const ROWS = ["1,Ann,5,2026-01-02,Cold again within the hour,google", "2,Bo,2,2026-01-03,Came late,google"];

describe("exit codes and words", () => {
  const USAGE: readonly (readonly string[])[] = [
    [],
    ["import", "--nonsense", "x"],
    ["serve", "--port", "x"],
    ["nonsense"],
    ["import"],
    ["check"],
  ];
  for (const args of roundsOf(USAGE, 3)) {
    test(`goodword ${args.join(" ")} is wrong usage: 2`, async () => {
      using folder = temporaryFolder();
      const { code, stderr } = await run(folder.path, args);
      assert.equal(code, 2);
      assert.notEqual(stderr, "");
    });
  }

  test("--help and --version are there everywhere and end with 0", async () => {
    using folder = temporaryFolder();
    const asked = [
      ["--help"],
      ["--version"],
      ["import", "--help"],
      ["serve", "--help"],
      ["check", "--help"],
      ["config", "--help"],
    ];
    for (const args of roundsOf(asked, 3)) {
      const { code, stdout } = await run(folder.path, args);
      assert.equal(code, 0, args.join(" "));
      assert.notEqual(stdout, "");
    }
  });

  test("settings that do not parse stop the start, every fault named at once", async () => {
    using folder = temporaryFolder();
    const { code, stderr } = await run(folder.path, ["serve"], {
      PORT: "99999",
      BASE_URL: "example.com",
      WORKERS: "many",
      HUB_RETRY_SECONDS: "5",
      TRUST_PROXY: "x",
    });
    assert.equal(code, 1);
    for (const name of ["PORT", "BASE_URL", "WORKERS", "HUB_RETRY_SECONDS", "TRUST_PROXY"])
      assert.match(stderr, new RegExp(`^{"level":60,.*"msg":"${name} is `, "m"));
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  test("goodword config shows every setting with its meaning", async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "goodword.env"), "PORT=1\nSOURCES_ALLOW=10.0.0.0/8\nSHEET_KEY=x\n");
    const { code, stdout, stderr } = await run(folder.path, ["config"], { PORT: "1234" });
    assert.equal(code, 0);
    assert.match(stderr, /goodword\.env, it sets SOURCES_ALLOW; SHEET_KEY in it are not settings/);
    assert.match(stdout, /^SOURCES_ALLOW=10\.0\.0\.0\/8 .*# /m);
    assert.match(stdout, /^PORT=1234 .*# /m);
    assert.match(stdout, /^HUB_LEASE_SECONDS=60,864000,2592000 /m);
  });

  test("a refused import names file, line and field, exits with 1 without a stack, and leaves the store untouched", async () => {
    using folder = temporaryFolder();
    goodwordTable(folder.path, "good.csv", ROWS);
    const bad = goodwordTable(folder.path, "bad.csv", [...ROWS, "3,Cy,6,2026-02-30,x,google"]);
    assert.equal((await run(folder.path, ["import", "good.csv"])).code, 0);
    const { code, stderr } = await run(folder.path, ["import", bad]);
    assert.equal(code, 1);
    assert.match(stderr, /bad\.csv.*line 4.*rating/);
    assert.match(stderr, /bad\.csv.*line 4.*date.*2026-02-30/);
    assert.doesNotMatch(stderr, /\n\s+at /);
    const { stdout } = await run(folder.path, ["import", "good.csv", "--json"]);
    const report = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([report.unchanged, report.added, report.revised], [2, 0, false]);
  });

  test("--json tells a refusal to scripts as HTTP does: error and issues", async () => {
    using folder = temporaryFolder();
    const bad = goodwordTable(folder.path, "bad.csv", ["3,Cy,6,2026-01-30,x,google"]);
    for (const command of ["import", "check"]) {
      const { code, stdout } = await run(folder.path, [command, bad, "--json"]);
      assert.equal(code, 1);
      const { error, issues } = JSON.parse(stdout) as { error: string; issues: { path: unknown[]; message: string }[] };
      assert.equal(error, "Nothing was imported");
      assert.match(issues[0]?.message ?? "", /line 2.*rating/);
    }
  });

  test("a review that is not verified is counted as withheld, and served at no address", async () => {
    using folder = temporaryFolder();
    const csv = goodwordTable(folder.path, "mixed.csv", [
      ...ROWS,
      "9,Zebulon,1,2026-01-05,Xylophone fell on the compressor,yelp",
    ]);
    const { stdout } = await run(folder.path, ["import", csv]);
    assert.match(stdout, /withheld +1/);
    await using program = await serveProgram(folder.path);
    const id = deriveReviewId("yelp", "9", "2026-01-05");
    const paths = [
      ...RENDERED_PATHS,
      "/api/reviews/search",
      "/api/reviews/search?query=xylophone",
      "/api/reviews/since/2026-01-01",
    ];
    for (const path of paths) {
      const { status, text } = await ask(`${program.url}${path}`);
      assert.equal(status, 200, path);
      assert.doesNotMatch(text, /zebulon|xylophone/i, path);
      assert.ok(!text.includes(id), path);
    }
    assert.equal((await ask(`${program.url}/reviews/${id}`)).status, 404);
  });

  test("a program goes on beside a newer one that has upgraded the store, and one that starts then is refused", async () => {
    using folder = temporaryFolder();
    goodwordTable(folder.path, "good.csv", ROWS);
    await run(folder.path, ["import", "good.csv"]);
    await using older = await serveProgram(folder.path, { HUB_ALLOW_CALLBACKS: "127.0.0.0/8" });
    const hubForm = (path: string) =>
      new URLSearchParams({
        "hub.mode": "subscribe",
        "hub.topic": `${older.url}/feed.xml`,
        "hub.callback": `https://127.0.0.1:50999${path}`,
      }).toString();
    const subscribe = async (path: string) =>
      await ask(`${older.url}/api/websub/hub`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: hubForm(path),
      });
    assert.equal((await subscribe("/before")).status, 202);

    // What the start of a newer program does, and the first change that it commits.
    const newer = new DatabaseSync(join(folder.path, "goodword.db"), { timeout: 60_000 });
    newer.exec(`
      begin immediate;
      create table of_tomorrow (id integer primary key);
      alter table review add column mood text;
      alter table intent add column colour text not null default 'blue';
      insert into kysely_migration values ('9999-of-tomorrow', '2030-01-01T00:00:00.000Z');
      update review set text = 'Words of the newer program', mood = 'good' where author = 'Ann';
      update revision set number = number + 1, revised_at = '2026-11-22T00:00:00.000Z';
      commit`);
    await older.logged(({ revision }) => revision === 2);
    assert.match((await ask(`${older.url}/reviews.json`)).text, /Words of the newer program/);
    assert.equal((await subscribe("/after")).status, 202);

    const held = () =>
      newer.prepare("select (select group_concat(text || mood) from review) as words, number from revision").get();
    const before = held();
    for (const args of [
      ["import", "good.csv"],
      ["remove", "01GGXCK500C2J1D4P3DBSRYATM"],
      ["serve", "--port", "0"],
    ]) {
      const { code, stderr } = await run(folder.path, args);
      assert.equal(code, 1, args.join(" "));
      assert.match(stderr, /written by a newer goodword .* Use that version, or another store/);
    }
    assert.deepEqual(held(), before);
    const subscribed = newer.prepare("select count(*) as count, min(colour) as colour from intent").get();
    assert.deepEqual({ ...subscribed }, { count: 2, colour: "blue" });
    newer.close();
    assert.equal(await older.stop(), 0);
  });
});

test("ALLOWED_HOSTS names further hosts that /mcp answers for; what is no host name stops the start", async () => {
  using folder = temporaryFolder();
  await run(folder.path, ["import", goodwordTable(folder.path, "good.csv", ROWS)]);
  await using program = await serveProgram(folder.path, {
    ALLOWED_HOSTS: "reviews.example.com",
    BASE_URL: "https://public.example.com",
  });
  const body = JSON.stringify(initialize());
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const statusFor = async (host: string) =>
    (await ask(`${program.url}/mcp`, { method: "POST", headers: { ...headers, Host: host }, body })).status;
  for (const host of ["reviews.example.com", "public.example.com", "localhost", `127.0.0.1:${program.port}`])
    assert.equal(await statusFor(host), 200, host);
  for (const _time of [1, 2]) assert.equal(await statusFor("evil.example.com"), 403);
  const { text } = await ask(`${program.url}/mcp`, {
    method: "POST",
    headers: { ...headers, Host: "evil.example.com" },
    body,
  });
  assert.match(text, /Host \\"evil\.example\.com\\".*BASE_URL and ALLOWED_HOSTS/);
  const told = program.log.filter(({ host }) => host === "evil.example.com");
  assert.equal(told.length, 1, "once a host");
  assert.match(String(told[0]?.msg), /BASE_URL or ALLOWED_HOSTS/);
  for (const hosts of roundsOf(["*.example.com", "https://reviews.example.com/mcp", "a b"])) {
    const { code, stderr } = await run(folder.path, ["config"], { ALLOWED_HOSTS: hosts });
    assert.equal(code, 1);
    assert.match(stderr, /^error: ALLOWED_HOSTS is /);
  }
});

describe("tags and dates", () => {
  test("the same data has the same tags after a restart, in another store, in a backup that is never over a file, and the same bytes in an export", async () => {
    using one = temporaryFolder();
    using other = temporaryFolder();
    const settings = { BASE_URL: "https://reviews.example.com" };
    for (const folder of [one, other]) await run(folder.path, ["import", goodwordTable(folder.path, "good.csv", ROWS)]);
    const paths = [...DOCUMENTS, "/insights.json"];
    await using first = await serveProgram(one.path, settings);
    const tags = await tagsOf(first.url, paths);
    for (const code of [0, 1]) assert.equal((await run(one.path, ["backup", "copy.db"])).code, code);
    assert.equal((await run(one.path, ["export", "public"], settings)).code, 0);
    for (const path of ["/reviews.json", "/insights.json"])
      assert.ok(readFileSync(join(one.path, "public", path)).equals((await ask(`${first.url}${path}`)).body), path);
    await first.stop();
    const servedAgain = [
      [one, paths, { DATABASE_URL: `sqlite:${join(one.path, "copy.db")}` }],
      [other, DOCUMENTS, {}], // insights name the time of the import
      [one, paths, {}],
    ] as const;
    for (const [folder, compared, more] of roundsOf(servedAgain, 2)) {
      await using again = await serveProgram(folder.path, { ...settings, ...more });
      assert.deepEqual(
        await tagsOf(again.url, compared),
        Object.fromEntries(compared.map((path) => [path, tags[path]])),
      );
    }
  });

  test("a change by another process is served with the time of its commit; it moves the tags of what it changes and of nothing else", async () => {
    using folder = temporaryFolder();
    const csv = goodwordTable(folder.path, "reviews.csv", ROWS);
    await run(folder.path, ["import", csv]);
    await using program = await serveProgram(folder.path);
    const before = await ask(`${program.url}/reviews.json`);
    const paths = [...DOCUMENTS, "/api/reviews/since/2026-01-03", "/api/reviews/search?rating=2"];
    const tags = await tagsOf(program.url, paths);

    assert.equal((await run(folder.path, ["import", csv])).code, 0);
    const unchanged = await ask(`${program.url}/reviews.json`);
    assert.equal(unchanged.headers["last-modified"], before.headers["last-modified"]);
    assert.equal(unchanged.headers.etag, before.headers.etag);

    goodwordTable(folder.path, "reviews.csv", [ROWS[0]?.replace(",5,", ",4,") ?? "", ROWS[1] ?? ""]);
    const begun = Date.now();
    const imported = await run(folder.path, ["import", csv]);
    const ended = Date.now();
    assert.match(imported.stdout, /changed +1/);
    const { time } = await program.logged(({ revision }) => revision === 2);
    assert.ok(time);
    const committed = Date.parse(JSON.parse((await ask(`${program.url}/insights.json`)).text).generated_at);
    assert.ok(begun <= committed && committed <= ended, `${begun} <= ${committed} <= ${ended}`);
    const moved = await tagsOf(program.url, paths);
    const changed = paths.filter((path) => moved[path] !== tags[path]);
    assert.deepEqual(changed, ["/reviews.json", "/api/feed.json", "/feed.xml", "/api/reviews/since/2020-01-01"]);
    assert.equal(await program.stop(), 0);
  });
});

describe("serving in several ways", () => {
  test("--workers serves by as many processes on one port, replaces one that dies, and ends with 0", async () => {
    using folder = temporaryFolder();
    await run(folder.path, ["import", goodwordTable(folder.path, "good.csv", ROWS)]); // fewer to render than the sample
    await using program = await serveProgram(folder.path, {}, ["--workers", "2"]);
    const printed = () => program.log.filter((entry) => "reviews" in entry).map(({ pid }) => Number(pid));
    await program.logged(() => printed().length === 2);
    // A worker that ends before the supervisor has heard that it serves ends the program: it cannot start.
    const isListening = (entry: Record<string, unknown>) => "port" in entry && "url" in entry;
    await program.logged(() => program.log.filter(isListening).length === 2);
    assert.equal((await ask(`${program.url}/readyz`)).status, 200);
    process.kill(printed()[1] ?? 0, "SIGKILL");
    await program.logged(({ msg }) => msg === "A worker ended and is being replaced");
    await program.logged(() => printed().length === 3);
    assert.equal(new Set(printed()).size, 3);
    assert.equal((await ask(`${program.url}/reviews.json`)).status, 200);
    assert.equal(await program.stop(), 0);
  });

  test("--watch imports a folder at the start and whenever it changes; a refused change is said and harms nothing", async () => {
    using folder = temporaryFolder();
    using incoming = temporaryFolder();
    goodwordTable(incoming.path, "reviews.csv", ROWS);
    await using program = await serveProgram(folder.path, {}, ["--watch", incoming.path]);
    await program.logged(({ revision, reviews }) => revision === 1 && reviews === 2);
    goodwordTable(incoming.path, "reviews.csv", ["1,Ann,9,2026-01-02,x,google"]);
    const { faults } = await program.logged(({ msg }) => msg === "The watched folder was not imported");
    assert.deepEqual(faults, [`${join(incoming.path, "reviews.csv")}: line 2: rating is not valid`]);
    goodwordTable(incoming.path, "reviews.csv", [...ROWS, "3,Cy,5,2026-01-04,Neat work,google"]);
    await program.logged(({ revision, reviews }) => revision === 2 && reviews === 3);
    assert.equal(await program.stop(), 0);
  });
});

for (const { name, takeout, total } of EXPORT_SETS.slice(-1)) {
  test(`all ${total} reviews of ${name} are public after one command`, async () => {
    using folder = temporaryFolder();
    const { code, stdout } = await run(folder.path, ["import", takeout]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`added +${total}`));
    await using program = await serveProgram(folder.path);
    const { aggregate_rating, reviews } = json(await ask(`${program.url}/reviews.json`)) as {
      aggregate_rating: { review_count: number; rating_counts: Record<string, number> };
      reviews: { rating: number }[];
    };
    assert.equal(aggregate_rating.review_count, total);
    for (const [stars, count] of Object.entries(aggregate_rating.rating_counts)) {
      assert.equal(count, reviews.filter(({ rating }) => String(rating) === stars).length, `${stars} stars`);
    }
    await program.stop();
  });
}
