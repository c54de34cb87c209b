/** The page at the root: names the business and links everything that is published. */
import { html } from "hono/html";
import type { Document } from "../edition/document.ts";
import type { RenderedEdition } from "../edition/render-edition.ts";
import { renderPage } from "./page-frame.ts";

const LINKS = [
  ["/reviews.json", "Every verified review, the business and its aggregate rating"],
  ["/insights.json", "What the reviews say together: aspects, people, services, months, questions"],
  ["/api/feed.json", "The newest reviews as JSON Feed"],
  ["/feed.xml", "The newest reviews as Atom"],
  ["/api/reviews/search?min_rating=4&limit=5", "Search by stars, date, words, technician or service"],
  ["/api/reviews/since/2026-01-01", "Reviews on or after a day"],
  ["/docs", "The whole interface, for people"],
  ["/.well-known/openapi.json", "The same in OpenAPI 3.1, for programs"],
] as const;

/** The document of `/`. */
export function renderFrontPage(printing: RenderedEdition): Document {
  const { business, aggregateRating, insights, baseUrl } = printing;
  const { rating_value: mean, review_count: count } = aggregateRating;
  const rating =
    mean === null
      ? "No reviews yet."
      : `${mean.toFixed(2)} of 5 stars from ${count} verified review${count === 1 ? "" : "s"}.`;
  const content = html`<h1>${business.name}</h1>
<p class="soft">${rating}</p>
${business.description === undefined ? "" : html`<p>${business.description}</p>`}
<p>${insights.summary}</p>
${insights.pull_quote === null ? "" : html`<blockquote>${insights.pull_quote}</blockquote>`}
<h2>Read it your way</h2>
<dl>${LINKS.map(([path, meaning]) => html`<dt><a href="${baseUrl}${path}">${path}</a></dt><dd>${meaning}</dd>`)}
<dt><code>POST /mcp</code></dt><dd>The same questions for AI agents (Model Context Protocol)</dd>
<dt><code>POST /api/websub/hub</code></dt><dd>Be told when reviews change (W3C WebSub)</dd></dl>`;
  return renderPage(printing, "/", `Reviews of ${business.name}`, content);
}
