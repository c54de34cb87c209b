/** Questions that people ask before they choose, answered from the reviews on the subject, which are cited. */
import type { Aspect, Entity, FaqEntry } from "../../insights-document.ts";
import {
  type AnalysedReviews,
  countSilent,
  hasWordsAt,
  type Mentioned,
  positionsOf,
} from "../statistics/analysed-reviews.ts";
import type { Statistics } from "../statistics/arithmetic.ts";
import {
  clearSide,
  MAX_POOR_STARS,
  MIN_GOOD_STARS,
  newestMentions,
  newestWith,
  type PoorAndGood,
  poorAndGood,
  starsOnAspect,
} from "../statistics/aspect-positions.ts";
import { criticisedThemes, MIN_REVIEWS, mostCriticised } from "../statistics/aspect-ranking.ts";
import { examplePositions } from "../statistics/examples.ts";
import type { MentionClarity } from "../statistics/mention-clarity.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import type { Theme } from "../theme/themes.ts";
import { counted, countedNames, grouped, listed, namedThere } from "./prose.ts";
import { type Quotation, quotation } from "./quotation.ts";

/** Fewer are "a few". */
const MIN_COUNTED = 5;
export const MAX_CITED = 20;
const MAX_NAMED = 5;
const MAX_THEMES = 5;

/** Sources of the answers besides the statistics. */
export interface FaqSources {
  readonly clear: ReadonlyMap<string, readonly MentionClarity[]>;
  readonly taxonomy: Taxonomy;
}

/** The questions that the reviews answer: in taxonomy order, then people, work, places, complaints, and themes. */
export function faq(analysed: AnalysedReviews, statistics: Statistics, { clear, taxonomy }: FaqSources): FaqEntry[] {
  const byId = new Map(statistics.aspects.map((aspect) => [aspect.id, aspect]));
  const entries = taxonomy.aspects.map((words, aspect) => {
    const counts = byId.get(words.id);
    if (counts === undefined || Math.max(counts.positive_count, counts.negative_count) < MIN_REVIEWS) return undefined;
    const others = words.asked_unless.map((id) => byId.get(id)?.mention_count ?? 0);
    if (others.some((count) => count > counts.mention_count)) return undefined;
    return aspectEntry(analysed, counts, { words, clear: clear.get(words.id) ?? [], aspect, taxonomy });
  });
  return [
    ...entries,
    named(analysed, statistics.entities.technicians, "technicians", "Which technicians do customers name?"),
    named(analysed, statistics.entities.services, "services", "Which services do customers write about?"),
    named(analysed, statistics.entities.service_areas, "service_areas", "Which places do customers mention?"),
    complaints(analysed, statistics, taxonomy),
    ...analysed.themes.slice(0, MAX_THEMES).map((theme) => themeEntry(analysed, theme)),
  ].filter((entry) => entry !== undefined);
}

interface AspectSources {
  readonly words: Taxonomy["aspects"][number];
  readonly clear: readonly MentionClarity[];
  readonly aspect: number;
  readonly taxonomy: Taxonomy;
}

function aspectEntry(
  analysed: AnalysedReviews,
  counts: Aspect,
  { words, clear, aspect, taxonomy }: AspectSources,
): FaqEntry {
  const isPraised = counts.positive_count >= counts.negative_count;
  const [side, other] = isPraised ? (["positive", "negative"] as const) : (["negative", "positive"] as const);
  const isTwoSided = counts.positive_count > 0 && counts.negative_count > 0;
  const quotes: Quotation[] = [];
  for (const wanted of isTwoSided ? [side, other] : [side]) {
    const ofSide = clear.filter(({ sentiment }) => sentiment === wanted);
    const quote = quotation(analysed, ofSide, { aspect, taxonomy });
    if (quote === undefined) break; // an answer with two sides quotes both or neither
    quotes.push(quote);
  }
  if (isTwoSided && quotes.length < 2) quotes.length = 0;
  const speaking = newestMentions(analysed, counts.id, MAX_CITED).map(({ position }) => position);
  const contrary = newestWith(analysed, other, counts.id);
  const needed = [...quotes.map(({ position }) => position), contrary].filter((position) => position !== undefined);
  return {
    question: words.question,
    answer: verdictOf(analysed, counts, words) + starsOn(analysed, counts) + quotesIn(quotes),
    review_ids: cited(analysed, needed, speaking),
    about: [words.id],
  };
}

/** The quotations as a sentence; empty without any. */
function quotesIn(quotes: readonly Quotation[]): string {
  const [first, second] = quotes.map(({ words }) => `“${words}”`);
  if (first === undefined) return "";
  return second === undefined
    ? ` In one customer’s words: ${first}.`
    : ` In customers’ words: ${first}, but also: ${second}.`;
}

