/**
 * Makes a release in `release/`: the package, its bill of materials (CycloneDX), the licences of all dependencies, the
 * build context of the container, the notes, and checksums of all.
 *
 *   npm run release -- --dry-run    makes all of it, and lists the obstacles to a release
 *   npm run release                 stops if there are any, and tags the commit at the end
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "..");

/** Licences of dependencies that may be distributed with the program without permission. */
const LICENCES = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT"];

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: process.env.npm_config_dry_run === "true" },
    out: { type: "string" },
  },
});
const isDryRun = values["dry-run"];
const out = values.out ?? join(ROOT, "release");

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** A package of the lockfile. */
interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1e8,
  });
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** The section of a version in the change log. */
function notesOf(version: string): { readonly notes: string; readonly isDated: boolean } | undefined {
  const sections = read("CHANGELOG.md").split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version},`) || text.startsWith(`${version}\n`));
  if (section === undefined) return undefined;
  const [title = "", ...lines] = section.split("\n");
  return { notes: `# Goodword ${version}\n${lines.join("\n").trimEnd()}\n`, isDated: /\d{4}-\d{2}-\d{2}/.test(title) };
}

const { name, version } = JSON.parse(read("package.json")) as Manifest;
const packages = Object.entries(JSON.parse(read("package-lock.json")).packages as Record<string, Locked>).filter(
  ([path]) => path !== "",
);
const shipped = packages.filter(([, { dev }]) => dev !== true);
/** What npm has installed here, as it keeps it itself. */
const { packages: installed } = JSON.parse(read("node_modules/.package-lock.json")) as {
  packages: Record<string, Locked | undefined>;
};

/** The obstacles to a release, each a sentence that says what to do. */
function* faults(): Generator<string> {
  const section = notesOf(version);
  if (section === undefined) yield `CHANGELOG.md has no section ${version}: write what is new for users.`;
  else if (!section.isDated)
    yield `The section ${version} of CHANGELOG.md has no date: put "## ${version}, YYYY-MM-DD".`;
  if (run("git", "status", "--porcelain") !== "")
    yield "There are changes that are not committed: commit them, or put them away.";
  if (run("git", "tag", "--list", `v${version}`) !== "")
    yield `The tag v${version} is there already: raise the version in package.json.`;
  for (const [path, { integrity, resolved }] of packages) {
    if (!/^sha512-/.test(integrity ?? ""))
      yield `package-lock.json holds no SHA-512 of ${path}: run npm install again.`;
    if (resolved !== undefined)
      yield `package-lock.json names a host for ${path}: install with omit-lockfile-registry-resolved.`;
  }
  for (const [path, { integrity, optional }] of shipped) {
    if (optional !== true && installed[path]?.integrity !== integrity)
      yield `node_modules does not hold the ${path} of package-lock.json, and the package would carry it: run npm ci.`;
  }
  for (const [path, { license = "none" }] of shipped) {
    const choices = license.replace(/[()]/g, "").split(" OR ");
    if (!choices.some((choice) => LICENCES.includes(choice)))
      yield `${path} has the licence ${license}, which is not on the list of scripts/release.ts: read it, then add it or leave the package out.`;
  }
}

/** The licences of everything that is installed with the program, with their texts where the packages hold them. */
function licences(): string {
  const entries = shipped.map(([path, { version, license }]) => {
    const title = `${nameOf(path)} ${version}: ${license}`;
    const folder = join(ROOT, path);
    const file = existsSync(folder)
      ? readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each))
      : undefined;
    return file === undefined ? title : `${title}\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  });
  return `${entries.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/**
 * The bill of materials, as CycloneDX 1.5 from the lockfile. `npm sbom` leaves out packages that development uses, too.
 * Source: https://cyclonedx.org/docs/1.5/json/
 */
function billOfMaterials(): object {
  const paths = new Map(shipped.map(([path, { version }]) => [path, purlOf(path, version)]));
  const own = `pkg:npm/${name}@${version}`;
  const root = JSON.parse(read("package.json")) as { dependencies: Record<string, string>; license: string };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": own,
        name,
        version,
        purl: own,
        licenses: [{ expression: root.license }],
      },
    },
    components: shipped.map(([path, { version, license, integrity = "", optional }]) => ({
      type: "library",
      "bom-ref": `${path}@${version}`,
      name: nameOf(path),
      version,
      scope: optional === true ? "optional" : "required",
      purl: paths.get(path),
      ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
      hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex") }],
    })),
    dependencies: [
      { ref: own, dependsOn: Object.keys(root.dependencies).map((one) => refOf("", one)) },
      ...shipped.map(([path, { version, dependencies = {} }]) => ({
        ref: `${path}@${version}`,
        dependsOn: Object.keys(dependencies).map((one) => refOf(path, one)),
      })),
    ],
  };

  /** The package that `from` gets when it asks for `wanted`: the nearest folder upwards has it. */
  function refOf(from: string, wanted: string): string {
    const nearest = `${from === "" ? "" : `${from}/`}node_modules/${wanted}`;
    const found = shipped.find(([path]) => path === nearest);
    if (found !== undefined) return `${found[0]}@${found[1].version}`;
    if (from === "") throw new Error(`package-lock.json does not hold ${wanted}`);
    return refOf(from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))), wanted);
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** The address of a package in the terms of https://github.com/package-url/purl-spec. */
function purlOf(path: string, version: string): string {
  return `pkg:npm/${nameOf(path).replace(/^@/, "%40")}@${version}`;
}

/** The files that the Dockerfile copies, and the list of those that it ignores. */
function containerFiles(): string[] {
  const copied = [...read("deploy/Dockerfile").matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, files = ""]) =>
    files.split(" "),
  );
  const tracked = run("git", "ls-files", "--", ...copied)
    .trim()
    .split("\n");
  return [".dockerignore", "deploy/Dockerfile", ...new Set(tracked)].filter((file) => !file.endsWith(".test.ts"));
}

function main(): void {
  const found = [...faults()];
  for (const fault of found) console.error(`${isDryRun ? "would stop" : "stops"} the release: ${fault}`);
  if (found.length > 0 && !isDryRun) {
    process.exitCode = 1;
    return;
  }
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const at = (suffix: string) => join(out, `${name}-${version}${suffix}`);
  run("npm", "pack", "--pack-destination", out);
  writeFileSync(at(".cdx.json"), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
  writeFileSync(at(".licences.txt"), licences());
  run(
    "tar",
    "--create",
    "--gzip",
    "--sort=name",
    "--owner=0",
    "--group=0",
    "--file",
    at(".container.tar.gz"),
    ...containerFiles(),
  );
  writeFileSync(at(".notes.md"), notesOf(version)?.notes ?? "");
  const made = globSync(`${name}-${version}*`, { cwd: out }).toSorted();
  writeFileSync(join(out, "SHA256SUMS"), made.map((file) => `${sha256(join(out, file))}  ${file}\n`).join(""));
  for (const file of [...made, "SHA256SUMS"]) console.log(join(out, file));
  if (isDryRun) return;
  run("git", "tag", "--annotate", `v${version}`, "--message", `Goodword ${version}`);
  console.log(
    `Tagged v${version}. To publish: git push --tags, npm publish the .tgz, and put the rest beside the notes.`,
  );
}

main();
