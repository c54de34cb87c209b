/** The frame of all pages: head, header with the business, navigation and footer. */
import { html } from "hono/html";
import { type Document, makeDocument } from "../../edition/document.ts";
import type { Edition } from "../../edition/edition.ts";
import { RATING_PICTURE } from "../../interface.ts";
import { type Locale, localeOf } from "../text/locale.ts";
import { type Markup, pageStart } from "../text/markup.ts";
import { withoutForbiddenCharacters } from "../text/printable.ts";
import { webAddress } from "../text/web-address.ts";
import { fill } from "../text/words.ts";
import { telephoneLink } from "./contact.ts";
import type { renderMarkup } from "./structured-data.ts";

export const HTML_TYPE = "text/html; charset=utf-8";

/** The data that every page needs. */
export type PageSource = Pick<Edition, "business" | "language" | "baseUrl" | "sample" | "isStatic">;

/** One page. `path` is its canonical path. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly content: Markup;
  /** This page's navigation entry. */
  readonly entry?: string;
  /** The addresses of the same content as JSON. */
  readonly dataPaths?: readonly string[];
  readonly structured?: ReturnType<typeof renderMarkup>;
  /** Whether the content says what verified means; otherwise the footer does. */
  readonly explainsVerified?: boolean;
  /** Script addresses. */
  readonly scripts?: readonly string[];
  /** Excluded from search engines: errors, and filtered lists, whose number is unlimited. */
  readonly unlisted?: boolean;
}

/** Renders the page as a document at its path. */
export function renderPage(source: PageSource, page: Page): Document {
  return makeDocument(page.path, HTML_TYPE, renderPageText(source, page));
}

function renderPageText(source: PageSource, page: Page): string {
  const { baseUrl, business } = source;
  const locale = localeOf(source.language);
  const { words } = locale;
  const isTranslated = locale.tag === source.language;
  const markup = html`${pageStart(source.language)}
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<link rel="stylesheet" href="/assets/style.css">
${(page.scripts ?? []).map((name) => html`<script type="module" src="${name}"></script>`)}
${page.unlisted === true ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${baseUrl}${page.path}">`}
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/assets/icon-180.png">
<link rel="manifest" href="/assets/site.webmanifest">
<link rel="alternate" type="application/feed+json" title="${fill(words.reviewsOf, { name: business.name })} (JSON Feed)" href="${baseUrl}/api/feed.json">
<link rel="alternate" type="application/atom+xml" title="${fill(words.reviewsOf, { name: business.name })} (Atom)" href="${baseUrl}/feed.xml">
${(page.dataPaths ?? []).map((path) => html`<link rel="alternate" type="application/json" href="${baseUrl}${path}">`)}
<meta property="og:type" content="website">
<meta property="og:site_name" content="${fill(words.reviewsOf, { name: business.name })}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${baseUrl}${page.path}">
<meta property="og:image" content="${baseUrl}${RATING_PICTURE.path}">
<meta property="og:image:width" content="${RATING_PICTURE.width}">
<meta property="og:image:height" content="${RATING_PICTURE.height}">
<meta name="twitter:card" content="summary_large_image">
${page.structured ?? ""}
</head>
<body${isTranslated ? "" : html` lang="${locale.tag}"`}>
<a class="skip" href="#content">${words.skip}</a>
<header class="top"><div class="inner">
<a class="brand" href="/"${page.entry === "home" ? html` aria-current="page"` : ""}>${brandMark(source)}<bdi>${business.name}</bdi></a>
${renderNavigation(locale, business, page.entry)}
</div></header>
<main id="content" tabindex="-1">
${source.sample ? html`<p class="sample" role="note">${words.sample}</p>` : ""}
${page.content}
</main>
<footer class="bottom"><div class="inner">
${page.explainsVerified === true ? "" : html`<p>${words.verifiedMeaning}</p>`}
<p>${source.isStatic === true ? "" : html`<a href="/docs">${words.developers}</a> · `}<a href="/about">${words.howGathered}</a> · <a href="/embed">${words.forYourSite}</a> · <a href="/feed.xml">Atom</a> · <a href="/api/feed.json">JSON Feed</a></p>
</div></footer>
</body>
</html>
`;
  return withoutForbiddenCharacters(String(markup));
}

/** The business's logo if it is at the site's own origin; otherwise the icon, as pages load nothing from elsewhere. */
function brandMark({ baseUrl, business: { logo_url: logo } }: PageSource): Markup {
  return logo === undefined || URL.parse(logo)?.origin !== URL.parse(baseUrl)?.origin
    ? html`<img src="/assets/icon.svg" alt="" width="28" height="28">`
    : html`<img src="${webAddress(logo)}" alt="" width="28" height="28">`;
}

/**
 * Links to the pages for customers, and the telephone number. Pages for developers and owners are linked in the footer.
 */
function renderNavigation({ words }: Locale, { telephone }: PageSource["business"], entry: string | undefined): Markup {
  const entries = [
    ["home", "/", words.home],
    ["reviews", "/reviews", words.allReviews],
  ] as const;
  const number = telephone === undefined ? undefined : telephoneLink(telephone);
  const call =
    telephone === undefined || number === undefined
      ? ""
      : html`<li><a class="call" href="${number}" aria-label="${fill(words.call, { telephone })}">${telephone}</a></li>`;
  return html`<nav aria-label="${words.navigation}"><ul>${entries.map(
    ([name, path, label]) =>
      html`<li><a href="${path}"${name === entry ? html` aria-current="page"` : ""}>${label}</a></li>`,
  )}${call}</ul></nav>`;
}
