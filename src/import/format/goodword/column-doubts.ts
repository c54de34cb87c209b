/** What the values of chosen and of unread columns leave in doubt, for the report: the owner knows better. */
import { quote, quoteName } from "../../../issue.ts";
import { isAnswer } from "../../review/publication-state.ts";
import { OTHER_STARS } from "../../review/rating-scale.ts";
import { knownSite, siteOfPicture } from "../../review/review-source.ts";
import { WHERE_DATES_ARE } from "../../review/vague-date.ts";
import { NO_SCALE, OF_CUSTOMER, type OwnField } from "../../words/column-words.ts";
import { OF_BUSINESS, OF_OWNER } from "../../words/reply-words.ts";
import { spellingOf } from "../column-names.ts";
import { otherStates, severalPlaces, shownOf } from "../member-doubts.ts";
import { recommendationsIn } from "../recommendation.ts";
import type { Profiles } from "./column-profile.ts";

interface JudgedColumns {
  readonly columns: ReadonlyMap<OwnField, readonly string[]>;
  readonly unknown: readonly string[];
  readonly spelled: ReadonlyMap<string, string>;
  readonly profiles: Profiles;
  readonly isOfShop: boolean;
  /** The fields whose column the owner named. */
  readonly isMapped: { readonly author: boolean; readonly rating: boolean };
}

/** A sentence for each doubt. */
export function* columnDoubts(judged: JudgedColumns): Generator<string> {
  yield* severalPlaces(judged);
  yield* otherZones(judged);
  if (!judged.isMapped.author) yield* namesOfNobody(judged);
  yield* otherWriters(judged);
  yield* linkOfAll(judged);
  yield* otherStates(judged);
  yield* daysOfExport(judged);
  yield* otherSites(judged);
  if (!judged.isMapped.rating) yield* starsOfRecommendations(judged);
  if (!judged.isMapped.rating) yield* aspectsOfTen(judged);
  const stars = judged.isMapped.rating ? undefined : otherStars(judged);
  if (stars !== undefined) yield starsDoubt(stars);
}

/** A column of time zones beside times that name none. */
function* otherZones({ columns, unknown, spelled, profiles }: JudgedColumns): Generator<string> {
  const dated = [...(columns.get("date") ?? []), ...(columns.get("instant") ?? [])];
  const times = dated.flatMap((name) => [...(profiles.get(name)?.examples ?? [])]);
  if (!times.some((time) => TIME_WITHOUT_ZONE.test(time))) return;
  for (const name of unknown)
    if (OF_ZONES.test(spelled.get(name) ?? "") && (profiles.get(name)?.filled ?? 0) > 0)
      yield `${quote(name)} is not read: times are taken as those of the business. If they are others', write the zone behind each, such as 23:30 -08:00`;
}

const OF_ZONES = /(?:^|_)(?:time_?zone|tz|utc_offset|zeitzone|fuseau_horaire|zona_horaria|fuso_orario|tijdzone)$/;
const TIME_WITHOUT_ZONE = /\d:\d{2}(?:\.\d+)?(?:\s*[ap]m)?$/i;

/** Titles for names; numbers for names; and one name for three reviews and more, the business's or that of whoever kept the list. */
function* namesOfNobody({ columns, profiles }: JudgedColumns): Generator<string> {
  const [name, ...others] = columns.get("author") ?? [];
  const [title] = columns.get("title") ?? [];
  if (name === undefined && title !== undefined)
    yield `${quote(title)} stands above the words as the customers' title, and nothing is known to hold the authors: if it holds their names, --columns author=${quoteName(title)}`;
  const profile = name === undefined ? undefined : profiles.get(name);
  if (name === undefined || others.length > 0 || profile === undefined) return;
  if (profile.filled > 0 && profile.numbers === profile.sampled)
    yield `${quote(name)} holds numbers in the place of names: if they are ids, take it out of the file, or name another column with --columns author=…`;
  const [author = ""] = profile.examples;
  if (profile.isConstant && profile.filled >= MIN_SAME && !OF_MANY.test(author))
    yield `all ${profile.filled} reviews are by ${quote(author)}, as ${quote(name)} says: if that is the business's name, name the column of the customers with --columns author=…, or take ${quote(name)} out of the file`;
}

/** From how many reviews on it is no chance that all are the same. */
const MIN_SAME = 3;
/** Names that many customers have. */
const OF_MANY = /anonym|an[oó]nim|google|guest|gast|customer|kunde|cliente?|user|visitor|verified|unknown|unbekannt/i;

