/**
 * The sample's reviews in the shape of each kind of export, so that a clone without any real data tests the same laws.
 * The files are made once in a process, in a temporary folder that goes with it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

interface SampleReview {
  readonly id: string;
  readonly author: string;
  readonly rating: number;
  readonly date: string;
  readonly text: string | null;
  readonly owner_reply: { readonly text: string; readonly date: string } | null;
}

const SAMPLE = join(import.meta.dirname, "..", "..", "sample", "reviews.jsonl");
const STARS = ["ONE", "TWO", "THREE", "FOUR", "FIVE"];
const PAGE = 20;

const instant = (date: string) => `${date}T12:34:56.789Z`;
const seconds = (date: string) => Date.parse(instant(date)) / 1000;

/** Makes the exports. Gives their folder, which has the layout of the real data, and the number of reviews. */
export function makeExports(): { readonly folder: string; readonly total: number } {
  const folder = mkdtempSync(join(tmpdir(), "goodword-exports-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const reviews = readFileSync(SAMPLE, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as SampleReview);
  const worded = reviews.filter(({ text }) => text !== null);
  const write = (name: string, content: unknown) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  };
  const pages = Math.ceil(reviews.length / PAGE);
  for (let page = 0; page < pages; page++) {
    const records = reviews.slice(page * PAGE, (page + 1) * PAGE).map(takeoutReview);
    const name = `takeout-sv/Takeout/Google Business Profile/account-1/location-2/reviews-${page}.json`;
    write(name, { reviews: records, ...(page + 1 < pages && { nextPageToken: `page ${page + 1}` }) });
  }
  write("formats/gbp-api-v4-reviews-list-page1.json", {
    reviews: reviews.slice(0, 50).map((review) => ({ reviewId: review.id, ...takeoutReview(review) })),
    averageRating: 4.5,
    totalReviewCount: reviews.length,
    nextPageToken: "page 2",
  });
  write("formats/outscraper-reviews.csv", csv(reviews.map(outscraperReview)));
  write("formats/outscraper-reviews.json", [
    { name: "Sample", reviews_data: reviews.slice(0, 60).map(outscraperReview) },
  ]);
  write("formats/apify-google-maps-reviews.json", reviews.slice(0, 60).map(apifyReview));
  write("formats/serpapi-google-maps-reviews.json", {
    search_parameters: { engine: "google_maps_reviews" },
    reviews: worded.slice(0, 8).map(serpApiReview),
  });
  write("formats/places-api-new-place-details.json", { id: "place", reviews: worded.slice(0, 5).map(placesReview) });
  write("formats/places-api-legacy-place-details.json", {
    html_attributions: [],
    result: { name: "Sample", reviews: worded.slice(0, 5).map(placesLegacyReview) },
  });
  write("formats/schema-org-reviews.jsonld", {
    "@context": "https://schema.org",
    "@type": "LocalBusiness",
    name: "Sample",
    review: worded.slice(0, 20).map(schemaReview),
  });
  write("sv-reviews.csv", csv(reviews.map(spreadsheetRow)));
  return { folder, total: reviews.length };
}

function takeoutReview({ id, author, rating, date, text, owner_reply }: SampleReview): object {
  return {
    reviewer: { displayName: author },
    starRating: STARS[rating - 1],
    ...(text !== null && { comment: text }),
    createTime: instant(date),
    updateTime: instant(date),
    ...(owner_reply !== null && {
      reviewReply: { comment: owner_reply.text, updateTime: instant(owner_reply.date) },
    }),
    name: `accounts/1/locations/2/reviews/${id}`,
  };
}

function outscraperReview({ id, author, rating, date, text, owner_reply }: SampleReview): Record<string, unknown> {
  return {
    review_id: id,
    author_title: author,
    author_image: null,
    review_text: text,
    owner_answer: owner_reply?.text ?? null,
    owner_answer_timestamp: owner_reply === null ? null : seconds(owner_reply.date),
    review_link: `https://example.com/r/${id}`,
    review_rating: rating,
    review_timestamp: seconds(date),
    review_datetime_utc: `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)} 12:34:56`,
  };
}

function apifyReview({ id, author, rating, date, text, owner_reply }: SampleReview): object {
  return {
    name: author,
    text,
    textTranslated: null,
    publishedAtDate: instant(date),
    reviewId: id,
    reviewUrl: `https://example.com/r/${id}`,
    reviewerPhotoUrl: null,
    reviewOrigin: "Google",
    stars: rating,
    rating: null,
    responseFromOwnerDate: owner_reply === null ? null : instant(owner_reply.date),
    responseFromOwnerText: owner_reply?.text ?? null,
    placeId: "place",
  };
}

function serpApiReview({ id, author, rating, date, text, owner_reply }: SampleReview): object {
  return {
    link: `https://example.com/r/${id}`,
    rating,
    date: "a month ago",
    iso_date: instant(date),
    iso_date_of_last_edit: instant(date),
    source: "Google",
    review_id: id,
    user: { name: author },
    snippet: text,
    extracted_snippet: { original: text },
    ...(owner_reply !== null && {
      response: { date: "a month ago", iso_date: instant(owner_reply.date), snippet: owner_reply.text },
    }),
  };
}

function placesReview({ id, author, rating, date, text }: SampleReview): object {
  return {
    name: `places/place/reviews/${id}`,
    rating,
    text: { text, languageCode: "en" },
    originalText: { text, languageCode: "en" },
    authorAttribution: { displayName: author, uri: "https://example.com/a" },
    publishTime: instant(date),
    googleMapsUri: `https://example.com/r/${id}`,
  };
}

function placesLegacyReview({ author, rating, date, text }: SampleReview): object {
  return {
    author_name: author,
    author_url: "https://example.com/a",
    language: "en",
    rating,
    relative_time_description: "a month ago",
    text,
    time: seconds(date),
    translated: false,
  };
}

function schemaReview({ id, author, rating, date, text }: SampleReview): object {
  return {
    "@type": "Review",
    "@id": `#${id}`,
    author: { "@type": "Person", name: author },
    datePublished: date,
    reviewBody: text,
    reviewRating: { "@type": "Rating", ratingValue: rating, bestRating: 5 },
  };
}

function spreadsheetRow({ id, author, rating, date, text, owner_reply }: SampleReview): Record<string, unknown> {
  return {
    review_id: id,
    date,
    stars: rating,
    author,
    text,
    created: instant(date),
    updated: instant(date),
    reply: owner_reply?.text ?? null,
    replied: owner_reply === null ? null : instant(owner_reply.date),
  };
}

function csv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cell = (value: unknown) => {
    const text = value === null ? "" : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.join(","), ...rows.map((row) => columns.map((column) => cell(row[column])).join(","))].join("\n");
}
