import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/program.ts";
import { watchStore } from "./store-watch.ts";

for (const ending of ["-wal", ".change"]) {
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

test("where there is nothing to watch, nothing fails", () => {
  for (const url of ["sqlite::memory:", "postgres://localhost/goodword", "sqlite:/nowhere/at/all/goodword.db"]) {
    using _watch = watchStore(url, () => assert.fail("nothing is written"));
  }
});