/** A column that says in which role somebody wrote, and of some that it is the business's. */
function* otherWriters({ unknown, spelled, profiles }: JudgedColumns): Generator<string> {
  for (const name of unknown) {
    const values = [...(profiles.get(name)?.examples ?? [])];
    const isOfBusiness = (value: string) => OF_OWNER.test(value.toLowerCase()) || OF_BUSINESS.test(value.toLowerCase());
    if (!OF_ROLES.test(spelled.get(name) ?? "") || values.length > MAX_ROLES || !values.some(isOfBusiness)) continue;
    yield `${quote(name)} (${shownOf(values)}) seems to say that some are by the business or its people, and not by customers: take those out of the file`;
  }
}

const MAX_ROLES = 8;
const OF_ROLES =
  /^(?:(?:author|reviewer|user|writer|commenter|poster|sender|account)_)?(?:role|type|rolle|rôle|rol|ruolo)$/;

/** One link for all reviews: the place's page, or that of all its reviews. */
function* linkOfAll({ columns, profiles }: JudgedColumns): Generator<string> {
  const [name, ...others] = columns.get("source_url") ?? [];
  const profile = name === undefined ? undefined : profiles.get(name);
  if (name === undefined || others.length > 0 || profile?.isConstant !== true || profile.filled < MIN_SAME) return;
  yield `${quote(name)} is the same for every review: each links to that page. If it does not show the reviews, take it out of the file`;
}

/** One day for all reviews beside ages that differ: the day of the export, perhaps. */
function* daysOfExport({ columns, unknown, profiles }: JudgedColumns): Generator<string> {
  const dated = [...(columns.get("date") ?? []), ...(columns.get("instant") ?? [])];
  const isOneDay = (name: string) => {
    const { dates = 0, sampled = 0, isOneDay = false } = profiles.get(name) ?? {};
    return isOneDay && sampled > 1 && dates === sampled;
  };
  const [day] = dated;
  if (day === undefined || !dated.every(isOneDay)) return;
  for (const name of unknown) {
    const { vague = 0, sampled = 0, examples = new Set<string>() } = profiles.get(name) ?? {};
    const areAges = sampled > 0 && vague === sampled && [...examples].some((one) => /\p{L}/u.test(one)); // no `0.02`
    if (areAges && examples.size > 1)
      yield `${quote(day)} has one day for all reviews, of which ${quote(name)} (${shownOf(examples)}) tells different ages: it may be the day of the export, and not the reviews'. ${WHERE_DATES_ARE}`;
  }
}

/** Columns that name sites otherwise than one of sources does: `On Yelp`, tags with sites among them, ids that begin with one. */
function* otherSites({ columns, unknown, spelled, profiles }: JudgedColumns): Generator<string> {
  if (columns.has("source")) return;
  const sitesIn = (words: Iterable<string>, between: RegExp) =>
    new Set([...words].flatMap((word) => word.split(between)).flatMap((word) => knownSite(word) ?? []));
  const valuesOf = (name: string) => profiles.get(name)?.examples ?? [];
  const named = unknown.filter((name) => (profiles.get(name)?.filled ?? 0) > 0 && sitesIn([name], /[\s_?]+/).size > 0);
  const tagged = unknown.filter((name) => sitesIn(valuesOf(name), /\s*[,;|/]\s*/).size > 1 && !named.includes(name));
  const numbered = unknown.filter(
    (name) => spelled.get(name) === "source_id" && (profiles.get(name)?.numbers ?? 0) > 0,
  );
  const ids = (columns.get("id") ?? []).filter((name) => sitesIn(valuesOf(name), /[_:-]/).size > 1);
  const noted = unknown.filter((name) => [...valuesOf(name)].some(saysWhere));
  // `From Google?`: no
  const pictured = unknown.filter((name) => [...valuesOf(name)].some((value) => siteOfPicture(value) !== undefined));
  const answered = named.filter((name) => [...valuesOf(name)].every(isAnswer));
  const telling = [
    ...new Set([
      ...(sitesIn(named, /[\s_?]+/).size > 1 ? named : []),
      ...answered,
      ...pictured,
      ...tagged,
      ...numbered,
      ...ids,
      ...noted,
    ]),
  ];
  if (telling.length > 0)
    yield `${shownOf(telling)} may say where the reviews were written: if so, name the site of each in a column "source"`;
}

/** A note such as `copied from Yelp`. */
function saysWhere(value: string): boolean {
  const [, behind] = /^[\p{L}\s]{0,40}\b(?:from|on|via|at)\s+(\S.{0,40})$/iu.exec(value.trim()) ?? [];
  return knownSite(behind?.replace(/[.!]+$/, "")) !== undefined;
}

/** Stars that some tool has made of whether a customer recommends the business. */
function* starsOfRecommendations({ columns, unknown, profiles }: JudgedColumns): Generator<string> {
  const [rating] = columns.get("rating") ?? [];
  const stars = [...(profiles.get(rating ?? "")?.examples ?? [])];
  if (rating === undefined || !stars.every((value) => /^[15](?:\.0+)?$/.test(value))) return;
  for (const name of recommendationsIn(unknown))
    if ((profiles.get(name)?.filled ?? 0) > 0)
      yield `${quote(name)} says whether customers recommend the business, and ${quote(rating)} has 5 and 1 alone: if no customer gave stars, take these reviews out of the file`;
}

