/** Reviews in the words of schema.org: JSON-LD in a document or an HTML page, microdata or RDFa in a page's markup. */
import { quote } from "../../issue.ts";
import { isObject, members } from "../../lib/json-object.ts";
import { placeOfNode } from "../place/schema-place.ts";
import { foldedName, placeOf, type ToldPlace } from "../place/told-place.ts";
import type { Entry, FieldNames, RawReview } from "../review/candidate.ts";
import { withoutEscapes } from "../review/escaped-text.ts";
import { type DateOrder, readDate } from "../review/free-form-date.ts";
import { plainText } from "../review/html-text.ts";
import { isHidingWord } from "../review/publication-state.ts";
import { openScaleJudge } from "../review/rating-scale.ts";
import { openPicks, type Picks, type ReadField, type ReadFrom } from "../review/read-from.ts";
import { replyInText, withoutReply } from "../review/reply-in-text.ts";
import { hostOf, knownSite, sourceNamed } from "../review/review-source.ts";
import { readStars, spokenStars } from "../review/star-rating.ts";
import { isName, titledText } from "../review/titled-text.ts";
import type { Content } from "../syntax/content.ts";
import { parseJson } from "../syntax/json-text.ts";
import { withoutLastButtons } from "../words/page-buttons.ts";
import { type Format, notePlace, otherSite, stateIn } from "./format.ts";
import { openFurtherMembers } from "./further-members.ts";
import { addedMembers } from "./schema-members.ts";

type Node = Readonly<Record<string, unknown>>;

const REVIEWS = new Set(["Review", "UserReview"]);
const OF_EMPLOYEES = new Set(["EmployerReview"]);
const OF_CRITICS = new Set(["CriticReview"]);
const PRODUCTS = new Set(
  "Product IndividualProduct ProductModel ProductGroup SoftwareApplication MobileApplication WebApplication Book Movie Recipe Vehicle Car".split(
    " ",
  ),
);
const AGGREGATES = new Set(["AggregateRating", "EmployerAggregateRating"]);
const NAMES: FieldNames = {
  id: "@id",
  author: "author.name",
  author_avatar_url: "author.image",
  rating: "reviewRating.ratingValue",
  written: "datePublished",
  text: "reviewBody",
  source_url: "url",
};

