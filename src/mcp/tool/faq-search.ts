/** Searches the FAQ for a question in the user's own words. */

import { foldCase } from "../../edition/case-folding.ts";
import { topicQuestion } from "../../insight/prose/faq.ts";
import { mostPraised } from "../../insight/statistics/aspect-ranking.ts";
import { type AskedSubject, askedSubjects } from "../../insight/taxonomy/asked-subjects.ts";
import { type Language, languageNamed, READ_TAGS } from "../../insight/text/language-words.ts";
import { isFunctionWord } from "../../insight/text/phrase-cut.ts";
import { stemKeys, withoutAccents } from "../../insight/text/stem-keys.ts";
import { rateOf } from "../../insight/theme/word-background.ts";
import type { FaqEntry, Insights, Topic } from "../../insights-document.ts";

/** How much of a question is read, and the maximum number of its words that are used. */
const [MAX_CHARACTERS, MAX_WORDS] = [2_000, 200];
/** A word of the question, or of its only topic's name, counts more than one of the answer or of several topics. */
const QUESTION_WEIGHT = 2;

/** Answers that only share a word with a question, beside those about it. */
const MAX_SHARING = 2;

/** A word that a smaller share of reviews has in general is particular: "long" and "work" ask for nothing by themselves. */
const MAX_SHARE_OF_PARTICULAR = 0.006;

/** Words of any question, besides function words. */
const ASKING = new Set(
  "am among anyone can did get got how much many please someone were whose with your yours yes".split(" "),
);
/** What reviews are called, so that phrases need not repeat it. */
const REVIEWS = new Set("reviews avis beoordelingen bewertungen opiniones recensies reseñas rezensionen".split(" "));
/** What may stand within a phrase: "reviews removed" is asked in "were reviews ever removed" and "reviews have been removed". */
const AUXILIARIES = new Set(
  "are been being ever have is was were ist sind worden wurden haben han sido se fueron están ont été sont er zijn werden worden".split(
    " ",
  ),
);
/** Words of many questions of the FAQ, which tell them apart only from those of other texts. */
const FRAME = new Set("customer customers mention mentions people review reviews say says tell think write".split(" "));

const IS_YEAR = /^(?:19|20)\d\d$/;

/** The entries found, and whether a question is about the query: in an answer a word may stand by chance. */
interface FaqMatches {
  /** Those about topics that the FAQ leaves out have no answer yet. */
  readonly faq: readonly FaqEntry[];
  readonly isAbout: boolean;
  /** Whether some only share a word with the query. */
  readonly isShared: boolean;
  /** Its words, particular or of a matter that is not counted, that no question, answer or topic has or is about: "poisoning" of "food poisoning". */
  readonly missing: readonly string[];
  /** Words to search reviews for, where it asks of something that no question or topic is about: "noisy", "loud". */
  readonly wordsOfMissing: readonly string[];
  /** Its words for an aspect that has an answer, of which no answer has any: "seats", which is asked of the place. */
  readonly wider: readonly string[];
  /** Its content words, and those of them that are for no aspect that has an answer. */
  readonly content: readonly string[];
  readonly others: readonly string[];
  /** What it asks that no question is about, and that records or figures answer. */
  readonly ofRecords: readonly RecordsSubject[];
  /** The years that it names. */
  readonly years: readonly string[];
}

/**
 * Subjects in `taxonomies/asked-as.json` of which records or figures tell: the owner's replies, where reviews are from,
 * how one is told of new ones, the stars, the newest or the worst review, the business's details, how the stars change, what is praised most, and whether
 * there are complaints.
 */
const RECORDS_SUBJECTS = [
  "owner_replies",
  "provenance",
  "notifications",
  "ratings",
  "single_reviews",
  "details",
  "trends",
  "praise",
  "complaints",
] as const;
/** Those whose own words, and those that frame them, are sought in no question. */
const FRAMED = ["provenance", "notifications", "ratings", "single_reviews", "details", "trends", "praise"] as const;
/** Those that the number of stars tells of, too. */
const OF_STARS: ReadonlySet<string> = new Set(["ratings", "praise", "complaints"]);
/** So many of the most praised aspects answer what is praised most. */
export const MAX_PRAISED = 3;
export type RecordsSubject = (typeof RECORDS_SUBJECTS)[number];

/**
 * Finds entries for `query`: those that share a content word with it, in any inflection, in their question, their answer
 * or the name of a topic behind them, and those about what it asks in other words ("Is it expensive?"). Best match first:
 * those about it, then those that share rare words and words of the question.
 */
