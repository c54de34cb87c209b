/** Chooses the phrases with which customers praise and blame an aspect: verbatim, each understandable by itself. */
import type { Sentiment } from "../../insights-document.ts";
import { findings } from "../reading/findings.ts";
import { frameOf } from "../sentiment/polarity.ts";
import { valenceOf } from "../sentiment/valence.ts";
import type { Taxonomy } from "../taxonomy/taxonomy.ts";
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
  const words = taxonomy.aspects[aspect];
  if (words === undefined) return [];
  const own = ownStems(words);
  /** Memo of whether a phrase can be shown: mentions repeat each other's words. */
  const memo = new Map<string, boolean>();
  const candidates = new Map<string, Candidate>();
  for (const { evidence, matches, clarity, sentiment } of mentions) {
    if (clarity < MIN_CLARITY) continue;
    const ofMention = new Set<string>();
    for (const { from, to } of matches) {
      const phrase = fitPhrase(evidence, from, to);
      if (phrase === undefined) continue;
      const wording = { stems: stemsOf(phrase), own, sentiment };
      const key = [...wording.stems].join(" ");
      if (ofMention.has(key) || isFragment(phrase, wording)) continue;
      ofMention.add(key);
      const said = { aspect, sentiment };
      const isShown = () =>
        readsWhole(phrase) && saysAlone(phrase, said, taxonomy) && isSelfContained(phrase, said, taxonomy);
      if (!memo.getOrInsertComputed(phrase, isShown)) continue;
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
  const tokens = tokenise(phrase);
  const { matches, against } = expressions(frameOf(tokens), said, taxonomy);
  const last = matches.at(-1);
  if (last === undefined || against > 0) return false;
  const after = tokens.forms.slice(last.to);
  if (after.length === 0 || after.some(isSmall)) return true;
  const judging = tokens.forms.slice(last.from, last.to).find((form) => valenceOf(form) !== 0);
  return judging === undefined || !isOfAnother(`${judging} ${after.at(-1) ?? ""}`, said, taxonomy);
}

/** Whether a judgement and a noun speak of another aspect only: "great service" of the "great drinks service". */
function isOfAnother(words: string, { aspect }: Said, taxonomy: Taxonomy): boolean {
  const tokens = tokenise(words);
  const ofNoun = findings(frameOf(tokens), taxonomy).aspects.filter(({ to }) => to === tokens.forms.length);
  return ofNoun.length > 0 && ofNoun.every((finding) => finding.aspect !== aspect);
}

/** Whether a phrase has no digits or names, is not cut off, and does not end in the beginning of another clause. */
function readsWhole(phrase: string): boolean {
  const words = phrase.split(" ");
  const [first = "", last = "", beforeLast = ""] = [words[0], words.at(-1), words.at(-2)];
  if (/\d/.test(phrase) || words.slice(1).some((word) => /^\p{Lu}\p{Ll}/u.test(word) && !/^I\b/.test(word)))
    return false;
  const opensWithName =
    /^\p{Lu}\p{Ll}/u.test(first) && valenceOf(first.toLowerCase()) === 0 && /^\p{Ll}+(ed|s|t|e)$/u.test(words[1] ?? "");
  if (opensWithName && !COMMON_OPENINGS.test(first)) return false;
  if (/ (which|whom?|whose|that) /i.test(phrase)) return false;
  if (/^(whom?|whose|even|from|start|now|then|there|here|today|tonight|yesterday|tomorrow)$/i.test(last)) return false;
  if (/^(an?|the|our|my|their|his|her)$/i.test(beforeLast) && valenceOf(last.toLowerCase()) !== 0) return false;
  if (/ (and|or) (nothing|no|not|\p{Ll}+(ing|ed))$/u.test(phrase)) return false;
  if (CUT_END.test(phrase) || CUT_START.test(phrase) || isRunOn(words)) return false;
  // Half of a pair with what was left out before it, "food and wonderful people", and what was done without how.
  const [opensPair, isDoing] = [/^\S+ (and|or) /.test(phrase), /ing (an?|the|our|my|their|his|her) /.test(phrase)];
  if (opensPair && valenceOf(first.toLowerCase()) === 0) return false;
  return !isDoing || words.some((word) => valenceOf(word.toLowerCase()) !== 0);
}

/** An end that means something only with the words around it: "put up new", "goes way", "answered a hundred", "wait to over hour", "walked me through". */
const CUT_END =
  /(?<! (brand|like|as))( new)$|(?<! (the|every|each|right))( way)$| (one|two|three|four|five|six|ten|twelve|hundred|thousand|dozen)$| (over|under|about|nearly|almost) (hour|minute|day|week)$| etc$| (me|us|him|her|them) through$/i;

/** A beginning that means something only with the words before it: "at no cost", "less than we expected", "each step of the way". */
const CUT_START =
  /^(?!(?:on|in) time\b|with(?:out)? )(?:in|on|at|by|for|from|within|inside|around|under|over|behind|through|since|before|after|into|until|less than|more than (?:an?|the|i|we|my|our|what)|lot|bit|little|(?:kind|sort) of|unless|(?:each|every) (?:step|time)) /i;

/** The valence of a plain judgement. */
const JUDGING = 1.2;
/** Words that join two judgements, or lead from one to another. */
const JOINING = /^(and|or|but|nor|yet|is|was|were|are|be|been|as|to|with|of|for|than|&)$/i;
/** Words that strengthen the next one. */
const STRENGTHENING = /^(super|pretty|well|most|so|too|(?!(?:friend|love|live|cost|time|ug|kind)ly$)\p{L}+ly)$/iu;

/** Endings of nouns that judge and follow an adjective: "great respect". */
const JUDGING_NOUN =
  /(ness|ity|esty|esy|[ae]nce|ment|tion|ship|respect|trust|faith|care|value|help|support|fun|joy|love|comfort|pleasure|peace|success|welcome)$/i;

/** Whether a phrase ends in a judgement that nothing joins to the one before it: "rude incompetent", "good service best". */
function isRunOn(words: readonly string[]): boolean {
  const judges = (word = "", next = "") =>
    (Math.abs(valenceOf(word.toLowerCase())) >= JUDGING && next !== "up") ||
    /^(polite|punctual|courteous|careful)$/i.test(word);
  const last = words.at(-1) ?? "";
  if (!judges(last) || JUDGING_NOUN.test(last)) return false;
  const before = words.slice(0, -1);
  const joined = before.findLastIndex((word) => JOINING.test(word));
  return before.slice(joined + 1).some((word, at, all) => judges(word, all[at + 1]) && !STRENGTHENING.test(word));
}

/** When or how, without what: "in a timely manner" and "on the same day" without their prepositions. */
const TIME_OR_MANNER =
  /^(?:every step of the way|(?:very |that )?same (?:day|week)(?: of .*)?|(?:within |in )?(?:an? )?(?:timely|prompt|quick|speedy|efficient) (?:manner|fashion)|(?:within |in )?(?:an?|the|few|one|two) (?:minute|hour|day|week)s?)$/iu;

/** One of these in a phrase of two words makes it a fault: "nobody came", "replaced twice", "extra charge"; not "duct tape". */
const HAPPENING = /^(no|not|nobody|never|zero|nothing|same|extra|twice|behind|came|cut)$|(ed|en|ing)$/;

/** Whether a phrase means nothing to a stranger: only a time or manner, or two words that neither judge, nor name the aspect or a fault. */
function isFragment(phrase: string, { stems, own, sentiment }: Wording): boolean {
  if (TIME_OR_MANNER.test(phrase)) return true;
  const { forms } = tokenise(phrase);
  if (forms.length !== 2 || (sentiment === "negative" && forms.some((form) => HAPPENING.test(form)))) return false;
  return forms.every((form) => valenceOf(form) === 0) && ![...stems].some((word) => own.has(word));
}

/** Common capitalised words at the start of a sentence, which are not names. */
const COMMON_OPENINGS =
  /^(Work|Service|Price|Prices|Food|Staff|Team|Crew|Communication|Everything|Everyone|Always|Never|They|He|She|We|It|The|Showed|Arrived|Came|Cleaned|Looks)$/;

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
}

/**
 * Scores how well a phrase reads. The aspect's own words and judging words make it meaningful to every reader; names,
 * digits, a final word that refers elsewhere and unusual lengths lower the score.
 */
function readability(phrase: string, { stems, own, sentiment }: Wording): number {
  const words = phrase.split(" ");
  const judged = tokenise(phrase).forms.reduce((sum, form) => sum + valenceOf(form), 0);
  const judges = Math.max(-1, Math.min(1, (sentiment === "negative" ? -judged : judged) / 2));
  const named = words.slice(1).some((word) => /^\p{Lu}/u.test(word) && !/^I\b/.test(word));
  const points = /^(it|them|him|her|that|me|us)$/i.test(words.at(-1) ?? "");
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

function stemsOf(phrase: string): Set<string> {
  const { forms } = tokenise(phrase);
  const content = forms.filter((form) => !isSmall(form));
  return new Set((content.length > 0 ? content : forms).map(stem));
}

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared * 2 >= Math.min(a.size, b.size);
}
