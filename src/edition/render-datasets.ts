/** Renders the datasets and feeds of an edition from a snapshot of the store. Pure; runs off the request thread. */

import { type Business, type BusinessFile, publishedBusiness, UNNAMED_BUSINESS } from "../business.ts";
import { countCorrections } from "../correction.ts";
import { buildInsights, type InsightsHead } from "../insight/insights-builder.ts";
import { countReadTexts } from "../insight/statistics/analysed-reviews.ts";
import type { Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import { type FoundThemes, findThemes } from "../insight/theme/themes.ts";
import { PROVENANCE_PATH } from "../interface.ts";
import type { Review } from "../review.ts";
import type { ChangeSequence } from "../store/change-sequence.ts";
import type { Snapshot } from "../store/store.ts";
import { type AggregateRating, aggregateRating } from "./aggregate-rating.ts";
import { renderAtomFeed } from "./atom-feed.ts";
import { type Document, JSON_TYPE, makeDocument } from "./document.ts";
import { FEED_LENGTH, feedItem } from "./feed-item.ts";
import type { ItemList } from "./item-writer.ts";
import { renderJsonFeed } from "./json-feed.ts";
import { type Provenance, provenanceOf } from "./provenance.ts";
import { openReviewAnalyser } from "./review-analyser.ts";
import { analysisAt, positionOf, type ReviewIndex, reviewAt, reviewsForStatistics } from "./review-index.ts";
import { type LastReviews, partsOf, themeEdits, writeReviews } from "./review-index-writer.ts";
import { figuresBySource, ratingsOf } from "./source-figures.ts";

const ATOM_TYPE = "application/atom+xml";

/** A rendered edition: plain data that can be passed between threads. */
export interface RenderedEdition {
  readonly revision: number;
  /** When the data was committed: the Last-Modified of all documents. */
  readonly revisedAt: Date;
  readonly baseUrl: string;
  /** Whether this is the bundled sample. */
  readonly sample: boolean;
  readonly language: string;
  readonly business: Business;
  /** The accent colour of the pages, `#rrggbb`. */
  readonly color: string | undefined;
  readonly aggregateRating: AggregateRating;
  /** What the owner lets be marked up as structured data, and the rating of those reviews. */
  readonly structuredData: BusinessFile["structured_data"];
  readonly markedRating: AggregateRating;
  /** The insights; the entries of single reviews are in the review index. */
  readonly insights: InsightsHead;
  /** The language of the summary: that of the business if the owner wrote it, English if it was generated. */
  readonly summaryLanguage: string;
  /** Whether the owner wrote the summary. */
  readonly isSummaryOwn: boolean;
  readonly reviewIndex: ReviewIndex;
  readonly documents: readonly Document[];
  readonly provenance: Provenance;
  /** The ids of removed and withdrawn reviews. */
  readonly gone: readonly string[];
  /** What copies may have followed the publication to, and what they must delete. */
  readonly sequence: Pick<ChangeSequence, "ends" | "gone">;
}

export interface RenderSettings {
  readonly baseUrl: string;
  readonly sample: boolean;
  readonly taxonomy: Taxonomy;
  /** The language model whose stored analyses take precedence over the program's own. */
  readonly model?: string | undefined;
  /** The reviews of the last edition, if the snapshot has only what changed since. */
  readonly last?: LastReviews | undefined;
}

/** An edition, and what of it only the thread that renders the next one needs. */
export interface RenderedDatasets extends RenderedEdition {
  readonly foundThemes: FoundThemes;
}

/** Renders the datasets and feeds of a snapshot, and what pages and searches need besides. */
export function renderDatasets(snapshot: Snapshot, settings: RenderSettings): RenderedDatasets {
  const { baseUrl, sample, taxonomy, last } = settings;
  const file = snapshot.business ?? UNNAMED_BUSINESS;
  const business = publishedBusiness(file);
  const { language, color } = file;
  const { number: revision, revised_at: generatedAt } = snapshot.revision;
  const analyser = openReviewAnalyser(snapshot, file, settings);
  const { sequence } = snapshot;
  const parts = partsOf(snapshot, last?.index);
  const written = writeReviews(parts, { last, sequence, analyse: analyser.analyse });
  const aggregate = aggregateRating(written.columns.ratings);
  const { structured_data: structuredData } = file;
  const directly = structuredData === "first_party" ? ratingsOf(written.columns, "first_party") : new Uint8Array();
  const markedRating = structuredData === "all" ? aggregate : aggregateRating(directly);
  const { bytes: reviewsJson, items: records, starts } = written.records.document(...reviewsFrame(business, aggregate));
  const foundThemes = findThemes(written.themeColumns, countReadTexts(written.columns), file, last?.foundThemes);
  const { themes } = foundThemes;
  const edits = themeEdits(parts, themes, { last: last?.index, count: written.columns.count });
  const analyses = written.analyses.edited(edits);
  const index = { ...written.columns, themes, records, starts, ...analysesOf(analyses) };
  const insights = buildInsights({
    ...{ business: file, taxonomy, generatedAt, model: analyser.description() },
    analysed: reviewsForStatistics(index),
  });
  const framed = analyses.frame(...insightsFrame(insights));
  const reviewIndex = { ...index, ...analysesOf(framed) };
  const makeItem = (review: Review, services: readonly string[]) =>
    feedItem(review, { services, edit: snapshot.edits.get(review.id) }, { business, baseUrl });
  const feedItems = Array.from({ length: Math.min(FEED_LENGTH, index.count) }, (_, position) =>
    makeItem(reviewAt(index, position), analysisAt(index, position).services),
  );
  const atom = renderAtomFeed(business, feedItems, { baseUrl, language, emptySince: generatedAt });
  const provenance = provenanceOf(file, {
    history: snapshot.history,
    figures: figuresBySource(index),
    corrections: countCorrections(snapshot.corrections.filter(({ id }) => positionOf(index, id) !== undefined)),
    generatedAt,
  });
  return {
    revision,
    revisedAt: generatedAt,
    baseUrl,
    sample,
    language,
    business,
    color,
    aggregateRating: aggregate,
    structuredData,
    markedRating,
    insights,
    isSummaryOwn: file.summary !== undefined,
    summaryLanguage: file.summary === undefined ? "en" : language,
    reviewIndex,
    documents: [
      makeDocument("/reviews.json", JSON_TYPE, reviewsJson),
      makeDocument("/insights.json", JSON_TYPE, framed.bytes),
      makeDocument(PROVENANCE_PATH, JSON_TYPE, JSON.stringify(provenance)),
      makeDocument("/api/feed.json", JSON_TYPE, renderJsonFeed(business, language, feedItems, baseUrl)),
      makeDocument("/feed.xml", ATOM_TYPE, atom),
    ],
    provenance,
    gone: snapshot.gone,
    sequence: { ends: sequence.ends, gone: sequence.gone },
    foundThemes,
  };
}

function analysesOf({ items, starts }: ItemList): Pick<ReviewIndex, "analyses" | "analysisStarts"> {
  return { analyses: items, analysisStarts: starts };
}

/** The parts of `/reviews.json` before and after the reviews. */
function reviewsFrame(business: Business, aggregate: AggregateRating): [head: string, tail: string] {
  return [`{"business":${JSON.stringify(business)},"aggregate_rating":${JSON.stringify(aggregate)},"reviews":[`, "]}"];
}

/** The parts of `/insights.json` before and after the analyses, in the order of the interface. */
function insightsFrame({ faq, summary, pull_quote, ...front }: InsightsHead): [head: string, tail: string] {
  const tail = JSON.stringify({ faq, summary, pull_quote }).slice(1);
  return [`${JSON.stringify(front).slice(0, -1)},"per_review":{`, `},${tail}`];
}
