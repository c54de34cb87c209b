/** The package as others install it: packed, installed into an empty folder, and run there as JavaScript. */
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { environmentOf, temporaryFolder } from "../support/program.ts";
import { ask, json } from "../support/wire.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SOURCES = [
  "bin",
  "src",
  "scripts",
  "sample",
  "taxonomies",
  "models",
  "deploy",
  "package.json",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
];
const run = promisify(execFile);

/** A Node of the machine that cannot run the program itself. */
const oldNode = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .find(
    (file) =>
      existsSync(file) &&
      Number(execFileSync(file, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" })) < 24,
  );

/** The packages that are installed with the program, by path, without those that are left out where they do not fit. */
const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
  packages: Record<string, { version: string; dev?: boolean; optional?: boolean }>;
};
const locked = Object.entries(packages).filter(([path, { dev, optional }]) => path !== "" && !dev && !optional);

describe("an installed package", () => {
  const folder = temporaryFolder();
  const home = join(folder.path, "home");
  const app = join(folder.path, "app");
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const environment = { ...environmentOf(app), PATH, HOME: home };
  const bin = join(app, "node_modules", ".bin", "goodword");

  before(async () => {
    const npm = {
      ...environment,
      npm_config_cache: join(home, "cache"), // empty: nothing can be installed but what the package holds
      npm_config_offline: "true",
      npm_config_update_notifier: "false",
    };
    const copy = join(folder.path, "copy");
    for (const path of [home, app, copy]) mkdirSync(path);
    for (const name of SOURCES.filter((each) => existsSync(join(ROOT, each))))
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    for (const [path] of locked) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    for (const tool of ["esbuild", "@esbuild"])
      symlinkSync(join(ROOT, "node_modules", tool), join(copy, "node_modules", tool));
    await run("npm", ["pack", "--pack-destination", folder.path], { cwd: copy, env: npm });
    const archive = readdirSync(folder.path).find((name) => name.endsWith(".tgz")) ?? "";
    const options = ["--omit=optional", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...options, join(folder.path, archive)], { cwd: app, env: npm });
  });
  after(() => folder[Symbol.dispose]());

  test("brings every package that it needs, in the version of the lockfile", () => {
    assert.ok(locked.length > 40);
    for (const [path, { version }] of locked) {
      const description = JSON.parse(readFileSync(join(app, "node_modules", "goodword", path, "package.json"), "utf8"));
      assert.equal((description as { version: string }).version, version, path);
    }
    assert.deepEqual(
      readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith(".")),
      ["goodword"],
    );
  });

  test("names an exact version of what npm installs beside it, such as Node", () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      optionalDependencies: Record<string, string>;
    };
    for (const [name, version] of Object.entries(optionalDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
  });

  test("holds JavaScript in a few files, and no TypeScript", () => {
    const own = join(app, "node_modules", "goodword");
    const inside = readdirSync(own, { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith("node_modules"));
    const wrong = inside.filter((name) => name.endsWith(".ts"));
    assert.deepEqual(wrong, []);
    assert.ok(inside.includes(join("dist", "command-line.js")));
  });

  test("has no script that npm asks to approve when it is installed", () => {
    const { scripts } = JSON.parse(readFileSync(join(app, "node_modules", "goodword", "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    for (const name of ["preinstall", "install", "postinstall", "prepare"]) assert.ok(!(name in scripts), name);
  });

  test("says its version by npx", async () => {
    const { stdout } = await run("npx", ["goodword", "--version"], { cwd: app, env: environment });
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  test("imports, and serves the datasets and the pages", async () => {
    cpSync(join(ROOT, "sample"), join(app, "mine"), { recursive: true });
    const { stdout } = await run(bin, ["import", "mine", "--json"], { cwd: app, env: environment });
    assert.equal((JSON.parse(stdout) as { added: number }).added, 240);
    const server = spawn(bin, ["serve", "--port", "0"], {
      cwd: app,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const exited = once(server, "exit");
    let url = "";
    for await (const line of createInterface(server.stderr)) {
      const entry = JSON.parse(line) as { port?: number; reviews?: number };
      if (entry.port !== undefined) url = `http://localhost:${entry.port}`;
      if (entry.reviews !== undefined) break;
    }
    const { reviews } = json(await ask(`${url}/reviews.json`)) as { reviews: unknown[] };
    assert.equal(reviews.length, 240);
    for (const path of ["/", "/insights.json", "/feed.xml", "/docs"])
      assert.equal((await ask(`${url}${path}`)).status, 200, path);
    server.kill("SIGTERM");
    assert.deepEqual(await exited, [0, null]);
  });

  test("runs on an old Node by way of the pinned one, and says what is missing without it", {
    skip: oldNode === undefined && "there is no old Node on this machine",
  }, async () => {
    const without = await run(oldNode ?? "", [bin, "--version"], { cwd: app, env: environment }).catch(
      (error: { stderr: string }) => error,
    );
    assert.match(without.stderr, /needs Node 24 or newer.*--omit=optional/);
    const name = `node-linux-${process.arch}`;
    symlinkSync(join(ROOT, "node_modules", name), join(app, "node_modules", name));
    const { stdout } = await run(oldNode ?? "", [bin, "check", "mine"], { cwd: app, env: environment });
    assert.match(stdout, /^read +240$/m);
    unlinkSync(join(app, "node_modules", name));
  });
});
