/** The owner's own language model, with the whole program: import, serve, kill, resume, fail. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Insights } from "../../src/insights-document.ts";
import type { Review } from "../../src/review.ts";
import { type Asked, type Given, labels, openStandIn } from "../support/model-stand-in.ts";
import { BIN, environmentOf, run, serveProgram, temporaryFolder } from "../support/program.ts";
import { ask, json } from "../support/wire.ts";

const TEXTS = [
  "Purrs like new",
  "Rattles louder than before",
  "Left boot prints",
  "Told me 9 and showed up at 2",
] as const;
const BY_MODEL = (asked: Asked): Given => ({
  labels: labels("communication", "neutral", asked.review.text.split(" ").slice(0, 2).join(" ")),
});

function writeReviews(folder: string): string {
  const path = join(folder, "reviews.json");
  const rows = TEXTS.map((text, index) => ({ id: `${index}`, rating: 5 - index, date: `2026-01-0${index + 1}`, text }));
  writeFileSync(path, JSON.stringify(rows));
  return path;
}

const settingsFor = (url: string) => ({
  ANALYZER_URL: url,
  ANALYZER_MODEL: "stand-in:1b",
  ANALYZER_KEY: "sk-very-secret",
});

test("import has the model read the reviews, and a server that runs publishes what it found", async () => {
  using folder = temporaryFolder();
  const path = writeReviews(folder.path);
  await using server = await openStandIn(BY_MODEL);
  const settings = settingsFor(server.url);
  await run(folder.path, ["import", path, "--source", "google"]);
  const program = await serveProgram(folder.path, settings);
  const lexicon = json(await ask(`${program.url}/insights.json`)) as Insights;
  assert.equal(lexicon.model, "goodword-16");

  const imported = await run(folder.path, ["import", path, "--source", "google", "--json"], settings);
  assert.equal(imported.code, 0, imported.stderr);
  const report = JSON.parse(imported.stdout) as Record<string, unknown>;
  assert.deepEqual([report.unchanged, report.revised], [4, true]);
  assert.deepEqual(report.language_model, { model: "stand-in:1b", texts: 4, analysed: 4, made: 4 });
  await program.logged(({ revision }) => revision === report.revision);

  const insights = json(await ask(`${program.url}/insights.json`)) as Insights;
  assert.equal(insights.model, "stand-in:1b (4 of 4 texts), goodword-16");
  const { reviews } = json(await ask(`${program.url}/reviews.json`)) as { reviews: Review[] };
  for (const { id, text } of reviews) {
    const evidence = text?.split(" ").slice(0, 2).join(" ");
    assert.deepEqual(insights.per_review[id]?.aspects, [{ id: "communication", sentiment: "neutral", evidence }]);
  }
  assert.equal(insights.aspects[0]?.id, "communication");
  assert.equal(insights.aspects[0]?.mention_count, 4);
  assert.ok(!JSON.stringify([program.log, imported]).includes("very-secret"));
  await program.stop();
});

test("an import that is killed while the model reads goes on where it was", async () => {
  using folder = temporaryFolder();
  const path = writeReviews(folder.path);
  let isHeld = true;
  await using server = await openStandIn((asked) => (isHeld && asked.position >= 2 ? "silence" : BY_MODEL(asked)));
  const settings = settingsFor(server.url);
  const args = ["import", path, "--source", "google", "--json"];
  const child = spawn(process.execPath, [BIN, ...args], { env: environmentOf(folder.path, settings), stdio: "ignore" });
  // Two are read at a time, and one is answered only once the one before it is kept: of four, two are kept by now.
  await server.reached(4);
  child.kill("SIGKILL");
  await once(child, "exit");
  isHeld = false;
  const { code, stdout } = await run(folder.path, args, settings);
  assert.equal(code, 0);
  const report = JSON.parse(stdout) as Record<string, unknown>;
  assert.deepEqual(report.language_model, { model: "stand-in:1b", texts: 4, analysed: 4, made: 2 });
  assert.equal(server.asked.length, 6, "nothing that was kept is asked again");
  const program = await serveProgram(folder.path, settings);
  const insights = json(await ask(`${program.url}/insights.json`)) as Insights;
  assert.equal(insights.model, "stand-in:1b (4 of 4 texts), goodword-16");
  await program.stop();
});

test("a model that refuses is a warning, exit code 0, and the lexicon's analysis", async () => {
  using folder = temporaryFolder();
  const path = writeReviews(folder.path);
  await using server = await openStandIn(() => ({ status: 401, body: '{"error":{"message":"no such key"}}' }));
  const { code, stdout } = await run(folder.path, ["import", path, "--source", "google"], settingsFor(server.url));
  assert.equal(code, 0);
  assert.match(
    stdout,
    /warning: stand-in:1b has read 0 of 4 texts, then it answered 401, "no such key": check ANALYZER_KEY/,
  );
  assert.match(stdout, /added +4/);
  const program = await serveProgram(folder.path, settingsFor(server.url));
  assert.equal((json(await ask(`${program.url}/insights.json`)) as Insights).model, "goodword-16");
  await program.stop();
});

test("a dry run and a check ask no model", async () => {
  using folder = temporaryFolder();
  const path = writeReviews(folder.path);
  await using server = await openStandIn(BY_MODEL);
  for (const args of [
    ["import", path, "--source", "google", "--dry-run"],
    ["check", path],
  ]) {
    assert.equal((await run(folder.path, args, settingsFor(server.url))).code, 0);
  }
  assert.equal(server.asked.length, 0);
});

test("settings of the model that do not parse are named, and its key is never shown", async () => {
  using folder = temporaryFolder();
  const wrong = { ANALYZER_URL: "http://me:pass@localhost/v1", ANALYZER_KEY: "very secret" };
  const { code, stderr } = await run(folder.path, ["config"], wrong);
  assert.equal(code, 1);
  assert.match(stderr, /^error: ANALYZER_URL is set, but must be an http/m);
  assert.match(stderr, /^error: ANALYZER_KEY is set, but must be a key/m);
  assert.match(stderr, /^error: ANALYZER_MODEL is empty, but must name the model/m);
  const right = await run(folder.path, ["config"], settingsFor("http://localhost:11434/v1"));
  assert.match(right.stdout, /^ANALYZER_KEY=••• /m);
  assert.ok(!right.stdout.includes("very-secret"));
});
