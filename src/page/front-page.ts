/** The home page: the business, its rating, its strengths and weaknesses, and the evidence for them. */
import { html } from "hono/html";
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { filterSchema } from "../filter.ts";
import { mostCriticised, mostPraised } from "../insight/statistics/aspect-ranking.ts";
import { languageOfText } from "../insight/text/language.ts";
import type { Aspect, Entity, Insights } from "../insights-document.ts";
import { ABOUT_PATH, LIST_PATH, listAddress } from "../interface.ts";
import type { Review } from "../review.ts";
import { renderAspectChart } from "./chart/aspect-chart.ts";
import { renderMonthChart } from "./chart/month-chart.ts";
import { aspectQuotes, quotesAnchor, renderAspectQuotes } from "./part/aspect-quotes.ts";
import { renderActions, renderContact } from "./part/contact.ts";
import { renderCriticism } from "./part/criticism.ts";
import { criticisedTopics, ownSummary, topicName } from "./part/own-prose.ts";
import { renderPage } from "./part/page-frame.ts";
import { renderQuestions } from "./part/questions.ts";
import { renderRatingPanel } from "./part/rating-panel.ts";
import { authorName, type CardSettings, languageOf, renderReviewCard } from "./part/review-card.ts";
import { renderStars } from "./part/stars.ts";
import { businessMarkup, renderMarkup } from "./part/structured-data.ts";
import { type Locale, localeOf } from "./text/locale.ts";
import { type Markup, withName, withNamesApart } from "./text/markup.ts";
import { proseFor } from "./text/page-prose.ts";
import { aspectLabel, proseLanguage } from "./text/prose-language.ts";
import { fill } from "./text/words.ts";

/** Maximum number of reviews under “newest”, and of rows in a table. */
const [MAX_NEWEST, MAX_ENTRIES] = [6, 8];
const MAX_TOPICS = 10;

/** Maximum number of reviews searched for ones with text, and the page size of that search. */
const [MAX_SEARCHED, PAGE_SIZE] = [500, 100];

/** Maximum number of strengths, and of weaknesses beside those that the strengths ask for. */
const [MAX_STRENGTHS, MAX_WEAKNESSES] = [4, 2];

/** Renders `/`. */
export function renderFrontPage(edition: Edition): Document {
  const { business, aggregateRating, insights, language } = edition;
  const locale = localeOf(language);
  const { words } = locale;
  const settings: CardSettings = { locale, language, businessName: business.name, tellLanguage: languageOfText };
  const count = aggregateRating.review_count;
  const { technicians, services } = insights.entities;
  const reviews = newestToShow(edition);
  const areAllShown = reviews.length === count; // then quotations would only repeat the reviews beside them
  const title = isNewest(edition, reviews) ? words.newest : words.newestWithText;
  const newest = html`<section aria-labelledby="newest"><h2 id="newest">${areAllShown ? locale.counted(words.reviews, count) : title}</h2><div class="cards">${reviews.map((review) => renderReviewCard(review, settings))}</div>${
    areAllShown
      ? ""
      : html`<div class="actions"><a class="button" href="/reviews">${locale.counted(words.readAll, count)}</a> ${renderSearch(edition, locale)}</div>`
  }</section>`;
  const { good, bad } = traitsOf(insights.aspects);
  const quotes = areAllShown ? [] : aspectQuotes(edition, [...good, ...bad]);
  const quoted = new Set(quotes.map(({ aspect }) => aspect.id));
  const content = html`${renderHero(edition, locale, quoted)}
<div class="columns">
<div class="stack">
${
  count === 0
    ? html`<p class="card">${withName(words.noReviewsHint, business.name)}</p>`
    : areAllShown
      ? html`${newest}${renderAspects(edition, locale)}`
      : html`${renderQuote(edition, settings)}
${renderAspects(edition, locale, renderAspectQuotes(edition, quotes, locale))}
${newest}
${renderCriticism(edition, settings)}`
}
${
  count === 0
    ? ""
    : html`
${renderMonths(edition, locale)}
${renderEntities(edition, locale, { id: "people", title: words.people, entities: technicians, parameter: "mentions_technician" })}
${renderEntities(edition, locale, { id: "work", title: words.services, entities: services, parameter: "mentions_service" })}
${renderQuestions(edition, namesIn(edition), settings)}`
}
${renderFollow(edition, locale)}
</div>
<div class="${count === 0 ? "aside brief" : "aside"}">${renderTrust(edition, locale)}
${renderContact(business, locale)}</div>
</div>`;
  return renderPage(edition, {
    path: "/",
    title: fill(words.reviewsOf, { name: business.name }),
    description: describe(edition, locale),
    content,
    entry: "home",
    dataPaths: ["/reviews.json", "/insights.json"],
    explainsVerified: count > 0,
    structured: renderMarkup(businessMarkup(edition, reviews)),
  });
}

