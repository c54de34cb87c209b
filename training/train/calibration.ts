/** Calibrates a model on texts that it was not trained on: probabilities (Platt scaling), thresholds, figures. */
import { logistic, logOdds } from "../../src/insight/engine/exact-math.ts";
import { type AspectReading, blameShareOf } from "../../src/insight/engine/review-reading.ts";
import type { ModelFile, Thresholds } from "../../src/insight/engine/trained-model.ts";
import { verdict, verdictCues } from "../../src/insight/reading/verdict.ts";
import type { Example } from "./examples.ts";
import { FOLDS } from "./labelled-texts.ts";
import { trainVerdict, type Verdict } from "./verdict-trainer.ts";

/** A text and its reading by a model that was not trained on it. */
export interface KeptBack {
  readonly example: Example;
  readonly readings: readonly AspectReading[];
}

/** The same with the verdict on each aspect, which was not trained on it either. */
interface Weighed extends KeptBack {
  readonly chances: readonly { readonly praise: number; readonly blame: number }[];
}

type Calibration = ModelFile["calibration"];

/**
 * How often a verdict must be right to be published: blame in reviews of one to three stars, and whatever goes against
 * the stars: blame in reviews of four and five, praise in those of one and two. Of unfamiliar authors' blame less is
 * right than of the texts kept back here; of customers' of any trade more. training/NOTES.md tells why so often.
 */
const PRECISION = new Map([["home-services", { blame: 0.85, against: 0.7 }]]);
const USUAL_PRECISION = { blame: 0.85, against: 0.75 };
const [FEWEST_SHOWN, STEP, HIGHEST] = [8, 0.01, 0.9];
/**
 * With so many complaints of customers these alone decide on thresholds, and each counts for several invented reviews in
 * the verdict: invented ones are harder, and blame oftener under four and five stars.
 */
const [FEWEST_COMPLAINTS, CUSTOMERS_WEIGHT] = [200, 8];

/** Whole reviews only, as they are read in the end, and none from which patterns were written or whose stars were ordered. */
function fairReviews<Text extends KeptBack>(keptBack: readonly Text[]): Text[] {
  return keptBack.filter(
    ({ example: { source } }) => source.rating !== undefined && !source.isOpen && !source.isCommissioned,
  );
}

function isOfCustomer({ source }: Example): boolean {
  return /^(real|low)\//.test(source.origin);
}

/** The reviews that decide on thresholds. */
function decisive<Text extends KeptBack>(keptBack: readonly Text[]): Text[] {
  const rated = fairReviews(keptBack);
  const customers = rated.filter(({ example }) => isOfCustomer(example));
  const complaints = customers.flatMap(({ example: { bags } }) =>
    bags.filter(({ sentiment }) => sentiment === "negative"),
  );
  return complaints.length < FEWEST_COMPLAINTS ? rated : customers;
}

export function calibrate(keptBack: readonly KeptBack[]): Calibration {
  const rated = fairReviews(keptBack);
  const present = rated.flatMap(({ example, readings }) =>
    readings.map(({ chance }, aspect) => ({ x: logOdds(chance), isTrue: sidesOf(example, aspect).size > 0 })),
  );
  const blamed = rated.flatMap(({ example, readings }) =>
    readings.flatMap((reading, aspect) => {
      const sides = sidesOf(example, aspect);
      return sides.size === 1 && !sides.has("neutral")
        ? [{ x: logOdds(blameShareOf(reading)), isTrue: sides.has("negative") }]
        : [];
    }),
  );
  const [presence, blame] = [fitLine(present), fitLine(blamed)];
  return { slope: presence.slope, offset: presence.offset, blame_slope: blame.slope, blame_offset: blame.offset };
}

/** The weights of the verdict from all texts, and the verdicts on each part from those of the other parts. */
export function weigh(keptBack: readonly KeptBack[], aspects: number): { all: Verdict; weighed: Weighed[] } {
  const rated = fairReviews(keptBack);
  const weights = new Map(
    decisive(rated).length < rated.length ? decisive(rated).map((text) => [text, CUSTOMERS_WEIGHT]) : [],
  );
  const fit = (texts: readonly KeptBack[]) => trainVerdict(texts, aspects, (text) => weights.get(text) ?? 1);
  const parts = Array.from({ length: FOLDS }, (_, fold) =>
    fit(rated.filter(({ example }) => example.source.fold !== fold)),
  );
  const weighed = keptBack.map(({ example, readings }) => {
    const { praise, blame } = parts[example.source.fold] as Verdict;
    const chances = readings.map((reading, aspect) => {
      const cues = verdictCues(reading, aspect, aspects);
      return cues === undefined
        ? { praise: 0, blame: 0 }
        : { praise: verdict(praise, cues), blame: verdict(blame, cues) };
    });
    return { example, readings, chances };
  });
  return { all: fit(rated), weighed };
}

function sidesOf({ bags }: Example, aspect: number): Set<string> {
  return new Set(bags.filter((bag) => bag.aspect === aspect).map(({ sentiment }) => sentiment));
}