export function searchFaq(
  insights: Pick<Insights, "faq" | "aspects" | "topics" | "languages">,
  query = "",
): FaqMatches {
  const { faq, aspects, topics, languages } = insights;
  const nothing = { missing: [], wordsOfMissing: [], wider: [], content: [], others: [], ofRecords: [], years: [] };
  if (query.trim() === "") return { faq, isAbout: true, isShared: false, ...nothing };
  const readTags = languages.filter(({ analysed }) => analysed).map(({ language }) => language);
  const read = [...new Set(["en", ...readTags].map(languageNamed))];
  const words = wordsOf(query.slice(0, MAX_CHARACTERS)).slice(0, MAX_WORDS);
  const phrases = phrasesAsked(words, read);
  const asked = subjectsOf(phrases);
  const joined = joinedIn(query.slice(0, MAX_CHARACTERS));
  const content = withoutFrame(words, phrases, read).filter(
    (word) => !IS_YEAR.test(word) && !joined.some((one) => one.word === word && one.isOfFunctionWords),
  );
  const years = [...new Set(words.filter((word) => IS_YEAR.test(word)))];
  const sought = content.map((word) => stemKeys(word, read));
  const labels = new Map([...aspects, ...topics].map(({ id, label }) => [id, label]));
  const known = new Set(askedSubjects().flatMap(({ aspects }) => aspects));
  const entries = [...faq, ...unasked(faq, topics)].map((entry) => {
    const { question, answer, about } = entry;
    const named = about.map((id) => ({ id, label: labels.get(id) ?? "" }));
    const names = named.map(({ label }) => label).join(" ");
    // A word of an aspect's name, such as "place", is not enough to ask about it.
    const own = named.filter(({ id }) => !known.has(id));
    return {
      entry,
      // What frames every question about a topic asks for none that the FAQ leaves out.
      question: stemsIn(about.length > 1 ? question : `${answer === "" ? "" : question} ${names}`, read),
      topic: stemsIn(names, read),
      answer: stemsIn(answer, read),
      /** So many words of the question have to be in a query with no others for it to be that question. */
      half: Math.max(1, telling(wordsOf(question), read).length / 2),
      name: stemsIn(own.map(({ label }) => label).join(" "), read),
      asked: asked.filter(
        (subject) =>
          // "Is the food good?" asks for no answer about each dish.
          (answer !== "" || subject.aspects.length === 0) &&
          (about.some((id) => subject.aspects.includes(id)) ||
            named.some(({ label }) => namedIn(label, read)(subject)) ||
            ((subject.aspects.length === 0 || isOf("complaints")(subject)) && namedIn(question, read)(subject))),
      ),
    };
  });
  const weights = sought.map((stems) => {
    const within = (found: ReadonlySet<string>) => stems.some((one) => found.has(one));
    const found = entries.filter(({ question, topic, answer }) => [question, topic, answer].some(within));
    return { within, rarity: Math.log(1 + faq.length / Math.max(1, found.length)) };
  });
  const found = entries
    .map(({ entry, question, topic, answer, name, asked, half }) => {
      const isNamed = weights.some(({ within }) => within(name));
      const isQuestion = weights.length >= half && weights.every(({ within }) => within(question));
      const isAbout = asked.length > 0 || isNamed || isQuestion;
      return {
        entry,
        isAbout,
        rank: Number(isAbout) * (entry.about.length > 1 ? 1 : 2),
        score: weights.reduce((sum, { within, rarity }) => {
          return sum + rarity * (within(question) ? QUESTION_WEIGHT : within(topic) || within(answer) ? 1 : 0);
        }, 0),
      };
    })
    .filter(({ isAbout, score }) => isAbout || score > 0)
    .toSorted((a, b) => b.rank - a.rank || b.score - a.score);
  const isAnswered = (stems: readonly string[]) =>
    [...entries.map(({ question }) => question), ...entries.map(({ answer }) => answer)].some((known) =>
      stems.some((one) => known.has(one)),
    );
  const answered = new Set(entries.flatMap((entry) => entry.asked));
  const told = phrases
    .filter(({ subject }) => answered.has(subject) || isRecorded(subject))
    .flatMap(({ from, to }) => words.slice(from, to))
    .concat(joined.map(({ word }) => word));
  const ofAspects = new Set(
    phrases
      .filter(
        ({ subject, tag }) =>
          readTags.includes(tag) && subject.aspects.length > 0 && answered.has(subject) && !isRecorded(subject),
      )
      .flatMap(({ from, to }) => words.slice(from, to)),
  );
  const ofRecord = new Set(
    phrases.filter(({ subject }) => isRecorded(subject)).flatMap(({ from, to }) => words.slice(from, to)),
  );
  const wider = content.filter((word, at) => ofAspects.has(word) && !isAnswered(sought[at] ?? []));
  const open = phrases.filter(({ subject }) => subject.aspects.length === 0 && !answered.has(subject));
  const isParticular = (word: string) =>
    read.every((language) => rateOf(word, language) < MAX_SHARE_OF_PARTICULAR) && !isFunctionWordOfAny(word);
  const ownWords = open.map(({ from, to }) => words.slice(from, to)).filter((own) => !own.some(isParticular));
  const openWords = new Set(ownWords.flat());
  const unanswered = content.filter((word, at) => !isAnswered(sought[at] ?? []) && !told.includes(word));
  const particular = unanswered.filter((word) => openWords.has(word) || isParticular(word));
  // Beside a particular word that no question is about, a usual one is asked for, too: "music or a DJ".
  const isOther = particular.length > 0 && !found.some(({ isAbout }) => isAbout);
  const missing = isOther ? unanswered.filter((word) => !isFunctionWordOfAny(word)) : particular;
  const recorded = RECORDS_SUBJECTS.filter((id) =>
    phrases.some(
      ({ subject, from, to }) =>
        isOf(id)(subject) &&
        !(id === "complaints" && answered.has(subject)) &&
        // "Reply" alone asks of the owner's replies to reviews, and with "emails" of others.
        !(id === "owner_replies" && to - from === 1 && content.length > 1),
    ),
  );
  if (years.length > 0 && !recorded.includes("trends")) recorded.push("trends");
  // "How many reviews are unanswered?" asks of replies, "how many are positive?" of stars.
  const isOfOthers = recorded.some((id) => !OF_STARS.has(id));
  const ofRecords = recorded.filter((id) => id !== "ratings" || !isOfOthers);
  const about = found.filter(({ isAbout }) => isAbout);
  const sharing = found.filter(({ isAbout }) => !isAbout);
  const isPraise = ofRecords.includes("praise") && found.length === 0;
  const praised = isPraise ? mostPraised(aspects, MAX_PRAISED) : [];
  return {
    faq: [
      ...[...about, ...sharing.slice(0, about.length > 0 ? MAX_SHARING : undefined)].map(({ entry }) => entry),
      ...praised.flatMap(({ id }) => faq.find(({ about }) => about.length === 1 && about[0] === id) ?? []),
    ],
    isAbout: praised.length > 0 || about.length > 0,
    isShared: sharing.length > 0,
    missing,
    wordsOfMissing: subjectsOf(open)
      .flatMap(({ words }) => read.flatMap(({ tag }) => words[tag as (typeof READ_TAGS)[number]]))
      .filter((phrase) => !phrase.includes(" ")),
    wider,
    content,
    others: content.filter((word) => !ofAspects.has(word) && !ofRecord.has(word)),
    ofRecords,
    years,
  };
}

