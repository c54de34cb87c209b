/** The summary and the questions in the page's language, written from the statistics of the insights. */
import { html } from "hono/html";
import type { Edition } from "../../edition/edition.ts";
import { mostCriticised, mostPraised } from "../../insight/statistics/aspect-ranking.ts";
import { languageOfText } from "../../insight/text/language.ts";
import type { Aspect, Entity, Topic } from "../../insights-document.ts";
import { pageLanguageOf } from "../../page-languages.ts";
import type { Locale } from "../text/locale.ts";
import { fillMarkup, type Markup } from "../text/markup.ts";
import { aspectLabel } from "../text/prose-language.ts";
import type { Prose } from "../text/words-en.ts";
import { languageOf } from "./review-card.ts";

/** Minimum number of reviews to name a person, and to answer a question, as in the published prose. */
const [MIN_TO_NAME, MIN_TO_ANSWER] = [2, 3];
const [MAX_ASPECTS, MAX_PEOPLE, MAX_NAMES, MAX_TOPICS] = [3, 3, 5, 5];

export interface Question {
  readonly question: Markup;
  readonly answer: Markup;
  readonly reviewIds: readonly string[];
}

/** The statistics in sentences, for a business whose owner wrote no summary; empty without reviews. */
export function ownSummary(edition: Edition, locale: Locale, prose: Prose): Markup {
  const { aggregateRating: rating, business, insights } = edition;
  const { earliest, latest } = insights.date_range;
  if (rating.rating_value === null || earliest === null || latest === null) return "";
  const [from, to] = [earliest, latest].map((day) => locale.month(day.slice(0, 7)));
  const { single, oneMonth, months } = prose.opening;
  const opening = rating.review_count === 1 ? single : from === to ? oneMonth : months;
  const sentences = [
    fillMarkup(opening, {
      name: html`<bdi>${business.name}</bdi>`,
      stars: html`${locale.number(rating.rating_value, rating.review_count === 1 ? 0 : 2)}`,
      reviews: reviewsIn(rating.review_count, locale),
      from: html`${from}`,
      to: html`${to}`,
    }),
    aspectSentence(edition, locale, { prose, said: "praised" }),
    aspectSentence(edition, locale, { prose, said: "criticised" }),
    nameSentence(insights.entities.technicians, locale, { prose, max: MAX_PEOPLE, min: MIN_TO_NAME }),
  ];
  return html`${sentences.map((sentence) => html`${sentence} `)}`;
}

/** The questions that the reviews answer: aspects, people, work, places, complaints, topics. */
export function ownQuestions(edition: Edition, locale: Locale, prose: Prose): Question[] {
  const { aspects, entities } = edition.insights;
  const answered = aspects.filter((aspect) => sidesOf(aspect).length > 0);
  return [
    ...answered.map((aspect) => aspectQuestion(aspect, locale, prose)),
    ...namesQuestion(prose.techniciansQuestion, entities.technicians, locale, prose),
    ...namesQuestion(prose.servicesQuestion, entities.services, locale, prose),
    ...namesQuestion(prose.areasQuestion, entities.service_areas, locale, prose),
    ...complaints(edition, locale, prose),
    ...edition.insights.topics.slice(0, MAX_TOPICS).map((topic) => topicQuestion(edition, topic, { locale, prose })),
  ];
}

/** Praise and criticism, more frequent first; sides with too few reviews are omitted (decisions/insight-claims.md). */
function sidesOf({ positive_count, negative_count }: Aspect) {
  const praise = { sentence: "aspectPraise", count: positive_count } as const;
  const criticism = { sentence: "aspectCriticism", count: negative_count } as const;
  const sides = positive_count >= negative_count ? [praise, criticism] : [criticism, praise];
  return sides.filter(({ count }) => count >= MIN_TO_ANSWER);
}

function aspectQuestion(aspect: Aspect, locale: Locale, prose: Prose): Question {
  const sentences = sidesOf(aspect).map(({ sentence, count }) =>
    fillMarkup(prose[sentence], { reviews: reviewsIn(count, locale) }),
  );
  return {
    question: fillMarkup(prose.aspectQuestion, { aspect: labelOf(aspect, locale) }),
    answer: html`${sentences.map((sentence, index) => (index === 0 ? sentence : html` ${sentence}`))}`,
    reviewIds: aspect.example_review_ids,
  };
}

function topicQuestion(
  edition: Edition,
  topic: Topic,
  { locale, prose }: { readonly locale: Locale; readonly prose: Prose },
): Question {
  const label = prose.aspectQuestion.startsWith("{") ? locale.atStart(topic.label) : topic.label;
  const said = [
    { sentence: "aspectPraise", count: topic.praised } as const,
    { sentence: "aspectCriticism", count: topic.criticised } as const,
  ].filter(({ count }) => count >= MIN_TO_ANSWER);
  return {
    question: fillMarkup(prose.aspectQuestion, { aspect: topicName(edition, { ...topic, label }, locale) }),
    answer: html`${fillMarkup(prose.topicNamed, { reviews: reviewsIn(topic.review_count, locale) })}${said.map(({ sentence, count }) => html` ${fillMarkup(prose[sentence], { reviews: reviewsIn(count, locale) })}`)}`,
    reviewIds: topic.example_review_ids,
  };
}

/** A topic's name, with the `lang` of the reviews that name it if none of them is in the page's language. */
export function topicName(
  edition: Edition,
  { label, example_review_ids: ids }: Pick<Topic, "label" | "example_review_ids">,
  locale: Locale,
): Markup {
  const languages = ids.map((id) => edition.analysis(id)?.language ?? null);
  const isOwn = languages.some((each) => each !== null && pageLanguageOf(each) === pageLanguageOf(locale.tag));
  const settings = { locale, language: edition.language, businessName: "", tellLanguage: languageOfText };
  return html`<bdi${isOwn ? "" : languageOf(settings, label, languages[0] ?? null)}>${label}</bdi>`;
}

