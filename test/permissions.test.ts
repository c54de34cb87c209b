/** The program under Node's permission model, with the options of the files in `deploy/`. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { BIN, environmentOf, temporaryFolder } from "./program.ts";
import { ask, json } from "./wire.ts";

const ROOT = join(import.meta.dirname, "..");

/** The options before the program in a file of `deploy/`. */
function optionsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, "deploy", file), "utf8");
  const command = /(?:ExecStart=|ENTRYPOINT \[)(.*?)bin\/goodword\.js/s.exec(text)?.[1] ?? "";
  return command.match(/--[\w-]+(?:=[\w/.]+)?/g) ?? [];
}

/** The same options where the program and its store lie in other folders. */
function movedTo(folder: string, options: readonly string[]): string[] {
  const places = new Map([
    ["/opt/goodword", ROOT],
    ["/app", ROOT],
    ["/var/lib/goodword", folder],
    ["/data", folder],
    ["/tmp", join(folder, "tmp")],
  ]);
  return options.map((option) => {
    const [name, place = ""] = option.split("=");
    return places.has(place) ? `${name}=${places.get(place)}` : option;
  });
}

function start(folder: string, options: readonly string[], args: readonly string[]) {
  const env = { ...environmentOf(folder), TMPDIR: join(folder, "tmp") };
  return spawn(process.execPath, [...options, BIN, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
}

for (const file of ["goodword.service", "Dockerfile"]) {
  test(`deploy/${file} lets the program serve and import, and do nothing else`, async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "tmp"));
    const options = movedTo(folder.path, optionsOf(file));
    assert.ok(options.includes("--permission"));
    for (const name of ["reviews.jsonl", "business.yaml"])
      copyFileSync(join(ROOT, "sample", name), join(folder.path, name));
    const importing = start(folder.path, options, ["import", "reviews.jsonl", "business.yaml"]);
    const [report, fault] = await Promise.all([text(importing.stdout), text(importing.stderr)]);
    assert.match(report, /^Revision 1\.$/m, fault);

    const serving = start(folder.path, options, ["serve", "--port", "0"]);
    const lines = createInterface(serving.stderr);
    try {
      let url = "";
      for await (const line of lines) {
        const entry = JSON.parse(line); // a warning of Node is no JSON, and fails here
        if (entry.url !== undefined) url = entry.url;
        if (entry.revision === 1) break;
        assert.ok(entry.level < 40, line);
      }
      const { reviews } = json(await ask(`${url}/reviews.json`)) as { reviews: unknown[] };
      assert.equal(reviews.length, 240);
    } finally {
      serving.kill("SIGTERM");
    }

    const elsewhere = start(folder.path, options, ["backup", join(ROOT, "not-allowed.db")]);
    assert.match(await text(elsewhere.stderr), /error: .*(permission|restricted)/);
  });
}
