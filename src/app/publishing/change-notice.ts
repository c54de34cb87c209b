/**
 * Notices beside an embedded store, which announce that a command is about to change it. A server that finds one loads
 * what its next edition needs while the command still reads its files, and need not keep all of it in memory otherwise.
 */
import { rmSync, statSync, writeFileSync } from "node:fs";
import { storeFileOf } from "../../store/engine/store-url.ts";

const ENDING = ".change";

/** Gives notice until it is disposed of. If the file cannot be written, servers follow the change a little later. */
export function announceChange(url: string): Disposable {
  const file = noticeOf(url);
  try {
    if (file !== undefined) writeFileSync(file, "", { mode: 0o600 });
  } catch {
    return { [Symbol.dispose]: () => {} };
  }
  const end = () => {
    process.off("exit", end);
    if (file !== undefined) rmSync(file, { force: true });
  };
  process.once("exit", end); // a command that is stopped
  return { [Symbol.dispose]: end };
}

/** The time of the current notice in milliseconds since the epoch; undefined if there is none, or none can be seen. */
export function latestNotice(url: string): number | undefined {
  const file = noticeOf(url);
  if (file === undefined) return undefined;
  try {
    return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined; // a folder that cannot be entered for now, say
  }
}

/** Whether notices are possible: a store in memory or on another machine has no place for them. */
export function canAnnounce(url: string): boolean {
  return noticeOf(url) !== undefined;
}

function noticeOf(url: string): string | undefined {
  const path = storeFileOf(url);
  return path === undefined ? undefined : `${path}${ENDING}`;
}
