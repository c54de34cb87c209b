/** What all pages share: head, styles for both colour schemes, and the escaping template that they are written in. */
import { html, raw } from "hono/html";
import { type Document, makeDocument } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";

const HTML_TYPE = "text/html; charset=utf-8";

/** What a page is printed from: an edition, or a printing that is to become one. */
export type PageSource = Pick<Edition, "business" | "language" | "baseUrl" | "sample">;

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--line:#dfe4ea;--paper:#fff;--accent:#0b6bcb}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecf2;--soft:#9aa6b5;--line:#2d3642;--paper:#12171e;--accent:#6db3ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem 4rem}
a{color:var(--accent)}
h1{line-height:1.2;margin:0 0 .25rem}
p.soft,footer{color:var(--soft)}
.sample{border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem;background:color-mix(in srgb,var(--accent) 8%,transparent)}
blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--line);white-space:pre-line;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-size:.95em}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
pre{overflow-x:auto;border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem}
dt{font-weight:600}dd{margin:0 0 .6rem}code{font-size:.9em;overflow-wrap:anywhere}
`;

/** A star, in the page itself: no further request. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='%230b6bcb' d='M12 2l3 7 7 .6-5.300 4.700 1.600 7.200L12 17.700 5.700 21.500l1.600-7.200L2 9.600 9 9z'/%3E%3C/svg%3E";

/** The page at `path` with that title and content, as a document. */
export function renderPage(
  source: PageSource,
  path: string,
  title: string,
  content: ReturnType<typeof html>,
): Document {
  const sample = source.sample
    ? html`<p class="sample">This is the sample business that comes with Goodword: the business, its people and its reviews are invented. Import your own with <code>goodword import</code>.</p>`
    : "";
  const page = html`<!doctype html>
<html lang="${source.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<link rel="canonical" href="${source.baseUrl}${path}">
<link rel="alternate" type="application/feed+json" title="Newest reviews" href="${source.baseUrl}/api/feed.json">
<link rel="alternate" type="application/atom+xml" title="Newest reviews" href="${source.baseUrl}/feed.xml">
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
${sample}
${content}
</main>
</body>
</html>
`;
  return makeDocument(path, HTML_TYPE, String(page));
}

/** Stars as text that a screen reader says well. */
export function stars(rating: number): ReturnType<typeof html> {
  return html`<span role="img" aria-label="${rating} of 5 stars">${"★".repeat(rating)}${"☆".repeat(5 - rating)}</span>`;
}
