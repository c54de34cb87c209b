/** Renders an edition's documents from a snapshot of the store. Pure; runs off the request thread. */

import { modelAnalysisKey, readerTag } from "../analysis/language-model/model-cache-key.ts";
import { type Business, type BusinessFile, publishedBusiness, UNNAMED_BUSINESS } from "../business.ts";
import { buildInsights, type InsightsHead, type KnownOfReviews, recallKnown } from "../insight/insights-builder.ts";
import { mentionFinder } from "../insight/mentions/mentions.ts";
import type { Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import { analyseText, analysisKey, MODEL, type TextAnalysis } from "../insight/text-analysis.ts";
import type { Analysis } from "../insights-document.ts";
import { isWords, type Review } from "../review.ts";
import { listAll, type ReviewList, type ReviewSource } from "../review-list.ts";
import type { Snapshot } from "../store/store.ts";
import { type AggregateRating, aggregateRating } from "./aggregate-rating.ts";
import { renderAtomFeed } from "./atom-feed.ts";
import { keptReviews } from "./column/kept-reviews.ts";
import { piecesOf } from "./column/pieces.ts";
import { type AnalysisToPublish, readStored } from "./column/stored-analysis.ts";
import { type Stretch, stretchesOf, stretchFinder } from "./column/stretches.ts";
import { type Document, JSON_TYPE, makeDocument } from "./document.ts";
import { FEED_LENGTH, feedItem } from "./feed-item.ts";
import { renderJsonFeed } from "./json-feed.ts";
import {
  analysedReviews,
  analysisAt,
  makeAnalyses,
  makeRecords,
  makeReviewIndex,
  type ReviewIndex,
} from "./review-index.ts";

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
  /** The insights; the entries of single reviews are in the review index. */
  readonly insights: InsightsHead;
  /** What is known of the mentions in the insights, which spares the next start finding it out again. */
  readonly judgements: string;
  /** The language of the summary: that of the business if the owner wrote it, English if it was generated. */
  readonly summaryLanguage: string;
  readonly reviewIndex: ReviewIndex;
  readonly documents: readonly Document[];
  /** What the documents at `LASTING_PATHS` were made of, if it has them. */
  readonly lastingKey?: string;
  /** The ids of removed and withdrawn reviews. */
  readonly gone: readonly string[];
  /** What it was made of besides its reviews and analyses. */
  readonly madeOf: Pick<Snapshot, "business" | "place">;
}

export interface RenderSettings {
  readonly baseUrl: string;
  readonly sample: boolean;
  readonly taxonomy: Taxonomy;
  /** The language model whose stored analyses take precedence over the program's own. */
  readonly model?: string | undefined;
  /** The last edition, replaced by this one. */
  readonly memory?: EditionMemory;
}

/** The last edition, from which the next one is made: what did not change since is copied. */
export interface EditionMemory {
  last?: {
    /** Its reviews, read from its bytes. */
    readonly reviews: ReviewSource;
    /** For each review, whether its analysis was made by the language model; empty if none was. */
    readonly areByModel: readonly boolean[];
    /** What its insights have found out of its reviews. */
    readonly known: KnownOfReviews;
    readonly taxonomy: Taxonomy;
    /** The business with whose names the mentions were found. */
    readonly names: string;
    readonly reviewIndex: ReviewIndex;
  };
  /** What was found of the next edition: asked twice. */
  found?: Found | undefined;
}

/** What the next edition takes over from the last one, and what it needs besides. */
interface Found {
  readonly last: EditionMemory["last"];
  readonly reviews: ReviewList;
  readonly taxonomy: Taxonomy;
  /** What the last edition, read by the same taxonomy, has of these reviews. */
  readonly stretches: readonly Stretch[];
  /** By the positions of the others, the keys of their analyses, as far as they were asked for. */
  readonly keys: (string | undefined)[];
}

/** What the next edition is made from. */
export type RecalledEdition = Pick<RenderedEdition, "reviewIndex" | "judgements" | "madeOf">;

/**
 * Fills an empty memory with an edition that was made before without a language model, perhaps by another process, so
 * that the next one need not be made from nothing. Returns its reviews.
 */
export function recallEdition(
  { reviewIndex, judgements, madeOf }: RecalledEdition,
  { taxonomy, memory }: { readonly taxonomy: Taxonomy; readonly memory: EditionMemory },
): ReviewList {
  const reviews = keptReviews(reviewIndex);
  const known = recallKnown({ analysed: analysedReviews(reviewIndex, reviews), taxonomy }, { judgements });
  const names = JSON.stringify(madeOf.business ?? UNNAMED_BUSINESS);
  memory.last = { reviews, areByModel: [], known, taxonomy, names, reviewIndex };
  return listAll(reviews);
}

