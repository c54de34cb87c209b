/** The rating at a glance: mean, stars, number of reviews, and number of reviews per star rating. */
import { html } from "hono/html";
import type { AggregateRating } from "../../edition/aggregate-rating.ts";
import { renderRatingChart } from "../chart/rating-chart.ts";
import { renderStar } from "../chart/star-path.ts";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { renderStars } from "./stars.ts";

interface PanelSource {
  /** The day of the newest review. */
  readonly latest: string | null;
  /** The address of the reviews with a number of stars. */
  readonly addressOf: (stars: number) => string;
}

/**
 * The panel with the chart, the day of the newest review, a link to why the reviews can be trusted (`#trust`), and a
 * link per star rating to its reviews if several were given. Without reviews, only a sentence.
 */
export function renderRatingPanel(rating: AggregateRating, locale: Locale, { latest, addressOf }: PanelSource): Markup {
  const { words } = locale;
  if (rating.rating_value === null)
    return html`<div class="card rating"><p class="soft">${words.noReviewsYet}</p></div>`;
  const given = ([5, 4, 3, 2, 1] as const).filter((stars) => rating.rating_counts[stars] > 0);
  const chips = given.map(
    (stars) =>
      html`<a class="chip" href="${addressOf(stars)}" aria-label="${locale.counted(words.starsName, stars)}">${stars} ${renderStar()}</a> `,
  );
  return html`<section class="card rating" aria-labelledby="rating"><h2 id="rating" class="hidden">${words.distribution}</h2>${renderScore(rating, rating.rating_value, locale)}<p class="soft why">${latest === null || rating.review_count === 1 ? "" : html`${words.newestOf} <time datetime="${latest}">${locale.shortDate(latest)}</time> `}<a class="whole" href="#trust">${locale.counted(words.trust, rating.review_count)}</a></p>${renderRatingChart(rating, locale)}${
    given.length < 2 ? "" : html`<p class="star-links"><span class="soft">${words.readByStars}</span> ${chips}</p>`
  }</section>`;
}

/** The mean rating with stars, and the number of reviews as a link to the list. */
export function renderScore(rating: AggregateRating, mean: number, locale: Locale): Markup {
  return html`<p class="score"><strong>${locale.number(mean, 2)}</strong> <span>${renderStars(mean, locale, 2)}<br><a href="/reviews">${locale.counted(locale.words.verifiedReviews, rating.review_count)}</a></span></p>`;
}
