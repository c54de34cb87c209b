/** Chooses one customer's answer to a question about an aspect, cut at clause boundaries. */

import type { Analysed } from "../figures/analysed-reviews.ts";
import { plainest } from "../figures/examples.ts";
import { type MentionClarity, tellsAlone } from "../figures/mention-clarity.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { isContrast } from "../text/clauses.ts";
import { BREAK, type Tokens } from "../text/tokens.ts";

/** Minimum clarity of a mention to be quoted. */
const LEAST_CLARITY = 4.5;
const [SHORTEST, LONGEST] = [4, 22];

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
  readonly entry: Analysed;
  /** A verbatim span of the review's text. */
  readonly words: string;
}

/** The best quotation from one side's mentions, or undefined if none is clear enough. */
export function quotation(
  mentions: readonly MentionClarity[],
  aspect: number,
  taxonomy: Taxonomy,
): Quotation | undefined {
  const offered = mentions
    .filter(({ clarity, places, mention, entry }) => {
      const stars = Math.sign(entry.review.rating - 3);
      const said = mention.sentiment === "positive" ? 1 : -1;
      return clarity >= LEAST_CLARITY && places.length > 0 && stars === said;
    })
    .flatMap((shown) => {
      shown.alone.clause ??= clauseWords(shown) ?? false;
      const words = shown.alone.clause;
      if (words === false) return [];
      shown.alone.quotation ??= tellsAlone(words, { aspect, sentiment: shown.mention.sentiment }, taxonomy);
      return shown.alone.quotation ? [{ ...shown, words, clarity: shown.clarity + manner(words) }] : [];
    });
  const [best] = plainest(offered) as (MentionClarity & { words: string })[];
  return best === undefined ? undefined : { entry: best.entry, words: best.words };
}

/** The evidence without leading conjunctions; undefined if it is not understandable by itself. */
function clauseWords({ tokens, places, entry }: MentionClarity): string | undefined {
  const words = tokens();
  const { forms, starts, ends, text } = words;
  let first = 0;
  while (first < forms.length && JOINING.has(forms[first] ?? "")) first++;
  const last = forms.length - 1;
  const count = last - first + 1;
  if (count < SHORTEST || count > LONGEST || places.some(({ from }) => from < first)) return undefined;
  if (LEANING.has(forms[first] ?? "") || OPEN_ENDS.has(forms[last] ?? "")) return undefined;
  if (forms.slice(first + 1).some(isContrast) || breaksOff(words)) return undefined;
  const clause = text.slice(starts[first], ends[last]);
  if (/[<>]/.test(clause)) return undefined;
  if ((clause.match(/["“”]/g) ?? []).length % 2 === 1) return undefined;
  return isWhole(entry.review.text ?? "", clause) ? clause : undefined;
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
