/** The place that a record is about, as the record and the objects around it tell: ids of several kinds, and a name. */

import { isObject, type JsonObject, members } from "../../lib/json-object.ts";
import { normalForm } from "../../lib/normal-form.ts";
import { printableText } from "../../lib/printable-text.ts";
import {
  BRANCH,
  OF_BUSINESS,
  OWN_ADDRESS,
  PLACE,
  PLACE_ADDRESS,
  PLACE_COLUMN,
  PLACE_LIST,
  PLACE_NUMBER,
  TOWN,
} from "../words/place-words.ts";

/** An id and its kind, such as `place_id`. Only ids of one kind are compared. */
export interface PlaceId {
  readonly kind: string;
  readonly id: string;
}

/** What a record tells of its place. Without ids, the name is one, of the kind `name`. */
export interface ToldPlace {
  readonly ids: readonly PlaceId[];
  readonly name: string | undefined;
  /** What may be its name, beside ids: members that hold a place's in some files, and a review's or customer's in others. */
  readonly hints?: readonly (string | undefined)[] | undefined;
}

/** The name of a list, an object or a sheet with reviews. */
export interface ListName {
  readonly name: string;
  /** Whether others beside it are called otherwise, so that it is a place. One alone is compared with other lists only. */
  readonly isOfSeveral: boolean;
}

/** An object in which a record is. */
export interface Around {
  readonly object: JsonObject;
  /** Whether it is known to be a place, whatever its members. */
  readonly isPlace: boolean;
  /** What a list of reviews is called, if that may be a place. */
  readonly listName?: ListName | undefined;
}

/** Google's ids have several names. The kind `location` is that of a Business Profile, in a Takeout and in the API. */
const GOOGLE_KINDS = new Map(
  Object.entries({
    place_id: ["place_id", "placeid", "google_place_id"],
    data_id: ["data_id", "google_id", "google_data_id", "fid", "feature_id"],
    cid: ["cid", "data_cid", "google_cid"],
    reviews_id: ["reviews_id"], // Outscraper's, of all reviews of a place
  }).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);
const ID_NAME = new RegExp(
  `^(?:(?:google|yelp|facebook|tripadvisor|trustpilot|booking)_)?(?:(?:${PLACE}|company|merchant|page)_?(?:id|uid|uuid)|${PLACE_NUMBER})$`,
);
const NAME_NAME = new RegExp(`^(?:(?:${PLACE})_(?:name|title|display_name|identifying_name)|${PLACE_COLUMN})$`);
const OF_BRANCHES = new RegExp(`^(?:${BRANCH})(?:_name)?$`);
/** Objects in a record, or beside its list, that describe the place. */
const OBJECT_NAME = new RegExp(`^(?:${PLACE}|place_info|search_parameters|item_reviewed)$`);
const ADDRESS = /^(?:(?:full_|formatted_|street_)?address|street|adresse)$/;
/** Directories in which a business is listed. */
const DIRECTORY = /^(?:google|yelp|facebook|bing|apple|trip ?advisor|trustpilot|bbb|angi|houzz)\b/i;
/** What can be reviewed besides a place, as Schema.org's `itemReviewed` says. */
const OTHER_ITEM = /product|service|offer|work|person/i;
const ENTRY = new RegExp(`(?:^|\\.)${PLACE_LIST}(?:\\[\\d+\\]|\\.[^.[\\]]+)$`, "i");
const KEY_IN_LIST = new RegExp(`(?:^|\\.)${PLACE_LIST}\\.([^.[\\]]+)`, "i");
/** Members that show an object around a list of reviews to be a place. */
const SIGN =
  /^(?:(?:full_|formatted_|street_)?address|street|city|phone|telephone|latitude|categor(?:y|ies)|average_rating|total_score|reviews_count|user_ratings?_(?:total|count))$/;
