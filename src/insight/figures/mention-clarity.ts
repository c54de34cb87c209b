/**
 * Scores how clearly a review's words show each counted mention. A mention may be based on the stars or on a single
 * hint; examples, phrases and quotations need words whose meaning is clear without other context.
 */
import type { AspectMention, Sentiment } from "../../insights-document.ts";
import { aspectMentions } from "../mentions/aspect-mentions.ts";
import { type Finding, findings } from "../reading/findings.ts";
import { type Frame, frameOf, isNegated } from "../sentiment/polarity.ts";
import { isWished } from "../sentiment/tone.ts";
import { valenceOf } from "../sentiment/valence.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { isSmall } from "../text/phrase-cut.ts";
import { type Tokens, tokenise } from "../text/tokens.ts";
import { stem } from "../text/word-stem.ts";
import type { Analysed } from "./analysed.ts";
import { aspectGroup } from "./aspect-groups.ts";

/** Maximum number of mentions scored per aspect and sentiment, newest first, so that recent ones are shown. */
const WEIGHED = 120;
/** Star ratings that contradict each sentiment: words that keep the sentiment under them express it by themselves. */
const OTHER_STARS = { positive: 3, neutral: 5, negative: 4 } as const;
/** A star rating that is neither good nor bad. */
const NO_STARS = 3;
const SIGNS = { positive: 1, neutral: 0, negative: -1, open: Number.NaN } as const;
const [SHORTEST, LONGEST] = [3, 22];

/** A mention with its evidence's clarity. */
export interface MentionClarity {
  readonly entry: Analysed;
  readonly mention: AspectMention;
  /** About -3 (the evidence barely shows the mention) to 6 (beyond doubt). */
  readonly clarity: number;
  /** The words of the evidence, read when they are first asked for: of most mentions they are not. */
  readonly tokens: () => Tokens;
  /** Pattern matches in the evidence that express the mention's sentiment by themselves. */
  readonly places: readonly Place[];
  /** The stems of each place's words, by which wording recurs. */
  readonly wording: readonly string[];
  readonly alone: KnownAlone;
}

/** The words `from` to `to` (exclusive). */
type Place = Pick<Finding, "from" | "to">;

/** What is known of words of the evidence when they stand alone; null is unknown. Whoever asks first notes the answer. */
interface KnownAlone {
  /** Of each place the phrase around it, and false if there is none. */
  readonly cuts: (string | false | null)[];
  /** Of each place whether its phrase can be shown. */
  readonly phrases: (boolean | null)[];
  /** The evidence as a clause that can be understood by itself, and false if it cannot. */
  clause: string | false | null;
  /** Whether the evidence can be quoted. */
  quotation: boolean | null;
}

/** The newest mentions per sentiment, by aspect id, in the order of `analysed` (newest first). */
export function mentionClarity(analysed: readonly Analysed[], taxonomy: Taxonomy): Map<string, MentionClarity[]> {
  return new Map(taxonomy.aspects.map(({ id }, index) => [id, mentionsOf(analysed, index, taxonomy)]));
}

/**
 * Pattern matches in a text that express `sentiment` about the aspect, the number of matches that contradict it, and
 * all matches (`found`).
 */
export function saying(
  frame: Frame,
  said: { readonly aspect: number; readonly sentiment: Sentiment },
  taxonomy: Taxonomy,
): { places: Finding[]; against: number; found: readonly Finding[] } {
  const found = findings(frame, taxonomy).aspects;
  const fixed = found.filter(({ aspect, stance }) => aspect === said.aspect && stance !== "open");
  const places = fixed.filter((finding) => signOf(frame, finding) === SIGNS[said.sentiment]);
  return { places, against: fixed.length - places.length, found };
}

/** Minimum probability for words that are shown without their review. */
const SURE = 0.7;

/**
 * Whether these words alone, without their review and its stars, express this sentiment about the aspect more clearly
 * than about any other.
 */
