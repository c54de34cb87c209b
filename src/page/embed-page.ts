/** Widgets that an owner can embed: a page with a preview and the sample code of each, and the page for iframes. */
import { html } from "hono/html";
import { type Document, makeDocument } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { languageOfText } from "../insight/text/language.ts";
import { BADGE_PATH, EMBED_PATHS } from "../interface.ts";
import { BADGE_SIZE, badgeText } from "./badge.ts";
import { isNewest, newestToShow } from "./front-page.ts";
import { renderCode, withCode } from "./part/code-sample.ts";
import { HTML_TYPE, renderPage } from "./part/page-frame.ts";
import { renderReviewCard } from "./part/review-card.ts";
import { renderStars } from "./part/stars.ts";
import { businessMarkup } from "./part/structured-data.ts";
import { type Locale, localeOf } from "./text/locale.ts";
import { type Markup, pageStart } from "./text/markup.ts";
import { withoutForbiddenCharacters } from "./text/printable.ts";
import { fill } from "./text/words.ts";

/** The custom element reads its reviews from the frame and shows up to this many. */
const MAX_FRAME_REVIEWS = 10;
/** What a `style` attribute in the code needs of a Content Security Policy. */
const INLINE_STYLE = "style-src-attr 'unsafe-inline'";

/** Renders `/embed`. */
export function renderEmbedPage(edition: Edition): Document {
  const { baseUrl, business, language } = edition;
  const locale = localeOf(language);
  const { words } = locale;
  const title = fill(words.frameTitle, { name: business.name });
  const alt = attribute(badgeText(edition, locale));
  const { width, height } = BADGE_SIZE;
  const pieces: readonly Piece[] = [
    {
      id: "badge",
      title: words.badge,
      meaning: words.badgeMeaning,
      directives: ["img-src", INLINE_STYLE],
      code: `<a href="${baseUrl}/"><img src="${baseUrl}${BADGE_PATH}" width="${width}" height="${height}" alt="${alt}" style="max-width:100%;height:auto"></a>`,
      preview: html`<a href="/"><img src="${BADGE_PATH}" width="${width}" height="${height}" alt="${badgeText(edition, locale)}"></a>`,
    },
    {
      id: "frame",
      title: words.frame,
      meaning: words.frameMeaning,
      directives: ["frame-src", INLINE_STYLE],
      code: `<iframe src="${baseUrl}${EMBED_PATHS.frame}" title="${attribute(title)}" width="420" height="520" loading="lazy" style="border:0;max-width:100%"></iframe>`,
      preview: html`<iframe class="frame" src="${EMBED_PATHS.frame}" title="${title}" loading="lazy"></iframe>`,
    },
    {
      id: "element",
      title: words.element,
      meaning: words.elementMeaning,
      directives: ["script-src", "connect-src", "img-src"],
      trustedTypes: "goodword",
      code: `<script type="module" src="${baseUrl}${EMBED_PATHS.element}"></script>\n<goodword-reviews count="3"><a href="${baseUrl}/">${attribute(fill(words.reviewsOf, { name: business.name }))}</a></goodword-reviews>`,
      preview: html`<goodword-reviews count="3"><a href="/">${fill(words.reviewsOf, { name: business.name })}</a></goodword-reviews>`,
    },
    {
      id: "markup",
      title: words.markup,
      meaning: edition.markedRating.rating_value === null ? words.markupMeaningUnrated : words.markupMeaning,
      code: `<script type="application/ld+json">\n${JSON.stringify(businessMarkup(edition, []), null, 2).replaceAll("<", "\\u003c")}\n</script>`,
      preview: "",
    },
  ];
  const content = html`<h1>${words.embedTitle}</h1><p>${words.embedIntro}</p>${pieces.map((piece) => renderPiece(piece, locale, baseUrl))}`;
  return renderPage(edition, {
    path: EMBED_PATHS.page,
    title: `${words.embedTitle} – ${business.name}`,
    description: words.embedIntro,
    content,
    scripts: ["/assets/docs.js", EMBED_PATHS.element],
  });
}

interface Piece {
  readonly id: string;
  readonly title: string;
  readonly meaning: string;
  /** What the Content Security Policy of a site must allow: from this origin where a directive names no source. */
  readonly directives?: readonly string[];
  /** The policy by which it sets HTML, where a site requires trusted types. */
  readonly trustedTypes?: string;
  readonly code: string;
  readonly preview: Markup;
}

function renderPiece(
  { id, title, meaning, directives = [], trustedTypes, code, preview }: Piece,
  { words, colon }: Locale,
  origin: string,
): Markup {
  const policy = directives
    .map((directive) => `\`${directive.includes(" ") ? directive : `${directive} ${origin}`}\``)
    .join(", ");
  const types = trustedTypes && ` ${fill(words.policyTypes, { directives: `\`trusted-types ${trustedTypes}\`` })}`;
  const needed =
    policy === "" ? "" : html`<p>${withCode(`${fill(words.policyNeeds, { directives: policy })}${types ?? ""}`)}</p>`;
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p>${withCode(meaning)}</p>${needed}${
    preview === "" ? "" : html`<h3>${words.preview}</h3><div class="preview">${preview}</div>`
  }<h3>${words.code}</h3>${renderCode(code, `${words.code}${colon} ${title}`, words)}</section>`;
}

/** Escapes text for an attribute in the sample code. */
function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Renders `/embed/reviews`: the newest reviews for an iframe, without scripts. */
export function renderEmbedFrame(edition: Edition): Document {
  const { aggregateRating: rating, baseUrl, business, language } = edition;
  const locale = localeOf(language);
  const { words } = locale;
  const reviews = newestToShow(edition, MAX_FRAME_REVIEWS);
  const settings = { locale, language, businessName: business.name, outside: baseUrl, tellLanguage: languageOfText };
  const title = fill(words.frameTitle, { name: business.name });
  const mean = rating.rating_value;
  const link = html`<a href="${baseUrl}/reviews" target="_blank" rel="noopener">`;
  const page = html`${pageStart(language)}
<title>${title}</title>
<meta name="description" content="${badgeText(edition, locale)}">
<meta name="robots" content="noindex">
<link rel="canonical" href="${baseUrl}/reviews">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/style.css">
<link rel="stylesheet" href="/assets/embed.css">
</head>
<body${locale.tag === language ? "" : html` lang="${locale.tag}"`}>
<main>
<h1><bdi>${business.name}</bdi></h1>
${
  mean === null
    ? html`<p>${words.noReviewsYet}</p>`
    : html`<p class="score"><strong>${locale.number(mean, 2)}</strong> ${renderStars(mean, locale, 2)} ${link}${locale.counted(words.verifiedReviews, rating.review_count)}</a></p>`
}
${reviews.length === 0 ? "" : html`<h2${isNewest(edition, reviews) ? html` class="hidden"` : ""}>${isNewest(edition, reviews) ? words.newest : words.newestWithText}</h2><div class="cards column">${reviews.map((review) => renderReviewCard(review, settings))}</div>`}
</main>
</body>
</html>
`;
  return makeDocument(EMBED_PATHS.frame, HTML_TYPE, withoutForbiddenCharacters(String(page)));
}
