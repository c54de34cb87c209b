/** Quotes from customers about each aspect, shown beside the chart and linked to their reviews. */
import { html } from "hono/html";
import type { Edition } from "../../edition/edition.ts";
import { languageOfText } from "../../insight/text/language.ts";
import type { Aspect, Sentiment } from "../../insights-document.ts";
import type { Review } from "../../review.ts";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { beginning } from "../text/printable.ts";
import { aspectLabel } from "../text/prose-language.ts";
import { authorName, languageOf } from "./review-card.ts";
import { renderStars } from "./stars.ts";

const MAX_ASPECTS = 5;
/** Maximum number of newest reviews of a kind that are searched for words not quoted yet. */
const MAX_SEARCHED = 20;
const MAX_QUOTE_CHARACTERS = 160;

interface Quote {
  readonly review: Review;
  readonly evidence: string;
  readonly sentiment: Sentiment;
}

/** An aspect with what customers say about it. */
export interface QuotedAspect {
  readonly aspect: Aspect;
  readonly quotes: readonly Quote[];
}

/**
 * Quotes for the most mentioned aspects and for `wanted` ones: one positive and one negative for each, if the aspect's
 * example reviews contain them.
 */
export function aspectQuotes(edition: Edition, wanted: readonly Aspect[]): QuotedAspect[] {
  const said = new Set<string>(); // one sentence often judges several aspects
  return edition.insights.aspects
    .filter((aspect, place) => aspect.mention_count > 0 && (place < MAX_ASPECTS || wanted.includes(aspect)))
    .map((aspect) => ({ aspect, quotes: quotesOf(edition, aspect, said) }))
    .filter(({ quotes }) => quotes.length > 0);
}

/** The id of an aspect's quotes on the page. */
export function quotesAnchor({ id }: Aspect): string {
  return `about-${id}`;
}

/** Renders the quotes; empty without any. */
export function renderAspectQuotes(
  { language }: Pick<Edition, "language">,
  shown: readonly QuotedAspect[],
  locale: Locale,
): Markup {
  if (shown.length === 0) return "";
  const settings = { locale, language, businessName: "", tellLanguage: languageOfText };
  return html`<div class="excerpts"><h3>${locale.words.inTheirWords}</h3><dl>${shown.map(({ aspect, quotes }) => {
    const label = aspectLabel(aspect.label, locale);
    return html`<div id="${quotesAnchor(aspect)}"><dt${label.lang}>${label.text}</dt>${quotes.map(
      ({ review, evidence, sentiment }) =>
        html`<dd class="excerpt ${sentiment}"><q dir="auto"${languageOf(settings, review.text)}>${beginning(evidence, MAX_QUOTE_CHARACTERS).text}</q> <a class="author" href="/reviews/${review.id}">${renderStars(review.rating, locale)} <bdi>${beginning(authorName(review.author, locale), 40).text}</bdi></a></dd>`,
    )}</div>`;
  })}</dl></div>`;
}

/**
 * One positive and one negative quote, from the example reviews or, if they are in `said` already, from the newest ones;
 * adds them to it. An aspect with praise and criticism is quoted with both, even if only the same words are left.
 */
function quotesOf(edition: Edition, aspect: Aspect, said: Set<string>): Quote[] {
  const isTwoSided = aspect.positive_count > 0 && aspect.negative_count > 0;
  const quote = (review: Review): Quote[] => {
    const mention = edition.analysis(review.id)?.aspects.find(({ id }) => id === aspect.id);
    return mention === undefined ? [] : [{ review, evidence: mention.evidence, sentiment: mention.sentiment }];
  };
  const examples = aspect.example_review_ids.flatMap((id) => edition.review(id) ?? []).flatMap(quote);
  const isNew = ({ evidence }: Quote) => !said.has(evidence);
  const found = (["positive", "negative"] as const).flatMap((wanted) => {
    const ofKind = examples.filter(({ sentiment }) => sentiment === wanted);
    const fresh = ofKind.find(isNew);
    if (fresh !== undefined || !isTwoSided) return fresh ?? [];
    return edition.judging(aspect.id, MAX_SEARCHED)[wanted].flatMap(quote).find(isNew) ?? ofKind.slice(0, 1);
  });
  for (const { evidence } of found) said.add(evidence);
  return found;
}
