/** The law of the tree: which folder may import from which, what a file may be called, and who may touch the world. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..");
const SOURCE = join(ROOT, "src");

test("pages need no framework: their scripts are of this tree, and import nothing from elsewhere", () => {
  const scripts = globSync("page/asset/*.js", { cwd: SOURCE });
  assert.ok(scripts.includes(join("page", "asset", "desk.js")));
  for (const script of scripts) {
    const text = readFileSync(join(SOURCE, script), "utf8");
    assert.doesNotMatch(text, /\bfrom "|\brequire\(|\bimport\(?\s*"(?!\.\/)/, script);
    assert.ok(text.length < 30_000, `${script} is not written by hand`);
  }
});

/** Lowest first: a file imports from its own folder or from a lower level, never sideways. The domain types are at the root. */
const LEVELS = [
  ["lib"],
  ["."],
  ["store", "insight", "outbound"],
  ["analysis"],
  ["import", "edition"],
  ["page", "maintenance"],
  ["hub", "mcp", "follow"],
  ["notices"],
  ["publication"],
  ["http"],
  ["app"],
];

/** The sub-folders of a folder, lowest first; the folder's own files (`.`) stand above all of them unless listed. */
const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  store: [["engine"], ["."], ["history"]],
  insight: [
    ["text"],
    ["sentiment"],
    ["engine"],
    ["taxonomy"],
    ["reading"],
    ["mentions"],
    ["theme"],
    ["statistics"],
    ["prose"],
  ],
  analysis: [["language-model"]],
  import: [
    ["words"],
    ["input"],
    ["syntax"],
    ["place"],
    ["review"],
    ["staging"],
    ["format"],
    ["format/google", "format/scraper", "format/goodword", "format/platform"],
    ["apply"],
  ],
  hub: [["callback"], ["limits"], ["dispatch"]],
  page: [["text"], ["chart"], ["asset"], ["picture"], ["part"], ["reference"]],
  mcp: [["message"], ["tool"], ["method"], ["protocol"]],
  app: [
    ["metrics"],
    ["."],
    ["sites"],
    ["static-site", "init", "terminal", "serving"],
    ["owner"],
    ["desk"],
    ["command"],
  ],
};

/**
 * Each outside thing has one door: the only places that may import it, or a sub-path of it. Three go out by HTTP, because
 * they trust the other end differently: a callback is a stranger's address; a followed source is one that business.yaml
 * names, which may redirect; the language model's is the owner's own setting, and need not be vetted.
 */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  "node:sqlite": ["store", "import/staging/staging.ts"],
  kysely: ["store"],
  pg: ["store"],
  undici: ["hub/callback/callback.ts", "follow/source-fetch.ts", "analysis/language-model/language-model.ts"],
  nodemailer: ["notices/notice-mail.ts"],
  "node:http": ["http/server.ts"],
  "@hono/node-server": ["http/server.ts"],
  commander: ["app"],
  pino: ["app"],
};

