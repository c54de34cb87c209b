/** Warnings of records that are imported as they are: what in them seems damaged, cut, translated or told of another. */
import { quote } from "../issue.ts";
import {
  linkedElsewhereWarning,
  linkedFromOwnWarning,
  linkedToGoogleWarning,
  otherSourceWarning,
} from "./import-advice.ts";
import type { ImportCounts } from "./import-counts.ts";
import type { Candidate, RawReview } from "./review/candidate.ts";
import { oneLine } from "./review/customer-text.ts";
import { type Damage, findMojibake } from "./review/mojibake.ts";
import { hostOf, knownSite, siteOfPicture } from "./review/review-source.ts";
import type { FieldFault, ImportDefaults } from "./review/review-validation.ts";
import { namesTranslator } from "./review/translation-labels.ts";
import { isCutShort } from "./words/page-buttons.ts";
import { NAMED_REPLY } from "./words/reply-words.ts";
import { EXAMPLE_ROW } from "./words/row-words.ts";

/** Where a record is. */
interface Position {
  readonly file: string;
  /** The file with the record's line or path in it, for messages. */
  readonly place: string;
}

/** Warns, once per file, of text that was decoded with a wrong encoding before it was exported. */
export function warnOfDamage(review: RawReview, { file, place }: Position, counts: ImportCounts): void {
  const damage = damageOf(review.text) ?? damageOf(review.author) ?? damageOf(review.owner_reply?.text);
  if (damage === undefined) return;
  const { found, meant, isCode = false } = damage;
  counts.warnCounted(`damage\0${file}`, (count) => {
    const more = count === 1 ? "" : ` (and ${count - 1} more records)`;
    const what = isCode
      ? `${quote(oneLine(found))} has a program's code in the place of a character`
      : meant === undefined
        ? `${quote(oneLine(found))} has lost characters`
        : `${quote(oneLine(found))} seems to be ${quote(meant)}, read in a wrong encoding`;
    return `${place}${more}: ${what} before it came into this file. The words are imported as they are; export them again as UTF-8 and import that to correct them`;
  });
}

function damageOf(text: unknown): Damage | undefined {
  return typeof text === "string" ? findMojibake(text) : undefined;
}

/** Warns, once per field of a file, that a review was imported without that field. */
export function warnOfLeftOut({ field, message }: FieldFault, { file, place }: Position, counts: ImportCounts): void {
  counts.warnCounted(`left out\0${file}\0${field}`, (count) => {
    const reviews = count === 1 ? "the review is imported without it" : `${count} reviews are imported without it`;
    return `${place}: ${field} ${message}; ${reviews}`;
  });
}

interface Circumstances {
  readonly position: Position;
  /** The source that the review names itself. */
  readonly named: string | undefined;
  readonly defaults: ImportDefaults;
  /** No review can be from a later day, wherever the business is. */
  readonly latestDay: string;
  readonly counts: ImportCounts;
}

/** Warns, once per file, of what a valid review says and may not mean. */
export function warnOfDoubts(candidate: Candidate, review: RawReview, circumstances: Circumstances): void {
  warnOfText(candidate.text ?? "", circumstances);
  warnOfSource(candidate, review.source_url, circumstances);
  warnOfSiteInName(candidate, circumstances);
  warnOfSiteBehindText(candidate, circumstances);
  warnOfNobody(candidate, circumstances);
  warnOfRowVerified(candidate, circumstances);
  warnOfFuture(candidate, circumstances);
}

function warnOfText(text: string, { position: { file, place }, counts }: Circumstances): void {
  if (namesTranslator(text))
    counts.warnCounted(`translated\0${file}`, (count) => {
      const are = count === 1 ? "a text names" : `${count} texts name`;
      return `${place}: ${are} a machine's translation in a form that is not known here: it is imported as it is, perhaps with the machine's words. Look at it, and leave the translation out of the file`;
    });
  const [label = ""] = NAMED_REPLY.exec(text) ?? [];
  if (label !== "")
    counts.warnCounted(`reply in text\0${file}`, (count) => {
      const have = count === 1 ? "a text has" : `${count} texts have`;
      return `${place}: ${have} a line such as ${quote(oneLine(label))}, below which the business's reply may stand: it is imported as the customer's. If it is the reply, give it a column "owner_reply_text" of its own`;
    });
  if (isCutShort(text))
    counts.warnCounted(`cut\0${file}`, (count) => {
      const are = count === 1 ? "a text ends" : `${count} texts end`;
      return `${place}: ${are} as a page cuts long ones short ("… More"): imported without the rest. Export the reviews whole at the service that has them`;
    });
}

const OF_GOOGLE = /(?:^|\.)(?:google(?:\.\w+)+|goo\.gl|g\.page|g\.co)$/;

