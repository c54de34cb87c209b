/** Questions that people ask before they call, answered from the reviews that speak of them and citing them. */
import type { Aspect, Entity, FaqEntry } from "../insights.ts";
import { best } from "./examples.ts";
import type { Figures } from "./figures.ts";
import { counted, listed } from "./prose.ts";
import type { Taxonomy } from "./taxonomy.ts";
import type { Analysed } from "./trend.ts";

/** A question is answered only when so many reviews speak of it. */
const FEWEST = 3;
const MOST_CITED = 5;

/** The questions that the reviews answer, in the order of the taxonomy's aspects, then people, work, places, complaints. */
export function faq(analysed: readonly Analysed[], figures: Figures, taxonomy: Taxonomy): FaqEntry[] {
  const byId = new Map(figures.aspects.map((aspect) => [aspect.id, aspect]));
  const entries = taxonomy.aspects.map((aspect) => {
    const figure = byId.get(aspect.id);
    return figure === undefined || figure.mention_count < FEWEST ? undefined : aspectEntry(analysed, figure, aspect);
  });
  return [
    ...entries,
    named(analysed, figures.entities.technicians, "technicians", "Which technicians do customers name?"),
    named(analysed, figures.entities.services, "services", "What work do customers write about?"),
    named(analysed, figures.entities.service_areas, "service_areas", "Which places do customers mention?"),
    complaints(analysed, figures, taxonomy),
  ].filter((entry) => entry !== undefined);
}

function aspectEntry(analysed: readonly Analysed[], figure: Aspect, words: Taxonomy["aspects"][number]): FaqEntry {
  const { mention_count: all, positive_count: positive, negative_count: negative } = figure;
  const praised = { count: positive, verb: positive === 1 ? "praises" : "praise", what: words.praised_for };
  const blamed = { count: negative, verb: negative === 1 ? "criticises" : "criticise", what: words.blamed_for };
  const [first, second] = positive >= negative ? [praised, blamed] : [blamed, praised];
  const rest = second.count > 0 ? `; ${second.count} ${second.verb} ${second.what}` : "";
  const verdict = `${first.count} of ${counted(all, "review")} that speak of it ${first.verb} ${first.what}${rest}.`;
  const [side, other] = positive >= negative ? ["positive", "negative"] : ["negative", "positive"];
  const cited = [
    ...best(mentioning(analysed, figure.id, side), MOST_CITED - 1),
    ...best(mentioning(analysed, figure.id, other), 1),
  ];
  const quote = telling(cited, figure.id);
  return {
    question: words.question,
    answer: quote === undefined ? verdict : `${verdict} One customer writes: “${quote}”.`,
    review_ids: cited.map(({ review }) => review.id),
  };
}

/** Of the evidence in reviews cited the first that says enough to be quoted. */
function telling(cited: readonly Analysed[], aspect: string): string | undefined {
  const spans = cited.flatMap(({ analysis }) => analysis.aspects.filter(({ id }) => id === aspect));
  const whole = spans.filter(({ evidence }) => evidence.length >= 25 && evidence.length <= 160);
  return (whole.find(({ evidence }) => /^\p{Lu}/u.test(evidence)) ?? whole[0] ?? spans[0])?.evidence;
}

function mentioning(analysed: readonly Analysed[], aspect: string, sentiment: string | undefined): Analysed[] {
  return analysed.filter(({ analysis }) =>
    analysis.aspects.some((mention) => mention.id === aspect && mention.sentiment === sentiment),
  );
}

type Kind = "technicians" | "services" | "service_areas";

function named(
  analysed: readonly Analysed[],
  entities: readonly Entity[],
  kind: Kind,
  question: string,
): FaqEntry | undefined {
  const mentioned = entities.filter(({ mention_count }) => mention_count > 0);
  const top = mentioned.slice(0, 5);
  const ids = new Set(top.map(({ id }) => id));
  const reviews = analysed.filter(({ analysis }) => analysis[kind].some((id) => ids.has(id)));
  if (reviews.length < FEWEST) return undefined;
  const names = top.map(({ label, mention_count }) => `${label} (${counted(mention_count, "review")})`);
  const cited = [...new Set(top.flatMap(({ example_review_ids }) => example_review_ids.slice(0, 1)))];
  const more = mentioned.length > top.length ? ` and ${mentioned.length - top.length} more` : "";
  return { question, answer: `${more === "" ? listed(names) : `${names.join(", ")}${more}`}.`, review_ids: cited };
}

function complaints(analysed: readonly Analysed[], figures: Figures, taxonomy: Taxonomy): FaqEntry | undefined {
  const words = new Map(taxonomy.aspects.map((aspect) => [aspect.id, aspect]));
  const blamed = figures.aspects
    .filter(({ negative_count }) => negative_count > 0)
    .toSorted((a, b) => b.negative_count - a.negative_count)
    .slice(0, 3);
  const reviews = analysed.filter(({ analysis }) => analysis.aspects.some(({ sentiment }) => sentiment === "negative"));
  if (reviews.length < FEWEST) return undefined;
  const parts = blamed.map(
    ({ id, negative_count }) => `${words.get(id)?.blamed_for} (${counted(negative_count, "review")})`,
  );
  const cited = blamed
    .flatMap(({ id }) => best(mentioning(analysed, id, "negative"), 2))
    .map(({ review }) => review.id);
  return {
    question: "What do customers complain about?",
    answer: `${counted(reviews.length, "review")} of ${figures.review_count.toLocaleString("en-US")} ${reviews.length === 1 ? "holds" : "hold"} some criticism, mostly of ${listed(parts)}.`,
    review_ids: [...new Set(cited)].slice(0, MOST_CITED),
  };
}
