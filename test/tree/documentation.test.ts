/** The documentation is tested: a setting, command, option, address or tool that it does not name fails. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { THREAT_MODEL } from "../../qa/mutations/threat-model.ts";
import { program } from "../../src/app/command/command-line.ts";
import { SETTINGS } from "../../src/app/config.ts";
import { HUB_PATH } from "../../src/edition/topic.ts";
import { RENDERED_PATHS } from "../../src/interface.ts";
import { PROMPTS } from "../../src/mcp/method/prompts.ts";
import { TOOLS } from "../../src/mcp/tool/tools.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const README = read("README.md");
const DECISIONS = globSync("decisions/*.md", { cwd: ROOT, exclude: ["decisions/README.md"] });
const PAGES = [
  ...[
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "decisions/README.md",
    "qa/README.md",
    "training/README.md",
    "training/NOTES.md",
  ],
  ...DECISIONS,
  ...globSync("docs/*.md", { cwd: ROOT }),
];

function read(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** The text between a heading of a page and the next one of its rank. */
function section(page: string, heading: string): string {
  const text = read(page);
  const start = text.indexOf(`\n## ${heading}\n`);
  assert.notEqual(start, -1, `${page} has no section ${heading}`);
  const end = text.indexOf("\n## ", start + 4);
  return text.slice(start, end === -1 ? undefined : end);
}

