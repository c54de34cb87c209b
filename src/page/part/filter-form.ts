/** The review list's filter form. It works without scripts: its fields are the search parameters. */
import { html } from "hono/html";
import type { Edition } from "../../edition/edition.ts";
import { FILTER_NAMES } from "../../filter-names.ts";
import type { Locale } from "../text/locale.ts";
import type { Markup } from "../text/markup.ts";
import { beginning } from "../text/printable.ts";
import { fill } from "../text/words.ts";

/** The fields of the collapsible part, and of the one inside it; a part is open if one of its fields is set. */
const MORE_FIELDS = ["min_rating", "max_rating", "all_words", "in", "since", "until"] as const;
const OUTER_FIELDS: ReadonlySet<string> = new Set(["query", "limit", "offset"]);

type Choice = readonly [value: string, label: string];

/** What the filters of a list can name. */
export type Named = Pick<Edition, "business"> & {
  readonly insights: Pick<Edition["insights"], "topics" | "languages">;
};

/** Renders the form with the values of `query` filled in. */
export function renderFilterForm(
  { business, insights, isStatic }: Named & Pick<Edition, "isStatic">,
  query: URLSearchParams,
  locale: Locale,
): Markup {
  const { words } = locale;
  const stars = (count: number) => locale.counted(words.starsName, count);
  const select = (name: string, label: string, choices: readonly Choice[]) => renderSelect(name, label, choices, query);
  const languages = insights.languages.map(({ language }) => language).filter((language) => language !== "und");
  const given = FILTER_NAMES.filter((name) => (query.get(name) ?? "") !== "");
  const isMore = (name: string) => (MORE_FIELDS as readonly string[]).includes(name);
  const open = (isPart: (name: string) => boolean) => (given.some(isPart) ? html` open` : "");
  const input = (name: string, label: string) =>
    html`<p><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${query.get(name) ?? ""}" autocomplete="off"></p>`;
  const day = (name: string, label: string) =>
    html`<p><label for="${name}">${label}</label><input type="date" id="${name}" name="${name}" value="${query.get(name) ?? ""}"></p>`;
  return html`<search><form class="card filter" id="filter" action="/reviews${isStatic === true ? "/" : ""}" method="get" data-unreachable="${words.searchOffline}">${isStatic === true ? html`<noscript><p class="wide">${words.searchNeedsScript}</p></noscript>` : ""}
<p class="wide"><label for="query">${words.searchReviews}</label><input type="search" id="query" name="query" value="${query.get("query") ?? ""}" placeholder="${words.searchHint}" autocomplete="off" accesskey="s"></p>
<details class="wide more-fields"${open((name) => !OUTER_FIELDS.has(name))}><summary>${words.filterAndOrder}</summary><div class="fields">
${select("rating", words.rating, [["", words.anyRating], ...[5, 4, 3, 2, 1].map((count): Choice => [String(count), fill(words.exactly, { stars: stars(count) })])])}
${business.technicians.length === 0 ? "" : select("mentions_technician", words.technician, [["", words.anyTechnician], ...business.technicians.map(({ id, name }): Choice => [id, name])])}
${business.services.length === 0 ? "" : select("mentions_service", words.service, [["", words.anyService], ...business.services.map(({ id, label }): Choice => [id, label])])}
${insights.topics.length === 0 ? "" : select("topic", words.topic, [["", words.anyTopic], ...insights.topics.map(({ id, label }): Choice => [id, label])])}
${input("words", words.anyWords)}
${select("has_text", words.text, [
  ["", words.anyText],
  ["true", words.withText],
  ["false", words.withoutText],
])}
${select("has_reply", words.reply, [
  ["", words.anyReply],
  ["true", words.withReply],
  ["false", words.withoutReply],
])}
${languages.length < 2 ? "" : select("language", words.textLanguage, [["", words.anyLanguage], ...languages.map((language): Choice => [language, locale.atStart(locale.languageName(language))])])}
${select("sort", words.order, [
  ["", words.newestFirst],
  ["oldest", words.oldestFirst],
  ["highest", words.highestFirst],
  ["lowest", words.lowestFirst],
])}
</div><details${open(isMore)}><summary>${words.minRating}, ${words.maxRating}, ${words.allWords}, ${words.since}, ${words.until}</summary><div class="fields">
${select("min_rating", words.minRating, [["", words.anyRating], ...[4, 3, 2].map((count): Choice => [String(count), fill(words.atLeast, { stars: stars(count) })])])}
${select("max_rating", words.maxRating, [["", words.anyRating], ...[2, 3, 4].map((count): Choice => [String(count), fill(words.atMost, { stars: stars(count) })])])}
${input("all_words", words.allWords)}
${select("in", words.lookIn, [
  ["", words.inText],
  ["reply", words.inReply],
  ["both", words.inBoth],
])}
${day("since", words.since)}${day("until", words.until)}</div></details></details>
<p class="wide actions"><button class="button">${words.apply}</button> <a href="/reviews" id="clear">${words.clear}</a> <span class="soft shortcut" hidden>${words.shortcut}</span></p>
</form></search>`;
}