/** The questions about topics of which the FAQ has none, without answers: the FAQ has those of the first five topics. */
function unasked(faq: readonly FaqEntry[], topics: readonly Topic[]): FaqEntry[] {
  return topics
    .filter(({ id }) => !faq.some(({ about }) => about.length === 1 && about[0] === id))
    .map(({ id, label }) => ({ question: topicQuestion(label), answer: "", review_ids: [], about: [id] }));
}

/** All languages that can be read: one may ask in another than those of the reviews. */
const readable = () => READ_TAGS.map(languageNamed);

function isFunctionWordOfAny(word: string): boolean {
  return readable().some((language) => isFunctionWord(word, language));
}

/** Tells whether a subject is the one of this id. */
const isOf =
  (id: RecordsSubject) =>
  ({ aspects }: AskedSubject) =>
    aspects.includes(id);

function isRecorded(subject: AskedSubject): boolean {
  return RECORDS_SUBJECTS.some((id) => isOf(id)(subject));
}

/** The content words; without those that only frame what records or figures answer: "people" of what people like most. */
function withoutFrame(words: readonly string[], phrases: readonly AskedPlace[], read: readonly Language[]): string[] {
  const framed = phrases.filter(({ subject }) => FRAMED.some((id) => isOf(id)(subject)));
  // A word alone is sought as any other is.
  if (framed.length === 0 || words.length === 1) return telling(words, read);
  const others = words.filter((_, at) => !framed.some(({ from, to }) => from <= at && at < to));
  return telling(others, read).filter((word) => !FRAME.has(word));
}

/** The content words. Those that frame questions count only where there is no other. */
function telling(words: readonly string[], languages: readonly Language[]): string[] {
  const content = words.filter(
    (word) => word.length > 1 && !ASKING.has(word) && !languages.some((language) => isFunctionWord(word, language)),
  );
  const others = content.filter((word) => !FRAME.has(word));
  return [...new Set(others.length > 0 ? others : content)];
}

/** A phrase of a subject: the keys of each of its words, of which a word of a query has to have one. */
interface AskedPhrase {
  readonly subject: AskedSubject;
  /** The tag of its language. */
  readonly tag: string;
  readonly words: readonly (readonly string[])[];
}

