/** What `npm run release` makes, and what stops it; in a repository of its own, with the files of this one. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { judgeAudit } from "../../scripts/audit.ts";
import { copyStage, stagesOf } from "../support/container-context.ts";
import { temporaryFolder } from "../support/program.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const LEFT_OUT = [".git", "node_modules", "dist", "release", "data", "public"];
const LIMIT_MS = 500_000;

interface LockedPackages {
  readonly packages: Record<string, { version?: string; integrity?: string; license?: string; dev?: boolean }>;
}

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

describe("npm run release", () => {
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

  before(() => {
    const filter = (file: string) => !LEFT_OUT.some((name) => file === join(ROOT, name));
    cpSync(ROOT, copy, { recursive: true, filter });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    git("init");
    writeFileSync(join(copy, ".git", "info", "exclude"), "node_modules\n"); // a link, which "node_modules/" would not cover
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
