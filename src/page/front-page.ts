/** The page at the root: who this business is, how good it is and at what, with the evidence. */
import { html } from "hono/html";
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { filterSchema } from "../filter.ts";
import type { Aspect, Entity } from "../insights.ts";
import type { Review } from "../review.ts";
import { renderAspectChart } from "./chart/aspect-chart.ts";
import { renderMonthChart } from "./chart/month-chart.ts";
import { renderRatingChart } from "./chart/rating-chart.ts";
import { listAddress } from "./list-question.ts";
import { renderContact } from "./part/contact.ts";
import { renderPage } from "./part/page-frame.ts";
import { type CardSettings, languageOf, renderReviewCard } from "./part/review-card.ts";
import { renderStars } from "./part/stars.ts";
import { businessMarkup, renderMarkup } from "./part/structured-data.ts";
import { type Locale, makeLocale } from "./text/locale.ts";
import type { Markup } from "./text/markup.ts";
import { fill } from "./text/words.ts";

/** How many of the newest reviews, of the entries of a list, and of the reviews behind an answer the page shows. */
const [NEWEST, MOST_ENTRIES, MOST_GROUNDS] = [6, 8, 5];

/** An aspect counts as a strength or a weakness from so many mentions on, and shows so many of each. */
const [TELLING_MENTIONS, MOST_TRAITS] = [3, 3];

/** The document of `/`. */
export function renderFrontPage(edition: Edition): Document {
  const { business, aggregateRating, insights, language } = edition;
  const locale = makeLocale(language);
  const { words } = locale;
  const settings: CardSettings = { locale, language, businessName: business.name };
  const { reviews } = edition.list(filterSchema.parse({ limit: NEWEST }));
  const content = html`${renderHero(edition, locale)}
${
  aggregateRating.review_count === 0
    ? html`<p class="card">${fill(words.noReviewsHint, { name: business.name })}</p>`
    : html`<div class="pair">
<section class="card" aria-labelledby="rating"><h2 id="rating">${words.distribution}</h2>${renderRatingChart(aggregateRating, locale)}${renderStarLinks(edition, locale)}</section>
${renderAspects(insights.aspects, locale)}
</div>
${renderQuote(edition, settings)}
${renderMonths(edition, locale)}
<section aria-labelledby="newest"><h2 id="newest">${words.newest}</h2><div class="cards">${reviews.map((review) => renderReviewCard(review, settings))}</div><p><a class="button" href="/reviews">${locale.counted(words.readAll, aggregateRating.review_count)}</a></p></section>
<div class="pair">${renderEntities(edition, locale, { id: "people", title: words.people, entities: insights.entities.technicians, parameter: "mentions_technician" })}${renderEntities(edition, locale, { id: "work", title: words.services, entities: insights.entities.services, parameter: "mentions_service" })}</div>
${renderQuestions(edition, settings)}`
}
${renderContact(business, locale)}
${renderFollow(edition, locale)}`;
  return renderPage(edition, {
    path: "/",
    title: fill(words.reviewsOf, { name: business.name }),
    description: describe(edition, locale),
    content,
    entry: "home",
    dataPath: "/reviews.json",
    structured: renderMarkup(businessMarkup(edition, reviews)),
  });
}

/** The publication in a sentence, for search engines and shared links. */
export function describe({ business, aggregateRating: rating }: Edition, locale: Locale): string {
  const { words } = locale;
  if (rating.rating_value === null) return fill(words.descriptionNone, { name: business.name });
  return fill(words.descriptionOf, {
    name: business.name,
    stars: locale.number(rating.rating_value, 2),
    reviews: locale.counted(words.verifiedReviews, rating.review_count),
  });
}

function renderHero({ business, aggregateRating, insights }: Edition, locale: Locale): Markup {
  const { words } = locale;
  const { rating_value: mean, review_count: count } = aggregateRating;
  const town = [business.address?.locality, business.address?.region].filter((part) => part !== undefined).join(", ");
  return html`<section class="hero">
<div><h1><bdi>${business.name}</bdi></h1>
${town === "" ? "" : html`<p class="soft">${town}</p>`}
${
  mean === null
    ? html`<p class="score"><span class="soft">${words.noReviewsYet}</span></p>`
    : html`<p class="score"><strong>${locale.number(mean, 2)}</strong> ${renderStars(mean, locale, 2)} <a href="/reviews">${locale.counted(words.verifiedReviews, count)}</a></p>`
}
${business.description === undefined ? "" : html`<p>${business.description}</p>`}
<p class="actions">${business.telephone === undefined ? "" : html`<a class="button" href="tel:${business.telephone.replaceAll(/[^\d+]/g, "")}">${fill(words.call, { telephone: business.telephone })}</a>`}${business.url === undefined ? "" : html` <a class="button quiet" href="${business.url}">${words.website}</a>`}</p></div>
${mean === null ? "" : html`<div class="traits">${renderTraits(insights.aspects, locale)}<p>${insights.summary}</p></div>`}
</section>`;
}

