/** Fictional sample requests and responses for every operation. */

import { createHmac } from "node:crypto";
import type { Business } from "../../business.ts";
import { renderAtomFeed } from "../../edition/atom-feed.ts";
import { feedItem } from "../../edition/feed-item.ts";
import { renderJsonFeed } from "../../edition/json-feed.ts";
import { topicLink } from "../../edition/topic.ts";
import { ANALYSER } from "../../insight/text-analysis.ts";
import { API_VERSION, SERVER_CARD_PATH } from "../../interface.ts";
import type { Review } from "../../review.ts";

export const SAMPLE_BUSINESS: Business = {
  name: "Sample Cooling Company",
  category: "HVACBusiness",
  telephone: "+1-512-555-0100",
  time_zone: "America/Chicago",
  opening_hours: [{ days: ["Monday", "Tuesday"], opens: "07:00", closes: "18:00" }],
  same_as: [],
  service_areas: [],
  services: [{ id: "ac-repair", label: "AC repair" }],
  technicians: [{ id: "sample-technician", name: "Sample Technician" }],
};

const ID = "01KDVXEC00SAMP1EREV1EW0001";

export const SAMPLE_REVIEW: Review = {
  id: ID,
  author: "Sample Customer",
  author_avatar_url: null,
  rating: 5,
  date: "2026-01-01",
  text: "Came on time and explained everything. Sample Technician fixed the AC.",
  source: "google",
  source_url: null,
  owner_reply: { text: "Thank you!", date: "2026-01-02" },
  verified: true,
};

const RATING = {
  rating_value: 5,
  review_count: 1,
  best_rating: 5,
  worst_rating: 1,
  rating_counts: { "5": 1, "4": 0, "3": 0, "2": 0, "1": 0 },
};

const MENTIONED = { mention_count: 1, average_rating: 5, score: 0.9, example_review_ids: [ID] };

const IMPORTED_AT = "2026-01-03T09:00:00.000Z";

const PROVENANCE = {
  business: SAMPLE_BUSINESS.name,
  generated_at: IMPORTED_AT,
  sources: [
    {
      source: "google",
      ...{ published: 1, withheld: 0, withdrawn: 0, removed: 1 },
      verified_by: "source",
      first_imported_at: IMPORTED_AT,
      last_imported_at: IMPORTED_AT,
      newest_review: "2026-01-01",
    },
  ],
  removals: [{ year: 2025, rating: 1, removed: 1, redacted_author: 0, redacted_text: 0 }],
  duplicates: 0,
  corrections: { hidden_criticism: 0, hidden_praise: 0, changed: 0 },
  changes: [{ at: IMPORTED_AT, kind: "import", added: 1, changed: 0, withdrawn: 0, removed: 0 }],
};

const INSIGHTS = {
  version: 1,
  generated_at: "2026-01-03T09:00:00.000Z",
  model: ANALYSER,
  review_count: 1,
  languages: [{ language: "en", review_count: 1, analysed: true }],
  unread_count: 0,
  date_range: { earliest: "2026-01-01", latest: "2026-01-01" },
  overall_sentiment: { score: 0.9, positive_pct: 100, neutral_pct: 0, negative_pct: 0 },
  aspects: [
    {
      id: "punctuality",
      label: "Punctuality",
      mention_count: 1,
      positive_count: 1,
      neutral_count: 0,
      negative_count: 0,
      positive_pct: 100,
      score: 1,
      top_phrases: ["Came on time"],
      example_review_ids: [ID],
    },
  ],
  entities: {
    technicians: [{ id: "sample-technician", label: "Sample Technician", ...MENTIONED }],
    services: [{ id: "ac-repair", label: "AC repair", ...MENTIONED }],
    problems: [],
    service_areas: [],
  },
  topics: [
    {
      id: "repair",
      label: "repair",
      review_count: 1,
      poor_count: 0,
      good_count: 1,
      praised: 1,
      criticised: 0,
      share_pct: 100,
      score: 0.9,
      example_review_ids: [ID],
    },
  ],
  temporal: {
    monthly: [{ month: "2026-01", review_count: 1, average_rating: 5, score: 0.9 }],
    trend: "insufficient_data",
    trend_basis: {
      recent: { from: "2025-08-01", until: "2026-01-31", review_count: 1, average_rating: 5 },
      before: { from: "2024-08-01", until: "2025-07-31", review_count: 0, average_rating: null },
    },
  },
  per_review: {
    [ID]: {
      language: "en",
      sentiment: "positive",
      score: 0.9,
      aspects: [{ id: "punctuality", sentiment: "positive", evidence: "Came on time" }],
      technicians: ["sample-technician"],
      services: ["ac-repair"],
      problems: [],
      service_areas: [],
      topics: ["repair"],
    },
  },
  faq: [
    {
      question: "Do they come when they say they will?",
      answer: "The one review that touches on this praises arriving when promised.",
      review_ids: [ID],
      about: ["punctuality"],
    },
  ],
  summary: "Sample Cooling Company has one review, of 5 stars.",
  pull_quote: "Came on time and explained everything.",
};

