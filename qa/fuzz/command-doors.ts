/** The doors of the command line: files to import, arguments, settings. Each input is a run of the program. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { SETTINGS } from "../../src/app/config.ts";
import { makeExports } from "../../test/support/made-exports.ts";
import { BIN, environmentOf, run, startProgram, temporaryFolder } from "../../test/support/program.ts";
import { workbookOf } from "../../test/support/workbook-writer.ts";
import { zipOf } from "../../test/support/zip-writer.ts";
import { type Door, doorOf, FAULT, ODD_PIECES, oddJson, oddText } from "./door.ts";

const MAX_RUN_MS = 60_000;
interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command for a minute at most. */
async function runBounded(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: MAX_RUN_MS,
    killSignal: "SIGKILL",
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
  child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("close", () => resolve());
  await promise;
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
}

function assertSound({ code, signal, stdout, stderr }: Ended, codes: readonly number[]): void {
  assert.equal(signal, null, `ended by ${signal}: ${stderr.slice(-300)}`);
  assert.ok(codes.includes(Number(code)), `exit code ${code}: ${stderr.slice(-300)}`);
  const fault = FAULT.exec(stderr)?.[0] ?? FAULT.exec(stdout)?.[0];
  assert.equal(fault, undefined, `${fault}: ${stderr.slice(0, 600)}`);
  if (code !== 0) assert.notEqual(stderr.trim(), "", "failed without a word");
}

interface Change {
  readonly at: number;
  readonly remove: number;
  readonly insert: Uint8Array;
}

function changed(content: Buffer, { at, remove, insert }: Change): Buffer {
  const start = at % (content.length + 1);
  return Buffer.concat([content.subarray(0, start), insert, content.subarray(start + remove)]);
}

/** Files that can be imported, by name: every export of the tests, cut to some records, and each container. */
function seeds(): ReadonlyMap<string, Buffer> {
  const { folder } = makeExports();
  const files = new Map<string, Buffer>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const content = readFileSync(path);
    const isTable = name.endsWith(".csv");
    files.set(
      name.replaceAll("/", "-"),
      isTable ? Buffer.from(content.toString().split("\n").slice(0, 9).join("\n")) : content,
    );
  }
  const sample = join(import.meta.dirname, "..", "..", "sample");
  const lines = readFileSync(join(sample, "reviews.jsonl"), "utf8").trim().split("\n").slice(0, 8);
  const business = readFileSync(join(sample, "business.yaml"));
  files.set("reviews.jsonl", Buffer.from(lines.join("\n")));
  files.set("business.yaml", business);
  const header = ["id", "author", "rating", "date", "text"];
  const rows = lines.map((line) => JSON.parse(line) as Record<string, string | number>);
  const cells = rows.map((row) => header.map((name) => row[name] ?? null));
  files.set("reviews.xlsx", workbookOf({ Reviews: [header, ...cells] }));
  const takeout = [...files].find(([name]) => name.includes("takeout"))?.[1] ?? Buffer.from("{}");
  files.set(
    "takeout.zip",
    zipOf([
      { name: "Takeout/reviews.json", content: takeout },
      { name: "business.yaml", content: business },
    ]),
  );
  files.set("reviews.jsonl.gz", gzipSync(lines.join("\n")));
  const linked = {
    "@type": "Review",
    "@id": "#a",
    datePublished: "2024-05-06",
    reviewRating: { ratingValue: 5 },
    reviewBody: "Fine",
  };
  files.set(
    "page.html",
    Buffer.from(
      `<!doctype html><title>x</title><script type="application/ld+json">${JSON.stringify({ "@graph": [linked] })}</script>`,
    ),
  );
  files.set(
    "mail.csv",
    Buffer.from(`\ufeff${header.join(";")}\r\n1;Ann;5;06.05.2024;"Fine; ""really"""\r\n`, "utf16le"),
  );
  return files;
}

