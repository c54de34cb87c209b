/** `goodword import --places`: imports each place in the files into a site of its own. */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseBusinessFile } from "../../import/business-file.ts";
import {
  checkPaths,
  type FoundPlace,
  type ImportReport,
  type RecordLog,
  readForPlaces,
} from "../../import/importer.ts";
import { placesCalled } from "../../import/place/place-choice.ts";
import { Invalid } from "../../issue.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { normalForm } from "../../lib/normal-form.ts";
import { partBeside } from "../../lib/part-files.ts";
import { readSmallFile } from "../../lib/small-file.ts";
import { isStoreThere } from "../../store/engine/store-url.ts";
import { readBusiness } from "../../store/store.ts";
import { readStoreAt } from "../../store/store-survey.ts";
import { type Config, readConfig } from "../config.ts";
import { issuesOfFault } from "../fault-message.ts";
import { type BusinessAnswers, businessYaml, idOf, machineZone } from "../init/business-answers.ts";
import { readTakeoutProfiles } from "../init/takeout-profile.ts";
import {
  isSiteName,
  namesOfSites,
  requireFolder,
  requireOwnFiles,
  type SiteFolder,
  siteEnvironment,
  siteFolder,
} from "../sites/site-folder.ts";
import { combinedReport, importIntoStore } from "../stored-import.ts";
import { reportLines } from "../terminal/report-text.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { asTyped } from "../terminal/typed-command.ts";
import type { ImportFlags } from "./import-command.ts";

/** What came of one place. */
type Outcome = ImportReport | { readonly error: string; readonly issues: ReturnType<typeof issuesOfFault> };

/** A site and the place that it is of. */
interface PlaceSite extends SiteFolder {
  readonly place: FoundPlace;
  readonly isNew: boolean;
  /** Why the site may be another place's, or of this one: nobody can read whose it is. */
  readonly unread?: unknown;
}

/** What was read of the files once, for all places. */
interface Prepared {
  readonly log: RecordLog;
  /** What a Takeout says of the business at a location. */
  readonly profileOf: (location: string) => BusinessAnswers | undefined;
}

const MAX_NAME_LENGTH = 63;
/** Sites that a warning names. */
const MAX_UNREAD = 20;

/**
 * Imports each place into the site whose `location` it is, or into a new one that is named after it. Prints a report for
 * each and one for all.
 * @throws Invalid if the files cannot be read.
 * @throws Error if they do not tell of which places they are, or a place could not be imported.
 */
export async function importPlacesCommand(
  sites: string,
  paths: readonly string[],
  { location: _location, as, list: _list, ...flags }: ImportFlags,
): Promise<void> {
  using log = await readForPlaces(paths, flags);
  const places = log.places.list();
  const faults = [...log.files.values()].flatMap(({ counts }) => counts.issues);
  if (places.length === 0 && faults.length > 0) throw new Invalid(faults);
  if (places.length === 0)
    throw new Error("The files do not tell of which places their reviews are. Import them with --site NAME instead");
  const outcomes: Record<string, Outcome> = {};
  if (flags.dryRun !== true) makeFolder(sites);
  const { placeSites, unread } = await sitesOf(sites, places);
  const isOneNew = placeSites.some(({ isNew }) => isNew);
  const profileOf = isOneNew ? await readTakeoutProfiles(paths) : () => undefined;
  for (const site of placeSites) {
    const outcome = await importPlace(site, { ...flags, log, profileOf, ...(as === undefined ? {} : { as }) });
    outcomes[site.name] = outcome;
    if (flags.json === true) continue;
    process.stdout.write(`${site.name}: ${terminalText(site.place.name ?? site.place.id)}\n`);
    if ("error" in outcome)
      for (const { message } of outcome.issues) process.stdout.write(`  ${terminalText(message)}\n`);
    else
      process.stdout.write(
        asTyped(`${reportLines(outcome, { isDry: flags.dryRun === true, notes: [] }).join("\n")}\n\n`),
      );
  }
  const total = totalOf(Object.values(outcomes));
  if (flags.json === true) process.stdout.write(`${JSON.stringify({ sites: outcomes, total })}\n`);
  else
    process.stdout.write(
      `In all ${Object.keys(outcomes).length} sites: ${total.read} read, ${total.added} added, ${total.changed} changed\n`,
    );
  const isOneMade = placeSites.some(({ isNew, name }) => isNew && !("error" in (outcomes[name] ?? { error: "" })));
  if (isOneMade && flags.dryRun !== true) process.stderr.write(asTyped(`warning: ${assumedOfNew()}\n`));
  if (isOneNew && unread.length > 0)
    process.stderr.write(
      `warning: Of which places these sites are cannot be read: ${unread.slice(0, MAX_UNREAD).join(", ")}${unread.length > MAX_UNREAD ? " …" : ""}. If a new site is of the place of one, that place has two sites now: see goodword sites\n`,
    );
  const failed = Object.entries(outcomes).flatMap(([name, outcome]) => ("error" in outcome ? [name] : []));
  if (failed.length > 0) throw new Error(`Not imported: ${failed.join(", ")}. The other sites are as they should be`);
}

