/** The law of the tree: which folder may import from which, what a file may be called, and who may touch the world. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..");
const SOURCE = join(ROOT, "src");

/** Lowest first: a file imports from its own folder or from a lower level, never sideways. The words stand at the root. */
const LEVELS = [["."], ["store", "insight"], ["import", "edition"], ["page"], ["hub", "mcp"], ["http"], ["app"]];

/**
 * Each outside thing has one door: the only places that may import it. Two go out by HTTP, because they trust the other
 * end differently: a callback is a stranger's address, to be vetted; the language model's is the owner's own setting.
 */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  "node:sqlite": ["store"],
  kysely: ["store"],
  pg: ["store"],
  undici: ["hub/callback.ts", "import/language-model.ts"],
  "node:http": ["http/server.ts"],
  "@hono/node-server": ["http/server.ts"],
  commander: ["app"],
  pino: ["app"],
};

const DRAWERS = new Set([
  "index",
  "types",
  "utils",
  "helpers",
  "common",
  "shared",
  "core",
  "misc",
  "manager",
  "service",
]);

const files = globSync("**/*.ts", { cwd: SOURCE }).toSorted();
const programFiles = files.filter((file) => !file.endsWith(".test.ts") && !file.endsWith(".d.ts"));

function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  return [...text.matchAll(/^(?:import|export)[^"';]*?from "([^"]+)"|^import "([^"]+)"/gms)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
}

function levelOf(file: string): number {
  const folder = dirname(file).split("/")[0] ?? ".";
  return LEVELS.findIndex((level) => level.includes(folder));
}

test("every file stands on a level", () => {
  assert.ok(programFiles.length > 20);
  assert.deepEqual(
    programFiles.filter((file) => levelOf(file) === -1),
    [],
  );
});

test("a file imports from its own folder or a lower level only", () => {
  const wrong = programFiles.flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith("."))
      .map((name) => normalize(join(dirname(file), name)))
      .filter(
        (target) => !target.startsWith("..") && dirname(target) !== dirname(file) && levelOf(target) >= levelOf(file),
      )
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test("every outside thing is met at its one door", () => {
  const wrong = programFiles.flatMap((file) =>
    importsOf(file)
      .filter((name) => DOORS[name]?.every((door) => file !== door && !file.startsWith(`${door}/`)) ?? false)
      .map((name) => `${file} imports ${name}`),
  );
  assert.deepEqual(wrong, []);
});

test("the environment is read in app/ only", () => {
  const wrong = programFiles.filter(
    (file) => !file.startsWith("app/") && /process\.(env|exit|argv)\b/.test(readFileSync(join(SOURCE, file), "utf8")),
  );
  assert.deepEqual(wrong, []);
});

test("the analysis knows no clock and no chance", () => {
  const wrong = programFiles.filter(
    (file) =>
      file.startsWith("insight/") &&
      /Date\.now\(|new Date\(\)|Math\.random\(|from "node:(fs|http|net|child_process)/.test(
        readFileSync(join(SOURCE, file), "utf8"),
      ),
  );
  assert.deepEqual(wrong, []);
});

test("a file has a name of its own, in kebab case, and is no drawer", () => {
  const names = programFiles.map((file) => basename(file, ".ts"));
  assert.deepEqual(
    names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || DRAWERS.has(name)),
    [],
  );
  const seen = new Set<string>();
  const twice = names.filter((name) => seen.size === seen.add(name).size);
  assert.deepEqual(twice, []);
});

test("a file opens by saying what it is", () => {
  const silent = programFiles.filter((file) => !readFileSync(join(SOURCE, file), "utf8").startsWith("/**"));
  assert.deepEqual(silent, []);
});
