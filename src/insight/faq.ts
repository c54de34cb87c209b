/** Questions that people ask before they call, answered from the reviews that speak of them and citing them. */
import type { Aspect, Entity, FaqEntry } from "../insights.ts";
import { best } from "./examples.ts";
import type { Figures } from "./figures.ts";
import { capitalised, counted, listed } from "./prose.ts";
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
  const praise = `${positive} of ${counted(all, "review")} that ${all === 1 ? "speaks" : "speak"} of it ${positive === 1 ? "praises" : "praise"} ${words.praised_for}`;
  const blame = `${negative} ${negative === 1 ? "criticises" : "criticise"} ${words.blamed_for}`;
  const verdict =
    positive >= negative
      ? `${praise}${negative > 0 ? `; ${blame}` : ""}`
      : `${capitalised(blame)} of ${counted(all, "review")} that speak of it${positive > 0 ? `; ${positive} ${positive === 1 ? "praises" : "praise"} ${words.praised_for}` : ""}`;
  const side = positive >= negative ? "positive" : "negative";
  const speaking = mentioning(analysed, figure.id, side);
  const contrary = mentioning(analysed, figure.id, side === "positive" ? "negative" : "positive");
  const cited = [...best(speaking, MOST_CITED - 1), ...best(contrary, 1)];
  const quoted = cited[0]?.analysis.aspects.find(({ id }) => id === figure.id)?.evidence;
  const quote = quoted === undefined ? "" : ` One customer writes: “${quoted}”.`;
  return { question: words.question, answer: `${verdict}.${quote}`, review_ids: cited.map(({ review }) => review.id) };
}

function mentioning(analysed: readonly Analysed[], aspect: string, sentiment: string): Analysed[] {
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
