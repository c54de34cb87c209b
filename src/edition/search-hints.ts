/** Hints about a search that most likely asks for something other than what was meant (contract §10). */
import type { Business } from "../business.ts";
import type { Filter } from "../filter.ts";
import { FILTER_NAMES, wordsOf } from "../filter-names.ts";
import { type Choice, listed, quote } from "../issue.ts";
import { nearestName } from "../lib/nearest-name.ts";
import type { Review } from "../review.ts";
import { foldCase } from "./case-folding.ts";
import { type ReviewIndex, reviewAt } from "./review-index.ts";
import { type Hits, searchSteps } from "./search.ts";
import type { Steps } from "./steps.ts";
import { foldWords, lettersOf, makeWordTest } from "./whole-words.ts";
import { formsOf } from "./word-forms.ts";

/** What the names in a filter can mean. */
export interface Searched {
  readonly reviewIndex: ReviewIndex;
  readonly business: Business;
  readonly topics: readonly Choice[];
  readonly languages: readonly { readonly language: string }[];
}

/** Unknown parameters that are named, and words of a query that are sought one by one. */
const MAX_NAMED = 10;

/** What other interfaces call a parameter, and names that are nothing like it. */
const ALSO_CALLED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    stars: "rating, or min_rating and max_rating",
    score: "rating, or min_rating and max_rating",
    q: "query, or words",
    search: "query, or words",
    text: "query, or words",
    from: "since",
    after: "since",
    to: "until",
    before: "until",
    page: "offset",
    count: "limit",
    per_page: "limit",
    order: "sort",
  }),
);

/** The hints on the hits of a filter; `unknown` are the parameters that came with it and mean nothing. */
export function* searchHints(
  searched: Searched,
  filter: Filter,
  { matched, positions = [] }: Pick<Hits, "matched"> & Partial<Hits>,
  unknown: readonly string[] = [],
): Steps<string[]> {
  const { reviewIndex, business } = searched;
  const { technicians, services } = business;
  const { since, until, min_rating: least, max_rating: most, rating, offset } = filter;
  const hints = unknown.slice(0, MAX_NAMED).map((name) => {
    const nearest = ALSO_CALLED.get(name.toLowerCase()) ?? nearestName(name, FILTER_NAMES);
    return `${quote(name)} is not a parameter and was ignored${nearest === undefined ? "" : `; the nearest is ${nearest}`}.`;
  });
  if (since !== undefined && until !== undefined && since > until)
    hints.push(`since (${since}) is after until (${until}), so nothing matches.`);
  if (least !== undefined && most !== undefined && least > most)
    hints.push(`min_rating (${least}) is above max_rating (${most}), so nothing matches.`);
  if (rating !== undefined && (rating < (least ?? rating) || rating > (most ?? rating)))
    hints.push(`rating (${rating}) is beyond min_rating or max_rating, so nothing matches.`);
  const [newest = ""] = Array.from(reviewIndex.days.subarray(0, 1), dayOf);
  if (since !== undefined && newest !== "" && since > newest && since <= (until ?? since))
    hints.push(`since (${since}) is after the newest review, which is of ${newest}, so nothing matches.`);
  const people = technicians.map(({ id, name }) => ({ id, label: name }));
  for (const [name, noun, choices] of [
    ["mentions_technician", "technician", people],
    ["mentions_service", "service", services],
    ["topic", "topic", searched.topics],
    ["language", "language of a review", searched.languages.map(({ language }) => ({ id: language, label: language }))],
  ] as const) {
    const value = filter[name];
    if (
      value === undefined ||
      choices.some(({ id, label }) => isSame(value, id) || (name !== "topic" && isSame(value, label)))
    )
      continue;
    const known = choices.length === 0 ? "none is known" : `known: ${listed(choices)}`;
    const beyond = name === "topic" ? "; topics are only what several reviews name: words finds anything else" : "";
    hints.push(`${name} is ${quote(value)}, but there is no such ${noun}; ${known}${beyond}.`);
  }
  if (matched > 0 && offset >= matched) hints.push(`offset is ${offset}, but only ${matched} reviews match.`);
  for (const name of ["words", "all_words"] as const) {
    const given = filter[name]?.trim() ?? "";
    if (given !== "" && wordsOf(given).length === 0)
      hints.push(`${name} is ${quote(given)}, which holds no word and was ignored.`);
  }
  if (matched === 0) hints.push(...(yield* wordsOfQuery(searched, filter)));
  hints.push(...(yield* formsHeld(searched, filter, { matched, positions })));
  return hints;
}

