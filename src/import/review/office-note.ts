/** Tells what an office notes of a review in the column of replies (`Email sent`, `Replied 3 Jan`) from words to the customer. */
import { OFFICE_WORD } from "../words/reply-words.ts";
import { foldedWord } from "../words/word-list.ts";
import { isMonthName } from "./month-names.ts";

const MAX_NOTE = 60;

/** Whether all words of a text are those of such a note, or of a day. A text that calls out or asks is to somebody. */
export function isOfficeNote(text: unknown): boolean {
  if (typeof text !== "string" || text.length > MAX_NOTE) return false;
  if (IS_TODO.test(text)) return true;
  if (/[!?]/.test(text)) return false;
  if (IS_MARK.test(text)) return true;
  const words = foldedWord(text.trim().replace(BY_WHOM, "").replace(OF_THANKS, ""))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return words.length > 0 && words.every((word) => OFFICE_WORD.test(word) || OF_DAY.test(word) || isMonthName(word));
}

/** `3`, `3rd`, `10am`, `2025` */
const OF_DAY = /^\d{1,4}(?:st|nd|rd|th|am|pm|t\d\d|z)?$/;
/** `by Sarah`, `(MK)` */
const BY_WHOM =
  /(?<=\S)\s+(?:(?:for|to|with|an|mit|avec|con|met)\s\p{Lu}[\p{L}.]*|\p{Lu}{2,3}|\(\p{Lu}{2,3}\)|(?:by|von|durch|par|por|da|door|av|af)\s\p{Lu}[\p{L}.]*(?:\s\p{Lu}[\p{L}.]*)?)$/u;
/** `Thank you email sent` */
const OF_THANKS = /^thank(?:s| you)\s(?=(?:e-?mail|letter|card|message|note|reply|sms|sent)\b)/i;

/** A mark in the place of words. An emoji is one to the customer. */
const IS_MARK = /^\s*[✓✔✅☑✗✘xX.·•]\uFE0F?\s*$/u;

/** `TODO ask the boss`, `DRAFT - not sent` */
const IS_TODO = /^\s*(?:(?:todo|to-do|fixme|tbd)\b|(?:draft|entwurf|brouillon|borrador|bozza|rascunho|szkic)\s*[-–:])/i;
