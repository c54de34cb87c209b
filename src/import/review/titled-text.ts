/** A review's title and text as one text: both are the customer's words. */
import { readStars } from "./star-rating.ts";

/**
 * The text with the title above it, or one of them alone. The title often repeats the beginning of the text, and is then
 * left out, and so is one that only gives the stars or the customer's rank at a site. Null if both are empty.
 */
export function titledText(title: unknown, text: unknown): unknown {
  if (typeof title !== "string" || title.trim() === "" || "value" in readStars(title) || isRank(title))
    return text ?? null;
  if ((text ?? null) === null || (typeof text === "string" && text.trim() === "")) return title;
  if (typeof text !== "string") return text;
  const start = title
    .trim()
    .replace(/(?:…|\.{3})$/, "")
    .trimEnd();
  const isRepeated =
    text.trimStart().startsWith(start) &&
    (start !== title.trim() || !/^[\p{L}\p{N}]/u.test(text.trimStart().slice(start.length)));
  return isRepeated ? text : `${title.trim()}\n\n${text}`;
}

/** Whether a title is the author's name, alone or as a page writes it: `Review by Ann`, `Ann's review of Corner` */
export function isName(title: unknown, author: unknown): boolean {
  if (typeof title !== "string" || typeof author !== "string" || author.trim() === "") return false;
  const name = author.trim().toLowerCase();
  const own = title.trim().toLowerCase();
  return own === name || own === `review by ${name}` || own.startsWith(`${name}'s review of `);
}

/** Whether a title says what a site calls its customers: it is none of their words. */
export function isRank(title: string): boolean {
  return RANK.test(title.trim());
}

const RANK =
  /^(?:local guide(?:\s*[·•,-]\s*.{0,60})?|level \d{1,2}(?: (?:local guide|contributor))?|verified (?:buyer|purchase|purchaser|customer|reviewer|owner|guest|review|order|user)|elite(?: (?:’|'|20)?\d\d)?|top (?:contributor|reviewer|rezensent|critic)|verifizierter (?:kauf|käufer|kunde)|achat vérifié|compra verificada|acquisto verificato|geverifieerde aankoop)$/i;
