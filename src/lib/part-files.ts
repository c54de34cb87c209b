/** Files and folders that have another name until they are whole, so that what a killed process leaves is taken for none. */
import { randomUUID } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const PART = /^\.[\da-f-]{36}\.part$/;
/** They are made in milliseconds: one that nobody has written to for so long is a killed process's. */
const MAX_MAKING_MS = 60_000;

/** A name beside `path` for what is being made for it. Deletes what killed processes left of making it. */
export function partBeside(path: string): string {
  const [folder, name] = [dirname(path), basename(path)];
  for (const other of readdirSync(folder)) {
    if (!other.startsWith(name) || !PART.test(other.slice(name.length))) continue;
    const part = join(folder, other);
    const { mtimeMs = Date.now() } = lstatSync(part, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - MAX_MAKING_MS) rmSync(part, { recursive: true, force: true });
  }
  return `${path}.${randomUUID()}.part`;
}
