/** Chooses the phrases with which customers praise and blame an aspect: verbatim, each understandable by itself. */
import type { Sentiment } from "../../insights-document.ts";
import { findings } from "../reading/findings.ts";
import { frameOf } from "../sentiment/polarity.ts";
import { valenceOf } from "../sentiment/valence.ts";
import { inLanguage, type Taxonomy } from "../taxonomy/taxonomy.ts";
import { type Language, perLanguage } from "../text/language-words.ts";
import { fitPhrase, isSmall } from "../text/phrase-cut.ts";
import { tokenise } from "../text/tokens.ts";
import { stem } from "../text/word-stem.ts";
import { expressions, isSelfContained, type MentionClarity, ownStems } from "./mention-clarity.ts";

const MAX_PHRASES = 5;
/** Minimum clarity of a mention for a phrase to be taken from its evidence. */
const MIN_CLARITY = 2.5;
/** Minimum overall weight of a phrase: a weak phrase is worse than none. */
const MIN_WEIGHT = 3.9;
/** Minimum share of the mentions for the minority side to have a phrase. */
const MIN_SHARE = 0.15;

/** How a language's phrases read whole (`phrases.shown` in taxonomies/words). */
const reading = perLanguage(({ phrases: { shown } }) => ({
  /** An end that means something only with the words around it: "put up new", "goes way", "walked me through". */
  cutEnd: new RegExp(shown.cut_end, "iu"),
  /** A beginning that means something only with the words before it: "at no cost", "less than we expected". */
  cutStart: new RegExp(shown.cut_start, "iu"),
  /** Words that join two judgements, or lead from one to another. */
  joining: new RegExp(shown.joining, "iu"),
  /** Words that strengthen the next one. */
  strengthening: new RegExp(shown.strengthening, "iu"),
  /** Endings of nouns that judge and follow an adjective: "great respect". */
  judgingNoun: new RegExp(shown.judging_noun, "iu"),
  /** When or how, without what: "in a timely manner" and "on the same day" without their prepositions. */
  timeOrManner: new RegExp(shown.time_or_manner, "iu"),
  /** One of these in a phrase of two words makes it a fault: "nobody came", "replaced twice"; not "duct tape". */
  happening: new RegExp(shown.happening, "u"),
  /** Common capitalised words at the start of a sentence, which are not names, and the verbs after a name. */
  commonOpenings: new RegExp(shown.common_openings, "u"),
  namedVerb: new RegExp(shown.named_verb, "u"),
  /** What only a name is written like within a sentence, and what is written so besides. */
  name: new RegExp(shown.name, "u"),
  capital: new RegExp(shown.capital, "u"),
  relative: new RegExp(shown.relative, "iu"),
  openEnd: new RegExp(shown.open_end, "iu"),
  article: new RegExp(shown.article, "iu"),
  loosePair: new RegExp(shown.loose_pair, "u"),
  pair: new RegExp(shown.pair, "u"),
  doing: new RegExp(shown.doing, "u"),
  plainJudgement: new RegExp(shown.plain_judgement, "iu"),
  afterJudgement: shown.after_judgement,
  /** A last word that refers elsewhere. */
  pointing: new RegExp(shown.pointing, "iu"),
}));

interface Candidate {
  readonly stems: ReadonlySet<string>;
  /** The best-reading spelling of the phrase, and its score. */
  phrase: string;
  score: number;
  count: number;
}

/**
 * Up to five phrases, the prevailing side's first, divided in proportion to the sides' mentions; on each side,
 * recurring and clear phrases first. `mentions` belong to the taxonomy's aspect number `aspect`, newest first.
 */
export function topPhrases(mentions: readonly MentionClarity[], aspect: number, taxonomy: Taxonomy): string[] {
  const side = (sentiment: Sentiment) => mentions.filter((mention) => mention.sentiment === sentiment);
  const sides = [side("positive"), side("negative")].sort((a, b) => b.length - a.length);
  const [major = [], minor = []] = sides;
  const share = minor.length / Math.max(1, major.length + minor.length);
  const wanted = share < MIN_SHARE ? 0 : Math.max(1, Math.round(MAX_PHRASES * share));
  const [first, second] = [ranked(major, aspect, taxonomy), ranked(minor, aspect, taxonomy)];
  const chosen = distinct(second, wanted, []);
  const leading = distinct(first, MAX_PHRASES - chosen.length, chosen);
  return [...leading, ...chosen].map(({ phrase }) => phrase);
}