/** A field that searches the list of reviews. */
function renderSearch({ isStatic }: Edition, { words }: Locale): Markup {
  return html`<search><form class="find" action="${LIST_PATH}${isStatic === true ? "/" : ""}" method="get"><input type="search" name="query" required aria-label="${words.searchReviews}" placeholder="${words.searchHint}"><button class="button quiet">${words.searchReviews}</button></form></search>`;
}

/** The newest reviews with text, or the newest reviews overall if none of those searched has text. */
export function newestToShow(edition: Edition, max = MAX_NEWEST): readonly Review[] {
  const found: Review[] = [];
  for (let offset = 0; offset < MAX_SEARCHED && found.length < max; offset += PAGE_SIZE) {
    const { reviews } = edition.list(filterSchema.parse({ limit: PAGE_SIZE, offset }));
    found.push(...reviews.filter(({ text }) => text !== null));
    if (reviews.length < PAGE_SIZE) break;
  }
  if (found.length === 0) return edition.list(filterSchema.parse({ limit: max })).reviews;
  return found.slice(0, max);
}

/** Whether no newer review is left out because it has no text. */
export function isNewest(edition: Edition, reviews: readonly Review[]): boolean {
  const newest = edition.list(filterSchema.parse({ limit: Math.max(reviews.length, 1) })).reviews;
  return newest.every(({ id }, place) => reviews[place]?.id === id);
}

/** A one-sentence description for search engines and link previews. */
export function describe({ business, aggregateRating: rating }: Edition, locale: Locale): string {
  const { words } = locale;
  if (rating.rating_value === null) return fill(words.descriptionNone, { name: business.name });
  return fill(words.descriptionOf, {
    name: business.name,
    stars: locale.number(rating.rating_value, 2),
    reviews: locale.counted(words.verifiedReviews, rating.review_count),
  });
}

function renderHero(edition: Edition, locale: Locale, quoted: ReadonlySet<string>): Markup {
  const { business, aggregateRating, insights } = edition;
  const town = [business.address?.locality, business.address?.region].filter((part) => part !== undefined).join(", ");
  return html`<div class="hero">
<div class="named"><h1><bdi>${business.name}</bdi></h1>
${town === "" ? "" : html`<p class="soft">${town}</p>`}</div>
${renderRatingPanel(aggregateRating, locale, { latest: insights.date_range.latest, addressOf: (stars) => listAddress(new URLSearchParams({ rating: String(stars) }), edition) })}
<div class="more">${business.description === undefined ? "" : html`<p>${business.description}</p>`}
${renderActions(business, locale)}
${renderTraits(edition, quoted, locale)}
${renderTopics(edition, locale)}</div>
</div>`;
}

/** What customers name by themselves, each with its reviews and their mean stars, as links to these reviews. */
function renderTopics(edition: Edition, locale: Locale): Markup {
  const topics = edition.insights.topics.slice(0, MAX_TOPICS);
  if (topics.length === 0) return "";
  return html`<dl class="traits"><div><dt>${locale.words.customersMention}</dt><dd>${topics.map(
    (topic) =>
      html`<a class="chip" href="${listAddress(new URLSearchParams({ topic: topic.id }), edition)}">${topicName(edition, topic, locale)} <b>${locale.number(topic.review_count)}</b> ${renderStars(edition.topicRating(topic.id) ?? 0, locale, 1)}</a> `,
  )}</dd></div></dl>`;
}

/**
 * The most praised and the most criticised aspects. One that more reviews criticise than praise is never shown as
 * praised alone.
 */
function traitsOf(aspects: readonly Aspect[]) {
  const good = mostPraised(aspects, MAX_STRENGTHS);
  const criticised = mostCriticised(aspects);
  const last = criticised.findLastIndex(
    (aspect) => good.includes(aspect) && aspect.negative_count > aspect.positive_count,
  );
  return { good, bad: mostCriticised(aspects, Math.max(MAX_WEAKNESSES, last + 1)) };
}