/**
 * The reviews of the edition with this index, read from its bytes; undefined if a memory has another one. The next edition
 * takes a review as unchanged only if its list has it from there.
 */
export function reviewsIn({ last }: EditionMemory, reviewIndex: ReviewIndex): ReviewList | undefined {
  return last?.reviewIndex === reviewIndex ? listAll(last.reviews) : undefined;
}

/** Renders the edition of a snapshot, without content codings. */
export function renderEdition(snapshot: Snapshot, settings: RenderSettings): RenderedEdition {
  const { baseUrl, sample, taxonomy, memory = {} } = settings;
  const file = snapshot.business ?? UNNAMED_BUSINESS;
  const { reviews } = snapshot;
  const business = publishedBusiness(file);
  const names = JSON.stringify(file);
  const { analyses, unchangedAt, judgedAt, areByModel, model } = analyseAll(
    snapshot,
    { file, names },
    { ...settings, memory },
  );
  const generatedAt = snapshot.revision.revised_at;
  const aggregate = aggregateRating(reviews.ratings());
  const entries = { reviews, analyses };
  const before = memory.last;
  const changes = { pieces: piecesOf(reviews.length, unchangedAt), before: before?.reviewIndex };
  const records = makeRecords(entries, changes, reviewsFrame(business, aggregate));
  const unframed = makeAnalyses(entries, changes);
  const indexed = makeReviewIndex(entries, changes, { records, analyses: unframed });
  const analysed = analysedReviews(indexed, reviews);
  const { insights, judgements, known } = buildInsights({
    business: file,
    taxonomy,
    analysed,
    generatedAt,
    model,
    before: before && { known: before.known, positionOf: judgedAt },
  });
  const dataset = unframed.framed(insightsFrame(insights));
  const reviewIndex = { ...indexed, analyses: dataset.items };
  memory.last = { reviews: keptReviews(reviewIndex), areByModel, known, taxonomy, names, reviewIndex };
  memory.found = undefined;
  const items = [...reviews.slice(0, FEED_LENGTH)].map((review, position) =>
    feedItem(review, analysed.at(position).analysis.services, business, baseUrl),
  );
  const { language, color } = file;
  const documents = [
    makeDocument("/reviews.json", JSON_TYPE, records.bytes),
    makeDocument("/insights.json", JSON_TYPE, dataset.bytes),
    makeDocument("/api/feed.json", JSON_TYPE, renderJsonFeed(business, language, items, baseUrl)),
    makeDocument(
      "/feed.xml",
      ATOM_TYPE,
      renderAtomFeed(business, items, { baseUrl, language, emptySince: generatedAt }),
    ),
  ];
  const { number: revision } = snapshot.revision;
  return {
    revision,
    revisedAt: generatedAt,
    baseUrl,
    sample,
    language,
    business,
    color,
    aggregateRating: aggregate,
    insights,
    judgements,
    summaryLanguage: file.summary === undefined ? "en" : language,
    reviewIndex,
    documents,
    gone: snapshot.gone,
    madeOf: { business: snapshot.business, place: snapshot.place },
  };
}

/** The analyses of an edition. */
interface Analyses {
  /** Makes the analyses that the last edition does not have. */
  readonly analyses: { at(position: number): AnalysisToPublish };
  /** Where the last edition has the same review with the same analysis. */
  readonly unchangedAt: (position: number) => number | undefined;
  /** Where it has the same text and stars with the same analysis, but for the names in the text. */
  readonly judgedAt: (position: number) => number | undefined;
  readonly areByModel: readonly boolean[];
  /** The description of the analysers that made them. */
  readonly model: string;
}