/** What most of them say, then the other side, if there is one to speak of. They are compared only if that is clear. */
function verdictOf(
  analysed: AnalysedReviews,
  aspect: Aspect,
  { praised_for, blamed_for }: Taxonomy["aspects"][number],
): string {
  const { positive_count, negative_count } = aspect;
  const praise = { count: positive_count, bound: "about", says: `praise ${praised_for}` };
  const blame = { count: negative_count, bound: "at least", says: `complain about ${blamed_for}` };
  const [most, rest] = positive_count >= negative_count ? [praise, blame] : [blame, praise];
  const found = `${roughly(most)} reviews ${most.says}`;
  const both = rest.count === 0 ? found : `${found}, and ${roughly(rest)} ${rest.says}`;
  if (rest.count < MIN_REVIEWS || clearSide(analysed, aspect) === undefined)
    return `${both.charAt(0).toUpperCase()}${both.slice(1)}.`;
  return `${leadOf(positive_count, negative_count)}: ${both}.`;
}

/** The stars of all reviews that speak of an aspect, which are no estimate, where both sides have something to say. */
function starsOn(analysed: AnalysedReviews, { id, mention_count, positive_count, negative_count }: Aspect): string {
  if (Math.min(positive_count, negative_count) < MIN_REVIEWS) return "";
  const stars = starsOf(starsOnAspect(analysed, id));
  return ` ${counted(mention_count, "review speaks of it", "reviews speak of it")}${stars}.`;
}

/** A count as what it is: of praise some is misread and some missed; of blame, which must be surer, more is missed. */
function roughly({ count, bound }: { readonly count: number; readonly bound: string }): string {
  if (count < MIN_REVIEWS) return "one or two";
  return count < MIN_COUNTED ? "a few" : `${bound} ${grouped(count)}`;
}

function leadOf(positive: number, negative: number): string {
  const share = positive / (positive + negative);
  if (share >= 0.65) return "Mostly praise";
  if (share > 0.5) return "More praise than blame";
  return share > 0.35 ? "More blame than praise" : "Mostly blame";
}

function named(
  analysed: AnalysedReviews,
  entities: readonly Entity[],
  kind: Mentioned,
  question: string,
): FaqEntry | undefined {
  const mentioned = entities.filter(({ mention_count }) => mention_count > 0);
  const top = mentioned.slice(0, MAX_NAMED);
  const reviews = positionsOfAny(top.map(({ id }) => positionsOf(analysed, kind, id)));
  if (reviews.length < MIN_REVIEWS) return undefined;
  const names = countedNames(top.map(({ label, mention_count }) => ({ name: label, count: mention_count })));
  const others = mentioned.length - top.length;
  const more = others > 0 ? `; ${others} ${others === 1 ? "other is" : "others are"} mentioned no more often` : "";
  const shown = top.flatMap(({ id }) => examplePositions(analysed, positionsOf(analysed, kind, id), 1));
  const needed = positionsOfAny([shown]);
  return { question, answer: `Most often ${names}${more}.`, review_ids: cited(analysed, needed, reviews), about: [] };
}

function complaints(analysed: AnalysedReviews, statistics: Statistics, taxonomy: Taxonomy): FaqEntry | undefined {
  const words = new Map(taxonomy.aspects.map((aspect) => [aspect.id, aspect]));
  const blamed = mostCriticised(statistics.aspects, 3);
  if (blamed.length === 0) return undefined;
  const reviews = positionsOfAny(
    taxonomy.aspects.flatMap(({ id }) => [
      positionsOf(analysed, "negative", id),
      positionsOf(analysed, "more negative", id),
    ]),
  );
  const silent = countSilent(analysed);
  const read = statistics.review_count - silent - statistics.unread_count;
  const named = blamed.map(({ id, negative_count }) => {
    const critical = positionsOf(analysed, "negative", id);
    const themes = criticisedThemes(analysed.themes, { critical, texts: read });
    const name = words.get(id)?.blamed_for ?? id;
    const others = themes.length === 0 ? [] : criticismOfOthers(analysed, id, themes);
    const quotes = others.map(({ evidence }) => `“${evidence}”`).join("; ");
    return {
      said: `${name} (at least ${grouped(negative_count)}${namedThere(themes)})`,
      others: others.length === 0 ? "" : ` Others on ${name}: ${quotes}.`,
      cited: others.map(({ position }) => position),
    };
  });
  const names = listed(named.map(({ said }) => said));
  const [{ others = "", cited: quoted = [] } = {}] = named;
  const base = `${silent === 0 ? "" : "the "}${counted(read, "review")}${silent === 0 ? "" : " with words"}`;
  const needed = [...quoted, ...blamed.flatMap(({ id }) => newestWith(analysed, "negative", id) ?? [])];
  return {
    question: "What do customers complain about?",
    answer: `At least ${grouped(reviews.length)} of ${base}${statistics.unread_count === 0 ? "" : " that were read"} contain a complaint, often about ${names}.${others}${poorRatings(analysed)}`,
    review_ids: cited(analysed, needed, reviews),
    about: blamed.map(({ id }) => id),
  };
}