/** Replaces the value at a random place of a JSON text. */
function replaced(text: string, at: number, value: string): string {
  const places = [...text.matchAll(/(?<=[:[,]\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g)];
  const place = places[at % Math.max(1, places.length)];
  return place === undefined ? text : text.slice(0, place.index) + value + text.slice(place.index + place[0].length);
}

/** Damaged files of each kind, imported into a store that a server publishes. */
export function importDoor(store: string): Door {
  const files = seeds();
  const folder = temporaryFolder();
  process.once("exit", () => folder[Symbol.dispose]());
  const change = fc.record({
    at: fc.nat(),
    remove: fc.oneof({ weight: 4, arbitrary: fc.nat(12) }, fc.nat(2_000)),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      oddText.map((text) => Buffer.from(text)),
    ),
  });
  const input = fc.record({
    name: fc.constantFrom(...files.keys()),
    asName: fc.option(fc.constantFrom("x.csv", "x.json", "x.zip", "x.xlsx", "x.yaml", "x.html", "x"), { freq: 8 }),
    values: fc.array(fc.tuple(fc.nat(), oddJson), { maxLength: 3 }),
    changes: fc.array(change, { maxLength: 2 }),
    inside: fc.boolean(),
    flags: fc.subarray(
      [
        "--skip-invalid",
        "--dry-run",
        "--list",
        "--json",
        "--dates=dmy",
        "--source=x",
        "--encoding=utf-16le",
        "--columns=rating=a",
      ],
      { maxLength: 2 },
    ),
  });
  return doorOf("import", 6, input, async ({ name, asName, values, changes, inside, flags }) => {
    let content = files.get(name) ?? Buffer.alloc(0);
    if (/\.json/.test(name) && !name.endsWith(".gz"))
      content = Buffer.from(values.reduce((text, [at, value]) => replaced(text, at, value), content.toString()));
    content = changes.reduce(changed, content);
    const inner = name.endsWith(".zip") || name.endsWith(".xlsx") ? "x.json" : name;
    if (inside) content = zipOf([{ name: inner, content }]);
    const path = join(folder.path, inside ? "x.zip" : (asName ?? name));
    writeFileSync(path, content);
    assertSound(await runBounded(folder.path, ["import", path, ...flags], environmentOf(store)), [0, 1]);
  });
}

const COMMANDS = [
  ..."import,check,init,export,sources,remove,redact,readmit,removed,withdraw,history,undo,restore".split(","),
  ..."migrate-store,subscriptions,backup,config,completion".split(","),
];
const OPTIONS = [
  ..."--json,--yes,--list,--complete,--dry-run,--skip-invalid,--reviews-only,--author,--text,--help,--version".split(
    ",",
  ),
  ..."--source,--columns,--dates,--encoding,--as,--name,--category,--time-zone,--language,--takeout,--,-,-x".split(","),
];

/** A word of a command line that cannot name a file outside the folder. */
const word = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "reviews.jsonl",
      "business.yaml",
      "backup.db",
      "out",
      "sqlite:other.db",
      "bash",
      "google",
      "yelp",
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(...OPTIONS) },
  { weight: 2, arbitrary: oddText.map((text) => text.replaceAll(/[\0/\\]|\.\./g, "_")) },
);

/** Arguments in any order, in a folder with a store of its own. */
export function commandDoor(served: string): Door {
  const folder = temporaryFolder();
  process.once("exit", () => folder[Symbol.dispose]());
  const lines = join(import.meta.dirname, "..", "..", "sample", "reviews.jsonl");
  writeFileSync(join(folder.path, "reviews.jsonl"), readFileSync(lines, "utf8").split("\n").slice(0, 8).join("\n"));
  const ready = run(served, ["backup", join(folder.path, "backup.db")]);
  const input = fc.record({
    command: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...COMMANDS) }, { weight: 1, arbitrary: word }),
    args: fc.array(word, { maxLength: 4 }),
  });
  return doorOf("command", 6, input, async ({ command, args }) => {
    await ready;
    const ended = await runBounded(folder.path, [command, ...args], environmentOf(folder.path));
    assertSound(ended, [0, 1, 2]);
  });
}

