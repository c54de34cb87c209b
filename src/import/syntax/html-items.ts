/**
 * The schema.org items in an HTML page's markup, as microdata (`itemscope`, `itemprop`) and RDFa Lite (`typeof`,
 * `property`) give them, in the form of JSON-LD nodes.
 */
import { Parser } from "htmlparser2";
import { buttonOf, endsCut } from "../words/page-buttons.ts";
import { OF_BUTTON } from "../words/page-words.ts";

/**
 * A node as in JSON-LD: `@type`, and each property's values as a list. And what the markup says besides: `@hidden`, if the
 * page does not show it; `@spoken`, what it calls pictures and signs in it (`5 stars`); `@logo`, its pictures' names; `@cut` and `@translated`, if it has
 * a button for the rest of a text, or for the words of which that is a translation. `@unmarked`: words in a review that belong
 * to no property; `@best`: what a rating counts to by the words behind it (`5</b>/10`).
 */
type ItemNode = Readonly<Record<string, unknown>>;

/** The top-level items of each syntax. */
export interface HtmlItems {
  readonly microdata: readonly ItemNode[];
  readonly rdfa: readonly ItemNode[];
  /** About how much memory they take. */
  readonly bytes: number;
  /** Whether elements nest so deep that the rest of the page was not read. */
  readonly isTooDeep: boolean;
}

/** Memory of a property's value, and of an item, besides their text. */
const VALUE_BYTES = 1_250;
/** No more values are kept of a page: it is refused for its memory. */
const MAX_VALUES = 400_000;

type Syntax = "microdata" | "rdfa";
type Node = Record<string, unknown[]>;

/** An open element: the item that it begins, and the property whose value is its text. */
interface Open {
  item?: { readonly syntax: Syntax; readonly node: Node };
  readonly isHidden: boolean;
  /** Whether items elsewhere on the page name it as theirs (`itemref`). */
  readonly isShared: boolean;
  /** Where its text begins. */
  readonly from: number;
  /** Whether it may be a button that is no part of the words around it. */
  readonly isButton: boolean;
  readonly texts: { readonly node: Node; readonly names: readonly string[]; readonly from: number }[];
  /** The review that it begins, or of which it has a property. */
  review?: ReviewWords;
  of?: ReviewWords;
}

/** Words in a review's element that are no property's, as far as they were seen. */
interface ReviewWords {
  readonly nodes: readonly Node[];
  /** How many open elements have a property of it, or are a link or a button. */
  taken: number;
  words: string;
}

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Elements whose text no reader with a whole browser sees as words of the page. */
const SILENT = new Set("script style noscript svg textarea select".split(" "));
/** Elements after which words do not run on. */
const BLOCKS = new Set("br p div li tr section article h1 h2 h3 h4 h5 h6 blockquote dd dt".split(" "));
/** Elements that may be a page's button beside words. */
function isButton(name: string, { role, class: given = "", id = "", onclick }: Attributes): boolean {
  if (name === "a" || name === "button" || name === "summary" || role === "button") return true;
  return onclick !== undefined || OF_BUTTON.test(`${given} ${id}`);
}