export const jsonLd: Format = {
  name: "schema.org",
  extent: () => "whole",
  recognises: (content) =>
    mostReviews(content).values.some(
      (value) => "fault" in value || value.nodes.length > 0 || (content.syntax === "html" && othersIn([value]) > 0),
    ),
  *records(content, { dates }): Generator<Entry> {
    const { values, passedOver } = mostReviews(content);
    const site = content.syntax === "html" ? knownSite(content.address) : undefined;
    const judge = openScaleJudge();
    for (const value of values)
      for (const mean of "fault" in value ? [] : value.means) judge.add({ value: mean, at: "the mean of all ratings" });
    for (const { at, node, place, ...one } of placed(values))
      if (bestRating(node) === undefined)
        judge.add(
          { value: ratingOf(node), at },
          publisherOf(node, { ...one, place }) ?? one.site ?? logoSite(node) ?? site,
        );
    const scaleFault = judge.verdict();
    let inner = 0;
    const picks = openPicks();
    const others = openFurtherMembers({ names: {}, vendor: NOTHING_BESIDE });
    const areAllHidden = placed(values).every(({ node }) => "@hidden" in node);
    for (const value of values) if ("fault" in value) yield value;
    for (const { at, node, names, place: around, ...one } of placed(values)) {
      const added = addedMembers(node);
      const place = placeOf(added, [], at) ?? around;
      notePlace(added, picks);
      const named = otherSite({}, { record: added, read: [] });
      const isHidden = "@hidden" in node && !areAllHidden;
      const read = {
        ...entry(node, at, {
          dates,
          names,
          site: siteRead(picks, [
            [publisherOf(node, { ...one, place }), PUBLISHERS.filter((name) => name in node).join(", ")],
            [one.site, "itemReviewed.url"],
            [named?.source, named?.name ?? ""],
            [logoSite(node), "a logo beside it"],
            [site, "the page's address"],
          ]),
          isHidden,
          author: authorOf(node, one),
          picks,
          whole: (review) =>
            others.look(added, { ...stateIn(added, picks, { read: NO_MEMBERS }), ...review }, place !== undefined),
        }),
        place,
      };
      const isUnscaled = scaleFault !== undefined && bestRating(node) === undefined;
      const isOfOther = isUnscaled && "review" in read && "value" in readStars(read.review.rating);
      if ("review" in read && read.review.owner_reply !== undefined) inner += 1;
      yield isOfOther ? { at, fault: `ratingValue is ${quote(ratingOf(node))}, but ${scaleFault}`, place } : read;
    }
    yield { at: "", readFrom: picks.told() };
    if (passedOver !== undefined) yield { at: "", warning: passedOver };
    for (const [who, name] of Object.entries({ employees: "ofEmployees", critics: "ofCritics" } as const)) {
      const count = values.reduce((sum, value) => sum + ("fault" in value ? 0 : value[name]), 0);
      if (count > 0)
        yield {
          at: "",
          warning: `${count === 1 ? "1 review is" : `${count} reviews are`} by ${who} (${who === "critics" ? "CriticReview" : "EmployerReview"}) and not by customers: left out`,
        };
    }
    const byOrganizations = placed(values).filter(({ node, named }) =>
      isOrganization(authorOf(node, { named })),
    ).length;
    if (byOrganizations > 0)
      yield {
        at: "",
        warning: `the author of ${byOrganizations === 1 ? "1 review" : `${byOrganizations} reviews`} is an organisation in the page's words: leave out what no customer wrote`,
      };
    const ofProducts = placed(values).filter(({ isOfProduct }) => isOfProduct).length;
    if (ofProducts > 0)
      yield {
        at: "",
        warning: `${ofProducts === 1 ? "1 review is" : `${ofProducts} reviews are`} of a product in the page's words, and ${ofProducts === 1 ? "counts" : "count"} as the business's: leave out what is not about the business`,
      };
    const listed = placed(values).filter(({ node }) => "positiveNotes" in node || "negativeNotes" in node).length;
    if (listed > 0)
      yield {
        at: "",
        warning: `the lists of what is good and bad (positiveNotes, negativeNotes) of ${listed === 1 ? "1 review" : `${listed} reviews`} are left out`,
      };
    if (inner > 0) yield { at: "", warning: replyInText(inner) };
    const shared = placed(values).filter(({ node, names }) =>
      wordsOfOthers(node).some(({ by }) => !names.has(by)),
    ).length;
    if (shared > 0)
      yield {
        at: "",
        warning: `${shared === 1 ? "1 review holds" : `${shared} reviews hold`} words of further authors: those of the first are read, the others' left out`,
      };
    const unread = unreadWords(placed(values), picks.told());
    if (unread.length > 0)
      yield { at: "", warning: `does not use the members ${unread.map((name) => quote(name)).join(", ")}` };
    for (const warning of others.told(picks.told())) yield { at: "", warning };
    const unmarked = unmarkedWords(placed(values));
    if (unmarked !== undefined) yield { at: "", warning: unmarked };
    const inSeveral = placed(values).filter(({ node }) => languagesOf(node.reviewBody).length > 1).length;
    if (inSeveral > 0)
      yield {
        at: "",
        warning: `${inSeveral === 1 ? "1 text is" : `${inSeveral} texts are`} there in several languages: that of the review (inLanguage) or the first is read`,
      };
    const cut = placed(values).filter(({ node }) => "@cut" in node).length;
    if (cut > 0)
      yield {
        at: "",
        warning: `${cut === 1 ? "a text ends" : `${cut} texts end`} as a page cuts long ones short ("… More"): imported without the rest. Export the reviews whole at the service that has them`,
      };
    const machines = placed(values).filter(({ node }) => "@translated" in node).length;
    if (machines > 0)
      yield {
        at: "",
        warning: `the words of ${machines === 1 ? "1 review are" : `${machines} reviews are`} left out: they are a translation, as the page says (by a button that shows the original, or by translationOfWork), and the customers' own are not in the file`,
      };
    const replied = placed(values).filter(({ node }) => "comment" in node).length;
    if (replied > 0)
      yield {
        at: "",
        warning: `the comments on ${replied === 1 ? "1 review" : `${replied} reviews`} are left out: nothing tells which are the business's replies`,
      };
  },
};

/** Members that are added to those of a review are named, whatever they are called. */
const NOTHING_BESIDE = /^$/;
const NO_MEMBERS = new Set<string>();

