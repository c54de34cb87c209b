/** The bare server as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface BareServer extends Disposable {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Starts a bare server that answers with what a running program answers at these paths now. */
export async function openBareServer(origin: string, paths: readonly string[]): Promise<BareServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-server.ts"), origin, ...paths], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: `http://localhost:${line.toString().trim()}`,
    process: child,
    [Symbol.dispose]: () => void child.kill(),
  };
}