/** Phrases from one side's mentions, best first; ties by newest. */
function ranked(mentions: readonly MentionClarity[], aspect: number, taxonomy: Taxonomy): Candidate[] {
  const scaleOf = perLanguage((_, language) => {
    const spoken = inLanguage(taxonomy, language) ?? taxonomy;
    return { spoken, own: ownStems(spoken, aspect) };
  });
  const candidates = new Map<string, Candidate>();
  for (const { evidence, matches, clarity, sentiment } of mentions) {
    if (clarity < MIN_CLARITY) continue;
    const ofMention = new Set<string>();
    const { spoken, own } = scaleOf(evidence.vocabulary.language);
    for (const { from, to } of matches) {
      const phrase = fitPhrase(evidence, from, to);
      if (phrase === undefined) continue;
      const wording = { stems: stemsOf(phrase, spoken.language), own, sentiment, language: spoken.language };
      const key = [...wording.stems].join(" ");
      if (ofMention.has(key) || isFragment(phrase, wording)) continue;
      ofMention.add(key);
      const said = { aspect, sentiment };
      const isShown =
        readsWhole(phrase, spoken.language) && saysAlone(phrase, said, spoken) && isSelfContained(phrase, said, spoken);
      if (!isShown) continue;
      const unseen = { stems: wording.stems, phrase, score: Number.NEGATIVE_INFINITY, count: 0 };
      const candidate = candidates.getOrInsert(key, unseen);
      candidate.count++;
      const score = clarity + readability(phrase, wording);
      if (score <= candidate.score) continue;
      candidate.phrase = phrase;
      candidate.score = score;
    }
  }
  const weight = ({ score, count }: Candidate) => score + 1.5 * Math.log2(count);
  return [...candidates.values()]
    .filter((candidate) => weight(candidate) >= MIN_WEIGHT)
    .sort((a, b) => weight(b) - weight(a));
}

interface Said {
  readonly aspect: number;
  readonly sentiment: Sentiment;
}

/** Whether the phrase alone matches a pattern for this sentiment, none that contradicts it, and is about this aspect. */
function saysAlone(phrase: string, said: Said, taxonomy: Taxonomy): boolean {
  const { language } = taxonomy;
  const tokens = tokenise(phrase, language);
  const { matches, against } = expressions(frameOf(tokens), said, taxonomy);
  const last = matches.at(-1);
  if (last === undefined || against > 0) return false;
  const after = tokens.forms.slice(last.to);
  if (after.length === 0 || after.some((form) => isSmall(form, language))) return true;
  const judging = tokens.forms.slice(last.from, last.to).find((form) => valenceOf(form, language) !== 0);
  return judging === undefined || !isOfAnother(`${judging} ${after.at(-1) ?? ""}`, said, taxonomy);
}

/** Whether a judgement and a noun speak of another aspect only: "great service" of the "great drinks service". */
function isOfAnother(words: string, { aspect }: Said, taxonomy: Taxonomy): boolean {
  const tokens = tokenise(words, taxonomy.language);
  const ofNoun = findings(frameOf(tokens), taxonomy).aspects.filter(({ to }) => to === tokens.forms.length);
  return ofNoun.length > 0 && ofNoun.every((finding) => finding.aspect !== aspect);
}