export function tellsAlone(
  words: string,
  said: { readonly aspect: number; readonly sentiment: Sentiment },
  taxonomy: Taxonomy,
): boolean {
  const frame = frameOf(tokenise(words));
  const found = findings(frame, taxonomy).aspects;
  const mentions = aspectMentions({ frame, found, rating: NO_STARS }, taxonomy);
  const most = Math.max(...mentions.map(({ chance }) => chance));
  const id = taxonomy.aspects[said.aspect]?.id;
  return mentions.some(
    (mention) => mention.id === id && mention.sentiment === said.sentiment && mention.chance >= Math.max(SURE, most),
  );
}

/** Stems of the words in an aspect's label, question, `praised_for` and `blamed_for`. */
export function ownStems({ label, question, praised_for, blamed_for }: Taxonomy["aspects"][number]): Set<string> {
  const { forms } = tokenise(`${label}. ${question} ${praised_for}. ${blamed_for}`);
  return new Set(forms.filter((form) => form.length > 3 && !COMMON.has(form)).map(stem));
}

const COMMON = new Set(
  "they them their that when what with from does have well lack make leaving leave last".split(" "),
);

function mentionsOf(analysed: readonly Analysed[], aspect: number, taxonomy: Taxonomy): MentionClarity[] {
  const words = taxonomy.aspects[aspect];
  if (words === undefined) return [];
  const own = ownStems(words);
  const scale = { aspect, own, taxonomy };
  return recurring(newest(analysed, words.id).map(({ entry, mention }) => weighed(entry, mention, scale)));
}

/** The newest mentions of an aspect, so many of each sentiment. */
function newest(analysed: readonly Analysed[], id: string): Pick<MentionClarity, "entry" | "mention">[] {
  const counts = { positive: 0, neutral: 0, negative: 0 };
  const { entries, mentions } = aspectGroup(analysed, id);
  return mentions.flatMap((mention, at) => {
    const entry = entries[at];
    return entry === undefined || counts[mention.sentiment]++ >= WEIGHED ? [] : [{ entry, mention }];
  });
}

interface Scale {
  readonly aspect: number;
  readonly own: ReadonlySet<string>;
  readonly taxonomy: Taxonomy;
}

/**
 * What earlier editions have found out. A mention belongs to one text and rating, so it can serve as the key. Its review
 * is not kept with it: that would keep the edition from which the review is read.
 */
const weighedBefore = new WeakMap<
  AspectMention,
  { readonly taxonomy: Taxonomy; readonly clarity: Omit<MentionClarity, "entry"> }
>();

function weighed(entry: Analysed, mention: AspectMention, scale: Scale): MentionClarity {
  const known = weighedBefore.get(mention);
  if (known?.taxonomy === scale.taxonomy) return { ...known.clarity, entry };
  const clarity = weigh(entry, mention, scale);
  weighedBefore.set(mention, { taxonomy: scale.taxonomy, clarity });
  return { ...clarity, entry };
}

/** A mention's clarity by itself, its places with their wording, and what is known of them alone. */
type Judgement = readonly [clarity: number, places: readonly Place[], wording: readonly string[], alone: KnownAlone];

/** What is known of the mentions that an edition shows, as text, for a later process: `recallJudgements`. */
export function judgementsOf(clear: ReadonlyMap<string, readonly MentionClarity[]>): string {
  const judgements = [...clear].map(([id, shown]) => {
    const known = shown.flatMap(({ mention }) => weighedBefore.get(mention)?.clarity ?? []);
    return [id, known.map(({ clarity, places, wording, alone }): Judgement => [clarity, places, wording, alone])];
  });
  return JSON.stringify(Object.fromEntries(judgements));
}

/** Has the next edition take what was known of the mentions of the same reviews, read by the same taxonomy. */
export function recallJudgements(analysed: readonly Analysed[], taxonomy: Taxonomy, judgements: string): void {
  const known = JSON.parse(judgements) as Readonly<Record<string, readonly Judgement[]>>;
  for (const { id } of taxonomy.aspects) {
    for (const [at, { mention }] of newest(analysed, id).entries()) {
      const judgement = known[id]?.[at];
      if (judgement === undefined) continue;
      const [clarity, places, wording, alone] = judgement;
      const shown = { mention, clarity, tokens: tokensOf(mention.evidence), places, wording, alone };
      weighedBefore.set(mention, { taxonomy, clarity: shown });
    }
  }
}