interface PlacedNode {
  readonly at: string;
  /** The names of the page's other items. */
  readonly names: ReadonlySet<unknown>;
  readonly node: Node;
  readonly place: ToldPlace | undefined;
  readonly isOfProduct: boolean;
  readonly site: string | undefined;
  readonly named: ReadonlyMap<unknown, Node>;
}

function placed(values: readonly Value[]): PlacedNode[] {
  return values.flatMap((value) =>
    "fault" in value
      ? []
      : value.nodes.map((one, index) => ({ at: `${value.at} ${index + 1}`, ...one, names: value.names })),
  );
}

/**
 * The reviews of the syntax that has most of them. A page often describes the same reviews in several, in other words
 * each, so that they could not be told to be the same.
 */
function mostReviews(content: Content): { readonly values: readonly Value[]; readonly passedOver: string | undefined } {
  const found = [{ name: "JSON-LD", values: values(content) }];
  if (content.syntax === "html") {
    for (const [name, items] of [
      ["microdata", content.microdata],
      ["RDFa", content.rdfa],
    ] as const)
      found.push({ name, values: [{ at: `${name}, review`, ...reviewNodes(items) }] });
  }
  const counted = found.map((one) => ({ ...one, count: placed(one.values).length }));
  const [first, ...others] = counted.toSorted((a, b) => b.count - a.count || othersIn(b.values) - othersIn(a.values));
  const named = others.filter(({ count }) => count > 0).map(({ name, count }) => `${count} in ${name}`);
  const passedOver =
    first === undefined || named.length === 0
      ? undefined
      : `the page describes reviews several times: the ${first.count} in ${first.name} are read, ${named.join(" and ")} passed over`;
  const faults = counted.flatMap((one) =>
    one.name === first?.name ? [] : one.values.filter((value) => "fault" in value),
  );
  return { values: [...(first?.values ?? []), ...faults], passedOver };
}

/** How many reviews are by no customers. */
function othersIn(values: readonly Value[]): number {
  return values.reduce((sum, value) => sum + ("fault" in value ? 0 : value.ofEmployees + value.ofCritics), 0);
}

/** A review, and the place that it is about: its `itemReviewed`, or the nearest node around it that is one. */
interface Reviewed {
  readonly node: Node;
  readonly place: ToldPlace | undefined;
  readonly isOfProduct: boolean;
  /** The site with customers' reviews whose page of the place this is, by the place's address. */
  readonly site: string | undefined;
  /** Nodes with names by their ids: a review may refer to who published it. */
  readonly named: ReadonlyMap<unknown, Node>;
}

interface Found {
  readonly nodes: readonly Reviewed[];
  /** The names of what is reviewed. */
  readonly names: ReadonlySet<unknown>;
  /** The means of all ratings, with what they count to where that is said (`8.4/10`): reviews may leave it to them. */
  readonly means: readonly unknown[];
  /** How many reviews are by those who work there, and by critics. */
  readonly ofEmployees: number;
  readonly ofCritics: number;
}

type Value = { readonly at: string } & (Found | { readonly fault: string });

/** The content's JSON-LD values. A block with invalid JSON is a fault if it mentions reviews. */
function values(content: Content): Value[] {
  if (content.syntax === "json")
    return isLinkedData(content.value) ? [{ at: "review", ...reviewNodes(content.value) }] : [];
  if (content.syntax !== "html") return [];
  return content.blocks.flatMap(({ text, line }): Value[] => {
    const parsed = parseJson(text);
    if ("value" in parsed) return [{ at: `block at line ${line}, review`, ...reviewNodes(parsed.value) }];
    return /"Review"/.test(text) ? [{ at: `block at line ${line}`, fault: parsed.fault }] : [];
  });
}

function isLinkedData(value: unknown): boolean {
  const first = Array.isArray(value) ? value[0] : value;
  return isObject(first) && ("@context" in first || "@type" in first || "@graph" in first);
}

