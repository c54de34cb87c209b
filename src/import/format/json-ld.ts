/** Reviews in schema.org JSON-LD, in a JSON document or in blocks of an HTML page. */
import { quote } from "../../issue.ts";
import { isObject, members } from "../../lib/json-object.ts";
import { isoTime } from "../review/iso-time.ts";
import type { Entry, FieldNames, RawReview } from "../review/raw-review.ts";
import type { Content } from "../syntax/content.ts";
import { parseJson } from "../syntax/json-text.ts";
import type { Format } from "./format.ts";

type Node = Readonly<Record<string, unknown>>;

const TYPES = new Set(["Review", "UserReview", "CriticReview"]);
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
  name: "schema.org JSON-LD",
  extent: () => "whole",
  recognises: (content) => values(content).some((value) => "fault" in value || reviewNodes(value.value).length > 0),
  *records(content): Generator<Entry> {
    for (const value of values(content)) {
      if ("fault" in value) yield { at: value.at, fault: value.fault };
      else
        for (const [index, node] of reviewNodes(value.value).entries()) yield entry(node, `${value.at} ${index + 1}`);
    }
  },
};

type Value = { readonly at: string } & ({ readonly value: unknown } | { readonly fault: string });

/** The content's JSON-LD values. A block with invalid JSON is a fault if it mentions reviews. */
function values(content: Content): Value[] {
  if (content.syntax === "json") return isLinkedData(content.value) ? [{ at: "review", value: content.value }] : [];
  if (content.syntax !== "html") return [];
  return content.blocks.flatMap(({ text, line }): Value[] => {
    const parsed = parseJson(text);
    if ("value" in parsed) return [{ at: `block at line ${line}, review`, value: parsed.value }];
    return /"Review"/.test(text) ? [{ at: `block at line ${line}`, fault: parsed.fault }] : [];
  });
}

function isLinkedData(value: unknown): boolean {
  const first = Array.isArray(value) ? value[0] : value;
  return isObject(first) && ("@context" in first || "@type" in first || "@graph" in first);
}

/** Finds every review in the value at any depth, in document order. */
function reviewNodes(value: unknown): Node[] {
  const found: Node[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (isObject(next) && isReview(next)) found.push(next);
    else if (typeof next === "object" && next !== null)
      for (const value of Object.values(next).toReversed()) waiting.push(value);
  }
  return found;
}

/** Whether a node is a review with content, rather than a reference by `@id`. */
function isReview(node: Node): boolean {
  const isOne = list(node["@type"]).some(
    (type) => typeof type === "string" && TYPES.has(type.replace(/^(https?:\/\/schema\.org\/|schema:)/, "")),
  );
  return isOne && ["reviewRating", "reviewBody", "datePublished"].some((name) => name in node);
}

function entry(node: Node, at: string): Entry {
  const rating = list(node.reviewRating)[0];
  const best = isObject(rating) ? rating.bestRating : undefined;
  if (best !== undefined && best !== null && Number(best) !== 5) {
    return { at, fault: `reviewRating.bestRating is ${quote(best)}, but must be 5: other scales have no whole stars` };
  }
  return { at, review: read(node, isObject(rating) ? rating.ratingValue : rating), names: NAMES };
}

function read(node: Node, rating: unknown): RawReview {
  const author = list(node.author)[0];
  const id = node["@id"];
  const body = node.reviewBody ?? node.description;
  return {
    // A blank node's name (`_:b0`) is valid in one document only.
    id: typeof id === "string" && !id.startsWith("_:") ? id.replace(/^#/, "") : undefined,
    author: isObject(author) ? textOf(author.name) : author,
    author_avatar_url: imageOf(members(author).image),
    rating,
    written: isoTime(textOf(node.datePublished ?? node.dateCreated)),
    text: textOf(body) ?? null,
    source_url: typeof node.url === "string" && /^https?:/.test(node.url) ? node.url : undefined,
  };
}

/** Unwraps a value from a list, or from a typed or tagged literal. */
function textOf(value: unknown): unknown {
  const first = list(value)[0];
  return isObject(first) && "@value" in first ? first["@value"] : first;
}

function imageOf(value: unknown): unknown {
  const first = list(value)[0];
  const address = isObject(first) ? (first.url ?? first.contentUrl ?? first["@id"]) : first;
  return typeof address === "string" && /^(https?:)?\/\//.test(address) ? address : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