/** The anchors of a page's headings, as a forge makes them. */
function anchors(page: string): string[] {
  return [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("the README begins with the two commands that matter", () => {
  assert.match(README, /^# Goodword\n\n```sh\nnpm ci && npm start .*\nnpm ci && npm test .*\n```/);
});

test("every setting is documented with its default", () => {
  const settings = section("docs/operators.md", "Settings");
  for (const [name, { fallback }] of Object.entries(SETTINGS)) {
    assert.ok(settings.includes(`\`${name}\``), `${name} is missing`);
    const row = settings.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${name}\``)) ?? "";
    if (fallback !== "") assert.ok(row.includes(fallback), `the default ${fallback} of ${name} is missing`);
  }
});

test("every command and option is documented", () => {
  const commands = read("docs/commands.md");
  for (const command of program().commands) {
    const row = commands.split("\n").find((line) => line.startsWith(`| \`goodword ${command.name()}`));
    assert.ok(row !== undefined, `goodword ${command.name()} is missing`);
    const takesOneSite = command.options.some(({ long }) => long === "--site"); // said once, above the table
    for (const { long } of command.options) {
      if (takesOneSite && (long === "--site" || long === "--sites")) continue;
      assert.ok(long !== undefined && long !== null && row.includes(long), `${command.name()} ${long} is missing`);
    }
  }
});

test("every MCP tool and prompt is documented", () => {
  const agents = read("docs/agents.md");
  for (const { name } of [...TOOLS, ...PROMPTS]) assert.ok(agents.includes(`\`${name}\``), `${name} is missing`);
});

test("every address is documented", () => {
  const addresses = section("docs/developers.md", "Addresses");
  const paths = [
    ...RENDERED_PATHS,
    "/reviews/{id}",
    "/api/reviews/search",
    "/api/reviews/since/{date}",
    "/api/changes",
    "/api/changes/{cursor}",
    "/mcp",
    HUB_PATH,
    "/healthz",
    "/readyz",
    "/metrics",
  ];
  for (const path of paths) assert.ok(addresses.includes(`\`${path}\``), `${path} is missing`);
});

test("every link between pages leads somewhere", () => {
  const broken = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = "", anchor] = target.split("#");
        const file = path === "" ? page : normalize(join(dirname(page), path));
        if (!existsSync(join(ROOT, file))) return true;
        return anchor !== undefined && file.endsWith(".md") && !anchors(file).includes(anchor);
      })
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test("every file that the glossary and the architecture name exists", () => {
  const missing = ["docs/glossary.md", "docs/architecture.md"].flatMap((page) =>
    [...read(page).matchAll(/`((?:src|test|bench|taxonomies|models|scripts)\/[\w./-]+)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

test("the README says what owners look for, with small pictures of a page and of the desk, before all else", () => {
  const opening = README.slice(0, README.indexOf("## What is published"));
  for (const words of [
    "All of your reviews, not five",
    "No API, no approval, no account",
    "Nothing leaves your machine",
  ])
    assert.ok(opening.includes(words), words);
  const pictures = [...opening.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = ""]) => path);
  const script = read("scripts/pictures.ts");
  const names = [...script.matchAll(/shoot\("(\w+)"/g)].map(([, name]) => name);
  const made = ["dark", "light"].flatMap((scheme) => names.map((name) => `docs/pictures/${name}-${scheme}.webp`));
  assert.deepEqual(pictures.toSorted(), made.toSorted(), "scripts/pictures.ts makes them");
  const [, ...size] = /SIZE = \{ width: (\d+), height: (\d+) \}/.exec(script) ?? [];
  for (const path of pictures) {
    const file = readFileSync(join(ROOT, path));
    assert.ok(file.length < 100_000, path);
    assert.equal(file.toString("latin1", 8, 16), "WEBPVP8X");
    assert.deepEqual([file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1], size.map(Number), path);
  }
  assert.ok(opening.includes("npx goodword desk"));
});

test("every page of docs is reached from the README", () => {
  const missing = globSync("docs/*.md", { cwd: ROOT }).filter((page) => !README.includes(`(${page}`));
  assert.deepEqual(missing, []);
});

test("every decision is one page of the same parts, is named after its subject, and is in the index", () => {
  const index = read("decisions/README.md");
  for (const page of DECISIONS) {
    const text = read(page);
    const parts = ["*Status: ", "**Decision.** ", "**Context.** ", "**Alternatives.**", "**Consequences.**"];
    const places = [...parts, "**Reconsider when** "].map((part) => text.indexOf(`\n\n${part}`));
    assert.ok(!places.includes(-1), `${page} lacks a part`);
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
      `${page} has its parts in another order`,
    );
    assert.ok(text.length < 3_000, `${page} is longer than a page`);
    assert.match(page, /^decisions\/[a-z-]+\.md$/);
    assert.ok(index.includes(`(${page.slice("decisions/".length)})`), `decisions/README.md does not list ${page}`);
  }
});

test("every defence of the threat model names tests that exist, and can be taken out to see them fail", () => {
  const rows = read("SECURITY.md")
    .split("\n")
    .filter((line) => /^\| (?!attacker|-)/.test(line));
  assert.ok(rows.length > 25);
  const named = new Set<string>();
  for (const row of rows) {
    const pointers = [...(row.split("|").at(-2) ?? "").matchAll(/`([^`]+)`: ([^;]+)/g)];
    assert.ok(pointers.length > 0, row);
    for (const [, file = "", name = ""] of pointers) {
      assert.ok(existsSync(join(ROOT, file)), `${file} is missing`);
      assert.ok(read(file).includes(name.trim()), `${file} has no test "${name.trim()}"`);
      named.add(`${file}: ${name.trim()}`);
    }
  }
  const tried = new Set<string>(THREAT_MODEL.map((mutation) => mutation.test));
  assert.deepEqual(
    [...named].filter((test) => !tried.has(test)),
    [],
    "no defence is taken out for these tests",
  );
  assert.deepEqual(
    [...tried].filter((test) => !named.has(test)),
    [],
    "the threat model does not name these tests",
  );
  for (const { file, text, instead, without } of THREAT_MODEL) {
    assert.equal(read(file).split(text).length, 2, `${file} must hold the text of "${without}" exactly once: ${text}`);
    assert.notEqual(text, instead);
  }
});

test("the changelog says nothing twice", () => {
  const sentences = read("CHANGELOG.md").split(/(?<=[.!?]) |\n(?:- )?/);
  const long = sentences.filter(({ length }) => length > 30);
  assert.ok(long.length > 30);
  const wrong = long.filter((sentence, index) => long.indexOf(sentence) !== index);
  assert.deepEqual(wrong, []);
});
