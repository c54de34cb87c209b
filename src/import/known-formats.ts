/** The list of all import formats. To add one, write a file in `format/` and add it here. */

import type { Format } from "./format/format.ts";
import { goodwordJson } from "./format/goodword/goodword-json.ts";
import { goodwordTable } from "./format/goodword/goodword-table.ts";
import { businessProfile } from "./format/google/business-profile.ts";
import { placesApi } from "./format/google/places-api.ts";
import { placesLegacy } from "./format/google/places-legacy.ts";
import { takeout } from "./format/google/takeout.ts";
import { takeoutMaps } from "./format/google/takeout-maps.ts";
import { jsonLd } from "./format/json-ld.ts";
import { birdeye } from "./format/platform/birdeye.ts";
import { facebook } from "./format/platform/facebook.ts";
import { podium } from "./format/platform/podium.ts";
import { trustpilotApi, trustpilotTable } from "./format/platform/trustpilot.ts";
import { yelp } from "./format/platform/yelp.ts";
import { apify } from "./format/scraper/apify.ts";
import { outscraper } from "./format/scraper/outscraper.ts";
import { serpApi } from "./format/scraper/serpapi.ts";

/** Tried in this order, from specific to general; the first format that recognises the content reads it. */
export const FORMATS: readonly Format[] = [
  takeout,
  businessProfile,
  placesApi,
  placesLegacy,
  outscraper,
  apify,
  serpApi,
  trustpilotTable,
  trustpilotApi,
  birdeye,
  podium,
  facebook,
  yelp,
  takeoutMaps,
  jsonLd,
  goodwordTable,
  goodwordJson,
];
