/**
 * The places that the records of an import are about. Two are different if they have different ids of one kind; ids that
 * stand in one record are of one place. Places of which nothing comparable is told count as one.
 */
import { Invalid } from "../../issue.ts";
import { printableText } from "../../lib/printable-text.ts";
import type { NamedLocation } from "./place-name.ts";
import { foldedName, locationInPath, type PlaceId, type ToldPlace } from "./told-place.ts";

/** A place in the files. */
export interface FoundPlace {
  /** As the files call it; null if they do not. */
  readonly name: string | null;
  /** The id that chooses it. */
  readonly id: string;
  readonly kind: string;
  /** All of its ids, of different kinds. */
  readonly ids: readonly PlaceId[];
  /** The number of records about it. */
  readonly count: number;
  /** The sources of its reviews. */
  readonly sources: readonly string[];
}

/** Where a record stands, and what it tells of its place. */
interface PlacedRecord {
  readonly file: string;
  readonly place: ToldPlace | undefined;
  /** Whether it cannot be read, so that it may not tell what others do. */
  readonly isFaulty?: boolean;
}

export interface FoundPlaces {
  /** Notes a record. Returns the sources of its place, to which its own is to be added. */
  note(record: PlacedRecord): Set<string> | undefined;
  /** Notes what a file without reviews calls the location of its folder, or that of its own id. A profile's word counts. */
  noteName(file: string, location: NamedLocation): void;
  /** The places found, most records first. */
  list(): readonly FoundPlace[];
  /** Tells the records of these places. One without a place is, if it is faulty or all others of its file are. */
  filter(kept: readonly FoundPlace[]): PlaceFilter;
}

export interface PlaceFilter {
  /** The keys of the places' records (`placeKey`). */
  readonly keys: ReadonlySet<string>;
  has(record: PlacedRecord): boolean;
  /** Whether a file is known to hold records of other places alone, or stands in the folder of another. */
  isOfOthers(file: string): boolean;
}

/** What was told in the same ids. */
interface Told {
  readonly ids: readonly PlaceId[];
  /** The first name. */
  name: string | undefined;
  /** Of each hint. Undefined: none yet. Null: several, so that they are of reviews or customers. */
  readonly hints: (string | null | undefined)[];
  count: number;
  readonly sources: Set<string>;
  readonly folders: Set<string>;
}

/** A place: its ids by their kinds, and what was told of it. */
interface Group {
  readonly ids: Map<string, string>;
  readonly told: Told[];
}

/** They are held in memory. */
const MAX_PLACES = 10_000;
const MAX_FOLDERS = 20;
/** What more places have than these joins none of them: to compare each with all others takes minutes. */
const MAX_SHARING = 100;
/** For each file. No place is told in as many ways, so that one with more is of several. */
const MAX_KEYS = 20;
/** The kinds by which a place is chosen, the best first; others are between the first and the last ones. */
const RANKS = ["location", "place_id", "data_id", "cid", "", "address", "name", "list"];

export function openFoundPlaces(): FoundPlaces {
  const told = new Map<string, Told>();
  const keysOfFiles = new Map<string, Set<string>>();
  /** The places of each folder; null: several. */
  const keysOfFolders = new Map<string, string | null>();
  const names = new Map<string, string>();
  /** Memo of the groups; undefined when something has been noted since. */
  let memo: readonly Group[] | undefined;

  function note({ file, place }: PlacedRecord): Set<string> | undefined {
    const found = completed(file, place);
    if (found === undefined) return undefined;
    memo = undefined;
    const key = keyOf(found.ids);
    const one = told.getOrInsertComputed(key, () => newTold(found.ids));
    if (told.size > MAX_PLACES) throw tooMany(file);
    one.count += 1;
    one.name ??= found.name;
    for (const [index, hint] of found.hints?.entries() ?? [])
      if (hint !== undefined)
        one.hints[index] = (one.hints[index] ?? hint) === hint && one.hints[index] !== null ? hint : null;
    const ofFile = keysOfFiles.getOrInsertComputed(file, () => new Set());
    if (ofFile.has(key)) return one.sources;
    if (ofFile.size < MAX_KEYS) ofFile.add(key);
    const folder = folderOf(file);
    if (one.folders.size < MAX_FOLDERS) one.folders.add(folder);
    keysOfFolders.set(folder, keysOfFolders.getOrInsert(folder, key) === key ? key : null);
    return one.sources;
  }

  function nameOf({ ids, told: parts }: Group): string | null {
    const own = names.get(`location ${ids.get("location")}`);
    const folders = parts.flatMap((part) => [...part.folders]).filter((folder) => keysOfFolders.get(folder) !== null);
    const given = [own, ...parts.map(({ name }) => name), ...folders.map((folder) => names.get(`folder ${folder}`))];
    const printable = [...given, ...parts.flatMap(({ hints }) => hints)].map((name) =>
      printableText(name ?? "").trim(),
    );
    return printable.find((name) => name !== "") ?? null;
  }

  function groups(): readonly Group[] {
    memo ??= joinByName(joinByIds([...told.values()]), nameOf);
    return memo;
  }

  function placeOfGroup(group: Group): FoundPlace {
    const ids = idsOf(group).toSorted((a, b) => rankOf(a) - rankOf(b));
    const [{ kind, id } = { kind: "", id: "" }] = ids;
    const count = group.told.reduce((sum, part) => sum + part.count, 0);
    const sources = [...new Set(group.told.flatMap((part) => [...part.sources]))];
    return { name: nameOf(group), id, kind, ids, count, sources };
  }

  return {
    note,
    noteName(file, { name, isProfile, id = locationInPath(file) }) {
      memo = undefined;
      const key = id === undefined ? `folder ${folderOf(file)}` : `location ${id}`;
      if (names.size < 2 * MAX_PLACES && (isProfile || !names.has(key))) names.set(key, name);
    },
    list: () =>
      groups()
        .map(placeOfGroup)
        .toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1)),
    filter(kept) {
      const wanted = new Set(kept.map(({ ids }) => keyOf(ids)));
      const chosen = groups().filter((group) => wanted.has(keyOf(idsOf(group))));
      const keys = new Set(chosen.flatMap((group) => group.told.map(({ ids }) => keyOf(ids))));
      const keysOf = (file: string) => keysOfFiles.get(file) ?? new Set();
      return {
        keys,
        has({ file, place, isFaulty = false }) {
          const found = completed(file, place);
          if (found !== undefined) return keys.has(keyOf(found.ids));
          return isFaulty || (keysOf(file).size < MAX_KEYS && keysOf(file).isSubsetOf(keys));
        },
        isOfOthers(file) {
          const inPath = keyOf(completed(file, undefined)?.ids ?? []);
          const ofFile = keysOf(file).size === 0 && told.has(inPath) ? new Set([inPath]) : keysOf(file);
          return ofFile.size > 0 && ofFile.size < MAX_KEYS && ofFile.isDisjointFrom(keys);
        },
      };
    },
  };
}