/** Finds every review in the value at any depth, in document order, and what is told of all of them. */
function reviewNodes(value: unknown): Found {
  const found: (Omit<Reviewed, "place" | "named"> & { readonly around: ToldPlace | undefined })[] = [];
  const names = new Set<unknown>();
  const means: unknown[] = [];
  let [ofEmployees, ofCritics] = [0, 0];
  /** Nodes with names, by their ids: a review may refer to what it is about. */
  const named = new Map<unknown, Node>();
  const waiting: {
    readonly next: unknown;
    readonly around: ToldPlace | undefined;
    readonly isProduct: boolean;
    readonly site: string | undefined;
  }[] = [{ next: value, around: undefined, isProduct: false, site: undefined }];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { next, around, isProduct, site } = one;
    if (isObject(next)) means.push(...meansOf(next));
    if (isObject(next) && isOfType(next, OF_EMPLOYEES)) ofEmployees += 1;
    if (isObject(next) && isOfType(next, OF_CRITICS)) ofCritics += 1;
    if (isObject(next) && isReview(next)) {
      const item = members(list(next.itemReviewed)[0]);
      const isOfProduct = "itemReviewed" in next ? isOfType(item, PRODUCTS) : isProduct;
      found.push({ node: inOwnWords(next), around, isOfProduct, site: siteOf(item) ?? site });
      names.add(textOf(item.name));
      means.push(...meansOf(item));
      const author = authorOf(next, { named });
      if (isObject(author) && "name" in author && author["@id"] !== undefined) named.set(author["@id"], author);
    } else if (typeof next === "object" && next !== null) {
      if (isObject(next) && "name" in next) {
        names.add(textOf(next.name));
        if (next["@id"] !== undefined) named.set(next["@id"], next);
      }
      const inside = (isObject(next) ? placeOfNode(next) : undefined) ?? around;
      for (const value of Object.values(next).toReversed())
        waiting.push({
          next: value,
          around: inside,
          isProduct: isObject(next) ? isOfType(next, PRODUCTS) : isProduct,
          site: (isObject(next) ? siteOf(next) : undefined) ?? site,
        });
    }
  }
  const nodes = found.map(({ node, around, isOfProduct, site }): Reviewed => {
    const item = list(node.itemReviewed)[0];
    const reviewed = isObject(item) ? (named.get(item["@id"] ?? item) ?? item) : undefined;
    return { node, isOfProduct, site, named, place: (reviewed && placeOfNode(reviewed)) ?? around };
  });
  return { nodes, names, means, ofEmployees, ofCritics };
}

/** A review with the words of which its own are a translation; marked as one where these are not there. */
function inOwnWords(node: Node): Node {
  if (!("translationOfWork" in node)) return node;
  const { headline, name, inLanguage, ...original } = members(list(node.translationOfWork)[0]);
  const words = ["reviewBody", "description", "text"].map((each) => original[each]).find((one) => one !== undefined);
  if (words === undefined) return { ...node, "@translated": [true] };
  return { ...node, reviewBody: words, headline, name, inLanguage };
}

/** The site with customers' reviews on which a place has its page. A business may have its own page at Facebook. */
function siteOf(place: Node): string | undefined {
  const sites = [place.url, place["@id"]].map((address) =>
    hostOf(textOf(address)) ? knownSite(textOf(address)) : undefined,
  );
  return sites.find((site) => site !== undefined && site !== "facebook");
}

/** The mean of ratings that a node has or is, if it does: the mean alone, or with what it counts to. */
function meansOf(node: Node): unknown[] {
  const own = isOfType(node, AGGREGATES) ? [node] : [];
  return [...own, ...list(node.aggregateRating).filter(isObject)].map((rating) => {
    const { ratingValue, bestRating } = rating;
    const [mean, best] = [textOf(ratingValue), textOf(bestRating)];
    return (best ?? null) === null ? mean : `${mean ?? best}/${best}`;
  });
}

/**
 * Who published a review, by its own members: a site that is known, or any other directory by its name; undefined for the
 * business itself, which has the name of what is reviewed.
 */
