import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { restoreCommand } from "./restore-command.ts";

test("restoreCommand() says what a wrong file is, and makes no store for it", async () => {
  using folder = temporaryFolder();
  const store = join(folder.path, "goodword.db");
  const text = join(folder.path, "business.yaml");
  const pipe = join(folder.path, "pipe.db");
  writeFileSync(text, "name: A\n");
  execFileSync("mkfifo", [pipe]); // nothing writes to it
  const cases: readonly [string, RegExp][] = [
    [join(folder.path, "absent.db"), /^There is no file ".*absent\.db"\. A backup lies where goodword backup was run/],
    ["absent.db", /^There is no file "absent\.db" in \/.*\. A backup lies/],
    [text, /^".*business\.yaml" is no backup: name the file that goodword backup wrote\. Nothing was changed\.$/],
    [folder.path, /is no backup/],
    [pipe, /is no backup/],
  ];
  for (const [file, message] of cases)
    await assert.rejects(restoreCommand(`sqlite:${store}`, file, true), { message }, file);
  assert.equal(existsSync(store), false);
});