/** The place, or the location that the file's folder names. */
function completed(file: string, place: ToldPlace | undefined): ToldPlace | undefined {
  if (place !== undefined) return place;
  const id = locationInPath(file);
  return id === undefined ? undefined : { ids: [{ kind: "location", id }], name: undefined };
}

/** The same for records that tell the same ids; empty for one that tells of no place. */
export function placeKey({ file, place }: PlacedRecord): string {
  return keyOf(completed(file, place)?.ids ?? []);
}

function newTold(ids: readonly PlaceId[]): Told {
  return { ids, name: undefined, hints: [], count: 0, sources: new Set(), folders: new Set() };
}

function tooMany(file: string): Invalid {
  const message = `${file}: the files name more than ${MAX_PLACES} places. Check that this is a list of reviews, and import fewer files at a time`;
  return new Invalid([{ code: "places", path: [file], message }]);
}

function textOf({ kind, id }: PlaceId): string {
  return `${kind}:${id}`;
}

function keyOf(ids: readonly PlaceId[]): string {
  return ids.length === 1 ? ids.map(textOf).join("") : ids.map(textOf).toSorted().join("\n");
}

function idsOf({ ids }: Group): PlaceId[] {
  return Array.from(ids, ([kind, id]) => ({ kind, id }));
}

function rankOf({ kind }: PlaceId): number {
  const rank = RANKS.indexOf(kind);
  return rank === -1 ? RANKS.indexOf("") : rank;
}

function folderOf(file: string): string {
  return file.replace(/(?<![^/\\!])[^/\\!]*$/, "");
}

/** Joins what shares an id, and differs in no kind, if that is one place only. */
function joinByIds(told: readonly Told[]): Group[] {
  const groups: Group[] = [];
  const holders = new Map<string, Set<Group>>();
  for (const one of told.toSorted((a, b) => b.ids.length - a.ids.length)) {
    const held = one.ids.map((id) => holders.getOrInsertComputed(textOf(id), () => new Set()));
    const sharing = new Set(held.flatMap((those) => (those.size > MAX_SHARING ? [] : [...those])));
    const agreeing = [...sharing].filter(({ ids }) => one.ids.every(({ kind, id }) => (ids.get(kind) ?? id) === id));
    const [only] = agreeing;
    const group: Group = agreeing.length === 1 && only !== undefined ? only : { ids: new Map(), told: [] };
    if (group !== only) groups.push(group);
    group.told.push(one);
    for (const { kind, id } of one.ids) group.ids.set(kind, id);
    for (const those of held) those.add(group);
  }
  return groups;
}

/** Joins places of equal names that have ids of other kinds each: the same place, in files of several services. */
function joinByName(groups: readonly Group[], nameOf: (group: Group) => string | null): Group[] {
  const byName = Map.groupBy(groups, (group) => foldedName(nameOf(group) ?? ""));
  return [...byName].flatMap(([name, same]) => {
    const kinds = same.flatMap(({ ids }) => [...ids.keys()]);
    if (name === "" || same.length === 1 || new Set(kinds).size < kinds.length) return same;
    return [{ ids: new Map(same.flatMap(({ ids }) => [...ids])), told: same.flatMap((group) => group.told) }];
  });
}
