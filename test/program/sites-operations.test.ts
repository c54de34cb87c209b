/** What an owner does to one site among many, beside workers and a second process that serve it, on both engines. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { siteStoreUrl } from "../../src/store/engine/store-url.ts";
import { ENGINES, releaseEngines } from "../support/engines.ts";
import { filesHolding } from "../support/files-holding.ts";
import { run, temporaryFolder } from "../support/program.ts";
import { importInto, makeSitesFolder, reviewOf, serveSites } from "../support/sites.ts";
import { within } from "../support/within.ts";

releaseEngines();

for (const { name: engine, url } of ENGINES) {
  test(`import, watched folder, undo, restore, removal and a kill of one site leave the other as it is: ${engine}`, async () => {
    using folder = temporaryFolder();
    const sites = makeSitesFolder(folder.path);
    const settings: { DATABASE_URL?: string } = engine === "SQLite" ? {} : { DATABASE_URL: await url() };
    const command = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run(folder.path, [...args, "--sites", "sites"], settings);
      assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
      return stdout;
    };
    const importHere = async (site: string, file = reviewOf(folder.path, site)) => {
      const data = join(sites, site, "data");
      mkdirSync(data, { recursive: true });
      await importInto(siteStoreUrl(settings.DATABASE_URL ?? "", site, join(data, "goodword.db")), [file]);
    };
    for (const site of ["a", "b"]) await importHere(site);
    const watched = join(folder.path, "incoming");
    for (const name of ["a", "nobody"]) mkdirSync(join(watched, name), { recursive: true });
    const serving = () => serveSites(folder.path, settings, ["--workers", "2", "--watch", watched]);
    await using first = await serveSites(folder.path, settings);
    await using second = await serving();
    const other = await first.get("b.test", "/reviews.json");

    /** Waits until both programs serve the words, or no more, at the site, and looks at the other one. */
    async function untilServed(words: string, isThere = true, programs = [first, second]): Promise<void> {
      for (const program of programs) {
        const isAsWanted = async () => {
          const { status, text } = await program.get("a.test", "/reviews.json");
          return status === 200 && text.includes(words) === isThere;
        };
        await within(2_000, isAsWanted);
        const { text, headers } = await program.get("b.test", "/reviews.json");
        assert.deepEqual([text, headers.etag], [other.text, other.headers.etag]);
      }
    }

    await untilServed("Words of a");
    await importHere("a", reviewOf(folder.path, "a", "Imported words"));
    await untilServed("Imported words");
    await command("undo", "--yes", "--site", "a");
    await untilServed("Imported words", false);
    const backup = join(folder.path, "backup.db");
    if (engine === "SQLite") await command("backup", backup, "--site", "a");
    else await importInto(`sqlite:${backup}`, [reviewOf(folder.path, "a")]);
    writeFileSync(join(watched, "nobody", "reviews.csv"), "rating,date\n5,2026-01-02\n");
    const rows = "id,author,rating,date,text,source\nw,Wanda,4,2026-01-03,Watchedfolderwords,google\n";
    writeFileSync(join(watched, "a", "reviews.csv"), rows);
    await untilServed("Watchedfolderwords");
    await command("restore", backup, "--yes", "--site", "a");
    await untilServed("Watchedfolderwords", false);
    await importHere("a", join(watched, "a", "reviews.csv"));
    await untilServed("Watchedfolderwords");
    const { text } = await first.get("a.test", "/reviews.json");
    const { reviews } = JSON.parse(text) as { reviews: { id: string; text: string }[] };
    await command("remove", reviews.find((review) => review.text === "Watchedfolderwords")?.id ?? "", "--site", "a");
    assert.deepEqual(filesHolding(sites, ["Watchedfolderwords"]), []);
    await untilServed("Watchedfolderwords", false);
    await second.program.kill();
    await importHere("a", reviewOf(folder.path, "a", "Words after the kill"));
    await using third = await serving();
    await untilServed("Words after the kill", true, [first, third]);
    assert.deepEqual(filesHolding(sites, ["Watchedfolderwords"]), []);
    const listed = JSON.parse(await command("sites", "--json")) as { name: string; state: string; reviews: number }[];
    assert.deepEqual(
      listed.map(({ name, state, reviews: count }) => `${name} ${state} ${count}`),
      ["a published 1", "b published 1"],
    );
  });
}
