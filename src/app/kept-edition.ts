/** The kept edition: the last one published, saved beside the store so that the next start can serve it at once. */
import { createHash } from "node:crypto";
import { globSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RenderedEdition } from "../edition/render-edition.ts";
import { decodeEdition, encodeEdition, FORMAT } from "./edition-encoding.ts";
import { readEditionFile, writeEditionFile } from "./edition-file.ts";
import type { EditionWorkerSettings } from "./edition-worker-thread.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The kept edition, if it is intact and was made by this version of the program with these settings. */
export function keptEdition(settings: EditionWorkerSettings): RenderedEdition | undefined {
  const bytes = readEditionFile(settings.databaseUrl);
  return bytes === undefined ? undefined : decodeEdition(bytes, madeBy(settings));
}

/** Saves an edition, unless `isCurrent` says that the store has changed by the time the file is written. */
export async function keepEdition(
  edition: RenderedEdition,
  settings: EditionWorkerSettings,
  isCurrent: () => Promise<boolean>,
): Promise<void> {
  const parts = encodeEdition(edition, madeBy(settings));
  await writeEditionFile(settings.databaseUrl, { head: FORMAT, parts }, isCurrent);
}

/** Everything that an edition depends on besides the store: the program files, the version of Node, and the settings. */
function madeBy({ baseUrl, model }: EditionWorkerSettings): string {
  return JSON.stringify([programTag(), process.version, baseUrl, model ?? null]);
}

let tag: string | undefined;

/** Changes when a program file does. It is a hash of sizes and modification times, which takes milliseconds. */
function programTag(): string {
  if (tag !== undefined) return tag;
  const hash = createHash("sha256");
  const files = globSync(["package.json", "{src,dist,taxonomies,models,sample}/**/*"], { cwd: ROOT }).toSorted();
  for (const file of files) {
    if (file.endsWith(".test.ts")) continue;
    const { size, mtimeMs } = statSync(`${ROOT}/${file}`);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  tag = hash.digest("base64url");
  return tag;
}
