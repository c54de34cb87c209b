/** The chart per month: a line for the average rating above bars for the number of reviews. */
import { scaleBand, scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { html } from "hono/html";
import type { Month } from "../../insights-document.ts";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { fill } from "../text/words.ts";
import { renderChartTable, renderDrawing, short } from "./chart-frame.ts";
import { renderStar } from "./star-path.ts";

const WIDTH = 600;
const HEIGHT = 200;
const [LINE_TOP, LINE_BOTTOM] = [10, 140];
const BARS_TOP = 150;

/** Maximum number of months in the drawing: three years. The table has older ones too. */
const MAX_MONTHS = 36;

/** The newest months and the data table; empty for fewer than two months. */
export function renderMonthChart(monthly: readonly Month[], locale: Locale): Markup {
  const { words } = locale;
  const months = monthly.slice(-MAX_MONTHS);
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined || first === last) return "";
  const band = scaleBand<number>(months.keys(), [0, WIDTH]).paddingInner(0.3);
  const middle = (index: number) => (band(index) ?? 0) + band.bandwidth() / 2;
  const y = scaleLinear([1, 5], [LINE_BOTTOM, LINE_TOP]);
  const most = Math.max(...months.map(({ review_count }) => review_count), 1);
  const length = scaleLinear([0, most], [0, HEIGHT - BARS_TOP]);
  const path = line<Month>()
    .defined(({ average_rating }) => average_rating !== null)
    .x((_month, index) => middle(index))
    .y(({ average_rating }) => y(average_rating ?? 1))
    .digits(2);
  const bars = months.map(({ review_count: count }, index) =>
    count === 0
      ? ""
      : html`<rect class="count" x="${short(band(index) ?? 0)}" y="${short(HEIGHT - length(count))}" width="${short(band.bandwidth())}" height="${short(length(count))}"/>`,
  );
  const points = months.map(({ average_rating: average }, index) =>
    average === null
      ? ""
      : html`<path class="point" vector-effect="non-scaling-stroke" d="M${short(middle(index))},${short(y(average))}h.01"/>`,
  );
  const rules = [1, 2, 3, 4, 5].map(
    (stars) =>
      html`<line class="rule" vector-effect="non-scaling-stroke" x1="0" x2="${WIDTH}" y1="${short(y(stars))}" y2="${short(y(stars))}"/>`,
  );
  const rated = months.filter(({ average_rating }) => average_rating !== null);
  const byStars = rated.toSorted((a, b) => (b.average_rating ?? 0) - (a.average_rating ?? 0));
  const [best, worst] = [byStars[0], byStars.at(-1)];
  const average = (month: Month | undefined) => locale.number(month?.average_rating ?? 0, 2);
  const describe = (month: Month | undefined) =>
    month === undefined ? words.none : `${locale.month(month.month)} (${average(month)})`;
  const isAlike = best !== undefined && average(best) === average(worst);
  return html`<div class="chart-box wide"><div class="plot"><span class="tick five" aria-hidden="true">5 ${renderStar()}</span><span class="tick one" aria-hidden="true">1 ${renderStar()}</span>${renderDrawing(
    {
      id: "month-chart",
      title: words.months,
      description: fill(isAlike ? words.monthsAlike : words.monthsDescription, {
        from: locale.month(first.month),
        to: locale.month(last.month),
        stars: average(best),
        best: describe(best),
        worst: describe(worst),
      }),
      width: WIDTH,
      height: HEIGHT,
      stretched: true,
      drawing: html`${rules}${bars}<path class="line" vector-effect="non-scaling-stroke" d="${path(months) ?? ""}"/>${points}`,
    },
  )}</div><p class="ends" aria-hidden="true"><span>${locale.month(first.month)}</span><span>${locale.month(last.month)}</span></p><p class="soft scale">${locale.counted(words.monthsScale, most)}${monthly.length === months.length ? "" : ` ${fill(words.newestMonths, { shown: locale.number(months.length), count: locale.number(monthly.length) })}`}</p>${renderChartTable(
    {
      summary: words.asTable,
      caption: words.months,
      colon: locale.colon,
      columns: [words.month, words.count, words.average],
      rows: monthly
        .toReversed()
        .map(({ month, review_count: count, average_rating: average }) => [
          locale.month(month),
          locale.number(count),
          average === null ? "–" : locale.number(average, 2),
        ]),
    },
  )}</div>`;
}
