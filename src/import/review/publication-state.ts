/**
 * Whether the owner's own system shows a review: approved, published, pending, spam, trashed … What such a system holds
 * back is not published here either. The words are in `words/state-words.ts`.
 */

import { isObject } from "../../lib/json-object.ts";
import { normalForm } from "../../lib/normal-form.ts";
import {
  ACCENTED_ANSWERS,
  ANONYMITY,
  ANSWERED_VALUE,
  ASKING_WORD,
  FILLING_VALUE,
  HIDDEN_PHRASE,
  HIDDEN_VALUE,
  HIDING_ANSWER,
  HIDING_COLUMNS,
  HIDING_WORD,
  IN_PLACE_OF_WORDS,
  NEGATED_INSIDE,
  NEGATING_VALUE,
  NEGATING_WORD,
  NO,
  NOT_TO_BE_SHOWN,
  NOTHING,
  OF_REVIEW_WORD,
  OF_STATE_WORD,
  OF_WORDS,
  OTHER_WORD,
  PRIVACY_WORD,
  PRIVATE_IN_BRACKETS,
  SHOWING_COLUMNS,
  SHOWING_WORD,
  SHOWN_FROM,
  SHOWN_PHRASE,
  SHOWN_UNTIL,
  SHOWN_VALUE,
  SITE_WORD,
  STATE_COLUMNS,
  STATE_WORD,
  STILL_TO_BE,
  TRADE_WORD,
  WAITING_COLUMN,
  YES,
} from "../words/state-words.ts";
import { foldedWord } from "../words/word-list.ts";

/**
 * How a column tells it: a true value shows the review, a true value hides it, a word names its state, a note in words
 * says that it is not to be shown, one of its marks says what it is (`["spam"]`), or it is shown as long as the column is
 * filled; or an answer asks for the name to be left out; or the row is a reply to a review, and none.
 */
export type StateKind = "shows" | "hides" | "word" | "note" | "marks" | "filled" | "anonymity" | "reply";

/** The kinds that the name of a column tells. */
type NamedKind = "shows" | "hides" | "word";

/** What the words in a name tell; `unsure` where they are of a trade as well. */
type WordedKind = NamedKind | "unsure";

export type State = "shown" | "hidden" | "unknown";

/** What a column with this spelling tells of a review's state by its whole name; undefined for any other column. */
export function stateKind(spelling: string): NamedKind | undefined {
  const name = foldedWord(spelling).replace(
    /^(?:review_|gdpr_|dsgvo_|rgpd_)?(?:is_|was_|has_been_|has_)?(?:review_)?(?:(?:reported|flagged|marked)_as_)?/,
    "",
  );
  for (const each of [
    name,
    name.replace(/_(?:from|by|on|at)_(?:google|yelp|facebook|trustpilot|site|website|platform|source)$/, ""),
    name.replace(/_(?:name|value|code|label|slug|text|type|id|status|state|flag|result|only|at|on|am|le|el|date)$/, ""),
  ]) {
    if (SHOWING_COLUMNS.has(each)) return "shows";
    if (HIDING_COLUMNS.has(each)) return "hides";
    if (STATE_COLUMNS.has(each)) return "word";
  }
  return undefined;
}

/** Whether a column holds the day from which, or until which, a review is shown. */
export function shownDays(spelling: string): "from" | "until" | undefined {
  const name = foldedWord(spelling).replace(/^(?:review|post)_/, "");
  return SHOWN_FROM.has(name) ? "from" : SHOWN_UNTIL.has(name) ? "until" : undefined;
}

/** `Use my name?`, `Can we use your comment?` */
const USE =
  /(?:^|_)(?:use|quote)_(?:(?:my|your|the|their|his|her|full|real|first)_)+(?:name|review|comments?|feedback|testimonial)(?:$|[_?])|(?:^|_)(?:use|quote)_(?:this|it|you|your_words)(?:$|[_?])|(?:^|_)(?:ok|okay|happy|fine|allowed)_to_(?:use|quote|share|post|publish|show)(?:$|[_?])/;

/**
 * What the words in a column's name tell, if it holds states: `May we publish this?`, `Do not show`, `Review status`.
 * `areAnswers`: whether all of its values are yes or no. `isTyped`: whether somebody has written it for people, as the
 * names of programs (`_fivetran_deleted`) are not.
 */
