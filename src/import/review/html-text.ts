/**
 * Undoes HTML in customers' words: entities (`&amp;`, `&#39;`) that a program wrote in the place of characters, and the
 * tags of texts that are HTML as a whole, of BBCode, or of WordPress.
 */
import { Parser } from "htmlparser2";
import { buttonOf, endsCut } from "../words/page-buttons.ts";
import { BARE_CODES, BLOCK_CODES } from "../words/page-words.ts";

/** A named, decimal or hexadecimal entity. */
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/** The text with each entity replaced by its character, once: `&amp;lt;` is `&lt;`. */
export function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  let once = text;
  for (let times = 0; times < MAX_TIMES && TWICE.test(once); times += 1) once = once.replaceAll(TWICE_EACH, "&$1;");
  return once.replace(UNENDED, "&$1;").replace(HALVES, whole).replace(ENTITY, characterOf);
}

/** How often programs escape one text. */
const MAX_TIMES = 4;
/** Entities of which a program has taken the end: `It&#39s`, `Gr&uuml toll`. */
const UNENDED =
  /&(#\d{2,6}|#x[\da-f]{2,5}(?![\da-f])|nbsp|[aou]uml|szlig|[aeiou](?:acute|grave|circ)|ccedil|ntilde|[lr][sd]quo|hellip|[nm]dash|(?:amp|lt|gt|quot|apos|euro)(?![a-z]))(?!;|=|\d*;)/gi;

/** What no customer writes: an entity that was escaped again. Angles stay, as somebody may write of HTML. */
const TWICE = /&amp;(#\d{1,7}|#x[\da-f]{1,6}|(?!lt;|gt;)[a-z][a-z\d]{1,31});/i;
/** Where one of them is, the whole text was escaped again, and its angles, too. */
const TWICE_EACH = /&amp;(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;
/** The two halves of a character, as programs of .NET and Java write it: `&#55357;&#56397;`. */
const HALVES =
  /&#(?:x(d[89ab][\da-f]{2})|(55[2-9]\d\d|56[0-2]\d\d|563[01]\d));&#(?:x(d[c-f][\da-f]{2})|(56[3-9]\d\d|57[0-2]\d\d|573[0-3]\d|5734[0-3]));/gi;

function whole(_: string, highHex?: string, high?: string, lowHex?: string, low?: string): string {
  const [first, second] = [highHex ?? Number(high).toString(16), lowHex ?? Number(low).toString(16)];
  return String.fromCharCode(Number.parseInt(first, 16), Number.parseInt(second, 16)).toWellFormed();
}

function characterOf(entity: string): string {
  let character = "";
  const parser = new Parser({
    ontext(text) {
      character += text;
    },
  });
  parser.end(entity);
  return character;
}

/** The elements of texts that are HTML. */
const ELEMENTS =
  "p|div|span|b|i|u|em|strong|a|ul|ol|li|h[1-6]|blockquote|font|img|small|s|button|label|section|article|main|header|footer|aside|details|summary|figure|figcaption|table|thead|tbody|tr|td|th|dl|dt|dd|sup|sub|pre|code|q|mark|del|ins|cite|abbr|time|center|tt|iframe|picture|noscript|o:p";
/** What shows a text to be HTML: a break, a picture, a comment, or the end of an element. */
const HTML = new RegExp(`<br\\s?/?>|<!\\[CDATA\\[|<!--|<img\\s|</(?:${ELEMENTS}|script|style)\\s?>`, "i");
// Each of these begins with a sign: blanks around it are trimmed by hand, so that none is tried at each of a run of them.
const BREAK = /<br\s?\/?>/i;
const BLOCK_END = /<\/(?:p|li|h[1-6]|blockquote|section|article|figure|figcaption|table|tr|dd)>/i;
const LINE_END = /<\/(?:div|dt)>/i;
const CELL_END = /<\/t[dh]>/gi;
/** Blanks and one line end, which only indent the HTML after a break. */
const INDENT = /^[^\S\n]*\n?/;
const UNSEEN =
  /<(?:script|style|iframe)(?:\s[^<>]{0,2000})?>[^<]{0,20000}<\/(?:script|style|iframe)\s?>|<!--[^<>]{0,2000}-->|<!\[CDATA\[|\]\]>/gi;
const TAG = new RegExp(`</?(?:${ELEMENTS})(?:\\s[^<>]{0,2000})?/?>`, "gi");
const BUTTON = /<(a|button)(?:\s[^<>]{0,2000})?>([^<>]{1,60})<\/\1\s?>/gi;

/** The HTML without the buttons of a page. One behind words that are cut short stays: it says that the rest is missing. */
function withoutButtons(html: string): string {
  return html.replace(BUTTON, (whole, _, words: string, at: number) => {
    const button = buttonOf(withoutEntities(words));
    const isRestMissing = /^\s*(?:…|\.\.\.|&hellip;)/.test(words) || endsCut(html.slice(Math.max(0, at - 20), at));
    return button === undefined || button === "original" || (button === "more" && isRestMissing) ? whole : "";
  });
}

const CODE = /\[(\/?)([a-z][a-z\d_-]{1,40})((?:\s[^[\]\n]{0,2000})?)\]/gi;
const MEDIA = /\[(embed|video|audio|playlist|gallery)(?:\s[^[\]]{0,2000})?\][^[\]]{0,2000}\[\/\1\]/gi;

/** The text without the codes of WordPress and its builders: `[caption width="300"]…[/caption]`, `[gallery ids="1,2"]`. */
function withoutShortcodes(text: string): string {
  const words = text.replace(MEDIA, "");
  const closed = new Set(Array.from(words.matchAll(CODE), ([, end, name = ""]) => (end === "/" ? name : "")));
  const plain = words.replace(CODE, (code, end: string, name: string, rest: string) => {
    const isCode = end === "/" || closed.has(name) || /\s[\w-]+=/.test(rest) || BARE_CODES.has(name.toLowerCase());
    if (!isCode || BBCODE_NAMES.test(name)) return code;
    return end === "/" && BLOCK_CODES.test(name.toLowerCase()) ? "\n" : "";
  });
  if (plain === text) return text;
  return trimmed(plain.split("\n"))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/ {2,}/g, " ")
    .trim();
}

const BBCODE_NAMES = /^(?:b|i|u|s|url|img|size|color|quote|list|center|font|email)$/i;
const BBCODE = /\[(\/?)(b|i|u|s|url|img|size|color|quote|list|center|font|email)(?:=[^[\]\n]{0,2000})?\]/gi;

/** The text without the tags of BBCode that are both opened and closed in it. */
function withoutBbcode(text: string): string {
  const names = (isEnd: boolean) =>
    new Set(
      Array.from(text.matchAll(BBCODE), ([, end, name = ""]) => ((end === "/") === isEnd ? name.toLowerCase() : "")),
    );
  const whole = names(false).intersection(names(true));
  return text.replace(BBCODE, (tag, _, name: string) => (whole.has(name.toLowerCase()) ? "" : tag));
}

/** A picture that a page shows in the place of an emoji, which it names. */
const EMOJI_PICTURE =
  /<img\s(?:[^<>]{0,500}\s)?alt=["'](?<emoji>(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F)[\p{Emoji}\p{M}\u200d]{0,10})["'][^<>]{0,500}>/giu;

/**
 * Words without the tags of HTML, BBCode or WordPress, if they have them; line breaks and paragraphs stay. Other values
 * stay as they are.
 */
export function plainText(given: unknown): unknown {
  if (typeof given !== "string") return given;
  const value = given.includes("[") ? withoutShortcodes(withoutBbcode(given)) : given;
  const text =
    !value.includes("<") && value.includes("&") && /&lt;|&#0*60;/i.test(value) ? withoutEntities(value) : value;
  if (!text.includes("<") || !HTML.test(text)) return value;
  const lines = withoutButtons(
    text.replace(UNSEEN, "").replace(EMOJI_PICTURE, "$<emoji>").replace(CELL_END, " "),
  ).split(BREAK);
  const broken = lines.map((line) => line.replace(INDENT, "").trimEnd()).join("\n");
  const blocks = trimmed(broken.split(BLOCK_END)).join("\n\n");
  const words = trimmed(blocks.split(LINE_END)).join("\n").replace(TAG, "");
  return words.replace(/\n{3,}/g, "\n\n").trim();
}

function trimmed(parts: readonly string[]): string[] {
  return parts.map((part) => part.trim());
}