/** Aspects with more than five, beside a rating that has at most five: all may count to ten. */
function* aspectsOfTen({ columns, unknown, profiles }: JudgedColumns): Generator<string> {
  const [rating] = columns.get("rating") ?? [];
  if (rating === undefined) return;
  const highest = (name: string) => Math.max(...[...(profiles.get(name)?.examples ?? [])].map(Number));
  const high = unknown.filter((name) => {
    const { numbers = 0, sampled = 0 } = profiles.get(name) ?? {};
    return OF_ASPECT.test(name) && sampled > 0 && numbers === sampled && highest(name) > 5 && highest(name) <= 10;
  });
  if (high.length > 0 && highest(rating) <= 5)
    yield `${shownOf(high)} ${high.length === 1 ? "has" : "have"} more than 5: if ${quote(rating)} counts to ten as well, 5 of 10 is not 5 of 5; ${OTHER_STARS}`;
}

/** What is said of a column that may tell which reviews are shown. */

/** What may hold the customers' stars beside a column that has the same for every review. */
interface OtherStars {
  readonly name: string;
  readonly other: string;
  /** Whether the other is called as ratings are. Those of aspects are, but may differ from the whole. */
  readonly isNamedSo: boolean;
}

/** The same stars for all reviews may be the place's, or what was aimed at, where another column has different ones. */
export function otherStars({
  columns,
  unknown,
  profiles,
}: Pick<JudgedColumns, "columns" | "unknown" | "profiles">): OtherStars | undefined {
  const [name, ...more] = columns.get("rating") ?? [];
  const profile = name === undefined ? undefined : profiles.get(name);
  if (name === undefined || more.length > 0 || profile?.isConstant !== true || profile.filled < MIN_SAME) return;
  const others = unknown.filter((each) => hasDifferentStars(each, profiles));
  const named = others.find(isLikeRating) ?? others.find((each) => NAMES_CUSTOMER.test(each) && !isCount(each));
  const other = named ?? others.find((each) => !isCount(each));
  return other === undefined ? undefined : { name, other, isNamedSo: named !== undefined && !OF_ASPECT.test(named) };
}

/** Whether a column's name is that of numbers which are no stars: how many guests, which branch. */
function isCount(name: string): boolean {
  const spelling = spellingOf(name).replace(OF_CUSTOMER, "");
  return NO_SCALE.test(spelling) || OF_COUNT.test(spelling) || OF_PERSON.test(name);
}

const OF_COUNT =
  /(?:^|_)(?:no|nr|type|group|tier|segment|size|party|branch|visits?|orders?|priority|floor|team|jobs?|calls?|children|adults|people|persons?)(?:_|$)/;
/** Words for customers, one of whom a name may say to have given what stands in its column. */
export const NAMES_CUSTOMER =
  /customer|client|guest|patient|visitor|diner|kunde|kundin|gast|gäste|klant|klient|huésped|ospite|hóspede|paciente|paziente|(?<!\p{L})kund/iu;

/** The sentence on them, as a doubt or as a refusal. */
export function starsDoubt({ name, other }: Pick<OtherStars, "name" | "other">): string {
  return `${quote(name)} is the same for every review, and ${quote(other)} holds different stars: if those are the customers', --columns rating=${quoteName(other)}; if not, --columns rating=${quoteName(name)}`;
}

/** Whether a column holds nothing but whole stars, and not the same everywhere. */
export function hasDifferentStars(name: string, profiles: Profiles): boolean {
  const { stars = 0, sampled = 0, examples = new Set() } = profiles.get(name) ?? {};
  return stars > 0 && stars === sampled && examples.size > 1;
}

/** Whether a name is like that of a rating, and not of whoever gave it. */
export function isLikeRating(name: string): boolean {
  return LIKE_RATING.test(name) && !OF_PERSON.test(name);
}

/** A rating in the object of whoever wrote the review: their own standing, perhaps. */
export const OF_PERSON =
  /(?:^|\.)(?:user|author|reviewer|customer|consumer|client|profile|member|owner|seller)\.[^.]+$/i;
const LIKE_RATING =
  /rat(?:ed|ing)|score|star|grade|satisf|sterne|punkte|bewertung|étoile|estrell|stell|puntua|califica|valora|voto|sterren|(?<!\p{L})(?:note|nota|ocena|betyg|vurdering|beoordeling|cijfer)(?!\p{L})/iu;
const OF_ASPECT =
  /service|quality|food|room|location|clean|communicat|atmosphere|ambien|price|value|staff|speed|punctual|friendl|kitchen|comfort|deliver|qualität|preis|sauber|freundlich|prix|accueil|propreté|precio|limpieza|prezzo|pulizia|prijs|cena/i;
