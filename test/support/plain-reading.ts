/**
 * How a text is read, written to be read: the plain twin of `src/insight/engine/`. It finds patterns by trying each at
 * every word, adds a clause's weights one feature at a time and computes every aspect. It is some hundred times slower,
 * and every number that it gives has the same bits.
 */
import { inflateRawSync } from "node:zlib";
import type { Finding } from "../../src/insight/engine/clause-features.ts";
import { logarithm, logistic } from "../../src/insight/engine/exact-math.ts";
import { KIND, mixed } from "../../src/insight/engine/feature-space.ts";
import type { Match } from "../../src/insight/engine/matcher.ts";
import type { AspectReading } from "../../src/insight/engine/review-reading.ts";
import {
  AROUND_WEIGHT,
  aspectCue,
  aspectOf,
  type Clause,
  cueOf,
  type ModelFile,
  type ModelFiles,
} from "../../src/insight/engine/trained-model.ts";
import { hashOf, WITHOUT_VECTOR } from "../../src/insight/engine/word-vectors.ts";
import { type Frame, isNegated } from "../../src/insight/sentiment/polarity.ts";
import { isWished } from "../../src/insight/sentiment/tone.ts";
import { ENGLISH, type Language } from "../../src/insight/text/language-words.ts";
import { type Element, parsePattern, type Sequence } from "../../src/insight/text/pattern.ts";
import type { Tokens } from "../../src/insight/text/tokens.ts";
import { fullVerbs, kindsOf } from "../../src/insight/text/word-keys.ts";
import { headOf, likeEnglish, stem } from "../../src/insight/text/word-stem.ts";

type Classes = Readonly<Record<string, readonly string[]>>;
const MAX_MATCH_WORDS = 30;

/** Returns a function that finds every pattern in a text: for each pattern and start the longest match. */
export function plainMatcher(
  patterns: readonly string[],
  classes: Classes,
  language: Language = ENGLISH,
): (tokens: Tokens) => Match[] {
  const sequences = patterns.map((pattern) => parsePattern(pattern, language));
  const members = new Map(
    Object.entries(classes).map(([name, list]) => [name, list.map((pattern) => parsePattern(pattern, language))]),
  );
  return ({ forms, breaks }) => {
    const words = forms.map((form) => keysOf(form, language));
    const all = new Set(words.flatMap((keys) => [...keys]));
    const matches: Match[] = [];
    for (const [pattern, sequence] of sequences.entries()) {
      // Most patterns contain a word that the text lacks.
      if (sequence.some((element) => element.kind === "word" && !all.has(element.key))) continue;
      const [first] = sequence;
      for (let from = 0; from < words.length; from++) {
        if (first?.kind === "word" && !(words[from] as ReadonlySet<string>).has(first.key)) continue;
        const ends = [...follow(sequence, new Map([[from, false]]), from).keys()];
        if (ends.length > 0) matches.push({ pattern, from, to: Math.max(...ends) });
      }
    }
    return matches.sort((a, b) => a.from - b.from || a.pattern - b.pattern);

    /** Where a sequence can end, by where it can start; the value says whether a sentence may open there. */
    function follow(elements: Sequence, starts: ReadonlyMap<number, boolean>, from: number): Map<number, boolean> {
      return elements.reduce((ends, element) => after(element, ends, from), new Map(starts));
    }

    function after(element: Element, starts: Map<number, boolean>, from: number): Map<number, boolean> {
      if (element.kind === "word") return step(starts, from, (at) => words[at]?.has(element.key) === true);
      const ends = new Map<number, boolean>();
      const add = (reached: ReadonlyMap<number, boolean>) => {
        for (const [at, mayCross] of reached) ends.set(at, mayCross || ends.get(at) === true);
      };
      if (element.kind === "gap") {
        let last = new Map([...starts].map(([at, mayCross]) => [at, mayCross || element.crossing]));
        for (let count = 0; count <= element.most; count++) {
          for (const at of last.keys()) ends.set(at, element.crossing);
          last = step(last, from, () => true, element.crossing);
        }
        return ends;
      }
      if (element.kind === "optional") add(starts);
      for (const row of element.kind === "class" ? (members.get(element.name) ?? []) : element.sequences) {
        add(follow(row, starts, from));
      }
      return ends;
    }

    function step(
      starts: ReadonlyMap<number, boolean>,
      from: number,
      isWord: (at: number) => boolean,
      mayCrossNext = false,
    ): Map<number, boolean> {
      const ends = new Map<number, boolean>();
      for (const [at, mayCross] of starts) {
        if (at >= words.length || at - from >= MAX_MATCH_WORDS) continue;
        if (at > from && breaks[at] === 2 && !mayCross) continue;
        if (isWord(at)) ends.set(at + 1, mayCrossNext);
      }
      return ends;
    }
  };
}

