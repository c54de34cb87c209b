/** The program under Node's permission model, with the options of the files in `deploy/`. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { listening } from "../support/loopback.ts";
import { BIN, environmentOf, temporaryFolder } from "../support/program.ts";
import { skipRound } from "../support/test-runs.ts";
import { ask, json } from "../support/wire.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** Reviews of the sample: enough to need all that the program reads. */
const COUNT = 20;

/** The options before the program in a file of `deploy/`. */
function optionsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, "deploy", file), "utf8");
  const command = /(?:ExecStart=|ENTRYPOINT \[)(.*?)bin\/goodword\.js/s.exec(text)?.[1] ?? "";
  return command.match(/--[\w-]+(?:=[^\s",]+)?/g) ?? [];
}

/** The same options where the program and its store lie in other folders. */
function movedTo(folder: string, options: readonly string[]): string[] {
  const places = new Map([
    ["/opt/goodword", ROOT],
    ["/app", ROOT],
    ["/var/lib/goodword", folder],
    ["/data", folder],
    ["/tmp", join(folder, "tmp")],
  ]);
  return options.map((option) => {
    const [name, place = ""] = option.split("=");
    return places.has(place) ? `${name}=${places.get(place)}` : option;
  });
}

/** As systemd gives a unit with DynamicUser its folder: a link, which is not where the process sees itself. */
function linkedFolder(parent: string): string {
  mkdirSync(join(parent, "private", "tmp"), { recursive: true });
  symlinkSync("private", join(parent, "store"));
  return join(parent, "store");
}

function start(folder: string, options: readonly string[], args: readonly string[], settings = {}) {
  const env = { ...environmentOf(folder, settings), TMPDIR: join(folder, "tmp") };
  return spawn(process.execPath, [...options, BIN, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
}

test("what deploy/ runs is allowed the same, so that the tests of one are those of the other", () => {
  const [unit, image] = ["goodword.service", "Dockerfile"].map((file) => movedTo("/store", optionsOf(file)));
  assert.deepEqual(unit, image);
});

/** What each test runs with, and whether `npm test` leaves it out. */
const FILES = [["goodword.service", false] as const, ["Dockerfile", skipRound] as const];

for (const [file, skip] of FILES) {
  test(`deploy/${file} lets the program serve and import, and do nothing else`, { skip }, async () => {
    using parent = temporaryFolder();
    const folder = linkedFolder(parent.path);
    const options = movedTo(folder, optionsOf(file));
    assert.ok(options.includes("--permission"));
    const files = ["reviews.jsonl", "business.yaml"].map((name) => join(folder, name));
    for (const path of files) {
      const lines = readFileSync(join(ROOT, "sample", basename(path)), "utf8").split("\n");
      writeFileSync(path, lines.slice(0, path.endsWith(".jsonl") ? COUNT : lines.length).join("\n"));
    }
    const importing = start(folder, options, ["import", ...files]);
    const [report, fault, [code]] = await Promise.all([
      text(importing.stdout),
      text(importing.stderr),
      once(importing, "close"),
    ]);
    assert.match(report, /^Revision 1\.$/m, fault);
    assert.equal(code, 0, fault);

    const serving = start(folder, options, ["serve", "--port", "0"]);
    const lines = createInterface(serving.stderr);
    try {
      let url = "";
      for await (const line of lines) {
        const entry = JSON.parse(line); // a warning of Node is no JSON, and fails here
        if (entry.url !== undefined) url = entry.url;
        if (entry.revision === 1) break;
        assert.ok(entry.level < 40, line);
      }
      const { reviews } = json(await ask(`${url}/reviews.json`)) as { reviews: unknown[] };
      assert.equal(reviews.length, COUNT);
    } finally {
      serving.kill("SIGTERM");
    }

    const review = { place_id: "P-1", title: "Leeds", author: "Ann", rating: 5, date: "2026-01-02", source: "google" };
    writeFileSync(join(folder, "places.json"), JSON.stringify([review]));
    const places = ["import", join(folder, "places.json"), "--places", "--sites", join(folder, "sites")];
    const placing = start(folder, options, places, { DATABASE_URL: "" });
    const [told, trouble] = await Promise.all([text(placing.stdout), text(placing.stderr)]);
    assert.match(told, /^In all 1 sites: 1 read, 1 added/m, trouble);

    const outside = join(parent.path, "outside.jsonl");
    copyFileSync(join(ROOT, "sample", "reviews.jsonl"), outside);
    for (const [args, refusal] of [
      [["backup", join(ROOT, "not-allowed.db")], /error: .*(permission|restricted)/],
      [["import", outside], /error: .*outside\.jsonl cannot be read \(ERR_ACCESS_DENIED\)/],
      [["serve", "--port", "0", "--workers", "2"], /--permission, which does not allow this: ChildProcess/],
    ] as const) {
      assert.match(await text(start(folder, options, args).stderr), refusal);
    }
  });
}

for (const [file, skip] of FILES) {
  test(`deploy/${file} lets a server follow an address and watch a folder, and nothing temporary stays`, {
    skip,
  }, async () => {
    using parent = temporaryFolder();
    const folder = linkedFolder(parent.path);
    const options = movedTo(folder, optionsOf(file));
    const words = Array.from(
      { length: 1_200 },
      (_, id) => `${id},Ann,5,2026-01-02,Cold again within ${id} hours,google`,
    );
    const csv = `id,author,rating,date,text,source\n${words.join("\n")}\n`;
    await using feed = await listening(createServer((_request, response) => response.end(csv)));
    const address = `http://127.0.0.1:${feed.port}/reviews.csv`;
    const business = join(folder, "business.yaml");
    writeFileSync(business, `name: A\ntime_zone: UTC\nsources:\n  - { url: "${address}", every: 1d }\n`);
    const watched = join(folder, "incoming");
    mkdirSync(watched);
    writeFileSync(join(watched, "more.csv"), "author,rating,date,source\nBo,4,2026-01-03,google\n");
    const importing = start(folder, options, ["import", business]);
    const [fault, [code]] = await Promise.all([text(importing.stderr), once(importing, "close")]);
    assert.equal(code, 0, fault);

    const serving = start(folder, options, ["serve", "--port", "0", "--watch", watched], {
      SOURCES_ALLOW: "127.0.0.0/8",
    });
    const expected = new Map([
      ["Imported a followed source", 1_200],
      ["Imported the watched folder", 1],
    ]);
    try {
      for await (const line of createInterface(serving.stderr)) {
        const { level, msg, added } = JSON.parse(line);
        assert.ok(level < 40, line);
        if (!expected.has(msg)) continue;
        assert.equal(added, expected.get(msg), line);
        expected.delete(msg);
        if (expected.size === 0) break;
      }
    } finally {
      serving.kill("SIGKILL");
    }
    await once(serving, "close");
    assert.equal(expected.size, 0);
    assert.deepEqual(readdirSync(join(folder, "tmp")), []);
  });
}
