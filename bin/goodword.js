#!/usr/bin/env node
// Starts the program. Plain JavaScript for an old Node too, which hands over to the one among the dependencies.
import { existsSync, readFileSync, statSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const MIN_NODE_VERSION = 24;
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

// Threads that read and compress; each holds memory of its own: four take 30 MB more.
process.env.UV_THREADPOOL_SIZE ??= "2";

if (Number.parseInt(process.versions.node, 10) >= MIN_NODE_VERSION) {
  enableCompileCache();
  const { main } = await import(pathToFileURL(program()).href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  const { handOver } = await import("./pinned-node.js");
  await handOver(MIN_NODE_VERSION);
}

/** The built program, or its TypeScript if that has changed or its coverage is measured. The package has no TypeScript. */
function program() {
  const [built, source] = [join(ROOT, "dist/command-line.js"), join(ROOT, "src/app/command/command-line.ts")];
  if (!existsSync(source)) return built;
  const list = join(ROOT, "dist/sources.json");
  if (process.env.NODE_V8_COVERAGE !== undefined || !existsSync(list)) return source;
  const isUnchanged = ([file, size, mtimeMs]) => {
    const now = statSync(join(ROOT, file), { throwIfNoEntry: false });
    return now?.size === size && now.mtimeMs === mtimeMs;
  };
  return JSON.parse(readFileSync(list, "utf8")).every(isUnchanged) ? built : source;
}

/** Keeps compiled code for the next start. The variable enables it in threads, too. */
function enableCompileCache() {
  if (process.env.NODE_COMPILE_CACHE !== undefined || process.env.NODE_V8_COVERAGE !== undefined) return;
  const { directory } = module.enableCompileCache(join(ROOT, "node_modules/.cache/goodword"));
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;
}
