/** A removal, redaction, undo or restore that is killed at any moment: the store is as before or as after, never between. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { eraseRemovedWords } from "../../src/app/removed-words.ts";

import { listRemovals } from "../../src/store/history/removal-rows.ts";
import { backupStore, openStore, readSnapshot } from "../../src/store/store.ts";
import { openSandbox, takeoutPage, takeoutReview } from "../support/import-sandbox.ts";
import { deriveReviewId } from "../support/review-id.ts";
import { skipRound } from "../support/test-runs.ts";

/** Besides that before the end; 50 with GOODWORD_KILLS=50. */
const KILLS = Number(process.env.GOODWORD_KILLS ?? 3);
const REVIEWS = 40;
const COMMANDS = join(import.meta.dirname, "..", "..", "src", "app", "command");

/** Runs a command, and is killed before its argv[1]th statement, its end being the last; says how many there were. */
const CHILD = `
  import { writeSync } from "node:fs";
  import { DatabaseSync, StatementSync } from "node:sqlite";
  const [last, file, name, ...args] = process.argv.slice(1).map((text) => JSON.parse(text));
  let statements = 0;
  const count = (owner, method) => {
    const original = owner.prototype[method];
    owner.prototype[method] = function (...given) {
      statements += 1;
      if (statements === last) process.kill(process.pid, "SIGKILL");
      return original.apply(this, given);
    };
  };
  for (const method of ["run", "all", "get"]) count(StatementSync, method);
  count(DatabaseSync, "exec");
  const commands = await import(file);
  await commands[name](...args);
  statements += 1;
  if (statements === last) process.kill(process.pid, "SIGKILL");
  writeSync(1, "done " + statements);`;

/** Gives what the command said, and after how many statements it was done; undefined when it was killed. */
async function runUntil(
  last: number | null,
  file: string,
  name: string,
  ...args: readonly unknown[]
): Promise<{ readonly said: string; readonly statements: number | undefined }> {
  const given = [last, join(COMMANDS, file), name, ...args].map((value) => JSON.stringify(value));
  const child = spawn(process.execPath, ["--input-type=module", "-e", CHILD, ...given], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  assert.ok(child.exitCode === 0 || child.signalCode === "SIGKILL", stderr);
  const done = /done (\d+)$/.exec(stdout);
  return { said: stdout, statements: done === null ? undefined : Number(done[1]) };
}

const ID = deriveReviewId("google", "1", "2024-05-06");
const WORDS = "the whimsical thermostat of Quirina";

function page(edition: string): object {
  const reviews = Array.from({ length: REVIEWS }, (_, index) =>
    takeoutReview(String(index), { comment: index === 1 ? WORDS : `Words ${index} of ${edition}` }),
  );
  return takeoutPage(...reviews);
}

function holds(folder: string, word: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word));
}

interface State {
  readonly words: readonly (string | null)[];
  readonly removals: readonly string[];
}

async function stateOf(url: string): Promise<State & { readonly revision: number }> {
  await using store = await openStore(url);
  const { reviews, revision } = await readSnapshot(store);
  const removals = (await listRemovals(store.database)).map(({ what }) => what);
  return { words: Array.from(reviews, ({ text }) => text), removals, revision: revision.number };
}

/** What the next start of the program does with a removal that was stopped half-way. */
async function startAgain(url: string): Promise<void> {
  await using store = await openStore(url);
  await eraseRemovedWords(url, store);
}

for (const [command, file, name, args, isRemoval, skip] of [
  ["remove", "removal-commands.ts", "removeCommand", [[ID]], true, false],
  ["redact", "removal-commands.ts", "redactCommand", [[ID], { author: true, text: true }], true, skipRound],
  ["undo", "history-commands.ts", "undoCommand", [true], false, skipRound],
  ["restore", "restore-command.ts", "restoreCommand", ["BACKUP", true], false, false],
] as const) {
  test(`kill -9 at any moment of ${command} leaves the old or the new state`, { skip }, async () => {
    await using box = await openSandbox();
    const model = join(box.folder, "model");
    const place = join(box.folder, "store");
    const url = `sqlite:${join(place, "goodword.db")}`;
    const backup = join(box.folder, "backup.db");
    const prepared = await openSandbox(`sqlite:${join(model, "goodword.db")}`);
    await prepared.take(box.write("first.json", page("first")));
    await backupStore(prepared.store, backup);
    await prepared.take(box.write("second.json", page("second")));
    await prepared[Symbol.asyncDispose]();
    const begin = () => {
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place);
      cpSync(model, place, { recursive: true });
    };
    const given = args.map((value) => (value === "BACKUP" ? backup : value));
    begin();
    const before = await stateOf(url);
    const { statements = 0 } = await runUntil(null, file, name, url, ...given);
    const after = await stateOf(url);
    assert.notDeepEqual(after, before);
    assert.ok(statements > KILLS, `only ${statements} statements`);
    const outcomes = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      begin();
      const last = 1 + Math.round((kill * (statements - 1)) / (KILLS - 1));
      const { said } = await runUntil(last, file, name, url, ...given);
      const found = await stateOf(url);
      const isNew = found.revision !== before.revision;
      assert.deepEqual(found, isNew ? after : before, `killed before statement ${last}`);
      outcomes.add(isNew ? "new" : "old");
      if (!isRemoval) continue;
      if (/Removed|Took/.test(said)) assert.deepEqual(holds(place, "whimsical"), [], "what was said is true");
      await startAgain(url);
      assert.equal(holds(place, "whimsical").length > 0, !isNew, "the next start finishes what was begun");
    }
    assert.deepEqual(outcomes, new Set(["old", "new"]), "kills fell before and after the commit");
  });
}
