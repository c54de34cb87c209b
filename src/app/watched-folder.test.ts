import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { pino } from "pino";
import { temporaryFolder } from "../../test/support/program.ts";
import { zipOf } from "../../test/support/zip-writer.ts";
import { readConfig } from "./config.ts";
import { makeFolderImport, watchFolder } from "./watched-folder.ts";

interface Line {
  readonly msg: string;
  readonly reason?: string;
  readonly business?: string;
  readonly business_file?: string;
  readonly passed_over?: readonly string[];
  readonly added?: number;
}

/** A log that keeps its lines, and tells when one comes. */
function keptLog() {
  const lines: Line[] = [];
  const stream = new PassThrough();
  const write = (text: string) => {
    lines.push(JSON.parse(text));
    stream.emit("line");
  };
  const log = pino({}, { write });
  const said = async (count: number, message: string) => {
    while (lines.filter(({ msg }) => msg === message).length < count) await once(stream, "line");
  };
  return { log, lines, said };
}

test("watchFolder() says once that a folder is missing, and imports it when it is there", async () => {
  const parent = mkdtempSync(join(tmpdir(), "goodword-watch-"));
  const folder = join(parent, "incoming");
  const { log, lines, said } = keptLog();
  const stop = new AbortController();
  const imported = Promise.withResolvers<void>();
  const watching = watchFolder(folder, log, stop.signal, {
    checkMs: 1,
    importFolder: async () => {
      imported.resolve();
      return true;
    },
  });
  await said(1, "The watched folder cannot be read");
  mkdirSync(folder);
  writeFileSync(join(folder, "reviews.csv"), "rating,date\n5,2026-01-02\n");
  await imported.promise;
  stop.abort();
  await watching;
  rmSync(parent, { recursive: true });
  assert.equal(lines.filter(({ msg }) => msg === "The watched folder cannot be read").length, 1);
  assert.match(lines[0]?.reason ?? "", /no such folder/);
});

test("watchFolder() goes on after an import that throws", async () => {
  const folder = mkdtempSync(join(tmpdir(), "goodword-watch-"));
  const file = join(folder, "reviews.csv");
  writeFileSync(file, "rating,date\n");
  const { log, said } = keptLog();
  const stop = new AbortController();
  const second = Promise.withResolvers<void>();
  let imports = 0;
  const watching = watchFolder(folder, log, stop.signal, {
    checkMs: 1,
    importFolder: async () => {
      imports += 1;
      if (imports === 1) throw new Error("No process can be started");
      second.resolve();
      return true;
    },
  });
  await said(1, "The watched folder could not be imported");
  writeFileSync(file, "rating,date\n5,2026-01-02\n");
  await second.promise;
  stop.abort();
  await watching;
  rmSync(folder, { recursive: true });
});

test("watchFolder() takes no file of the store for a change, nor the edition that a server caches beside it", async () => {
  using folder = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  const { log } = keptLog();
  const stop = new AbortController();
  let imports = 0;
  const store = path("goodword.db");
  const imported = Promise.withResolvers<void>();
  writeFileSync(path("reviews.csv"), "rating,date\n");
  const watching = watchFolder(folder.path, log, stop.signal, {
    checkMs: 1,
    storeFile: store,
    importFolder: async () => {
      imports += 1;
      for (const name of ["", "-wal", "-shm", ".edition", ".edition.part"]) writeFileSync(store + name, `${imports}`);
      if (imports === 1) setTimeout(() => writeFileSync(path("reviews.csv"), "rating,date\n5,2026-01-02\n"), 50);
      else imported.resolve();
      return true;
    },
  });
  await imported.promise;
  stop.abort();
  await watching;
  assert.equal(imports, 2);
});

test("watchFolder() imports again later what no fault of the files kept from being imported", async () => {
  using folder = temporaryFolder();
  using place = temporaryFolder();
  writeFileSync(join(folder.path, "reviews.csv"), "id,rating,date,source\n1,5,2026-01-02,google\n");
  const data = join(place.path, "data");
  writeFileSync(data, "a file in the place of the store's folder\n");
  const { log, lines, said } = keptLog();
  const stop = new AbortController();
  const importFolder = makeFolderImport(readConfig({ DATABASE_URL: `sqlite:${join(data, "goodword.db")}` }));
  const watching = watchFolder(folder.path, log, stop.signal, { checkMs: 1, retryMs: 1, importFolder });
  await said(2, "The watched folder was not imported");
  rmSync(data);
  await said(1, "Imported the watched folder");
  stop.abort();
  await watching;
  assert.equal(lines.at(-1)?.added, 1);
});

test("makeFolderImport() logs counts and the folder's own files, and no word in them or name in an archive", async () => {
  using folder = temporaryFolder();
  using store = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  writeFileSync(
    path("business.yaml"),
    "name: A\ntime_zone: UTC\nsources:\n  - { url: https://a.example/Zebulonquux }\n",
  );
  writeFileSync(path("notes.txt"), "name: B\ntime_zone: UTC\n");
  const rows = "id,rating,date,source,text\n1,5,2026-01-02,google,Xylographer\n";
  const entries = { "Zebulonquux.csv": rows, "Zebulonquux/business.yaml": "name: [" };
  writeFileSync(path("a.zip"), zipOf(Object.entries(entries).map(([name, content]) => ({ name, content }))));
  const { log, lines } = keptLog();
  const config = readConfig({ DATABASE_URL: `sqlite:${join(store.path, "goodword.db")}` });
  await makeFolderImport(config)(folder.path, log, new AbortController().signal);
  const [{ msg, business, business_file, passed_over, added } = {} as Partial<Line>] = lines;
  assert.deepEqual(
    { msg, business, business_file, passed_over, added },
    {
      msg: "Imported the watched folder",
      business: "added",
      business_file: path("business.yaml"),
      passed_over: [path("notes.txt")],
      added: 1,
    },
  );
  assert.doesNotMatch(JSON.stringify(lines), /Zebulonquux|Xylographer/);
});

test("watchFolder() looks at the files of a large folder one after the other", async () => {
  using folder = temporaryFolder();
  for (let at = 0; at < 500; at++) writeFileSync(join(folder.path, `${at}.csv`), "x");
  const { log } = keptLog();
  const stop = new AbortController();
  const imported = Promise.withResolvers<void>();
  let most = 0;
  const watching = watchFolder(folder.path, log, stop.signal, {
    ...{ checkMs: 1, storeFile: join(folder.path, "goodword.db") },
    importFolder: async () => {
      imported.resolve();
      return true;
    },
  });
  const sampling = setInterval(() => {
    const requests = process.getActiveResourcesInfo().filter((name) => name.startsWith("FSReq"));
    most = Math.max(most, requests.length);
  }, 0);
  await imported.promise;
  clearInterval(sampling);
  stop.abort();
  await watching;
  assert.ok(most <= 20, `${most} requests at once`);
});
