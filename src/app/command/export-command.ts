/** `goodword export`: the publication as static files, for a host that only serves files. */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Document } from "../../edition/document.ts";
import { openEdition } from "../../edition/edition.ts";
import { renderReviewPage } from "../../page/review-page.ts";
import { openStore } from "../../store/store.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { print } from "../edition-worker-thread.ts";

/** Writes every document of the current edition below `folder`, each file whole or not at all. */
export async function exportCommand(config: Config, folder: string): Promise<void> {
  const store = await openStore(config.DATABASE_URL);
  try {
    const edition = openEdition(await print(store, baseUrlOf(config, config.PORT), config.ANALYZER_MODEL || undefined));
    const pages = JSON.parse(Buffer.from(edition.since("1970-01-01").body).toString()) as { id: string }[];
    const documents = [...edition.documents()];
    for (const { id } of pages) {
      const review = edition.review(id);
      if (review !== undefined) documents.push(renderReviewPage(edition, review));
    }
    for (const document of documents) await writeDocument(folder, document);
    process.stdout.write(`Wrote ${documents.length} files for ${edition.baseUrl} to ${folder}\n`);
  } finally {
    await store.close();
  }
}

/** A page becomes `index.html` in a folder of its own, so that its address stays the same. */
function fileOf({ path, mediaType }: Document): string {
  return mediaType.startsWith("text/html") ? join(path, "index.html") : path;
}

async function writeDocument(folder: string, document: Document): Promise<void> {
  const file = join(folder, fileOf(document));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part`, document.body);
  await rename(`${file}.part`, file);
}
