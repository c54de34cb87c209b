/** What a file of a Takeout without reviews calls a location: its profile, or its `additionalData.json`. */
import { isObject, type JsonObject } from "../../lib/json-object.ts";

/** The name, and the id of the location if the file has it. */
export interface NamedLocation {
  readonly name: string;
  readonly id?: string | undefined;
  /** Whether it is the title of a profile. */
  readonly isProfile: boolean;
}

/** Members that show an object with a title to be a location, and no post or picture. */
const OF_PROFILE =
  /^(?:storefrontAddress|address|phoneNumbers|primaryPhone|websiteUri|websiteUrl|categories|primaryCategory|storeCode|latlng|regularHours)$/;
const PROFILE_FILE = /(?:^|[/\\!])(?:profile|data|location|business)[^/\\!]*\.json$/i;
const LISTING_NAME = "LISTING_NAME";
const MAX_DEPTH = 8;
const MAX_LENGTH = 300;

/** The location that a file describes; undefined if it is none. `file`: its path. */
export function locationNamed(file: string, value: unknown): NamedLocation | undefined {
  if (!isObject(value)) return undefined;
  const id = locationId(value);
  const isProfile =
    id !== undefined || PROFILE_FILE.test(file) || Object.keys(value).some((name) => OF_PROFILE.test(name));
  const title = isProfile ? (textOf(value.title) ?? textOf(value.locationName)) : undefined;
  const name = title ?? listingName(value, MAX_DEPTH);
  return name === undefined ? undefined : { name, id, isProfile: title !== undefined };
}

/** The id of the location that a profile is of. */
export function locationId({ name }: JsonObject): string | undefined {
  return typeof name === "string" ? /(?:^|\/)locations\/([^/]+)$/.exec(name)?.[1] : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== ""
    ? value.slice(0, MAX_LENGTH).trim().replace(/\s+/g, " ")
    : undefined;
}

/** The words beside `LISTING_NAME`, or below it. */
function listingName(value: unknown, depth: number): string | undefined {
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  if (isObject(value)) {
    if (LISTING_NAME in value) return firstText(value[LISTING_NAME], depth);
    if (isMarked(value)) return firstText(value, depth);
  }
  for (const one of Object.values(value)) {
    const name = listingName(one, depth - 1);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Whether an attribute is the listing's name: its id, or a member of that, says so. */
function isMarked(attribute: JsonObject): boolean {
  return Object.values(attribute).some(
    (value) => value === LISTING_NAME || (isObject(value) && Object.values(value).includes(LISTING_NAME)),
  );
}

/** The first text at any depth that is no mark or code. */
function firstText(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value === LISTING_NAME ? undefined : textOf(value);
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  const entries = Object.entries(value).filter(([name]) => !/language|locale|type|id$/i.test(name));
  const isText = ([name]: readonly [string, unknown]) => (/^(?:text|name|value|listingName)$/.test(name) ? 0 : 1);
  for (const [, one] of entries.toSorted((a, b) => isText(a) - isText(b))) {
    const text = firstText(one, depth - 1);
    if (text !== undefined) return text;
  }
  return undefined;
}
