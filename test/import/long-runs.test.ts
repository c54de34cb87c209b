/** Fields that are one long run of a character: an expression that begins anew at each of its places takes hours. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN, environmentOf, temporaryFolder } from "../support/program.ts";

const LENGTH = 150_000;
/** Some hundred times what it takes on an idle machine; a single square of LENGTH for each character takes longer. */
const DEADLINE_MS = 200_000;
const CHARACTERS = [..." \u00a0\na0.:/_-'[(<&\",!é"];
const GOOD = { id: "1", author: "A", rating: 5, date: "2026-01-02", text: "Good", source: "google" };
const FIELDS = "author rating date source source_url owner_reply_text owner_reply_date verified place_id status";

for (const [name, fill] of Object.entries({
  "a text": (run: string) => ({ text: `x<br>y${run}z` }),
  "a text with a paragraph": (run: string) => ({ text: `<p>x${run}z</p>y` }),
  "a title": (run: string) => ({ title: `x${run}z` }),
  "every other field": (run: string) =>
    Object.fromEntries(FIELDS.split(" ").map((field) => [field, `2026-01-02T03:04:05.1${run}1Z`])),
  "a cell that may be a total's": (run: string) => ({ date: null, author: `total${run}x` }),
  "a scale": (run: string) => ({ best_rating: `5${run}x` }),
  "a member's name": (run: string) => ({ [`x${run}z`]: "1" }),
})) {
  test(`${name} that is a run of any character is read in time that grows with its length`, () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "reviews.jsonl");
    const records = CHARACTERS.map((character, at) => ({ ...GOOD, id: `id ${at}`, ...fill(character.repeat(LENGTH)) }));
    for (const record of [GOOD, ...records]) writeFileSync(path, `${JSON.stringify(record)}\n`, { flag: "a" });
    const check = spawnSync(process.execPath, [BIN, "check", path], {
      ...{ cwd: folder.path, env: environmentOf(folder.path), encoding: "utf8" },
      ...{ timeout: DEADLINE_MS, killSignal: "SIGKILL" },
    });
    assert.equal(check.signal, null);
    assert.match(check.stdout + check.stderr, /reviews\.jsonl/, "it was read");
  });
}
