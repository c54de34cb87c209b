/** Exporting the publication as static files, as the command and the desk do it. */
import { join } from "node:path";
import type { Document } from "../../edition/document.ts";
import { type Edition, openEdition } from "../../edition/edition.ts";
import { renderStaticPages } from "../../page/static-pages.ts";
import { localeOf } from "../../page/text/locale.ts";
import { COMMAND_LANGUAGE, ownerWordsFor } from "../../page/text/owner-words.ts";
import { fill } from "../../page/text/words.ts";
import { renderStore } from "../../publication/publication.ts";
import { openStore, readRevision } from "../../store/store.ts";
import { readStoreAt } from "../../store/store-survey.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { staticDocument } from "../static-site/static-documents.ts";
import { readSite, type SiteFile, writeSite } from "../static-site/static-site.ts";

/** What an export has done. */
export interface ExportReport {
  readonly baseUrl: string;
  readonly written: number;
  readonly removed: number;
}

/**
 * Writes the current edition's documents below `folder`, each file atomically, and removes files from an earlier export
 * that are no longer published. `onProgress`: the pages written so far, and about how many there are. `within`: a folder
 * in which `folder` must lie itself, and be no link. `isSite`: the store is that of a site among many, for which no sample
 * stands.
 * @throws Error if the sample would overwrite another export, or stand for a site.
 */
export async function exportSite(
  config: Config,
  folder: string,
  {
    onProgress = () => {},
    within,
    isSite,
  }: {
    readonly onProgress?: (written: number, all: number) => void;
    readonly within?: string | undefined;
    readonly isSite: boolean;
  },
): Promise<ExportReport> {
  if (isSite && !(await readStoreAt(config.DATABASE_URL, readRevision))?.number)
    throw new Error("Nothing has been imported into this site: there is nothing to export");
  const site = await readSite(folder);
  await using store = await openStore(config.DATABASE_URL);
  const baseUrl = baseUrlOf(config, config.PORT);
  const edition = openEdition(await renderStore(store, { baseUrl, model: config.ANALYZER_MODEL || undefined }));
  if (edition.sample && (site === "foreign" || (site !== "empty" && !site.sample))) {
    throw new Error(
      `The store holds no reviews, so this would put the invented sample business over the site in ${folder}. Import your reviews first, or name another store with DATABASE_URL; to look at the sample, export it to a new folder.`,
    );
  }
  const about = { base_url: baseUrl, sample: edition.sample };
  return { baseUrl, ...(await writeSite(folder, siteFiles(edition, onProgress), about, within)) };
}

/** What is left out of an export. */
export const NOT_EXPORTED =
  "The search works in the visitor's browser. Left out, because they need a running server: /docs, the OpenAPI description, the addresses of the search for programs, MCP and the WebSub hub";

/** `Wrote 120 files for https://reviews.example.com to public` */
export function exportLine(
  { baseUrl, written, removed }: ExportReport,
  folder: string,
  language: string = COMMAND_LANGUAGE,
): string {
  const said = ownerWordsFor(language);
  const gone = removed === 0 ? "" : localeOf(language).counted(said.wroteAndRemoved, removed);
  return `${fill(said.wrote, { written: String(written), address: baseUrl, folder })}${gone}`;
}

function* siteFiles(edition: Edition, onProgress: (written: number, all: number) => void): Generator<SiteFile> {
  const { ids } = edition.idsStartingWith("", edition.reviewCount);
  const written = new Set<string>();
  for (const page of renderStaticPages(edition, ids)) {
    written.add(page.path);
    onProgress(written.size, ids.length);
    yield { path: fileOf(page), body: page.body };
  }
  for (const document of edition.documents()) {
    const given = written.has(document.path) ? undefined : staticDocument(document);
    if (given !== undefined) yield { path: fileOf(given), body: given.body };
  }
}

/** The file path for a document. A page becomes `index.html` in its own folder, so that its address is unchanged. */
function fileOf({ path, mediaType }: Document): string {
  const below = path.slice(1);
  return mediaType.startsWith("text/html") && !below.endsWith(".html")
    ? join(below, "index.html").replaceAll("\\", "/")
    : below;
}
