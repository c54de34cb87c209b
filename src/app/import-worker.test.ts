import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { listening } from "../../test/support/loopback.ts";
import { labels, openStandIn } from "../../test/support/model-stand-in.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import type { Issue } from "../issue.ts";
import { storeFileOf } from "../store/engine/store-url.ts";
import { readImportOutcomes } from "../store/history/import-outcome-rows.ts";
import { openStore, readSnapshot } from "../store/store.ts";
import { readConfig } from "./config.ts";
import { type ImportLimits, type ImportOutcome, runImport } from "./import-worker.ts";
import { importIntoStore } from "./stored-import.ts";

const LIMITS: ImportLimits = { deadlineMs: 120_000, readingDeadlineMs: 120_000, heapMb: 400 };
const NEVER = new AbortController().signal;

/** A folder with a file of this many reviews, and a store that is not there yet. */
function openBench(reviews: number, settings: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const path = join(folder.path, "reviews.csv");
  const url = `sqlite:${join(folder.path, "goodword.db")}`;
  const words = "They came in time and the house was cold again within the hour";
  const rows = Array.from({ length: reviews }, (_, id) => `${id},Ann,5,2026-01-02,${words} ${id},google`);
  writeFileSync(path, `id,author,rating,date,text,source\n${rows.join("\n")}\n`);
  return {
    path,
    config: readConfig({ DATABASE_URL: url, ...settings }),
    async published() {
      const store = await openStore(url);
      const { length } = (await readSnapshot(store)).reviews;
      await store.close();
      return length;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function refusalOf(outcome: ImportOutcome): Issue | undefined {
  assert.ok("issues" in outcome);
  return outcome.issues[0];
}

/** What ended an import, if it is said in the program's own words. */
function endOf(outcome: ImportOutcome): string {
  const issue = refusalOf(outcome);
  assert.deepEqual([issue?.code, issue?.message], ["failed", issue?.plain]);
  return issue?.plain ?? "";
}

describe("runImport()", () => {
  test("imports a path, or an open file that has no name", async () => {
    using bench = openBench(1_500);
    const file = await open(bench.path);
    const opened = { config: bench.config, path: "https://example.com/reviews.csv", file };
    const first = await runImport(opened, NEVER);
    assert.ok("report" in first, JSON.stringify(first));
    assert.deepEqual([first.report.added, first.report.files[0]?.name], [1_500, "https://example.com/reviews.csv"]);
    assert.equal(file.fd, -1, "the file is the thread's");
    const again = await runImport({ config: bench.config, path: bench.path }, NEVER);
    assert.ok("report" in again);
    assert.equal(again.report.unchanged, 1_500);
  });

  test("gives the issues of a refusal", async () => {
    using bench = openBench(0);
    writeFileSync(bench.path, "id,rating,date\n1,9,2026-01-02\n");
    const outcome = await runImport({ config: bench.config, path: bench.path }, NEVER);
    const issue = refusalOf(outcome);
    assert.equal(issue?.code, "field");
    assert.match(issue?.message ?? "", /rating is "9"/);
    assert.equal(issue?.plain, "line 2: rating is not valid");
  });

  test("refuses what a server has not the memory to publish, in words for the log; by hand it asks", async () => {
    using bench = openBench(3, { MEMORY_MB: "512" });
    const large = `id,author,rating,date,text,source\n${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => `l${id},Ann,5,2026-01-02,${id}${"z".repeat(900_000)},google`).join("\n")}\n`;
    assert.ok("report" in (await runImport({ config: bench.config, path: bench.path }, NEVER)));
    writeFileSync(bench.path, large);
    const issue = refusalOf(await runImport({ config: bench.config, path: bench.path }, NEVER));
    assert.deepEqual([issue?.code, issue?.message], ["unconfirmed", issue?.plain]);
    assert.match(issue?.plain ?? "", /^The store would hold 14 reviews with 10 MB of words\..* some 428 MB .* 512 MB/);
    assert.equal(await bench.published(), 3);
    const { report } = await importIntoStore(bench.config, [bench.path], { yes: true });
    assert.equal(report.added, 11);
    writeFileSync(bench.path, large.split("\n").slice(0, 3).join("\n"));
    assert.ok("report" in (await runImport({ config: bench.config, path: bench.path }, NEVER)), "it adds nothing");
  });

  test("gives of a fault that is no refusal a message for the owner, and own words for the log", async () => {
    using bench = openBench(1);
    writeFileSync(storeFileOf(bench.config.DATABASE_URL) ?? "", "no store at all".repeat(1_000));
    const issue = refusalOf(await runImport({ config: bench.config, path: bench.path }, NEVER));
    assert.equal(issue?.code, "failed");
    assert.equal(
      issue?.plain,
      "The file of the store is not a store of goodword. Put a backup in its place, or correct DATABASE_URL",
    );
    assert.match(issue?.message ?? "", /^The file of the store is not a store of goodword\. .*\. \(/);
  });

  test("ends an import at its deadline, which changes nothing, and the next one is not held up", async () => {
    using bench = openBench(20_000);
    const outcome = await runImport({ config: bench.config, path: bench.path }, NEVER, {
      ...LIMITS,
      deadlineMs: 1,
    });
    assert.equal(endOf(outcome), "It was stopped, because it took longer than 0.001 seconds");
    assert.equal(await bench.published(), 0);
    writeFileSync(bench.path, "id,rating,date,source\n1,5,2026-01-02,google\n");
    assert.ok("report" in (await runImport({ config: bench.config, path: bench.path }, NEVER)));
    assert.equal(await bench.published(), 1);
  });

  test("ends an import that needs more memory than it may have, and not the process", async () => {
    using bench = openBench(20_000);
    const outcome = await runImport({ config: bench.config, path: bench.path }, NEVER, { ...LIMITS, heapMb: 24 });
    assert.match(endOf(outcome), /needs more memory than an import of a server may take \(24 MB\)/);
    assert.equal(await bench.published(), 0);
  });

  test("leaves nothing of an import for which the system has no thread, and a rendering is tried again", () => {
    using bench = openBench(1);
    const at = (path: string) => JSON.stringify(import.meta.resolve(path));
    // What the permission model refuses, a lack of memory or of processes refuses at the same place.
    const program = `
      import { openRenderer } from ${at("../publication/renderer.ts")};
      import { readConfig } from ${at("./config.ts")};
      import { runImport } from ${at("./import-worker.ts")};
      const config = readConfig({ DATABASE_URL: ${JSON.stringify(bench.config.DATABASE_URL)} });
      const renderer = openRenderer().open({ databaseUrl: config.DATABASE_URL, baseUrl: "https://a.example" }, () => {});
      renderer.start();
      const tell = ({ code }) => console.log(code);
      await renderer.render().catch(tell);
      await renderer.render().catch(tell);
      await runImport({ config, path: ${JSON.stringify(bench.path)} }, new AbortController().signal).catch(tell);`;
    const options = [
      "--permission",
      "--allow-fs-read=*",
      "--allow-fs-write=*",
      "--input-type=module",
      "--eval",
      program,
    ];
    const { stdout, status } = spawnSync(process.execPath, options, { encoding: "utf8", timeout: 60_000 });
    assert.deepEqual([stdout, status], ["ERR_ACCESS_DENIED\n".repeat(3), 0]);
  });

  test("ends an import when it is told to", async () => {
    using bench = openBench(20_000);
    const stop = new AbortController();
    const running = runImport({ config: bench.config, path: bench.path }, stop.signal);
    stop.abort();
    assert.equal(endOf(await running), "It was stopped");
    assert.equal(await bench.published(), 0);
  });

  test("keeps what is imported when a language model that does not answer is given up", async () => {
    const requests: unknown[] = [];
    await using model = await listening(createServer((request) => requests.push(request)));
    using bench = openBench(3, { ANALYZER_URL: `http://127.0.0.1:${model.port}`, ANALYZER_MODEL: "silent" });
    const limits = { ...LIMITS, readingDeadlineMs: 500 };
    const outcome = await runImport({ config: bench.config, path: bench.path }, NEVER, limits);
    assert.ok("report" in outcome, JSON.stringify(outcome));
    assert.equal(outcome.report.added, 3);
    assert.match(outcome.report.warnings.join(), /language model has not read all texts.*longer than 0\.5 seconds/);
    assert.equal(await bench.published(), 3);
  });

  test("counts an import as done when a fault of the store ends what the language model reads", async () => {
    await using model = await openStandIn(() => ({ labels: labels("communication", "neutral", "They came") }));
    using bench = openBench(3, { ANALYZER_URL: model.url, ANALYZER_MODEL: "small" });
    await (await openStore(bench.config.DATABASE_URL)).close();
    const file = new DatabaseSync(storeFileOf(bench.config.DATABASE_URL) ?? "");
    file.exec(`create trigger broken before insert on analysis when new.key like '%.%'
      begin select raise(abort, 'no room'); end`);
    file.close();
    const outcome = await runImport({ config: bench.config, path: bench.path }, NEVER);
    assert.ok("report" in outcome, JSON.stringify(outcome));
    assert.match(outcome.report.warnings.join(), /language model has not read all texts.*no room/);
    await assert.rejects(importIntoStore(bench.config, [bench.path], {}), /no room/);
    await using store = await openStore(bench.config.DATABASE_URL);
    const { times, failuresInARow } = await readImportOutcomes(store.database);
    assert.deepEqual([times, failuresInARow], [{ imported: 1, unchanged: 1, refused: 0, failed: 0 }, 0]);
  });
});
