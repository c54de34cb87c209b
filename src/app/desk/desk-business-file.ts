/** The business.yaml that pages of the desk show and write: a change is checked, written as a whole, and published. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { html } from "hono/html";
import type { BusinessFile } from "../../business.ts";
import { parseBusinessFile } from "../../import/business-file.ts";
import { Invalid, type Issue } from "../../issue.ts";
import { privateFileOf } from "../../lib/private-file.ts";
import type { Markup } from "../../page/text/markup.ts";
import { fill } from "../../page/text/words.ts";
import { parseBusiness, readBusiness, readBusinessText } from "../../store/store.ts";
import { businessText, withBusiness } from "../owner/business-difference.ts";
import { readBusinessForm } from "../owner/business-form.ts";
import type { BusinessFileState } from "../owner/undoing.ts";
import { importIntoStore } from "../stored-import.ts";
import { differenceAdvice, faultAdvice, warningLines } from "./desk-advice.ts";
import { type DeskRequest, tokenField } from "./desk-frame.ts";
import { businessPath, type DeskSite, readBusinessYaml, withStore, writtenFolder } from "./desk-site.ts";

export const NAME = "business.yaml";

/** Where a business.yaml is. */
type FileSite = Pick<DeskSite, "config" | "folder" | "isOfSites">;

/** What work has given, and what has become of business.yaml. */
interface Followed<T> {
  readonly result: T;
  readonly file: BusinessFileState;
}

/** business.yaml, or else what it would be for the business of the store; undefined without either. */
export async function presentText(site: DeskSite): Promise<string | undefined> {
  const text = readBusinessYaml(site);
  if (text !== undefined) return text;
  const stored = await withStore(site, ({ database }) => readBusiness(database));
  return stored === undefined ? undefined : businessText(stored);
}

/** The business of the store if it is another one than this, as after a change was undone: saving would publish this again. */
export async function otherPublished(site: DeskSite, business: BusinessFile): Promise<BusinessFile | undefined> {
  const stored = await withStore(site, ({ database }) => readBusinessText(database));
  return typeof stored !== "string" || stored === JSON.stringify(business) ? undefined : parseBusiness(stored);
}

/**
 * Runs work that may change the published business, such as an undo. A business.yaml that said what was published before
 * is written anew with what is published then; one that said otherwise is the owner's to decide on, and stays.
 */
export async function withFollowingFile<T>(site: FileSite, work: () => Promise<T>): Promise<Followed<T>> {
  const published = await publishedFile(site);
  const result = await work();
  const isThere = existsSync(businessPath(site));
  try {
    if (published !== undefined && (await follow(site, published))) return { result, file: "follows" };
  } catch {
    // Where nobody may write, or the store is away again: the work is done, and the page of the business shows what differs.
  }
  return { result, file: isThere ? "stays" : "absent" };
}

/** Writes into a business.yaml what is published now. False if it is another text by now, or nothing is published. */
async function follow(site: FileSite, { text, business: before }: PublishedFile): Promise<boolean> {
  const business = await withStore(site, ({ database }) => readBusiness(database));
  if (business === undefined || textOf(site) !== text) return false;
  if (!isDeepStrictEqual(business, before)) writeBusinessYaml(site, withBusiness(text, business));
  return true;
}

interface PublishedFile {
  readonly text: string;
  readonly business: BusinessFile;
}

/** business.yaml, if it says what is published. */
async function publishedFile(site: FileSite): Promise<PublishedFile | undefined> {
  const text = textOf(site);
  if (text === undefined) return undefined;
  const { business } = readBusinessForm(text);
  const stored = await withStore(site, ({ database }) => readBusinessText(database));
  return business !== undefined && stored === JSON.stringify(business) ? { text, business } : undefined;
}

/** Undefined also for what cannot be read. */
function textOf(site: FileSite): string | undefined {
  try {
    return readBusinessYaml(site);
  } catch {
    return undefined;
  }
}

/** The first fields of a form that changes business.yaml: by them it is known whether another one has, meanwhile. */
export function stampField(request: DeskRequest, text: string | undefined): Markup {
  return html`${tokenField(request)}<input type="hidden" name="before" value="${stampOf(text)}">`;
}

/** Tells a text from any other. */
export function stampOf(text: string | undefined): string {
  return createHash("sha256")
    .update(text ?? "")
    .digest("base64url");
}

/** What was done, or what was wrong with the file that is to be shown. */
type Published =
  | { readonly business: BusinessFile; readonly done: readonly string[] }
  | { readonly issues: readonly Issue[]; readonly file: string | undefined };

/**
 * Checks a text that was made from the one before, writes it to business.yaml and publishes it: this text, whatever is in
 * the place of the file by then.
 */
export async function publishText(
  request: DeskRequest,
  { text, before }: { readonly text: string; readonly before: string | undefined },
): Promise<Published> {
  const { site, words, form } = request;
  const { business: said } = words;
  if (form.fields.get("before") !== stampOf(before)) {
    const message = fill(said.changedMeanwhile, { file: NAME });
    return { issues: [{ code: "changed", path: [], message }], file: before };
  }
  let business: BusinessFile;
  try {
    business = parseBusinessFile(NAME, text);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { issues: error.issues, file: text };
  }
  writeBusinessYaml(site, text);
  try {
    await using copy = await privateFileOf(Buffer.from(text));
    const own = { name: businessPath(site), descriptor: copy.fd, isBusinessFile: true };
    const { report } = await importIntoStore(site.config, [own], { files: [NAME] });
    const warnings = warningLines(report, request);
    const changes = report.business_changes.map((change) => differenceAdvice(change, words));
    const shown = (await writtenFolder(site)) === undefined ? said.saved : said.savedFolder;
    return { business, done: [report.revised ? shown : said.savedSame, ...changes, ...warnings] };
  } catch (error) {
    const lines = faultAdvice(error, words);
    return { issues: [{ code: "failed", path: [], message: [said.savedOnly, ...lines].join(" ") }], file: text };
  }
}

/**
 * Writes the file at once as a whole, where it is now. A link is followed only if it is this user's own: others may be able
 * to put one there, at any moment, that leads to a file of this user's; the file takes its place. Nobody may read it who
 * could not before, and a new one is its owner's alone: an address for messages is often a secret.
 */
function writeBusinessYaml(site: FileSite, text: string): void {
  const path = site.isOfSites ? businessPath(site) : ownTarget(businessPath(site));
  const part = `${path}.${process.pid}.part`;
  const { mode = 0o600 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  rmSync(part, { force: true });
  writeFileSync(part, text, { flag: "wx", mode: mode & 0o777 }); // never through a link of this name
  renameSync(part, path);
}

/** What a link of this user's leads to, if it is there before and after it was followed; otherwise the path itself. */
function ownTarget(path: string): string {
  const look = () => lstatSync(path, { throwIfNoEntry: false, bigint: true });
  const [link, user] = [look(), process.getuid?.()];
  const isOwn = link?.isSymbolicLink() === true && (user === undefined || link.uid === BigInt(user));
  if (!isOwn || !existsSync(path)) return path;
  const target = realpathSync(path);
  const after = look();
  return after?.ino === link.ino && after.ctimeNs === link.ctimeNs ? target : path;
}
