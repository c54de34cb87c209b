/** A store that cannot be opened. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { openStore } from "./store.ts";

test("openStore() of a place that may not be written names DATABASE_URL and the path", async () => {
  await using box = await openSandbox();
  const [file, folder] = [join(box.folder, "file"), join(box.folder, "folder")];
  writeFileSync(file, "");
  mkdirSync(folder);
  for (const path of [join(file, "goodword.db"), folder, "/proc/nowhere/data/goodword.db"]) {
    const names = (error: unknown) =>
      error instanceof Error &&
      error.message.includes(`The store ${path} cannot`) &&
      /DATABASE_URL/.test(error.message);
    await assert.rejects(openStore(`sqlite:${path}`), names);
  }
});
