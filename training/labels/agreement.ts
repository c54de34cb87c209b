/**
 * How far a second reader agrees with the labels: Cohen's kappa for each aspect and over all, on whether a review
 * speaks of it and on what it says, and on whether the review holds any criticism.
 *
 *     node training/labels/agreement.ts            the agreement with second/own.jsonl, second/real.jsonl and second/clauses.jsonl
 *     node training/labels/agreement.ts --choose   which reviews to read again, in the form of second/to-read.json
 *     node training/labels/agreement.ts --texts    those reviews with their stars and texts, without the labels
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kappa } from "./kappa.ts";
import {
  ASPECTS,
  LABELS,
  type LabelledClause,
  type Labels,
  type OwnReview,
  type RealReview,
  readClauses,
  readLines,
  readOwn,
  readReal,
  readTexts,
  type Trade,
} from "./labels.ts";

/** A review to be read again: a line of an invented file, counted from 1, or a real review. */
interface ToRead {
  readonly own: readonly { readonly file: string; readonly line: number }[];
  readonly real: readonly { readonly business: string; readonly trade: Trade; readonly id: string }[];
}

/** A reader's labels of a review; for a short text without criticism. */
interface Reading {
  readonly spans: readonly Pick<Labels["spans"][number], "aspects">[];
  readonly criticism?: boolean;
}

interface Pair {
  readonly trade: Trade;
  readonly first: Reading;
  readonly second: Reading;
}

const TRADES = Object.keys(ASPECTS) as Trade[];
const OWN_TO_READ = 50;
const REAL_TO_READ_PER_TRADE = 15;

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** Those with the smallest hashes: a random draw that is the same on every machine. */
function draw<Row>(rows: readonly Row[], count: number, nameOf: (row: Row) => string): Row[] {
  return rows.toSorted((one, other) => (hash(nameOf(one)) < hash(nameOf(other)) ? -1 : 1)).slice(0, count);
}

function choose(): ToRead {
  const own = [...readOwn()].flatMap(([file, reviews]) =>
    reviews.map(({ text }, index) => ({ file, line: index + 1, text })),
  );
  const real = readReal().flatMap(({ business, trade, reviews }) => reviews.map(({ id }) => ({ business, trade, id })));
  return {
    own: draw(own, OWN_TO_READ, ({ text }) => text).map(({ file, line }) => ({ file, line })),
    real: TRADES.flatMap((asked) =>
      draw(
        real.filter(({ trade }) => trade === asked),
        REAL_TO_READ_PER_TRADE,
        ({ business, trade, id }) => `${business} ${trade} ${id}`,
      ),
    ),
  };
}

function printTexts(): void {
  const { own, real } = JSON.parse(readFileSync(join(LABELS, "second", "to-read.json"), "utf8")) as ToRead;
  const invented = readOwn();
  for (const { file, line } of own) {
    const review = invented.get(file)?.[line - 1];
    if (review === undefined)
      throw new Error(`second/to-read.json names own/${file}.jsonl line ${line}, which is missing`);
    const { text, rating, trade } = review;
    console.log(JSON.stringify({ file, line, trade, rating, text }));
  }
  const labelled = readReal();
  for (const { business, trade, id } of real) {
    const file = labelled.find((each) => each.business === business && each.trade === trade);
    const rating = file?.reviews.find((review) => review.id === id)?.rating;
    console.log(JSON.stringify({ business, trade, id, rating, text: readTexts(business).get(id) }));
  }
}

/** The rows of a second reading; none if the file is missing. */
function readSecond<Row>(name: string): Row[] {
  const file = join(LABELS, "second", name);
  return existsSync(file) ? readLines<Row>(file) : [];
}

/** Each review that two people read, with both readings. Throws when the second names one that the first lacks. */
function bothReadings(): Pair[] {
  const own = new Map([...readOwn().values()].flat().map((review) => [review.text, review]));
  const real = new Map(
    readReal().flatMap(({ business, trade, reviews }) =>
      reviews.map((review) => [`${business} ${trade} ${review.id}`, review] as const),
    ),
  );
  const pair = (trade: Trade, first: Labels | undefined, second: Labels): Pair => {
    if (first === undefined)
      throw new Error(`The second reading has a review that is not labelled: ${JSON.stringify(second)}`);
    return { trade, first, second };
  };
  return [
    ...readSecond<OwnReview>("own.jsonl").map((row) => pair(row.trade, own.get(row.text), row)),
    ...readSecond<RealReview & { readonly business: string; readonly trade: Trade }>("real.jsonl").map((row) =>
      pair(row.trade, real.get(`${row.business} ${row.trade} ${row.id}`), row),
    ),
  ];
}

/** Each short text that two people read. Throws when the second names one that the first lacks. */
function bothReadingsOfClauses(): Pair[] {
  const first = new Map([...readClauses().values()].flat().map((clause) => [clause.text, clause]));
  return readSecond<LabelledClause>("clauses.jsonl").map((second) => {
    const labelled = first.get(second.text);
    if (labelled === undefined)
      throw new Error(`The second reading has a short text that is not labelled: ${second.text}`);
    return { trade: "home-services", first: { spans: [labelled] }, second: { spans: [second] } };
  });
}

/** The category of an aspect in a reading: none, one sentiment, or several joined. */
function verdict({ spans }: Reading, id: string): string {
  const sentiments = spans.flatMap(({ aspects }) =>
    aspects.filter((aspect) => aspect.id === id).map(({ sentiment }) => sentiment),
  );
  return [...new Set(sentiments)].toSorted().join("+") || "none";
}

function printAgreement(title: string, trade: Trade, read: readonly Pair[]): void {
  const number = (value: number) => (Number.isNaN(value) ? "–" : value.toFixed(2)).padStart(6);
  const line = (name: string, verdicts: readonly (readonly [string, string])[]) => {
    const presence = verdicts.map(([first, second]) => [String(first !== "none"), String(second !== "none")] as const);
    const both = verdicts.filter(([first, second]) => first !== "none" && second !== "none");
    console.log(
      `  ${name.padEnd(20)} presence ${number(kappa(presence))}  polarity where both see it ${number(kappa(both))}  both ${number(kappa(verdicts))}  seen by both ${both.length}`,
    );
  };
  const verdictsOn = (id: string) =>
    read.map(({ first, second }) => [verdict(first, id), verdict(second, id)] as const);
  console.log(`${title}: ${read.length} read twice`);
  for (const id of ASPECTS[trade]) line(id, verdictsOn(id));
  line("all aspects", ASPECTS[trade].flatMap(verdictsOn));
  const criticism = read.filter(({ first }) => first.criticism !== undefined);
  if (criticism.length > 0)
    console.log(
      `  ${"any criticism".padEnd(20)} ${number(kappa(criticism.map(({ first, second }) => [String(first.criticism), String(second.criticism)])))}`,
    );
}

if (process.argv[2] === "--choose") console.log(JSON.stringify(choose(), null, 2));
else if (process.argv[2] === "--texts") printTexts();
else {
  const pairs = bothReadings();
  if (pairs.length === 0)
    console.log(
      "Nobody has read a second time yet: label the reviews that --texts prints, and put the labels into second/own.jsonl and second/real.jsonl (GUIDE.md).",
    );
  else
    for (const trade of TRADES)
      printAgreement(
        `${trade}, reviews`,
        trade,
        pairs.filter((pair) => pair.trade === trade),
      );
  const clauses = bothReadingsOfClauses();
  if (clauses.length > 0) printAgreement("home-services, short texts", "home-services", clauses);
}
