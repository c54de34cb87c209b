/** Exports with several places as an owner meets them: the commands, init, a watched folder and a followed address. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pino } from "pino";
import { readConfig } from "../../src/app/config.ts";
import { importSource } from "../../src/app/source-import.ts";
import { makeFolderImport } from "../../src/app/watched-folder.ts";
import { sourceNaming } from "../../src/follow/shown-source.ts";
import { parseBusinessFile } from "../../src/import/business-file.ts";
import { openPrivateFile } from "../../src/lib/private-file.ts";
import { takeoutPage, takeoutReview } from "../support/import-sandbox.ts";
import { BIN, environmentOf, run, temporaryFolder } from "../support/program.ts";
import { zipOf } from "../support/zip-writer.ts";

const [LEEDS, YORK] = ["2000000000000000001", "2000000000000000002"];
const STOP = new AbortController().signal;

function pageOf(location: string): string {
  const review = (id: string) =>
    takeoutReview(id, { name: `accounts/1/locations/${location}/reviews/${location}${id}` });
  return JSON.stringify(takeoutPage(review("a"), review("b")));
}

/** A Takeout of two branches. */
function takeout(): Buffer {
  const at = (location: string) => `Takeout/Google Business Profile/account-1/location-${location}`;
  const profile = (location: string, town: string) =>
    JSON.stringify({
      ...{
        name: `locations/${location}`,
        title: `Northside ${town}`,
        phoneNumbers: { primaryPhone: "+44 113 496 0142" },
      },
      storefrontAddress: { locality: town, regionCode: "GB" },
    });
  return zipOf([
    { name: `${at(LEEDS)}/data.json`, content: profile(LEEDS, "Leeds") },
    { name: `${at(LEEDS)}/reviews-a.json`, content: pageOf(LEEDS) },
    { name: `${at(YORK)}/data.json`, content: profile(YORK, "York") },
    { name: `${at(YORK)}/reviews-a.json`, content: pageOf(YORK) },
  ]);
}

test("import and check end with 1 and name the places; --location takes the reviews of one", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "takeout.zip"), takeout());
  for (const command of ["check", "import"]) {
    const { code, stderr } = await run(folder.path, [command, "takeout.zip"]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^error: The files hold reviews of 2 places.*--location "Northside .*location: ID in business\.yaml/m,
    );
    for (const [town, id] of [
      ["Leeds", LEEDS],
      ["York", YORK],
    ])
      assert.match(stderr, new RegExp(`^error: "Northside ${town}" \\(location ${id}\\): 2 reviews$`, "m"));
  }
  assert.equal((await run(folder.path, ["history"])).code, 1, "there is no store");
  const json = await run(folder.path, ["check", "takeout.zip", "--location", YORK, "--json"]);
  assert.deepEqual([JSON.parse(json.stdout).added, JSON.parse(json.stdout).other_places], [2, 2]);
  const { code, stdout } = await run(folder.path, ["import", "takeout.zip", "--location", "northside LEEDS"]);
  assert.equal(code, 0);
  assert.match(stdout, /^added {14}2$/m);
  assert.match(stdout, /^other places {7}2$/m);
});

test("init lists the places of a Takeout and needs --location, which it writes with what the profile says", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "takeout.zip"), takeout());
  const refused = await run(folder.path, ["init", "--time-zone", "Europe/London"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^error: "Northside York" \(location 2000000000000000002\): 2 reviews$/m);
  assert.equal((await run(folder.path, ["init", "--location", "northside york"])).code, 0);
  const file = join(folder.path, "business.yaml");
  const business = parseBusinessFile("business.yaml", readFileSync(file, "utf8"));
  assert.deepEqual([business.name, business.location, business.address?.locality], ["Northside York", YORK, "York"]);
  const imported = await run(folder.path, ["import", "business.yaml", "takeout.zip", "--json"]);
  assert.equal(JSON.parse(imported.stdout).other_places, 2);
  assert.doesNotMatch((await run(folder.path, ["export", "site"])).stdout, /location/);
  assert.doesNotMatch(readFileSync(join(folder.path, "site", "reviews.json"), "utf8"), /"location"/);
});

