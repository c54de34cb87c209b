/** The names of the filters of a search and the values they allow, without the schemas, which a browser need not load. */

/** The orders of a list; without one, newest first. */
export const SORTS = ["newest", "oldest", "highest", "lowest"] as const;
/** The texts in which words are sought; without one, the review's own. */
export const FIELDS = ["text", "reply", "both"] as const;

/** The number of `words`, and the letters and digits of each, at most. */
export const MAX_WORDS = 10;
const MAX_WORD_LENGTH = 100;

const STARS = "a number from 1 to 5";
const WORDS = `up to ${MAX_WORDS} words separated by spaces or commas, of at most ${MAX_WORD_LENGTH} characters each`;

/** The allowed values of each filter, in words. */
export const ALLOWED = {
  rating: "a whole number from 1 to 5",
  min_rating: STARS,
  max_rating: STARS,
  since: "a real day, YYYY-MM-DD",
  until: "a real day, YYYY-MM-DD",
  query: "a string",
  words: WORDS,
  all_words: WORDS,
  in: FIELDS.join(", "),
  has_text: "true or false",
  has_reply: "true or false",
  language: "a string: the base tag of a language, or und",
  topic: "a string: the id of a topic",
  mentions_technician: "a string: a technician's name or id",
  mentions_service: "a string: a service's id or label",
  sort: SORTS.join(", "),
  limit: "a whole number from 1 to 100",
  offset: "a whole number from 0 to 1000000",
} as const;

/** The names of the filters, in the order in which they are described. */
export const FILTER_NAMES = Object.keys(ALLOWED) as readonly (keyof typeof ALLOWED)[];

/** The words of a parameter: whatever holds a letter or digit between spaces and commas. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => /[\p{L}\p{Nd}]/u.test(word));
}

/** Whether a text may be the value of `words`: none may be without a word, unless it asks for nothing. */
export function areWords(text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 0) return /^[\s,]*$/.test(text);
  return words.length <= MAX_WORDS && words.every(({ length }) => length <= MAX_WORD_LENGTH);
}
