/**
 * Messages to the owner (interface §9): what a notice tells, with the reviews as the store has them now, and the text that
 * a person reads. Customers' words stay in parts of their own, so that each format can keep them from coming alive.
 */
import { type BusinessFile, MAX_POOR_RATING } from "../business.ts";
import type { AggregateRating } from "../edition/aggregate-rating.ts";
import type { Digest } from "../edition/digest.ts";
import { digestText } from "../page/digest-page.ts";
import { authorName } from "../page/part/review-card.ts";
import { sourceName } from "../page/part/source-name.ts";
import { type Locale, localeOf } from "../page/text/locale.ts";
import { beginning, withoutForbiddenCharacters } from "../page/text/printable.ts";
import { fill } from "../page/text/words.ts";
import type { Review } from "../review.ts";
import type { ChangeFacts, VanishedLine } from "../store/notice-rows.ts";
import { noticeWords } from "./notice-words.ts";

/** A message in the format `json`. */
export interface NoticeMessage {
  readonly id: string;
  readonly type: "change" | "digest" | "trouble" | "test";
  /** ISO 8601: when it happened. */
  readonly at: string;
  /** The name of the business. */
  readonly business: string;
  readonly base_url: string;
  /** At most 20: of more, the poor ones and then the newest. */
  readonly added: readonly (Review & { readonly url: string })[];
  readonly added_count: number;
  readonly changed_count: number;
  /** At most 20 reviews that a complete export lacks, newest first. */
  readonly vanished: readonly ToldVanished[];
  readonly vanished_count: number;
  readonly aggregate_rating: AggregateRating;
  /** At most `MAX_TEXT` characters. */
  readonly text: string;
}

/** A vanished review, whole if it is published still; `url` is null otherwise. */
export interface ToldVanished extends VanishedLine, Partial<Omit<Review, keyof VanishedLine>> {
  readonly date: string;
  readonly url: string | null;
}

/** The most reviews that a list of a message holds. */
export const MAX_LISTED = 20;

/** A part of the text: words, which may be a customer's, and the address that they lead to. */
export interface NoticePart {
  readonly words: string;
  readonly url?: string | undefined;
}

/** A message in all its forms. */
export interface ComposedNotice {
  readonly message: NoticeMessage;
  /** What it is about in a line, with no customer's words. */
  readonly title: string;
  readonly parts: readonly NoticePart[];
  /** Whether it is about something poor or wrong. */
  readonly isUrgent: boolean;
}

/** Characters of `text`, in UTF-16 units. */
export const MAX_TEXT = 1_500;
const MAX_REVIEW_TEXT = 400;
const MAX_NAME = 80;

/** What every message has. */
export interface NoticeHead extends Pick<NoticeMessage, "id" | "at" | "base_url" | "aggregate_rating"> {
  readonly business: BusinessFile;
}

/** The reviews that a message about a change quotes. */
interface QuotedReviews {
  readonly added: readonly Review[];
  readonly worsened?: readonly Review[];
  readonly vanished?: readonly ToldVanished[];
}

/** The message about a change, with those of its reviews that are published now, and those that have vanished. */
export function composeChange(
  head: NoticeHead,
  { added: count, poor, changed, worsened: worse, vanished, isFirst }: ChangeFacts,
  { added, worsened = [], vanished: gone = [] }: QuotedReviews,
): ComposedNotice {
  const locale = localeOf(head.business.language);
  const words = noticeWords(locale.tag);
  const news = [
    ...(count === 0 ? [] : [locale.counted(isFirst ? words.first : words.added, count)]),
    ...(poor === 0 ? [] : [locale.counted(words.poor, poor)]),
    ...(worse === 0 ? [] : [locale.counted(words.worsened, worse)]),
    ...(vanished === 0 ? [] : [locale.counted(words.vanished, vanished)]),
  ];
  const isPoor = ({ rating }: Review) => Number(rating <= MAX_POOR_RATING);
  const poorFirst = [...added, ...worsened].toSorted((one, other) => isPoor(other) - isPoor(one));
  const quotes = poorFirst.map((review) => quoteOf(review, { locale, baseUrl: head.base_url }));
  const total = count + worse + vanished;
  return compose(head, {
    type: "change",
    what: news.join(", "),
    quotes: [...quotes, ...gone.map((each) => vanishedQuote(each, locale))],
    more: (quoted) => (isFirst || quoted === total ? "" : locale.counted(words.more, total - quoted)),
    isUrgent: poor + worse > 0,
    added: added.map((review) => ({ ...review, url: reviewUrl(head.base_url, review) })),
    added_count: count,
    changed_count: changed,
    vanished: gone,
    vanished_count: vanished,
  });
}

/** A message of one sentence. */
export function composeSentence(
  head: NoticeHead,
  { type, what, isUrgent }: { readonly type: "trouble" | "test"; readonly what: string; readonly isUrgent: boolean },
): ComposedNotice {
  const nothing = {
    added: [],
    added_count: 0,
    changed_count: 0,
    vanished: [],
    vanished_count: 0,
    quotes: [],
    more: () => "",
  };
  return compose(head, { type, what, isUrgent, ...nothing });
}