/** Settings of any value: the program refuses them by name or starts with them. */
export function settingsDoor(): Door {
  const names = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];
  const usual: Readonly<Record<string, readonly string[]>> = {
    PORT: ["0", "65536", "http"],
    HOST: ["127.0.0.1", "::1", "localhost"],
    BASE_URL: ["https://reviews.example", "http://[::1]:1/", "https://é.example", "https://x/y"],
    DATABASE_URL: ["sqlite:a.db", "sqlite::memory:", "sqlite:", "postgres://127.0.0.1:1/x", "postgres://"],
    WORKERS: ["1", "2", "0", "auto "],
    HUB_RETRY_SECONDS: ["1,2", "1,,2", "1e3,0"],
    HUB_LEASE_SECONDS: ["60,60,60", "3,2,1", "1,2"],
    HUB_ALLOW_CALLBACKS: ["10.0.0.0/8", "::/0", "10.0.0.0/33", "1.2.3.4"],
    TRUST_PROXY: ["127.0.0.1/32", "*", "::1"],
    ALLOWED_HOSTS: ["*", "a.example,b.example:1", "[::1]"],
    HUB_SECRET_KEY: ["ab".repeat(32), `${"ab".repeat(32)},${"cd".repeat(32)}`, "ab"],
    METRICS_PORT: ["0", "x"],
    LOG_LEVEL: ["debug", "silent", "INFO"],
    ACCESS_LOG: ["network", "full", "on"],
  };
  const pair = fc.constantFrom(...names).chain((name) => {
    const odd = oddText.map((text) => text.replaceAll("\0", "").replaceAll(/[/\\]|\.\./g, "_"));
    const safe = name === "WORKERS" ? fc.constantFrom("-1", "x", "1.5", "999") : odd; // 200 workers are allowed, but too many here
    return fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 2, arbitrary: fc.constantFrom(...(usual[name] ?? ODD_PIECES.slice(0, 5))) },
        { weight: 1, arbitrary: safe },
      ),
    );
  });
  const input = fc.record({ pairs: fc.array(pair, { minLength: 1, maxLength: 4 }), isServed: fc.boolean() });
  return doorOf("settings", 4, input, async ({ pairs, isServed }) => {
    using folder = temporaryFolder();
    const settings = Object.fromEntries(pairs.map(([name, value]) => [name, value.replaceAll("\0", "")]));
    const env = environmentOf(folder.path, settings);
    const shown = await runBounded(folder.path, ["config", "--json"], env);
    // With debug, the stack is printed on purpose.
    const stderr = settings.LOG_LEVEL === "debug" ? shown.stderr.replaceAll(/^ +at .+$\n?/gm, "") : shown.stderr;
    assertSound({ ...shown, stderr }, [0, 1]);
    if (shown.code !== 0) return void assert.match(shown.stderr, /error: (?:[A-Z_]+ is |Name the site in )/);
    JSON.parse(shown.stdout);
    if (isServed) await assertServes(folder.path, settings);
  });
}

/** Asserts that a server with accepted settings publishes or says why it cannot. */
async function assertServes(folder: string, settings: Readonly<Record<string, string>>): Promise<void> {
  await using program = startProgram(folder, { ...settings, PORT: "0", LOG_LEVEL: "info" });
  const isWaiting = program.logged(({ msg }) => typeof msg === "string" && /waiting|cannot be reached/i.test(msg));
  const url = await Promise.race([program.published, isWaiting]).catch((error: Error) => error);
  const log = JSON.stringify(program.log);
  if (url instanceof Error) assert.match(log, /"level":60/, "it ended without a word");
  assert.doesNotMatch(log, FAULT);
}