/** Quotations of criticism are no longer, and so many are looked at and shown. */
const [MAX_EVIDENCE, MAX_LOOKED_AT, MAX_OTHERS] = [120, 100, 3];

/** What the poorest reviews say that criticise an aspect and name none of these themes, where these leave several out. */
function criticismOfOthers(
  analysed: AnalysedReviews,
  id: string,
  themes: readonly Theme[],
): { readonly position: number; readonly evidence: string }[] {
  const naming = new Set(themes.flatMap(({ positions }) => [...positions]));
  const others = [...positionsOf(analysed, "negative", id)].filter(
    (position) => !naming.has(position) && (analysed.ratings[position] as number) < MIN_GOOD_STARS,
  );
  const found = others
    .slice(0, MAX_LOOKED_AT)
    .toSorted((a, b) => (analysed.ratings[a] as number) - (analysed.ratings[b] as number))
    .flatMap((position) => {
      const said = analysed.analysis(position).aspects.find((one) => one.id === id && one.sentiment === "negative");
      return said === undefined || said.evidence.length > MAX_EVIDENCE ? [] : [{ position, evidence: said.evidence }];
    });
  return found.length < MIN_REVIEWS ? [] : found.slice(0, MAX_OTHERS);
}

/** What customers say of something that they name by themselves. */
function themeEntry(analysed: AnalysedReviews, { id, label, positions, praising, criticising }: Theme): FaqEntry {
  const needed = [...praising.slice(0, 1), ...criticising.slice(0, 1)];
  const [praised, criticised] = [praising.length, criticising.length];
  return {
    question: topicQuestion(label),
    answer: topicAnswer({ named: positions.length, ...poorAndGood(analysed, positions), praised, criticised }),
    review_ids: cited(analysed, needed, positions),
    about: [id],
  };
}

export function topicQuestion(label: string): string {
  return `What do customers say about ${label}?`;
}

/** The numbers of reviews that name a topic, in a sentence: first the stars, which are no estimate. */
export function topicAnswer({
  named,
  praised,
  criticised,
  ...stars
}: PoorAndGood & Readonly<Record<"named" | "praised" | "criticised", number>>): string {
  const said = [
    praised === 0 ? "" : `about ${grouped(praised)} with praise`,
    criticised === 0 ? "" : `at least ${grouped(criticised)} with criticism`,
  ].filter((part) => part !== "");
  return `${counted(named, "review names it", "reviews name it")}${starsOf(stars)}${said.length === 0 ? "" : `; ${listed(said)}`}.`;
}

/** How many reviews gave poor stars, and how many good ones; empty if none did either. */
export function starsOf({ poor, good }: PoorAndGood): string {
  const parts = [
    [poor, "one or two stars"],
    [good, poor === 0 ? "four or five stars" : "four or five"],
  ] as const;
  const said = parts.flatMap(([count, stars]) => (count === 0 ? [] : [`${grouped(count)} with ${stars}`]));
  return said.length === 0 ? "" : `, ${listed(said)}`;
}

/** The number of poor ratings, which exceeds that of the criticism where many have no words; empty if there are none. */
function poorRatings(analysed: AnalysedReviews): string {
  let [poor, silent] = [0, 0];
  for (let position = 0; position < analysed.count; position++) {
    if ((analysed.ratings[position] as number) > MAX_POOR_STARS) continue;
    poor++;
    if (!hasWordsAt(analysed, position)) silent++;
  }
  if (poor === 0) return "";
  const all = `${counted(poor, "review")} gave one or two stars`;
  return ` ${all}${silent === 0 ? "" : `, ${grouped(silent)} of them without words`}.`;
}

/** The positions that are in any of the lists, ascending, each once. */
function positionsOfAny(lists: readonly (Uint32Array | readonly number[])[]): Uint32Array {
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  const all = new Uint32Array(length);
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  all.sort();
  let count = 0;
  for (let at = 0; at < length; at++) if (at === 0 || all[at] !== all[at - 1]) all[count++] = all[at] as number;
  return all.subarray(0, count);
}

/** Ids of the reviews cited for an answer: first `needed`, then the newest of `all`. */
function cited(
  analysed: AnalysedReviews,
  needed: Uint32Array | readonly number[],
  all: Uint32Array | readonly number[],
): string[] {
  const newest = all.slice(0, MAX_CITED);
  return [...new Set([...needed, ...newest])].slice(0, MAX_CITED).map((position) => analysed.review(position).id);
}
