/**
 * The badge for the business's own site: a picture with the stars, the mean rating, the number of reviews and the date.
 */
import { html } from "hono/html";
import { type Document, makeDocument } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { BADGE_PATH } from "../interface.ts";
import { accents, DEFAULT_COLOR } from "./asset/accent.ts";
import { starPath } from "./chart/star-path.ts";
import { type Locale, localeOf } from "./text/locale.ts";
import { withoutForbiddenCharacters } from "./text/printable.ts";
import { fill } from "./text/words.ts";

/** The badge's width and height in pixels. */
export const BADGE_SIZE = { width: 320, height: 76 } as const;

/** Renders `/embed/badge.svg`. Its colours are fixed, because an image cannot adapt to the page around it. */
export function renderBadge(edition: Edition): Document {
  const { aggregateRating: rating, color, insights, language } = edition;
  const locale = localeOf(language);
  const { words } = locale;
  const { width, height } = BADGE_SIZE;
  const mean = rating.rating_value;
  const latest = insights.date_range.latest;
  const date = latest === null ? "" : fill(words.asOf, { date: locale.shortDate(latest) });
  const count = locale.counted(words.verifiedReviews, rating.review_count);
  const part = Math.round((mean ?? 0) * 20);
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t" font-family="system-ui, sans-serif"><title id="t">${badgeText(edition, locale)}</title><rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="#fff" stroke="#c9d0d8"/><path d="M10 .5h4v75h-4a9.5 9.5 0 0 1-9.5-9.5V10A9.5 9.5 0 0 1 10 .5z" fill="${accents(color ?? DEFAULT_COLOR).light}"/>${
    mean === null
      ? html`<text x="28" y="45" font-size="17" fill="#1a222d">${words.noRating}</text>`
      : html`<text x="28" y="39" font-size="28" font-weight="700" fill="#1a222d">${locale.number(mean, 2)}</text><g transform="translate(100 17) scale(1.3)"><path d="${starPath(0, 5)}" fill="#d9dee5"/><svg width="${part}" height="20" viewBox="0 0 ${part} 20"><path d="${starPath(0, 5)}" fill="#b45f06"/></svg></g><text x="28" y="60" font-size="12" fill="#535e6c">${count} · ${date}</text>`
  }</svg>\n`;
  return makeDocument(BADGE_PATH, "image/svg+xml", withoutForbiddenCharacters(String(picture)));
}

/** The badge's text alternative. */
export function badgeText({ aggregateRating: rating, business }: Edition, locale: Locale): string {
  const { words } = locale;
  if (rating.rating_value === null) return `${business.name}${locale.colon} ${words.noRating}`;
  const stars = fill(words.starsOfFive, { stars: locale.number(rating.rating_value, 2) });
  return `${business.name}${locale.colon} ${stars}, ${locale.counted(words.verifiedReviews, rating.review_count)}`;
}
