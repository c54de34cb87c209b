/** Questions that people ask before they call, answered from the reviews on the subject, which are cited. */
import type { Aspect, Entity, FaqEntry } from "../../insights-document.ts";
import {
  type AnalysedReviews,
  countSilent,
  type Mentioned,
  positionsOf,
  saysSomethingAt,
} from "../figures/analysed-reviews.ts";
import { newestPlaces, newestSaying } from "../figures/aspect-places.ts";
import { examplePositions } from "../figures/examples.ts";
import type { Figures } from "../figures/figures.ts";
import type { MentionClarity } from "../figures/mention-clarity.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { counted, countedNames, listed } from "./prose.ts";
import { quotation } from "./quotation.ts";

/** So many reviews must say the same to be told: one or two may be misread, and as many may have been missed. */
const FEWEST = 3;
/** Fewer are "a few". */
const FEWEST_COUNTED = 5;
const MOST_CITED = 20;
const MOST_NAMED = 5;
/** The most stars of a rating that is called poor. */
const POOR_STARS = 2;

/** Sources of the answers besides the figures. */
export interface FaqSources {
  readonly clear: ReadonlyMap<string, readonly MentionClarity[]>;
  readonly taxonomy: Taxonomy;
}

/** The questions that the reviews answer: in taxonomy order, then people, work, places, complaints. */
export function faq(analysed: AnalysedReviews, figures: Figures, { clear, taxonomy }: FaqSources): FaqEntry[] {
  const byId = new Map(figures.aspects.map((aspect) => [aspect.id, aspect]));
  const entries = taxonomy.aspects.map((words, aspect) => {
    const figure = byId.get(words.id);
    if (figure === undefined || Math.max(figure.positive_count, figure.negative_count) < FEWEST) return undefined;
    const counts = words.asked_unless.map((id) => byId.get(id)?.mention_count ?? 0);
    if (counts.some((count) => count > figure.mention_count)) return undefined;
    return aspectEntry(analysed, figure, { words, clear: clear.get(words.id) ?? [], aspect, taxonomy });
  });
  return [
    ...entries,
    named(analysed, figures.entities.technicians, "technicians", "Which technicians do customers name?"),
    named(analysed, figures.entities.services, "services", "What work do customers write about?"),
    named(analysed, figures.entities.service_areas, "service_areas", "Which places do customers mention?"),
    complaints(analysed, figures, taxonomy),
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
  figure: Aspect,
  { words, clear, aspect, taxonomy }: AspectSources,
): FaqEntry {
  const side = figure.positive_count >= figure.negative_count ? "positive" : "negative";
  const ofSide = clear.filter(({ mention }) => mention.sentiment === side);
  const quoted = quotation(ofSide, aspect, taxonomy);
  const verdict = verdictOf(figure, words);
  const speaking = newestPlaces(analysed, figure.id, MOST_CITED).map(({ position }) => position);
  const contrary = newestSaying(analysed, side === "positive" ? "negative" : "positive", figure.id);
  const needed = [quoted?.entry.position, contrary].filter((position) => position !== undefined);
  return {
    question: words.question,
    answer: quoted === undefined ? verdict : `${verdict} In one customer’s words: “${quoted.words}”.`,
    review_ids: cited(analysed, needed, speaking),
  };
}

/** What most of them say, then the other side, if there is one to speak of. */
function verdictOf(
  { positive_count, negative_count }: Aspect,
  { praised_for, blamed_for }: Taxonomy["aspects"][number],
): string {
  const praise = { count: positive_count, bound: "about", says: `praise ${praised_for}` };
  const blame = { count: negative_count, bound: "at least", says: `complain about ${blamed_for}` };
  const [most, rest] = positive_count >= negative_count ? [praise, blame] : [blame, praise];
  const found = `${roughly(most)} reviews ${most.says}`;
  if (rest.count < FEWEST) return `${found.charAt(0).toUpperCase()}${found.slice(1)}.`;
  return `${leadOf(positive_count, negative_count)}: ${found}, and ${roughly(rest)} ${rest.says}.`;
}

/** A count as what it is: of praise some is misread and some missed; of blame, which must be surer, more is missed. */
function roughly({ count, bound }: { readonly count: number; readonly bound: string }): string {
  return count < FEWEST_COUNTED ? "a few" : `${bound} ${count.toLocaleString("en-US")}`;
}

function leadOf(positive: number, negative: number): string {
  if (positive === negative) return "As much praise as blame";
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
  const top = mentioned.slice(0, MOST_NAMED);
  const reviews = positionsOfAny(top.map(({ id }) => positionsOf(analysed, kind, id)));
  if (reviews.length < FEWEST) return undefined;
  const names = countedNames(top.map(({ label, mention_count }) => ({ name: label, count: mention_count })));
  const others = mentioned.length - top.length;
  const more = others > 0 ? `; ${others} ${others === 1 ? "other is" : "others are"} mentioned less often` : "";
  const shown = top.flatMap(({ id }) => examplePositions(analysed, positionsOf(analysed, kind, id), 1));
  const needed = positionsOfAny([shown]);
  return { question, answer: `Most often ${names}${more}.`, review_ids: cited(analysed, needed, reviews) };
}

function complaints(analysed: AnalysedReviews, figures: Figures, taxonomy: Taxonomy): FaqEntry | undefined {
  const words = new Map(taxonomy.aspects.map((aspect) => [aspect.id, aspect]));
  const blamed = figures.aspects
    .filter(({ negative_count }) => negative_count >= FEWEST)
    .toSorted((a, b) => b.negative_count - a.negative_count)
    .slice(0, 3);
  if (blamed.length === 0) return undefined;
  const reviews = positionsOfAny(
    taxonomy.aspects.flatMap(({ id }) => [
      positionsOf(analysed, "negative", id),
      positionsOf(analysed, "more negative", id),
    ]),
  );
  const names = listed(
    blamed.map(
      ({ id, negative_count }) =>
        `${words.get(id)?.blamed_for ?? id} (at least ${negative_count.toLocaleString("en-US")})`,
    ),
  );
  const silent = countSilent(analysed);
  const base =
    silent === 0
      ? counted(figures.review_count, "review")
      : `the ${counted(figures.review_count - silent, "review")} with words`;
  const needed = blamed.flatMap(({ id }) => newestSaying(analysed, "negative", id) ?? []);
  return {
    question: "What do customers complain about?",
    answer: `At least ${reviews.length.toLocaleString("en-US")} of ${base} contain some criticism, often about ${names}.${poorRatings(analysed)}`,
    review_ids: cited(analysed, needed, reviews),
  };
}

/** The number of poor ratings, which exceeds that of the criticism where many have no words; empty if there are none. */
function poorRatings(analysed: AnalysedReviews): string {
  let [poor, silent] = [0, 0];
  for (let position = 0; position < analysed.count; position++) {
    if ((analysed.ratings[position] as number) > POOR_STARS) continue;
    poor++;
    if (!saysSomethingAt(analysed, position)) silent++;
  }
  if (poor === 0) return "";
  const all = `${counted(poor, "review")} gave one or two stars`;
  return ` ${all}${silent === 0 ? "" : `, ${silent.toLocaleString("en-US")} of them without words`}.`;
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
  const newest = all.slice(0, MOST_CITED);
  return [...new Set([...needed, ...newest])].slice(0, MOST_CITED).map((position) => analysed.at(position).review.id);
}