/** All that a pattern may ask of a word. */
function keysOf(form: string, language: Language): ReadonlySet<string> {
  const { kind, isClock } = kindsOf(form, language);
  return new Set([
    stem(form, language),
    headOf(form, language) ?? "",
    `=${form}`,
    ...fullVerbs(form, language),
    ...(kind ?? "").split(" "),
    isClock ? "#clock" : "",
  ]);
}

/** The cues of an aspect in a clause, in the order of the model's weights. */
const CUES = { positive: 0, negative: 1, open: 2, neutral: 3, long: 4, rival: 5 } as const;

/** A text: its words, its pattern matches and its stars. */
interface PlainText {
  readonly frame: Frame;
  readonly found: readonly Finding[];
  readonly rating?: number | undefined;
}

/** A clause's words, `from` to `to` (exclusive), and the sums of its valences above and below zero. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly praise: number;
  readonly blame: number;
}

/** A clause with its scores, all of them log odds. */
interface Scored extends Clause {
  readonly presence: readonly number[];
  readonly polarity: readonly number[];
  /** The polarity before the cues of single aspects are added. */
  readonly shared: number;
  /** What the stars added: by aspect, then to the polarity. */
  readonly stars: readonly number[];
}

/** Returns a function that reads all aspects of a text. `aspects` is their number if the model was not trained for them. */
export function plainReader(
  files: ModelFiles,
  language: Language = ENGLISH,
): (read: PlainText, aspects?: number) => AspectReading[] {
  const model = JSON.parse(files.weights) as ModelFile;
  const vectors = JSON.parse(files.vectors);
  const outputs = model.aspects.length + 1;
  const weightsOf = featureWeights(model, outputs);
  const rowOf = new Map(numbers(vectors.keys, Int32Array).map((key, row) => [key, row]));
  const [table, groups] = [numbers(vectors.table, Int8Array), numbers(vectors.groups, Uint8Array)];
  const { dimensions } = vectors;
  const [input, output] = [model.hidden.input, model.hidden.output].map(({ scale, values }) =>
    numbers(values, Int16Array).map((value) => value * scale),
  ) as [number[], number[]];

  return (read, aspects) => {
    const spans = spansOf(read.frame);
    const clauses = spans.map((_, at) => scored(read, spans, at, aspects));
    return Array.from({ length: aspects ?? outputs - 1 }, (_, aspect) =>
      readAspect(clauses, aspect, { rating: read.rating ?? 3, isModelled: aspects === undefined }),
    );
  };

  /** Every word is known by a hash; frequent ones have a vector, and a group of similar words. */
  function wordOf(form: string) {
    const english = language === ENGLISH ? form : (likeEnglish(form, language) ?? "");
    const known = english === "" ? `${language.tag} ${stem(form, language)}` : stem(english, ENGLISH);
    const hash = hashOf(kindsOf(form, language).kind ?? known);
    const row = english === "" || WITHOUT_VECTOR.has(english) ? undefined : rowOf.get(hashOf(english));
    return { hash, row, group: row === undefined ? hash : mixed(groups[row] as number, 7) };
  }

  function scored(read: PlainText, spans: readonly Span[], at: number, aspects: number | undefined): Scored {
    const { frame, found, rating } = read;
    const span = spans[at] as Span;
    const wordsOf = (of: Span | undefined) => frame.tokens.forms.slice(of?.from ?? 0, of?.to ?? 0).map(wordOf);
    const words = wordsOf(span);
    const opening = words[0]?.hash as number;
    // The features of the clause itself: its words, then how it sounds and where it is, then its patterns.
    const own = [mixed(KIND.always, 0), mixed(KIND.opening, opening)];
    for (const [index, { hash }] of words.entries()) {
      const next = words[index + 1];
      own.push(mixed(hash, KIND.word));
      if (next !== undefined) own.push(mixed(mixed(hash, KIND.pair), next.hash));
      if (isNegated(frame, span.from + index)) own.push(mixed(hash, KIND.negated));
    }
    own.push(...new Set(words.map(({ group }) => mixed(group, KIND.group))));
    own.push(mixed(KIND.praise, Math.min(4, Math.ceil(span.praise / 1.5))));
    own.push(mixed(KIND.blame, Math.min(4, Math.ceil(span.blame / 1.5))));
    own.push(mixed(KIND.length, Math.min(5, words.length)));
    const end = frame.tokens.ends[span.to - 1] as number;
    if (frame.tokens.text.slice(end, end + 3).includes("?")) own.push(mixed(KIND.question, 0));
    own.push(mixed(KIND.place, spans.length === 1 ? 0 : at === 0 ? 1 : at === spans.length - 1 ? 2 : 3));
    own.push(mixed(KIND.toneBefore, toneOf(spans[at - 1])), mixed(KIND.toneAfter, toneOf(spans[at + 1])));
    own.push(mixed(KIND.toneOfText, toneOfText(spans)));
    const cues = new Set<number>();
    for (const finding of found.filter(({ from }) => from >= span.from && from < span.to)) {
      const [stance, length] = [CUES[stanceOf(frame, finding)], finding.to - finding.from];
      cues.add(aspectCue(finding.aspect, stance));
      if (length >= 3) cues.add(aspectCue(finding.aspect, CUES.long));
      if (finding.ofRival) cues.add(aspectCue(finding.aspect, CUES.rival));
      if (finding.ofRival) own.push(mixed(KIND.rival, 0));
      const pattern = mixed(mixed(KIND.pattern, finding.aspect), stance);
      if (aspects === undefined) own.push(pattern, mixed(pattern, 100 + Math.min(4, length)));
    }
    const around = [
      ...wordsOf(spans[at - 1]).map(({ hash }) => mixed(hash, KIND.before)),
      ...wordsOf(spans[at + 1]).map(({ hash }) => mixed(hash, KIND.after)),
    ];
    const ofStars = [
      mixed(KIND.stars, rating ?? 0),
      mixed(KIND.stars, 9),
      mixed(KIND.toneWithStars, toneOf(span) * 10 + (rating ?? 0)),
      mixed(mixed(KIND.openingWithStars, rating ?? 0), opening),
    ];
    // Linear weights, then the hidden layer over the words' vectors.
    const none = new Array<number>(outputs).fill(0);
    const scale = (sum: number, index: number) => sum * (model.weights.scales[index] as number);
    const stars = withWeights(none, rating === undefined ? [] : ofStars).map(scale);
    const linear = withWeights(
      withWeights(none, around).map((sum) => sum * AROUND_WEIGHT),
      own,
    );
    const units = hiddenUnits(words.flatMap(({ row }) => row ?? []));
    const sums = linear.map((sum, index) =>
      units.reduce(
        (all, value, unit) => all + value * (output[unit * outputs + index] as number),
        scale(sum, index) + (stars[index] as number),
      ),
    );
    // The cues of an aspect. Of aspects unknown to the model, patterns alone tell which are mentioned.
    const shared = sums[outputs - 1] as number;
    const presence = aspects === undefined ? sums.slice(0, -1) : new Array<number>(aspects).fill(-30);
    const polarity = presence.map(() => shared);
    for (const entry of cues) {
      const [aspect, cue] = [aspectOf(entry), cueOf(entry)];
      if (aspects === undefined) (presence[aspect] as number) += model.cues.presence[cue] as number;
      else if (cue <= CUES.neutral) presence[aspect] = 2.5;
      (polarity[aspect] as number) += model.cues.polarity[cue] as number;
    }
    const denies = frame.negators.some((negator) => negator >= span.from && negator < span.to);
    return { from: span.from, to: span.to, cues: [...cues], denies, presence, polarity, shared, stars };
  }

  /** Adds the weights of features, 256 at a time: each batch is a sum of whole numbers, exact in any order. */
  function withWeights(sums: readonly number[], features: readonly number[]): number[] {
    if (features.length === 0) return [...sums];
    const batch = features.slice(0, 256).map(weightsOf);
    const added = sums.map((sum, index) => sum + batch.reduce((all, row) => all + (row?.[index] ?? 0), 0));
    return withWeights(added, features.slice(256));
  }

  /** The hidden layer: units over the sum of the words' vectors, which is as long for a long clause as for a short one. */
  function hiddenUnits(rows: readonly number[]): number[] {
    const factor = rows.length === 0 ? 0 : (1.5 * vectors.scale) / Math.sqrt(rows.length);
    return model.hidden.bias.map((bias, unit) => {
      let sum = 0;
      for (const row of rows) {
        let share = 0;
        for (let at = 0; at < dimensions; at++) {
          share += (input[unit * dimensions + at] as number) * (table[row * dimensions + at] as number);
        }
        sum += share;
      }
      return Math.max(0, sum * factor + bias);
    });
  }
}

