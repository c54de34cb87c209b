/** The JSON-LD blocks in an HTML page. */
import { Parser } from "htmlparser2";

/** A block's text, and the line on which it begins. */
export interface HtmlBlock {
  readonly text: string;
  readonly line: number;
}

const IS_JSON_LD = /^\s*application\/ld\+json\b/i;

/** Finds every closed `<script type="application/ld+json">` outside comments, in one pass. */
export function jsonLdBlocks(html: string): HtmlBlock[] {
  const blocks: HtmlBlock[] = [];
  let block: { readonly start: number; text: string } | undefined;
  const parser = new Parser({
    onopentag(name, { type = "" }) {
      if (name === "script" && IS_JSON_LD.test(type)) block = { start: parser.endIndex + 1, text: "" };
    },
    ontext(text) {
      if (block !== undefined) block.text += text;
    },
    onclosetag(name, isImplied) {
      if (name !== "script") return;
      if (block !== undefined && !isImplied) {
        blocks.push({ text: withoutCdata(block.text), line: html.slice(0, block.start).split("\n").length });
      }
      block = undefined;
    },
  });
  parser.end(html);
  return blocks;
}

/** Removes `//<![CDATA[ … //]]>` from XHTML pages. Newlines are preserved, so that line numbers are right. */
function withoutCdata(text: string): string {
  return text.replace(/^(\s*)(?:\/\/\s*)?<!\[CDATA\[/, "$1").replace(/(?:\/\/\s*)?\]\]>\s*$/, "");
}
