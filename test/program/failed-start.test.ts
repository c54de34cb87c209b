/** A start that fails ends the program at once, and looking writes nothing (interface §5). */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { BIN, environmentOf, run, temporaryFolder } from "../support/program.ts";

/** What ended a server, by its log: every line of it is JSON. */
function faultsIn(stderr: string): string[] {
  const entries = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  return entries.filter(({ level }) => level === FATAL).map(({ msg }) => msg);
}

const FATAL = 60;

for (const [what, setting, ...options] of [
  ["a PORT", "PORT"],
  ["a METRICS_PORT", "METRICS_PORT"],
  ["the PORT of --workers", "PORT", "--workers", "2"],
] as const) {
  test(`${what} that is taken is a fault, said in one sentence, not a program that waits for ever`, async () => {
    using folder = temporaryFolder();
    const taken = createServer().listen(0);
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await run(folder.path, ["serve", ...options], { PORT: "0", [setting]: String(port) });
    taken.close();
    assert.equal(code, 1);
    const [said = "", ...others] = faultsIn(stderr);
    assert.match(said, new RegExp(`port ${port} \\(EADDRINUSE\\).* ${setting}=${port + 1} npm start`));
    assert.deepEqual(others, []);
    if (setting === "PORT") assert.equal(existsSync(join(folder.path, "goodword.db")), false, "it makes no store");
    assert.doesNotMatch(stderr, /^ +at /m);
  });
}

test("import --dry-run makes no store where there was none", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "reviews.csv");
  writeFileSync(path, "author,rating,date\nAnn,5,2026-01-02\n");
  const { code, stdout } = await run(folder.path, ["import", "--dry-run", path]);
  assert.equal(code, 0);
  assert.match(stdout, /^added +1$/m);
  assert.match(stdout, /^Nothing was written\.$/m);
  assert.equal(existsSync(join(folder.path, "goodword.db")), false);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} ends --workers 2 at any moment of its start`, async () => {
    using folder = temporaryFolder();
    const child = spawn(process.execPath, [BIN, "serve", "--port", "0", "--workers", "2"], {
      cwd: folder.path,
      env: environmentOf(folder.path),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const log = createInterface(child.stderr);
    await once(log, "line");
    child.kill(signal);
    const [code] = await once(child, "close");
    assert.equal(code, 0);
  });
}

/** The log lines of a server, the moment when it listens, and the one when no process writes to the log any more. */
function logOf(stderr: NodeJS.ReadableStream) {
  const log = createInterface(stderr);
  const lines: string[] = [];
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  log.on("line", (line) => {
    lines.push(line);
    if (line.includes("Listening")) resolve();
  });
  return { lines, listening, closed: once(log, "close") };
}

test("npm start leaves no server behind when npm is told to stop", {
  skip: process.platform === "win32",
}, async () => {
  using folder = temporaryFolder();
  const npm = spawn("npm", ["start"], {
    cwd: join(import.meta.dirname, "..", ".."),
    env: environmentOf(folder.path, { PORT: "0" }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const { lines, listening, closed } = logOf(npm.stderr);
  await listening;
  npm.kill("SIGTERM");
  await closed; // the pipe is closed when no process holds it any more
  assert.match(lines.at(-1) ?? "", /"Stopped"/);
});

test("a server ends when the process that handed over to it is killed", {
  skip: process.platform === "win32",
}, async () => {
  using folder = temporaryFolder();
  const starter = spawn(
    process.execPath,
    [
      "-e",
      `require("node:child_process").spawn(process.execPath, [${JSON.stringify(BIN)}, "serve", "--port", "0"], {
         stdio: "inherit", env: { ...process.env, GOODWORD_PARENT: String(process.pid) } })`,
    ],
    { cwd: folder.path, env: environmentOf(folder.path), stdio: ["ignore", "ignore", "pipe"] },
  );
  const { lines, listening, closed } = logOf(starter.stderr);
  await listening;
  starter.kill("SIGKILL");
  await closed;
  assert.match(lines.at(-1) ?? "", /"Stopped"/);
});
