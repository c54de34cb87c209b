/** The source of a review: the site where it was written, as its record names it, as its link shows, or as the run says. */

import { quote } from "../../issue.ts";
import { normalForm } from "../../lib/normal-form.ts";
import { foldedWord } from "../words/word-list.ts";
import type { FieldResult, RawReview } from "./candidate.ts";

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
  const isLink = hostOf(source) !== undefined;
  if (source === undefined || source === null || source === "" || isLink)
    return (isLink ? siteOfLink(source) : undefined) ?? siteOfLink(source_url);
  return typeof source === "string" ? sourceNamed(source) : UNREADABLE_SOURCE;
}

/** The source that a name stands for, whether it is that of a known site or not. */
export function sourceNamed(name: string): string {
  const source = sourceName(name);
  return knownSite(name) ?? ("value" in source ? source.value : readableName(name));
}

/**
 * The site with customers' reviews that a name or an address means: `Google My Business` is `google`, `Yelp Reviews` and
 * `https://www.yelp.com/biz/x` are `yelp`; undefined for any other.
 */
export function knownSite(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 2000) return undefined;
  const text = value.trim().toLowerCase().replace(SAYING_WHERE, "").replace(OF_ICON, "");
  if (GOOGLE.test(text)) return "google";
  const site = siteOfLink(text);
  if (site !== undefined || hostOf(text) !== undefined) return site;
  const name = text.replace(/[\s_-]?(?:reviews?|recommendations?|bewertungen|pages?)$/, "").replace(/[\s_-]+/g, "");
  if (SITE_NAMES.has(name)) return name === "booking" ? "booking.com" : name;
  return NATIVE_NAMES.get(name) ?? (SITE_NAMES.has(foldedWord(name)) ? foldedWord(name) : undefined);
}

/** Sites by their names in other scripts, without spaces. */
const NATIVE_NAMES: ReadonlyMap<string, string> = new Map([
  ["fb", "facebook"],
  ["ta", "tripadvisor"],
  ["فيسبوك", "facebook"],
  ["جوجل", "google"],
  ["谷歌", "google"],
  ["谷歌地图", "google"],
  ["グーグル", "google"],
  ["구글", "google"],
  ["гугл", "google"],
  ["大众点评", "dianping"],
  ["大眾點評", "dianping"],
  ["美团", "meituan"],
  ["美團", "meituan"],
  ["小红书", "xiaohongshu"],
  ["携程", "ctrip"],
  ["百度", "baidu"],
  ["百度地图", "baidu"],
  ["네이버", "naver"],
  ["카카오맵", "kakaomap"],
  ["яндекс", "yandex"],
  ["яндекскарты", "yandex"],
  ["яндекс.карты", "yandex"],
  ["2гис", "2gis"],
  ["食べログ", "tabelog"],
  ["ホットペッパー", "hotpepper"],
  ["ホットペッパービューティー", "hotpepper"],
]);

/** `Reviewed on Yelp`, `via Facebook` */
const SAYING_WHERE =
  /^(?:(?:reviews?|bewertungen|avis|recensioni|reseñas)\s(?:on|from|at|auf|bei|von|sur|su|en)\s(?=\S))|^(?:(?:reviewed|posted|written|published|left|rated)\s)?(?:on|via|from)\s(?=\S)|^(?:reviewed|posted|written) at\s(?=\S)/;

/** What the names of a page's icons begin with: `fa-yelp`, `fab fa-facebook`. */
const OF_ICON = /^(?:fa[a-z]{0,6}\s)?(?:fa|icon|logo|ic)-(?=[a-z])/;

/** The site that a line above a table names: `Trustpilot reviews export`. */
export function siteInTitle(title: string): string | undefined {
  const words = title.slice(0, 200).replace(/[^\p{L}\d.&]+/gu, " ");
  const name = words.replace(OF_LISTS, "").trim();
  return knownSite(name) ?? knownSite(name.replace(/\s+business$/i, ""));
}

/** The site after which a file is called: `yelp_reviews-2025.csv`. */
export function siteInFileName(name: string): string | undefined {
  const words = name
    .replace(/^.*[/\\!]|\.\w+$/g, "")
    .slice(0, 200)
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
  return (
    siteInTitle(words) ??
    words
      .split(" ")
      .map((word) => (COMMON_WORDS.test(word) ? undefined : knownSite(word)))
      .find(Boolean)
  );
}

/** Sites that are called as something else is. */
const COMMON_WORDS = /^(?:hotels?|bark|bing|yell|booking|avvo|edmunds|amazon|instagram|priceline|nextdoor|house)$/i;

/** Whether a site is called as something else is: `Booking` may be an appointment. */
export function isCommonWord(name: string): boolean {
  return COMMON_WORDS.test(name.trim());
}

const OF_LISTS =
  /(?<!\S)(?:(?:19|20)\d\d|q[1-4]|january|february|march|april|may|june|july|august|september|october|november|december|to|until|since|reviews?|ratings?|bewertungen|rezensionen|avis|reseñas|recensioni|recensies|exports?|exported|exporter|report|data|v?\d+(?:\.\d+)*|list|from|of|on|for|von|bei|de|sur|all|my|our|customer)(?!\S)/giu;

const GOOGLE =
  /^(?:google|gmb|gbp)(?:[\s_-]*(?:maps?|my[\s_-]*business|business([\s_-]*profile)?|places?|local|reviews?))*$/;

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
  const plain = normalForm(value.slice(0, 200), "NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const name = plain
    .replace(/[^a-z0-9.]+/g, "_")
    .replace(/^[_.]+/, "")
    .slice(0, 64)
    .replace(/[_.]+$/, "");
  return name === "" ? UNREADABLE_SOURCE : name;
}

