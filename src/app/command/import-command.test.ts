import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { run, temporaryFolder } from "../../../test/support/program.ts";
import { removeReviews } from "../../maintenance/removal.ts";
import { isStoreThere } from "../../store/engine/store-url.ts";
import { readImportOutcomes } from "../../store/history/import-outcome-rows.ts";
import { isErasurePending } from "../../store/history/removal-rows.ts";
import { openStore, readSnapshot } from "../../store/store.ts";
import { readConfig } from "../config.ts";
import { importCommand } from "./import-command.ts";

test("importCommand() asks on a terminal before --complete withdraws more than a fifth", async () => {
  using folder = temporaryFolder();
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder.path, "goodword.db")}` });
  const write = (name: string, ids: readonly number[]) => {
    const file = join(folder.path, name);
    const rows = ids.map((id) => `${id},5,2024-01-0${id},google`);
    writeFileSync(file, `id,rating,date,source\n${rows.join("\n")}\n`);
    return file;
  };
  const publishedCount = async () => {
    const store = await openStore(config.DATABASE_URL);
    const { reviews } = await readSnapshot(store);
    await store.close();
    return reviews.length;
  };
  /** Imports what is left, while somebody types. Gives what they were told. */
  const importTyping = async (typed: string) => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = Object.assign(new PassThrough(), { isTTY: true });
    input.end(typed);
    await importCommand(config, [write("left.csv", [1])], { complete: true }, { input, output });
    output.end();
    return await text(output);
  };
  await importCommand(config, [write("all.csv", [1, 2, 3])], {});
  for (const typed of ["n\n", "", "\u0004"]) {
    await assert.rejects(importTyping(typed), /^Declined: Nothing was imported: you did not confirm it\.$/);
    assert.equal(await publishedCount(), 3, JSON.stringify(typed));
  }
  const told = await importTyping("y\n");
  assert.match(told, /would withdraw 2 of the 3 published reviews[\s\S]*Import it all the same\? \[y\/N\]/);
  assert.equal(await publishedCount(), 1);
});

test("importCommand() with --dry-run leaves the rest of a removal to a run that writes", async () => {
  using folder = temporaryFolder();
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder.path, "goodword.db")}` });
  const file = join(folder.path, "all.csv");
  writeFileSync(file, "id,rating,date,source\na,5,2024-01-01,google\nb,5,2024-01-02,google\n");
  await importCommand(config, [file], {});
  await using store = await openStore(config.DATABASE_URL);
  const [review] = (await readSnapshot(store)).reviews;
  await removeReviews(store, [String(review?.id)], { what: ["review"], now: new Date() });
  await importCommand(config, [file], { dryRun: true });
  assert.equal(await isErasurePending(store.database), true);
  await importCommand(config, [file], {});
  assert.equal(await isErasurePending(store.database), false);
});

test("goodword import --reviews-only refuses files that describe a business, and changes nothing", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "business.yaml"), "name: Somebody else\ntime_zone: UTC\n");
  writeFileSync(join(folder.path, "all.csv"), "id,rating,date,source\na,5,2024-01-01,google\n");
  const refused = await run(folder.path, ["import", ".", "--reviews-only"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /business\.yaml describes a business, but only reviews are taken from here/);
  await using store = await openStore(`sqlite:${join(folder.path, "data/goodword.db")}`);
  const { business, reviews } = await readSnapshot(store);
  assert.deepEqual([business, reviews], [undefined, []]);
  assert.equal((await run(folder.path, ["import", "all.csv", "--reviews-only"])).code, 0);
});

test("importCommand() counts the outcomes of imports for the metrics", async () => {
  using folder = temporaryFolder();
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder.path, "goodword.db")}` });
  const file = join(folder.path, "all.csv");
  const importing = async (rating: number, flags = {}) => {
    writeFileSync(file, `id,rating,date,source\na,${rating},2024-01-01,google\n`);
    await importCommand(config, [file], flags).catch(() => {});
    if (!isStoreThere(config.DATABASE_URL)) return undefined;
    const store = await openStore(config.DATABASE_URL);
    const { times, failuresInARow } = await readImportOutcomes(store.database);
    await store.close();
    return [...Object.values(times), failuresInARow];
  };
  assert.equal(await importing(6), undefined, "a refused first import makes no store");
  assert.deepEqual(await importing(5), [1, 0, 0, 0, 0]);
  assert.deepEqual(await importing(6), [1, 0, 1, 0, 1]);
  assert.deepEqual(await importing(6), [1, 0, 2, 0, 2]);
  assert.deepEqual(await importing(6, { dryRun: true }), [1, 0, 2, 0, 2]);
  assert.deepEqual(await importing(5), [1, 1, 2, 0, 0]);
});