/** A day as the index has it, YYYYMMDD. */
function dayOf(date: number): string {
  return String(date).replace(/^(\d{4})(\d{2})/, "$1-$2-");
}

function isSame(one: string, other: string): boolean {
  return foldCase(one) === foldCase(other);
}

/** Which words of a query are held by themselves, when no review holds it as it stands. */
function* wordsOfQuery({ reviewIndex, business }: Searched, filter: Filter): Steps<string[]> {
  const words = [...new Set((filter.query ?? "").split(/\s+/))].filter((word) => /[\p{L}\p{Nd}]/u.test(word));
  if (words.length < 2) return [];
  const held: string[] = [];
  for (const query of words.slice(0, MAX_NAMED)) {
    const { matched } = yield* searchSteps(reviewIndex, business, { ...filter, query, limit: 1, offset: 0 });
    if (matched > 0) held.push(`${quote(query)} in ${matched}`);
  }
  if (held.length === 0) return [];
  return [
    `No review holds ${quote(filter.query)} as it stands; single words are held: ${held.join(", ")}. Use words or all_words.`,
  ];
}

/** The words for which other forms are looked for, each of which is a search, and those forms. */
const [MAX_WORDS, MAX_FORMS] = [5, 6];

/** Which of the words sought no review holds as it is written, and in which other form reviews hold it. */
function* formsHeld(
  { reviewIndex, business, languages }: Searched,
  filter: Filter,
  { matched, positions }: Hits,
): Steps<string[]> {
  const { query = "", words = "", all_words: allWords = "", ...others } = filter;
  const ofQuery = wordsOf(query);
  const sought = [
    ...new Set([...wordsOf(words), ...wordsOf(allWords), ...(ofQuery.length === 1 ? ofQuery : [])]),
  ].slice(0, MAX_WORDS);
  // What matches all of several words, or the only one, holds each.
  if (sought.length === 0 || (matched > 0 && wordsOf(words).length < 2)) return [];
  function* countOf(word: string): Steps<number> {
    const { matched } = yield* searchSteps(reviewIndex, business, { ...others, words: word, limit: 1, offset: 0 });
    return matched;
  }
  const texts = positions.map((position) => foldWords(textSought(reviewAt(reviewIndex, position), filter)));
  const absent: string[] = [];
  for (const word of sought)
    if (!texts.some(makeWordTest([lettersOf(word)])) && (yield* countOf(word)) === 0) absent.push(word);
  if (absent.length === 0) return [];
  const tags = languages.map(({ language }) => language);
  const found = yield* formsOf(reviewIndex, absent, tags);
  const hints: string[] = [];
  for (const [at, word] of absent.entries()) {
    const { forms = [], alike = () => [] } = found[at] ?? {};
    for (const [own, are] of [
      [() => forms, "other forms of it, or words for it, are"],
      [alike, "spelt almost like it"],
    ] as const) {
      const held: string[] = [];
      for (const form of own().slice(0, MAX_FORMS)) {
        const count = yield* countOf(form);
        if (count > 0) held.push(`${quote(form)} in ${count}`);
      }
      if (held.length === 0) continue;
      hints.push(`No review is found with ${quote(word)}; ${are}: ${held.join(", ")}.`);
      break;
    }
  }
  return hints;
}

/** The text in which a filter seeks its words. */
function textSought({ text, owner_reply: reply }: Review, { in: field = "text" }: Filter): string {
  return [field === "reply" ? "" : text, field === "text" ? "" : reply?.text].filter(Boolean).join("\n");
}