/** Returns a function that gives a feature's weights by its hash; undefined for one without. */
function featureWeights(model: ModelFile, outputs: number): (hash: number) => Int8Array | undefined {
  const inflate = (base64: string) => inflateRawSync(Buffer.from(base64, "base64"));
  const [planes, values] = [inflate(model.keys), new Int8Array(inflate(model.weights.values))];
  const count = planes.length / 4;
  let hash = 0;
  const rows = new Map<number, Int8Array>();
  for (let at = 0; at < count; at++) {
    for (let plane = 0; plane < 4; plane++) hash += (planes[plane * count + at] as number) << (8 * plane);
    rows.set(hash, values.subarray(at * outputs, (at + 1) * outputs));
  }
  return (feature) => rows.get(feature);
}

function numbers(base64: string, kind: new (buffer: ArrayBuffer) => Iterable<number>): number[] {
  return [...new kind(Uint8Array.from(Buffer.from(base64, "base64")).buffer)];
}

/** The clauses of a text, split also at pauses with praise on one side and blame on the other. */
function spansOf({ clauses: { clause }, tokens: { breaks }, valences }: Frame): Span[] {
  const starts: number[] = [];
  let before = 0;
  for (let at = 0; at < clause.length; at++) {
    let end = at + 1;
    while (end < clause.length && clause[end] === clause[at] && breaks[end] === 0) end++;
    const ahead = valences.slice(at, end).reduce((all, value) => all + value, 0);
    if (at === 0 || clause[at] !== clause[at - 1] || (breaks[at] === 1 && before * ahead < 0)) {
      starts.push(at);
      before = 0;
    }
    before += valences[at] as number;
  }
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? clause.length;
    const sum = (sign: number) =>
      valences.slice(from, to).reduce((all, value) => (value * sign > 0 ? all + value * sign : all), 0);
    return { from, to, praise: sum(1), blame: sum(-1) };
  });
}

