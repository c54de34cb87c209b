/** Which lists of reviews are named by places (`{"Leeds": […], "York": […]}`), rather than by sites, dates, stars or what they hold. */
import { isMonthName } from "./month-names.ts";
import { stateKind } from "./publication-state.ts";
import { knownSite } from "./review-source.ts";

/** Words of lists that tell no place. */
const GENERAL = new Set(
  `reviews review ratings rating feedback testimonials testimonial comments comment data items item results result records
  record list lists rows entries entry all other others more new newest old oldest recent latest featured top best worst
  positive negative neutral good bad mixed critical praise complaints complaint compliments customers customer guests guest
  users user clients client verified unverified replied answered unanswered responded open closed high low happy unhappy
  star stars one two three four five page pages batch part parts chunk archive current previous this last first second year
  month week day today text texts photo photos with without words quotes stories opinions opinion survey surveys response
  responses local external imported manual own party web online site website email sms app raw export import sheet table
  main default misc total summary highlights monday tuesday wednesday thursday friday saturday sunday english german french
  spanish italian dutch polish bewertungen rezensionen kundenstimmen kundenbewertungen positiv neu alt aktuell alle andere
  sterne tabelle blatt seite deutsch englisch avis commentaires positifs négatifs tous étoiles feuil feuille reseñas
  opiniones positivas negativas todas estrellas hoja recensioni positive tutte foglio recensies beoordelingen blad`.split(
    /\s+/,
  ),
);
const REVIEWS = /[\s_-]*(?:reviews?|ratings?|bewertungen|rezensionen|avis|reseñas|recensioni|recensies)$/i;

/** An id of digits that is no day or time. */
const LONG_ID = /^(?!(?:19|20)\d\d[01]\d)\d{9,25}$/;

/** The place that a list's name may be; undefined if its words tell something else. */
export function placeInListName(name: string): string | undefined {
  if (LONG_ID.test(name)) return name;
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").split(/[^\p{L}\p{M}]+/u);
  const isGeneral = (word: string) =>
    word.length < 3 ||
    GENERAL.has(word.toLowerCase()) ||
    stateKind(word.toLowerCase()) !== undefined ||
    isMonthName(word);
  if (words.every(isGeneral) || knownSite(name) !== undefined || knownSite(name.replace(REVIEWS, "")) !== undefined)
    return undefined;
  return name.replace(REVIEWS, "").trim() || name;
}
