/**
 * Figures for technicians, services, problems, places and topics: how often reviews name them, and how good those
 * reviews are.
 */
import type { BusinessFile } from "../../business.ts";
import type { Analysis, Entity, Insights, Topic } from "../../insights-document.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import type { Analysed } from "./analysed.ts";
import { examples } from "./examples.ts";
import { mean, percentage } from "./figures.ts";

interface Named {
  readonly id: string;
  readonly label: string;
}

/** The business's technicians, services and places, and the problems mentioned in reviews; most mentioned first. */
export function entityFigures(
  analysed: readonly Analysed[],
  business: BusinessFile,
  taxonomy: Taxonomy,
): Insights["entities"] {
  const technicians = business.technicians.map(({ id, name }) => ({ id, label: name }));
  return {
    technicians: entities(analysed, "technicians", technicians),
    services: entities(analysed, "services", business.services),
    problems: entities(analysed, "problems", taxonomy.problems).filter(({ mention_count }) => mention_count > 0),
    service_areas: entities(analysed, "service_areas", business.service_areas),
  };
}

/** The topics mentioned in reviews, most frequent first. */
export function topicFigures(analysed: readonly Analysed[], taxonomy: Taxonomy): Topic[] {
  const withWords = analysed.filter(({ hasWords }) => hasWords).length;
  const groups = grouped(analysed, "topics");
  return taxonomy.topics
    .map(({ id, label }) => {
      const group = groups.get(id) ?? [];
      return {
        id,
        label,
        review_count: group.length,
        share_pct: percentage(group.length, withWords),
        score: mean(group.map(({ analysis }) => analysis.score)),
        example_review_ids: examples(group),
      };
    })
    .filter(({ review_count }) => review_count > 0)
    .sort((a, b) => b.review_count - a.review_count);
}

type Mentioned = "technicians" | "services" | "problems" | "service_areas" | "topics";

function entities(analysed: readonly Analysed[], kind: Mentioned, named: readonly Named[]): Entity[] {
  const groups = grouped(analysed, kind);
  return named
    .map(({ id, label }) => {
      const group = groups.get(id) ?? [];
      return {
        id,
        label,
        mention_count: group.length,
        average_rating: mean(group.map(({ review }) => review.rating)),
        score: mean(group.map(({ analysis }) => analysis.score)),
        example_review_ids: examples(group),
      };
    })
    .sort((a, b) => b.mention_count - a.mention_count);
}

function grouped(analysed: readonly Analysed[], kind: Mentioned & keyof Analysis): Map<string, Analysed[]> {
  const groups = new Map<string, Analysed[]>();
  for (const entry of analysed) {
    for (const id of entry.analysis[kind]) {
      const group = groups.get(id);
      if (group === undefined) groups.set(id, [entry]);
      else group.push(entry);
    }
  }
  return groups;
}