/** Phrases by each key of their first word, for the languages read (their tags). */
const phrasesFor = new Map<string, ReadonlyMap<string, readonly AskedPhrase[]>>();

function phrasesByKey(read: readonly Language[]): ReadonlyMap<string, readonly AskedPhrase[]> {
  return phrasesFor.getOrInsertComputed(read.map(({ tag }) => tag).join(), () => {
    const byKey = new Map<string, AskedPhrase[]>();
    for (const subject of askedSubjects()) {
      for (const [tag, phrases] of Object.entries(subject.words)) {
        const own = read.filter((language) => language.tag === tag);
        for (const phrase of phrases) {
          const words = wordsOf(phrase).map((word) => [...new Set(keysOf(word, own))]);
          for (const key of words[0] ?? []) byKey.getOrInsertComputed(key, () => []).push({ subject, tag, words });
        }
      }
    }
    return byKey;
  });
}

/** Where words ask about a subject. */
interface AskedPlace {
  readonly subject: AskedSubject;
  /** The tag of the phrase's language. */
  readonly tag: string;
  readonly from: number;
  readonly to: number;
}

/** What words ask about, each subject by the longest phrase at its place: "open late" does not ask who is late. */
function phrasesAsked(words: readonly string[], read: readonly Language[]): AskedPlace[] {
  const byKey = phrasesByKey(read);
  const keys = words.map((word) => new Set(keysOf(word, read)));
  const found = keys.flatMap((own, from) =>
    [...new Set([...own].flatMap((key) => byKey.get(key) ?? []))].flatMap(({ words: phrase, subject, tag }) => {
      let to = from;
      for (const [at, word] of phrase.entries()) {
        const isNext = () => word.some((key) => keys[to]?.has(key));
        while (at > 0 && !isNext() && (AUXILIARIES.has(words[to] ?? "") || isJoined(words, to))) to++;
        if (!isNext()) return [];
        to++;
      }
      return [{ subject, tag, from, to }];
    }),
  );
  return found.filter(
    ({ from, to }) => !found.some((other) => other.from <= from && to <= other.to && other.to - other.from > to - from),
  );
}

/** Whether a word is the two before it, as `wordsOf` joins them: "davis" of "d’avis". */
function isJoined(words: readonly string[], at: number): boolean {
  return at >= 2 && words[at] === `${words[at - 2]}${words[at - 1]}`;
}

function subjectsOf(phrases: readonly AskedPlace[]): AskedSubject[] {
  return [...new Set(phrases.map(({ subject }) => subject))];
}

/** Whether a topic's name is a word for an aspect, as "meals" is for food, which has an answer of its own. */
export function isWordOfAspect(label: string): boolean {
  return subjectsOf(phrasesAsked(wordsOf(label), readable())).some(({ aspects }) => aspects.length > 0);
}

/** Whether two words are forms of one, in any language that is read. */
export function isInflection(one: string, other: string): boolean {
  const keys = new Set(stemKeys(other, readable()));
  return stemKeys(one, readable()).some((key) => keys.has(key));
}

/** Tells whether a topic's name has a phrase of a subject: one asks for the "elevator", customers call it "lift". */
function namedIn(label: string, read: readonly Language[]): (subject: AskedSubject) => boolean {
  const named = subjectsOf(phrasesAsked(wordsOf(label), read));
  return (subject) => named.includes(subject);
}

/** A word's stems, and the word itself: words of languages that are not read are compared as they are written. */
function keysOf(word: string, languages: readonly Language[]): string[] {
  return [`= ${REVIEWS.has(word) ? "reviews" : withoutAccents(word)}`, ...stemKeys(word, languages)];
}

function stemsIn(text: string, languages: readonly Language[]): Set<string> {
  return new Set(wordsOf(text).flatMap((word) => stemKeys(word, languages)));
}

/** Runs of letters and digits in lower case, and what is written without a space as one word, too: "A/C" is also "ac". */
function wordsOf(text: string): string[] {
  return runsIn(text).flatMap((runs) => (runs.length > 1 ? [...runs, runs.join("")] : runs));
}

/** The runs of letters and digits of each piece between spaces. */
function runsIn(text: string): string[][] {
  return foldCase(text)
    .split(/\s+/u)
    .map((written) => written.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
}

/** What is one word only if nothing is between: "cest" of "c’est". What is but letters is one in any case: "A/C". */
function joinedIn(text: string): { readonly word: string; readonly isOfFunctionWords: boolean }[] {
  const isFrame = (run: string) => run.length === 1 || isFunctionWordOfAny(run);
  return runsIn(text)
    .filter((runs) => runs.length > 1 && runs.some(({ length }) => length > 1))
    .map((runs) => ({ word: runs.join(""), isOfFunctionWords: runs.every(isFrame) }));
}
