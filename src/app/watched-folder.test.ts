import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { pino } from "pino";
import { watchFolder } from "./watched-folder.ts";

interface Line {
  readonly msg: string;
  readonly reason?: string;
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
    importFolder: async () => imported.resolve(),
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
    },
  });
  await said(1, "The watched folder could not be imported");
  writeFileSync(file, "rating,date\n5,2026-01-02\n");
  await second.promise;
  stop.abort();
  await watching;
  rmSync(folder, { recursive: true });
});
