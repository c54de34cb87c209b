/** Which lists of reviews are named by places (`{"Leeds": […], "York": […]}`), rather than by sites, dates, stars or what they hold. */
import { isMonthName } from "./month-names.ts";
import { stateKind } from "./publication-state.ts";
import { knownSite } from "./review-source.ts";

/** Words of lists that tell no place. */
const GENERAL = new Set(
  `reviews review ratings rating feedback testimonials testimonial comments comment data items item results result records
  record list lists payload body content contents documents docs hits objects object nodes node edges edge values value
  posts entities array collection dataset model models feed report reports success orders products services bookings
  appointments visits stays jobs rows entries entry all other others more new newest old oldest recent latest featured top best worst
  positive negative neutral good bad mixed critical praise complaints complaint compliments customers customer guests guest
  users user clients client verified unverified replied answered unanswered responded open closed high low happy unhappy
  star stars one two three four five page pages batch part parts chunk archive current previous this last first second year
  month week day today text texts photo photos with without words quotes stories opinions opinion survey surveys response
  responses local external imported manual own party web online site website email sms app raw export import sheet table
  main default misc total summary highlights monday tuesday wednesday thursday friday saturday sunday english german french
  spanish italian dutch polish bewertungen rezensionen kundenstimmen kundenbewertungen positiv neu alt aktuell alle andere
  sterne tabelle blatt seite deutsch englisch avis commentaires positifs négatifs tous étoiles feuil feuille reseñas
  opiniones positivas negativas todas estrellas hoja recensioni positive tutte foglio recensies beoordelingen blad
  valoraciones comentarios clientes avaliações opinie recenzje recensioner omdömen anmeldelser arvostelut yorumlar
  değerlendirmeler recenze hodnocení vélemények értékelések recenzii отзывы відгуки κριτικές 口コミ クチコミ レビュー 리뷰
  kommentare meinungen kunden gäste kundenliste liste`.split(/\s+/),
);
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
    GENERAL.has(word.toLowerCase()) ||
    stateKind(word.toLowerCase()) !== undefined ||
    isMonthName(word);
  if (words.every(isGeneral) || knownSite(name) !== undefined || knownSite(name.replace(REVIEWS, "")) !== undefined)
    return undefined;
  return name.replace(ENDS, "").replace(REVIEWS, "").replace(ENDS, "") || name;
}
