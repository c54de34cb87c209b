/** Finds a quotation in a review's text and returns the text's own spelling. */

/** Longer quotations are not specific enough to be evidence. */
const MAX_SPAN_CHARACTERS = 300;

/**
 * Finds the span in `text` that `claimed` quotes; undefined if there is none. Quotation marks, dashes and white space
 * may differ, letters may not. Words are not cut.
 */
export function spanIn(text: string, claimed: string): string | undefined {
  const words = claimed.trim();
  if (words.length > MAX_SPAN_CHARACTERS || !/[\p{L}\p{N}]/u.test(words)) return undefined;
  const pattern = words
    .split(/\s+/u)
    .map((word) => [...word].map(anyKind).join(""))
    .join("\\s+");
  return new RegExp(`${NO_WORD_BEFORE}${pattern}${NO_WORD_BEHIND}`, "u").exec(text)?.[0];
}

/** Scripts with spaces between words; in other scripts a span may begin anywhere. */
const NO_WORD_BEFORE = "(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}])";
const NO_WORD_BEHIND = "(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}])";

const KINDS = ["'’‘ʼ`´", '"“”„', "-‐‑–—"].map((kinds) => ({
  kinds: new Set(kinds),
  pattern: `[${kinds.replace("-", "\\-")}]`,
}));

function anyKind(character: string): string {
  const kind = KINDS.find(({ kinds }) => kinds.has(character));
  return kind?.pattern ?? character.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");
}
