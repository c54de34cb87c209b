/** The digest for people: as a page that prints to one sheet of A4, and as plain text. */
import { html, raw } from "hono/html";
import type { DaySpan, Digest, DigestReview, PeriodFigures } from "../edition/digest.ts";
import { authorName } from "./part/review-card.ts";
import { sourceName } from "./part/source-name.ts";
import { renderStars } from "./part/stars.ts";
import { digestWords } from "./text/digest-words.ts";
import { type Locale, localeOf } from "./text/locale.ts";
import { type Markup, pageStart } from "./text/markup.ts";
import { beginning, withoutForbiddenCharacters } from "./text/printable.ts";
import { aspectLabel } from "./text/prose-language.ts";
import { fill } from "./text/words.ts";

const MAX_TOPICS = 6;
const MAX_QUOTED = 160;
/** The longest text of a message (interface §9). */
const MAX_TEXT = 1_500;
const MAX_REVIEWS_IN_TEXT = 4;
const NAME_LENGTH = 50;

/** Longer names and words than usual are hidden, so that a second sheet never comes. */
const STYLE = `@page{size:A4;margin:0}
*{box-sizing:border-box}
body{margin:0;font:10pt/1.35 system-ui,sans-serif;color:#1b1b1b;background:#fff}
main{max-width:210mm;margin:0 auto;padding:15mm}
h1{font-size:16pt;line-height:1.2;margin:0}h2{font-size:11.5pt;margin:5mm 0 2mm}
h1,p,li,th,td{overflow-wrap:anywhere}
p{margin:1mm 0}.soft{color:#555}
ol{list-style:none;margin:0;padding:0}li{border-left:1mm solid #b3261e;padding:0 0 0 3mm;margin:0 0 3mm}
.stars{width:20mm;height:4mm;vertical-align:-.6mm}.on{fill:#8a5a00}.off{fill:#ddd}
table{border-collapse:collapse;width:100%}th,td{text-align:right;padding:1mm 0 1mm 3mm;border-bottom:.2mm solid #ccc;font-variant-numeric:tabular-nums}
th:first-child,td:first-child{text-align:left;padding-left:0}
a{color:inherit}
@media print{main{height:296mm;overflow:hidden}}
@media screen and (max-width:210mm){main{padding:5mm}th,td{padding-left:2mm}table{display:block;overflow-x:auto}}table th{overflow-wrap:normal;hyphens:auto}`;

/** Renders the page as a whole HTML document, without scripts and addresses to load. */
export function renderDigestPage(digest: Digest): string {
  const { period, before, all, cadence, unanswered, unanswered_count, vanished_count, base_url } = digest;
  const locale = localeOf(digest.language);
  const words = digestWords(locale);
  const name = beginning(digest.business, NAME_LENGTH).text;
  const title = fill(words.title, { name, ...days(period, locale) });
  const more = unanswered_count - unanswered.length;
  const whole = { review_count: all.aggregate_rating.review_count, average_rating: all.aggregate_rating.rating_value };
  const markup = html`${pageStart(locale.tag)}
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<p class="soft">${words[cadence]}</p>
<h1><bdi>${name}</bdi></h1>
<p class="soft">${spanText(period, locale)}</p>
<h2>${unanswered_count === 0 ? words.allAnswered : locale.counted(words.unanswered, unanswered_count)}</h2>
<ol>${unanswered.map((review) => renderReview(review, locale))}</ol>
${more > 0 ? html`<p class="soft">${locale.counted(words.more, more)}</p>` : ""}
${vanished_count > 0 ? html`<p><strong>${locale.counted(words.vanished, vanished_count)}</strong></p>` : ""}
<h2>${words.figures}</h2>
<table>
<thead><tr><td></td><th scope="col">${words.reviews}</th><th scope="col">${words.average}</th><th scope="col">${words.positive}</th><th scope="col">${words.neutral}</th><th scope="col">${words.negative}</th></tr></thead>
${renderFigures(spanText(period, locale), period, locale)}
${renderFigures(spanText(before, locale), before, locale)}
${renderFigures(words.all, whole, locale, all.overall_sentiment)}
</table>
<h2>${words.topics}</h2>
${renderTopics(digest, locale)}
<p class="soft">${fill(words.origin, { address: `${base_url}/insights.json` })}</p>
</main>
</body>
</html>
`;
  return withoutForbiddenCharacters(String(markup));
}

function renderReview({ author, rating, date, text, source, url }: DigestReview, locale: Locale): Markup {
  const { noWords } = digestWords(locale);
  return html`<li>${renderStars(rating, locale)} <bdi>${beginning(authorName(author, locale), 40).text}</bdi>, ${locale.date(date)}, ${sourceName(source, locale)}
<p>${text === null ? noWords : html`<q dir="auto">${beginning(text, MAX_QUOTED).text}</q>`}</p>
<p class="soft"><a href="${url}">${url}</a></p></li>`;
}

