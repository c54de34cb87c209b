import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { temporaryFolder } from "../../../test/support/program.ts";
import { UNWATCHED_MS, watchStore } from "./store-watch.ts";

for (const ending of ["-wal", ".change", ""]) {
  test(`a write to goodword.db${ending} is noticed`, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "goodword.db");
    const { promise, resolve } = Promise.withResolvers<void>();
    using _watch = watchStore(`sqlite:${path}`, resolve);
    writeFileSync(`${path}.edition`, "of no interest");
    writeFileSync(`${path}${ending}`, "");
    const alive = setInterval(() => {}, 1_000); // a watch alone keeps no process
    await promise;
    clearInterval(alive);
  });
}

test("of many writes the first is noticed, and after a while the next", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  using folder = temporaryFolder();
  const path = join(folder.path, "goodword.db");
  let noticed = Promise.withResolvers<void>();
  let count = 0;
  using _watch = watchStore(`sqlite:${path}`, () => {
    count++;
    noticed.resolve();
  });
  const alive = setInterval(() => {}, 1_000);
  for (const round of [1, 2, 3]) {
    for (let write = 0; write < 50; write++) {
      writeFileSync(`${path}-wal`, String(write));
      await setImmediate(); // a turn of the event loop, in which it could be noticed
    }
    await noticed.promise;
    assert.equal(count, round);
    noticed = Promise.withResolvers<void>();
    t.mock.timers.tick(UNWATCHED_MS);
  }
  clearInterval(alive);
});

test("a folder that is back is watched again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  using folder = temporaryFolder();
  const path = join(folder.path, "later", "goodword.db");
  const { promise, resolve } = Promise.withResolvers<void>();
  using _watch = watchStore(`sqlite:${path}`, resolve);
  mkdirSync(join(folder.path, "later"));
  t.mock.timers.tick(1_000);
  writeFileSync(`${path}-wal`, "");
  const alive = setInterval(() => {}, 1_000);
  await promise;
  clearInterval(alive);
});

test("where there is nothing to watch, nothing fails", () => {
  for (const url of ["sqlite::memory:", "postgres://localhost/goodword", "sqlite:/nowhere/at/all/goodword.db"]) {
    using _watch = watchStore(url, () => assert.fail("nothing is written"));
  }
});