/** The aspects at the top as chips, each a link to what customers say about it, the criticised ones with what that is about. */
function renderTraits(edition: Edition, quoted: ReadonlySet<string>, locale: Locale): Markup {
  const { words } = locale;
  const { good, bad } = traitsOf(edition.insights.aspects);
  const list = (title: string, kind: string, traits: readonly Aspect[], count: (aspect: Aspect) => number) =>
    traits.length === 0
      ? ""
      : html`<div><dt>${title}</dt><dd>${traits.map((aspect) => {
          const { text, lang } = aspectLabel(aspect.label, locale);
          const topics = kind === "bad" ? criticisedTopics(edition, aspect, locale) : "";
          return html`<a class="chip ${kind}" href="#${quoted.has(aspect.id) ? quotesAnchor(aspect) : "aspects"}"><span${lang}>${text}</span> <b>${locale.number(count(aspect))}</b>${topics === "" ? "" : html`<span class="about">${topics}</span>`}</a> `;
        })}</dd></div>`;
  const lists = html`${list(words.praisedFor, "good", good, (aspect) => aspect.positive_count)}${list(words.criticisedFor, "bad", bad, (aspect) => aspect.negative_count)}`;
  return good.length + bad.length === 0 ? "" : html`<dl class="traits">${lists}</dl>`;
}

function renderAspects(edition: Edition, locale: Locale, quotes: Markup = html``): Markup {
  const { aspects } = edition.insights;
  const { words } = locale;
  const chart = renderAspectChart(aspects, locale);
  const prose = edition.summaryLanguage === "en" ? proseFor(locale.tag) : undefined; // English: the analysis wrote it
  const lang = prose === undefined ? proseLanguage(locale, edition.summaryLanguage) : "";
  const summary =
    prose === undefined
      ? withNamesApart(edition.insights.summary, namesIn(edition))
      : ownSummary(edition, locale, prose);
  return html`<section class="card" aria-labelledby="aspects"><h2 id="aspects">${chart === "" ? words.summary : words.aspects}</h2><p dir="auto"${lang}>${summary}</p>${renderUnread(edition, locale)}${
    chart === ""
      ? ""
      : html`<div class="split"><div><p class="soft">${words.aspectsNote}</p>${chart}</div>${quotes}</div>`
  }</section>`;
}

/** How many reviews are in languages that are not read, and in which (interface §6); empty if there are none. */
function renderUnread({ insights: { languages, unread_count } }: Edition, locale: Locale): Markup {
  if (unread_count === 0) return "";
  const unread = languages.filter(({ analysed }) => !analysed);
  const list = unread.map(({ language }) => locale.languageName(language)).join(", ");
  return html`<p class="soft">${locale.counted(locale.words.unread, unread_count, { list })}</p>`;
}

/** The names that the published prose may use. */
function namesIn({ business }: Pick<Edition, "business">): string[] {
  const { name, technicians, services, service_areas: areas } = business;
  return [name, ...technicians.map((one) => one.name), ...[...services, ...areas].map(({ label }) => label)];
}

function renderMonths({ insights }: Edition, locale: Locale): Markup {
  const chart = renderMonthChart(insights.temporal.monthly, locale);
  if (chart === "") return "";
  const { words } = locale;
  return html`<section class="card" aria-labelledby="months"><h2 id="months">${words.months}</h2><p>${trendSentence(insights.temporal, locale)}</p>${chart}</section>`;
}

/** The trend with the numbers that it compares. */
function trendSentence({ trend, trend_basis: { recent, before } }: Insights["temporal"], locale: Locale): string {
  const stars = (mean: number | null) => (mean === null ? locale.words.none : locale.number(mean, 2));
  return fill(locale.words[trend], {
    recent: locale.number(recent.review_count),
    before: locale.number(before.review_count),
    recentStars: stars(recent.average_rating),
    beforeStars: stars(before.average_rating),
    month: locale.month((recent.until ?? "").slice(0, 7)),
  });
}

/** The pull quote, with its author and a link if the review it comes from is found. */
function renderQuote(edition: Edition, settings: CardSettings): Markup {
  const { pull_quote: quote } = edition.insights;
  if (quote === null) return "";
  const { locale } = settings;
  const author = authorOf(edition, quote);
  return html`<figure class="quote"><blockquote dir="auto"${languageOf(settings, quote)}><p>${quote}</p></blockquote>${
    author === undefined
      ? ""
      : html`<figcaption>${renderStars(author.rating, locale)} <bdi>${authorName(author.author, locale)}</bdi>, <time datetime="${author.date}">${locale.date(author.date)}</time> · <a href="/reviews/${author.id}">${locale.words.readReview}</a></figcaption>`
  }</figure>`;
}

