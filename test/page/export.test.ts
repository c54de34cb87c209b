/** `goodword export`: what is no longer published is removed, nobody's site is overwritten by the sample, nothing dead is written. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { earlierExport, readSite, writeSite } from "../../src/app/static-site/static-site.ts";

import { run, temporaryFolder } from "../support/program.ts";
import { deriveReviewId } from "../support/review-id.ts";

const SETTINGS = { BASE_URL: "https://reviews.example.com" };

function writeReviews(folder: string, ids: readonly number[]): void {
  const rows = ids.map((id) => `${id},Ann,5,2026-01-0${id},Cold again within the hour (${id}),google`);
  writeFileSync(join(folder, "reviews.csv"), `${["id,author,rating,date,text,source", ...rows].join("\n")}\n`);
}

test("an export to no folder is told in plain words", async () => {
  using folder = temporaryFolder();
  const { code, stderr } = await run(folder.path, ["export", ""], SETTINGS);
  assert.equal(code, 2);
  assert.match(stderr, /It must name the folder to write to, such as public/);
  assert.doesNotMatch(stderr, /ENOENT/);
});

test("an export removes the pages of reviews that are withdrawn, and nobody else's files", async () => {
  using folder = temporaryFolder();
  const site = join(folder.path, "public");
  const pageOf = (id: number) => join(site, "reviews", deriveReviewId("google", String(id), `2026-01-0${id}`));
  writeReviews(folder.path, [1, 2, 3, 4, 5, 6]);
  await run(folder.path, ["import", "reviews.csv"]);
  assert.equal((await run(folder.path, ["export", "public"], SETTINGS)).code, 0);
  writeFileSync(join(site, "CNAME"), "reviews.example.com\n");
  writeFileSync(join(site, "reviews", "mine.html"), "mine");
  writeReviews(folder.path, [1, 2, 3, 4, 5]);
  await run(folder.path, ["import", "reviews.csv", "--complete"]);
  const { code, stdout } = await run(folder.path, ["export", "public"], SETTINGS);
  assert.equal(code, 0);
  assert.match(stdout, /removed 1 that is no longer published/);
  assert.equal(existsSync(pageOf(6)), false);
  assert.equal(existsSync(join(pageOf(5), "index.html")), true);
  assert.equal(readFileSync(join(site, "CNAME"), "utf8"), "reviews.example.com\n");
  assert.equal(readFileSync(join(site, "reviews", "mine.html"), "utf8"), "mine");
  const leftovers = readdirSync(site, { recursive: true }).filter((name) => String(name).endsWith(".part"));
  assert.deepEqual(leftovers, []);
});

test("a manifest that was edited removes nothing outside of its folder", async () => {
  using folder = temporaryFolder();
  const site = join(folder.path, "public");
  mkdirSync(site);
  writeFileSync(join(folder.path, "precious.txt"), "precious");
  const files = ["../precious.txt", join(folder.path, "precious.txt"), "x/../../precious.txt"];
  writeReviews(folder.path, [1]);
  await run(folder.path, ["import", "reviews.csv"]);
  writeFileSync(join(site, ".goodword-export.json"), JSON.stringify({ base_url: "", sample: true, files }));
  assert.equal((await run(folder.path, ["export", "public"], SETTINGS)).code, 0);
  assert.equal(readFileSync(join(folder.path, "precious.txt"), "utf8"), "precious");
});

for (const [name, plant] of Object.entries({
  "a folder of a page": (site: string, victim: string) => symlinkSync(victim, join(site, "embed")),
  "a folder of a file that an earlier export wrote": (site: string, victim: string) => {
    symlinkSync(victim, join(site, "old"));
    const manifest = { base_url: "", sample: false, files: ["old/thesis.txt"] };
    writeFileSync(join(site, ".goodword-export.json"), JSON.stringify(manifest));
  },
  "a half-written file": (site: string, victim: string) =>
    symlinkSync(join(victim, "thesis.txt"), join(site, "index.html.part")),
  "the manifest's half-written file": (site: string, victim: string) =>
    symlinkSync(join(victim, "thesis.txt"), join(site, ".goodword-export.json.part")),
  "the manifest": (site: string, victim: string) =>
    symlinkSync(join(victim, "thesis.txt"), join(site, ".goodword-export.json")),
})) {
  test(`a link in the place of ${name} is not followed`, async () => {
    using folder = temporaryFolder();
    const [site, victim] = [join(folder.path, "public"), join(folder.path, "victim")];
    for (const each of [site, victim]) mkdirSync(each);
    writeFileSync(join(victim, "thesis.txt"), "precious");
    plant(site, victim);
    const files = ["index.html", "embed/reviews.html"].map((path) => ({ path, body: Buffer.from("page") }));
    const outcome = await writeSite(site, files, { base_url: "", sample: false }).catch(String);
    if (typeof outcome === "string") assert.match(outcome, /is a link out of the export|is damaged/);
    assert.deepEqual(readdirSync(victim), ["thesis.txt"]);
    assert.equal(readFileSync(join(victim, "thesis.txt"), "utf8"), "precious");
  });
}

test("a manifest is read to a limit, and its address is told from its beginning alone", async () => {
  using folder = temporaryFolder();
  const [site, manifest] = [join(folder.path, "public"), join(folder.path, "public", ".goodword-export.json")];
  assert.equal((await earlierExport(site))?.address, undefined);
  await writeSite(site, [{ path: "index.html", body: Buffer.from("page") }], {
    base_url: "https://a.example",
    sample: false,
  });
  assert.equal((await earlierExport(site))?.address, "https://a.example");
  truncateSync(manifest, 200_000_001); // a hole, which takes no room
  assert.equal((await earlierExport(site))?.address, "https://a.example");
  await assert.rejects(readSite(site), (error: Error) => {
    assert.match(error.message, /is damaged/);
    assert.match(String(error.cause), /is larger than 200 megabytes/);
    return true;
  });
  writeFileSync(manifest, '{ "base_url": "javascript:alert(1)" }');
  assert.equal((await earlierExport(site))?.address, undefined);
  renameSync(manifest, join(site, "kept.json"));
  symlinkSync("kept.json", manifest);
  assert.equal((await earlierExport(site))?.address, undefined);
  rmSync(manifest);
  execFileSync("mkfifo", [manifest]);
  assert.equal((await earlierExport(site))?.address, undefined);
  await assert.rejects(readSite(site), /is damaged/);
});

test("the pages that an interrupted export has written are removed by the next one that has them no more", async () => {
  using folder = temporaryFolder();
  const [site, about] = [join(folder.path, "public"), { base_url: "", sample: false }];
  const page = (path: string) => ({ path, body: Buffer.from("page") });
  const kept = () => readdirSync(site, { recursive: true }).toSorted();
  function* interrupted(...paths: string[]) {
    yield* paths.map(page);
    throw new Error("interrupted");
  }
  await writeSite(site, [page("index.html"), page("reviews/a.html")], about);
  writeFileSync(join(site, "mine.html"), "mine");
  await assert.rejects(writeSite(site, interrupted("index.html", "reviews/b.html"), about), /interrupted/);
  await assert.rejects(writeSite(site, interrupted("index.html", "reviews/c.html"), about), /interrupted/);
  // as if it had been killed while it wrote
  appendFileSync(join(site, ".goodword-export.begun"), '"reviews/d.html"\n"../outside.html"\n"review');
  writeFileSync(join(site, "reviews/d.html.part"), "pa");
  writeFileSync(join(folder.path, "outside.html"), "precious");
  assert.deepEqual(await writeSite(site, [page("index.html")], about), { written: 1, removed: 4 });
  assert.deepEqual(kept(), [".goodword-export.json", "index.html", "mine.html"]);
  assert.ok(existsSync(join(folder.path, "outside.html")));
  symlinkSync("mine.html", join(site, ".goodword-export.begun"));
  await assert.rejects(readSite(site), /is damaged/);
});

test("a folder within another one is written only as itself, and no link that comes into its place is followed", async () => {
  using folder = temporaryFolder();
  const [site, victim] = [join(folder.path, "own", "public"), join(folder.path, "other", "public")];
  const about = { base_url: "", sample: false };
  const page = (path: string) => ({ path, body: Buffer.from("page") });
  for (const each of [site, victim]) mkdirSync(each, { recursive: true });
  writeFileSync(join(victim, "old.html"), "precious");
  const swapped = () => {
    renameSync(site, `${site}.kept`);
    symlinkSync(victim, site);
  };
  await writeSite(site, [page("old.html")], about, join(folder.path, "own"));
  function* swapping() {
    yield page("index.html");
    swapped();
  }
  await assert.rejects(writeSite(site, swapping(), about, join(folder.path, "own")), /is a link out of the export/);
  await assert.rejects(
    writeSite(site, [page("a/b.html")], about, join(folder.path, "own")),
    /is a link out of the export/,
  );
  assert.deepEqual(readdirSync(victim), ["old.html"], "nothing is written or removed there");
  rmSync(site);
  symlinkSync(`${site}.kept`, site);
  await assert.rejects(
    writeSite(site, [page("a.html")], about, join(folder.path, "own")),
    /is a link out of the export/,
  );
  await writeSite(site, [page("a.html")], about);
  assert.ok(existsSync(join(`${site}.kept`, "a.html")), "the owner's own link leads where it says");
});

test("a page whose path leads out of the folder is not written", async () => {
  using folder = temporaryFolder();
  const site = join(folder.path, "public");
  for (const path of ["../outside.html", "reviews/../../outside.html", "/outside.html"]) {
    const files = [{ path, body: Buffer.from("hostile") }];
    await assert.rejects(writeSite(site, files, { base_url: "", sample: false }), /does not lie below/);
  }
  assert.equal(existsSync(join(folder.path, "outside.html")), false);
});

test("the sample is not exported over somebody's site, nor over an export of real reviews", async () => {
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  const site = join(folder.path, "public");
  mkdirSync(site);
  writeFileSync(join(site, "index.html"), "mine");
  const refused = await run(folder.path, ["export", "public"], SETTINGS);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^error: The store holds no reviews, so this would put the invented sample business over/m,
  );
  assert.deepEqual(readdirSync(site), ["index.html"]);
  assert.equal(readFileSync(join(site, "index.html"), "utf8"), "mine");

  writeReviews(folder.path, [1]);
  await run(folder.path, ["import", "reviews.csv"]);
  assert.equal((await run(folder.path, ["export", "own"], SETTINGS)).code, 0);
  const over = await run(elsewhere.path, ["export", join(folder.path, "own")], SETTINGS);
  assert.equal(over.code, 1);
  assert.match(readFileSync(join(folder.path, "own", "reviews.json"), "utf8"), /Cold again/);
});
