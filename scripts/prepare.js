// After `npm ci` in this repository (as its script `postprepare`: npm would ask those who install the package to approve
// a `prepare`, which never runs there): starts the program once and stops it, so that what its starts keep is there when
// the first real one comes: the built program, compiled, and the sample's edition. What fails here costs time later,
// and nothing else.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const LONGEST_MS = 90_000;

const folder = mkdtempSync(join(tmpdir(), "goodword-prepare-"));
const { PATH, HOME, SystemRoot } = process.env;
const child = spawn(
  process.execPath,
  [fileURLToPath(new URL("../bin/goodword.js", import.meta.url)), "serve", "--port", "0"],
  {
    cwd: folder,
    env: { PATH, HOME, SystemRoot, HOST: "127.0.0.1", DATABASE_URL: `sqlite:${join(folder, "goodword.db")}` },
    stdio: ["ignore", "ignore", "pipe"],
  },
);
const end = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
const said = { listening: false, published: false };
createInterface(child.stderr).on("line", (line) => {
  said.listening ||= line.includes('"port":');
  said.published ||= line.includes('"reviews":');
  if (said.listening && said.published) child.kill("SIGTERM");
});
child.on("error", () => {});
child.on("close", () => {
  clearTimeout(end);
  rmSync(folder, { recursive: true, force: true });
});
