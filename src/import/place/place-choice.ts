/** Chooses the place whose reviews are imported, by the owner's word and by what the store remembers. */
import { Invalid, type Issue, quote } from "../../issue.ts";
import { type OwnWords, ownWords } from "../../lib/own-words.ts";
import type { FoundPlace } from "./found-places.ts";
import { foldedName, type PlaceId } from "./told-place.ts";

/** The code of the issues about places. */
const PLACES = "places";

/** The place that a source's reviews in the store are about. */
export interface RememberedPlace extends PlaceId {
  readonly source: string;
}

export interface PlaceWishes {
  /** `--location`: a name or id. */
  readonly option?: string | undefined;
  /** `location` of business.yaml. */
  readonly ofBusiness?: string | undefined;
  readonly remembered: readonly RememberedPlace[];
  /** Whether the files hold any review. */
  readonly hasReviews: boolean;
  /** Whether the owner has confirmed that a remembered place has another id now. */
  readonly isConfirmed: boolean;
}

/** The places whose reviews are imported, and the pairs of source and id to be remembered. */
export interface PlaceChoice {
  readonly kept: readonly FoundPlace[];
  readonly fresh: readonly RememberedPlace[];
}

/**
 * The places to import: one, or several of which nothing shows that they are different.
 * @throws Invalid naming every place, if they are different ones and none is chosen, or the store has another.
 */
export function choosePlaces(places: readonly FoundPlace[], wishes: PlaceWishes): PlaceChoice {
  const { option, ofBusiness, remembered, isConfirmed } = wishes;
  const wanted = option ?? ofBusiness;
  const matching = wanted === undefined ? [] : placesCalled(wanted, places);
  if (wanted !== undefined && areDifferent(matching)) throw fault(ambiguous(wanted), matching);
  const isMeant = option !== undefined ? wishes.hasReviews : areComparable(ofBusiness, places, remembered);
  const isUnknown = matching.length === 0 && isMeant;
  if (wanted !== undefined && isUnknown) throw fault(unknown(wanted, places.length), places);
  const kept =
    matching.length === 0 ? places : places.filter((one) => matching.includes(one) || !isOther(one, matching));
  if (areDifferent(kept)) throw fault(several(places), places);
  const fresh = kept.flatMap(({ ids, sources }) => sources.flatMap((source) => ids.map((id) => ({ source, ...id }))));
  const known = (one: RememberedPlace) =>
    remembered.filter(({ source, kind }) => source === one.source && kind === one.kind);
  const unlike = fresh.filter((one) => known(one).length > 0 && !known(one).some(({ id }) => id === one.id));
  const [first] = unlike;
  if (first !== undefined && !(isConfirmed && option !== undefined)) {
    const [before] = known(first);
    throw fault(moved(first, before?.id ?? ""), places);
  }
  return { kept, fresh: fresh.filter((one) => !known(one).some(({ id }) => id === one.id)) };
}

/** The places with this id, in any case of letters; else those with this name. */
export function placesCalled(wanted: string, places: readonly FoundPlace[]): readonly FoundPlace[] {
  const text = foldedName(wanted).replace(/^(?:accounts\/[^/]+\/)?(?:locations|places)\/|^location-(?=\d)/, "");
  const found = [
    places.filter(({ ids }) => ids.some(({ id }) => id === wanted.trim())),
    places.filter(({ ids }) => ids.some(({ id }) => foldedName(id) === text)),
    places.filter(({ name }) => name !== null && foldedName(name) === foldedName(wanted)),
    places.filter(({ name }) => name !== null && typedName(name) === typedName(wanted)),
  ];
  return found.find(({ length }) => length > 0) ?? [];
}

/** A name without the signs that stand for spaces in keys of JSON. */
function typedName(name: string): string {
  return foldedName(name).replace(/[\s_-]+/g, " ");
}

/** Whether two of them have ids of one kind: they are of different places then. */
export function areDifferent(places: readonly FoundPlace[]): boolean {
  const kinds = places.flatMap(({ ids }) => ids.map(({ kind }) => kind));
  return new Set(kinds).size < kinds.length;
}

