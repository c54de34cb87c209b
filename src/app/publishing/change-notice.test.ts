import assert from "node:assert/strict";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { announceChange, canAnnounce, latestNotice } from "./change-notice.ts";

test("a notice stands until it is disposed of, and leaves nothing", () => {
  using folder = temporaryFolder();
  const url = `sqlite:${join(folder.path, "goodword.db")}`;
  assert.equal(latestNotice(url), undefined);
  {
    using _notice = announceChange(url);
    assert.equal(typeof latestNotice(url), "number");
  }
  assert.equal(latestNotice(url), undefined);
  assert.deepEqual(readdirSync(folder.path), []);
});

test("where there is no place for a notice, none is given and nothing fails", () => {
  using folder = temporaryFolder();
  for (const url of ["sqlite::memory:", "postgres://localhost/goodword"]) {
    using _notice = announceChange(url);
    assert.deepEqual([canAnnounce(url), latestNotice(url)], [false, undefined]);
  }
  using _notice = announceChange(`sqlite:${join(folder.path, "missing", "goodword.db")}`);
  assert.deepEqual(readdirSync(folder.path), []);
});

test("a notice that cannot be looked at is none", () => {
  using folder = temporaryFolder();
  const loop = join(folder.path, "loop");
  symlinkSync(loop, loop);
  assert.equal(latestNotice(`sqlite:${join(loop, "goodword.db")}`), undefined);
});
