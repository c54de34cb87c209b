/** Every format of export that can be imported. Adding one: a file like its neighbours, and a line here. */
import { businessProfile } from "./business-profile.ts";
import type { Format } from "./format.ts";
import { placesApi } from "./places-api.ts";
import { placesLegacy } from "./places-legacy.ts";
import { takeout } from "./takeout.ts";

/** Asked in this order; the first that recognises the content reads it. */
export const FORMATS: readonly Format[] = [takeout, businessProfile, placesApi, placesLegacy];