const ERROR = {
  error: "The search has invalid parameters",
  issues: [
    { code: "too_big", path: ["rating"], message: "rating is 6, but must be a whole number from 1 to 5" },
    {
      code: "invalid_date",
      path: ["since"],
      message: 'since is "2026-02-30", but must be a real day, YYYY-MM-DD: February 2026 has 28 days',
    },
  ],
};

const DATE_ERROR = {
  error: "The date is invalid",
  issues: [
    {
      code: "invalid_date",
      path: ["date"],
      message: 'date is "2026-02-30", but must be a real day, YYYY-MM-DD: February 2026 has 28 days',
    },
  ],
};

const CURSOR_ERROR = {
  error: "The cursor is unknown",
  issues: [
    {
      code: "unknown_cursor",
      path: ["cursor"],
      message:
        'cursor is "aB3dE6gH9jK2.7", but must be one that this publication gave in the last 400 days, and not before its store was restored: begin anew at /api/changes, with an empty copy',
    },
  ],
};

/** The origin in the sample of a notification: another would need another signature. */
const SIGNED_ORIGIN = "https://reviews.example";

const HUB_SECRET = "known-to-you-and-the-hub";

/** A JSON-RPC error as the server answers it. */
function fault(id: number | null, code: number, message: string) {
  return { jsonrpc: "2.0", id, error: { code, message } } as const;
}

