/**
 * What the names of a table's columns, or of JSON members, say of the file: whose columns they are, and what they count to.
 * Which of them a field is read from is decided by their values too, in `column-choice.ts`.
 */
import { normalForm } from "../../lib/normal-form.ts";
import {
  ASIDE,
  BEST_IS_ONE,
  BEST_MARK,
  BY_CUSTOMER,
  FULL_MARKS,
  OF_CUSTOMER,
  OF_MARKS,
  OF_PARTS,
  OF_SCALE,
  type OwnField,
  REVISED,
  SCALE_AT_END,
  SCALE_WITHIN,
  SPELLINGS,
} from "../words/column-words.ts";
import { foldedWord } from "../words/word-list.ts";

/** Names that show a record to describe a place too, whose own name, rating and link then stand beside the review's. */
const PLACE_NAMES = new Set(
  `place_id placeid google_id cid fid data_id business_id location_id store_id place_name business_name total_score
    average_rating reviews_count user_ratings_total category_name place_url formatted_address full_address`.split(
    /\s+/,
  ),
);
/** Names that a place's records have, and a list of customers too. */
const ADDRESS_NAMES = new Set("address street_address city phone telephone categories".split(" "));

/** Names that say of themselves that they are the review's, beside those of its place. */
const OF_REVIEW = /^review_(?:rating|text|datetime_utc|timestamp)$/;

/**
 * Names that show a shop's system, or what a service has read at another's site, in which "verified" says that the customer
 * has bought something.
 */
const SHOP_NAMES =
  /^(?:product_|order_|sku$|asin$|verified_(?:buyer|purchase|owner)|reviewer_email|reviewer_avatar_urls|rank_(?:group|absolute)$|user_profile_|consumer_|trustpilot_|company_(?:domain|reply)|(?:is_)?verified_review)/;

/** What a column is called that says something of a reply: its state, for example. */
export const OF_REPLY =
  /^(?:is_)?(?:(?:owner|merchant|company|business|shop|review)_)?(?:reply|response|answer|antwort|réponse|respuesta)_(.+)$/;

/** Whether a column holds several marks on a review, of which one may say that it is spam. */
export function holdsMarks(spelling: string): boolean {
  return OF_MARKS.test(spelling);
}

/** Whether a column's name says that 1 is the best. */
function isBestOne(name: string): boolean {
  return BEST_IS_ONE.test(name);
}

/** Whether a column's name alone says that it holds grades of which 1 is the best. */
export function isNamedForGrades(name: string): boolean {
  return isBestOne(name) || /schulnote|^gesamtnote$/i.test(name);
}

/**
 * Whether the names of columns say that a rating counts to ten: Dutch marks do, and the scores in the files of Booking.com,
 * in which guests say in two columns what was good and what was not.
 */
export function countsToTen(spelling: string, all: Iterable<string>): boolean {
  if (/^(?:rapport|eind)?cijfer$/.test(spelling)) return true;
  const others = [...all];
  const isOfBooking = OF_BOOKING.every((form) => others.some((each) => form.test(each)));
  return isOfBooking && (/score$/.test(spelling) || others.some((each) => OF_STAY.test(each)));
}

const OF_BOOKING = [
  /^(?:review_)?(?:positive(?:_(?:review|text|comment|feedback))?|liked(?:_text)?|pros|review_positive)$/,
  /^(?:review_)?(?:negative(?:_(?:review|text|comment|feedback))?|disliked(?:_text)?|cons|review_negative)$/,
];
const OF_STAY = /^(?:check_?(?:in|out)|(?:number_of_)?nights?|room|reservation|hotel|stay(?:ed)?)(?:_|$)/;

/** What is said of a column of grades. The column's name follows. */
export const SCHOOL_GRADE =
  "seems to hold school grades, in which 1 is the best: 1 is not one star. If they are stars of which 5 is the best, --columns rating=";

/** Whether a column of ratings is a school grade, in which 1 is the best: `Note` beside other German names. */
export function isSchoolGrade(spelling: string, all: Iterable<string>): boolean {
  const isGerman = [...all].some((each) =>
    /^(?:datum|kunde|kundenname|verfasser|kommentar|bewertung|rezension|antwort)$/.test(each),
  );
  return /^(?:schul|gesamt)?note$/.test(spelling) && isGerman;
}

