/** The pages of a chain: its places with their own figures. It mixes no reviews, and has no rating of its own. */
import { html } from "hono/html";
import { foldCase } from "../edition/case-folding.ts";
import { type Document, JSON_TYPE, makeDocument } from "../edition/document.ts";
import type { ChainPlace } from "../edition/places-schema.ts";
import { renderAssets } from "./asset/asset-files.ts";
import { HTML_TYPE } from "./part/page-frame.ts";
import { renderPager } from "./part/pager.ts";
import { renderStars } from "./part/stars.ts";
import { localeOf } from "./text/locale.ts";
import { type Markup, pageStart } from "./text/markup.ts";
import { withoutForbiddenCharacters } from "./text/printable.ts";

/** A chain, as chain.yaml describes it. */
export interface Chain {
  readonly name: string;
  readonly base_url: string;
  readonly description?: string | undefined;
  readonly color?: string | undefined;
  readonly language: string;
}

const PLACES_ON_PAGE = 500;

/** The documents of a chain besides its pages, in the order of the places. */
export function renderChainDocuments(chain: Chain, places: readonly ChainPlace[]): Document[] {
  const { name, base_url: baseUrl, description } = chain;
  const review_count = places.reduce((sum, { aggregate_rating }) => sum + aggregate_rating.review_count, 0);
  const robots = `User-agent: *\nAllow: /\n\nSitemap: ${baseUrl}/sitemap.xml\n`;
  const address = baseUrl.replaceAll("&", "&amp;");
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<url><loc>${address}/</loc></url>\n</urlset>\n`;
  const llms = `# ${name}\n\n> ${description?.replace(/\.$/, "") ?? `The ${places.length} places of ${name}`}. Each has its own reviews and rating at its own address; the chain has none.\n\n- [Places](${baseUrl}/places.json): name, address, locality, rating and newest review of each\n\n## Places\n\n${places.map((place) => `- [${place.name}](${place.base_url})${place.locality === null ? "" : `, ${place.locality}`}\n`).join("")}`;
  return [
    makeDocument("/places.json", JSON_TYPE, JSON.stringify({ name, review_count, places })),
    makeDocument("/robots.txt", "text/plain; charset=utf-8", robots),
    makeDocument("/sitemap.xml", "application/xml", sitemap),
    makeDocument("/llms.txt", "text/plain; charset=utf-8", withoutForbiddenCharacters(llms)),
    ...renderAssets(chain.color).filter(({ path }) => /\/(style\.css|icon\.svg)$/.test(path)),
  ];
}

/** The list of the places whose name or locality has `query`, in any case, from the one at `offset`. */
export function renderChainPage(
  chain: Chain,
  places: readonly ChainPlace[],
  { query, offset }: { readonly query: string; readonly offset: number },
): Document {
  const locale = localeOf(chain.language);
  const { words } = locale;
  const wanted = foldCase(query.trim());
  const matched = places.filter(
    ({ name, locality }) => foldCase(name).includes(wanted) || foldCase(locality ?? "").includes(wanted),
  );
  const address = (at: number) =>
    `/?${new URLSearchParams({ ...(query === "" ? {} : { query }), ...(at === 0 ? {} : { offset: String(at) }) })}`.replace(
      /\?$/,
      "",
    );
  const found = locale.counted(words.chain.places, matched.length);
  const paging = { offset, limit: PLACES_ON_PAGE, matched: matched.length, address, label: found };
  const lines = matched.slice(offset, offset + PLACES_ON_PAGE).map((place) => {
    const { aggregate_rating: rating, newest_review: newest } = place;
    const stars =
      rating.rating_value === null
        ? ""
        : html`${renderStars(rating.rating_value, locale, 2)} <strong>${locale.number(rating.rating_value, 2)}</strong> · `;
    return html`<article class="card"><h2><a href="${place.base_url}"><bdi>${place.name}</bdi></a></h2>
<p class="soft">${place.locality === null ? "" : html`<bdi>${place.locality}</bdi> · `}${stars}${locale.counted(words.reviews, rating.review_count)}${newest === null ? "" : html` · ${words.newestOf} <time datetime="${newest}">${locale.date(newest)}</time>`}</p></article>`;
  });
  return renderChainFrame(chain, {
    path: "/",
    title: chain.name,
    description: chain.description ?? chain.name,
    isListed: query === "" && offset === 0,
    content: html`<h1><bdi>${chain.name}</bdi></h1>
${chain.description === undefined ? "" : html`<p>${chain.description}</p>`}
<search><form class="card filter" action="/" method="get"><p class="wide"><label for="query">${words.chain.find}</label><input type="search" id="query" name="query" value="${query}" autocomplete="off"></p><p class="wide actions"><button class="button">${words.chain.show}</button></p></form></search>
<p role="status">${found}</p>
<div class="cards column">${lines}</div>
${renderPager({ ...paging, before: words.pageBefore, after: words.pageAfter }, locale)}`,
  });
}

/** The page for an address of the chain at which there is nothing. */
export function renderChainMiss(chain: Chain): Document {
  const { errorTitle, errorHelp, goHome } = localeOf(chain.language).words;
  const [title, description] = [errorTitle[404], errorHelp[404]];
  const content = html`<h1>${title}</h1>
<p>${description}</p>
<p class="soft">404</p>
<p class="actions"><a class="button" href="/">${goHome}</a></p>`;
  return renderChainFrame(chain, { path: "", title, description, isListed: false, content });
}

interface ChainContent {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Whether search engines may list it. */
  readonly isListed: boolean;
  readonly content: Markup;
}

function renderChainFrame(chain: Chain, { path, title, description, isListed, content }: ChainContent): Document {
  const { tag, words } = localeOf(chain.language);
  const markup = html`${pageStart(chain.language)}
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="stylesheet" href="/assets/style.css">
${isListed ? html`<link rel="canonical" href="${chain.base_url}/">` : html`<meta name="robots" content="noindex">`}
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/json" href="${chain.base_url}/places.json">
</head>
<body${tag === chain.language ? "" : html` lang="${tag}"`}>
<a class="skip" href="#content">${words.skip}</a>
<header class="top"><div class="inner"><a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"><bdi>${chain.name}</bdi></a></div></header>
<main id="content" tabindex="-1">
${content}
</main>
<footer class="bottom"><div class="inner"><p>${words.chain.own}</p><p><a href="/places.json">JSON</a></p></div></footer>
</body>
</html>
`;
  return makeDocument(path, HTML_TYPE, withoutForbiddenCharacters(String(markup)));
}
