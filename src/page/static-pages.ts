/** The pages as files for a static host: every link in them leads to a file. */
import { html } from "hono/html";
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { renderAboutPage } from "./about-page.ts";
import { renderFileSearchScript } from "./asset/asset-files.ts";
import { renderEmbedPage } from "./embed-page.ts";
import { renderFrontPage } from "./front-page.ts";
import { renderPage } from "./part/page-frame.ts";
import { renderReviewPage } from "./review-page.ts";
import { renderReviewsPages } from "./reviews-page.ts";
import { localeOf } from "./text/locale.ts";

/** The file that static hosts serve for an unknown address. */
const MISSING_PATH = "/404.html";

/** Renders the pages that differ from the server's, and those that the server renders on request. */
export function* renderStaticPages(edition: Edition, reviewIds: Iterable<string>): Generator<Document> {
  const site: Edition = { ...edition, isStatic: true };
  yield renderFrontPage(site);
  yield* renderReviewsPages(site);
  yield renderAboutPage(site);
  yield renderEmbedPage(site);
  yield renderFileSearchScript();
  for (const id of reviewIds) {
    const page = renderReviewPage(site, id);
    if (page !== undefined) yield page;
  }
  yield renderMissingPage(site);
}

function renderMissingPage(site: Edition): Document {
  const { words } = localeOf(site.language);
  return renderPage(site, {
    path: MISSING_PATH,
    title: words.errorTitle[404],
    description: words.errorHelp[404],
    unlisted: true,
    content: html`<h1>${words.errorTitle[404]}</h1><p>${words.errorHelp[404]}</p>
<p class="actions"><a class="button" href="/">${words.goHome}</a> <a class="button quiet" href="/reviews">${words.goReviews}</a></p>`,
  });
}
