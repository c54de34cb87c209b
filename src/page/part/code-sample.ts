/** Sample code in a block that scrolls by keyboard, with a copy button if scripts run. */
import { html } from "hono/html";
import type { Markup } from "../text/markup.ts";
import type { Words } from "../text/words-en.ts";

/** Renders the block; `label` is its accessible name. */
export function renderCode(code: string, label: string, words: Pick<Words, "copy" | "copied">): Markup {
  return html`<div class="sample-code"><button type="button" class="button copy" data-copied="${words.copied}" hidden>${words.copy}<span class="hidden"> ${label}</span></button><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></div>`;
}

/** Marks the text between backquotes as code. */
export function withCode(sentence: string): Markup {
  return html`${sentence.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
