/** Finds the business's reply in a text that pages and people have copied together with it. */
import { REPLY_LABELS } from "../words/reply-words.ts";

/** A label that begins a line and ends with a colon, an age in brackets or the line. */
const LABEL = new RegExp(
  String.raw`(?:^|\n)[ \t]{0,10}[-–—*>]{0,4}[ \t]{0,4}(?:${REPLY_LABELS})[ \t]{0,4}(?:\([^()\n]{1,40}\)[ \t]{0,4})?(?::|：|\r?\n|$)`,
  "iu",
);

/** A label in the first line of a reply, with its age: `Response from the owner 2 months ago`. */
const FIRST_LINE = new RegExp(
  String.raw`^\s*(?:${REPLY_LABELS})[ \t]*(?:(?=[^\n]*(?:\d|ago))[^\n:：]{1,40})?(?:\r?\n|[:：]|$)`,
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
