/** A start that fails ends the program at once, and looking writes nothing (interface §5). */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { run, temporaryFolder } from "./program.ts";

for (const setting of ["PORT", "METRICS_PORT"]) {
  test(`a ${setting} that is taken is a fault, not a program that waits for ever`, async () => {
    using folder = temporaryFolder();
    const taken = createServer().listen(0);
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await run(folder.path, ["serve"], { PORT: "0", [setting]: String(port) });
    taken.close();
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^error: .*EADDRINUSE.*${port}$`, "m"));
    assert.doesNotMatch(stderr, /^ +at /m);
  });
}

test("import --dry-run makes no store where there was none", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "reviews.csv");
  writeFileSync(path, "author,rating,date\nAnn,5,2026-01-02\n");
  const { code, stdout } = await run(folder.path, ["import", "--dry-run", path]);
  assert.equal(code, 0);
  assert.match(stdout, /^added +1$/m);
  assert.match(stdout, /^Nothing was written\.$/m);
  assert.equal(existsSync(join(folder.path, "goodword.db")), false);
});