/** Platt's line, by Newton's method. */
function fitLine(points: readonly { readonly x: number; readonly isTrue: boolean }[]): {
  slope: number;
  offset: number;
} {
  let [slope, offset] = [1, 0];
  for (let round = 0; round < 25; round++) {
    let [gs, go, hss, hso, hoo] = [0.01 * (slope - 1), 0.01 * offset, 0.01, 0, 0.01];
    for (const { x, isTrue } of points) {
      const chance = logistic(slope * x + offset);
      const error = chance - (isTrue ? 1 : 0);
      const weight = chance * (1 - chance);
      gs += error * x;
      go += error;
      hss += weight * x * x;
      hso += weight * x;
      hoo += weight;
    }
    const determinant = hss * hoo - hso * hso;
    slope -= (hoo * gs - hso * go) / determinant;
    offset -= (hss * go - hso * gs) / determinant;
  }
  return { slope: Number(slope.toPrecision(6)), offset: Number(offset.toPrecision(6)) };
}

interface Judged {
  readonly isGood: boolean;
  readonly isBad: boolean;
  readonly praise: number;
  readonly blame: number;
  readonly sides: ReadonlySet<string>;
}

function judged(weighed: readonly Weighed[]): Judged[] {
  return weighed.flatMap(({ example, chances }) =>
    chances.map((chance, aspect) => ({
      isGood: (example.source.rating ?? 0) >= 4,
      isBad: (example.source.rating ?? 3) <= 2,
      ...chance,
      sides: sidesOf(example, aspect),
    })),
  );
}

/** The threshold of praise with the best F1, and the lowest thresholds of blame that are right often enough. */
export function chooseThresholds(weighed: readonly Weighed[], taxonomy: string): Thresholds {
  const rows = judged(decisive(weighed));
  const levels = Array.from({ length: 70 }, (_, at) => Number((0.2 + at * STEP).toFixed(2)));
  const praise = levels
    .map((level) => {
      const said = rows.filter((row) => row.praise > row.blame && row.praise >= level);
      const right = said.filter(({ sides }) => sides.has("positive")).length;
      const is = rows.filter(({ sides }) => sides.has("positive")).length;
      return { level, f1: (2 * right) / (said.length + is) };
    })
    .reduce((a, b) => (b.f1 > a.f1 ? b : a)).level;
  const { blame, against } = PRECISION.get(taxonomy) ?? USUAL_PRECISION;
  return {
    praise,
    praise_in_bad_reviews: Math.min(
      praise,
      lowestOf(
        rows.filter(({ isBad, praise, blame }) => isBad && praise > blame),
        { side: "praise", precision: against },
      ),
    ),
    blame: lowestOf(
      rows.filter(({ isGood, praise, blame }) => !isGood && blame >= praise),
      { side: "blame", precision: blame },
    ),
    blame_in_good_reviews: lowestOf(
      rows.filter(({ isGood, praise, blame }) => isGood && blame >= praise),
      { side: "blame", precision: against },
    ),
  };

  /** The lowest level from which the given share of the rows is right. */
  function lowestOf(
    candidates: readonly Judged[],
    { side, precision }: { readonly side: "praise" | "blame"; readonly precision: number },
  ): number {
    const sentiment = side === "praise" ? "positive" : "negative";
    return (
      levels.find((level) => {
        const said = candidates.filter((row) => row[side] >= level);
        const right = said.filter(({ sides }) => sides.has(sentiment)).length;
        return said.length < FEWEST_SHOWN || right >= precision * said.length;
      }) ?? HIGHEST
    );
  }
}

export function printFigures(
  weighed: readonly Weighed[],
  { thresholds, aspects }: { thresholds: Thresholds; aspects: readonly string[] },
): void {
  console.log(`  thresholds ${JSON.stringify(thresholds)}`);
  const groups = Map.groupBy(weighed, ({ example: { source } }) =>
    source.origin.startsWith("clauses")
      ? source.isOpen
        ? "clauses, open"
        : "clauses, kept"
      : (source.origin.split("/")[0] ?? ""),
  );
  for (const [name, group] of [["all", weighed] as const, ...groups]) {
    const rows = judged(group);
    let [hit, extra, missed, joint, blames, blamesRight, good, goodRight] = [0, 0, 0, 0, 0, 0, 0, 0];
    let [against, againstRight] = [0, 0];
    for (const { isGood, isBad, praise, blame, sides } of rows) {
      const least = isGood ? thresholds.blame_in_good_reviews : thresholds.blame;
      const side = blame >= praise && blame >= least ? "negative" : "positive";
      const leastPraise = isBad && praise > blame ? thresholds.praise_in_bad_reviews : thresholds.praise;
      const isSaid = side === "negative" || praise >= leastPraise;
      const other = isGood ? "negative" : isBad ? "positive" : undefined;
      if (other !== undefined && sides.has(other)) {
        against++;
        if (isSaid && side === other) againstRight++;
      }
      if (isSaid && sides.size > 0) hit++;
      else if (isSaid) extra++;
      else if (sides.size > 0) missed++;
      const isRight = sides.has(side);
      if (isSaid && isRight) joint++;
      if (!isSaid || side === "positive") continue;
      blames++;
      if (isRight) blamesRight++;
      if (isGood) good++;
      if (isGood && isRight) goodRight++;
    }
    const whole = 2 * hit + extra + missed || 1;
    console.log(
      `  ${name.padEnd(16)} ${String(group.length).padStart(5)} texts   detection ${((2 * hit) / whole).toFixed(3)}   joint ${((2 * joint) / whole).toFixed(3)}   blame right ${blamesRight} of ${blames}, in good reviews ${goodRight} of ${good}   against the stars ${againstRight} of ${against}`,
    );
  }
  console.log(`  aspects: ${aspects.join(", ")}`);
}