/** The four- or five-star review that contains the sentence. */
function authorOf(edition: Edition, quote: string): Review | undefined {
  const { reviews } = edition.list(filterSchema.parse({ min_rating: 4, query: quote, limit: 20 }));
  return reviews.find(({ text }) => text?.includes(quote));
}

interface EntityTable {
  readonly id: string;
  readonly title: string;
  readonly entities: readonly Entity[];
  /** The list parameter that filters by an entity of this table. */
  readonly parameter: string;
}

function renderEntities(edition: Edition, locale: Locale, { id, title, entities, parameter }: EntityTable): Markup {
  const { words } = locale;
  const named = entities.filter(({ mention_count }) => mention_count > 0);
  if (named.length === 0) return "";
  const rest = named.slice(MAX_ENTRIES);
  const table = (rows: readonly Entity[]) =>
    html`<table class="entities"><thead><tr><th scope="col">${words.name}</th><th scope="col">${words.average}</th><th scope="col">${words.mentionedBy}</th></tr></thead><tbody>${rows.map(
      ({ id: name, label, mention_count, average_rating }) =>
        html`<tr><th scope="row"><a href="${listAddress(new URLSearchParams({ [parameter]: name }), edition)}"><bdi>${label}</bdi></a></th><td>${average_rating === null ? "–" : html`${renderStars(average_rating, locale, 2)} <span aria-hidden="true">${locale.number(average_rating, 2)}</span>`}</td><td>${locale.number(mention_count)}</td></tr>`,
    )}</tbody></table>`;
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${table(named.slice(0, MAX_ENTRIES))}${
    rest.length === 0
      ? ""
      : html`<details class="figures"><summary>${locale.counted(words.andMore, rest.length)}</summary>${table(rest)}</details>`
  }</section>`;
}

/** The trust section: the reviews' sources and dates, the replies, and the statement that no review is left out. */
function renderTrust(edition: Edition, locale: Locale): Markup {
  const { aggregateRating, insights, markedRating } = edition;
  const { words } = locale;
  const { earliest, latest } = insights.date_range;
  if (earliest === null || latest === null) return "";
  const replies = edition.list(filterSchema.parse({ has_reply: true, limit: 1 })).matched;
  const linked = edition.linkedCount;
  const count = aggregateRating.review_count;
  const facts = [
    locale.counted(words.writtenBetween, count, {
      from: locale.date(earliest),
      to: locale.date(latest),
    }),
    words.verifiedMeaning,
    [
      locale.counted(words.eachNamesItsSource, count),
      ...(linked === 0 ? [] : [locale.counted(words.linked, linked)]),
    ].join(" "),
    ...(markedRating.rating_value === null || markedRating.review_count === aggregateRating.review_count
      ? [] // what search engines are told must be on the page, too
      : [
          locale.counted(words.givenDirectly, markedRating.review_count, {
            stars: locale.number(markedRating.rating_value, markedRating.review_count === 1 ? 0 : 2),
          }),
        ]),
    ...(replies === 0 ? [] : [locale.counted(words.ownerReplied, replies)]),
  ];
  return html`<section class="card" aria-labelledby="trust"><h2 id="trust">${locale.counted(words.trust, aggregateRating.review_count)}</h2><ul class="ticks">${facts.map((fact) => html`<li>${fact}</li>`)}</ul><p><a href="${ABOUT_PATH}">${words.howGathered}</a></p></section>`;
}

function renderFollow({ baseUrl, isStatic }: Edition, { words, colon }: Locale): Markup {
  return html`<section class="card" aria-labelledby="follow"><h2 id="follow">${words.follow}</h2><ul class="plain">
<li>${words.followFeed}${colon} <a href="/feed.xml">Atom</a>, <a href="/api/feed.json">JSON Feed</a></li>
${
  isStatic === true
    ? ""
    : html`<li>${words.followAgent} <code>${baseUrl}/mcp</code> (<a href="/docs#mcp-guide">MCP</a>)</li>
<li><a href="/docs#websub">${words.followPush}</a></li>`
}
<li>${words.followData}${colon} <a href="/reviews.json">reviews.json</a>, <a href="/insights.json">insights.json</a>, <a href="/provenance.json">provenance.json</a></li>
</ul></section>`;
}