export function stateKindInWords(
  spelling: string,
  { areAnswers, isTyped }: { readonly areAnswers: boolean; readonly isTyped: boolean },
): WordedKind | undefined {
  const words = foldedWord(spelling)
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  if (areAnswers && WAITING_COLUMN.test(words.join("_"))) return "hides";
  if (words.some((word) => STATE_WORD.test(word)) && words.some((word) => OF_STATE_WORD.test(word)))
    if (words.every((word) => STATE_WORD.test(word) || OF_STATE_WORD.test(word))) return "word";
  const isHiding = words.some((word) => HIDING_WORD.test(word));
  const sites = words.filter((word) => SITE_WORD.test(word));
  // `Accepts marketing` is about letters, `Can we use your words in marketing?` about the review.
  const isOfLetters = sites.every((word) => word === "marketing") && !words.some((word) => OF_USE.test(word));
  const isOfSite = sites.length > 0 && !isOfLetters;
  if (isOfSite && words.some((word) => ASKING_WORD.test(word))) return "shows";
  if (
    isOfSite &&
    areAnswers &&
    words.every((word) => [SITE_WORD, FILLING_VALUE, SHOWN_VALUE].some((known) => known.test(word)))
  )
    return "shows";
  if (USE.test(spelling) && !isHiding) return words.some((word) => NEGATING_WORD.test(word)) ? "hides" : "shows";
  const isOther = words.some(
    (word) => (OTHER_WORD.test(word) && !(isHiding && PRIVACY_WORD.test(word))) || (!areAnswers && OF_WORDS.test(word)),
  );
  const telling = words.filter((word) => HIDING_WORD.test(word) || SHOWING_WORD.test(word));
  if (isOther || telling.length === 0) return undefined;
  if (isTyped && telling.every((word) => TRADE_WORD.test(word)) && isOfTrade(words)) return "unsure";
  return isHiding === words.some((word) => NEGATING_WORD.test(word)) ? "shows" : "hides";
}

const OF_USE = /^(?:us(?:e|age|ing)|quot|shar|review|feedback|comment|testimonial|words?|this|it|name|stor)/;

/** `Stump removal`, `Hidden costs`: a word that no system has, and none of those of reviews. */
function isOfTrade(words: readonly string[]): boolean {
  const ofReviews = [OF_REVIEW_WORD, OF_STATE_WORD, SITE_WORD, ASKING_WORD, PRIVACY_WORD];
  if (words.some((word) => !TRADE_WORD.test(word) && ofReviews.some((known) => known.test(word)))) return false;
  const ofSystems = [HIDING_WORD, SHOWING_WORD, NEGATING_WORD, FILLING_VALUE, STATE_WORD, SHOWN_VALUE, HIDDEN_VALUE];
  return words.some((word) => word.length > 2 && !OF_DAY.test(word) && !ofSystems.some((known) => known.test(word)));
}

const OF_DAY = /^(?:date|day|time|datum|tag|am)$/;

/**
 * The state that a value tells in a column of this kind. An empty value of a column that shows is no approval, unless the
 * column only ever hides (`isHidingOnly`).
 */
export function stateOf(value: unknown, kind: StateKind, isHidingOnly = false): State {
  if (kind === "note") return isNotToBeShown(value) ? "hidden" : "shown";
  if (kind === "filled") return (value ?? "") === "" ? "hidden" : "shown";
  if (kind === "marks") return marksIn(value).some(isHidingWord) ? "hidden" : "shown";
  const word = wordOf(value);
  if (kind === "reply") return REPLY_KIND.test(word) ? "hidden" : "shown";
  if (kind === "anonymity") return ANONYMITY.test(word) ? "hidden" : "shown";
  if (word === "") return kind === "hides" || isHidingOnly ? "shown" : "hidden";
  const told = toldBy(word);
  if (told === "yes" || told === "no") return (told === "yes") === (kind !== "hides") ? "shown" : "hidden";
  if (told === "shown" || told === "hidden") return told;
  if (told === "answered") return kind === "word" ? "shown" : "unknown";
  if (/^\d{4}_\d\d_\d\d/.test(word)) return kind === "hides" ? "hidden" : kind === "shows" ? "shown" : "unknown";
  return "unknown";
}

/** Whether a value is a word by which systems say that they hide something. */
export function isHidingWord(value: unknown): boolean {
  return toldBy(wordOf(value)) === "hidden" || isNotToBeShown(value);
}

/** A kind of rows that are no reviews. */
const REPLY_KIND =
  /^(?:(?:owner|business|merchant|company|vendor|host)_?)?(?:repl(?:y|ies)|responses?|answers?|antwort|reponse|respuesta|risposta|antwoord|resposta|odpowiedz|svar)$/;

const MAX_MARKS = 50;

/** The marks of a list, of objects that hold them, or of a text with signs between them. */
export function marksIn(value: unknown): string[] {
  const all = typeof value === "object" && value !== null ? Object.values(value).slice(0, MAX_MARKS) : [value];
  const marks = all.flatMap((one) => (isObject(one) ? Object.values(one).slice(0, MAX_MARKS) : [one]));
  return marks.filter((one) => typeof one === "string").flatMap((one) => one.slice(0, MAX_NOTE).split(/[,;|]/));
}

