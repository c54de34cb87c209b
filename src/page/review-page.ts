/** The page for one review, to which feeds and datasets link: its text, analysis and source. */
import { html } from "hono/html";
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { languageOfText } from "../insight/text/language.ts";
import type { Analysis, Sentiment } from "../insights-document.ts";
import { listAddress, REVIEW_PATH } from "../interface.ts";
import type { Review } from "../review.ts";
import { renderAvatar } from "./part/avatar.ts";
import { renderActions } from "./part/contact.ts";
import { renderPage } from "./part/page-frame.ts";
import { renderScore } from "./part/rating-panel.ts";
import {
  authorName,
  type CardSettings,
  languageOf,
  renderReadOn,
  renderReply,
  renderSource,
} from "./part/review-card.ts";
import { sourceName } from "./part/source-name.ts";
import { renderStars } from "./part/stars.ts";
import { businessMarkup, businessTypes, isMarked, renderMarkup, reviewMarkup } from "./part/structured-data.ts";
import { type Locale, localeOf } from "./text/locale.ts";
import type { Markup } from "./text/markup.ts";
import { beginning, segments, shownName } from "./text/printable.ts";
import { aspectLabel } from "./text/prose-language.ts";
import { webAddress } from "./text/web-address.ts";
import { fill } from "./text/words.ts";

/** Renders `/reviews/{id}`; undefined if no review has that id. */
export function renderReviewPage(edition: Edition, id: string): Document | undefined {
  const review = edition.review(id);
  if (review === undefined) return undefined;
  const { business, language, baseUrl } = edition;
  const locale = localeOf(language);
  const { words } = locale;
  const settings: CardSettings = { locale, language, businessName: business.name, tellLanguage: languageOfText };
  const analysis = edition.analysis(id);
  const marked = businessMarkup(edition);
  const data = edition.isStatic === true ? "/reviews.json" : `${REVIEW_PATH}/${review.id}`;
  const source = review.source_url === null ? undefined : webAddress(review.source_url);
  const author = authorName(review.author, locale);
  const title = fill(words.reviewTitle, {
    stars: locale.counted(words.starsName, review.rating),
    author,
    date: locale.date(review.date),
  });
  const content = html`<div class="columns"><div class="stack">
<article class="card single">
<div class="who">${renderAvatar(review.author)}<h1><span class="hidden">${fill(words.reviewBy, { author: "" })}</span><bdi>${author === shownName(review.author) ? review.author : author}</bdi></h1>
<p class="soft day">${renderStars(review.rating, locale)} <time datetime="${review.date}">${locale.date(review.date)}</time> · ${renderSource(review.source, locale)} · ${words.verified}${
    source === undefined
      ? ""
      : html` · <a href="${source}" rel="nofollow noopener">${fill(words.viaLink, { source: review.source === "first_party" ? new URL(source).host : sourceName(review.source) })}</a>`
  }</p></div>
${renderWords(review, analysis, settings, data)}
${renderReply(review, settings, { length: MAX_SHOWN, href: data, target: html`` })}
</article>
${analysis === undefined || review.text === null ? "" : renderAnalysis(edition, analysis, settings)}
${renderNeighbours(edition, review, locale)}
<p class="soft onward"><a href="/reviews">${words.allReviews}</a> · <a href="${data}">${words.asJson}</a></p>
</div>
<aside class="aside brief" aria-label="${words.aboutBusiness}">${renderSummary(edition, locale)}</aside></div>`;
  return renderPage(edition, {
    path: `/reviews/${id}`,
    title: `${title} – ${business.name}`,
    description: review.text === null ? title : beginning(review.text.replaceAll(/\s+/g, " "), 160).text,
    content,
    dataPaths: [data],
    structured: renderMarkup(
      isMarked(edition, review)
        ? reviewMarkup(review, baseUrl, {
            "@type": businessTypes(business.category),
            name: business.name,
            "@id": marked["@id"],
          })
        : marked,
    ),
  });
}

/** Maximum number of characters of a text or a reply that the page shows. A page of a megabyte would hold up everyone else. */
const MAX_SHOWN = 100_000;