/** What is praised most and criticised most, in a few words. */
function renderTraits(aspects: readonly Aspect[], locale: Locale): Markup {
  const { words } = locale;
  const telling = aspects.filter(({ mention_count }) => mention_count >= TELLING_MENTIONS);
  const good = telling.filter(({ positive_count: praise, negative_count: blame }) => praise > blame * 2);
  const bad = telling.filter(({ positive_count: praise, negative_count: blame }) => blame > praise);
  const list = (title: string, kind: string, traits: readonly Aspect[]) =>
    traits.length === 0
      ? ""
      : html`<p class="trait"><span>${title}</span> ${traits.slice(0, MOST_TRAITS).map(({ label }) => html`<span class="chip ${kind}">${label}</span> `)}</p>`;
  const byPraise = good.toSorted((a, b) => b.positive_count - a.positive_count);
  const byBlame = bad.toSorted((a, b) => b.negative_count - a.negative_count);
  return html`${list(words.praisedFor, "good", byPraise)}${list(words.criticisedFor, "bad", byBlame)}`;
}

function renderStarLinks(edition: Edition, locale: Locale): Markup {
  const { words } = locale;
  return html`<p class="star-links"><span>${words.readByStars}</span> ${[5, 4, 3, 2, 1].map(
    (stars) =>
      html`<a class="chip" href="${listAddress(new URLSearchParams({ rating: String(stars) }), edition)}">${locale.counted(words.starsName, stars)}</a> `,
  )}</p>`;
}

function renderAspects(aspects: readonly Aspect[], locale: Locale): Markup {
  const chart = renderAspectChart(aspects, locale);
  if (chart === "") return "";
  const { words } = locale;
  return html`<section class="card" aria-labelledby="aspects"><h2 id="aspects">${words.aspects}</h2><p class="soft">${words.aspectsNote}</p>${chart}</section>`;
}

function renderMonths({ insights }: Edition, locale: Locale): Markup {
  const chart = renderMonthChart(insights.temporal.monthly, locale);
  if (chart === "") return "";
  const { words } = locale;
  return html`<section class="card" aria-labelledby="months"><h2 id="months">${words.months}</h2><p>${words[insights.temporal.trend]}</p>${chart}</section>`;
}

/** The pull quote with its author and a link, where the review that it is from can be told. */
function renderQuote(edition: Edition, settings: CardSettings): Markup {
  const { pull_quote: quote } = edition.insights;
  if (quote === null) return "";
  const { locale } = settings;
  const author = authorOf(edition, quote);
  return html`<figure class="quote"><blockquote dir="auto"${languageOf(settings)}><p>${quote}</p></blockquote>${
    author === undefined
      ? ""
      : html`<figcaption>${renderStars(author.rating, locale)} <bdi>${author.author}</bdi>, <time datetime="${author.date}">${locale.date(author.date)}</time> · <a href="/reviews/${author.id}">${locale.words.readReview}</a></figcaption>`
  }</figure>`;
}

/** The review of four or five stars that holds the sentence. */
function authorOf(edition: Edition, quote: string): Review | undefined {
  const { reviews } = edition.list(filterSchema.parse({ min_rating: 4, query: quote, limit: 20 }));
  return reviews.find(({ text }) => text?.includes(quote));
}

interface EntityList {
  readonly id: string;
  readonly title: string;
  readonly entities: readonly Entity[];
  /** The parameter of the list of reviews that asks for one of them. */
  readonly parameter: string;
}

function renderEntities(edition: Edition, locale: Locale, { id, title, entities, parameter }: EntityList): Markup {
  const { words } = locale;
  const named = entities.filter(({ mention_count }) => mention_count > 0).slice(0, MOST_ENTRIES);
  if (named.length === 0) return "";
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><table class="entities"><thead><tr><th scope="col">${words.name}</th><th scope="col">${words.average}</th><th scope="col">${words.mentionedBy}</th></tr></thead><tbody>${named.map(
    ({ id: name, label, mention_count, average_rating }) =>
      html`<tr><th scope="row"><a href="${listAddress(new URLSearchParams({ [parameter]: name }), edition)}"><bdi>${label}</bdi></a></th><td>${average_rating === null ? "–" : html`${renderStars(average_rating, locale, 2)} <span aria-hidden="true">${locale.number(average_rating, 2)}</span>`}</td><td>${locale.number(mention_count)}</td></tr>`,
  )}</tbody></table></section>`;
}

function renderQuestions({ insights }: Edition, settings: CardSettings): Markup {
  const { words } = settings.locale;
  if (insights.faq.length === 0) return "";
  return html`<section class="card" aria-labelledby="questions"><h2 id="questions">${words.questions}</h2>${insights.faq.map(
    ({ question, answer, review_ids: ids }) =>
      html`<details class="question"><summary>${question}</summary><p dir="auto">${answer}</p>${
        ids.length === 0
          ? ""
          : html`<p class="soft">${words.groundedIn} ${ids
              .slice(0, MOST_GROUNDS)
              .map(
                (id, index) =>
                  html`<a href="/reviews/${id}">${fill(words.reviewNumber, { number: String(index + 1) })}</a> `,
              )}</p>`
      }</details>`,
  )}</section>`;
}

function renderFollow({ baseUrl, isStatic }: Edition, { words }: Locale): Markup {
  return html`<section class="card" aria-labelledby="follow"><h2 id="follow">${words.follow}</h2><ul class="plain">
<li>${words.followFeed}: <a href="/feed.xml">Atom</a>, <a href="/api/feed.json">JSON Feed</a></li>
${
  isStatic === true
    ? ""
    : html`<li>${words.followAgent} <code>${baseUrl}/mcp</code> (<a href="/docs#mcp-guide">MCP</a>)</li>
<li><a href="/docs#websub">${words.followPush}</a></li>`
}
<li>${words.followData}: <a href="/reviews.json">reviews.json</a>, <a href="/insights.json">insights.json</a></li>
</ul></section>`;
}
