/**
 * What `npm run release` makes, and what stops it, in a repository of its own with the files of this one; and its
 * package as others install it, into an empty folder, and run there as JavaScript.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { judgeAudit } from "../../scripts/audit.ts";
import { copyStage, stagesOf } from "../support/container-context.ts";
import { environmentOf, temporaryFolder } from "../support/program.ts";
import { IS_WHOLE } from "../support/test-runs.ts";
import { ask, json } from "../support/wire.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const LEFT_OUT = [".git", "node_modules", "dist", "release", "data", "public"];
const LIMIT_MS = 500_000;
/** Reviews of the sample that the installed program is given. */
const COUNT = 20;

const run = promisify(execFile);

interface LockedPackages {
  readonly packages: Record<
    string,
    { version?: string; integrity?: string; license?: string; dev?: boolean; optional?: boolean }
  >;
}

/** A Node of the machine that cannot run the program itself. */
const oldNode = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .find(
    (file) =>
      existsSync(file) &&
      Number(execFileSync(file, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" })) < 24,
  );

test("the audit ends with 1 for serious weaknesses, and says so where no registry can be asked", () => {
  const report = (severity: string) => JSON.stringify({ vulnerabilities: { leftpad: { severity, range: "<2" } } });
  assert.deepEqual(judgeAudit(report("critical")), {
    lines: ["critical: leftpad <2", "1 packages with known weaknesses, 1 of them high or critical."],
    exitCode: 1,
  });
  assert.equal(judgeAudit(report("low")).exitCode, 0);
  assert.equal(judgeAudit('{"vulnerabilities":{}}').exitCode, 0);
  const away = JSON.stringify({ message: "request to https://registry.example failed", error: { summary: "" } });
  for (const output of [away, "", null, "<html>"]) {
    const { lines, exitCode } = judgeAudit(output, { fault: "spawn npm ENOENT" });
    assert.match(lines.join(), /^Nothing was audited: the registry could not be asked \((request|spawn)/);
    assert.equal(exitCode, 0);
    assert.equal(judgeAudit(output, { isRequired: true }).exitCode, 2);
  }
});

describe("npm run release", { skip: !IS_WHOLE && "it is proved before a release: GOODWORD_TEST_WHOLE=1" }, () => {
  const folder = temporaryFolder();
  const copy = join(folder.path, "copy");
  const out = join(folder.path, "out");
  let first = { status: 0 as number | null, stderr: "" };

  function git(...args: string[]): void {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...who, ...args], { cwd: copy, stdio: "ignore" });
  }

  function release(...args: string[]) {
    const command = ["scripts/release.ts", "--out", out, ...args];
    return spawnSync(process.execPath, command, { cwd: copy, encoding: "utf8", timeout: LIMIT_MS });
  }

  function lockfile(): LockedPackages {
    return JSON.parse(readFileSync(join(copy, "package-lock.json"), "utf8")) as LockedPackages;
  }

  /** The packages that are installed with the program, by path, without those that are left out where they do not fit. */
  const carried = () =>
    Object.entries(lockfile().packages).filter(([path, { dev, optional }]) => path !== "" && !dev && !optional);

  before(() => {
    const filter = (file: string) => !LEFT_OUT.some((name) => file === join(ROOT, name));
    cpSync(ROOT, copy, { recursive: true, filter });
    // What the package carries as files of its own, since npm packs nothing behind a link; and what builds it.
    for (const [path] of carried()) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    for (const name of ["esbuild", "@esbuild", ".package-lock.json"])
      symlinkSync(join(ROOT, "node_modules", name), join(copy, "node_modules", name));
    git("init");
    git("add", "--all");
    git("commit", "--message", "All");
    first = release("--dry-run");
  });
  after(() => folder[Symbol.dispose]());

  test("makes package, bill of materials, licences, container context, notes and checksums", () => {
    assert.equal(first.status, 0, first.stderr);
    const files = readdirSync(out);
    for (const file of readFileSync(join(out, "SHA256SUMS"), "utf8").trim().split("\n")) {
      const [sum, name = ""] = file.split("  ");
      assert.equal(
        createHash("sha256")
          .update(readFileSync(join(out, name)))
          .digest("hex"),
        sum,
        name,
      );
    }
    assert.equal(files.length, 6);
  });

  test("the bill of materials and the licences name everything that is installed with the program", () => {
    const shipped = Object.entries(lockfile().packages).filter(([path, { dev }]) => path !== "" && dev !== true);
    const bill = JSON.parse(readFileSync(fileOf(".cdx.json"), "utf8"));
    const components = bill.components.map((one: { purl: string }) => decodeURIComponent(one.purl)).toSorted();
    const wanted = shipped.map(
      ([path, { version }]) => `pkg:npm/${path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`,
    );
    assert.deepEqual(components, wanted.toSorted());
    const refs = new Set(bill.components.map((one: { "bom-ref": string }) => one["bom-ref"]));
    assert.equal(refs.size, shipped.length);
    const used = bill.dependencies.flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn);
    assert.ok(used.length > 20);
    for (const ref of used) assert.ok(refs.has(ref), ref);
    const licences = readFileSync(fileOf(".licences.txt"), "utf8");
    for (const [path, { version, license }] of shipped) {
      assert.ok(
        licences.includes(`${path.slice(path.lastIndexOf("node_modules/") + 13)} ${version}: ${license}`),
        path,
      );
    }
  });

  test("the container context holds what its Dockerfile builds the program from, and no test", () => {
    const context = join(folder.path, "context");
    const build = join(folder.path, "build");
    for (const path of [context, build]) mkdirSync(path);
    execFileSync("tar", ["--extract", "--gzip", "--file", fileOf(".container.tar.gz"), "--directory", context]);
    const stages = stagesOf(context);
    assert.deepEqual([...stages.keys()], ["build", "install", "image"]);
    for (const [name, stage] of stages) {
      mkdirSync(join(build, name));
      copyStage(context, join(build, name), stage);
    }
    const [, made = ""] = stages.get("build")?.commands ?? [];
    const [node, ...args] = made.split(" ");
    assert.equal(node, "node", "npm ci comes first");
    for (const name of ["build", "image"]) symlinkSync(join(ROOT, "node_modules"), join(build, name, "node_modules"));
    execFileSync(process.execPath, args, { cwd: join(build, "build"), stdio: "pipe" });
    cpSync(join(build, "build", "dist"), join(build, "image", "dist"), { recursive: true });
    const program = ["bin/goodword.js", "check", "sample"];
    const report = execFileSync(process.execPath, program, {
      cwd: join(build, "image"),
      encoding: "utf8",
      stdio: "pipe",
    });
    assert.match(report, /^read +240$/m);
    const files = readdirSync(context, { recursive: true }).map(String);
    const wrong = files.filter((file) => file.endsWith(".test.ts"));
    assert.deepEqual(wrong, []);
  });

  test("the notes are the change log's section of the version", () => {
    const notes = readFileSync(fileOf(".notes.md"), "utf8");
    assert.match(notes, /^# Goodword \d+\.\d+\.\d+\n\n- /);
  });

  describe("its package, installed", () => {
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
      for (const path of [home, app]) mkdirSync(path);
      const options = ["--omit=optional", "--no-audit", "--no-fund"];
      await run("npm", ["install", ...options, fileOf(".tgz")], { cwd: app, env: npm });
    });

    test("brings every package that it needs, in the version of the lockfile", () => {
      assert.ok(carried().length > 40);
      for (const [path, { version }] of carried()) {
        const description = JSON.parse(
          readFileSync(join(app, "node_modules", "goodword", path, "package.json"), "utf8"),
        );
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
      for (const [name, version] of Object.entries(optionalDependencies))
        assert.match(version, /^\d+\.\d+\.\d+$/, name);
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
      mkdirSync(join(app, "mine"));
      cpSync(join(ROOT, "sample", "business.yaml"), join(app, "mine", "business.yaml"));
      const rows = readFileSync(join(ROOT, "sample", "reviews.jsonl"), "utf8").split("\n");
      writeFileSync(join(app, "mine", "reviews.jsonl"), rows.slice(0, COUNT).join("\n"));
      const { stdout } = await run(bin, ["import", "mine", "--json"], { cwd: app, env: environment });
      assert.equal((JSON.parse(stdout) as { added: number }).added, COUNT);
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
      assert.equal(reviews.length, COUNT);
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
      assert.match(stdout, new RegExp(`^read +${COUNT}$`, "m"));
      unlinkSync(join(app, "node_modules", name));
    });
  });

  test("a package without a checksum, of a host, of another licence or not as locked stops it, each by name", () => {
    const lock = lockfile();
    const changed = "node_modules/zod";
    Object.assign(lock.packages[changed] ?? {}, { integrity: `sha512-${"A".repeat(86)}==` });
    const [, a, b, c] = Object.keys(lock.packages).filter((path) => lock.packages[path]?.dev !== true);
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    delete lock.packages[a]?.integrity;
    Object.assign(lock.packages[b] ?? {}, { resolved: "https://registry.example.com/b.tgz" });
    Object.assign(lock.packages[c] ?? {}, { license: "SSPL-1.0" });
    writeFileSync(join(copy, "package-lock.json"), JSON.stringify(lock, null, 2));
    const { status, stderr } = release();
    assert.equal(status, 1);
    assert.ok(stderr.includes(`no SHA-512 of ${a}`), stderr);
    assert.ok(stderr.includes(`names a host for ${b}`), stderr);
    assert.ok(stderr.includes(`${c} has the licence SSPL-1.0`), stderr);
    assert.ok(stderr.includes(`does not hold the ${changed} of package-lock.json`), stderr);
    assert.ok(stderr.includes("not committed"), stderr);
  });

  function fileOf(suffix: string): string {
    const name = readdirSync(out).find((file) => file.endsWith(suffix));
    assert.ok(name !== undefined, suffix);
    return join(out, name);
  }
});