function publisherOf(node: Node, { named, place }: Pick<PlacedNode, "named" | "place">): string | undefined {
  const publishers = PUBLISHERS.slice(0, -PAGES)
    .flatMap((name) => list(node[name]))
    .map((one) => (isObject(one) && !("name" in one) ? (named.get(one["@id"]) ?? one) : one));
  const pages = PUBLISHERS.slice(-PAGES).flatMap((name) => list(node[name]));
  const says = [...publishers, ...pages]
    .flatMap((one) => (isObject(one) ? [one.name, one.url, one["@id"]] : [one]))
    .map(textOf);
  const known = says
    .map((one) => knownSite(one) ?? (GOOGLE_HOST.test(hostOf(one) ?? "") ? "google" : undefined))
    .find(Boolean);
  if (known !== undefined) return known;
  const item = members(list(node.itemReviewed)[0]);
  const own = [place?.name, textOf(item.name)].filter((name) => typeof name === "string").map(foldedName);
  const name = publishers.map((one) => textOf(isObject(one) ? one.name : one)).find((one) => typeof one === "string");
  if (typeof name !== "string" || name.trim() === "" || hostOf(name) !== undefined) return undefined;
  const folded = foldedName(name);
  return own.some((each) => each.startsWith(folded) || folded.startsWith(each)) ? undefined : sourceNamed(name);
}

const GOOGLE_HOST = /(?:^|\.)google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

/** Members that say who published a review; the last ones name what it is part of. */
const PUBLISHERS = [
  "publisher",
  "provider",
  "sourceOrganization",
  "isBasedOn",
  "isPartOf",
  "sameAs",
  "mainEntityOfPage",
] as const;
const PAGES = 3;

/** The site that the pictures beside a review name, if it is one alone. */
function logoSite(node: Node): string | undefined {
  const sites = new Set(list(node["@logo"]).map((name) => knownSite(name)));
  sites.delete(undefined);
  return sites.size === 1 ? [...sites][0] : undefined;
}

/** The first site that is told, which is noted with what told it. */
function siteRead(picks: Picks, told: readonly (readonly [string | undefined, string])[]): string | undefined {
  const [site, name = ""] = told.find(([each]) => each !== undefined) ?? [];
  if (site !== undefined) picks.note("source", name);
  return site;
}

/** Who wrote a review: a name, or a node, which may stand elsewhere and be referred to by its id. */
function authorOf(node: Node, { named }: Pick<PlacedNode, "named">): unknown {
  const author = list(node.author ?? node.creator)[0];
  return isObject(author) && !("name" in author) ? (named.get(author["@id"]) ?? author) : author;
}

function isOrganization(author: unknown): boolean {
  return isObject(author) && list(author["@type"]).some((type) => /(?:Organization|Corporation)$/.test(String(type)));
}

/** Whether a node is a review with content, rather than a reference by `@id`. */
function isReview(node: Node): boolean {
  return isOfType(node, REVIEWS) && ["reviewRating", "reviewBody", "datePublished"].some((name) => name in node);
}

function isOfType(node: Node, types: ReadonlySet<string>): boolean {
  return list(node["@type"]).some(
    (type) => typeof type === "string" && types.has(type.replace(/^(https?:\/\/schema\.org\/|schema:)/, "")),
  );
}

interface Reading {
  readonly dates: DateOrder | undefined;
  readonly names: ReadonlySet<unknown>;
  readonly site: string | undefined;
  /** Whether the page does not show it, though it shows others. */
  readonly isHidden: boolean;
  /** Who wrote it. */
  readonly author: unknown;
  readonly picks: Picks;
  /** Completes a review by what somebody has added to its members. */
  readonly whole: (review: RawReview) => RawReview;
}

function entry(node: Node, at: string, reading: Reading): Entry {
  const best = bestRating(node);
  if (best !== undefined && best !== null && Number(best) !== 5) {
    return { at, fault: `reviewRating.bestRating is ${quote(best)}, but must be 5: other scales have no whole stars` };
  }
  return { at, review: reading.whole(read(node, reading)), names: NAMES };
}

function bestRating(node: Node): unknown {
  const rating = members(wholeRating(node));
  const told = textOf(rating.bestRating) ?? textOf(rating["@best"]);
  if (told !== undefined) return told;
  // `5 out of 10`, of the same stars: other counts may stand in a review too.
  const said = [rating["@spoken"], node["@spoken"], rating.ratingExplanation, rating.name, rating.description];
  for (const words of said.flatMap(list)) {
    const [, stars, best] = typeof words === "string" ? (OUT_OF.exec(words) ?? []) : [];
    if (stars !== undefined && Number(stars.replace(",", ".")) === Number(textOf(rating.ratingValue))) return best;
  }
  return undefined;
}

