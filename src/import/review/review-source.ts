/** The source of a review: the site where it was written, as its record names it, as its link shows, or as the run says. */
import { quote } from "../../issue.ts";
import type { FieldResult, RawReview } from "./raw-review.ts";

/** The source of reviews without one. */
export const ASSUMED_SOURCE = "first_party";
/** The source of a review whose own cannot be read. It is nobody's, so that nothing claims it. */
const UNREADABLE_SOURCE = "other";

/** What the owner says of the source. */
export interface SourceDefaults {
  /** The source of reviews whose export names none. */
  readonly source?: string | undefined;
  /** Whether `source` also replaces the one that the export names: the owner said so in a word of its own. */
  readonly isSourceOverriding?: boolean | undefined;
}

/** The review's source. What its record names goes before the run's, unless the owner overrides it. */
export function sourceOf(review: RawReview, { source, isSourceOverriding = false }: SourceDefaults): string {
  const named = namedSource(review);
  return (isSourceOverriding ? (source ?? named) : (named ?? source)) ?? ASSUMED_SOURCE;
}

/** The source that a record names, or that the link to the review shows; undefined if nothing tells. */
export function namedSource({ source, source_url }: Pick<RawReview, "source" | "source_url">): string | undefined {
  if (source === undefined || source === null || source === "") return siteOfLink(source_url);
  const name = sourceName(source);
  return "value" in name ? name.value : readableName(source);
}

/** Normalises the name of a source: lower case, without spaces. */
export function sourceName(value: unknown): FieldResult<string> {
  if (typeof value === "string" && SOURCE_NAME.test(value)) return { value };
  const name =
    typeof value === "string"
      ? value
          .trim()
          .toLowerCase()
          .replace(/[\s-]+/g, "_")
      : "";
  if (SOURCE_NAME.test(name)) return { value: name };
  return { fault: `is ${quote(value)}, but must be 1 to 64 letters, digits, underscores or dots` };
}

const SOURCE_NAME = /^[a-z0-9][a-z0-9_.]{0,63}$/;

/** A name with other signs, without them: `Hôtel & Co` is `hotel_co`. */
function readableName(value: unknown): string {
  if (typeof value !== "string") return UNREADABLE_SOURCE;
  const plain = value.slice(0, 200).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const name = plain
    .replace(/[^a-z0-9.]+/g, "_")
    .replace(/^[_.]+/, "")
    .slice(0, 64)
    .replace(/[_.]+$/, "");
  return name === "" ? UNREADABLE_SOURCE : name;
}

/** Sites with customers' reviews, by the domain of their addresses. */
const SITES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)trustpilot\.[a-z]{2,3}$/, "trustpilot"],
  [/(?:^|\.)yelp\.[a-z]{2,3}(?:\.[a-z]{2})?$/, "yelp"],
  [/(?:^|\.)(?:facebook|fb)\.com$/, "facebook"],
  [/(?:^|\.)tripadvisor\.[a-z]{2,3}(?:\.[a-z]{2})?$/, "tripadvisor"],
  [/(?:^|\.)booking\.com$/, "booking.com"],
  [/(?:^|\.)amazon\.[a-z]{2,3}(?:\.[a-z]{2})?$/, "amazon"],
  [/(?:^|\.)(?:bbb\.org)$/, "bbb"],
  [/(?:^|\.)(?:angi|angieslist)\.com$/, "angi"],
  [/(?:^|\.)(?:g2|capterra|glassdoor|houzz|thumbtack|homeadvisor|kununu|jameda|provenexpert)\.[a-z]{2,3}$/, ""],
];

/**
 * The site whose address a link has; undefined for Google's and all that are not known to hold reviews. It keeps the
 * reviews of another site from being taken for those of the source that an option names.
 */
function siteOfLink(link: unknown): string | undefined {
  const host = typeof link === "string" ? /^\s*(?:https?:)?\/\/([^/:?#\s]{1,253})/i.exec(link)?.[1] : undefined;
  if (host === undefined) return undefined;
  const name = host.toLowerCase();
  const site = SITES.find(([domain]) => domain.test(name))?.[1];
  return site === "" ? name.split(".").at(-2) : site;
}
