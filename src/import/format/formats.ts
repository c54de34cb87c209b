/** Every format of export that can be imported. Adding one: a file like its neighbours, and a line here. */
import { apify } from "./apify.ts";
import { businessProfile } from "./business-profile.ts";
import type { Format } from "./format.ts";
import { goodwordCsv } from "./goodword-csv.ts";
import { goodwordJson } from "./goodword-json.ts";
import { jsonLd } from "./json-ld.ts";
import { outscraper } from "./outscraper.ts";
import { ownerAuthored } from "./owner-authored.ts";
import { placesApi } from "./places-api.ts";
import { placesLegacy } from "./places-legacy.ts";
import { serpApi } from "./serpapi.ts";
import { takeout } from "./takeout.ts";

/** Asked in this order, the particular before the general; the first that recognises the content reads it. */
export const FORMATS: readonly Format[] = [
  takeout,
  businessProfile,
  placesApi,
  placesLegacy,
  outscraper,
  apify,
  serpApi,
  ownerAuthored,
  jsonLd,
  goodwordCsv,
  goodwordJson,
];