/** Styles by which an element is not seen. */
const UNSEEN = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Deeper elements are looked at for the ends of others alone. */
const MAX_OPEN = 2000;
/** How many elements beyond these may be open: the parser takes time for each of them at every tag. */
const MAX_BEYOND = 3000;
/** More properties that hold each other would copy the same words again and again. */
const MAX_NESTED_TEXTS = 20;
/** More items that name others' properties are read without these. */
const MAX_SHARED = 10_000;
/** Shorter words may begin alike by chance. */
const MIN_TWIN = 8;
const MAX_TWINS = 5_000;
/** What a picture is called that a page shows in the place of an emoji. */
const IS_EMOJI = /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F)[\p{Emoji}\p{M}\u200d]{0,10}$/u;
const ELLIPSIS = /\s?(?:…|\.\.\.)$/;
/** More words than these, and more passages of a review, are not noted. */
const MAX_UNMARKED = 200;
const MAX_PASSAGES = 10;
/** `/10`, `out of 10` behind a rating, and not `of 7 people` or `/ 3 days`. */
const BEHIND_RATING =
  /^[\s(]*(\d{1,2}(?:[.,]\d)?)?(?:\/|\s*(?:\/|out of|of|von|aus|sur|de|su|di|van|av|af|z|ze|из)\s*(?=\d+(?:\s*(?:[^\p{L}\s\d]|$)|\s*(?:stars?|stern|étoile|estrella|stell|sterren|point|punkt|punt|ponto|gwiazd|stjern))))([3-7]|10|20|100)(?![\d%]|[.,/-]\d)/iu;
const MAX_BEST = 40;
/** Longer names of pictures and signs tell no stars. */
const MAX_SPOKEN = 60;
/** No text of a review may be longer. */
const MAX_TEXT_CHARACTERS = 1_100_000;

/** Finds the items in one pass. Properties are taken without their prefix or address: `schema:author` is `author`. */
export function htmlItems(html: string): HtmlItems {
  if (!/\b(?:itemprop|property)\s*=/i.test(html)) return { microdata: [], rdfa: [], bytes: 0, isTooDeep: false };
  const found: Record<Syntax, Node[]> = { microdata: [], rdfa: [] };
  const open: Open[] = [];
  const items: Record<Syntax, Node[]> = { microdata: [], rdfa: [] };
  const reviews: ReviewWords[] = [];
  /** The item whose rating has just been read, and the words since. */
  let rated: { readonly node: Node; words: string } | undefined;
  let text = "";
  let [silent, collecting, beyond, hidden] = [0, 0, 0, 0];
  let [values, characters] = [0, 0];
  const shared = sharedNodes(html);
  const prefix = schemaPrefix(html);
  const sharers: { readonly node: Node; readonly ids: ReadonlySet<string> }[] = [];
  const add = (node: Node, names: readonly string[], value: unknown): void => {
    for (const name of names) {
      values += 1;
      if (typeof value === "string") characters += value.length;
      if (name === "__proto__" || values > MAX_VALUES) continue;
      const kept = node[name] ?? [];
      node[name] = kept;
      kept.push(value);
    }
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (SILENT.has(name)) silent += 1;
      if (BLOCKS.has(name)) breakWords();
      if (open.length === MAX_OPEN && !VOID.has(name)) {
        beyond += 1;
        if (beyond > MAX_BEYOND) parser.pause();
        return;
      }
      const common = items.microdata.length === 0 ? shared.get(attributes.id ?? "") : undefined;
      if (common !== undefined) items.microdata.push(common);
      const isHidden = name === "template" || "hidden" in attributes || UNSEEN.test(attributes.style ?? "");
      const element: Open = {
        isHidden,
        isShared: common !== undefined,
        from: text.length,
        isButton: collecting > 0 && isButton(name, attributes),
        texts: [],
      };
      if (isHidden && !VOID.has(name)) hidden += 1;
      const begun: Node[] = [];
      let isProperty = /^(?:a|button)$/.test(name);
      for (const syntax of ["microdata", "rdfa"] as const) {
        const names = propertyNames(syntax, attributes, prefix);
        const type = typeOf(syntax, attributes, prefix);
        const parent = items[syntax].at(-1);
        isProperty ||= names.length > 0;
        if (names.length > 0) noteBest();
        if (name === "meter" && names.includes("ratingValue") && parent !== undefined && attributes.max !== undefined)
          add(parent, ["@best"], attributes.max);
        if (type !== undefined) {
          const node: Node = { "@type": type, ...(hidden > 0 && { "@hidden": [true] }) };
          const id = attributes.itemid ?? (syntax === "rdfa" ? attributes.resource : undefined);
          if (id !== undefined) node["@id"] = [id];
          if (syntax === "microdata" && attributes.itemref !== undefined)
            sharers.push({ node, ids: new Set(attributes.itemref.split(/\s+/)) });
          if (parent !== undefined && names.length > 0) add(parent, names, node);
          else if (values < MAX_VALUES) found[syntax].push(node);
          values += 1;
          if (!VOID.has(name)) {
            items[syntax].push(node);
            element.item = { syntax, node };
            if (type.includes("Review")) begun.push(node);
          }
        } else if (parent !== undefined && names.length > 0) {
          const isNameLinked =
            name === "a" &&
            attributes.content === undefined &&
            names.some((each) => each === "author" || each === "name");
          const isPicture = name === "img" && names.some((each) => /^(?:ratingValue|reviewRating)$/.test(each));
          const value = isPicture ? "" : isNameLinked ? undefined : attributeValue(name, attributes, syntax);
          if (value !== undefined) add(parent, names, value);
          if (names.includes("ratingValue")) rated = { node: parent, words: "" };
          if (value !== undefined) continue;
          if (!VOID.has(name) && collecting < MAX_NESTED_TEXTS) {
            element.texts.push({ node: parent, names, from: text.length });
            collecting += 1;
          }
        }
      }
      const around = reviews.at(-1);
      if (begun.length > 0) {
        noteWords();
        element.review = { nodes: begun, taken: 0, words: "" };
        reviews.push(element.review);
      } else if (around !== undefined && isProperty && !VOID.has(name)) {
        noteWords();
        element.of = around;
        around.taken += 1;
      }
      if (name === "img" && collecting > 0 && silent === 0 && IS_EMOJI.test(attributes.alt ?? ""))
        text += attributes.alt;
      const spoken = attributes.alt ?? attributes["aria-label"] ?? attributes.title ?? "";
      if (spoken.length <= MAX_SPOKEN && /[\d★⭐]/u.test(spoken))
        for (const syntax of ["microdata", "rdfa"] as const) {
          const node = items[syntax].at(-1);
          if (node !== undefined) add(node, ["@spoken"], spoken);
        }
      const isPictured = (name === "img" || name === "svg") && items.microdata.length + items.rdfa.length > 0;
      if (isPictured)
        for (const logo of logoNames(attributes))
          for (const syntax of ["microdata", "rdfa"] as const) {
            const node = items[syntax].at(-1);
            if (node !== undefined) add(node, ["@logo"], logo);
          }
      if (!VOID.has(name)) open.push(element);
      else if (common !== undefined) items.microdata.pop();
    },
    ontext(piece) {
      if (silent === 0 && collecting > 0 && text.length < MAX_TEXT_CHARACTERS) text += piece;
      if (rated !== undefined && silent === 0 && rated.words.length < MAX_BEST)
        rated.words = (rated.words + piece.slice(0, MAX_BEST)).slice(0, MAX_BEST);
      const review = reviews.at(-1);
      if (review?.taken === 0 && silent + hidden === 0 && review.words.length < MAX_UNMARKED) review.words += piece;
    },
    onclosetag(name) {
      if (SILENT.has(name)) silent = Math.max(0, silent - 1);
      if (VOID.has(name)) return;
      if (beyond > 0) {
        beyond -= 1;
        return;
      }
      const element = open.pop();
      if (element !== undefined && collecting > 0 && element.texts.length === 0) {
        if (element.isButton) takeOutButton(element.from);
        joinTwins(element.from);
      }
      for (const { node, names, from } of element?.texts ?? []) {
        add(node, names, wordsOf(text.slice(from)));
        if (node === rated?.node && names.includes("ratingValue")) rated.words = "";
        collecting -= 1;
      }
      if (element?.isHidden === true) hidden -= 1;
      if (element?.item !== undefined) {
        if (element.item.node === rated?.node) noteBest();
        items[element.item.syntax].pop();
      }
      if (element?.isShared === true) items.microdata.pop();
      if (element?.of !== undefined) element.of.taken -= 1;
      if (element?.review !== undefined) {
        noteWords();
        reviews.pop();
      }
      if (BLOCKS.has(name)) breakWords();
      if (collecting === 0) text = "";
    },
  });
  parser.end(html);
  shareProperties();
  return { ...found, bytes: values * VALUE_BYTES + characters * 2, isTooDeep: beyond > MAX_BEYOND };

  /** Notes what a rating counts to by the words behind it. */
  function noteBest(): void {
    const [, again, best] = BEHIND_RATING.exec(rated?.words ?? "") ?? [];
    const isAgain = again === undefined || again === rated?.node.ratingValue?.at(-1);
    if (rated !== undefined && best !== undefined && isAgain) add(rated.node, ["@best"], best);
    rated = undefined;
  }

  function breakWords(): void {
    text += "\n";
    noteWords();
  }

  /** Notes the words of a review that are no property's, up to here. */
  function noteWords(): void {
    const review = reviews.at(-1);
    if (review === undefined || review.words === "") return;
    const words = review.words.slice(0, MAX_UNMARKED).replace(/\s+/g, " ").trim();
    review.words = "";
    if (!/\p{L}.*\p{L}.*\p{L}/su.test(words)) return;
    for (const node of review.nodes)
      if ((node["@unmarked"]?.length ?? 0) < MAX_PASSAGES) add(node, ["@unmarked"], words);
  }

  /** Takes the words of a button out of the text, and notes what they say of it. */
  function takeOutButton(from: number): void {
    const words = text.slice(from);
    const button = buttonOf(words);
    if (button === undefined) return;
    const isCut = button === "more" && (/^\s*(?:…|\.\.\.)/.test(words) || endsCut(text.slice(0, from)));
    text = text.slice(0, from);
    if (!isCut && button !== "original") return;
    for (const { texts } of open) for (const { node } of texts) node[isCut ? "@cut" : "@translated"] = [true];
  }

  /** Of words that a page cuts short and has whole beside them, keeps the whole ones. `from`: where the later ones begin. */
  function joinTwins(from: number): void {
    const [isCut, isLaterCut] = [endsCut(text.slice(Math.max(0, from - MIN_TWIN), from)), endsCut(text.slice(from))];
    if (isCut === isLaterCut || text.length - from < MIN_TWIN) return;
    const start = open.findLast(({ texts }) => texts.length > 0)?.from ?? from;
    if (from - start < MIN_TWIN || text.length - start > MAX_TWINS) return;
    const [before, after] = [text.slice(start, from).trim(), text.slice(from).trim()];
    if (isCut && after.startsWith(before.replace(ELLIPSIS, ""))) text = text.slice(0, start) + after;
    else if (isLaterCut && before.startsWith(after.replace(ELLIPSIS, ""))) text = text.slice(0, from);
  }

  /** Gives items the properties that they name by ids. */
  function shareProperties(): void {
    const areSharers = new Set(sharers.map(({ node }) => node));
    const leaves = new Map<string, readonly (readonly [property: string, values: readonly unknown[]])[]>();
    const leavesOf = (id: string) =>
      leaves.getOrInsertComputed(id, () => {
        const all = Object.entries(shared.get(id) ?? {});
        const own = all.map(([name, given]) => [name, given.filter((value) => isLeaf(value, areSharers))] as const);
        return own.filter(([, given]) => given.length > 0);
      });
    for (const { node, ids } of sharers)
      for (const id of ids)
        for (const [property, given] of leavesOf(id))
          for (const value of given) {
            if (values > MAX_VALUES) return;
            add(node, [property], value);
          }
  }
}

