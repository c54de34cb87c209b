/** Error pages for browsers. */
import { html } from "hono/html";
import { UNNAMED_BUSINESS } from "../business.ts";
import { type Document, makeDocument } from "../edition/document.ts";
import { HTML_TYPE, type PageSource, renderPage } from "./part/page-frame.ts";
import { type Locale, localeOf } from "./text/locale.ts";
import { pageStart } from "./text/markup.ts";
import { proseLanguage } from "./text/prose-language.ts";

/** Errors whose page, in its own language, says everything that the English description says. */
const EXPLAINED = new Set([404, 410, 414, 429, 500, 503]);

const TEMPORARY = new Set([429, 500, 503]);

/**
 * Renders the page for an HTTP status. `source` is undefined until the first edition has been published; `detail`
 * describes the error. `explainedAs` is the status whose words the page has.
 */
export function renderErrorPage(
  source: PageSource | undefined,
  status: number,
  detail: string,
  explainedAs = status,
): Document {
  const frame = source ?? {
    business: { ...UNNAMED_BUSINESS, name: "Goodword" },
    language: "en",
    baseUrl: "",
    sample: false,
  };
  const locale = localeOf(frame.language);
  const { words } = locale;
  if (explainedAs === UNSERVED) return renderUnserved(locale, status, detail);
  const showsDetail = locale.tag.startsWith("en") || !EXPLAINED.has(status);
  const key = (
    Object.hasOwn(words.errorTitle, explainedAs) ? String(explainedAs) : status < 500 ? "400" : "500"
  ) as keyof typeof words.errorTitle;
  const content = html`<h1>${words.errorTitle[key]}</h1>
<p>${words.errorHelp[key]}</p>
<p class="soft" dir="auto"${showsDetail ? proseLanguage(locale) : ""}>${showsDetail ? `${status}: ${detail}` : status}</p>
${TEMPORARY.has(status) ? html`<p class="actions"><a class="button" href="">${words.tryAgain}</a></p>` : ""}
${source === undefined ? "" : html`<p class="actions"><a class="button" href="/">${words.goHome}</a> <a class="button quiet" href="/reviews">${words.goReviews}</a></p>`}`;
  return renderPage(frame, {
    path: "",
    title: words.errorTitle[key],
    description: words.errorHelp[key],
    content,
    unlisted: true,
    ...(explainedAs === 503 ? { scripts: ["/assets/starting.js"] } : {}),
  });
}

/** Nothing else is at this host: the page has no style, no link and no business. */
const UNSERVED = 421;

function renderUnserved(locale: Locale, status: number, detail: string): Document {
  const { words, tag } = locale;
  const markup = html`${pageStart(tag)}
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${words.errorTitle[UNSERVED]}</title>
</head>
<body>
<main>
<h1>${words.errorTitle[UNSERVED]}</h1>
<p>${words.errorHelp[UNSERVED]}</p>
<p dir="auto"${proseLanguage(locale)}>${status}: ${detail}</p>
</main>
</body>
</html>
`;
  return makeDocument("", HTML_TYPE, String(markup));
}