/** Whether a phrase has no digits or names, is not cut off, and does not end in the beginning of another clause. */
function readsWhole(phrase: string, language: Language): boolean {
  const rules = reading(language);
  const judges = (word: string) => valenceOf(word.toLowerCase(), language) !== 0;
  const words = phrase.split(" ");
  const [first = "", last = "", beforeLast = ""] = [words[0], words.at(-1), words.at(-2)];
  if (/\d/.test(phrase) || words.slice(1).some((word) => rules.name.test(word) && !rules.capital.test(word)))
    return false;
  const opensWithName = /^\p{Lu}\p{Ll}/u.test(first) && !judges(first) && rules.namedVerb.test(words[1] ?? "");
  if (opensWithName && !rules.commonOpenings.test(first)) return false;
  if (rules.relative.test(phrase) || rules.openEnd.test(last)) return false;
  if (rules.article.test(beforeLast) && judges(last)) return false;
  if (rules.loosePair.test(phrase)) return false;
  if (rules.cutEnd.test(phrase) || rules.cutStart.test(phrase) || isRunOn(words, language)) return false;
  // Half of a pair with what was left out before it, "food and wonderful people", and what was done without how.
  if (rules.pair.test(phrase) && !judges(first)) return false;
  return !rules.doing.test(phrase) || words.some(judges);
}

/** The valence of a plain judgement. */
const JUDGING = 1.2;
/** Whether a phrase ends in a judgement that nothing joins to the one before it: "rude incompetent", "good service best". */
function isRunOn(words: readonly string[], language: Language): boolean {
  const { plainJudgement, afterJudgement, judgingNoun, joining, strengthening } = reading(language);
  const judges = (word = "", next = "") =>
    (Math.abs(valenceOf(word.toLowerCase(), language)) >= JUDGING && next !== afterJudgement) ||
    plainJudgement.test(word);
  const last = words.at(-1) ?? "";
  if (!judges(last) || judgingNoun.test(last)) return false;
  const before = words.slice(0, -1);
  const joined = before.findLastIndex((word) => joining.test(word));
  return before.slice(joined + 1).some((word, at, all) => judges(word, all[at + 1]) && !strengthening.test(word));
}

/** Whether a phrase means nothing to a stranger: only a time or manner, or two words that neither judge, nor name the aspect or a fault. */
function isFragment(phrase: string, { stems, own, sentiment, language }: Wording): boolean {
  const { timeOrManner, happening } = reading(language);
  if (timeOrManner.test(phrase)) return true;
  const { forms } = tokenise(phrase, language);
  if (forms.length !== 2 || (sentiment === "negative" && forms.some((form) => happening.test(form)))) return false;
  return forms.every((form) => valenceOf(form, language) === 0) && ![...stems].some((word) => own.has(word));
}

function distinct(candidates: readonly Candidate[], most: number, taken: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    if (chosen.length === most) break;
    if (![...taken, ...chosen].some(({ stems }) => isAlike(candidate.stems, stems))) chosen.push(candidate);
  }
  return chosen;
}

interface Wording {
  readonly stems: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
  readonly sentiment: Sentiment;
  readonly language: Language;
}

/**
 * Scores how well a phrase reads. The aspect's own words and judging words make it meaningful to every reader; names,
 * digits, a final word that refers elsewhere and unusual lengths lower the score.
 */
function readability(phrase: string, { stems, own, sentiment, language }: Wording): number {
  const { name, capital, pointing } = reading(language);
  const words = phrase.split(" ");
  const judged = tokenise(phrase, language).forms.reduce((sum, form) => sum + valenceOf(form, language), 0);
  const judges = Math.max(-1, Math.min(1, (sentiment === "negative" ? -judged : judged) / 2));
  const named = words.slice(1).some((word) => (name.test(word) || /^\p{Lu}+$/u.test(word)) && !capital.test(word));
  const points = pointing.test(words.at(-1) ?? "");
  const size = words.length === 3 || words.length === 4 ? 0.5 : words.length === 6 ? -0.25 : 0;
  return (
    size +
    judges +
    ([...stems].some((word) => own.has(word)) ? 0.75 : 0) -
    (named ? 1 : 0) -
    (points ? 1.5 : 0) -
    (/\d/.test(phrase) ? 0.75 : 0)
  );
}

function stemsOf(phrase: string, language: Language): Set<string> {
  const { forms } = tokenise(phrase, language);
  const content = forms.filter((form) => !isSmall(form, language));
  return new Set((content.length > 0 ? content : forms).map((form) => stem(form, language)));
}

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared * 2 >= Math.min(a.size, b.size);
}
