/** The page of one review: the address that feeds and datasets link to. */
import { html } from "hono/html";
import type { Document } from "../edition/document.ts";
import type { Review } from "../review.ts";
import { type PageSource, renderPage, stars } from "./page-frame.ts";

/** The document of `/reviews/{id}`. Its path is left empty where it is made on demand. */
export function renderReviewPage(source: PageSource, review: Review): Document {
  const { business, baseUrl } = source;
  const { author, rating, date, text, owner_reply: reply, source_url: link } = review;
  const where = link === null ? review.source : html`<a href="${link}" rel="nofollow noopener">${review.source}</a>`;
  const content = html`<p><a href="${baseUrl}/">${business.name}</a></p>
<h1>${stars(rating)} from ${author}</h1>
<p class="soft"><time datetime="${date}">${date}</time>, ${where}</p>
${text === null ? html`<p>Stars without words.</p>` : html`<blockquote>${text}</blockquote>`}
${reply === null ? "" : html`<h2>The owner’s reply</h2><p class="soft"><time datetime="${reply.date}">${reply.date}</time></p><blockquote>${reply.text}</blockquote>`}`;
  return renderPage(source, `/reviews/${review.id}`, `${author} on ${business.name}`, content);
}
