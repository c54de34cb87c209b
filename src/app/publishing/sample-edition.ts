/**
 * The bundled sample's edition, cached in the program folder: a first start serves it at once, without analysing the
 * sample. It is rendered for a placeholder origin, which is then replaced with the server's.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeDocument } from "../../edition/document.ts";
import type { RenderedEdition } from "../../edition/render-edition.ts";
import { aiCatalog, serverCard } from "../../mcp/server-card.ts";
import { PROGRAM_FOLDER } from "../../program-folder.ts";
import { decodeEdition, encodeEdition, FORMAT, wholeFile } from "./edition-encoding.ts";
import { programTag } from "./program-tag.ts";

/** The placeholder origin. Its domain is reserved (RFC 2606). */
export const NOBODYS_ORIGIN = "http://any-origin.goodword.invalid";

const FILE = join(PROGRAM_FOLDER, "node_modules", ".cache", "goodword-sample.edition");

/** Reads the sample's edition for `baseUrl`; undefined unless the same version of the program has saved it. */
export function keptSample(baseUrl: string, file = FILE): RenderedEdition | undefined {
  let edition: RenderedEdition | undefined;
  try {
    edition = decodeEdition(Uint8Array.from(readFileSync(file)), madeBy());
  } catch {
    return undefined; // not there, or damaged: it is saved again
  }
  return edition && withOrigin(edition, baseUrl);
}

/** Saves the sample's edition, rendered for `NOBODYS_ORIGIN`, if the folder is writable. */
export function keepSample(edition: RenderedEdition, file = FILE): void {
  const part = `${file}.${process.pid}.part`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(part, wholeFile(FORMAT, encodeEdition(edition, madeBy())));
    renameSync(part, file);
  } catch {
    if (existsSync(part)) rmSync(part, { force: true });
  }
}

/** Replaces `NOBODYS_ORIGIN` in an edition with another origin. */
export function withOrigin(edition: RenderedEdition, baseUrl: string): RenderedEdition {
  const sought = Buffer.from(new URL(NOBODYS_ORIGIN).host);
  const cards = [serverCard(edition.business, baseUrl), aiCatalog(edition.business, baseUrl)]; // these contain other forms of the host
  const documents = edition.documents.map((document) => {
    const card = cards.find(({ path }) => path === document.path);
    if (card !== undefined) return card;
    const bytes = Buffer.from(document.body.buffer, document.body.byteOffset, document.body.byteLength);
    if (!bytes.includes(sought)) return document;
    return makeDocument(document.path, document.mediaType, replaceOrigin(bytes.toString("utf8"), baseUrl));
  });
  return { ...edition, baseUrl, documents };
}

function replaceOrigin(text: string, baseUrl: string): string {
  return text
    .replaceAll(NOBODYS_ORIGIN, baseUrl)
    .replaceAll(encodeURIComponent(NOBODYS_ORIGIN), encodeURIComponent(baseUrl))
    .replaceAll(new URL(NOBODYS_ORIGIN).host, new URL(baseUrl).host);
}

function madeBy(): string {
  return JSON.stringify([programTag(), process.version]);
}
