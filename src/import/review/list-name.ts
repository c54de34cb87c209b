/** Which lists of reviews are named by places (`{"Leeds": […], "York": […]}`), rather than by sites, dates, stars or what they hold. */
import { OF_ANY_LIST } from "../words/place-words.ts";
import { isMonthName } from "./month-names.ts";
import { stateKind } from "./publication-state.ts";
import { knownSite } from "./review-source.ts";

const REVIEWS = /[\s_-]*(?:reviews?|ratings?|bewertungen|rezensionen|avis|reseñas|recensioni|recensies)$/i;
const ENDS = /^[\s_,:;–-]+|[\s_,:;–-]+$/g;

/** An id of digits that is no day or time. */
const LONG_ID = /^(?!(?:19|20)\d\d[01]\d)\d{9,25}$/;

const MAX_LENGTH = 300;
const YEAR = String.raw`(?:19|20)\d\d`;
const DAY = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${YEAR}[-_./ ]?\d\d(?:[-_./ ]?\d\d(?:[T ][\d:.]+Z?)?)?|(?:\d\d?[-_./ ]{1,2}){1,2}${YEAR})(?![\p{L}\d])`,
  "gu",
);
const MONTH = new RegExp(String.raw`(?:(?<!\d)\d\d?\.? )?(\p{L}{3,10})\.?[-_ ](?:\d\d?, )?${YEAR}(?!\d)`, "gu");

/** The place that a list's name may be, without its date; undefined if its words tell something else. */
export function placeInListName(given: string): string | undefined {
  if (LONG_ID.test(given)) return given;
  if (given.length > MAX_LENGTH) return undefined;
  const withoutMonth = given.replace(MONTH, (all, month: string) => (isMonthName(month) ? "" : all));
  const name = withoutMonth.replace(DAY, "").replace(/\(\)|\[\]/g, "");
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").split(/[^\p{L}\p{M}]+/u);
  const isGeneral = (word: string) =>
    word.length < 3 ||
    OF_ANY_LIST.has(word.toLowerCase()) ||
    stateKind(word.toLowerCase()) !== undefined ||
    isMonthName(word);
  if (words.every(isGeneral) || knownSite(name) !== undefined || knownSite(name.replace(REVIEWS, "")) !== undefined)
    return undefined;
  return name.replace(ENDS, "").replace(REVIEWS, "").replace(ENDS, "") || name;
}
