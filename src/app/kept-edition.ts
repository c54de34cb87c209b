/** The edition that a server published last, kept beside the store, so that the next start serves it at once. */
import { createHash } from "node:crypto";
import { globSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RenderedEdition } from "../edition/render-edition.ts";
import type { EditionWorkerSettings } from "./edition-worker-thread.ts";
import { readKeptEdition, writeKeptEdition } from "./kept-edition-file.ts";
import { FORMAT, packEdition, unpackEdition } from "./packed-edition.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The kept edition when it is whole and was made by this very program with these settings. */
export function keptEdition(settings: EditionWorkerSettings): RenderedEdition | undefined {
  const bytes = readKeptEdition(settings.databaseUrl);
  return bytes === undefined ? undefined : unpackEdition(bytes, madeBy(settings));
}

/** Keeps an edition, unless `isCurrent` says that the store has moved on by the time it is written. */
export async function keepEdition(
  edition: RenderedEdition,
  settings: EditionWorkerSettings,
  isCurrent: () => Promise<boolean>,
): Promise<void> {
  const parts = packEdition(edition, madeBy(settings));
  await writeKeptEdition(settings.databaseUrl, { head: FORMAT, parts }, isCurrent);
}

/** All that an edition depends on beside the store: the files of the program, Node, and the settings. */
function madeBy({ baseUrl, model }: EditionWorkerSettings): string {
  return JSON.stringify([programTag(), process.version, baseUrl, model ?? null]);
}

let tag: string | undefined;

/** Changes when a file of the program does: read from sizes and times, which takes milliseconds. */
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