/** A select field. If the query's value is not among the choices, it is added unchanged. */
function renderSelect(name: string, label: string, choices: readonly Choice[], query: URLSearchParams): Markup {
  const chosen = query.get(name) ?? "";
  const known = choices.some(([value]) => value === chosen) ? choices : [...choices, [chosen, chosen] as const];
  return html`<p><label for="${name}">${label}</label><select id="${name}" name="${name}">${known.map(
    ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ""}>${text}</option>`,
  )}</select></p>`;
}

/** The active filters, each a link to the list without it; empty if there are none. `address` gives the list's URL. */
export function renderChosen(
  named: Named,
  query: URLSearchParams,
  locale: Locale,
  address: (query: URLSearchParams) => string,
): Markup {
  const filters = [...query].filter(([name]) => name !== "sort");
  if (filters.length === 0) return "";
  const { words } = locale;
  const links = filters.map(([name, value]) => {
    const rest = new URLSearchParams(query);
    rest.delete(name);
    const told = describeFilter(named, [name, value], locale);
    return html`<li><a class="chip" href="${address(rest)}" aria-label="${fill(words.removeFilter, { filter: told })}"><bdi>${told}</bdi> <span aria-hidden="true">×</span></a></li>`;
  });
  return html`<ul class="chosen" aria-label="${words.chosen}">${links}</ul>`;
}

/** The active filters in words, for the title of the list; empty if there are none. */
export function describeFilters(named: Named, query: URLSearchParams, locale: Locale): string {
  return [...query]
    .filter(([name]) => name !== "sort")
    .map(([name, value]) => describeFilter(named, [name, shortened(value)], locale))
    .join(" · ");
}

/** A value of the query, short enough for a title. */
function shortened(value: string): string {
  return beginning(value, 60).text;
}

function describeFilter({ business, insights }: Named, [name, value]: [string, string], locale: Locale): string {
  const { technicians, services } = business;
  const { words } = locale;
  const stars = () => {
    const count = Number(value);
    const digits = Number.isInteger(count) ? 0 : Number.isInteger(count * 10) ? 1 : 2;
    return locale.counted(words.starsName, count, { count: locale.number(count, digits) });
  };
  const labelled = (label: string, said: string) => `${label}${locale.colon} ${said}`;
  const named = (list: readonly (readonly [string, string])[]) => list.find(([id]) => id === value)?.[1] ?? value;
  switch (name) {
    case "rating":
      return fill(words.exactly, { stars: stars() });
    case "min_rating":
      return fill(words.atLeast, { stars: stars() });
    case "max_rating":
      return fill(words.atMost, { stars: stars() });
    case "mentions_technician":
      return named(technicians.map((one) => [one.id, one.name]));
    case "mentions_service":
      return named(services.map((one) => [one.id, one.label]));
    case "topic":
      return named(insights.topics.map((one) => [one.id, one.label]));
    case "language":
      return labelled(words.textLanguage, locale.languageName(value));
    case "words":
      return labelled(words.anyWords, locale.quoted(value));
    case "all_words":
      return labelled(words.allWords, locale.quoted(value));
    case "in":
      return labelled(words.lookIn, value === "reply" ? words.inReply : value === "both" ? words.inBoth : words.inText);
    case "has_text":
      return value === "true" ? words.withText : words.withoutText;
    case "has_reply":
      return value === "true" ? words.withReply : words.withoutReply;
    case "since":
      return `${words.since} ${locale.shortDate(value)}`;
    case "until":
      return `${words.until} ${locale.shortDate(value)}`;
    default:
      return locale.quoted(value);
  }
}
