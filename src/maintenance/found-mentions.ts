/** Lists what the analysis found in published reviews, so that the owner can correct it. */
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { UNNAMED_BUSINESS, verifiedSourcesOf } from "../business.ts";
import { analysisKeysOf, openReviewAnalyser } from "../edition/review-analyser.ts";
import type { Taxonomy } from "../insight/taxonomy/taxonomy.ts";
import type { AspectMention } from "../insights-document.ts";
import type { Review } from "../review.ts";
import { analysesByKeys } from "../store/analysis-rows.ts";
import { correctionsInForce, correctionsUnder } from "../store/correction-rows.ts";
import { type PageWish, publishedPage } from "../store/review-rows.ts";
import { readBusiness, type Store } from "../store/store.ts";

/** A mention of an aspect, in its review. */
export interface Finding {
  readonly review: Review;
  readonly mention: AspectMention;
}

export interface FoundAspect extends Pick<Taxonomy["aspects"][number], "id" | "label"> {
  /** The newest findings. */
  readonly findings: readonly Finding[];
}

export interface FoundAspects {
  readonly aspects: readonly FoundAspect[];
  /** The last review that was looked at, if there are older ones. */
  readonly last: PageWish["after"];
}

export interface FindingsWish {
  /** Only this aspect. */
  readonly aspect?: string | undefined;
  readonly after?: PageWish["after"];
  readonly model?: string | undefined;
  /** How many findings of an aspect suffice. */
  readonly limit: number;
}

const REVIEWS_AT_A_TIME = 100;
/** Reviews that are looked at: a rare aspect must not have the whole store read. */
const MAX_REVIEWS = 600;

/** Finds the newest mentions of each aspect, or of one. */
export async function findMentions({ database }: Store, wish: FindingsWish): Promise<FoundAspects> {
  const { limit, model, aspect: wanted } = wish;
  const business = (await readBusiness(database)) ?? UNNAMED_BUSINESS;
  const settings = { taxonomy: taxonomyOf(business), model };
  const chosen = settings.taxonomy.aspects.filter(({ id }) => wanted === undefined || id === wanted);
  const found = new Map(chosen.map(({ id }) => [id, [] as Finding[]]));
  const isEnough = () => [...found.values()].every(({ length }) => length >= limit);
  let { after } = wish;
  for (let read = 0; read < MAX_REVIEWS && !isEnough(); read += REVIEWS_AT_A_TIME) {
    const sources = verifiedSourcesOf(business);
    const page = await publishedPage(database, sources, { limit: REVIEWS_AT_A_TIME, isWithText: true, after });
    const keys = page.reviews.flatMap((review) => analysisKeysOf(review, settings));
    const analyses = new Map((await analysesByKeys(database, keys)).map(({ key, body }) => [key, body]));
    const stored = await correctionsUnder(database, page.reviews.map(({ id }) => id)); // biome-ignore format: one page
    const corrections = await correctionsInForce(database, stored);
    const { analyse } = openReviewAnalyser({ analyses, corrections }, business, settings);
    for (const review of page.reviews) {
      for (const mention of analyse(review).analysis.aspects) found.get(mention.id)?.push({ review, mention });
      after = { date: review.date, id: review.id };
      if (isEnough()) break;
    }
    if (isEnough()) break;
    after = page.last;
    if (after === undefined) break;
  }
  const aspects = chosen.map(({ id, label }) => ({ id, label, findings: (found.get(id) ?? []).slice(0, limit) }));
  return { aspects, last: after };
}