/** The message with a digest: its text, in which each line that is an address of ours leads there. */
export function composeDigest(head: NoticeHead, digest: Digest): ComposedNotice {
  const { business, aggregate_rating, id, at, base_url } = head;
  const text = digestText(digest).replace(TURNING, "");
  const links = new Set([base_url, ...digest.unanswered.map(({ url }) => url)]);
  const parts: NoticePart[] = [];
  let words: string[] = [];
  for (const line of [...text.split("\n"), undefined]) {
    if (line !== undefined && !links.has(line)) words.push(line);
    else {
      parts.push({ words: words.join("\n").trim(), url: line });
      words = [];
    }
  }
  const nothing = { added: [], added_count: 0, changed_count: 0, vanished: [], vanished_count: digest.vanished_count };
  return {
    message: { id, type: "digest", at, business: business.name, base_url, ...nothing, aggregate_rating, text },
    title: oneLine(text.split("\n")[0] ?? ""),
    parts: parts.filter((part) => part.words !== "" || part.url !== undefined),
    isUrgent: false,
  };
}

interface Composed
  extends Pick<NoticeMessage, "type" | "added" | "added_count" | "changed_count" | "vanished" | "vanished_count"> {
  readonly what: string;
  readonly isUrgent: boolean;
  /** Quotations in the order of their importance. As many as fit are shown. */
  readonly quotes: readonly NoticePart[];
  /** What is said of those that are not shown, by how many are. */
  readonly more: (quoted: number) => string;
}

function compose(
  { business, aggregate_rating, ...head }: NoticeHead,
  { what, isUrgent, quotes, more, ...told }: Composed,
): ComposedNotice {
  const locale = localeOf(business.language);
  const words = noticeWords(locale.tag);
  const title = oneLine(fill(words.heading, { name: beginningOf(business.name, MAX_NAME), what }));
  const { rating_value, review_count } = aggregate_rating;
  const rating =
    rating_value === null ? "" : locale.counted(words.rating, review_count, { stars: locale.number(rating_value, 2) });
  const framed = (shown: readonly NoticePart[]): NoticePart[] =>
    [{ words: title }, ...shown, { words: more(shown.length) }, { words: rating, url: head.base_url }].filter(
      (part) => part.words !== "" || part.url !== undefined,
    );
  let shown = quotes.length;
  while (shown > 0 && textOf(framed(quotes.slice(0, shown))).length > MAX_TEXT) shown--;
  const parts = framed(quotes.slice(0, shown));
  const text = beginning(textOf(parts), MAX_TEXT / 1.2).text;
  const message = {
    ...{ id: head.id, type: told.type, at: head.at, business: business.name, base_url: head.base_url },
    ...{ added: told.added, added_count: told.added_count, changed_count: told.changed_count },
    ...{ vanished: told.vanished, vanished_count: told.vanished_count, aggregate_rating, text },
  };
  return { message, title, parts, isUrgent };
}

/** What a program may take for a part of an address: marks between characters, except dots in numbers that are no IPv4. */
const ADDRESS_MARKS =
  /(?<=\S)([:/@。．｡：／＠][.:/@。．｡：／＠]*|(?<!\d)\.+|\.+(?!\d)|\.(?=\d{1,3}\.\d{1,3}\.\d))(?=\S)/;

/** Words in pieces, of which every second one is marks that could be a part of an address. */
export function addressPieces(words: string): string[] {
  return words.split(ADDRESS_MARKS);
}

/** The text for programs that make links of addresses in plain text: only ours are whole. An invisible space is in others. */
export function unlinkedText({ parts }: Pick<ComposedNotice, "parts">): string {
  const unlinked = (words: string) =>
    addressPieces(words)
      .map((piece, at) => (at % 2 === 0 ? piece : `${piece}\u200b`))
      .join("");
  return textOf(parts.map(({ words, url }) => ({ words: unlinked(words), url })));
}

function textOf(parts: readonly NoticePart[]): string {
  return parts.map(({ words, url }) => [words, url].filter(Boolean).join("\n")).join("\n\n");
}

function quoteOf(
  review: Review,
  { locale, baseUrl }: { readonly locale: Locale; readonly baseUrl: string },
): NoticePart {
  const { noWords } = noticeWords(locale.tag);
  const { text } = review;
  const head = byLine(review, locale);
  const said = text === null ? noWords : locale.quoted(beginningOf(text, MAX_REVIEW_TEXT));
  return { words: `${head}\n${said}`, url: reviewUrl(baseUrl, review) };
}

/** A vanished review: of one that was withdrawn nobody's name is left. */
function vanishedQuote(vanished: ToldVanished, locale: Locale): NoticePart {
  const { gone } = noticeWords(locale.tag);
  const { author = "–", had_last_at, lacked_first_at, url } = vanished;
  const days = { had: locale.date(had_last_at.slice(0, 10)), lacked: locale.date(lacked_first_at.slice(0, 10)) };
  const head = byLine({ ...vanished, author }, locale);
  return { words: `${head}\n${fill(gone, days)}`, url: url ?? undefined };
}

function byLine(
  { author, date, rating, source }: Pick<Review, "author" | "date" | "rating" | "source">,
  locale: Locale,
): string {
  return fill(noticeWords(locale.tag).by, {
    stars: "★".repeat(rating) + "☆".repeat(5 - rating),
    author: beginningOf(authorName(author, locale), MAX_NAME),
    date: locale.date(date),
    source: sourceName(source, locale),
  });
}

export function reviewUrl(baseUrl: string, { id }: Pick<Review, "id">): string {
  return `${baseUrl}/reviews/${id}`;
}

/** Characters that turn the direction of those behind them. */
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Of a long text as much is read as can matter to its beginning. */
const MAX_READ = 10_000;

function beginningOf(text: string, length: number): string {
  return beginning(oneLine(text.slice(0, MAX_READ)), length).text;
}

/** Customers' words as one line, without characters that turn the direction of others. */
function oneLine(text: string): string {
  return withoutForbiddenCharacters(text).replace(TURNING, "").replace(/\s+/g, " ").trim();
}
