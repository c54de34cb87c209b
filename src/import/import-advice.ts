/** Warnings in the report of an import that tell the owner what to do next. */
import { type OwnWords, ownWords } from "../lib/own-words.ts";
import { PAGE_LANGUAGES } from "../page-languages.ts";
import type { StoredCopy } from "../store/review-rows.ts";
import type { VanishedCounts } from "./apply/coverage.ts";

/** Warns that rows without ids were equal. */
export const REPEATED =
  "Rows without an id that say the same as another row were counted once; give each row an id if they are different reviews.";

/** Warns that neither the store nor the import has a business file. */
export const NO_BUSINESS =
  'The business has no name yet: it is published as "Unnamed business", and days are counted in UTC. Write a file business.yaml with the lines "name: …" and "time_zone: …" (goodword init does it for you), and import it.';

/** Warns that pages do not show a logo, unless it is at the site's own origin. */
export function logoWarning(logo: string): string {
  return `The logo ${logo} is not shown in the header of the pages, because they load nothing from another site than BASE_URL: use an address there, or leave it for feeds and search engines.`;
}

/** Says in which languages the program's own words are, if they are not in this one. */
export function languageWarning(language: string): string {
  const names = new Intl.DisplayNames("en", { type: "language" });
  const [own, all] = [
    names.of(language.split("-")[0] ?? language),
    new Intl.ListFormat("en").format(PAGE_LANGUAGES.map((tag) => names.of(tag) ?? tag)),
  ];
  return `The pages' own words are in English, because there are none in ${own} (language: ${language}). There are words in ${all}; dates, numbers and reviews are as they should be.`;
}

/** Says how a category is marked up that search engines do not take for a local business. */
export function categoryWarning(category: string): string {
  return `The category ${category} is no subtype of LocalBusiness in schema.org, so pages describe the business as both. A subtype, such as HVACBusiness or Restaurant, tells search engines more.`;
}

export function rezonedWarning(count: number, zone: string): string {
  const which = count === 1 ? "1 review kept before has another date" : `${count} reviews kept before have other dates`;
  return `${which} now, because the time zone is ${zone}.`;
}

/** Warns that published reviews have new ids, which are in the addresses of their pages. */
export function readdressedWarning(count: number): string {
  const which =
    count === 1 ? "The address of 1 published review changes" : `The addresses of ${count} published reviews change`;
  return `${which}, because ${count === 1 ? "its" : "their"} id or date is another one now: links to the old ${count === 1 ? "one lead" : "ones lead"} nowhere. If you did not mean that, goodword undo takes the import back.`;
}

/** Warns that reviews are not imported because the owner removed them. */
export function leftOutWarning(count: number): string {
  const stay = count === 1 ? "1 review stays" : `${count} reviews stay`;
  return `${stay} out, because you removed ${count === 1 ? "it" : "them"} before: goodword removed lists what was removed, goodword readmit ID takes it back.`;
}

/** Says that reviews name another source than the command, and which of the two counts. */
export function otherSourceWarning(
  count: number,
  { named, source, given }: { readonly named: string; readonly source: string; readonly given: string },
): string {
  const [names, keeps] = count === 1 ? ["1 review names", "keeps"] : [`${count} reviews name`, "keep"];
  if (source === given)
    return `${names} ${named} as its source, and ${count === 1 ? "counts" : "count"} as ${given} now.`;
  return `${names} ${named} as its source and ${keeps} it: --source ${given} is for reviews whose file names none. Only if the file is wrong: --override-source ${given}.`;
}

/** Says that reviews link to a site of which is not known whether it is the one that the command names. */
export function linkedElsewhereWarning(
  count: number,
  { host, given }: { readonly host: string; readonly given: string },
): string {
  const they = count === 1 ? "1 review links" : `${count} reviews link`;
  return `${they} to a site that is not known here (${host}), and ${count === 1 ? "counts" : "count"} as ${given}. If they were written there, take the import back with goodword undo and name that site with --source.`;
}

/** Says that reviews link to a site that is not known, and count as given to the business itself, because nothing names a source. */
export function linkedFromOwnWarning(count: number, host: string): string {
  const they = count === 1 ? "1 review links" : `${count} reviews link`;
  return `${they} to ${host} and ${count === 1 ? "names" : "name"} no source, so ${count === 1 ? "it counts" : "they count"} as given to you directly (first_party). If they were written there, and that is not your own site, name it with --source.`;
}

/** Says that reviews link to Google, and count as given to the business itself, because nothing names a source. */
export function linkedToGoogleWarning(count: number): string {
  const they = count === 1 ? "1 review links" : `${count} reviews link`;
  return `${they} to Google and ${count === 1 ? "names" : "name"} no source, so ${count === 1 ? "it counts" : "they count"} as given to you directly (first_party). If they were written at Google, import the file with --source google.`;
}

/** Says that reviews are passed over because their file is of several places, and does not tell theirs. */
export function untoldWarning(file: string, count: number): string {
  const [are, theirs] = count === 1 ? ["1 review is", "its"] : [`${count} reviews are`, "their"];
  return `${file}: ${are} passed over with those of other places, because the file does not tell ${theirs} place.`;
}