/** Whether records describe a place too: surely, perhaps, or not, as far as the spellings show. */
export function placeShown(spellings: Iterable<string>): "surely" | "perhaps" | "not" {
  const all = new Set(spellings);
  if ([...all].some((spelling) => PLACE_NAMES.has(spelling))) return "surely";
  // Where the review's own columns say so, the others are of what is reviewed.
  if (all.has("rating") && all.has("review_rating")) return "surely";
  if (["title", "name", "stars", "published_at_date"].every((each) => all.has(each))) return "surely"; // Apify's
  if (all.has("review_datetime_utc") && all.has("name") && !all.has("author_title")) return "surely"; // Outscraper's
  const own = [...all].filter((spelling) => OF_REVIEW.test(spelling));
  return own.length > 1 || [...all].some((spelling) => ADDRESS_NAMES.has(spelling)) ? "perhaps" : "not";
}

/** Whether one of the spellings shows a shop's system. */
export function isOfShop(spellings: Iterable<string>): boolean {
  return [...spellings].some((spelling) => SHOP_NAMES.test(spelling));
}

/** Members that hold nothing but the record: of GraphQL, JSON:API and search engines. */
const WRAPPER = /(?<![^.])(?:node|attributes|fields|properties|_source)\.(?=.)/g;

/** Converts `Star Rating`, `star-rating`, `starRating`, `star.rating` and `Star rating (1-5)` to `star_rating`. */
export function spellingOf(name: string): string {
  return name
    .replace(WRAPPER, "")
    .trim()
    .replace(/\s?\(([^()]*)\)$/, (_, inner: string) => (isAside(inner) ? "" : ` ${inner}`))
    .replace(/\s(?:out of|of|\/)\s*\d{1,3}$|\/\s*\d{1,3}$/i, "")
    .trimEnd()
    .replace(/(?<![:?.*])[:?.*]+$/, "")
    .trim()
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2")
    .replace(/(_\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .toLowerCase()
    .replace(/[\s.-]+/g, "_");
}

/**
 * Whether what stands in brackets behind a name says how a column is filled, and not what is in it: `(1-5)`, `(required)`,
 * `(DD/MM/YYYY)`, `(UTC)`, `(in English)`; not `(internal)` or `(staff)`.
 */
function isAside(inner: string): boolean {
  if (/\d|%/.test(inner) || BEYOND_LATIN.test(inner)) return true;
  const words = foldedWord(inner)
    .split(/[^a-z]+/)
    .filter(Boolean);
  return words.every((word) => ASIDE.test(word));
}

const BEYOND_LATIN = /[\p{L}--\p{Script=Latin}]/v;

const REVISED_RATINGS = new Set(["rating", "stars", "star_rating", "score"]);
const KNOWN = new Set(Object.values(SPELLINGS).flatMap(({ own, plain, general }) => [...own, ...plain, ...general]));
/** The same without accents. */
const FOLDED: ReadonlyMap<string, string> = new Map([...KNOWN].toReversed().map((word) => [foldedWord(word), word]));

function known(spelling: string): string | undefined {
  return KNOWN.has(spelling) ? spelling : FOLDED.get(foldedWord(spelling));
}

/** Whether a column or member is called as a field is. */
export function isCalled(name: string, field: OwnField): boolean {
  const { own, plain, general } = SPELLINGS[field];
  const spelling = fieldSpelling(name);
  return [own, plain, general].some((rank) => rank.includes(spelling));
}

/** The spelling by which a column is a field's. A member that only holds the value counts as its object: `title.rendered`. */
export function fieldSpelling(name: string): string {
  const spelling = spellingOf(name);
  // Comments may be the business's.
  if (/^comments\./i.test(name)) return spelling;
  const found = known(spelling);
  if (found !== undefined) return found;
  const asked = known(spelling.replace(ASKED, ""));
  if (asked !== undefined) return asked;
  const own = ofCustomer(spelling);
  if (own !== undefined) return own;
  const revised = spelling.replace(REVISED, "");
  if (revised !== spelling && REVISED_RATINGS.has(revised)) return revised;
  // Where each record holds its review in an object of its own.
  const inReview = /^review\./i.test(name) ? known(spellingOf(name.slice("review.".length))) : undefined;
  if (inReview !== undefined) return inReview;
  const bare = spellingOf(name.replace(/\.(?:text|value|content|rendered|plain|raw|body|html)$/i, ""));
  return known(bare) ?? spelling;
}

/** The spelling of what a name says to be the customer's own: `Rating by customer`, `Note du client`, `Guest score`. */
function ofCustomer(spelling: string): string | undefined {
  // "Nombre d'avis" is how many, in French.
  const rest = /^nombre_.*avis$/.test(spelling)
    ? undefined
    : known(spelling.replace(BY_CUSTOMER, "").replace(OF_CUSTOMER, ""));
  if (rest === undefined) return undefined;
  const isOf = (field: "rating" | "text" | "author") =>
    Object.values(SPELLINGS[field]).some((names) => names.includes(rest));
  if (isOf("rating")) return isOf("text") ? "customer_rating_or_words" : "customer_rating";
  return isOf("text") ? "customer_comment" : isOf("author") ? "customer_name" : undefined;
}

/** The spelling of a column of words without the language that its name ends with; undefined where it has none. */
export function nameWithoutLanguage(name: string): string | undefined {
  const spelling = spellingOf(name.replace(/\s?[([]([^()[\]]*)[)\]]$/, " $1"));
  if (OF_LANGUAGE_ALONE.test(spelling)) return "";
  const rest = spelling.replace(IN_LANGUAGE, "");
  const field = rest === spelling ? undefined : known(rest);
  return field !== undefined && Object.values(SPELLINGS.text).some((names) => names.includes(field))
    ? field
    : undefined;
}

const LANGUAGE =
  "en|eng|de|fr|es|it|nl|pt|pl|sv|da|no|fi|cs|ru|tr|ja|zh|ko|ar|ro|hu|el|english|german|french|spanish|italian|dutch|portuguese|polish|russian|turkish|chinese|japanese|arabic|swedish|danish|deutsch|englisch|französisch|spanisch|italienisch|français|anglais|allemand|español|inglés|alemán|italiano|inglese|tedesco|nederlands|engels|duits";
const IN_LANGUAGE = new RegExp(`_(?:in_|auf_|en_)?(?:${LANGUAGE})$`);
const OF_LANGUAGE_ALONE =
  /^(?:english|german|french|spanish|italian|dutch|deutsch|englisch|français|anglais|allemand|español|inglés|italiano|nederlands|engels)$/;

/** What a form puts before the name of what it asks for: `Your name`, `Ihr Feedback`. */
const ASKED =
  /^(?:(?:please_)?(?:enter|leave|write|give)_)?(?:your|the|ihre?|deine?|euer|eure|votre|ton|ta|tu|su|il_tuo|la_tua|il_suo|la_sua|uw|je|jouw|o_seu|a_sua|seu|sua|twoje|twoja|twój|ditt|din|dit)_/;

/** What a column of ratings says that it counts to: `Score (1-10)`, `Note /10`, `Rating out of 100`, `Score %`, `評価(10点満点)`. */
export function scaleInName(name: string): number | undefined {
  return /%|\bpercent|\bprozent/i.test(name) ? 100 : scaleInWords(name);
}

/** What a line above a table says that the ratings below it count to: `Rating (out of 10)`, `10-point scale`. */
export function scaleInTitle(title: string): number | undefined {
  const fromZero = title.length <= MAX_TITLE ? FROM_ZERO.exec(title)?.[1] : undefined;
  if (fromZero !== undefined) return Number(fromZero);
  if (title.length > MAX_TITLE || !OF_SCALE.test(title) || OF_PARTS.test(title)) return undefined;
  const scale = Number(
    POINTS.exec(title)?.[1] ?? scaleInWords(title) ?? scaleInWords(title.replace(/\s?\([^()]*\)/g, "")),
  );
  return OTHER_SCALES.has(scale) ? scale : undefined;
}

const MAX_TITLE = 80;
/** `0 = gar nicht zufrieden, 4 = sehr zufrieden` */
const FROM_ZERO = /(?<!\d)0\s?[=:][^\d=:]{1,60}(?<!\d)([34])\s?[=:]/;
const POINTS = /(?<!\d)(100?)[- ](?:points?|punkte)[- ](?:scale|skala)/i;
const OTHER_SCALES = new Set([6, 7, 10, 20, 100]);

function scaleInWords(words: string): number | undefined {
  const plain = normalForm(words.replace(/\b(?:ten|zehn|dix|diez|dieci|tien|dez)\b/i, "10"), "NFC");
  const forms = [SCALE_AT_END, FULL_MARKS, BEST_MARK, SCALE_WITHIN];
  const found = forms.map((form) => form.exec(plain)).find((one) => one !== null) ?? null;
  return found === null ? undefined : Number(found[1]);
}
