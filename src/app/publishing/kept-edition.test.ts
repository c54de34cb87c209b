import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/program.ts";
import { renderSample } from "./edition-worker-thread.ts";
import { keepEdition, keptEdition } from "./kept-edition.ts";

const BASE_URL = "https://reviews.example";
const rendered = await renderSample(BASE_URL);

function settingsOf(folder: string) {
  return { databaseUrl: `sqlite:${join(folder, "goodword.db")}`, baseUrl: BASE_URL };
}

test("keptEdition() is of the store that it is kept beside, whatever was written to it or where it was moved", async (t) => {
  using folder = temporaryFolder();
  const [ours, theirs, moved, copied] = ["ours", "theirs", "moved", "copied"].map((name) => join(folder.path, name));
  assert.ok(ours !== undefined && theirs !== undefined && moved !== undefined && copied !== undefined);
  for (const each of [ours, theirs]) {
    mkdirSync(each);
    writeFileSync(join(each, "goodword.db"), "a store");
  }
  if (statSync(join(ours, "goodword.db")).birthtimeMs === 0) return t.skip("this file system records no birth");
  await keepEdition(rendered, settingsOf(ours), async () => true);
  writeFileSync(join(ours, "goodword.db"), "a store with more in it");
  assert.equal(keptEdition(settingsOf(ours))?.revision, rendered.revision);
  copyFileSync(join(ours, "goodword.db.edition"), join(theirs, "goodword.db.edition"));
  assert.equal(keptEdition(settingsOf(theirs)), undefined);
  cpSync(ours, copied, { recursive: true });
  assert.equal(keptEdition(settingsOf(copied)), undefined);
  renameSync(ours, moved);
  assert.equal(keptEdition(settingsOf(moved))?.revision, rendered.revision);
});
