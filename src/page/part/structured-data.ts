/** The business, its rating and reviews as schema.org data in a page (JSON-LD). */
import { raw } from "hono/html";
import type { AggregateRating } from "../../edition/aggregate-rating.ts";
import type { Edition } from "../../edition/edition.ts";
import type { Review } from "../../review.ts";

type Json = Readonly<Record<string, unknown>>;

/** Longer texts are left out of the markup, to keep pages small without truncating text. */
const LONGEST_BODY = 5_000;

/** A LocalBusiness of the business's own subtype, with the figures of `/reviews.json` as they stand there. */
export function businessMarkup(
  { business, aggregateRating, baseUrl }: Pick<Edition, "business" | "aggregateRating" | "baseUrl">,
  reviews: readonly Review[] = [],
): Json {
  const { address, geo } = business;
  return defined({
    "@context": "https://schema.org",
    "@type": business.category,
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
    aggregateRating: ratingMarkup(aggregateRating),
    review: some(reviews.map((review) => reviewMarkup(review, baseUrl))),
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

/** One review. `about` names the business where the review stands alone. */
export function reviewMarkup(review: Review, baseUrl: string, about?: Json): Json {
  return defined({
    ...(about === undefined ? {} : { "@context": "https://schema.org" }),
    "@type": "Review",
    "@id": `${baseUrl}/reviews/${review.id}`,
    url: `${baseUrl}/reviews/${review.id}`,
    itemReviewed: about,
    author: { "@type": "Person", name: review.author },
    datePublished: review.date,
    reviewBody: review.text === null || review.text.length > LONGEST_BODY ? undefined : review.text,
    reviewRating: { "@type": "Rating", ratingValue: review.rating, bestRating: 5, worstRating: 1 },
  });
}

/** What may not stand in a script element as it is: `<`, which could end it early, and what HTML forbids in a document. */
const UNSAFE = /[<\x7f-\x9f\ufdd0-\ufdef\p{Noncharacter_Code_Point}]/gu;

/** JSON as the content of a script element, the same to the last character for those who parse it. */
export function renderMarkup(data: Json): ReturnType<typeof raw> {
  return raw(`<script type="application/ld+json">${JSON.stringify(data).replaceAll(UNSAFE, escaped)}</script>`);
}

/** The character as JSON escapes it, one escape for each UTF-16 unit. */
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