/** The business for visitors who arrive at a review directly: name, rating and contact buttons. */
function renderSummary({ business, aggregateRating: rating }: Edition, locale: Locale): Markup {
  return html`<section class="card"><h2><a href="/"><bdi>${business.name}</bdi></a></h2>${
    rating.rating_value === null ? "" : renderScore(rating, rating.rating_value, locale)
  }${renderActions(business, locale)}</section>`;
}

/**
 * The review's text with the analysis's evidence highlighted. Words that are evidence of both praise and criticism are
 * highlighted as neither.
 */
function renderWords(review: Review, analysis: Analysis | undefined, settings: CardSettings, data: string): Markup {
  if (review.text === null) return html`<p class="soft">${settings.locale.words.withoutWords}</p>`;
  const spans = (analysis?.aspects ?? []).map(({ evidence, sentiment }) => ({ span: evidence, mark: sentiment }));
  const shown = beginning(review.text, MAX_SHOWN);
  const parts = segments(shown.text, spans).map(({ text, marks: [mark, ...others] }) => {
    if (mark === undefined) return text;
    const kind = others.every((other) => other === mark) ? mark : "neutral";
    return html`<mark class="${kind}">${text}</mark>`;
  });
  return html`<blockquote class="words" dir="auto"${languageOf(settings, review.text)}>${parts}</blockquote>${shown.isCut ? renderReadOn(review, settings, data) : ""}`;
}

function renderAnalysis(edition: Edition, analysis: Analysis, settings: CardSettings): Markup {
  const { business, insights } = edition;
  const { locale } = settings;
  const { words } = locale;
  const label = (id: string) => aspectLabel(insights.aspects.find((aspect) => aspect.id === id)?.label ?? id, locale);
  const tone = (sentiment: Sentiment) =>
    html`<span class="chip ${TONES[sentiment]}">${sentiment === "neutral" ? words.neutralTone : words[sentiment]}</span>`;
  const found = analysis.aspects.map(
    ({ id, sentiment, evidence, corrected }) =>
      html`<li><p><strong${label(id).lang}>${label(id).text}</strong> ${tone(sentiment)}${corrected ? html` <span class="soft">${words.corrected}</span>` : ""}</p><q dir="auto"${languageOf(settings, evidence, analysis.language)}>${evidence}</q></li>`,
  );
  const named = [
    ...business.technicians
      .filter(({ id }) => analysis.technicians.includes(id))
      .map(({ id, name }) => ["mentions_technician", id, name] as const),
    ...business.services
      .filter(({ id }) => analysis.services.includes(id))
      .map(({ id, label: name }) => ["mentions_service", id, name] as const),
  ];
  return html`<section class="card" aria-labelledby="analysis"><h2 id="analysis">${words.analysis}</h2><p class="soft">${analysis.sentiment === null ? fill(words.unreadReview, { language: locale.languageName(analysis.language ?? "und") }) : words.analysisNote}</p>
${analysis.sentiment === null ? "" : html`<p>${words.overall}${locale.colon} ${tone(analysis.sentiment)}</p>`}
${found.length === 0 ? "" : html`<ul class="findings">${found}</ul>`}
${named.length === 0 ? "" : html`<p>${words.mentions}${locale.colon} ${named.map(([parameter, id, name]) => html`<a class="chip" href="${listAddress(new URLSearchParams({ [parameter]: id }), edition)}"><bdi>${name}</bdi></a> `)}</p>`}</section>`;
}

const TONES: Readonly<Record<Sentiment, string>> = { positive: "good", neutral: "even", negative: "bad" };

function renderNeighbours(edition: Edition, { id }: Review, locale: Locale): Markup {
  const { words } = locale;
  const { newer, older } = edition.neighbours(id);
  if (newer === undefined && older === undefined) return "";
  const link = (review: Review | undefined, rel: string, label: string) =>
    review === undefined
      ? html`<span></span>`
      : html`<a class="author neighbour" rel="${rel}" href="/reviews/${review.id}"><span class="soft">${label}</span> ${renderStars(review.rating, locale)} <bdi>${authorName(review.author, locale)}</bdi></a>`;
  return html`<nav class="neighbours" aria-label="${words.paging}">${link(newer, "prev", words.newer)}${link(older, "next", words.older)}</nav>`;
}
