/** A paragraph that says what the figures say, for readers who want no figures. */
import type { BusinessFile } from "../business.ts";
import type { Aspect } from "../insights.ts";
import { type Figures, mean } from "./figures.ts";
import { counted, listed, monthName } from "./prose.ts";
import type { Taxonomy } from "./taxonomy.ts";
import type { Analysed } from "./trend.ts";

const FEWEST = 2;

/** The summary of a business whose owner wrote none. Every number in it stands in the figures or recounts from them. */
export function summary(
  analysed: readonly Analysed[],
  figures: Figures,
  { business, taxonomy }: { business: BusinessFile; taxonomy: Taxonomy },
): string {
  const { review_count, date_range } = figures;
  if (review_count === 0) return `There are no published reviews of ${business.name} yet.`;
  const { earliest, latest } = date_range;
  const [from, to] = [monthName(earliest ?? ""), monthName(latest ?? "")];
  const stars = mean(analysed.map(({ review }) => review.rating))?.toFixed(2);
  const sentences = [
    review_count === 1
      ? `${business.name} has 1 published review, from ${to}, with ${counted(analysed[0]?.review.rating ?? 0, "star")}.`
      : `${business.name} has ${counted(review_count, "published review")} ${from === to ? `from ${to}` : `from ${from} to ${to}`}, with ${stars} stars on average.`,
    wordless(analysed),
    ...aspectSentences(figures.aspects, taxonomy),
    people(figures),
    movement(figures),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function wordless(analysed: readonly Analysed[]): string {
  const silent = analysed.filter(({ review }) => review.text === null || review.text.trim() === "").length;
  if (silent === 0) return "";
  if (silent === analysed.length)
    return analysed.length === 1 ? "It has stars only." : "All of them are stars without words.";
  return `${counted(silent, "of them has", "of them have")} stars only.`;
}

function aspectSentences(aspects: readonly Aspect[], taxonomy: Taxonomy): string[] {
  const words = new Map(taxonomy.aspects.map((aspect) => [aspect.id, aspect]));
  const praised = aspects
    .filter(({ positive_count, negative_count }) => positive_count >= FEWEST && positive_count > negative_count)
    .toSorted((a, b) => b.positive_count - a.positive_count)
    .slice(0, 3)
    .map(({ id, positive_count }) => `${words.get(id)?.praised_for} (${counted(positive_count, "review")})`);
  const blamed = aspects
    .filter(({ negative_count }) => negative_count >= FEWEST)
    .toSorted((a, b) => b.negative_count - a.negative_count)
    .slice(0, 2)
    .map(({ id, negative_count }) => `${words.get(id)?.blamed_for} (${counted(negative_count, "review")})`);
  return [
    praised.length > 0 ? `Customers most often praise ${listed(praised)}.` : "",
    blamed.length > 0 ? `Where they criticise, it is mostly ${listed(blamed)}.` : "",
  ];
}

function people({ entities }: Figures): string {
  const named = entities.technicians.filter(({ mention_count }) => mention_count >= FEWEST).slice(0, 3);
  if (named.length === 0) return "";
  return `Named most often: ${listed(named.map(({ label, mention_count }) => `${label} (${counted(mention_count, "review")})`))}.`;
}

function movement({ temporal }: Figures): string {
  if (temporal.trend === "improving") return "Reviews of the last six months are better than those of the year before.";
  if (temporal.trend === "declining") return "Reviews of the last six months are worse than those of the year before.";
  return "";
}
