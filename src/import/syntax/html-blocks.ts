/** The JSON-LD blocks in an HTML page. */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { newlinesIn } from "./line-count.ts";

/** A block's text, and the line on which it begins. */
export interface HtmlBlock {
  readonly text: string;
  readonly line: number;
}

const IS_JSON_LD = /^\s*application\/ld\+json\b/i;

/**
 * Finds every closed `<script type="application/ld+json">` outside comments, in one pass. It takes single tags, because
 * a parser also keeps a list of the open elements, which takes longer at each tag the deeper a page is nested.
 */
export function jsonLdBlocks(html: string): HtmlBlock[] {
  const blocks: HtmlBlock[] = [];
  let isScript = false;
  let [attribute, type] = ["", ""];
  /** Where the text of the open block begins. */
  let start: number | undefined;
  /** The line on which the last block began, and where it did. */
  let [line, counted] = [1, 0];

  function openTag(end: number): void {
    start = isScript && IS_JSON_LD.test(type) ? end + 1 : undefined;
  }

  const tokenizer = new Tokenizer(
    {},
    {
      ...IGNORED,
      onopentagname(from, to) {
        isScript = isNamed(html, "script", from, to);
        type = "";
      },
      onattribname(from, to) {
        attribute = isScript && isNamed(html, "type", from, to) && type === "" ? "type" : "";
      },
      onattribdata(from, to) {
        if (attribute === "type") type += html.slice(from, to);
      },
      onattribentity(codepoint) {
        if (attribute === "type") type += String.fromCodePoint(codepoint);
      },
      onopentagend: openTag,
      onselfclosingtag: openTag, // HTML ignores the slash
      onclosetag(from) {
        if (start === undefined) return;
        line += newlinesIn(html, counted, start);
        counted = start;
        blocks.push({ text: withoutCdata(html.slice(start, from - "</".length)), line });
        start = undefined;
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return blocks;
}

const nothing = () => {};
const IGNORED: TokenizerCallbacks = {
  onattribdata: nothing,
  onattribentity: nothing,
  onattribend: nothing,
  onattribname: nothing,
  oncdata: nothing,
  onclosetag: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onopentagname: nothing,
  onprocessinginstruction: nothing,
  onselfclosingtag: nothing,
  ontext: nothing,
  ontextentity: nothing,
};

/** Whether this part of the page is the name, in either case of letters. */
function isNamed(html: string, name: string, from: number, to: number): boolean {
  return to - from === name.length && html.slice(from, to).toLowerCase() === name;
}

/** Removes `//<![CDATA[ … //]]>` from XHTML pages. Newlines are preserved, so that line numbers are right. */
function withoutCdata(text: string): string {
  return text.replace(/^(\s*)(?:\/\/\s*)?<!\[CDATA\[/, "$1").replace(/(?:\/\/\s*)?\]\]>\s*$/, "");
}
