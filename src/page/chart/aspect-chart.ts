/** The chart of praise and criticism per aspect: bars that diverge from a common axis. */
import { scaleBand, scaleLinear } from "d3-scale";
import { html } from "hono/html";
import type { Aspect } from "../../insights-document.ts";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { aspectLabel } from "../text/prose-language.ts";
import { fill } from "../text/words.ts";
import { renderChartTable, renderDrawing, short } from "./chart-frame.ts";

const WIDTH = 320;
const ROW = 38;
const MAX_LABEL_LENGTH = 34;

/** Minimum number of mentions that the full width represents, so that a single one does not fill it. */
const MIN_SCALE_MENTIONS = 10;

/** One row per mentioned aspect, most mentioned first, followed by the data table; empty if no aspect is mentioned. */
export function renderAspectChart(aspects: readonly Aspect[], locale: Locale): Markup {
  const { words } = locale;
  const mentioned = aspects.filter(({ mention_count }) => mention_count > 0);
  if (mentioned.length === 0) return "";
  const height = mentioned.length * ROW;
  const row = scaleBand<number>(mentioned.keys(), [0, height]);
  const most = (count: (aspect: Aspect) => number) => Math.max(...mentioned.map(count), 0);
  const blamed = most((aspect) => aspect.negative_count);
  const praised = most((aspect) => aspect.positive_count);
  const x = scaleLinear([-blamed, Math.max(praised, MIN_SCALE_MENTIONS - blamed)], [0, WIDTH]); // one scale for all bars
  const axis = x(0);
  const labels = mentioned.map(({ label }) => aspectLabel(label, locale));
  const bars = mentioned.map(({ positive_count: praise, negative_count: blame }, index) => {
    const { text = "", lang = "" } = labels[index] ?? {};
    const top = row(index) ?? 0;
    const bar = (kind: string, from: number, to: number) =>
      from === to
        ? ""
        : html`<rect class="${kind}" x="${short(from)}" y="${short(top + 19)}" width="${short(to - from)}" height="12" rx="2"/>`;
    return html`<text x="0" y="${short(top + 9)}" class="label"${lang}>${shortened(text)}</text><text x="${WIDTH}" y="${short(top + 9)}" class="label end">${blame === 0 ? "" : `−${locale.number(blame)}`}${blame > 0 && praise > 0 ? " / " : ""}${praise === 0 ? "" : `+${locale.number(praise)}`}</text><line class="axis" x1="${short(axis)}" x2="${short(axis)}" y1="${short(top + 16)}" y2="${short(top + 34)}"/>${bar("blame", x(-blame), axis)}${bar("praise", axis, x(praise))}`;
  });
  const list = mentioned.map((aspect) =>
    fill(words.aspectFigures, {
      label: aspectLabel(aspect.label, locale).text,
      praise: locale.number(aspect.positive_count),
      criticism: locale.number(aspect.negative_count),
    }),
  );
  return html`<div class="chart-box">${renderDrawing({
    id: "aspect-chart",
    title: words.aspects,
    description: fill(words.aspectsDescription, { list: list.join(`${locale.semicolon} `) }),
    width: WIDTH,
    height,
    drawing: bars,
  })}${renderChartTable({
    summary: words.asTable,
    caption: words.aspects,
    colon: locale.colon,
    columns: [words.aspect, words.praise, words.neutral, words.criticism],
    rows: mentioned.map((aspect, index) => [
      html`<span${labels[index]?.lang ?? ""}>${labels[index]?.text ?? ""}</span>`,
      locale.number(aspect.positive_count),
      locale.number(aspect.neutral_count),
      locale.number(aspect.negative_count),
    ]),
  })}</div>`;
}

function shortened(label: string): string {
  return label.length <= MAX_LABEL_LENGTH ? label : `${label.slice(0, MAX_LABEL_LENGTH - 1).toWellFormed()}…`;
}