function weigh(
  entry: Analysed,
  mention: AspectMention,
  { aspect, own, taxonomy }: Scale,
): Omit<MentionClarity, "entry"> {
  const { evidence, sentiment } = mention;
  const tokens = tokenise(evidence);
  const frame = frameOf(tokens);
  const { places, against, found } = saying(frame, { aspect, sentiment }, taxonomy);
  const alone = aspectMentions({ frame, found, rating: OTHER_STARS[sentiment] }, taxonomy).find(
    ({ id }) => id === mention.id,
  );
  const longest = Math.max(0, ...places.map(({ from, to }) => to - from));
  const size = tokens.forms.length;
  const clarity =
    (places.length > 0 ? 1.5 + Math.min(2, places.length - 1) * 0.5 + (longest >= 3 ? 0.5 : 0) : 0) -
    against * 1.5 -
    (places.length > 0 && places.every((place) => isThin(tokens, place, own)) ? 1 : 0) -
    (longest === 1 ? 0.5 : 0) +
    toneAgrees(tokens, sentiment) +
    (alone?.sentiment === sentiment ? 1 : -1) +
    starsAgree(entry.review.rating, sentiment) +
    (size >= SHORTEST && size <= LONGEST ? 0.5 : -0.5) +
    (tokens.forms.some((form) => own.has(stem(form))) ? 0.75 : 0) -
    (new Set(found.map((finding) => finding.aspect)).size - 1) * 0.3 -
    (isAsked(entry.review.text ?? "", evidence) ? 1.5 : 0);
  const unknown = () => places.map(() => null);
  return {
    mention,
    clarity,
    tokens: tokensOf(evidence), // those at hand would be kept with all that they were read with
    places: places.map(({ from, to }) => ({ from, to })),
    wording: places.map(({ from, to }) => tokens.forms.slice(from, to).map(stem).join(" ")),
    alone: { cuts: unknown(), phrases: unknown(), clause: null, quotation: null },
  };
}

/** The words of a text, read at the first call. */
function tokensOf(text: string): () => Tokens {
  let tokens: Tokens | undefined;
  return () => (tokens ??= tokenise(text));
}

/** Raises the clarity of mentions whose wording recurs: frequent wording is typical of the aspect. */
function recurring(mentions: readonly MentionClarity[]): MentionClarity[] {
  const counts = new Map<string, number>();
  const keys = mentions.map(({ mention, wording }) => wording.map((stems) => `${mention.sentiment} ${stems}`));
  for (const key of keys.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return mentions.map((shown, index) => {
    const most = Math.max(1, ...(keys[index] ?? []).map((key) => counts.get(key) ?? 1));
    return { ...shown, clarity: shown.clarity + Math.min(1, Math.log2(most) * 0.35) };
  });
}

function signOf(frame: Frame, { stance, ownNegation, from, ofRival }: Finding): number {
  if (ofRival || (stance === "positive" && isWished(frame, from))) return Number.NaN;
  const sign = SIGNS[stance];
  return !ownNegation && sign !== 0 && isNegated(frame, from) ? -sign : sign;
}

function starsAgree(rating: number, sentiment: Sentiment): number {
  if (sentiment === "neutral") return rating === 3 ? 1 : 0;
  const stars = Math.sign(rating - 3);
  return sentiment === "positive" ? stars : -stars;
}

/** Whether a match has fewer than two content words and none of the aspect's own words: "over a weekend". */
function isThin({ forms }: Tokens, { from, to }: Place, own: ReadonlySet<string>): boolean {
  const place = forms.slice(from, to);
  return place.filter((form) => !isSmall(form)).length < 2 && !place.some((form) => own.has(stem(form)));
}

function toneAgrees({ forms }: Tokens, sentiment: Sentiment): number {
  const tone = forms.reduce((sum, form) => sum + valenceOf(form), 0) * (SIGNS[sentiment] / 4);
  return Math.max(-0.5, Math.min(0.5, tone));
}

/** Whether the words are part of a question. */
function isAsked(text: string, evidence: string): boolean {
  const after = text.indexOf(evidence) + evidence.length;
  return /^[^.!?\n]{0,80}\?/.test(text.slice(after, after + 81));
}
