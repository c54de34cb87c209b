/** Chooses one customer's answer to a question about an aspect, cut at clause boundaries. */

import type { AnalysedReviews } from "../statistics/analysed-reviews.ts";
import { plainest } from "../statistics/examples.ts";
import { isSelfContained, type MentionClarity } from "../statistics/mention-clarity.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { isContrast } from "../text/clauses.ts";
import { BREAK, type Tokens } from "../text/tokens.ts";

/** Minimum clarity of a mention to be quoted. */
const MIN_CLARITY = 4.5;
const [MIN_WORDS, MAX_WORDS] = [4, 22];
const NEUTRAL_STARS = 3;

/** Words that cannot begin a quotation: they depend on the preceding text. */
const LEANING = new Set(
  `who whom whose which that when where while if unless until till because since although though as than to for with without
  of by from into like including especially except it this those these him her them his hers theirs`.split(/\s+/),
);
const JOINING = new Set("and but so or nor plus also then yet".split(" "));
const OPEN_ENDS = new Set(
  `a an the and or but nor so of to in on at by for with from as is was were are be been that this my our your his her their
  its i we he she they who which when where if than because very really too just also not no some any even still both`.split(
    /\s+/,
  ),
);

/** Words with which customers explain why they called before describing the experience. */
const BACKGROUND = /^(had|have|has|needed|need|called|hired|moved|bought|wanted|tried|used|went)\b/i;

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
    return words === undefined ? [] : [{ ...mention, words, clarity: clarity + manner(words) }];
  });
  const best = plainest(offered).find(({ words, sentiment }) =>
    isSelfContained(words, { aspect, sentiment }, taxonomy),
  );
  return best && { position: best.position, words: best.words };
}

/** The evidence without leading conjunctions; undefined if it is not understandable by itself. */
function clauseWords({ evidence, matches }: MentionClarity, review: string): string | undefined {
  const { forms, starts, ends, text } = evidence;
  let first = 0;
  while (first < forms.length && JOINING.has(forms[first] ?? "")) first++;
  const last = forms.length - 1;
  const count = last - first + 1;
  if (count < MIN_WORDS || count > MAX_WORDS || matches.some(({ from }) => from < first)) return undefined;
  if (LEANING.has(forms[first] ?? "") || OPEN_ENDS.has(forms[last] ?? "")) return undefined;
  if (forms.slice(first + 1).some(isContrast) || breaksOff(evidence)) return undefined;
  const clause = text.slice(starts[first], ends[last]);
  if (/[<>]/.test(clause)) return undefined;
  if ((clause.match(/["“”]/g) ?? []).length % 2 === 1) return undefined;
  return isWhole(review, clause) ? clause : undefined;
}

/**
 * Whether the words begin after punctuation or a conjunction and end before one: the evidence may be a fragment of a
 * longer clause.
 */
function isWhole(text: string, words: string): boolean {
  const at = text.indexOf(words);
  const before = text.slice(Math.max(0, at - 12), at);
  const after = text.slice(at + words.length, at + words.length + 12);
  return (
    /(?:^|[\s"“(])$/.test(before) &&
    /(?:^|[.!?…,;:—–-]["”)]?\s*|\b(?:and|but|so|or|plus|then|also|yet)\s+)$/i.test(before) &&
    /^(?:$|["”)]?[.!…,;:—–]|\s*[—–-]\s|\s+(?:and|but|so|or|plus|although|though|however|which|who|because)\b)/i.test(
      after,
    )
  );
}

/** Whether the words contain more than two pauses, as in an enumeration or an aside. */
function breaksOff({ breaks }: Tokens): boolean {
  return breaks.slice(1).filter((kind) => kind !== BREAK.none).length > 2;
}

/** Rates the style: a clause that opens a sentence and has no words in capitals, symbols or background reads best. */
function manner(words: string): number {
  const shouts = /\b\p{Lu}{3,}\b.*\b\p{Lu}{3,}\b/u.test(words) ? 1 : 0;
  return (
    (/^\p{Lu}/u.test(words) ? 0.5 : 0) -
    shouts -
    (BACKGROUND.test(words) ? 1 : 0) -
    (/[^\p{L}\p{M}\p{N}\s.,'’:;$%&/-]/u.test(words) ? 0.5 : 0)
  );
}
