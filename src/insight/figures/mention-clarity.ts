/**
 * Scores how clearly a review's words show each counted mention. A mention may be based on the stars or on a single
 * hint; examples, phrases and quotations need words whose meaning is clear without other context.
 */
import type { AspectMention, Sentiment } from "../../insights-document.ts";
import type { Finding } from "../engine/clause-features.ts";
import { aspectMentions } from "../mentions/aspect-mentions.ts";
import { findings } from "../reading/findings.ts";
import { type Frame, frameOf, isNegated } from "../sentiment/polarity.ts";
import { isWished } from "../sentiment/tone.ts";
import { valenceOf } from "../sentiment/valence.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { isSmall } from "../text/phrase-cut.ts";
import { type Tokens, tokenise } from "../text/tokens.ts";
import { stem } from "../text/word-stem.ts";
import { type Analysed, type AnalysedReviews, worthAsExample } from "./analysed-reviews.ts";
import { type AspectPlace, newestPlaces } from "./aspect-places.ts";

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
  /** How the review rates as an example. */
  readonly worth: number;
  /** About -3 (the evidence barely shows the mention) to 6 (beyond doubt). */
  readonly clarity: number;
  /** The words of the evidence, read when they are first asked for: of most mentions they are not. */
  readonly tokens: () => Tokens;
  /** Pattern matches in the evidence that express the mention's sentiment by themselves. */
  readonly places: readonly Place[];
  /** The stems of each place's words, by which wording recurs. */
  readonly wording: readonly string[];
  readonly alone: KnownAlone;
  /** The same with the mention's clarity by itself, as it is kept for the next edition. */
  readonly known: KnownMention;
}

/** The words `from` to `to` (exclusive). */
type Place = Pick<Finding, "from" | "to">;

/** A phrase, the stems of its words, and how well it reads. */
export type PhraseCut = readonly [phrase: string, stems: readonly string[], fitness: number];

/** What is known of words of the evidence when they stand alone; null is unknown. Whoever asks first notes the answer. */
interface KnownAlone {
  /** Of each place the phrase around it, and false if there is none that tells anything. */
  readonly cuts: (PhraseCut | false | null)[];
  /** Of each place whether its phrase can be shown. */
  readonly phrases: (boolean | null)[];
  /** The evidence as a clause that can be understood by itself, and false if it cannot. */
  clause: string | false | null;
  /** Whether the evidence can be quoted. */
  quotation: boolean | null;
}

/** What is known of mentions, by the ids of their aspects and the positions of their reviews. */
export type KnownMentions = ReadonlyMap<string, ReadonlyMap<number, KnownMention>>;

/** What an earlier edition has found out, and where it has a review with the same text, stars and aspects. */
export interface MentionsBefore {
  readonly known: KnownMentions;
  readonly positionOf: (position: number) => number | undefined;
}

/** The newest mentions per sentiment, by aspect id, newest first. */
export function mentionClarity(
  analysed: AnalysedReviews,
  taxonomy: Taxonomy,
  before?: MentionsBefore,
): Map<string, MentionClarity[]> {
  return new Map(taxonomy.aspects.map(({ id }, index) => [id, mentionsOf(analysed, index, { taxonomy, before })]));
}