/** Warns of reviews that keep their own source beside the one that the command names, or that lose it to that. */
function warnOfSource({ source }: Candidate, url: unknown, { named, defaults, counts }: Circumstances): void {
  const given = defaults.source;
  const host = named === undefined ? hostOf(url) : undefined;
  if (given === undefined) {
    if (host === undefined) return;
    if (OF_GOOGLE.test(host)) counts.warnCounted("linked to Google", linkedToGoogleWarning);
    else if (hostOf(defaults.website)?.replace(/^www\./, "") !== host.replace(/^www\./, ""))
      counts.warnCounted("linked elsewhere", (count) => linkedFromOwnWarning(count, host));
    return;
  }
  if (host !== undefined && !host.includes(given) && !OF_GOOGLE.test(host))
    counts.warnCounted("linked elsewhere", (count) => linkedElsewhereWarning(count, { host, given }));
  if (named === undefined || named === given) return;
  counts.warnCounted(`source\0${named}`, (count) => otherSourceWarning(count, { named, source, given }));
}

function warnOfSiteInName({ author, source }: Candidate, { position: { file, place }, counts }: Circumstances): void {
  const site = siteBehindName(author ?? "");
  if (site === undefined || site === source) return;
  counts.warnCounted(`site in name\0${file}`, (count) => {
    const are = count === 1 ? "an author's name ends" : `${count} authors' names end`;
    return `${place}: ${are} with a site: if these reviews were written there, name it in a column "source" of their rows, and take it out of the names`;
  });
}

/** The site that a list of several sites' reviews names behind a customer's name: `Bo (Yelp)`, `Bo via Yelp`. */
function siteBehindName(author: string): string | undefined {
  const [, inBrackets, behind] =
    /[([]([^()[\]]{2,40})[)\]]$|\S(?: via | - | – | — | on )(\S{2,40})$/i.exec(author.trim()) ?? [];
  return knownSite(inBrackets ?? behind);
}

/** Warns of words that end with a site (`… would use again – via Yelp`), and of pictures that are a site's. */
function warnOfSiteBehindText(candidate: Candidate, { position: { file, place }, counts }: Circumstances): void {
  const { text, author_avatar_url: picture, source } = candidate;
  const [, end] = SITE_AT_END.exec((text ?? "").slice(-MAX_END).trimEnd()) ?? [];
  const site = knownSite(end) ?? siteOfPicture(picture);
  if (site === undefined || site === source) return;
  counts.warnCounted(`site behind text\0${file}`, (count) => {
    const are = count === 1 ? "a text ends" : `${count} texts end`;
    return `${place}: ${are} with ${site}, or its picture is from there: if these reviews were written at ${site}, name it in a column "source" of their rows`;
  });
}

const MAX_END = 60;
const SITE_AT_END =
  /(?:(?:^|\n|[–—-]\s?|[([])\s?(?:(?:via|from|source:|posted on|reviewed on|review on|on)\s)?|\s(?:posted|reviewed|published)\s(?:on|via)\s)([a-z][\w.]{2,20}(?:\sreviews?)?)[)\]]?\.?$/i;

/** Warns of authors called as the business, and of rows that show how to fill in the table. */
function warnOfNobody({ author = "", text }: Candidate, circumstances: Circumstances): void {
  const { position, defaults, counts } = circumstances;
  const { file, place } = position;
  const business = defaults.businessName ?? "";
  if (author !== "" && author.length === business.length && author.toLowerCase() === business.toLowerCase())
    counts.warnCounted(`business as author\0${file}`, (count) => {
      const are = count === 1 ? "an author is" : `${count} authors are`;
      return `${place}: ${are} called as the business is: if that is who keeps the list, name the customers' column with --columns author=…, or take the name out`;
    });
  const example = [author, text ?? ""].map((words) => words.trim()).find((words) => EXAMPLE_ROW.test(words));
  if (example === undefined) return;
  counts.warnCounted(`example\0${file}`, (count) => {
    const seem = count === 1 ? "a row seems" : `${count} rows seem`;
    return `${place}: ${seem} to be an example of how to fill in the table, such as ${quote(oneLine(example).slice(0, MAX_END))}: imported as a customer's. If it is none, take it out of the file`;
  });
}

/** Warns of reviews of another site that are published only because their rows say "verified". */
function warnOfRowVerified({ source, row_verified }: Candidate, { defaults, counts }: Circumstances): void {
  if (row_verified !== 1 || knownSite(source) === undefined || defaults.verifiedSources?.includes(source) === true)
    return;
  counts.warnCounted(`row verified\0${source}`, (count) => {
    const [are, rows] =
      count === 1
        ? ["1 review", "is published because its row says"]
        : [`${count} reviews`, "are published because their rows say"];
    return `${are} from ${source} ${rows} "verified", and not because of verified_sources: if that is the word of a site or shop for a customer who has bought something, take that column out of the file`;
  });
}

function warnOfFuture({ date }: Candidate, { position: { file, place }, latestDay, counts }: Circumstances): void {
  if (date <= latestDay) return;
  counts.warnCounted(`future\0${file}`, (count) => {
    const more = count === 1 ? "" : ` (and ${count - 1} more ${count === 2 ? "record" : "records"})`;
    return `${place}${more}: the date ${date} is in the future. It is imported as it is; if the year is wrong, take the import back with goodword undo, correct the file and import it again`;
  });
}
