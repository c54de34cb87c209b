/** A review's title and text as one text: both are the customer's words. */

/**
 * The text with the title above it, or one of them alone. The title often repeats the beginning of the text, and is then
 * left out. Null if both are empty.
 */
export function titledText(title: unknown, text: unknown): unknown {
  if (typeof title !== "string" || title.trim() === "") return text ?? null;
  if ((text ?? null) === null || (typeof text === "string" && text.trim() === "")) return title;
  if (typeof text !== "string") return text;
  const start = title.trim().replace(/\s*(?:…|\.{3})$/, "");
  const isRepeated =
    text.trimStart().startsWith(start) &&
    (start !== title.trim() || !/^[\p{L}\p{N}]/u.test(text.trimStart().slice(start.length)));
  return isRepeated ? text : `${title.trim()}\n\n${text}`;
}