/** What is known of the mentions now, for the next edition. It holds on to no review. */
export function knownMentions(clear: ReadonlyMap<string, readonly MentionClarity[]>): KnownMentions {
  return new Map(
    [...clear].map(([id, shown]) => [id, new Map(shown.map(({ entry, known }) => [entry.position, known]))]),
  );
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

interface Scale {
  readonly aspect: number;
  readonly own: ReadonlySet<string>;
  readonly taxonomy: Taxonomy;
}

function mentionsOf(
  analysed: AnalysedReviews,
  aspect: number,
  { taxonomy, before }: { readonly taxonomy: Taxonomy; readonly before: MentionsBefore | undefined },
): MentionClarity[] {
  const words = taxonomy.aspects[aspect];
  if (words === undefined) return [];
  const { id } = words;
  const knownBefore = before?.known.get(id);
  let scale: Scale | undefined; // made for what is new
  const shown = newestPlaces(analysed, id, WEIGHED).map((place) => {
    const entry = analysed.at(place.position);
    const mention = new Mention(entry, id, place);
    const at = knownBefore && before?.positionOf(place.position);
    let known = at === undefined ? undefined : knownBefore?.get(at);
    if (known === undefined) {
      scale ??= { aspect, own: ownStems(words), taxonomy };
      known = weigh(entry, mention, scale);
    }
    return { entry, mention, known, worth: worthAsExample(analysed, place.position) };
  });
  return recurring(shown);
}

/** The first mention of an aspect in a review. Its evidence is read when it is asked for. */
class Mention implements AspectMention {
  readonly id: string;
  readonly sentiment: Sentiment;
  readonly #entry: Analysed;

  constructor(entry: Analysed, id: string, { sentiment }: AspectPlace) {
    this.id = id;
    this.sentiment = sentiment;
    this.#entry = entry;
  }

  get evidence(): string {
    return this.#entry.analysis.aspects.find(({ id }) => id === this.id)?.evidence ?? "";
  }
}

/** A mention's clarity by itself, its places with their wording, and what is known of them alone. */
type KnownMention = readonly [clarity: number, places: readonly Place[], wording: readonly string[], alone: KnownAlone];

/** What is known of the mentions that an edition shows, by aspect, newest first: `recallJudgements`. */
export type Judgements = Readonly<Record<string, readonly KnownMention[]>>;

export function judgementsOf(clear: ReadonlyMap<string, readonly MentionClarity[]>): Judgements {
  return Object.fromEntries([...clear].map(([id, shown]) => [id, shown.map(({ known }) => known)]));
}

/** What was known of the mentions of the same reviews, read by the same taxonomy. */
export function recallJudgements(analysed: AnalysedReviews, taxonomy: Taxonomy, recalled: Judgements): KnownMentions {
  return new Map(
    taxonomy.aspects.map(({ id }) => {
      const places = newestPlaces(analysed, id, WEIGHED);
      const known = places.flatMap(({ position }, at): [number, KnownMention][] => {
        const judgement = recalled[id]?.[at];
        return judgement === undefined ? [] : [[position, judgement]];
      });
      return [id, new Map(known)];
    }),
  );
}

function weigh(entry: Analysed, mention: AspectMention, { aspect, own, taxonomy }: Scale): KnownMention {
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
  return [
    clarity,
    places.map(({ from, to }) => ({ from, to })),
    places.map(({ from, to }) => tokens.forms.slice(from, to).map(stem).join(" ")),
    { cuts: unknown(), phrases: unknown(), clause: null, quotation: null },
  ];
}

/** The words of a mention's evidence, read at the first call. */
function tokensOf(mention: AspectMention): () => Tokens {
  let tokens: Tokens | undefined;
  return () => (tokens ??= tokenise(mention.evidence));
}

/** Raises the clarity of mentions whose wording recurs: frequent wording is typical of the aspect. */
function recurring(
  mentions: readonly Pick<MentionClarity, "entry" | "mention" | "known" | "worth">[],
): MentionClarity[] {
  const counts = new Map<string, number>();
  const keys = mentions.map(({ mention, known: [, , wording] }) =>
    wording.map((stems) => `${mention.sentiment} ${stems}`),
  );
  for (const key of keys.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return mentions.map(({ entry, mention, known, worth }, index) => {
    const [clarity, places, wording, alone] = known;
    const most = Math.max(1, ...(keys[index] ?? []).map((key) => counts.get(key) ?? 1));
    const raised = clarity + Math.min(1, Math.log2(most) * 0.35);
    return { entry, mention, known, worth, clarity: raised, tokens: tokensOf(mention), places, wording, alone };
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