function renderFigures(
  label: string,
  figures: Pick<PeriodFigures, "review_count" | "average_rating"> & Partial<PeriodFigures>,
  locale: Locale,
  shares?: Digest["all"]["overall_sentiment"],
): Markup {
  const { review_count, average_rating, positive_count, neutral_count, negative_count } = figures;
  const counted = [positive_count, neutral_count, negative_count].map((count) => locale.number(count ?? 0));
  const cells =
    shares === undefined
      ? counted
      : [shares.positive_pct, shares.neutral_pct, shares.negative_pct].map((share) => locale.percent(share / 100, 1));
  return html`<tr><th scope="row">${label}</th><td>${locale.number(review_count)}</td><td>${average_rating === null ? "–" : locale.number(average_rating, 2)}</td>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`;
}

function renderTopics({ period, before }: Digest, locale: Locale): Markup {
  const words = digestWords(locale);
  if (period.aspects.length === 0) return html`<p>${words.noTopics}</p>`;
  const earlier = new Map(before.aspects.map((aspect) => [aspect.id, aspect]));
  const row = ({ id, label, positive_count, negative_count }: PeriodFigures["aspects"][number]) => {
    const [praised, criticised] = [earlier.get(id)?.positive_count ?? 0, earlier.get(id)?.negative_count ?? 0];
    const was = fill(words.before, { praised: locale.number(praised), criticised: locale.number(criticised) });
    return html`<tr><th scope="row">${aspectLabel(label, locale).text}</th><td>${locale.number(positive_count)}</td><td>${locale.number(negative_count)}</td><td class="soft">${was}</td></tr>
`;
  };
  return html`<table>
<thead><tr><th scope="col">${words.topic}</th><th scope="col">${words.praised}</th><th scope="col">${words.criticised}</th><td></td></tr></thead>
${period.aspects.slice(0, MAX_TOPICS).map(row)}
</table>`;
}

/** Renders the digest as plain text of at most 1,500 characters, the poor reviews without a reply first. */
export function digestText(digest: Digest): string {
  const { period, before, all, unanswered, unanswered_count, vanished_count, base_url } = digest;
  const locale = localeOf(digest.language);
  const words = digestWords(locale);
  const name = beginning(digest.business, NAME_LENGTH).text;
  const oneLine = (text: string, length: number) => beginning(text.replace(/\s+/g, " ").trim(), length).text;
  const shown = unanswered.slice(0, MAX_REVIEWS_IN_TEXT);
  const more = unanswered_count - shown.length;
  const aspects = period.aspects.slice(0, 3).map(({ label, positive_count, negative_count }) => {
    return fill(locale.words.aspectFigures, {
      label: aspectLabel(label, locale).text,
      praise: locale.number(positive_count),
      criticism: locale.number(negative_count),
    });
  });
  const lines = [
    fill(words.title, { name, ...days(period, locale) }),
    "",
    unanswered_count === 0 ? words.allAnswered : `${locale.counted(words.unanswered, unanswered_count)}${locale.colon}`,
    ...shown.flatMap(({ author, rating, date, text, url }) => [
      `${"★".repeat(rating)} ${oneLine(authorName(author, locale), 30)}, ${locale.shortDate(date)}${text === null ? "" : `${locale.colon} ${locale.quoted(oneLine(text, 80))}`}`,
      url,
    ]),
    ...(more > 0 ? [locale.counted(words.more, more)] : []),
    ...(vanished_count > 0 ? [locale.counted(words.vanished, vanished_count)] : []),
    "",
    figuresLine(spanText(period, locale), period, locale),
    figuresLine(spanText(before, locale), before, locale),
    figuresLine(
      words.all,
      { review_count: all.aggregate_rating.review_count, average_rating: all.aggregate_rating.rating_value },
      locale,
    ),
    ...aspects,
    "",
    base_url,
  ];
  return beginning(withoutForbiddenCharacters(lines.join("\n")), MAX_TEXT / 1.2).text;
}

function figuresLine(
  label: string,
  { review_count, average_rating }: Pick<PeriodFigures, "review_count" | "average_rating">,
  locale: Locale,
): string {
  const words = digestWords(locale);
  if (average_rating === null) return fill(words.none, { period: label });
  const reviews = locale.counted(locale.words.reviews, review_count);
  return fill(words.line, { period: label, reviews, average: locale.number(average_rating, 2) });
}

function days({ from, until }: DaySpan, locale: Locale): Readonly<Record<"from" | "until", string>> {
  return { from: locale.shortDate(from), until: locale.shortDate(until) };
}

function spanText(span: DaySpan, locale: Locale): string {
  return fill(digestWords(locale).period, days(span, locale));
}
