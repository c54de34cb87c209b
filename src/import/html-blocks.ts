/** The JSON-LD blocks of an HTML page. */

/** The text of one block, and the line on which it begins. */
export interface HtmlBlock {
  readonly text: string;
  readonly line: number;
}

// A comment is taken whole first, so that a script inside it does not count.
const COMMENT_OR_SCRIPT = /<!--[\s\S]*?(?:-->|$)|<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const IS_JSON_LD = /\btype\s*=\s*(["']?)\s*application\/ld\+json\b[^"'>]*\1/i;

/** Every `<script type="application/ld+json">` that is not commented out. */
export function jsonLdBlocks(html: string): HtmlBlock[] {
  const blocks: HtmlBlock[] = [];
  for (const match of html.matchAll(COMMENT_OR_SCRIPT)) {
    const [whole, attributes, text] = match;
    if (attributes === undefined || text === undefined || !IS_JSON_LD.test(attributes)) continue;
    const start = match.index + whole.indexOf(text, attributes.length);
    blocks.push({
      text: text.replace(/^\s*(?:\/\/\s*)?<!\[CDATA\[|(?:\/\/\s*)?\]\]>\s*$/g, ""),
      line: lineAt(html, start),
    });
  }
  return blocks;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
