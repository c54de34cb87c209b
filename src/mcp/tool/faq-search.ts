/** Searches the FAQ for a question in the user's own words. */
import { foldCase } from "../../edition/case-folding.ts";
import type { FaqEntry } from "../../insights-document.ts";

/** Maximum number of words of a question that are used. */
const MAX_WORDS = 50;

const STOP_WORDS = new Set(
  "about and any are can did does for from get has have how its much not the their them they this was were what when where which who why will with you your".split(
    " ",
  ),
);

/**
 * Finds entries for `query`: those that contain it literally or, if there are none, those that share a word with it,
 * most shared words first. Words match by their stems: “prices” finds “price”.
 */
export function searchFaq(faq: readonly FaqEntry[], query: string | undefined): readonly FaqEntry[] {
  const sought = foldCase(query?.trim() ?? "");
  if (sought === "") return faq;
  const entries = faq.map((entry) => ({ entry, text: foldCase(`${entry.question} ${entry.answer}`) }));
  const literal = entries.filter(({ text }) => text.includes(sought));
  if (literal.length > 0) return literal.map(({ entry }) => entry);
  const words = [...new Set(sought.match(/[\p{L}\p{N}]{3,}/gu))]
    .filter((word) => !STOP_WORDS.has(word))
    .slice(0, MAX_WORDS);
  return entries
    .map(({ entry, text }) => ({ entry, shared: words.filter((word) => text.includes(stem(word))).length }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .map(({ entry }) => entry);
}

/** A word without its most common English endings, at least three letters long. */
function stem(word: string): string {
  return word.replace(/(?<=.{3})(ing|ly|ed|es|s)$/u, "");
}