/** The site of each place: one that has its `location`, or a new one with a name that is not taken. */
async function sitesOf(
  sites: string,
  places: readonly FoundPlace[],
): Promise<{ readonly placeSites: readonly PlaceSite[]; readonly unread: readonly string[] }> {
  // Read first: what another import makes from now on is either known below, or cannot be made a second time.
  const taken = new Set(existsSync(sites) ? readdirSync(sites) : []);
  const names = existsSync(sites) ? namesOfSites(sites).names : [];
  const known = new Map<FoundPlace, string>();
  const unread = new Map<string, unknown>();
  for (const name of names) {
    try {
      const location = await locationOf(siteFolder(sites, name));
      const [place, ...others] = location === undefined ? [] : placesCalled(location, places);
      if (place !== undefined && others.length === 0 && !known.has(place)) known.set(place, name);
    } catch (error) {
      unread.set(name, error);
    }
  }
  const placeSites = places.map((place): PlaceSite => {
    const before = known.get(place);
    if (before !== undefined) return { ...siteFolder(sites, before), place, isNew: false };
    const called = place.name ?? "";
    const text = /[a-z\d]/i.test(normalForm(called, "NFKD")) ? called : place.id;
    const own = freeName(text, new Set());
    if (unread.has(own)) return { ...siteFolder(sites, own), place, isNew: false, unread: unread.get(own) };
    const name = freeName(text, taken);
    taken.add(name);
    return { ...siteFolder(sites, name), place, isNew: true };
  });
  return { placeSites, unread: [...unread.keys()] };
}

/** The `location` of a site's business.yaml, or of the business in its store. @throws Error if it cannot be read. */
async function locationOf(site: SiteFolder): Promise<string | undefined> {
  const file = join(site.folder, "business.yaml");
  requireFolder(site);
  const text = readSmallFile(file);
  if (text !== undefined) return parseBusinessFile(file, text).location;
  return (await readStoreAt(configOf(site).DATABASE_URL, readBusiness))?.location;
}

function configOf(site: SiteFolder): Config {
  requireOwnFiles(site);
  const environment = siteEnvironment(site, process.env);
  return readConfig({ ...environment, BASE_URL: environment.BASE_URL ?? "" });
}

function freeName(text: string, taken: ReadonlySet<string>): string {
  const base = idOf(text).slice(0, MAX_NAME_LENGTH);
  for (let count = 1; ; count++) {
    const ending = count === 1 ? "" : `-${count}`;
    const name = `${base.slice(0, MAX_NAME_LENGTH - ending.length)}${ending}`;
    if (isSiteName(name) && !taken.has(name)) return name;
  }
}