/** Pure files: no clock, no randomness, no input or output. Pages read their own style sheets, taxonomies and models their files, once. */
const PURE = [
  /^[^/]+\.ts$/,
  /^insight\/(?!taxonomy\/(?:asked-subjects|opposites|taxonomy-files)|text\/(?:background-table|language-(?:table|words)))/,
  /^http\/conditional\.ts$/,
  /^page\/(?!asset\/asset-files|file-search)/,
  /^edition\//,
];
const IMPURE =
  /Date\.now\(|new Date\(\)|performance\.now\(|Math\.random\(|randomBytes\(|randomUUID\(|\bfetch\(|setTimeout\(|from "node:(fs|fs\/promises|http|https|net|tls|dns|child_process|worker_threads|timers|timers\/promises)"/;

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
  return [...text.matchAll(/^(?:import|export)[^"';]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gms)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
}

/** Where a file stands: its folder's level, then its room's within the folder; -1 where it has no place. */
function placeOf(file: string): { readonly level: number; readonly room: number } {
  const [folder = ".", ...rest] = dirname(file).split("/");
  const level = LEVELS.findIndex((folders) => folders.includes(folder));
  const rooms = ROOMS[folder] ?? [];
  const room = rooms.findIndex((names) => names.includes(rest.join("/") || "."));
  return { level, room: room === -1 && rest.length === 0 ? rooms.length : room };
}

/** Whether a file of one place may import one of another: from its own folder, or from below. */
function mayImport(from: string, target: string): boolean {
  if (dirname(from) === dirname(target)) return true;
  const [here, there] = [placeOf(from), placeOf(target)];
  if (here.level !== there.level) return there.level < here.level;
  return dirname(from).split("/")[0] === dirname(target).split("/")[0] && there.room < here.room;
}

test("every file stands on a level", () => {
  assert.ok(programFiles.length > 20);
  const wrong = programFiles.filter((file) => Math.min(...Object.values(placeOf(file))) === -1);
  assert.deepEqual(wrong, []);
});

test("a file imports from its own folder or a lower level only", () => {
  const wrong = programFiles.flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith("."))
      .map((name) => normalize(join(dirname(file), name)))
      .filter((target) => !target.startsWith("..") && !mayImport(file, target))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test("no imports go in a circle, those of types included", () => {
  const targets = new Map(
    programFiles.map((file) => [
      file,
      importsOf(file)
        .filter((name) => name.startsWith("."))
        .map((name) => normalize(join(dirname(file), name))),
    ]),
  );
  const left = new Set(programFiles);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const imported = new Set([...left].flatMap((file) => targets.get(file) ?? []));
    for (const file of left) {
      const importsNone = !targets.get(file)?.some((target) => left.has(target));
      if (importsNone || !imported.has(file)) left.delete(file);
    }
  }
  assert.deepEqual([...left], []);
});

/** The doors of a package, by its name or that of a sub-path; everywhere for what has none. */
function doorsOf(name: string): readonly string[] {
  const owner = Object.keys(DOORS).find((door) => name === door || name.startsWith(`${door}/`));
  return owner === undefined ? [""] : (DOORS[owner] ?? []);
}

test("every outside thing is met at its one door", () => {
  const wrong = programFiles.flatMap((file) =>
    importsOf(file)
      .filter((name) => doorsOf(name).every((door) => file !== door && !file.startsWith(door === "" ? "" : `${door}/`)))
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

test("a text from outside is normalised in time that grows with its length", () => {
  const own = new Set(["lib/normal-form.ts", "insight/text/language.ts"]); // which reads a bounded beginning
  const wrong = programFiles.filter(
    (file) => !own.has(file) && readFileSync(join(SOURCE, file), "utf8").includes(".normalize("),
  );
  assert.deepEqual(wrong, []);
});

test("what is called pure knows no clock, no chance, no input and no output", () => {
  const wrong = programFiles.filter(
    (file) => PURE.some((place) => place.test(file)) && IMPURE.test(readFileSync(join(SOURCE, file), "utf8")),
  );
  assert.deepEqual(wrong, []);
});

test("a file has a name of its own, in kebab case, and is no drawer", () => {
  const names = programFiles.map((file) => basename(file, ".ts"));
  const wrong = names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || DRAWERS.has(name));
  assert.deepEqual(wrong, []);
  const seen = new Set<string>();
  const twice = names.filter((name) => seen.size === seen.add(name).size);
  assert.deepEqual(twice, []);
});

test("a file opens by saying what it is", () => {
  const silent = programFiles.filter((file) => !readFileSync(join(SOURCE, file), "utf8").startsWith("/**"));
  assert.deepEqual(silent, []);
});

/** Words that name a trade, its people or its things: they belong into a taxonomy or into taxonomies/words. */
const OF_A_TRADE =
  /\b(hvac|a\/c|furnace|boiler|freon|compressor|thermostat|plumb\w*|electrician|roofer|roofing|painter|handyman|contractor|installer|repairman|serviceman|drain|faucet|toilet|waiter|waitress|barista|chef|pizza|soggy|juicy|delicious|dentist|crown|filling|hygienist|lawyer|attorney|stylist|haircut|mechanic|movers?)\b/i;
/** Where words stand because they are frequent or inflected oddly, and not for their meaning. */
const WORDS_BY_FORM = /^insight\/(engine\/pattern-index|text\/word-stem)\.ts$/;

test("what reads texts knows the words of no trade", () => {
  const readers = programFiles.filter((file) => /^(insight|analysis)\//.test(file) && !WORDS_BY_FORM.test(file));
  const found = readers.flatMap((file) => {
    const code = readFileSync(join(SOURCE, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    const [word] = OF_A_TRADE.exec(code) ?? [];
    return word === undefined ? [] : [`${file}: ${word}`];
  });
  assert.ok(readers.length > 20);
  assert.deepEqual(found, []);
});

/** The paths of docs/architecture.md, each a paragraph that begins with its name. */
const PATHS = [
  "One change, from commit to served",
  "One GET",
  "One delivery",
  "One message to the owner",
  "One imported record",
  "One published insight",
];

/** The paragraph of docs/architecture.md that describes a path. */
function paragraphOf(path: string): string {
  const lines = readFileSync(join(ROOT, "docs", "architecture.md"), "utf8").split("\n");
  return lines.find((line) => line.startsWith(`**${path}.**`)) ?? "";
}

test("a path names five files in bold at most, each of which imports an earlier one or is imported by one", () => {
  for (const path of PATHS) {
    const named = Array.from(paragraphOf(path).matchAll(/\*\*`src\/([^`]+)`\*\*/g), ([, file = ""]) => file);
    assert.ok(named.length > 1 && named.length <= 5, path);
    const targetsOf = (file: string) => importsOf(file).map((name) => normalize(join(dirname(file), name)));
    const apart = named.filter((file, at) => {
      const earlier = named.slice(0, at);
      return at > 0 && !earlier.some((one) => targetsOf(file).includes(one) || targetsOf(one).includes(file));
    });
    assert.deepEqual(apart, [], path);
  }
});

test("a change is followed from commit to served with at most twelve words, all in the glossary", () => {
  const [path = ""] = PATHS;
  const after = readFileSync(join(ROOT, "docs", "architecture.md"), "utf8").split(paragraphOf(path))[1] ?? "";
  const [, twelfth = ""] = /^\n\n(.*)\n/.exec(after) ?? [];
  const words = [paragraphOf(path), twelfth.replace(/ can be skipped.*/, "")].flatMap((text) =>
    Array.from(text.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g), ([, word = ""]) => word),
  );
  assert.ok(words.length >= 10 && words.length <= 12, words.join());
  const glossary = readFileSync(join(ROOT, "docs", "glossary.md"), "utf8");
  const isDefined = (word: string) =>
    glossary.includes(`\n| ${word} |`) || glossary.includes(`\n| ${word.replace(/s$/, "")} |`);
  assert.deepEqual(
    words.filter((word) => !isDefined(word)),
    [],
  );
});
