/** The chart for the number of reviews per star rating. */
import { scaleBand, scaleLinear } from "d3-scale";
import { html } from "hono/html";
import type { AggregateRating } from "../../edition/aggregate-rating.ts";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { fill } from "../text/words.ts";
import { renderChartTable, renderDrawing, short } from "./chart-frame.ts";
import { starPath } from "./star-path.ts";

const WIDTH = 320;
const HEIGHT = 140;
const BAR_START = 34;

/**
 * Width of the numbers at the end of a row: per character, the gap before them, and the minimum, enough for "145 ·
 * 60%".
 */
const [CHARACTER_WIDTH, GAP, MIN_WIDTH] = [6.9, 12, 74];
const STARS = ["5", "4", "3", "2", "1"] as const;

/** Five bars and the data table. */
export function renderRatingChart(rating: AggregateRating, locale: Locale): Markup {
  const { words } = locale;
  const counts = rating.rating_counts;
  const total = Math.max(rating.review_count, 1);
  const row = scaleBand<string>(STARS, [0, HEIGHT]).padding(0.35);
  const share = (stars: (typeof STARS)[number]) => locale.percent(counts[stars] / total);
  const figures = (stars: (typeof STARS)[number]) => `${locale.number(counts[stars])} · ${share(stars)}`;
  const longest = Math.max(...STARS.map((stars) => figures(stars).length));
  const barEnd = Math.floor(WIDTH - Math.max(longest * CHARACTER_WIDTH + GAP, MIN_WIDTH));
  const length = scaleLinear([0, total], [0, barEnd - BAR_START]); // the whole track represents all reviews
  const bars = STARS.map((stars) => {
    const top = row(stars) ?? 0;
    const middle = short(top + row.bandwidth() / 2);
    const count = counts[stars];
    return html`<text x="0" y="${middle}" class="label">${stars}</text><path class="label" transform="translate(10 ${short(top + row.bandwidth() / 2 - 6)}) scale(0.6)" d="${starPath(0, 1)}"/><rect class="track" x="${BAR_START}" y="${short(top)}" width="${barEnd - BAR_START}" height="${short(row.bandwidth())}" rx="4"/>${
      count === 0
        ? ""
        : html`<rect class="bar" x="${BAR_START}" y="${short(top)}" width="${short(Math.max(length(count), 3))}" height="${short(row.bandwidth())}" rx="4"/>`
    }<text x="${WIDTH}" y="${middle}" class="label end">${figures(stars)}</text>`;
  });
  const list = STARS.map(
    (stars) =>
      `${locale.counted(words.starsName, Number(stars))}${locale.colon} ${locale.number(counts[stars])} (${share(stars)})`,
  );
  return html`<div class="chart-box">${renderDrawing({
    id: "rating-chart",
    title: words.distribution,
    description: fill(words.distributionDescription, { list: list.join(`${locale.semicolon} `) }),
    width: WIDTH,
    height: HEIGHT,
    drawing: bars,
  })}${renderChartTable({
    summary: words.asTable,
    caption: words.distribution,
    colon: locale.colon,
    columns: [words.stars, words.count, words.share],
    rows: STARS.map((stars) => [stars, locale.number(counts[stars]), share(stars)]),
  })}</div>`;
}