/** `accounts/1/locations/2/reviews/3`, `places/ChIJ…/reviews/…` */
const RESOURCE = /(?:^|\/)(location|place)s\/([^/\s]+)(?:\/|$)/;
const ABSENT = /^(?:|-|null|none|nan|n\/a|undefined)$/i;
const MAX_LENGTH = 300;

/** Members that name the place where its id stands beside them, and all its records have the same; the best first. */
const HINTS = [
  /^title$/,
  /^(?:location|label|place|site)$/,
  new RegExp(`^(?:${TOWN})$`),
  /^(?:(?:full_|formatted_|street_)?address|adresse|direcci\u00f3n|indirizzo)$/,
];

/** What a member says of a place, by its name. */
interface Role {
  readonly spelling: string;
  readonly kind: string | undefined;
  readonly isName: boolean;
  /** Its index in `HINTS`; -1 for most. */
  readonly hint: number;
  readonly isHintAlone: boolean;
  readonly isSign: boolean;
  /** Whether its address is a place's page. */
  readonly isAddress: boolean;
  /** Whether its address is the review's own, which some sites begin with that of the place. */
  readonly isReviewLink: boolean;
  /** Whether its value can say anything. */
  readonly mayTell: boolean;
}

/** Members that tell a place by their values. */
const MAY_TELL = new Set(
  "name parent resource resource_name review review_name review_id location url query search_string input".split(" "),
);
/** The place whose page an address is, by the site: `?q=place_id:ChIJ…`, `?cid=123`, `yelp.com/biz/acme-leeds`. */
const PLACE_IN_LINK: readonly (readonly [string, RegExp])[] = [
  ["place_id", /(?:place_?id[:=]|place_id%3A)(ChIJ[\w-]{15,})/i],
  ["cid", /[?&]cid=(\d{5,20})(?:&|$)/],
  ["data_id", /\/maps\/place\/[^?#]{1,250}!1s(0x[\da-f]{1,20}:0x[\da-f]{1,20})/i],
  ["maps", /\/maps\/place\/([^/?#@]{3,200})/],
  ["yelp", /^https?:\/\/(?:[a-z-]+\.)?yelp\.[a-z.]+\/biz\/([^/?#]+)/],
  ["tripadvisor", /^https?:\/\/(?:[a-z-]+\.)?tripadvisor\.[a-z.]+\/[^?#]{1,40}-d(\d+)-/i],
  ["trustpilot", /^https?:\/\/(?:[a-z-]+\.)?trustpilot\.com\/review\/([^/?#]+)/i],
  ["booking", /^https?:\/\/(?:[a-z-]+\.)?booking\.com\/hotel\/([a-z]{2}\/[^/?#.]+)/i],
];

const REVIEW_LINK = /^(?:(?:review|source)_)?(?:links?|url|href|permalink)$/;
/** Links of reviews that name the place, by what they have in common. */
const LINK_OF_PLACE = /yelp\.[a-z.]+\/biz\/|tripadvisor\.|trustpilot\.com\/review\/|booking\.com\/hotel\/|place_?id/i;

/** The place that an address is of. That of a place's own page is one, too, without its parameters (`isOfPlace`). */
function placeInLink(link: string, isOfPlace: boolean): PlaceId | undefined {
  for (const [kind, form] of PLACE_IN_LINK) {
    const id = form.exec(link)?.[1];
    if (id !== undefined) return { kind, id };
  }
  const [, address] = isOfPlace ? (/^https?:\/\/(?:www\.)?([^?#]+)/i.exec(link) ?? []) : [];
  return address === undefined ? undefined : { kind: "page", id: address.replace(/\/+$/, "").toLowerCase() };
}

/** What was searched for, and a key of a document, can be Google's id of the place. */
const SEARCHED = /^(?:query|search_string|input|location)$/;
const PLACE_ID = /^ChIJ[\w-]{15,}$/;
const MAX_ROLES = 2_000;
const roles = new Map<string, Role>();

/** The same names come with each record, so that their roles are remembered. */
function roleOf(name: string): Role {
  const known = roles.get(name);
  if (known !== undefined) return known;
  const parts = name.trim().replace(/([a-z\d])([A-Z])/g, "$1_$2");
  const spelling = parts.toLowerCase().replace(/[\s.-]+/g, "_");
  const own = ID_NAME.test(spelling) ? spelling.replace(/_?(id|uid|uuid)$/, "_id") : undefined;
  const kind = GOOGLE_KINDS.get(spelling) ?? own;
  const isName = NAME_NAME.test(spelling);
  const hint = HINTS.findIndex((one) => one.test(spelling));
  const isAddress = PLACE_ADDRESS.test(spelling);
  const isReviewLink = REVIEW_LINK.test(spelling);
  const isTelling =
    kind !== undefined || isName || isAddress || isReviewLink || MAY_TELL.has(spelling) || OBJECT_NAME.test(spelling);
  const isHintAlone = hint >= 0 && !isTelling;
  const mayTell = isTelling || isHintAlone;
  const isSign = SIGN.test(spelling);
  const role: Role = { spelling, kind, isName, hint, isHintAlone, isSign, isAddress, isReviewLink, mayTell };
  if (roles.size >= MAX_ROLES) roles.clear();
  roles.set(name, role);
  return role;
}

/** Whether a column, or a member with its dotted path, tells the places of reviews. */
export function tellsPlace(name: string): boolean {
  const { kind, isName } = roleOf(name);
  return kind !== undefined || isName;
}

/** What a line above a table says of its place: `Branch: Leeds`. */
export function placeInTitle(title: string): string | undefined {
  const [, label = "", name] = /^([^:]{1,40}?)\s*:\s*(\S[^:]*)$/.exec(title.slice(0, MAX_LENGTH)) ?? [];
  return tellsPlace(label) || OBJECT_NAME.test(roleOf(label).spelling) ? name?.trim() : undefined;
}

/** Whether the path of an object shows that it is a place: `locations[2]`, `branches.leeds`. */
export function isPlaceAt(path: string): boolean {
  return ENTRY.test(path);
}

/** A name for comparison: without regard to case and spaces. */
export function foldedName(name: string): string {
  return normalForm(name, "NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** A text or whole number that says something. */
function wordIn(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value).trim().replace(/\s+/g, " ");
  return ABSENT.test(text) || text.length > MAX_LENGTH ? undefined : text;
}

interface Found {
  readonly ids: Map<string, string>;
  name: string | undefined;
  /** What a column of branches says, where another names the business. */
  branch?: string | undefined;
  readonly hints: (string | undefined)[];
}

/** Adds what an object says, and what the objects in it say that describe the place. */
function look(object: JsonObject, found: Found, inside?: string): void {
  let address: string | undefined;
  const add = (kind: string, id: string) =>
    void found.ids.getOrInsert(kind, kind === "data_id" ? id.toLowerCase() : id);
  for (const member of Object.keys(object)) {
    const { spelling, kind, isName, hint, isAddress, isReviewLink, mayTell } = roleOf(member);
    if (!mayTell && inside === undefined) continue;
    const value = object[member];
    const isLinkOfPlace = isReviewLink && typeof value === "string" && LINK_OF_PLACE.test(value);
    if (isReviewLink && !isLinkOfPlace && spelling !== "url") continue;
    if (isObject(value)) {
      const isPlace = OBJECT_NAME.test(spelling) && !OTHER_ITEM.test(String(value["@type"] ?? ""));
      if (inside === undefined && isPlace) look(value, found, spelling);
      continue;
    }
    if (inside !== undefined && OF_BUSINESS.test(inside) && ADDRESS.test(spelling)) address ??= wordIn(value);
    const isOwnName = isName || (inside !== undefined && /^(?:name|title|display_name)$/.test(spelling));
    const isOwnId = inside !== undefined && /^u?id$/.test(spelling);
    if (
      kind === undefined &&
      !isOwnName &&
      !isOwnId &&
      hint < 0 &&
      !isAddress &&
      !isLinkOfPlace &&
      !MAY_TELL.has(spelling)
    )
      continue;
    const word = wordIn(value);
    if (word === undefined || (spelling === "listing" && DIRECTORY.test(word))) continue;
    if (hint >= 0 && inside === undefined) found.hints[hint] ??= word;
    const [, resource, id] = (spelling === "url" ? undefined : RESOURCE.exec(word)) ?? [];
    const isLink = isAddress || isLinkOfPlace || spelling === "url" || spelling === "input" || spelling === "query";
    const linked = isLink ? placeInLink(word, OWN_ADDRESS.test(spelling)) : undefined;
    if (linked !== undefined) add(linked.kind, linked.id);
    else if (id !== undefined) add(resource === "place" ? "place_id" : "location", id);
    else if (SEARCHED.test(spelling) && PLACE_ID.test(word)) add("place_id", word);
    else if (kind !== undefined) add(kind, word);
    else if (isOwnId) add(`${inside}_id`, word);
    else if (isOwnName) {
      if (found.name !== undefined && OF_BRANCHES.test(inside ?? spelling)) found.branch ??= word;
      found.name ??= word;
    }
  }
  found.name ??= address;
}

/** A business's branches have one name. Those without ids are told apart by what names or locates them. */
function addBranch({ ids, name, branch }: Found, address: string | undefined): void {
  if (ids.size > 0 || name === undefined) return;
  if (branch !== undefined && branch !== name) ids.set("name", foldedName(name)).set("branch", foldedName(branch));
  else if (address !== undefined) ids.set("name", foldedName(name)).set("address", foldedName(address));
}

/** What each object around records has told: it is the same for all of them. */
const ofObjects = new WeakMap<JsonObject, Found>();

/** What an object around a list of reviews says, in which the place's own name and id have general names. */
function lookAround({ object, isPlace }: Around): Found {
  const found: Found = { ids: new Map(), name: undefined, hints: [] };
  look(object, found);
  if (!isPlace && found.ids.size === 0 && !Object.keys(object).some((name) => roleOf(name).isSign)) return found;
  const { id, title, name, displayName } = object;
  const own = wordIn(id);
  if (own !== undefined && found.ids.size === 0) found.ids.set(isObject(displayName) ? "place_id" : "id", own);
  found.name ??= wordIn(title) ?? wordIn(members(displayName).text) ?? wordIn(displayName) ?? wordIn(name);
  return found;
}

/**
 * The place of a record, in the words of any service; undefined if nothing tells it. `around`: the objects that hold the
 * record, the nearest one first; `at`: its path.
 */
export function placeOf(record: JsonObject, around: readonly Around[] = [], at = ""): ToldPlace | undefined {
  const found: Found = { ids: new Map(), name: undefined, hints: [] };
  look(record, found);
  const isOwn = found.ids.size > 0;
  for (const one of around) {
    const { ids, name } = ofObjects.getOrInsertComputed(one.object, () => lookAround(one));
    for (const [kind, id] of ids) found.ids.getOrInsert(kind, id);
    found.name ??= name;
  }
  for (const key of at.split(/[.[\]]/)) if (PLACE_ID.test(key)) found.ids.getOrInsert("place_id", key);
  // Outscraper's author_title shows that the member `name` is the place's.
  if ("author_title" in record) found.name ??= wordIn(record.name);
  const isTitle = isTitleOfPlace(record);
  if (isTitle) found.name ??= wordIn(record.title);
  addBranch(found, isTitle ? (wordIn(record.address) ?? wordIn(record.street)) : undefined);
  const lists = around.flatMap(({ listName }) => listName ?? []);
  const told = toldPlace(found.ids, found.name ?? KEY_IN_LIST.exec(at)?.[1], isOwn ? found.hints : undefined);
  return lists.length === 0 ? told : placeInList(told, joined(lists));
}

/** Whether the member `title` is the place's name, as in what Apify reads at Google Maps. */
export function isTitleOfPlace(record: JsonObject): boolean {
  return (
    OF_APIFY.every((name) => name in record) &&
    (APIFY_SIGNS.some((name) => name in record) || /^https:\/\/(?:www\.)?google\./.test(String(record.reviewUrl)))
  );
}

const OF_APIFY = ["title", "stars", "publishedAtDate"];
/** Members that only the actor for Google Maps gives. */
const APIFY_SIGNS = ["placeId", "cid", "reviewOrigin", "isLocalGuide", "reviewerNumberOfReviews", "textTranslated"];
/** Those that say whose the general names beside them are. */
const SERVICE_SIGNS = new Set(["author_title", "reviewUrl", ...OF_APIFY, ...APIFY_SIGNS]);

function joined(lists: readonly ListName[]): ListName {
  const several = lists.filter(({ isOfSeveral }) => isOfSeveral);
  const telling = several.length > 0 ? several : lists;
  return { name: telling.map(({ name }) => name).join(", "), isOfSeveral: several.length > 0 };
}

/** Reads the places of a table's rows. Columns that the owner `mapped` to fields of reviews are not asked. */
export function rowPlaces(
  columns: readonly string[],
  mapped: readonly string[] = [],
): (cells: readonly string[]) => ToldPlace | undefined {
  const asked = [...columns.entries()].filter(
    ([, name]) => !mapped.some((one) => foldedName(one) === foldedName(name)),
  );
  const isOfService = columns.includes("author_title") || OF_APIFY.every((name) => columns.includes(name));
  const telling = asked.filter(([, name]) => roleOf(name).mayTell || (isOfService && SERVICE_SIGNS.has(name)));
  const placeIn = (cells: readonly string[]) =>
    placeOf(Object.fromEntries(telling.map(([index, name]) => [name, cells[index]])));
  // What only names a place says nothing without its id, and few links of reviews name one.
  const isTelling = (name: string) => {
    const { spelling, isHintAlone, isReviewLink } = roleOf(name);
    return !isHintAlone && (!isReviewLink || spelling === "url");
  };
  if (telling.some(([, name]) => isTelling(name))) return placeIn;
  const links = telling.flatMap(([index, name]) => (roleOf(name).isReviewLink ? [index] : []));
  return (cells) => (links.some((index) => LINK_OF_PLACE.test(cells[index] ?? "")) ? placeIn(cells) : undefined);
}

/** What was told; undefined if it is nothing. */
export function toldPlace(
  ids: Iterable<readonly [string, string]>,
  name: string | undefined,
  hints?: ToldPlace["hints"],
): ToldPlace | undefined {
  const own = Array.from(ids, ([kind, id]): PlaceId => ({ kind, id: printableText(id) })).filter(({ id }) => id !== "");
  if (own.length > 0) return { ids: own, name, hints };
  const id = foldedName(printableText(name ?? ""));
  return id === "" ? undefined : { ids: [{ kind: "name", id }], name };
}

/**
 * A record's place with what its list or sheet is called. Without ids, the names of several lists tell places apart that
 * have one business's name.
 */
export function placeInList(place: ToldPlace | undefined, { name, isOfSeveral }: ListName): ToldPlace | undefined {
  const isNamed = place?.ids.every(({ kind }) => kind === "name") ?? true;
  if (place !== undefined && !(isNamed && isOfSeveral)) return { ...place, name: place.name ?? name };
  const id = foldedName(printableText(name));
  if (id === "") return place;
  const ids = [{ kind: LIST, id }];
  return { ids: isOfSeveral ? [{ kind: "name", id }, ...ids] : ids, name };
}

/** The kind of an id that is a list's name. */
const LIST = "list";

/** The location of a folder or file of a Takeout: `…/account-1/location-2/reviews.json`. */
export function locationInPath(path: string): string | undefined {
  return /(?:^|[/\\!])location-(\d+)[/\\][^/\\]*$/.exec(path)?.[1];
}
