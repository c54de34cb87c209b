/** Questions that people ask before they call, answered from the reviews on the subject, which are cited. */
import type { Aspect, Entity, FaqEntry } from "../../insights-document.ts";
import type { Analysed } from "../figures/analysed.ts";
import { aspectGroup } from "../figures/aspect-groups.ts";
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
export function faq(analysed: readonly Analysed[], figures: Figures, { clear, taxonomy }: FaqSources): FaqEntry[] {
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
  analysed: readonly Analysed[],
  figure: Aspect,
  { words, clear, aspect, taxonomy }: AspectSources,
): FaqEntry {
  const side = figure.positive_count >= figure.negative_count ? "positive" : "negative";
  const ofSide = clear.filter(({ mention }) => mention.sentiment === side);
  const quoted = quotation(ofSide, aspect, taxonomy);
  const verdict = verdictOf(figure, words);
  const { entries: speaking } = aspectGroup(analysed, figure.id);
  const other = side === "positive" ? "negative" : "positive";
  const contrary = speaking.find(({ analysis }) =>
    analysis.aspects.some(({ id, sentiment }) => id === figure.id && sentiment === other),
  );
  const needed = [quoted?.entry, contrary].filter((entry) => entry !== undefined);
  return {
    question: words.question,
    answer: quoted === undefined ? verdict : `${verdict} In one customer’s words: “${quoted.words}”.`,
    review_ids: cited(needed, speaking),
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

type Kind = "technicians" | "services" | "service_areas";

function named(
  analysed: readonly Analysed[],
  entities: readonly Entity[],
  kind: Kind,
  question: string,
): FaqEntry | undefined {
  const mentioned = entities.filter(({ mention_count }) => mention_count > 0);
  const top = mentioned.slice(0, MOST_NAMED);
  const ids = new Set(top.map(({ id }) => id));
  const reviews = analysed.filter(({ analysis }) => analysis[kind].some((id) => ids.has(id)));
  if (reviews.length < FEWEST) return undefined;
  const names = countedNames(top.map(({ label, mention_count }) => ({ name: label, count: mention_count })));
  const others = mentioned.length - top.length;
  const more = others > 0 ? `; ${others} ${others === 1 ? "other is" : "others are"} mentioned less often` : "";
  const shown = new Set(top.map(({ example_review_ids: [first] }) => first));
  const needed = analysed.filter(({ review }) => shown.has(review.id));
  return { question, answer: `Most often ${names}${more}.`, review_ids: cited(needed, reviews) };
}

function complaints(analysed: readonly Analysed[], figures: Figures, taxonomy: Taxonomy): FaqEntry | undefined {
  const words = new Map(taxonomy.aspects.map((aspect) => [aspect.id, aspect]));
  const blamed = figures.aspects
    .filter(({ negative_count }) => negative_count >= FEWEST)
    .toSorted((a, b) => b.negative_count - a.negative_count)
    .slice(0, 3);
  const reviews = analysed.filter(({ analysis }) => analysis.aspects.some(({ sentiment }) => sentiment === "negative"));
  if (blamed.length === 0) return undefined;
  const names = listed(
    blamed.map(
      ({ id, negative_count }) =>
        `${words.get(id)?.blamed_for ?? id} (at least ${negative_count.toLocaleString("en-US")})`,
    ),
  );
  const silent = analysed.filter(({ hasWords }) => !hasWords).length;
  const base =
    silent === 0
      ? counted(figures.review_count, "review")
      : `the ${counted(figures.review_count - silent, "review")} with words`;
  const needed = blamed.flatMap(({ id }) => {
    const newest = reviews.find(({ analysis }) =>
      analysis.aspects.some((mention) => mention.id === id && mention.sentiment === "negative"),
    );
    return newest ?? [];
  });
  return {
    question: "What do customers complain about?",
    answer: `At least ${reviews.length.toLocaleString("en-US")} of ${base} contain some criticism, often about ${names}.${poorRatings(analysed)}`,
    review_ids: cited(needed, reviews),
  };
}

/** The number of poor ratings, which exceeds that of the criticism where many have no words; empty if there are none. */
function poorRatings(analysed: readonly Analysed[]): string {
  const poor = analysed.filter(({ review }) => review.rating <= POOR_STARS);
  const silent = poor.filter(({ hasWords }) => !hasWords).length;
  if (poor.length === 0) return "";
  const all = `${counted(poor.length, "review")} gave one or two stars`;
  return ` ${all}${silent === 0 ? "" : `, ${silent.toLocaleString("en-US")} of them without words`}.`;
}

/** Ids of the reviews cited for an answer: first `needed`, then the newest of `all`. */
function cited(needed: readonly Analysed[], all: readonly Analysed[]): string[] {
  const newest = all.slice(0, MOST_CITED);
  return [...new Set([...needed, ...newest].map(({ review }) => review.id))].slice(0, MOST_CITED);
}
