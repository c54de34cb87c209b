/** Sources followed (interface §5): named in business.yaml, fetched by the server, imported like a file, listed by a command. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../../src/app/config.ts";
import { importSource } from "../../src/app/source-import.ts";
import type { NamedSource } from "../../src/follow/follower.ts";
import { sourceNaming } from "../../src/follow/shown-source.ts";
import { openPrivateFile } from "../../src/lib/private-file.ts";
import { listening } from "../support/loopback.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";
import { ask, json } from "../support/wire.ts";

test("an import that a followed source would withdraw too much by says what to do instead", async () => {
  using folder = temporaryFolder();
  const rows = (count: number) => Array.from({ length: count }, (_, id) => `${id},5,2026-01-02`).join("\n");
  const url = "http://127.0.0.1/reviews.csv?key=secret";
  const name = sourceNaming(Buffer.from("secret of the store"))({ url, every: "1d", source: "google", complete: true });
  const settings = { name, url, every: "1d", source: "google", complete: true };
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder.path, "goodword.db")}` });
  async function take(table: string, source: NamedSource = settings) {
    await using file = await openPrivateFile(folder.path);
    await file.write(table);
    return await importSource(config, file, source, new AbortController().signal);
  }
  assert.equal((await take(`id,rating,date\n${rows(5)}\n`)).added, 5);
  await assert.rejects(take(`id,rating,date\n${rows(1)}\n`), /more than a fifth.*--complete --yes/);
  await assert.rejects(take("id,rating,date\n1,9,2026-01-02\n"), (error: Error) => {
    assert.match(error.message, /^127\.0\.0\.1 \([0-9a-f]{8}\), line 2: rating is "9"/);
    assert.doesNotMatch(error.message, /secret|reviews\.csv/);
    return true;
  });
  const { warnings } = await take("author,rating,date\nCy,4,2026-01-04\n", { name, url, every: "1d", complete: false });
  assert.match(warnings.join(), /add "source: google" to this address in business\.yaml/);
  assert.doesNotMatch(warnings.join(), /--source/);
  for (const [table, advice] of [
    ["Punkte,Tag\n1,2026-01-02\n", /has the columns "Punkte", "Tag".*Give its columns the names rating, date/],
    ["rating,date\n1,3/4/2026\n".replaceAll("\\", ""), /a followed source has no such options/],
  ] as const) {
    await assert.rejects(take(table), (error: Error) => {
      assert.match(error.message, advice);
      assert.doesNotMatch(error.message, /--columns/);
      return true;
    });
  }
});

test("a server fetches what business.yaml follows, publishes it, and tells how it went", async () => {
  using folder = temporaryFolder();
  let csv = "id,author,rating,date,text\n1,Ann,5,2026-01-02,Cold again within the hour\n";
  await using feed = await listening(createServer((_request, response) => response.end(csv)));
  const url = `http://127.0.0.1:${feed.port}/reviews.csv?key=secret`;
  const refused = "http://10.0.0.1/reviews.csv";
  const yaml = `name: Northside Cooling\ntime_zone: UTC\nsources:\n  - { url: "${url}", every: 15m, source: google }\n  - { url: "${refused}" }\n`;
  writeFileSync(join(folder.path, "business.yaml"), yaml);
  assert.equal((await run(folder.path, ["import", "business.yaml"])).code, 0);
  const [before] = JSON.parse((await run(folder.path, ["sources", "--json"])).stdout);
  const { key, ...others } = before;
  assert.match(key, /^[0-9a-f]{8}$/);
  assert.deepEqual(others, { url, source: "google", every_seconds: 900, last_at: null, outcome: null, next_at: null });

  await using program = await serveProgram(folder.path, { SOURCES_ALLOW: "127.0.0.0/8" });
  const imported = await program.logged(({ msg }) => msg === "Imported a followed source");
  assert.equal(imported.added, 1);
  assert.deepEqual([imported.host, imported.key], [new URL(url).host, key]);
  assert.match(
    (await ask(`${program.url}/metrics`)).text,
    new RegExp(`^goodword_source_failures\\{source="127\\.0\\.0\\.1:\\d+ \\(${key}\\)"\\} 0$`, "m"),
  );
  const failed = await program.logged(({ msg }) => msg === "A followed source could not be imported");
  assert.match(String(failed.reason), /private or local address.*SOURCES_ALLOW/);
  await program.logged(({ reviews }) => reviews === 1);
  const { reviews } = json(await ask(`${program.url}/reviews.json`)) as { reviews: { source: string }[] };
  const sources = reviews.map(({ source }) => source);
  assert.deepEqual(sources, ["google"]);
  assert.equal(await program.stop(), 0);
  assert.doesNotMatch(JSON.stringify(program.log), /secret|reviews\.csv/, "nothing of the address but its host");

  const elsewhere = await run(folder.path, ["sources", "--fetch"]);
  assert.match(elsewhere.stderr, /^error: http:\/\/127\.0\.0\.1.*SOURCES_ALLOW/m);
  assert.match(elsewhere.stdout, /just now {2}failed: .*\n {2}recorded {2}20.*imported: 1 added/, "it is not recorded");

  const desk = join(folder.path, "desk.csv");
  writeFileSync(desk, "author,rating,date\nCy,4,2026-01-04\n");
  assert.equal((await run(folder.path, ["import", desk])).code, 0);
  csv += "2,Bo,4,2026-01-03,In time\n";
  const fetched = await run(folder.path, ["sources", "--fetch"], { SOURCES_ALLOW: "127.0.0.0/8" });
  assert.match(fetched.stdout, /imported: 1 added, 0 changed, 0 withdrawn/, "not due for a quarter of an hour");
  assert.deepEqual([fetched.code, fetched.stderr.includes("1 address could not be imported")], [1, true]);

  const list = JSON.parse((await run(folder.path, ["sources", "--json"])).stdout) as Record<string, unknown>[];
  assert.equal(list[0]?.outcome, "imported: 1 added, 0 changed, 0 withdrawn");
  const wait = Date.parse(String(list[0]?.next_at)) - Date.parse(String(list[0]?.last_at));
  assert.ok(wait >= 900_000 && wait <= 990_000, `${wait} ms`);
  assert.match(String(list[1]?.outcome), /^failed: /);
  const [change] = JSON.parse((await run(folder.path, ["history", "--json"])).stdout) as { files: string[] }[];
  assert.deepEqual(change?.files, [`${new URL(url).host} (${key})`], "the history names host and key");
  assert.match((await run(folder.path, ["history"])).stdout, /import \(business changed\) .*business\.yaml/);
  const { stdout } = await run(folder.path, ["sources"]);
  assert.match(stdout, /warning {3}1 kept, not published: add "source: google".*first_party under verified_sources/);
  assert.equal(stdout.match(/not published/g)?.length, 1, "only where no source is named");
  assert.match(stdout, new RegExp(`\\(google\\)\\n {2}key {7}${key}\\n {2}last try {2}20.*imported: 1 added`));
});
