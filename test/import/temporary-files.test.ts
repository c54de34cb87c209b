/** What an import keeps for a moment has no name, so that nothing is left of it when the process is killed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { listening } from "../support/loopback.ts";
import { run, serveProgram, temporaryFolder } from "../support/program.ts";

const sourceFile = (path: string) => JSON.stringify(join(import.meta.dirname, "..", "..", "src", path));

/** Holds an unpacked archive, a staging area that is larger than its memory, and says so. */
const CHILD = `
  import { openSync } from "node:fs";
  import { openTar } from ${sourceFile("import/input/tar-archive.ts")};
  import { openStaging } from ${sourceFile("import/staging/staging.ts")};
  const archive = await openTar({ name: process.argv[1], descriptor: openSync(process.argv[1]) }, "gzip");
  const staging = openStaging();
  const candidate = { text: "x".repeat(100_000), source: "google", rating: 5 };
  for (let id = 0; id < 300; id += 1)
    staging.add({ id: String(id), source_key: String(id), natural_key: "", basis: "content", place: "", candidate });
  const [file] = archive.files;
  let size = 0;
  for await (const chunk of file.bytes()) size += chunk.length;
  console.log(size);
  setInterval(() => {}, 1000);`;

test("an import that is killed leaves nothing in the folder for temporary files", {
  skip: process.platform !== "linux",
}, async () => {
  using folder = temporaryFolder();
  const temporary = join(folder.path, "tmp");
  mkdirSync(temporary);
  const archive = join(folder.path, "export.tgz");
  const body = Buffer.alloc(3_000_000, "review ");
  writeFileSync(
    archive,
    gzipSync(await packTar([{ header: { name: "a.csv", size: body.length, type: "file" }, body }])),
  );
  const child = spawn(process.execPath, ["--input-type=module", "-e", CHILD, archive], {
    env: { ...process.env, TMPDIR: temporary, SQLITE_TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
    assert.equal(line, "3000000");
    const open = readdirSync(`/proc/${child.pid}/fd`).map((fd) => linkTarget(`/proc/${child.pid}/fd/${fd}`));
    const unnamed = open.filter((target) => target.startsWith(temporary));
    assert.equal(unnamed.length, 2, `${unnamed.join(", ")}: the archive and the staging area`);
    assert.deepEqual(readdirSync(temporary), []);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  assert.deepEqual(readdirSync(temporary), []);
});

test("a server that is killed while it fetches leaves nothing in the folder for temporary files", async () => {
  using folder = temporaryFolder();
  const temporary = join(folder.path, "tmp");
  mkdirSync(temporary);
  const server = createServer((_request, response) => void response.write("id,rating,date\n"));
  await using feed = await listening(server);
  const asked = once(server, "request");
  const address = `http://127.0.0.1:${feed.port}/reviews.csv`;
  const yaml = `name: A\ntime_zone: UTC\nsources:\n  - { url: "${address}" }\n`;
  writeFileSync(join(folder.path, "business.yaml"), yaml);
  assert.equal((await run(folder.path, ["import", "business.yaml"])).code, 0);
  const settings = { SOURCES_ALLOW: "127.0.0.0/8", TMPDIR: temporary };
  await using program = await serveProgram(folder.path, settings);
  await asked;
  if (process.platform === "linux") assert.deepEqual(readdirSync(temporary), []);
  await program.kill();
  assert.deepEqual(readdirSync(temporary), []);
});

/** What a descriptor is open on; empty text for one that has been closed meanwhile. */
function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
