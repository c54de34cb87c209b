/** The frame that all charts share: the drawing with its title and description, and the data table. */
import { html } from "hono/html";
import type { Markup } from "../text/markup.ts";

export interface Chart {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** The chart's text alternative. */
  readonly description: string;
  readonly width: number;
  readonly height: number;
  /** Stretches to fill its box in both directions. Such a drawing contains no text. */
  readonly stretched?: boolean;
  readonly drawing: Markup | readonly Markup[];
}

/** The drawing as an image with a name and a description (SVG 2 §5.7, WAI-ARIA img). */
export function renderDrawing({ id, title, description, width, height, stretched = false, drawing }: Chart): Markup {
  return html`<svg class="chart" id="${id}" role="img" aria-labelledby="${id}-title ${id}-text" viewBox="0 0 ${width} ${height}"${
    stretched ? html` preserveAspectRatio="none"` : ""
  }><title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>${drawing}</svg>`;
}

export interface Table {
  readonly summary: string;
  readonly caption: string;
  /** Of the locale. */
  readonly colon: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [string | Markup, ...string[]])[];
}

/** The chart's data table, collapsed. The first cell of each row is its header. */
export function renderChartTable({ summary, caption, colon, columns, rows }: Table): Markup {
  return html`<details class="figures"><summary>${summary}</summary><div class="scroll" tabindex="0" role="region" aria-label="${summary}${colon} ${caption}"><table><caption>${caption}</caption><thead><tr>${columns.map(
    (column) => html`<th scope="col">${column}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([head, ...cells]) => html`<tr><th scope="row">${head}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div></details>`;
}

/** Formats a coordinate with at most two decimals. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
