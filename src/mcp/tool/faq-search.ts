/** Searches the FAQ for a question in the user's own words. */

import { foldCase } from "../../edition/case-folding.ts";
import { type Language, languageNamed } from "../../insight/text/language-words.ts";
import { isFunctionWord } from "../../insight/text/phrase-cut.ts";
import { stem } from "../../insight/text/word-stem.ts";
import type { FaqEntry, Insights, Topic } from "../../insights-document.ts";
import { normalForm } from "../../lib/normal-form.ts";

/** How much of a question is read, and the maximum number of its words that are used. */
const [MAX_CHARACTERS, MAX_WORDS] = [2_000, 50];
/** A word of the question, or of its only topic's name, counts more than one of the answer or of several topics. */
const QUESTION_WEIGHT = 2;

/** Words of any question, besides function words. */
const ASKING = new Set(
  "am anyone can did get got how much many please someone were whose with your yours yes".split(" "),
);
/** Words of many questions of the FAQ, which tell them apart only from those of other texts. */
const FRAME = new Set("customer customers mention mentions people review reviews say says tell think write".split(" "));

/** The entries found, and whether a question or topic is about the query: in an answer a word may stand by chance. */
interface FaqMatches {
  readonly faq: readonly FaqEntry[];
  readonly isAbout: boolean;
  /** The topics that the query names, whether a question is about them or not. */
  readonly topics: readonly Topic[];
}

/**
 * Finds entries for `query`: those that share a content word with it, in any inflection, in their question, their answer
 * or the name of a topic behind them. Best match first: rare words and words of the question count most.
 */
export function searchFaq(
  insights: Pick<Insights, "faq" | "aspects" | "topics" | "languages">,
  query = "",
): FaqMatches {
  const { faq, aspects, topics, languages } = insights;
  if (query.trim() === "") return { faq, isAbout: true, topics: [] };
  const readTags = languages.filter(({ analysed }) => analysed).map(({ language }) => language);
  const read = [...new Set(["en", ...readTags].map(languageNamed))];
  const sought = soughtWords(query, read);
  const labels = new Map([...aspects, ...topics].map(({ id, label }) => [id, label]));
  const entries = faq.map((entry) => {
    const topic = entry.about.map((id) => labels.get(id) ?? "").join(" ");
    return {
      entry,
      question: stemsIn(entry.about.length > 1 ? entry.question : `${entry.question} ${topic}`, read),
      topic: stemsIn(topic, read),
      answer: stemsIn(entry.answer, read),
    };
  });
  const weights = sought.map((stems) => {
    const within = (words: ReadonlySet<string>) => stems.some((one) => words.has(one));
    const found = entries.filter(({ question, topic, answer }) => [question, topic, answer].some(within));
    return { within, rarity: Math.log(1 + faq.length / Math.max(1, found.length)) };
  });
  const found = entries
    .map(({ entry, question, topic, answer }) => ({
      entry,
      isAbout: weights.some(({ within }) => within(question) || within(topic)),
      score: weights.reduce((sum, { within, rarity }) => {
        return sum + rarity * (within(question) ? QUESTION_WEIGHT : within(topic) || within(answer) ? 1 : 0);
      }, 0),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const named = topics.filter(({ label }) => {
    const words = stemsIn(label, read);
    return sought.some((stems) => stems.some((one) => words.has(one)));
  });
  return { faq: found.map(({ entry }) => entry), isAbout: found.some(({ isAbout }) => isAbout), topics: named };
}

/** The stems of each content word of a query. Words that frame questions count only where there is no other. */
function soughtWords(query: string, languages: readonly Language[]): string[][] {
  const content = wordsOf(query.slice(0, MAX_CHARACTERS)).filter(
    (word) => word.length > 1 && !ASKING.has(word) && !languages.some((language) => isFunctionWord(word, language)),
  );
  const telling = content.filter((word) => !FRAME.has(word));
  const sought = [...new Set(telling.length > 0 ? telling : content)].slice(0, MAX_WORDS);
  return sought.map((word) => stemsOf(word, languages));
}

function stemsIn(text: string, languages: readonly Language[]): Set<string> {
  return new Set(wordsOf(text).flatMap((word) => stemsOf(word, languages)));
}

/** What a stemmer leaves as it is: short words in the plural, such as those of abbreviations ("ACs", "TVs"). */
const SHORT_PLURAL = /^[\p{L}\p{N}]{2}s$/u;

/** A word's stems in each language, with and without its accents, marked with the language. */
function stemsOf(word: string, languages: readonly Language[]): string[] {
  const forms = new Set([word, withoutAccents(word)]);
  for (const form of [...forms]) if (SHORT_PLURAL.test(form)) forms.add(form.slice(0, -1));
  return languages.flatMap((language) =>
    [...forms].map((form) => {
      const once = stem(form, language); // “parkings” is “parking”, and that is “park”
      return `${language.tag} ${withoutAccents(stem(once, language))}`;
    }),
  );
}

/** Runs of letters and digits in lower case, and what is written without a space as one word, too: "A/C" is also "ac". */
function wordsOf(text: string): string[] {
  return foldCase(text)
    .split(/\s+/u)
    .flatMap((written) => {
      const runs = written.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
      return runs.length > 1 ? [...runs, runs.join("")] : runs;
    });
}

function withoutAccents(word: string): string {
  return normalForm(word, "NFD").replace(/\p{M}/gu, "");
}