/** 0 if praise and blame are equal, 1 for praise, 2 for blame, 3 where there is no clause. */
function toneOf(span: Span | undefined): number {
  if (span === undefined) return 3;
  return span.praise === span.blame ? 0 : span.praise > span.blame ? 1 : 2;
}

function toneOfText(spans: readonly Span[]): number {
  const [praise, blame] = [0, 1].map((at) =>
    spans.reduce((all, span) => all + (at === 0 ? span.praise : span.blame), 0),
  ) as [number, number];
  return praise + blame === 0 ? 0 : 1 + Math.min(4, Math.floor((5 * praise) / (praise + blame)));
}

/** A pattern's stance in context: negation reverses it, and praise that is only wished for counts as negative. */
function stanceOf(frame: Frame, { stance, ownNegation, from, to }: Finding): Finding["stance"] {
  const isReversed = !ownNegation && isNegated(frame, from, to);
  if (stance === "negative") return isReversed ? "positive" : "negative";
  if (stance === "positive") return isReversed || isWished(frame, from) ? "negative" : "positive";
  return stance;
}

/** One aspect's reading: all its clauses together, and those that show praise and blame best. */
function readAspect(
  clauses: readonly Scored[],
  aspect: number,
  { rating, isModelled }: { readonly rating: number; readonly isModelled: boolean },
): AspectReading {
  const all = clauses.map((clause) => {
    const [presence, polarity] = [clause.presence[aspect] as number, clause.polarity[aspect] as number];
    const withoutStars = presence - (isModelled ? (clause.stars[aspect] as number) : 0);
    const polarityWithoutStars = polarity - (clause.stars.at(-1) as number);
    const others = clause.presence.filter((_, other) => other !== aspect);
    return {
      clause,
      presence,
      polarity,
      reading: judged(presence, polarity),
      byWords: judged(withoutStars, polarityWithoutStars),
      otherPresence: Math.max(Number.NEGATIVE_INFINITY, ...others),
      others: others.reduce((sum, other) => sum + logistic(other), 0),
    };
  });
  type One = (typeof all)[number];
  const first = all[0] as One;
  const best = (score: (one: One, at: number) => number, least: number) =>
    all.reduce((found, one, at) => (score(one, at) > found.most ? { one, most: score(one, at) } : found), {
      one: first,
      most: least,
    });
  const praising = best(({ reading }) => reading.praise, 0);
  const blaming = best(({ reading }) => reading.blame, 0);
  const [whole, byWords] = [together(all.map(({ reading }) => reading)), together(all.map((one) => one.byWords))];
  const isMentioned = whole.chance >= 0.03;
  const blamingByWords = best(({ clause, presence, otherPresence, byWords: { blame } }, at) => {
    const evidence = Math.sqrt(logistic(presence - otherPresence)) * (1 + (0.5 * at) / all.length);
    const blames = clause.cues.some((cue) => aspectOf(cue) === aspect && cueOf(cue) === CUES.negative);
    return blame < 0.02 ? -1 : blame * (evidence * (clause.denies ? 1.6 : 1) * (blames ? 1.9 : 1));
  }, -1);
  const clearest = best(({ presence }) => presence, Number.NEGATIVE_INFINITY).one;
  const shared = clauses.map((clause) => clause.shared);
  return {
    chance: whole.chance,
    polarity: whole.polarity,
    praising: praising.one.clause,
    praiseOfClause: praising.most,
    blaming: blaming.one.clause,
    blameOfClause: blaming.most,
    praiseByWords: isMentioned ? Math.max(0, ...all.map((one) => one.byWords.praise)) : 0,
    blameByWords: isMentioned ? Math.max(0, ...all.map((one) => one.byWords.blame)) : 0,
    chanceByWords: isMentioned ? byWords.chance : 0,
    polarityByWords: isMentioned ? byWords.polarity : 0,
    blamingByWords: (isMentioned ? blamingByWords : blaming).one.clause,
    isNeutral: isNeutral(clauses, aspect),
    clearest: !isMentioned
      ? undefined
      : {
          clause: clearest.clause,
          presence: clearest.presence,
          presenceOfOther: clearest.otherPresence,
          presenceElsewhere: Math.max(...all.map(({ otherPresence }) => otherPresence)),
          others: clearest.others,
          polarity: clearest.polarity,
          polarityOfPraise: praising.one.polarity,
          polarityOfBlame: blaming.one.polarity,
        },
    text: {
      rating,
      logClauses: logarithm(clauses.length),
      polarity: shared.reduce((sum, one) => sum + one, 0) / clauses.length,
      leastPolarity: Math.min(...shared),
      mostPolarity: Math.max(...shared),
    },
  };
}

/** The probabilities that a clause mentions an aspect, praises it and blames it; 0 if it hardly can. */
function judged(presence: number, polarity: number) {
  const chance = presence < -6 ? 0 : logistic(presence);
  const share = logistic(-polarity);
  return { chance, polarity, praise: chance * (1 - share), blame: chance * share };
}

/** The probability that any clause mentions the aspect, and the weighted mean of their polarities. */
function together(clauses: readonly { readonly chance: number; readonly polarity: number }[]) {
  let [none, sum, polarity] = [1, 1e-12, 0];
  for (const clause of clauses) {
    none *= 1 - clause.chance;
    sum += clause.chance * clause.chance;
    polarity += clause.chance * clause.chance * clause.polarity;
  }
  return { chance: 1 - none, polarity: polarity / sum };
}

/** Whether patterns match a neutral judgement of an aspect, and neither praise nor blame. */
function isNeutral(clauses: readonly Clause[], aspect: number): boolean {
  const cues = new Set(clauses.flatMap(({ cues }) => cues.filter((cue) => aspectOf(cue) === aspect).map(cueOf)));
  return cues.has(CUES.neutral) && !cues.has(CUES.positive) && !cues.has(CUES.negative);
}