/** Finds which analyses the last edition has, and what makes the others, with the names in their texts. */
function analyseAll(
  { reviews, analyses: stored }: Snapshot,
  { file, names }: { readonly file: BusinessFile; readonly names: string },
  { taxonomy, model, memory }: RenderSettings & { readonly memory: EditionMemory },
): Analyses {
  let find: ReturnType<typeof mentionFinder> | undefined; // made for what is new
  const tag = model === undefined ? undefined : readerTag(model, taxonomy);
  const { last } = memory;
  const areNamesSame = last?.names === names;
  const { stretches, keys } = foundIn(memory, reviews, taxonomy);
  const stretchAt = stretchFinder(stretches);
  const modelKeys = tag === undefined ? [] : Array.from(reviews, (review) => modelKeyOf(review, tag));
  // Only analyses that are in the store now are used, so that all processes render the same documents.
  const areByModel = modelKeys.map((key) => key !== undefined && stored.has(key));
  const judgedAt = (position: number) => {
    const stretch = stretchAt(position);
    const at = stretch?.at === undefined ? undefined : stretch.at + position - stretch.start;
    const isByOther = at !== undefined && (last?.areByModel[at] ?? false) !== (areByModel[position] ?? false);
    return isByOther ? undefined : at;
  };
  const isNobodyNamed = file.technicians.length + file.services.length + file.service_areas.length === 0;
  const made = new Map<string, Analysis>();
  const make = (position: number, key: string): Analysis => {
    const { text, rating } = reviews.at(position) as Review;
    const at = judgedAt(position);
    const { sentiment, score, aspects, problems, topics } =
      (at === undefined || last === undefined ? undefined : analysisAt(last.reviewIndex, at)) ??
      fromStore(stored.get(key)) ??
      analyseText(text, rating, taxonomy);
    find ??= mentionFinder(file, taxonomy);
    const { technicians, services, service_areas } = find(text);
    return { sentiment, score, aspects, technicians, services, problems, service_areas, topics };
  };
  const at = (position: number) => {
    const { text, rating } = reviews.at(position) as Review;
    const modelKey = areByModel[position] === true ? modelKeys[position] : undefined;
    const key = modelKey ?? keys[position] ?? analysisKey(text, rating, taxonomy);
    if (isNobodyNamed && modelKey === undefined && judgedAt(position) === undefined) {
      const body = stored.get(key);
      const read = body === undefined ? undefined : readStored(body, NOBODY);
      if (read !== undefined) return read;
    }
    return made.getOrInsertComputed(key, () => make(position, key));
  };
  const [texts, read] = [modelKeys.filter((key) => key !== undefined).length, areByModel.filter(Boolean).length];
  return {
    analyses: { at },
    unchangedAt: (position) => (areNamesSame && stretchAt(position)?.isSame === true ? judgedAt(position) : undefined),
    judgedAt,
    areByModel,
    model: read === 0 ? MODEL : `${model} (${read} of ${texts} texts), ${MODEL}`,
  };
}

const NOBODY = { technicians: [], services: [], service_areas: [] };

/** The key of the model's analysis of a review; undefined of stars alone. */
function modelKeyOf({ text, rating }: Review, tag: string): string | undefined {
  return isWords(text) ? modelAnalysisKey(text, rating, tag) : undefined;
}

function foundIn(memory: EditionMemory, reviews: ReviewList, taxonomy: Taxonomy): Found {
  const { last, found } = memory;
  if (found?.last === last && found?.reviews === reviews && found.taxonomy === taxonomy) return found;
  const stretches = stretchesOf(reviews, last?.taxonomy === taxonomy ? last.reviews : undefined);
  memory.found = { last, reviews, taxonomy, stretches, keys: [] };
  return memory.found;
}

/** The keys of the analyses that the next edition needs and that the last one does not have. Others need not be read. Reviews with
 * the same text and stars have the same one. */
export function missingKeys(reviews: ReviewList, taxonomy: Taxonomy, memory: EditionMemory): string[] {
  const { stretches, keys } = foundIn(memory, reviews, taxonomy);
  const missing: string[] = [];
  for (const { start, end, at } of stretches) {
    if (at !== undefined) continue; // nearly all: they are not read
    for (let position = start; position < end; position++) {
      const { text, rating } = reviews.at(position) as Review;
      const key = analysisKey(text, rating, taxonomy);
      keys[position] = key;
      missing.push(key);
    }
  }
  return missing;
}

function fromStore(body: string | undefined): TextAnalysis | undefined {
  return body === undefined ? undefined : (JSON.parse(body) as TextAnalysis);
}

/** What is before and after the reviews in `/reviews.json`. */
function reviewsFrame(business: Business, aggregate: AggregateRating): { head: string; tail: string } {
  const head = `{"business":${JSON.stringify(business)},"aggregate_rating":${JSON.stringify(aggregate)},"reviews":[`;
  return { head, tail: "]}" };
}

/** What is before and after the analyses in `/insights.json`, in the order of the interface. */
function insightsFrame({ faq, summary, pull_quote, ...front }: InsightsHead): { head: string; tail: string } {
  return {
    head: `${JSON.stringify(front).slice(0, -1)},"per_review":{`,
    tail: `},${JSON.stringify({ faq, summary, pull_quote }).slice(1)}`,
  };
}
