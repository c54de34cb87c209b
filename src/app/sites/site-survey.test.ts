import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSandbox } from "../../../test/support/import-sandbox.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import type { BusinessFile } from "../../business.ts";
import { sourceKey } from "../../follow/shown-source.ts";
import { openStore } from "../../store/store.ts";
import { readPublishedFigures, type StoreSurvey } from "../../store/store-survey.ts";
import type { FollowedSourceTable } from "../../store/tables.ts";
import { siteFolder } from "./site-folder.ts";
import { surveySite, workDueAt } from "./site-survey.ts";

test("workDueAt() wakes a site that rests for what is due of its hub, its sources and its owner, and for nothing else", () => {
  const now = new Date("2026-11-27T12:00:00Z");
  const [past, future] = ["2026-11-27T11:59:59.000Z", "2026-11-27T12:00:01.000Z"];
  const source = { url: "https://a.example/x.csv", every: "1h", source: "google", complete: false };
  const survey = {
    ...{ revision: { number: 1, revised_at: now }, business: undefined, followed: new Map(), told: new Map() },
    ...{
      isErasurePending: false,
      hasSubscribers: true,
      isFanOutUnfinished: false,
      fanOutRevision: 1,
      hubDueAt: future,
      noticeDueAt: future,
    },
  };
  const business = { ...{ name: "A", time_zone: "UTC" }, sources: [source] } as unknown as BusinessFile;
  const fetched = (next_at: string) => new Map([[sourceKey(source), { next_at } as FollowedSourceTable]]);
  const cases: readonly (readonly [string, Partial<StoreSurvey>, boolean])[] = [
    ["nothing", {}, false],
    ["a retry or a verification", { hubDueAt: past }, true],
    ["a fan-out that a stop has cut short", { isFanOutUnfinished: true }, true],
    ["a message to the owner", { noticeDueAt: past }, true],
    ["a source that was never fetched", { business }, true],
    ["a source that is fetched later", { business, followed: fetched(future) }, false],
    ["a source whose time has come", { business, followed: fetched(past) }, true],
  ];
  for (const [what, changed, isDue] of cases) {
    const dueAt = workDueAt({ ...survey, ...changed }, now);
    assert.equal(dueAt, isDue ? Math.min(dueAt, now.getTime()) : Date.parse(future), what);
  }
  assert.equal(workDueAt({ ...survey, hubDueAt: undefined, noticeDueAt: undefined }, now), Number.POSITIVE_INFINITY);
});

test("surveySite() keeps words of a store out of what the log says", async () => {
  using folder = temporaryFolder();
  const site = siteFolder(folder.path, "a");
  mkdirSync(join(site.folder, "data"), { recursive: true });
  const file = join(site.folder, "data", "goodword.db");
  await (await openStore(`sqlite:${file}`)).close();
  for (const described of ['{"Secret words": 1}', "Secret words"]) {
    {
      using database = new DatabaseSync(file);
      database.prepare("replace into business values (1, ?)").run(described);
    }
    const { state, plainProblem } = await surveySite({ ...site, baseUrl: "http://a.test" }, {});
    assert.equal(state, "damaged");
    assert.equal(plainProblem, "Its store describes a business as goodword does not: restore a backup");
  }
});

test("readPublishedFigures() refuses a store in which the newest day is none, which a list would show", async () => {
  await using box = await openSandbox();
  await box.take(box.write("a.csv", "author,rating,date,source\nAnn,5,2026-01-02,google\n"));
  assert.equal((await readPublishedFigures(box.store.database)).newestReview, "2026-01-02");
  await box.store.database.updateTable("review").set({ date: "x" }).execute();
  await assert.rejects(readPublishedFigures(box.store.database), /The store is damaged: the day of its newest review/);
});

test("surveySite() reads a large business.yaml where no other site waits for it", async () => {
  using folder = temporaryFolder();
  const site = { ...siteFolder(folder.path, "a"), baseUrl: "http://a.test" };
  mkdirSync(site.folder);
  const described = "name: A\ntime_zone: UTC\n";
  const areas = Array.from({ length: 3_000 }, (_, at) => `- { id: area-${at}, label: Area ${at} }\n`).join("");
  for (const [text, found] of [
    [`${described}service_areas:\n${areas}`, "empty"],
    [`${described}summary: ${"long ".repeat(4_000)}\n`, "empty"],
    [`${described}${"@\n".repeat(110_000)}`, "damaged"],
  ] as const) {
    writeFileSync(join(site.folder, "business.yaml"), text);
    const before = process.threadCpuUsage();
    const { state, problems, plainProblem } = await surveySite(site, {});
    const { user, system } = process.threadCpuUsage(before);
    assert.equal(state, found, problems.join());
    assert.ok(user + system < 600_000, `${user + system} µs of this thread`);
    if (state === "damaged") assert.equal(plainProblem, "line 1: its description of a business is not valid");
  }
});

test("surveySite() reads one large business.yaml at a time, however many sites have changed", {
  skip: process.platform !== "linux",
}, async () => {
  using folder = temporaryFolder();
  const sites = Array.from({ length: 24 }, (_, at) => ({
    ...siteFolder(folder.path, `s${at}`),
    baseUrl: `http://s${at}.test`,
  }));
  for (const { folder } of sites) {
    mkdirSync(folder);
    writeFileSync(join(folder, "business.yaml"), `name: A\ntime_zone: UTC\nsummary: ${"long ".repeat(4_000)}\n`);
  }
  const threads = () => readdirSync("/proc/self/task").length;
  const before = threads();
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, threads());
  }, 1);
  const surveys = await Promise.all(sites.map((site) => surveySite(site, {})));
  clearInterval(looking);
  assert.ok(surveys.every(({ state }) => state === "empty"));
  assert.ok(most - before < 12, `${most - before} more threads`);
});