/** Sites that hold customers' reviews, by the name in their domain. */
const SITE_NAMES = new Set(
  `trustpilot yelp facebook tripadvisor booking amazon bbb angi angieslist g2 capterra glassdoor houzz thumbtack homeadvisor
  kununu jameda provenexpert checkatrade feefo holidaycheck trustedshops reviewsio ekomi opentable foursquare zomato
  expedia agoda hostelworld airbnb yell mybuilder ratedpeople trustatrader bark nextdoor healthgrades zocdoc doctolib
  treatwell golocal gelbeseiten pagesjaunes avisverifies societedesavis thefork lafourchette werkspot klantenvertellen
  kiyoh trustoo habitissimo starofservice etsy ebay productreview tabelog hotpepper dianping yandex 2gis sitejabber
  consumeraffairs realself hotels hotelscom priceline avvo cargurus dealerrater edmunds weddingwire theknot vrbo
  kayak trivago googleplay appstore bing bingplaces bingmaps applemaps applebusinessconnect yellowpages superpages mapquest instagram linkedin
  zillow redfin trulia autotrader autoscout24 carfax homestars buildzoom taskrabbit ratemds webmd
  fresha booksy vagaro styleseat classpass resy deliveroo ubereats doordash grubhub justeat lieferando trustradius
  softwareadvice getapp getyourguide viator myhammer check24 immoscout24 immowelt sanego hipages oneflare airtasker truelocal
  justdial sulekha urbancompany practo mouthshut makemytrip traveloka klook freeindex threebestrated
  thomsonlocal hotfrog citysearch merchantcircle guiadesoluciones miodottore doctoralia znanylekarz
  zoover tuugo cylex`.split(/\s+/),
);

/** The site of a host: `de.trustpilot.com` is `trustpilot`. */
function siteOfHost(host: string): string | undefined {
  const labels = host.split(".");
  if (!HOST.test(host)) return undefined;
  const isOfCountry = labels.length > 2 && /^(?:com?|net|org)$/.test(labels.at(-2) ?? "");
  const name = labels.at(isOfCountry ? -3 : -2) ?? "";
  if (name === "reviews" && labels.at(-1) === "io") return "reviews.io";
  if (name === "booking") return "booking.com";
  const shop = APP_SHOPS.get(host);
  if (shop !== undefined) return shop;
  return name === "fb" ? "facebook" : SITE_NAMES.has(name) ? name : undefined;
}

/** What sells programs, whose reviews are of those and not of a place. */
const APP_SHOPS: ReadonlyMap<string, string> = new Map([
  ["play.google.com", "googleplay"],
  ["itunes.apple.com", "appstore"],
  ["apps.apple.com", "appstore"],
]);

/** Where sites keep their customers' pictures, if not under their own names. */
const PICTURE_HOSTS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)yelpcdn\.com$/, "yelp"],
  [/(?:^|\.)(?:fbcdn\.net|fbsbx\.com)$/, "facebook"],
  [/(?:^|\.)bstatic\.com$/, "booking.com"],
  [/(?:^|\.)muscache\.com$/, "airbnb"],
  [/(?:^|\.)tacdn\.com$/, "tripadvisor"],
];

/** The site whose picture of a customer an address has; undefined for Google's and all others. */
export function siteOfPicture(address: unknown): string | undefined {
  const host = hostOf(address);
  if (host === undefined) return undefined;
  return PICTURE_HOSTS.find(([form]) => form.test(host))?.[1] ?? siteOfHost(host);
}

const HOST = /^(?:[a-z\d-]+\.)+(?:com|org|net|[a-z]{2})$/;

/** The host of an address; undefined for any other text. */
export function hostOf(link: unknown): string | undefined {
  const host = typeof link === "string" ? /^\s*(?:https?:)?\/\/([^/:?#\s]{1,253})/i.exec(link)?.[1] : undefined;
  return host?.toLowerCase();
}

/**
 * The site whose address a link has, with or without `https://`; undefined for Google's and all that are not known to hold
 * reviews. It keeps the reviews of another site from being taken for those of the source that an option names.
 */
function siteOfLink(link: unknown): string | undefined {
  const bare = typeof link === "string" ? /^\s*([a-z\d.-]{1,253})(?=[/?#:\s]|$)/i.exec(link)?.[1] : undefined;
  const host = hostOf(link) ?? bare?.toLowerCase();
  if (typeof link === "string" && IS_OWN_PICTURE.test(link)) return uncommonSite(siteOfIcon(link));
  return host === undefined ? undefined : (siteOfHost(host) ?? siteOfIcon(link));
}

/** A site whose name is no other word: `/uploads/hotels.jpg` is a photo. */
function uncommonSite(site: string | undefined): string | undefined {
  return site === undefined || isCommonWord(site) ? undefined : site;
}

/** A picture by its place on the page's own site: `/assets/icons/yelp.svg` */
const IS_OWN_PICTURE = /^\s*(?:\.{0,2}\/)[\w./-]{1,200}\.(?:svg|png|webp|gif|jpe?g)(?:\?\S*)?\s*$/i;

/** The site after which a picture is called, as pages show it beside a review: `https://cdn.example/icons/yelp.svg`. */
function siteOfIcon(link: unknown): string | undefined {
  const [, name = ""] =
    /\/([a-z\d]{2,30})(?:[-_.][\w.-]{0,40})?\.(?:svg|png|webp|gif|jpe?g)(?:\?|$)/i.exec(String(link)) ?? [];
  const site = name.toLowerCase();
  return site === "google" || SITE_NAMES.has(site) ? site : undefined;
}
