/** A review's title and text as one text: both are the customer's words. */
import { readStars } from "./star-rating.ts";

/**
 * The text with the title above it, or one of them alone. The title often repeats the beginning of the text, and is then
 * left out, and so is one that only gives the stars. Null if both are empty.
 */
export function titledText(title: unknown, text: unknown): unknown {
  if (typeof title !== "string" || title.trim() === "" || "value" in readStars(title)) return text ?? null;
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