/** The examples for an origin, by subject. */
export function makeExamples(baseUrl: string) {
  const item = feedItem(
    SAMPLE_REVIEW,
    { services: ["ac-repair"], edit: undefined },
    { business: SAMPLE_BUSINESS, baseUrl: baseUrl },
  );
  const feed: unknown = JSON.parse(renderJsonFeed(SAMPLE_BUSINESS, "en", [item], baseUrl));
  const atom = renderAtomFeed(SAMPLE_BUSINESS, [item], { baseUrl, language: "en", emptySince: new Date(0) });
  const signedItem = feedItem(
    SAMPLE_REVIEW,
    { services: ["ac-repair"], edit: undefined },
    { business: SAMPLE_BUSINESS, baseUrl: SIGNED_ORIGIN },
  );
  const signedFeed = { baseUrl: SIGNED_ORIGIN, language: "en", emptySince: new Date(0) };
  const notification = renderAtomFeed(SAMPLE_BUSINESS, [signedItem], signedFeed);
  const found = { matched: 1, returned: 1, reviews: [SAMPLE_REVIEW] };
  const called = { ...found, review_page: `${baseUrl}/reviews/{id}` };
  return {
    reviews: { business: SAMPLE_BUSINESS, aggregate_rating: RATING, reviews: [SAMPLE_REVIEW] },
    insights: INSIGHTS,
    provenance: PROVENANCE,
    feed,
    atom,
    search: found,
    since: [SAMPLE_REVIEW],
    single: {
      review: SAMPLE_REVIEW,
      analysis: INSIGHTS.per_review[ID],
      url: `${baseUrl}/reviews/${SAMPLE_REVIEW.id}`,
    },
    noReview: {
      error: 'No review has the id "01ABC": an id has 26 digits and letters, and this one has 5',
    },
    goneReview: {
      error: `The review "${SAMPLE_REVIEW.id}" was taken out and is no longer published`,
    },
    places: {
      name: "Sample Cooling",
      review_count: 1,
      places: [
        {
          name: SAMPLE_BUSINESS.name,
          base_url: baseUrl,
          locality: SAMPLE_BUSINESS.address?.locality ?? null,
          aggregate_rating: RATING,
          newest_review: SAMPLE_REVIEW.date,
        },
      ],
    },
    noPlaces: { error: "Nothing is at /places.json; /.well-known/openapi.json lists all addresses" },
    noMetrics: { error: "Nothing is at /metrics; /.well-known/openapi.json lists all addresses" },
    serverCard: { name: "reviews", version: API_VERSION },
    catalog: { entries: [{ url: `${baseUrl}${SERVER_CARD_PATH}` }] },
    sitemap: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<url><loc>${baseUrl}/</loc><lastmod>2026-01-02</lastmod></url>\n</urlset>\n`,
    changes: { cursor: "aB3dE6gH9jK2.8", is_complete: true, changed: [SAMPLE_REVIEW], removed: [] },
    error: ERROR,
    dateError: DATE_ERROR,
    cursorError: CURSOR_ERROR,
    starting: { error: "Still starting: ask again in a second" },
    openapi: { openapi: "3.1.0", info: { title: `Reviews of ${SAMPLE_BUSINESS.name}`, version: API_VERSION } },
    mcpRequest: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "search_reviews",
        arguments: { min_rating: 4, limit: 1 },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
    mcpAnswer: {
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "complete",
        _meta: {
          "io.modelcontextprotocol/serverInfo": {
            name: "goodword",
            title: `Reviews of ${SAMPLE_BUSINESS.name}`,
            version: API_VERSION,
            description: `Verified customer reviews of ${SAMPLE_BUSINESS.name}, and what they say together. Read-only.`,
            websiteUrl: baseUrl,
          },
        },
        content: [{ type: "text", text: JSON.stringify(called) }],
        structuredContent: called,
      },
    },
    mcpFaults: {
      400: fault(1, -32000, "Mcp-Session-Id is missing: send initialize first, then the id that it gives"),
      403: fault(
        null,
        -32000,
        'This server does not take the Origin "http://other.example" here. Its operator can name it in ALLOWED_HOSTS; ALLOWED_HOSTS=* allows every one',
      ),
      404: fault(1, -32001, "The session is unknown or has ended: send initialize again"),
      406: fault(null, -32000, "Answers are application/json: accept them"),
      413: fault(null, -32000, "The body is larger than 65536 bytes"),
      415: fault(null, -32000, "Content-Type must be application/json"),
      503: fault(null, -32000, "Still starting: ask again in a second"),
    },
    hubRequest: {
      "hub.mode": "subscribe",
      "hub.topic": `${baseUrl}/feed.xml`,
      "hub.callback": "https://subscriber.example/changed",
      "hub.lease_seconds": 864000,
      "hub.secret": HUB_SECRET,
    },
    hubCalls: {
      challenge: "9fZ2mWk1c0hQvYt7bXo3uLr8aEdGsJi5pNnTqKxVyB4",
      link: topicLink(SIGNED_ORIGIN, "/feed.xml"),
      notification,
      signature: `sha256=${createHmac("sha256", HUB_SECRET).update(notification).digest("hex")}`,
    },
    hubTexts: {
      202: "Accepted: the callback will be asked to confirm\n",
      400: "hub.callback has the scheme http, but must be https\n",
      413: "The body is larger than 16 KiB\n",
      415: "The body must be application/x-www-form-urlencoded\n",
      429: "Too many requests from this address; try again later\n",
      503: "The request could not be stored; try again in a moment\n",
    },
  } as const;
}
