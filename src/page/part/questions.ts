/** Frequent questions about the business, answered from its reviews. */
import { html } from "hono/html";
import type { Edition } from "../../edition/edition.ts";
import { type Markup, withNamesApart } from "../text/markup.ts";
import { proseFor } from "../text/page-prose.ts";
import { beginning } from "../text/printable.ts";
import { proseLanguage } from "../text/prose-language.ts";
import { ownQuestions, type Question } from "./own-prose.ts";
import { authorName, type CardSettings } from "./review-card.ts";
import { renderStars } from "./stars.ts";

const MAX_SOURCES = 5;

/**
 * A section of collapsed questions, each with the reviews behind its answer; empty if no question is answered. The
 * questions are the published ones or, in languages with prose of their own, are written from the same statistics.
 */
export function renderQuestions(edition: Edition, names: readonly string[], { locale }: CardSettings): Markup {
  const { words } = locale;
  const prose = proseFor(locale.tag);
  const published = () =>
    edition.insights.faq.map(
      ({ question, answer, review_ids: reviewIds }): Question => ({
        question: withNamesApart(question, names),
        answer: withNamesApart(answer, names),
        reviewIds,
      }),
    );
  const questions = prose === undefined ? published() : ownQuestions(edition, locale, prose);
  if (questions.length === 0) return "";
  const lang = prose === undefined ? proseLanguage(locale) : "";
  const link = (id: string) => {
    const review = edition.review(id);
    return review === undefined
      ? ""
      : html`<li><a class="author" href="/reviews/${id}">${renderStars(review.rating, locale)} <bdi>${beginning(authorName(review.author, locale), 40).text}</bdi></a></li>`;
  };
  return html`<section class="card" aria-labelledby="questions"><h2 id="questions">${words.questions}</h2>${questions.map(
    ({ question, answer, reviewIds: ids }) =>
      html`<details class="question"><summary${lang}>${question}</summary><p dir="auto"${lang}>${answer}</p>${
        ids.length === 0
          ? ""
          : html`<p class="soft">${words.groundedIn}</p><ul class="grounds">${ids.slice(0, MAX_SOURCES).map(link)}</ul>`
      }</details>`,
  )}</section>`;
}