const OUT_OF =
  /(\d{1,3}(?:[.,]\d)?)\s?(?:\/|out of|of|von|sur|de|su|di|van|av|af|z)\s?([3-7]|10|20|100)(?=\s*(?:[^\p{L}\s\d]|$|stars?|stern|étoile|estrella|stell|point|punkt|punt))/iu;

/** The rating of the whole: others beside it may be of an aspect, such as the food. */
function wholeRating(node: Node): unknown {
  return list(node.reviewRating).find((rating) => !("reviewAspect" in members(rating)));
}

function ratingOf(node: Node): unknown {
  const rating = wholeRating(node);
  const told = isObject(rating) ? textOf(rating.ratingValue) : rating;
  if (told !== undefined && told !== "") return told;
  return spokenStars(members(rating)["@spoken"]) ?? spokenStars(node["@spoken"]) ?? told;
}

function read(node: Node, { dates, names, site, isHidden, author, picks }: Reading): RawReview {
  /** The first of some members that is there. */
  const pick = (field: ReadField, members: readonly string[]): unknown => {
    const isThere = (each: string) => (node[each] ?? undefined) !== undefined;
    const name = members.find((each) => isThere(each) && textOf(node[each]) !== "") ?? members.find(isThere);
    if (name === undefined) return undefined;
    picks.note(field, name);
    return node[name];
  };
  const id = textOf(node["@id"]);
  const url = textOf(node.url);
  const status = textOf(node.creativeWorkStatus);
  const others = wordsOfOthers(node);
  const words = pick("text", ["reviewBody", "description", "text"]);
  const own = others.length > 0 ? list(words)[0] : words;
  const { text, reply: replyInside } = withoutReply(
    plainText(unescaped(wordsIn(inOneLanguage(own, textOf(node.inLanguage))))),
  );
  const answer = others.find(({ by }) => names.has(by))?.words;
  const reply = answer === undefined ? replyInside : plainText(unescaped(answer));
  const title = textOf(node.headline ?? node.name);
  const isOwnTitle = !names.has(title) && typeof title === "string";
  if (isOwnTitle) pick("title", ["headline", "name"]);
  const [rating, name] = [ratingOf(node), nameOf(author)];
  const whose = isObject(author) ? ("name" in author ? "author.name" : "author.givenName") : "author";
  const [isLinked, image] = [typeof url === "string" && /^https?:/.test(url), imageOf(members(author).image)];
  for (const [field, member, isRead] of [
    ["rating", "ratingValue" in members(wholeRating(node)) ? "reviewRating.ratingValue" : "reviewRating", rating],
    ["author", whose, name],
    ["owner_reply_text", "reviewBody", reply],
    ["source_url", "url", isLinked || undefined],
    ["author_avatar_url", "author.image", image],
  ] as const)
    if (isRead !== undefined) picks.note(field, member);
  return {
    source: site,
    // A blank node's name (`_:b0`) is valid in one document only.
    id: typeof id === "string" && !id.startsWith("_:") ? id.replace(/^#/, "") : undefined,
    author: name,
    author_avatar_url: image,
    rating,
    written: readDate(textOf(pick("date", ["datePublished", "dateCreated"])), dates),
    text: "@translated" in node ? undefined : titledText(isOwnTitle && !isName(title, name) ? title : undefined, text),
    ...(reply !== undefined && { owner_reply: { text: reply, written: null } }),
    source_url: isLinked ? url : undefined,
    ...(isHidden && { hidden: "hidden on the page" }),
    ...(isHidingWord(status) && { hidden: `creativeWorkStatus: ${String(status)}` }),
  };
}

/** What further authors say in the item of a review: a theme may mark up a reply with the review's own properties. */
function wordsOfOthers(node: Node): { readonly by: unknown; readonly words: unknown }[] {
  const [authors, bodies] = [list(node.author).map((each) => nameOf(each)), list(node.reviewBody).map(textOf)];
  if (authors.length !== bodies.length || new Set(authors).size < 2) return [];
  return bodies.map((words, at) => ({ by: authors[at], words })).filter(({ by }) => by !== authors[0]);
}

function unescaped(words: unknown): unknown {
  return typeof words === "string" ? withoutLastButtons(withoutEscapes(words)) : words;
}

/** The name of a person: whole, or of given and family name. The address of one is none. */
function nameOf(author: unknown): unknown {
  if (!isObject(author)) return typeof author === "string" && /^(?:https?:)?\/\//.test(author) ? undefined : author;
  const halves = [author.givenName, author.familyName].map(textOf).filter((half) => typeof half === "string");
  return textOf(author.name) ?? (halves.length === 0 ? undefined : halves.join(" "));
}

/** Unwraps a value from a list, or from a typed or tagged literal. */
function textOf(value: unknown): unknown {
  const first = list(value)[0];
  return isObject(first) && "@value" in first ? first["@value"] : first;
}

/** Of words in several languages, those in that of the review, or the first: the others are translations. */
function inOneLanguage(value: unknown, own: unknown): unknown {
  const tagged = list(value).filter((each): each is Node => isObject(each) && typeof each["@language"] === "string");
  if (languagesOf(value).length < 2) return value;
  return tagged.find((each) => each["@language"] === own) ?? tagged[0];
}

/** The languages that values name. */
function languagesOf(value: unknown): string[] {
  const tags = list(value).map((each) => members(each)["@language"]);
  return [...new Set(tags.filter((tag) => typeof tag === "string"))];
}

const WORDS = ["reviewBody", "description", "text", "abstract", "alternativeHeadline", "articleBody", "summary"];

/** Members of words that hold others than those which are read. */
function unreadWords(nodes: readonly PlacedNode[], { text, title }: ReadFrom): string[] {
  const read = [...(text?.from ?? []), ...(title?.from ?? [])];
  const unread = ({ node }: PlacedNode, name: string) => {
    const words = textOf(node[name]);
    return typeof words === "string" && words.trim() !== "" && !read.some((each) => textOf(node[each]) === words);
  };
  return WORDS.filter((name) => !read.includes(name) && nodes.some((one) => unread(one, name)));
}

/** How many words beside those that are marked up are quoted, and how much of them. */
const MAX_QUOTED = 3;
const MAX_QUOTED_CHARACTERS = 60;
/** In fewer reviews, words that are in most of them may still be a customer's. */
const MIN_LABELLED = 3;

/**
 * What is said of words that stand in reviews' elements and belong to no property. What is in most reviews is a label of the
 * page; what a property says as well is not left out.
 */
function unmarkedWords(nodes: readonly PlacedNode[]): string | undefined {
  const counts = new Map<string, number>();
  const lists = nodes.map(({ node }) => list(node["@unmarked"]).filter((words) => typeof words === "string"));
  for (const words of lists) for (const one of new Set(words)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const isLabel = (words: string) => nodes.length >= MIN_LABELLED && (counts.get(words) ?? 0) > nodes.length / 2;
  const left = lists.map((words, at) => {
    if (words.length === 0) return [];
    const told = JSON.stringify(nodes[at]?.node, (name, value) => (name === "@unmarked" ? undefined : value));
    const isTold = (one: string) => told.includes(JSON.stringify(one.replace(/\s*(?:…|\.{3})$/, "")).slice(1, -1));
    return words.filter((one) => !isLabel(one) && !isTold(one));
  });
  const count = left.filter((words) => words.length > 0).length;
  if (count === 0) return undefined;
  const quoted = [...new Set(left.flat())]
    .slice(0, MAX_QUOTED)
    .map((words) => quote(words.slice(0, MAX_QUOTED_CHARACTERS)));
  return `words in ${count === 1 ? "1 review" : `${count} reviews`} that the page does not mark up are left out, such as ${quoted.join(", ")}`;
}

/** The words of a review: its paragraphs may be values of their own. Of a text and its beginning, the longer one. */
function wordsIn(value: unknown): unknown {
  const parts = list(value).map(textOf);
  const [first, ...others] = parts.filter((part) => typeof part === "string" && part.trim() !== "");
  if (others.length === 0) return first ?? textOf(value);
  const words = [first, ...others].map((part) => String(part).trim());
  const starts = words.map((part) => part.replace(/\s*(?:…|\.{3})$/, ""));
  const isPart = (at: number) =>
    words.some(
      (other, index) => index !== at && other.startsWith(starts[at] ?? "") && (other !== words[at] || index < at),
    );
  return words.filter((_, at) => !isPart(at)).join("\n\n");
}

function imageOf(value: unknown): unknown {
  const first = list(value)[0];
  const address = isObject(first) ? (first.url ?? first.contentUrl ?? first["@id"]) : first;
  return typeof address === "string" && /^(https?:)?\/\//.test(address) ? address : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
