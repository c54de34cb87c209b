import assert from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { openPrivateFile } from "./private-file.ts";

test("openPrivateFile() takes the first folder that may be written to, and leaves no name there", () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "fine"));
  const file = openPrivateFile([join(folder.path, "missing"), join(folder.path, "fine")]);
  assert.equal(file.append(Buffer.from("words")), 0);
  assert.equal(file.append(Buffer.from(" and more")), 5);
  const read = Buffer.alloc(4);
  file.read(read, 6);
  assert.equal(read.toString(), "and ");
  assert.deepEqual(readdirSync(join(folder.path, "fine")), []);
  file.close();
});

test("openPrivateFile() says what to do where none can be made", () => {
  using folder = temporaryFolder();
  assert.throws(() => openPrivateFile([join(folder.path, "a"), join(folder.path, "b")]), /Set TMPDIR to a folder/);
});