const MAX_STATES_NAMED = 10;

/** Says which reviews the owner's own system hides, so that they are not published. `states` counts them by its words. */
export function hiddenWarning(states: Readonly<Record<string, number>>): string {
  const named = Object.entries(states)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_STATES_NAMED)
    .map(([state, count]) => `${state === "" ? "hidden before" : state} (${count})`);
  const total = Object.values(states).reduce((sum, count) => sum + count, 0);
  const are = total === 1 ? "1 review is" : `${total} reviews are`;
  return `${are} kept but not published, because the system that the file is from does not show ${total === 1 ? "it" : "them"}: ${named.join(", ")}. Import the file again once it does.`;
}

/** The reviews of one source that are stored but not published. */
export interface Withheld {
  readonly source: string;
  readonly count: number;
  /** Whether the source was assumed, because neither the files nor the command name it. */
  readonly isAssumed: boolean;
  /** How many of them are published under other sources, and under which. */
  readonly copies: number;
  readonly originals: readonly string[];
}

/** Explains why reviews are withheld, and how to publish them without duplicates. */
export function withheldWarning({ source, count, isAssumed, copies, originals }: Withheld): string {
  const are = count === 1 ? "1 review from" : `${count} reviews from`;
  const start = `${are} ${source} ${count === 1 ? "is" : "are"} kept but not published`;
  const from = originals.join(" and ");
  if (copies === count) {
    const published = `${start}: ${from} already has the same ${count === 1 ? "one" : "ones"}, so nothing is missing.`;
    return isAssumed && originals.length === 1
      ? `${published} Import this file with --source ${from} next time.`
      : published;
  }
  const some = copies === 0 ? "" : ` (${copies} of them are the same as reviews published from ${from})`;
  const verify = `name ${source} under verified_sources in business.yaml, or set verified on the rows`;
  if (!isAssumed) return `${start}${some}: ${verify}.`;
  const site = originals.length === 1 ? from : "google";
  return `${start}${some}, because the file does not say where they were written. If that was ${site}, import it again with --source ${site}. Only if customers gave them to you directly: ${verify}.`;
}

/** Warns that reviews which two sources have are published once. */
export function copyWarnings(copies: readonly StoredCopy[]): string[] {
  const pairs = Map.groupBy(copies, ({ source, original }) => `${source}\0${original.source}`);
  return [...pairs.values()].map((group) => {
    const { source, original } = group[0] as StoredCopy;
    const count = group.length;
    const are = count === 1 ? "1 review from" : `${count} reviews from`;
    return `${are} ${source} ${count === 1 ? "is" : "are"} also there from ${original.source} (same author, day and words): published once, under ${original.source}, which came first.`;
  });
}

interface ToldReview {
  readonly id: string;
  readonly author: string;
  readonly date: string;
}

/** Warns that an edited text has probably become a second review, because the table has no ids. */
export function possibleEditWarning(
  pairs: readonly { readonly now: ToldReview; readonly before: ToldReview }[],
): string {
  const named = pairs.slice(0, MAX_EDITS_NAMED).map(({ now, before }) => `${before.id} (${now.author}, ${now.date})`);
  const more = pairs.length > MAX_EDITS_NAMED ? ` and ${pairs.length - MAX_EDITS_NAMED} more` : "";
  const are = pairs.length === 1 ? "1 review has" : `${pairs.length} reviews have`;
  return `${are} another one beside it, by the same author on the same day, that the files given do not have. If its words were edited, the older one is out of date: goodword remove takes it out. It is ${named.join(", ")}${more}. A column id in the table prevents this.`;
}

const MAX_EDITS_NAMED = 5;

/** Warns that the owner must confirm a large withdrawal. */
export function withdrawalWarning(withdrawn: number, published: number): OwnWords {
  return ownWords`This would withdraw ${withdrawn} of the ${published} published reviews, because the files given with --complete do not have them. If these files really are everything, confirm with --yes; if not, import them without --complete.`;
}

/** Says how many reviews have vanished or are back, and what to do about them. */
export function vanishedWarnings({ vanished, returned, missingInARow }: VanishedCounts, isDeclared: boolean): string[] {
  const are = (count: number) => (count === 1 ? "1 review" : `${count} reviews`);
  const [is, stay] = vanished === 1 ? ["it is", "it stays"] : ["they are", "they stay"];
  const fate = isDeclared ? `and as you said --complete, ${is} no longer published` : `${stay} published`;
  return [
    ...(vanished === 0
      ? []
      : [
          `${are(vanished)} of earlier imports ${vanished === 1 ? "is" : "are"} gone from the source: ${fate}. goodword vanished lists them, with the text of an appeal.`,
        ]),
    ...(returned === 0 ? [] : [`${are(returned)} that had vanished ${returned === 1 ? "is" : "are"} back.`]),
    ...(missingInARow === 0
      ? []
      : [
          `${are(missingInARow)} that the source lists one after the other ${missingInARow === 1 ? "is" : "are"} missing, as if a file reviews….json of the Takeout had been lost: so none counts as vanished. Download the Takeout again and import that; if something is missing there too, import it with --yes.`,
        ]),
  ];
}
