/** The links between the pages of a list: the neighbours, the first and the last page, and those around this one. */
import { html } from "hono/html";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { fill } from "../text/words.ts";
import type { Words } from "../text/words-en.ts";

/** Maximum offset in an address. */
const HIGHEST_OFFSET = 1_000_000;

/** Pages linked on each side of this one. */
const NEAR_PAGES = 2;

export interface Paging {
  readonly offset: number;
  readonly limit: number;
  readonly matched: number;
  /** The address of the page that starts at an offset. */
  readonly address: (offset: number) => string;
  /** Labels of the links to the previous and the next page. */
  readonly before: string;
  readonly after: string;
  /** What the pages hold, where it is not reviews. */
  readonly label?: string;
}

/** Renders the links; empty on the only page, and after the last. */
export function renderPager(paging: Paging, locale: Locale): Markup {
  const { words } = locale;
  const { offset, limit, matched, address, before, after, label: list = words.paging } = paging;
  if (offset >= matched || (offset === 0 && matched <= limit)) return "";
  const previous =
    offset === 0
      ? ""
      : html`<a class="button quiet" rel="prev" href="${address(Math.max(offset - limit, 0))}">← ${before}</a>`;
  const next =
    offset + limit >= matched || offset + limit > HIGHEST_OFFSET
      ? ""
      : html`<a class="button quiet" rel="next" href="${address(offset + limit)}">${after} →</a>`;
  const last = Math.min(Math.ceil(matched / limit), Math.floor(HIGHEST_OFFSET / limit) + 1);
  const numbers = pageNumbers(offset / limit + 1, last).map((page) => {
    if (page === undefined) return html`<li aria-hidden="true">…</li>`;
    const label = fill(words.pageNumber, { page: locale.number(page) });
    return (page - 1) * limit === offset
      ? html`<li><a href="${address(offset)}" aria-current="page" aria-label="${label}">${locale.number(page)}</a></li>`
      : html`<li><a href="${address((page - 1) * limit)}" aria-label="${label}">${locale.number(page)}</a></li>`;
  });
  return html`<nav class="pager" aria-label="${list}">${previous} <ul>${numbers}</ul> ${next}</nav>`;
}

/** Shown in place of the reviews on a page after the last one: links to the last and the first page. */
export function renderPastEnd(
  { last, first }: { readonly last: string; readonly first: string },
  words: Words,
): Markup {
  return html`<div class="card" id="past-end"><p>${words.pastEnd}</p><p class="actions"><a class="button" href="${last}">${words.lastPage}</a> <a class="button quiet" href="${first}">${words.firstPage}</a></p></div>`;
}

/**
 * The numbers of the pages to link, in order; undefined where some are left out, never for a single page. `current` is a
 * fraction if a list does not start where one of its pages does.
 */
export function pageNumbers(current: number, last: number): (number | undefined)[] {
  const from = Math.max(1, Math.min(Math.floor(current), last) - NEAR_PAGES);
  const to = Math.min(last, Math.ceil(current) + NEAR_PAGES);
  const near = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const start = from > 3 ? [1, undefined] : [1, 2].slice(0, from - 1);
  const end = to < last - 2 ? [undefined, last] : [last - 1, last].slice(2 - (last - to));
  return [...start, ...near, ...end];
}
