/** One review in a list: stars, author, day, words, and the owner's reply. */
import { html } from "hono/html";
import type { Review } from "../../review.ts";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { beginning } from "../text/printable.ts";
import { fill } from "../text/words.ts";
import { sourceName } from "./source-name.ts";
import { renderStars } from "./stars.ts";

/** How many characters of a text, and of a reply, stand in a list. */
const [TEXT_LENGTH, REPLY_LENGTH] = [700, 300];

export interface CardSettings {
  readonly locale: Locale;
  /** The language of the customers' words, where the page's own are in another. */
  readonly language: string;
  readonly businessName: string;
  /** Where the links of the card lead: below this origin, and in a window of their own. */
  readonly outside?: string;
}

/** The review as an article whose heading, of the third rank, links to its page. */
export function renderReviewCard(review: Review, settings: CardSettings): Markup {
  const { locale, outside } = settings;
  const { words } = locale;
  const href = `${outside ?? ""}/reviews/${review.id}`;
  const target = outside === undefined ? "" : html` target="_blank" rel="noopener"`;
  const lang = languageOf(settings);
  const text = review.text === null ? undefined : beginning(review.text, TEXT_LENGTH);
  return html`<article class="card review">
<div class="who">${renderStars(review.rating, locale)}<h3><a href="${href}"${target}><bdi>${review.author}</bdi></a></h3><p class="soft day"><time datetime="${review.date}">${locale.date(review.date)}</time> · ${renderSource(review.source, locale)}</p></div>
${
  text === undefined
    ? html`<p class="soft">${words.withoutWords}</p>`
    : html`<p class="words" dir="auto"${lang}>${text.text}</p>${text.isCut ? html`<p><a href="${href}"${target}>${words.readOn}<span class="hidden"> ${fill(words.reviewBy, { author: review.author })}</span></a></p>` : ""}`
}
${renderReply(review, settings, REPLY_LENGTH)}
</article>`;
}

/** The owner's reply, cut near `length` characters; nothing where there is none. */
export function renderReply({ owner_reply: reply }: Review, settings: CardSettings, length: number): Markup {
  if (reply === null) return "";
  const { locale, businessName } = settings;
  const { text } = beginning(reply.text, length);
  return html`<div class="reply"><p class="by"><strong>${fill(locale.words.ownerReply, { name: businessName })}</strong> <time class="soft" datetime="${reply.date}">${locale.date(reply.date)}</time></p><p class="words" dir="auto"${languageOf(settings)}>${text}</p></div>`;
}

/** Where the review was written, in words. */
export function renderSource(source: string, { words }: Locale): Markup {
  return source === "first_party"
    ? html`${words.firstParty}`
    : html`${fill(words.via, { source: sourceName(source) })}`;
}

/** The attribute that says which language the customers write, where it is not the page's. */
export function languageOf({ locale, language }: CardSettings): Markup {
  return locale.tag === language ? "" : html` lang="${language}"`;
}
