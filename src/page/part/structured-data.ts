/** The business, its rating and its reviews as schema.org structured data (JSON-LD). */
import { raw } from "hono/html";
import type { AggregateRating } from "../../edition/aggregate-rating.ts";
import type { Edition } from "../../edition/edition.ts";
import { isLocalBusiness } from "../../local-business-types.ts";
import type { Review } from "../../review.ts";

type Json = Readonly<Record<string, unknown>>;

/** Maximum text length in the markup. Longer texts are omitted rather than truncated, to keep pages small. */
const MAX_BODY_CHARACTERS = 5_000;

/** Google shows no review whose author's name is this long. */
const MAX_AUTHOR_CHARACTERS = 100;

/** Whether search engines may be given a review as structured data (interface §6). */
export function isMarked({ structuredData }: Pick<Edition, "structuredData">, { source, author }: Review): boolean {
  if (author.length >= MAX_AUTHOR_CHARACTERS) return false;
  return structuredData === "all" || (structuredData === "first_party" && source === "first_party");
}

/** The schema.org types of a business: its category, and LocalBusiness beside one that is no subtype of it. */
export function businessTypes(category: string): string | readonly string[] {
  return isLocalBusiness(category) ? category : [category, "LocalBusiness"];
}

/**
 * The business as its subtype of schema.org's LocalBusiness. Only a page that shows reviews or their rating gives
 * `reviews`: those of them that are marked follow, and the rating of all that are.
 */
export function businessMarkup(
  edition: Pick<Edition, "business" | "baseUrl" | "structuredData" | "markedRating">,
  reviews?: readonly Review[],
): Json {
  const { business, baseUrl } = edition;
  const { address, geo } = business;
  return defined({
    "@context": "https://schema.org",
    "@type": businessTypes(business.category),
    "@id": `${baseUrl}/#business`,
    name: business.name,
    legalName: business.legal_name,
    description: business.description,
    url: business.url ?? `${baseUrl}/`,
    telephone: business.telephone,
    email: business.email,
    logo: business.logo_url,
    image: business.logo_url,
    priceRange: business.price_range,
    address:
      address &&
      defined({
        "@type": "PostalAddress",
        streetAddress: address.street,
        addressLocality: address.locality,
        addressRegion: address.region,
        postalCode: address.postal_code,
        addressCountry: address.country,
      }),
    geo: geo && { "@type": "GeoCoordinates", latitude: geo.latitude, longitude: geo.longitude },
    openingHoursSpecification: some(
      business.opening_hours.map(({ days, opens, closes }) => ({
        "@type": "OpeningHoursSpecification",
        dayOfWeek: days.map((day) => `https://schema.org/${day}`),
        opens,
        closes: closes === "24:00" ? "23:59" : closes,
      })),
    ),
    areaServed: some(business.service_areas.map(({ label }) => label)),
    sameAs: some(business.same_as),
    aggregateRating: reviews && ratingMarkup(edition.markedRating),
    review: some((reviews ?? []).filter((one) => isMarked(edition, one)).map((one) => reviewMarkup(one, baseUrl))),
  });
}

function ratingMarkup(rating: AggregateRating): Json | undefined {
  if (rating.rating_value === null) return undefined;
  return {
    "@type": "AggregateRating",
    ratingValue: rating.rating_value,
    reviewCount: rating.review_count,
    bestRating: rating.best_rating,
    worstRating: rating.worst_rating,
  };
}

/** One review as schema.org data. `about` identifies the business if the review is the top-level object. */
export function reviewMarkup(review: Review, baseUrl: string, about?: Json): Json {
  return defined({
    ...(about === undefined ? {} : { "@context": "https://schema.org" }),
    "@type": "Review",
    "@id": `${baseUrl}/reviews/${review.id}`,
    url: `${baseUrl}/reviews/${review.id}`,
    itemReviewed: about,
    author: { "@type": "Person", name: review.author },
    datePublished: review.date,
    reviewBody: review.text === null || review.text.length > MAX_BODY_CHARACTERS ? undefined : review.text,
    reviewRating: { "@type": "Rating", ratingValue: review.rating, bestRating: 5, worstRating: 1 },
  });
}

/** Characters to escape in a script element: `<`, which could close it, and those that HTML forbids in a document. */
const UNSAFE = /[<\x7f-\x9f\ufdd0-\ufdef\p{Noncharacter_Code_Point}]/gu;

/** JSON as a script element. Escaping does not change the parsed value. */
export function renderMarkup(data: Json): ReturnType<typeof raw> {
  return raw(`<script type="application/ld+json">${JSON.stringify(data).replaceAll(UNSAFE, escaped)}</script>`);
}

/** The character as JSON escapes, one per UTF-16 unit. */
function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

function defined(object: Json): Json {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
