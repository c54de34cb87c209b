import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { renderSample } from "./edition-worker-thread.ts";
import { keepEdition, keptEdition, makeKeepingPace } from "./kept-edition.ts";

const BASE_URL = "https://reviews.example";
const rendered = await renderSample(BASE_URL);

function settingsOf(folder: string) {
  return { databaseUrl: `sqlite:${join(folder, "goodword.db")}`, baseUrl: BASE_URL };
}

test("keptEdition() is of the store that it is kept beside, whatever was written to it or where it was moved", async (t) => {
  using folder = temporaryFolder();
  const [ours, theirs, moved, copied] = ["ours", "theirs", "moved", "copied"].map((name) => join(folder.path, name));
  assert.ok(ours !== undefined && theirs !== undefined && moved !== undefined && copied !== undefined);
  const birthOf = (store: string) => statSync(join(store, "goodword.db"), { bigint: true }).birthtimeNs;
  const keptRevision = (store: string) => keptEdition(settingsOf(store))?.revision; // a whole edition makes a long message
  makeStore(ours);
  if (birthOf(ours) === 0n) return t.skip("this file system records no birth");
  do makeStore(theirs);
  while (birthOf(theirs) === birthOf(ours)); // the system's clock for files may stand still for some milliseconds
  await keepEdition(rendered, settingsOf(ours), async () => true);
  writeFileSync(join(ours, "goodword.db"), "a store with more in it");
  assert.equal(keptRevision(ours), rendered.revision);
  copyFileSync(join(ours, "goodword.db.edition"), join(theirs, "goodword.db.edition"));
  assert.equal(keptRevision(theirs), undefined);
  cpSync(ours, copied, { recursive: true });
  assert.equal(keptRevision(copied), undefined);
  renameSync(ours, moved);
  assert.equal(keptRevision(moved), rendered.revision);
});

test("makeKeepingPace() has an edition saved half a minute after the first that was not, however many follow", () => {
  let now = 1_000_000;
  const pace = makeKeepingPace(() => now);
  const saved: number[] = [];
  for (; now <= 1_070_000; now += 300) {
    pace.published();
    if (!pace.isOverdue()) continue;
    saved.push(now - 1_000_000);
    pace.saved();
  }
  assert.deepEqual(saved, [30_300, 60_900]);
  now += 3_600_000; // a rest, after which two changes come at once
  pace.saved();
  pace.published();
  assert.equal(pace.isOverdue(), false);
});

function makeStore(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "goodword.db"), "a store");
}