test("init asks on a terminal which place it is", { skip: process.platform !== "linux" }, async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "takeout.zip"), takeout());
  const terminal = spawn("script", ["-qec", `'${process.execPath}' '${BIN}' init`, "/dev/null"], {
    ...{ cwd: folder.path, env: environmentOf(folder.path, { TERM: "dumb" }), stdio: ["pipe", "pipe", "inherit"] },
  });
  const answers = ["Hull", "1"];
  let [shown, asked] = ["", 0];
  for await (const chunk of terminal.stdout ?? []) {
    shown += String(chunk);
    const questions =
      shown.match(/^(Which one|Name of|Kind of|Time zone|Language|Web site|Telephone|Your )[^\n]*: /gm) ?? [];
    while (asked < questions.length) terminal.stdin?.write(`${answers[asked++] ?? ""}\n`);
  }
  assert.match(shown, /reviews of 2 places:\r?\n {2}1 {2}"Northside Leeds".*\r?\n {2}2 {2}"Northside York"/);
  assert.match(shown, /Hull is none of them/);
  const { name, location } = parseBusinessFile("", readFileSync(join(folder.path, "business.yaml"), "utf8"));
  assert.deepEqual([name, location], ["Northside Leeds", LEEDS]);
});

test("a watched folder of two places is logged without their names, and imported once business.yaml names one", async () => {
  using folder = temporaryFolder();
  const incoming = join(folder.path, "incoming");
  mkdirSync(incoming);
  writeFileSync(join(incoming, "takeout.zip"), takeout());
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder.path, "goodword.db")}` });
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  await makeFolderImport(config)(incoming, log, STOP);
  assert.match(lines.join(), /it holds reviews of 2 places: business\.yaml can choose one with location: ID/);
  assert.doesNotMatch(lines.join(), /Northside|2000000/);
  writeFileSync(join(incoming, "business.yaml"), `name: Northside\ntime_zone: UTC\nlocation: ${YORK}\n`);
  await makeFolderImport(config)(incoming, log, STOP);
  assert.match(lines.at(-1) ?? "", /"added":2.*"other_places":2/);
  rmSync(incoming, { recursive: true });
});

test("a followed address brings the place of business.yaml alone, and never that of another", async () => {
  using folder = temporaryFolder();
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder.path, "goodword.db")}` });
  const settings = { url: "http://127.0.0.1/a.csv", every: "1d", source: "google", complete: false };
  const name = sourceNaming(Buffer.from("secret of the store"))(settings);
  async function take(rows: readonly string[]) {
    await using file = await openPrivateFile(folder.path);
    await file.write(`id,store_id,author,rating,date\n${rows.join("\n")}\n`);
    return await importSource(config, file, { name, ...settings }, STOP);
  }
  const both = ["1,leeds,Ann,5,2026-01-02", "2,york,Bo,1,2026-01-02"];
  await assert.rejects(take(both), /2 places.*"?leeds/s);
  writeFileSync(join(folder.path, "business.yaml"), "name: Northside\ntime_zone: UTC\nlocation: leeds\n");
  assert.equal((await run(folder.path, ["import", "business.yaml"])).code, 0);
  assert.equal((await take(both)).added, 1);
  await assert.rejects(take(["3,york,Cy,1,2026-01-02"]), /No reviews in the files are of the location "leeds"/);
});

test("import --places leaves what else stands in the folder of the sites, whatever a place is called", async () => {
  using folder = temporaryFolder();
  const sites = join(folder.path, "sites");
  mkdirSync(sites);
  writeFileSync(join(sites, "northside-leeds"), "Not a site");
  symlinkSync("nowhere", join(sites, "northside-york"));
  writeFileSync(join(folder.path, "takeout.zip"), takeout());
  await run(folder.path, ["import", "takeout.zip", "--places", "--sites", "none", "--dry-run"]);
  assert.deepEqual(readdirSync(folder.path), ["sites", "takeout.zip"], "a rehearsal makes no folder");
  const importing = async () => await run(folder.path, ["import", "takeout.zip", "--places", "--sites", "sites"]);
  const { code, stdout } = await importing();
  assert.equal(code, 1);
  assert.match(
    stdout,
    /site northside-york may be of this place, and cannot be read \(.*leads nowhere/,
    "its disk may be away",
  );
  assert.equal(readFileSync(join(sites, "northside-leeds"), "utf8"), "Not a site");
  assert.deepEqual(readdirSync(sites), ["northside-leeds", "northside-leeds-2", "northside-york"]);
  rmSync(join(sites, "northside-york"));
  symlinkSync("nowhere", join(sites, "renamed"));
  const second = await importing();
  assert.equal(second.code, 0);
  assert.match(second.stderr, /warning: Of which places these sites are cannot be read: renamed\. If a new site/);
  rmSync(join(sites, "renamed"));
  assert.deepEqual(readdirSync(sites), ["northside-leeds", "northside-leeds-2", "northside-york"]);
  writeFileSync(join(folder.path, "cut.json"), '[{"store_id":"L","author":"A","rating":5,"date":"2026-01-02"},');
  const cut = await run(folder.path, ["import", "cut.json", "--places", "--sites", "sites"]);
  assert.match(cut.stderr, /^error: cut\.json /m, "what cannot be read is said, and not that it tells of no place");
});