/** Imports one place, in one transaction. No fault of it makes this throw. */
async function importPlace(
  site: PlaceSite,
  { json: _json, as, log, profileOf, ...flags }: ImportFlags & Prepared,
): Promise<Outcome> {
  const { place, folder, isNew } = site;
  const { dryRun = false } = flags;
  let isMade = false;
  try {
    if (site.unread !== undefined) {
      const [reason] = issuesOfFault(site.unread);
      throw new Error(
        `The site ${site.name} may be of this place, and cannot be read (${reason?.message}). Mend it, or move it away, and import again`,
      );
    }
    const config = configOf(site);
    const options = { ...flags, location: place.id, logged: { place, log } };
    if (dryRun && !isStoreThere(config.DATABASE_URL))
      return ofPlace(await checkPaths([], { ...options, now: new Date() }));
    const business = join(folder, "business.yaml");
    if (isNew) {
      makeSiteFolder(folder, businessOf(place, profileOf));
      isMade = true;
    }
    // Also where an import was killed before its commit: a store without a business would name the site after none.
    const isImported = existsSync(business) && (await readStoreAt(config.DATABASE_URL, readBusiness)) === undefined;
    const files = as === undefined ? {} : { files: [as] };
    const imported = await importIntoStore(config, isImported ? [business] : [], { ...options, ...files });
    return ofPlace(combinedReport(imported));
  } catch (error) {
    if (isMade && statSync(join(folder, "data"), { throwIfNoEntry: false }) === undefined)
      rmSync(folder, { recursive: true, force: true });
    return { error: "Nothing was imported", issues: issuesOfFault(error) };
  }
}

/**
 * Makes the folder of a site with its business.yaml. It has another name until the file is written: a killed import leaves
 * no folder that says of no place that it is its own.
 */
function makeSiteFolder(folder: string, business: string): void {
  if (existsSync(folder)) throw new Error(`${folder} has been made meanwhile. Import again`);
  const part = partBeside(folder);
  mkdirSync(part);
  try {
    // Node's permission model allows no waiting for the disk.
    writeFileSync(join(part, "business.yaml"), business, { flush: process.permission === undefined });
    renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** The report without the reviews of other places, which are imported into theirs. */
function ofPlace(report: ImportReport): ImportReport {
  return { ...report, read: report.read - report.other_places, other_places: 0 };
}

/** The business.yaml of a place, as `goodword init` writes it. */
function businessOf(place: FoundPlace, profileOf: Prepared["profileOf"]): string {
  const location = place.ids.find(({ kind }) => kind === "location")?.id;
  const profile = location === undefined ? undefined : profileOf(location);
  const name = place.name ?? place.id;
  const text = businessYaml({
    ...{ name, category: "LocalBusiness", time_zone: machineZone(), ...profile, location: place.id },
  });
  parseBusinessFile("business.yaml", text);
  return asTyped(text);
}

/** What no archive says of a place: `goodword init` says the same of one. */
function assumedOfNew(): string {
  return `In the business.yaml of each new site the time zone is this machine's, ${machineZone()}: where a place is elsewhere, correct it, because the dates of reviews are days in it. No language is given, so the pages are in English with American dates: add a line such as language: en-IE. Then import the file, in the site's folder: goodword import business.yaml`;
}

const COUNTS = [
  ...(["read", "added", "changed", "unchanged", "left_out", "other_places"] as const),
  ...(["withheld", "duplicates", "withdrawn", "refused"] as const),
];

function totalOf(outcomes: readonly Outcome[]): Readonly<Record<(typeof COUNTS)[number], number>> {
  const reports = outcomes.flatMap((outcome) => ("error" in outcome ? [] : [outcome]));
  const sum = (name: (typeof COUNTS)[number]) => reports.reduce((all, report) => all + report[name], 0);
  return Object.fromEntries(COUNTS.map((name) => [name, sum(name)])) as ReturnType<typeof totalOf>;
}
