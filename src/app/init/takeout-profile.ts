/** Reads the business from a Google Takeout: a location's profile file, beside its reviews. */
import { openInputs } from "../../import/input/inputs.ts";
import { wholeText } from "../../import/input/utf8-text.ts";
import { locationId } from "../../import/place/place-name.ts";
import { locationInPath } from "../../import/place/told-place.ts";
import { type JsonObject, members } from "../../lib/json-object.ts";
import { typeOfTrade } from "../../local-business-types.ts";
import { type BusinessAnswers, labelled } from "./business-answers.ts";

/** JSON files that are searched for a location's profile. */
const MAX_FILES = 20_000;

/** What a file says of a location, and the id of the location if anything tells it. */
interface FoundProfile {
  readonly id: string | undefined;
  readonly profile: BusinessAnswers;
}

/** Reads the first location described in the paths, or the one with this id; undefined if there is none. */
export async function readTakeoutProfile(
  paths: readonly string[],
  location?: string,
): Promise<BusinessAnswers | undefined> {
  for await (const found of profilesIn(paths)) if (isOf(found, location)) return found.profile;
  return undefined;
}

/** Reads all locations described in the paths. Returns what is said of the one with an id, as `readTakeoutProfile()` does. */
export async function readTakeoutProfiles(
  paths: readonly string[],
): Promise<(location: string) => BusinessAnswers | undefined> {
  const all = await Array.fromAsync(profilesIn(paths));
  return (location) => all.find((found) => isOf(found, location))?.profile;
}

/** One whose id nothing tells is of any location. */
function isOf({ id }: FoundProfile, location: string | undefined): boolean {
  return (location ?? id ?? "") === (id ?? location ?? "");
}

async function* profilesIn(paths: readonly string[]): AsyncGenerator<FoundProfile> {
  const inputs = await openInputs(paths);
  try {
    const [issue] = inputs.issues;
    if (issue !== undefined) throw new Error(issue.message);
    const candidates = inputs.files.filter(({ name }) => /\.json$/i.test(name) && !/reviews[^/\\]*\.json$/i.test(name));
    for (const file of candidates.slice(0, MAX_FILES)) {
      const text = await wholeText(file).catch(() => "");
      const profile = parseProfile(text);
      if (profile === undefined) continue;
      yield { id: locationId(members(JSON.parse(text))) ?? locationInPath(file.name), profile };
    }
  } finally {
    await inputs.close();
  }
}

/**
 * Reads a location's JSON, with the member names of either generation of Google's API; undefined if it is not a
 * location.
 */
export function parseProfile(json: string): BusinessAnswers | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const location = members(value);
  const name = textOf(location.title) ?? textOf(location.locationName);
  const address = members(location.storefrontAddress ?? location.address);
  const phones = members(location.phoneNumbers);
  const telephone = textOf(phones.primaryPhone) ?? textOf(location.primaryPhone);
  const url = textOf(location.websiteUri) ?? textOf(location.websiteUrl);
  const hasAddress = Array.isArray(address.addressLines) || textOf(address.locality) !== undefined;
  if (name === undefined || (!hasAddress && telephone === undefined && url === undefined)) return undefined;
  const category = members(members(location.categories).primaryCategory ?? location.primaryCategory);
  const categoryName = textOf(category.displayName);
  const latlng = members(location.latlng);
  return withoutAbsent({
    name,
    category: categoryName === undefined ? undefined : (typeOfTrade(categoryName) ?? "LocalBusiness"),
    url,
    telephone,
    address: hasAddress ? addressOf(address) : undefined,
    geo: pointOf(latlng),
    opening_hours: hoursOf(members(location.regularHours).periods),
    service_areas: areasOf(members(location.serviceArea)),
  });
}

function addressOf(address: JsonObject): Readonly<Record<string, string>> {
  const lines = (Array.isArray(address.addressLines) ? address.addressLines : []).filter((line) => textOf(line));
  return withoutAbsent({
    street: lines.length === 0 ? undefined : lines.join(", "),
    locality: textOf(address.locality),
    region: textOf(address.administrativeArea),
    postal_code: textOf(address.postalCode),
    country: textOf(address.regionCode),
  });
}

function pointOf({ latitude, longitude }: JsonObject): BusinessAnswers["geo"] {
  return typeof latitude === "number" && typeof longitude === "number" ? { latitude, longitude } : undefined;
}

const DAYS: Readonly<Record<string, string>> = {
  MONDAY: "Monday",
  TUESDAY: "Tuesday",
  WEDNESDAY: "Wednesday",
  THURSDAY: "Thursday",
  FRIDAY: "Friday",
  SATURDAY: "Saturday",
  SUNDAY: "Sunday",
};

/** Opening hours, with days of equal hours grouped. Periods that cross midnight end at midnight. */
function hoursOf(periods: unknown): BusinessAnswers["opening_hours"] {
  if (!Array.isArray(periods)) return undefined;
  const days = new Map<string, string[]>();
  for (const period of periods.map(members)) {
    const day = DAYS[textOf(period.openDay) ?? ""];
    const opens = timeOf(period.openTime);
    const closes = period.closeDay === period.openDay ? timeOf(period.closeTime) : "24:00";
    if (day === undefined || opens === undefined || closes === undefined) continue;
    const key = `${opens} ${closes}`;
    days.set(key, [...(days.get(key) ?? []), day]);
  }
  if (days.size === 0) return undefined;
  return [...days].map(([key, names]) => {
    const [opens = "", closes = ""] = key.split(" ");
    return { days: names, opens, closes };
  });
}

/** A time of day, given as `09:00` or as hours and minutes. Google omits zeros. */
function timeOf(value: unknown): string | undefined {
  if (typeof value === "string") return /^([01]\d|2[0-4]):[0-5]\d$/.test(value) ? value : undefined;
  if (value === undefined || value === null) return undefined;
  const { hours = 0, minutes = 0 } = members(value);
  const two = (number: unknown) => String(number).padStart(2, "0");
  return `${two(hours)}:${two(minutes)}`;
}

function areasOf(serviceArea: JsonObject): BusinessAnswers["service_areas"] {
  const places = members(serviceArea.places).placeInfos;
  if (!Array.isArray(places)) return undefined;
  const names = places.map((place) => textOf(members(place).placeName) ?? textOf(members(place).name));
  const labels = names.flatMap((name) => (name === undefined ? [] : [name.split(",")[0] ?? name]));
  return labels.length === 0 ? undefined : labelled(labels.join(","));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Removes members that are undefined. */
function withoutAbsent<T extends Record<string, unknown>>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]: Exclude<T[K], undefined> };
}
