/**
 * Notices beside an embedded store that a command is about to change it. A server that sees one loads what its next
 * edition needs while the command still reads its files, and need not hold all of that in memory the rest of the time.
 */
import { rmSync, statSync, writeFileSync } from "node:fs";
import { storeFileOf } from "../../store/engine/store-url.ts";

const ENDING = ".change";

/** Gives notice until it is disposed of. Where the file cannot be written, servers are a little slower to follow. */
export function announceChange(url: string): Disposable {
  const file = noticeOf(url);
  try {
    if (file !== undefined) writeFileSync(file, "", { mode: 0o600 });
  } catch {
    return { [Symbol.dispose]: () => {} };
  }
  return { [Symbol.dispose]: () => file !== undefined && rmSync(file, { force: true }) };
}

/** When the latest notice that stands was given; undefined when there is none, or there can be none. */
export function latestNotice(url: string): number | undefined {
  const file = noticeOf(url);
  return file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Whether a notice can be given at all: a store in memory or on another machine has no place for it. */
export function canAnnounce(url: string): boolean {
  return noticeOf(url) !== undefined;
}

function noticeOf(url: string): string | undefined {
  const path = storeFileOf(url);
  return path === undefined ? undefined : `${path}${ENDING}`;
}
