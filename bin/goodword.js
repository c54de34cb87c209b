#!/usr/bin/env node
// Starts the program with a Node that runs TypeScript as it is. This file alone must also run on an old Node,
// which then hands over to the one that is pinned among the dependencies.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const OLDEST = 24;
const major = Number(process.versions.node.split(".")[0]);

if (major >= OLDEST) {
  keepCompiled();
  const { main } = await import("../src/app/command/command-line.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  handOver();
}

// Keeps what is compiled, the stripped TypeScript among it, for the next start; the variable tells the threads. Where
// the folder cannot be written, nothing is kept.
function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE !== undefined || process.env.NODE_V8_COVERAGE !== undefined) return;
  const folder = fileURLToPath(new URL("../node_modules/.cache/goodword", import.meta.url));
  const { directory } = module.enableCompileCache(folder);
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE = folder;
}

function handOver() {
  const suffix = process.platform === "win32" ? ".cmd" : "";
  const pinned = fileURLToPath(new URL(`../node_modules/.bin/node${suffix}`, import.meta.url));
  if (!existsSync(pinned)) {
    process.stderr.write(
      `error: goodword needs Node ${OLDEST} or newer and this is ${process.versions.node}; npm ci brings a fitting one for most machines\n`,
    );
    process.exitCode = 1;
    return;
  }
  const environment = { ...process.env, GOODWORD_PARENT: String(process.pid) };
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(pinned, args, { stdio: "inherit", env: environment });
  endWithParent(child);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128);
  });
}

// npm passes a signal on to the shell that it runs a program in; that shell ends without telling this process.
function endWithParent(child) {
  if (!["start", "npx"].includes(process.env.npm_lifecycle_event ?? "")) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    child.kill("SIGTERM");
  }, 500);
  check.unref();
}
