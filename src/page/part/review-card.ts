/** One review in a list: stars, author, date, text, and the owner's reply. */
import { html } from "hono/html";
import type { Review } from "../../review.ts";
import type { Locale } from "../text/locale.ts";
import { type Markup, withName } from "../text/markup.ts";
import { beginning, shownName } from "../text/printable.ts";
import { fill } from "../text/words.ts";
import { renderAvatar } from "./avatar.ts";
import { sourceName } from "./source-name.ts";
import { renderStars } from "./stars.ts";

/** Maximum number of characters of a review and of a reply in a list. */
export const [TEXT_LENGTH, REPLY_LENGTH] = [700, 300];

export interface CardSettings {
  readonly locale: Locale;
  /** The language of the reviews, which may differ from the page's. */
  readonly language: string;
  readonly businessName: string;
  /** Tells the language of words by themselves: `languageOfText`, which a browser does not have. */
  readonly tellLanguage: (words: string | null) => string | null;
  /** If set, the card's links are absolute, below this origin, and open in a new window. */
  readonly outside?: string;
  /** The search words to highlight. */
  readonly marked?: string;
}

/** Renders the review as an article. Its heading (`h3`) links to the review's page. */
export function renderReviewCard(review: Review, settings: CardSettings): Markup {
  const { locale, outside, marked } = settings;
  const { words } = locale;
  const href = `${outside ?? ""}/reviews/${review.id}`;
  const target = outside === undefined ? html`` : html` target="_blank" rel="noopener"`;
  const lang = languageOf(settings, review.text);
  const author = authorName(review.author, locale);
  const text = review.text === null ? undefined : beginning(review.text, TEXT_LENGTH);
  return html`<article class="card review${text === undefined ? " bare" : ""}">
<div class="who">${renderAvatar(review.author)}<h3><a href="${href}"${target}><bdi>${author}</bdi></a></h3><p class="soft day">${renderStars(review.rating, locale)} <time datetime="${review.date}">${locale.shortDate(review.date)}</time> · ${renderSource(review.source, locale)}${text === undefined ? ` · ${words.starsOnly}` : ""}</p></div>
${
  text === undefined
    ? ""
    : html`<p class="words" dir="auto"${lang}>${marked === undefined ? text.text : renderMarked(text.text, marked)}</p>${text.isCut ? renderReadOn(review, settings, href, target) : ""}`
}
${renderReply(review, settings, { length: REPLY_LENGTH, href, target })}
</article>`;
}

/** The link to the rest of a review's text. */
export function renderReadOn({ author }: Review, { locale }: CardSettings, href: string, target = html``): Markup {
  const of = fill(locale.words.reviewBy, { author: authorName(author, locale) });
  return html`<p><a href="${href}"${target}>${locale.words.readOn}<span class="hidden"> ${of}</span></a></p>`;
}

/** Highlights every occurrence of the words, ignoring case. */
export function renderMarked(text: string, words: string): Markup {
  const [folded, wanted] = [text.toLowerCase(), words.toLowerCase()];
  if (folded.length !== text.length) return html`${text}`; // lower case changes the length, so offsets would not match
  const parts: Markup[] = [];
  let from = 0;
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, from)) {
    const end = at + wanted.length;
    parts.push(html`${text.slice(from, at)}<mark>${text.slice(at, end)}</mark>`);
    from = end;
  }
  return html`${parts}${text.slice(from)}`;
}

/** The length at which a reply is cut, and the link to the whole reply. */
interface Cut {
  readonly length: number;
  readonly href: string;
  readonly target: Markup;
}

/** The owner's reply, whole or cut; empty if there is none. */
export function renderReply({ owner_reply: reply, author }: Review, settings: CardSettings, cut?: Cut): Markup {
  if (reply === null) return "";
  const { locale, businessName } = settings;
  const { words } = locale;
  const date =
    reply.date === null
      ? ""
      : html` <time class="soft" datetime="${reply.date}">${locale.shortDate(reply.date)}</time>`;
  const { text, isCut } = beginning(reply.text, cut?.length ?? Number.POSITIVE_INFINITY);
  return html`<div class="reply"><p class="by"><strong>${withName(words.ownerReply, businessName)}</strong>${date}</p><p class="words" dir="auto"${languageOf(settings, reply.text)}>${text}</p>${
    cut === undefined || !isCut
      ? ""
      : html`<p><a href="${cut.href}"${cut.target}>${words.readOn}<span class="hidden"> ${fill(words.replyTo, { author: authorName(author, locale) })}</span></a></p>`
  }</div>`;
}

/** An author's name for lists and links; a placeholder from the import or the owner is translated. */
export function authorName(author: string, { words }: Locale): string {
  const said: Readonly<Record<string, string>> = words.authors;
  return (Object.hasOwn(said, author) ? said[author] : undefined) ?? shownName(author);
}

/** The review's source as text. */
export function renderSource(source: string, { words }: Locale): Markup {
  return source === "first_party"
    ? html`${words.firstParty}`
    : html`${fill(words.via, { source: sourceName(source) })}`;
}

/**
 * The `lang` attribute for the words of a review or a reply, if they are in another language than the page. Words that do
 * not tell their language are taken for the business's.
 */
export function languageOf(
  { locale, language, tellLanguage }: CardSettings,
  words: string | null,
  own: string | null = tellLanguage(words),
): Markup {
  const tag = own === null || own === "und" || baseOf(language) === own ? language : own;
  return locale.tag === tag || baseOf(locale.tag) === tag ? "" : html` lang="${tag}"`;
}

function baseOf(tag: string): string {
  return tag.split("-")[0] ?? tag;
}
