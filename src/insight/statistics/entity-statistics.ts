/**
 * Statistics of technicians, services, problems, places and themes: how often reviews name them, and how good those
 * reviews are.
 */
import type { BusinessFile } from "../../business.ts";
import type { Entity, Insights, Topic } from "../../insights-document.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
import { type AnalysedReviews, countReadTexts, type Mentioned, positionsOf } from "./analysed-reviews.ts";
import { meanAt, percentage } from "./arithmetic.ts";
import { poorAndGood } from "./aspect-positions.ts";
import { examples } from "./examples.ts";

interface Named {
  readonly id: string;
  readonly label: string;
}

/** The business's technicians, services and places, and the problems mentioned in reviews; most mentioned first. */
export function entityStatistics(
  analysed: AnalysedReviews,
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

/** The themes as they are published, in their order. */
export function topicStatistics(analysed: AnalysedReviews): Topic[] {
  const readTexts = countReadTexts(analysed);
  return analysed.themes.map(({ id, label, positions, praising, criticising }) => ({
    id,
    label,
    review_count: positions.length,
    ...starsAt(analysed, positions),
    praised: praising.length,
    criticised: criticising.length,
    share_pct: percentage(positions.length, readTexts),
    score: meanAt(analysed.scores, positions),
    example_review_ids: examples(analysed, positions),
  }));
}

function starsAt(analysed: AnalysedReviews, positions: ArrayLike<number>): Pick<Topic, "poor_count" | "good_count"> {
  const { poor, good } = poorAndGood(analysed, positions);
  return { poor_count: poor, good_count: good };
}

function entities(analysed: AnalysedReviews, kind: Mentioned, named: readonly Named[]): Entity[] {
  return named
    .map(({ id, label }) => {
      const positions = positionsOf(analysed, kind, id);
      return {
        id,
        label,
        mention_count: positions.length,
        average_rating: meanAt(analysed.ratings, positions),
        score: meanAt(analysed.scores, positions),
        example_review_ids: examples(analysed, positions),
      };
    })
    .sort((a, b) => b.mention_count - a.mention_count);
}