function isOther(place: FoundPlace, chosen: readonly FoundPlace[]): boolean {
  return areDifferent([place, ...chosen]);
}

/** Ids of Google show their kinds. */
const FORMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:ChI|GhI|E[a-z])[\w-]{15,}$/, ["place_id"]],
  [/^0x[\da-f]+:0x[\da-f]+$/i, ["data_id"]],
  [/^\d{10,}$/, ["location", "cid"]],
];

/** Whether an id that none of the places has is of a kind that one of them has, as far as can be known. */
function areComparable(
  wanted: string | undefined,
  places: readonly FoundPlace[],
  remembered: readonly RememberedPlace[],
): boolean {
  if (wanted === undefined) return false;
  const text = wanted.trim().replace(/^.*\//, "");
  const ofStore = remembered.filter(({ id }) => foldedName(id) === foldedName(text)).map(({ kind }) => kind);
  const kinds = ofStore.length > 0 ? ofStore : FORMS.find(([form]) => form.test(text))?.[1];
  return places.some(({ ids }) => kinds === undefined || ids.some(({ kind }) => kinds.includes(kind)));
}

interface Saying {
  readonly message: string;
  readonly plain: OwnWords;
}

function several(places: readonly FoundPlace[]): Saying {
  const [{ name, id } = { name: null, id: "" }] = places;
  const count = places.length;
  const plain = ownWords`it holds reviews of ${count} places: business.yaml can choose one with location: ID, and goodword check names them`;
  return {
    plain,
    message: `The files hold reviews of ${count} places, and a publication is of one. Choose one by its name or id, such as --location ${quote(name ?? id)}, or with the line location: ID in business.yaml, which goes for followed addresses and watched folders too. Each of the others needs a store of its own (start goodword in another folder).${places.every(isNamed) ? " If these are no places, put the reviews into one list or sheet, or leave out what names them." : ""} They are:`,
  };
}

function unknown(wanted: string, count: number): Saying {
  const plain = ownWords`it holds no reviews of the place that location names in business.yaml: goodword check names those that it has`;
  if (count === 0)
    return {
      plain,
      message: `The files do not tell of which place their reviews are, so none can be chosen: leave out --location ${quote(wanted)}`,
    };
  return { plain, message: `No reviews in the files are of the location ${quote(wanted)}. They are of:` };
}

function ambiguous(wanted: string): Saying {
  const plain = ownWords`several of its places are called as location says in business.yaml: give an id there`;
  return { plain, message: `The location ${quote(wanted)} may be any of several places. Choose one by its id:` };
}

function moved({ source, id }: RememberedPlace, before: string): Saying {
  const plain = ownWords`its reviews are of another place than those in the store: goodword check names both`;
  return {
    plain,
    message: `The reviews from ${source} in the store are of the place ${quote(before)}, and these are of ${quote(id)}. Another place needs a store of its own (start goodword in another folder); or take the old reviews out with goodword withdraw --source ${source}. Only if it is the same place with a new id: --location ${quote(id)} --yes. The files have:`,
  };
}

/** A fault that names each place. */
function fault({ message, plain }: Saying, places: readonly FoundPlace[]): Invalid {
  const head: Issue = { code: PLACES, path: ["location"], message, plain };
  return new Invalid([
    head,
    ...places.map((place) => ({ code: PLACES, path: ["location", place.id], message: placeLine(place), plain })),
  ]);
}

/** `Northside Leeds (location 2000…): 12 reviews` */
export function placeLine(place: FoundPlace): string {
  const { name, kind, id, count } = place;
  const reviews = `${count} ${count === 1 ? "review" : "reviews"}`;
  if (isNamed(place)) return `${quote(name ?? id)}: ${reviews}`;
  return name === null ? `${kind} ${id}: ${reviews}` : `${quote(name)} (${kind} ${id}): ${reviews}`;
}

/** Whether only names tell the place. */
function isNamed({ kind }: FoundPlace): boolean {
  return kind === "name" || kind === "list";
}