/** A node for each element that an item names by its id (`itemref`), to hold the properties in it. */
function sharedNodes(html: string): Map<string, Node> {
  const ids = html.matchAll(/\bitemref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi);
  const named = Array.from(ids.take(MAX_SHARED), ([, ...quoted]) => quoted.find((each) => each !== undefined) ?? "");
  return new Map(named.flatMap((each) => each.split(/\s+/)).flatMap((id) => (id === "" ? [] : [[id, {}]])));
}

/** Whether a value holds no item inside: those that hold items could be made to hold themselves. */
function isLeaf(value: unknown, sharers: ReadonlySet<unknown>): boolean {
  if (typeof value !== "object" || value === null) return true;
  return (
    !sharers.has(value) && Object.values(value).every((list) => [list].flat().every((each) => typeof each !== "object"))
  );
}

type Attributes = Readonly<Record<string, string>>;

/** What a picture is called, and its file, without a word for logos: `Trustpilot logo`, `/img/yelp-icon.svg`. */
function logoNames({ alt, title, src = "", "aria-label": label }: Attributes): string[] {
  const file = /([^/?#]{1,60})\.(?:svg|png|jpe?g|gif|webp)(?:[?#]|$)/i.exec(src.slice(-300))?.[1];
  return [alt, title, label, file].flatMap((name) => {
    const bare = (name ?? "")
      .slice(0, MAX_SPOKEN)
      .replace(OF_LOGO, " ")
      .replace(/[\s_-]+/g, " ")
      .trim();
    return bare === "" || /[\d★⭐]/u.test(bare) ? [] : [bare];
  });
}

const OF_LOGO = /(?<![\p{L}])(?:logo|icon|badge|reviews?|from|small|white|black|color|colour|review)(?![\p{L}])/giu;

function propertyNames(syntax: Syntax, attributes: Attributes, prefix: RegExp): string[] {
  const text = (syntax === "microdata" ? attributes.itemprop : attributes.property) ?? "";
  return text
    .split(/\s+/)
    .map((name) => name.replace(prefix, ""))
    .filter(Boolean);
}

/** The types of the item that an element begins; undefined if it begins none. */
function typeOf(syntax: Syntax, attributes: Attributes, prefix: RegExp): string[] | undefined {
  const text =
    syntax === "microdata"
      ? attributes.itemscope === undefined
        ? undefined
        : (attributes.itemtype ?? "")
      : attributes.typeof;
  return text
    ?.split(/\s+/)
    .map((name) => name.replace(prefix, ""))
    .filter(Boolean);
}

/**
 * What stands before the names of schema.org: `https://schema.org/Review`, `schema:Review` and, where the page says so,
 * `s:Review` are the type `Review`. Names of other vocabularies keep what is before them.
 */
function schemaPrefix(html: string): RegExp {
  const declared = html.matchAll(
    /\b(?:xmlns:([\w-]{1,20})\s*=\s*["']\s*|([\w-]{1,20}):\s+)https?:\/\/(?:www\.)?schema\.org\//gi,
  );
  const own = Array.from(declared.take(MAX_PREFIXES), ([, older = "", newer = ""]) => older || newer);
  return new RegExp(`^(?:https?://(?:www\\.)?schema\\.org/|(?:${["schema", ...new Set(own)].join("|")}):)`, "i");
}

const MAX_PREFIXES = 10;

/** The value that an element's attributes give; undefined if it is the element's text. */
function attributeValue(name: string, attributes: Attributes, syntax: Syntax): string | undefined {
  const { content, datetime, href, src, value, data } = attributes;
  if (content !== undefined) return content;
  if (name === "meta") return "";
  if (name === "time") return datetime;
  if (name === "a" || name === "area" || name === "link")
    return syntax === "rdfa" ? (attributes.resource ?? href) : href;
  if (["img", "audio", "video", "source", "iframe", "embed", "track"].includes(name)) return src;
  if (name === "data" || name === "meter") return value;
  return name === "object" ? data : undefined;
}

/** An element's text as it is seen: spaces run together, paragraphs stay apart. */
function wordsOf(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
