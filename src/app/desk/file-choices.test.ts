/** What a desk remembers of the tables that it was given. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { openChoices } from "./file-choices.ts";

const CARDS = { columns: ["Who", "Marks", "On", "Said"] };
const CHOSEN = { columns: { author: "Who", rating: "Marks" }, dates: "mdy", encoding: "windows-1252" } as const;

describe("what was chosen for a table", () => {
  test("goes for the next file with the same columns, also at another desk", () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "tables.json");
    openChoices(path, undefined).remember([CARDS], CHOSEN);
    const later = openChoices(path, folder.path);
    assert.deepEqual(later.recall([{ columns: ["x"] }, CARDS]), CHOSEN);
    assert.equal(later.recall([{ columns: ["Who", "Marks", "On"] }]), undefined);
    later.remember([CARDS], { dates: "dmy" });
    assert.deepEqual(later.recall([CARDS]), { dates: "dmy" }, "the latest choice");
  });

  test("is kept of few tables, and never of one whose first row is a review", () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "tables.json");
    const choices = openChoices(path, undefined);
    choices.remember([{ columns: ["Ann", "5", "2025-01-02", "Quick"] }], { dates: "dmy" });
    choices.remember([{ columns: ["Who", "x".repeat(61)] }], { dates: "dmy" });
    choices.remember([CARDS], {});
    choices.remember([CARDS], { encoding: "x".repeat(1_000) });
    choices.remember([{ columns: ["Who"] }], CHOSEN);
    assert.deepEqual(readdirSync(folder.path), [], "none of these");
    for (let at = 0; at < 25; at++) choices.remember([{ columns: [`of ${at}`] }], { dates: "dmy" });
    assert.equal((JSON.parse(readFileSync(path, "utf8")) as unknown[]).length, 20);
    assert.equal(choices.recall([{ columns: ["of 0"] }]), undefined, "the oldest are forgotten");
    assert.ok(choices.recall([{ columns: ["of 24"] }]));
  });

  test("is nothing where somebody else has put another file or a link", () => {
    using folder = temporaryFolder();
    using elsewhere = temporaryFolder();
    const path = join(folder.path, "tables.json");
    const other = join(elsewhere.path, "other.json");
    const text = JSON.stringify([{ names: CARDS.columns, chosen: CHOSEN }]);
    writeFileSync(other, text);
    symlinkSync(other, path);
    const choices = openChoices(path, folder.path);
    assert.equal(choices.recall([CARDS]), undefined, "a link that leads out of the folder is not read");
    choices.remember([CARDS], { dates: "dmy" });
    assert.equal(readFileSync(other, "utf8"), text, "nor written through");
    assert.deepEqual(choices.recall([CARDS]), { dates: "dmy" });
    for (const hostile of ["{", "[1]", '[{"names":["a"],"chosen":{"columns":{"rating":""}}}]', " ".repeat(300_000)]) {
      writeFileSync(path, hostile);
      assert.equal(choices.recall([CARDS]), undefined);
    }
  });
});
