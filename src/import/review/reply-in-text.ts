/** Finds the business's reply in a text that pages and people have copied together with it. */
import { REPLY_LABELS } from "../words/reply-words.ts";

/** A label that begins a line and ends with a colon, an age in brackets or the line. */
const LABEL = new RegExp(
  String.raw`(?:^|\n)[ \t]{0,10}[-–—*>]{0,4}[ \t]{0,4}(?:${REPLY_LABELS})[ \t]{0,4}(?:\([^()\n]{1,40}\)[ \t]{0,4})?(?::|：|\r?\n|$)`,
  "iu",
);

/** An age or a day as pages write it behind a label, in brackets or not: `2 months ago`, `vor 2 Wochen`, `(12/01/2026)`. */
const WHEN = String.raw`\(?(?:(?:on|am|vom|le|el|il|op|em|den|edited)\s+)?(?:${[
  String.raw`(?:\d{1,4}|an?|one|a few)\s\p{L}+\sago`,
  String.raw`(?:vor|seit|hace|il y a|há|för|for|før|před)\s+(?:etwa\s|environ\s)?(?:\d{1,4}|\p{L}{2,6})\s\p{L}{2,10}(?:\s(?:sedan|siden))?`,
  String.raw`(?:\d{1,4}|\p{L}{2,6})\s\p{L}{2,12}\s(?:fa|geleden|temu|atrás|önce|назад|sitten)(?!\p{L})`,
  String.raw`\d{4}-\d\d-\d\d(?:[T ][\d:.]{4,12}Z?)?`,
  String.raw`\d{1,2}[./-]\d{1,2}[./-]\d{2,4}`,
  String.raw`\d{1,2}(?:st|nd|rd|th|\.)?\s\p{L}{3,10}\.?,?\s\d{4}`,
  String.raw`\p{L}{3,10}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}`,
].join("|")})\)?`;

/** A label in the first line of a reply, with when it was written, or in a line with a number: `Response from the owner 2 months ago`. */
const FIRST_LINE = new RegExp(
  String.raw`^\s*(?:${REPLY_LABELS})[ \t]{0,20}(?:[-–·|,][ \t]{0,20})?(?:${WHEN}[ \t]*(?:[:：]|\r?\n)?|\([^()\n]{1,40}\)[ \t]*[:：]|(?=[^\n]*\d)[^\n:：]{1,40}\r?\n|\r?\n|[:：]|$)`,
  "iu",
);

/** A reply without the label that pages show above it; null if it is that label alone. */
export function withoutReplyLabel(reply: unknown): unknown {
  if (typeof reply !== "string" || !FIRST_LINE.test(reply)) return reply;
  return reply.replace(FIRST_LINE, "").trim() || null;
}

/** The warning that names such texts; `{n}` is their number with the first or the second words. */
export const REPLY_IN_TEXT = {
  one: "1 text holds",
  many: "texts hold",
  told: `{n} the business's reply below the customer's words ("Response from the owner"): it is read as the reply`,
} as const;

export function replyInText(count: number): string {
  return REPLY_IN_TEXT.told.replace("{n}", count === 1 ? REPLY_IN_TEXT.one : `${count} ${REPLY_IN_TEXT.many}`);
}

/** A line of dashes above it. */
const RULE = /\n[ \t]{0,10}[-–—*_=]{2,80}$/;

/** The customer's words, and the reply that stands below them in lines of its own. Other values stay as they are. */
export function withoutReply(given: unknown): { readonly text: unknown; readonly reply?: string } {
  const label = typeof given === "string" ? LABEL.exec(given) : null;
  if (label === null || typeof given !== "string") return { text: given };
  const own = given.slice(0, label.index).trimEnd().replace(RULE, "").trim();
  const reply = given.slice(label.index + label[0].length).trim();
  if (reply === "") return { text: given };
  return { text: own === "" ? null : own, reply };
}