function namesQuestion(question: string, entities: readonly Entity[], locale: Locale, prose: Prose): Question[] {
  const top = entities.filter(({ mention_count }) => mention_count > 0).slice(0, MAX_NAMES);
  if (top.reduce((sum, { mention_count }) => sum + mention_count, 0) < MIN_TO_ANSWER) return [];
  const reviewIds = [...new Set(top.flatMap(({ example_review_ids: ids }) => ids.slice(0, 1)))];
  const answer = nameSentence(top, locale, { prose, max: MAX_NAMES, min: 1 });
  return [{ question: html`${question}`, answer, reviewIds }];
}

function complaints(edition: Edition, locale: Locale, prose: Prose): Question[] {
  const criticised = mostCriticised(edition.insights.aspects, MAX_ASPECTS);
  if (criticised.length === 0) return [];
  const counts = edition.aggregateRating.rating_counts;
  const poor = counts["1"] + counts["2"];
  const list = aspectSentence(edition, locale, { prose, said: "criticised" });
  const isCritical = (id: string) =>
    edition.analysis(id)?.aspects.some(({ sentiment }) => sentiment === "negative") === true;
  return [
    {
      question: html`${prose.complaintsQuestion}`,
      answer: html`${list}${poor === 0 ? "" : html` ${locale.counted(prose.poorRatings, poor)}`}`,
      reviewIds: [...new Set(criticised.flatMap(({ example_review_ids: ids }) => ids.filter(isCritical)))],
    },
  ];
}

/** The most praised or criticised aspects in a sentence, each with its count; empty if there is none. */
function aspectSentence(
  edition: Edition,
  locale: Locale,
  { prose, said }: { readonly prose: Prose; readonly said: "praised" | "criticised" },
): Markup {
  const { aspects } = edition.insights;
  const isPraise = said === "praised";
  const top = (isPraise ? mostPraised : mostCriticised)(aspects, MAX_ASPECTS).map((aspect): CountedName => {
    return {
      text: labelWithin(aspect, locale),
      name: labelOf(aspect, locale, labelWithin(aspect, locale)),
      count: isPraise ? aspect.positive_count : aspect.negative_count,
      topics: isPraise ? "" : criticisedTopics(edition, aspect, locale),
    };
  });
  return top.length === 0 ? "" : fillMarkup(prose[said], { list: countedList(top, locale) });
}

/** What most of the criticism of an aspect is about, with counts, as the end of a phrase that names it; empty if that is many things. */
export function criticisedTopics(edition: Edition, { id }: Aspect, locale: Locale): Markup | string {
  const topics = edition.criticisedTopics(id);
  if (topics.length === 0) return "";
  const named = topics.map((topic) => ({
    text: topic.label,
    name: html`${topicName(edition, topic, locale)} ${locale.number(topic.count)}`,
  }));
  return fillMarkup(locale.words.namedThere, { topics: listedMarkup(named, locale) });
}

/** “A, B and C”. */
function listedMarkup(entries: readonly Pick<CountedName, "text" | "name">[], locale: Locale): Markup {
  let shown = 0;
  return html`${locale.listed(entries.map(({ text }) => text)).map(({ type, value }) => (type === "literal" ? value : (entries[shown++]?.name ?? "")))}`;
}

interface NameSentence {
  readonly prose: Prose;
  readonly max: number;
  readonly min: number;
}

function nameSentence(entities: readonly Entity[], locale: Locale, { prose, max, min }: NameSentence): Markup {
  const top = entities
    .filter(({ mention_count }) => mention_count >= min)
    .slice(0, max)
    .map(({ label, mention_count }) => ({ text: label, name: html`<bdi>${label}</bdi>`, count: mention_count }));
  return top.length === 0 ? "" : fillMarkup(prose.named, { list: countedList(top, locale) });
}

interface CountedName {
  /** The name without markup. */
  readonly text: string;
  readonly name: Markup;
  readonly count: number;
  /** What its reviews are most often about, as the end of a phrase; empty without. */
  readonly topics?: Markup | string;
}

/** “A (15 reviews), B (14; named there: D 9) and C (1)”. */
function countedList(entries: readonly CountedName[], locale: Locale): Markup {
  const counts = entries.map(({ count }, index) =>
    index === 0 ? reviewsIn(count, locale) : html`${locale.number(count)}`,
  );
  let shown = 0;
  return html`${locale.listed(entries.map(({ text }) => text)).map(({ type, value }) => {
    if (type === "literal") return value;
    const index = shown++;
    const { name = "", topics = "" } = entries[index] ?? {};
    return html`${name} (${counts[index] ?? ""}${topics})`;
  })}`;
}

function reviewsIn(count: number, locale: Locale): Markup {
  return html`${locale.counted(locale.words.reviews, count)}`;
}

function labelOf({ label }: Aspect, locale: Locale, said = aspectLabel(label, locale).text): Markup {
  const { lang } = aspectLabel(label, locale);
  return lang === "" ? html`${said}` : html`<span${lang}>${said}</span>`;
}

/** An aspect's label within a sentence. One that is not translated may be a name, and stays as it is. */
function labelWithin({ label }: Aspect, locale: Locale): string {
  const { text, lang } = aspectLabel(label, locale);
  return lang === "" ? locale.inSentence(text) : text;
}
