/** Chooses one customer's answer to a question about an aspect, cut at clause boundaries. */

import type { AnalysedReviews } from "../statistics/analysed-reviews.ts";
import { plainest } from "../statistics/examples.ts";
import { isSelfContained, type MentionClarity } from "../statistics/mention-clarity.ts";
import { inLanguage, type Taxonomy } from "../taxonomy/taxonomy.ts";
import { isContrast } from "../text/clauses.ts";
import { type Language, perLanguage, wordSet, wordsIn } from "../text/language-words.ts";
import { BREAK, type Tokens } from "../text/tokens.ts";

/** Minimum clarity of a mention to be quoted. */
const MIN_CLARITY = 4.5;
const [MIN_WORDS, MAX_WORDS] = [4, 22];
const NEUTRAL_STARS = 3;

/** How a language's clauses can be quoted alone. */
const quoting = perLanguage(({ quotations: words }) => ({
  /** Words that cannot begin a quotation: they depend on the preceding text. */
  leaning: wordSet(words.leaning),
  joining: wordSet(words.joining),
  openEnds: wordSet(words.open_ends),
  /** Words with which customers explain why they called before describing the experience. */
  background: new RegExp(words.background, "iu"),
  before: new RegExp(
    `(?:^|[.!?…,;:—–-]["”“)]?\\s*|(?<!\\p{L})(?:${wordsIn(words.joined_before).join("|")})\\s+)$`,
    "iu",
  ),
  after: new RegExp(
    `^(?:$|["”“)]?[.!…,;:—–]|\\s*[—–-]\\s|\\s+(?:${wordsIn(words.joined_after).join("|")})(?!\\p{L}))`,
    "iu",
  ),
}));

export interface Quotation {
  /** The review's position. */
  readonly position: number;
  /** A verbatim span of the review's text. */
  readonly words: string;
}

/** The best quotation from one side's mentions, or undefined if none is clear enough. */
export function quotation(
  analysed: AnalysedReviews,
  mentions: readonly MentionClarity[],
  { aspect, taxonomy }: { readonly aspect: number; readonly taxonomy: Taxonomy },
): Quotation | undefined {
  const offered = mentions.flatMap((mention) => {
    const { clarity, matches, sentiment, position } = mention;
    const stars = Math.sign((analysed.ratings[position] as number) - NEUTRAL_STARS);
    if (clarity < MIN_CLARITY || matches.length === 0 || stars !== (sentiment === "positive" ? 1 : -1)) return [];
    const words = clauseWords(mention, analysed.review(position).text ?? "");
    return words === undefined
      ? []
      : [{ ...mention, words, clarity: clarity + manner(words, mention.evidence.vocabulary.language) }];
  });
  const best = plainest(offered).find(({ words, sentiment, evidence }) =>
    isSelfContained(words, { aspect, sentiment }, inLanguage(taxonomy, evidence.vocabulary.language) ?? taxonomy),
  );
  return best && { position: best.position, words: best.words };
}

/** The evidence without leading conjunctions; undefined if it is not understandable by itself. */
function clauseWords({ evidence, matches }: MentionClarity, review: string): string | undefined {
  const { forms, starts, ends, text, vocabulary } = evidence;
  const { language } = vocabulary;
  const { joining, leaning, openEnds } = quoting(language);
  let first = 0;
  while (first < forms.length && joining.has(forms[first] ?? "")) first++;
  const last = forms.length - 1;
  const count = last - first + 1;
  if (count < MIN_WORDS || count > MAX_WORDS || matches.some(({ from }) => from < first)) return undefined;
  if (leaning.has(forms[first] ?? "") || openEnds.has(forms[last] ?? "")) return undefined;
  if (forms.slice(first + 1).some((form) => isContrast(form, language)) || breaksOff(evidence)) return undefined;
  const clause = text.slice(starts[first], ends[last]);
  if (/[<>]/.test(clause)) return undefined;
  if ((clause.match(/["“”„]/g) ?? []).length % 2 === 1) return undefined;
  return isWhole(review, clause, language) ? clause : undefined;
}

/**
 * Whether the words begin after punctuation or a conjunction and end before one: the evidence may be a fragment of a
 * longer clause.
 */
function isWhole(text: string, words: string, language: Language): boolean {
  const rules = quoting(language);
  const at = text.indexOf(words);
  const before = text.slice(Math.max(0, at - 12), at);
  const after = text.slice(at + words.length, at + words.length + 12);
  return /(?:^|[\s"“„(])$/.test(before) && rules.before.test(before) && rules.after.test(after);
}

/** Whether the words contain more than two pauses, as in an enumeration or an aside. */
function breaksOff({ breaks }: Tokens): boolean {
  return breaks.slice(1).filter((kind) => kind !== BREAK.none).length > 2;
}

/** Rates the style: a clause that opens a sentence and has no words in capitals, symbols or background reads best. */
function manner(words: string, language: Language): number {
  const shouts = /\b\p{Lu}{3,}\b.*\b\p{Lu}{3,}\b/u.test(words) ? 1 : 0;
  return (
    (/^\p{Lu}/u.test(words) ? 0.5 : 0) -
    shouts -
    (quoting(language).background.test(words) ? 1 : 0) -
    (/[^\p{L}\p{M}\p{N}\s.,'’:;$%&/-]/u.test(words) ? 0.5 : 0)
  );
}
