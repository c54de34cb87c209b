/** The JSON-LD blocks of an HTML page. */

/** The text of one block, and the line on which it begins. */
export interface HtmlBlock {
  readonly text: string;
  readonly line: number;
}

const LONGEST_TAG = 2000;
// A comment is looked for too, so that a script inside it does not count.
const COMMENT_OR_SCRIPT = new RegExp(`<!--|<script\\b([^>]{0,${LONGEST_TAG}})>`, "gi");
const SCRIPT_END = /<\/script/gi;
const IS_JSON_LD = /\btype\s*=\s*["']?\s*application\/ld\+json\b/i;

/** Every `<script type="application/ld+json">` that is not commented out. Reads the page once, whatever stands in it. */
export function jsonLdBlocks(html: string): HtmlBlock[] {
  const blocks: HtmlBlock[] = [];
  for (let at = 0; ; ) {
    const opening = search(COMMENT_OR_SCRIPT, html, at);
    if (opening === undefined) return blocks;
    const start = opening.index + opening[0].length;
    const attributes = opening[1];
    const end = attributes === undefined ? html.indexOf("-->", start) : (search(SCRIPT_END, html, start)?.index ?? -1);
    if (end === -1) return blocks;
    if (attributes !== undefined && IS_JSON_LD.test(attributes)) {
      blocks.push({ text: withoutCdata(html.slice(start, end)), line: html.slice(0, start).split("\n").length });
    }
    at = end;
  }
}

function search(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}

/** XHTML pages wrap a script in `//<![CDATA[ … //]]>`. The newlines stay, so that lines count. */
function withoutCdata(text: string): string {
  return text.replace(/^(\s*)(?:\/\/\s*)?<!\[CDATA\[/, "$1").replace(/(?:\/\/\s*)?\]\]>\s*$/, "");
}
