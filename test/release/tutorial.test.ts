/** The tutorial's commands, run one after the other as they stand there, in a folder with a Takeout. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { freePort } from "../support/free-port.ts";
import { BIN, environmentOf, temporaryFolder } from "../support/program.ts";
import { zipOf } from "../support/zip-writer.ts";

const TUTORIAL = readFileSync(join(import.meta.dirname, "..", "..", "docs", "tutorial.md"), "utf8");
const BLOCKS = [...TUTORIAL.matchAll(/^```sh( server)?\n(.*?)^```$/gms)].map(([, server, lines = ""]) => ({
  isServer: server !== undefined,
  commands: lines.trim().split("\n"),
}));

/** What Google calls a page of reviews. */
const PAGE = {
  reviews: [1, 2, 3].map((number) => ({
    name: `accounts/1/locations/2/reviews/${number}`,
    reviewer: { displayName: `Customer ${number}` },
    starRating: number === 3 ? "TWO" : "FIVE",
    comment: `Invented review ${number}: they came on time.`,
    createTime: `2026-0${number}-02T10:00:00Z`,
    updateTime: `2026-0${number}-02T10:00:00Z`,
  })),
};

test("every command of the tutorial does what it says", { skip: process.platform === "win32" }, async () => {
  using folder = temporaryFolder();
  const tools = join(folder.path, "tools");
  mkdirSync(tools);
  // npx finds the program of the folder in which it runs; here it stands elsewhere.
  writeFileSync(join(tools, "npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(join(tools, "npx"), 0o755);
  const place = "Takeout/Google Business Profile/account-1/location-2";
  writeFileSync(
    join(folder.path, "takeout.zip"),
    zipOf([{ name: `${place}/reviews.json`, content: JSON.stringify(PAGE) }]),
  );
  const port = await freePort();
  const PATH = [tools, dirname(process.execPath), process.env.PATH].join(delimiter);
  const options = { cwd: folder.path, env: { ...environmentOf(folder.path), PATH, PORT: String(port) } };
  const said: string[] = [];
  let server: ReturnType<typeof spawn> | undefined;

  const stop = async () => {
    if (server === undefined) return;
    const exited = once(server, "exit");
    server.kill("SIGTERM");
    assert.deepEqual(await exited, [0, null]);
    server = undefined;
  };
  for (const { commands, isServer } of BLOCKS) {
    if (isServer) await stop();
    for (const command of commands) {
      const line = command.replaceAll("localhost:8080", `localhost:${port}`);
      if (isServer) {
        const serving = line
          .replace("npx goodword", "exec npx goodword")
          .replace(/^(\S+=\S+ )+exec/, (match) => `export ${match.slice(0, -5)}; exec`);
        server = spawn("sh", ["-c", serving], { ...options, stdio: ["ignore", "ignore", "pipe"] });
        for await (const entry of createInterface(server.stderr as NodeJS.ReadableStream))
          if (entry.includes('"reviews":3')) break;
        server.stderr?.resume();
        continue;
      }
      const child = spawn("sh", ["-c", line], { ...options, stdio: ["ignore", "pipe", "pipe"] });
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      assert.equal(child.exitCode, 0, `${line}\n${stderr}`);
      said.push(`${line}\n${stdout}`);
    }
  }
  await stop();
  const heard = said.join("\n");
  assert.match(heard, /import business\.yaml takeout\.zip\n[^$]*added +3/);
  assert.match(heard, /reviews\.json\n\{"business":\{"name":"Northside Cooling"/);
  assert.match(heard, /search\?min_rating=4"\n\{"matched":2/);
  assert.match(heard, /import takeout\.zip\n[^$]*unchanged +3/);
  assert.ok(existsSync(join(folder.path, "public", "index.html")));
  assert.ok(readdirSync(folder.path).some((name) => /^backup-\d{4}-\d{2}-\d{2}\.db$/.test(name)));
});