/** Whether a text is a note that a review is not for the public: `Do not publish`, `Complaint (private)`. */
export function isNotToBeShown(value: unknown): boolean {
  if (typeof value !== "string" || value.length < MIN_NOTE || value.length > MAX_NOTE) return false;
  if (!/[\s(-]/.test(value)) return false;
  return NOT_TO_BE_SHOWN.test(value) || (/[)\]]\s*$/.test(value.slice(-3)) && PRIVATE_IN_BRACKETS.test(value.trim()));
}
/** The words that stand in the place of a review's, or before them, where a page has hidden it; undefined for all others. */
export function hiddenInWords(text: unknown): string | undefined {
  return typeof text === "string" ? IN_PLACE_OF_WORDS.exec(text.slice(0, 200).trim())?.[0] : undefined;
}

/**
 * A mark in brackets, or before a colon, by which somebody has said in a customer's name or words that the review is not
 * for the public: `Ann B. (do not publish)`, `[SPAM] …`, `NICHT ONLINE: …`; undefined without one.
 */
export function markInWords(words: unknown): string | undefined {
  if (typeof words !== "string") return undefined;
  const marks = [FIRST_MARK.exec(words.slice(0, MAX_MARK)), LAST_MARK.exec(words.slice(-MAX_MARK))];
  return marks
    .find((mark) => {
      const [, square, round, line] = mark ?? [];
      const said = (square ?? round ?? line ?? "").trim();
      return (isNotToBeShown(said) && OF_PUBLISHING.test(said)) || (square !== undefined && isHidingWord(said));
    })?.[0]
    .trim();
}

const MAX_MARK = 80;
const FIRST_MARK = /^\s*(?:\[([^\]]{3,60})\]|\(([^)]{8,60})\)|([^:\n]{8,40}):)/;
const LAST_MARK = /(?:\[([^[\]]{3,60})\]|\(([^()]{8,60})\))[\s.!]*$/;
/** "Do not use anyone else" is a customer's advice. */
const OF_PUBLISHING =
  /publi[ckqs]|on-?line|web|veröffentlich|zeigen|show|display|internet|pubbli|openbaar|plaats|mostrar|udostępni/i;

/** As long as "wis mijn", the shortest one. */
const MIN_NOTE = 8;
const MAX_NOTE = 2_000;

/** Whether a value is yes or no. */
export function isAnswer(value: unknown): boolean {
  const told = toldBy(wordOf(value));
  return told === "yes" || told === "no";
}

/** Whether a value is one that states are told by, rather than a place's state or a date. */
export function isStateValue(value: unknown): boolean {
  return toldBy(wordOf(value)) !== undefined;
}

type Told = "yes" | "no" | "shown" | "hidden" | "answered" | undefined;

const MAX_LENGTH = 48;
const MAX_WORDS = 6;

/** What a value tells whose words are all known: one word of another kind makes it a text. */
function toldBy(value: string): Told {
  if (value === "" || value.length > MAX_LENGTH) return undefined;
  if (YES.has(value)) return "yes";
  if (NO.has(value)) return "no";
  if (HIDDEN_PHRASE.test(value) || NEGATED_INSIDE.test(value)) return "hidden";
  if (value.endsWith("?") && toldBy(value.slice(0, -1)) === "shown") return "hidden"; // it asks whether
  if (SHOWN_PHRASE.test(value)) return "shown";
  // `Ja, gerne`, `No, keep it private`
  const answer = value.split(/,_?/, 1)[0] ?? "";
  if (answer !== value && YES.has(answer)) return HIDING_ANSWER.test(value) ? undefined : "yes";
  if (answer !== value && NO.has(answer)) return "no";
  const words = value.split(/[^\p{L}\p{N}'’]+/u).filter(Boolean);
  let [isNegated, isShown, isHidden, isAnswered] = [false, false, false, false];
  if (words.length > MAX_WORDS) return undefined;
  for (const [at, word] of words.entries()) {
    if (at === 0 && words.length > 1 && STILL_TO_BE.test(word)) isNegated = true;
    else if (NEGATING_VALUE.test(word)) isNegated = true;
    else if (HIDDEN_VALUE.test(word)) isHidden = true;
    else if (SHOWN_VALUE.test(word)) isShown = true;
    else if (ANSWERED_VALUE.test(word)) isAnswered = true;
    else if (!FILLING_VALUE.test(word)) return undefined;
  }
  if (isHidden) return isNegated && !STILL_TO_BE.test(words[0] ?? "") ? "shown" : "hidden";
  if (isShown) return isNegated ? "hidden" : "shown";
  return isAnswered ? "answered" : undefined;
}

function wordOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : String(value);
  const answer = ACCENTED_ANSWERS.get(normalForm(text.trim().toLowerCase(), "NFC"));
  if (answer !== undefined) return answer;
  if (text.length > MAX_LENGTH + 20) return text;
  const word = foldedWord(text);
  return NOTHING.has(word) ? "" : word;
}
