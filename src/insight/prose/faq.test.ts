import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { analysedReviews, smallTrade } from "../../../test/support/small-trade.ts";
import { inColumns, wholeInsights } from "../../../test/support/whole-insights.ts";
import { businessFileSchema } from "../../business.ts";
import type { FaqEntry, Insights } from "../../insights-document.ts";
import { parseTaxonomy } from "../taxonomy/taxonomy.ts";
import { readModelFiles } from "../taxonomy/taxonomy-files.ts";
import { summary } from "./summary.ts";

const taxonomy = smallTrade();
const business = businessFileSchema.parse({ name: "Ash & Co", time_zone: "UTC" });

type Row = readonly [number, string | null];

function insightsOf(rows: readonly Row[]): Insights {
  const analysed = analysedReviews(rows, taxonomy);
  const [reviews, analyses] = [analysed.map(({ review }) => review), analysed.map(({ analysis }) => analysis)];
  return wholeInsights({ business, taxonomy, reviews, analyses, generatedAt: new Date(0), model: "test" });
}

function about(question: string, rows: readonly Row[]): FaqEntry | undefined {
  return insightsOf(rows).faq.find((entry) => entry.question === question);
}

const times = (count: number, row: Row): Row[] => Array.from({ length: count }, () => row);
const PRAISE: Row = [5, "They asked a fair price for the work."];
const BLAME: Row = [1, "I was overcharged for the parts."];
const NEITHER: Row = [3, "It was an average price."];

const VERDICTS: readonly (readonly [Row[], string])[] = [
  [times(3, PRAISE), "A few reviews praise fair prices. In"],
  [times(5, PRAISE), "About 5 reviews praise fair prices. In"],
  [times(3, BLAME), "A few reviews complain about high prices."],
  [
    [...times(30, PRAISE), ...times(2, BLAME)],
    "About 30 reviews praise fair prices, and one or two complain about high prices.",
  ],
  [
    [...times(3, PRAISE), ...times(2, BLAME)],
    "A few reviews praise fair prices, and one or two complain about high prices.",
  ],
  [
    [...times(2, PRAISE), ...times(5, BLAME)],
    "At least 5 reviews complain about high prices, and one or two praise fair prices.",
  ],
  [[...times(3, PRAISE), NEITHER], "A few reviews praise fair prices. In"],
  [
    [...times(30, PRAISE), ...times(3, BLAME)],
    "Mostly praise: about 30 reviews praise fair prices, and a few complain about",
  ],
  [[...times(5, PRAISE), ...times(3, BLAME)], "More praise than blame: "],
  [[...times(3, PRAISE), ...times(3, BLAME)], "A few reviews praise fair prices, and a few complain"],
  [[...times(9, PRAISE), ...times(6, BLAME)], "More praise than blame: "],
  [[...times(9, PRAISE), ...times(7, BLAME)], "About 9 reviews praise fair prices, and at least 7 complain"],
  [
    [...times(7, PRAISE), ...times(9, BLAME)],
    "At least 9 reviews complain about high prices, and about 7 praise fair prices. 16 reviews speak of it, 9 with one or two stars and 7 with four or five.",
  ],
  [
    [...times(5, PRAISE), ...times(8, BLAME)],
    "More blame than praise: at least 8 reviews complain about high prices, and about 5",
  ],
  [
    // The stars say otherwise than the counts, of which one is an estimate.
    [...times(6, [2, "They asked a fair price for the work."] as Row), ...times(3, PRAISE), ...times(3, BLAME)],
    "About 9 reviews praise fair prices, and a few complain about high prices. 12 reviews speak of it, 9 with one or two stars and 3 with four or five.",
  ],
  [
    [...times(3, PRAISE), ...times(9, BLAME)],
    "Mostly blame: at least 9 reviews complain about high prices, and a few praise fair",
  ],
];

test("faq() says the counts in words that are true of them", () => {
  for (const [rows, answer] of VERDICTS)
    assert.ok(about("Is the price fair?", rows)?.answer.startsWith(answer), answer);
});

test("faq() answers nothing of which fewer than three reviews say the same", () => {
  for (const rows of [times(2, PRAISE), [...times(2, PRAISE), ...times(2, BLAME), NEITHER]]) {
    assert.equal(about("Is the price fair?", rows), undefined);
  }
});

test("faq() does not ask about an aspect where more reviews speak of the one that its taxonomy names", () => {
  const care: Row = [5, "They took great care of the gate."];
  assert.ok(about("Do they take care?", [...times(3, care), ...times(3, PRAISE)]));
  assert.equal(about("Do they take care?", [...times(3, care), ...times(4, PRAISE)]), undefined);
});

test("faq() quotes a clause of the prevailing side, and cites its review first", () => {
  const rows: Row[] = [
    [5, "We have an estimate"],
    [5, "The dog barked, and they asked a fair price for the work, which was quick."],
    [4, "A good deal"],
  ];
  const entry = about("Is the price fair?", rows);
  const quoted = /In one customer’s words: “(.*)”\.$/.exec(entry?.answer ?? "")?.[1];
  assert.equal(quoted, "they asked a fair price for the work");
  assert.equal(entry?.review_ids[0], analysedReviews(rows, taxonomy)[1]?.review.id);
});

test("faq() quotes both sides or neither, though a single review is of the other", () => {
  const answerTo = (blame: Row) => about("Is the price fair?", [blame, ...times(3, PRAISE)])?.answer;
  const said = "A few reviews praise fair prices, and one or two complain about high prices.";
  const quoted =
    "In customers’ words: “They asked a fair price for the work”, but also: “The whole job was a total ripoff”.";
  assert.equal(answerTo([1, "The whole job was a total ripoff."]), `${said} ${quoted}`);
  assert.equal(answerTo(BLAME), said, "not clear enough to be quoted");
});

test("faq() quotes nobody where the stars say another thing than the words, or the words alone say nothing", () => {
  const unclear = [
    times(3, [2, "They asked a fair price for the work."]),
    times(3, [5, "We liked the estimate a lot here."]),
    times(3, [5, "Is that a fair price for the work?"]),
  ];
  for (const rows of unclear) {
    const { answer = "" } = about("Is the price fair?", rows) ?? {};
    assert.match(answer, /^A few reviews /);
    assert.doesNotMatch(answer, /“/);
  }
});

test("faq() cites at most twenty reviews, the newest after the one quoted, and one of the other side", () => {
  const rows = [...times(30, PRAISE), BLAME];
  const entry = about("Is the price fair?", rows);
  const ids = analysedReviews(rows, taxonomy).map(({ review }) => review.id);
  assert.equal(entry?.review_ids.length, 20);
  assert.equal(new Set(entry?.review_ids).size, 20);
  assert.ok(entry?.review_ids.includes(ids[30] ?? ""));
  assert.deepEqual(entry?.review_ids.slice(2), ids.slice(1, 19));
});

test("faq() counts the reviews with words that complain, says of what at least three do, and the low ratings", () => {
  const rows: Row[] = [...times(3, BLAME), [1, "They broke my gate."], PRAISE, [5, null]];
  const entry = about("What do customers complain about?", rows);
  assert.equal(
    entry?.answer,
    "At least 4 of the 5 reviews with words contain a complaint, often about high prices (at least 3). 4 reviews gave one or two stars.",
  );
  assert.equal(entry?.review_ids.length, 4);
  const others: Row[] = [...times(2, BLAME), [1, "They broke my gate."]];
  assert.equal(about("What do customers complain about?", others), undefined, "nothing that three complain about");
});

test("faq() tells the poor ratings without words apart from the criticism", () => {
  const rows: Row[] = [...times(3, BLAME), PRAISE, ...times(4, [1, null] as Row), [5, null]];
  assert.equal(
    about("What do customers complain about?", rows)?.answer,
    "At least 3 of the 4 reviews with words contain a complaint, often about high prices (at least 3). 7 reviews gave one or two stars, 4 of them without words.",
  );
  const spoken: Row[] = [...times(3, BLAME).map(([, text]): Row => [4, text]), PRAISE];
  assert.match(
    about("What do customers complain about?", spoken)?.answer ?? "",
    /^At least 3 of 4 reviews contain [^.]*\.$/,
  );
});

test("example_review_ids hold the plainest mentions, the prevailing side's first", () => {
  const rows: Row[] = [[5, "We have an estimate"], ...times(2, PRAISE), [4, "A good deal for us."], BLAME, BLAME];
  const ids = analysedReviews(rows, taxonomy).map(({ review }) => review.id);
  const price = insightsOf(rows).aspects.find(({ id }) => id === "price");
  assert.equal(price?.example_review_ids.length, 3);
  assert.ok(price?.example_review_ids.every((id) => id !== ids[0]));
  assert.ok([ids[4], ids[5]].includes(price?.example_review_ids[2]));
});

test("the summary says of the figures only what is true", () => {
  const both = insightsOf([...times(5, PRAISE), ...times(3, BLAME), [4, null]]).summary;
  assert.equal(
    both,
    "Ash & Co averages 3.56 stars over 9 published reviews, written from January 2026 to February 2026; 1 is a rating without words. Customers most often praise fair prices (about 5 reviews). When they complain, it is most often about high prices (at least 3 reviews), though about 5 praise them for the same.",
  );
  assert.match(
    insightsOf([...times(9, PRAISE), ...times(7, BLAME)]).summary,
    /high prices \(at least 7 reviews\), while about 9 praise them for the same\./,
    "no comparison of counts that are close",
  );
  assert.match(
    insightsOf([...times(6, [2, PRAISE[1]] as Row), ...times(3, PRAISE), ...times(3, BLAME)]).summary,
    /high prices \(at least 3 reviews\), while about 9 praise them for the same\./,
    "nor where the stars say otherwise",
  );
  assert.doesNotMatch(insightsOf(times(3, BLAME)).summary, /prais/);
  assert.doesNotMatch(insightsOf(times(3, PRAISE)).summary, /complain/);
  assert.doesNotMatch(insightsOf([...times(5, PRAISE), ...times(2, BLAME)]).summary, /complain/, "two may be misread");
});

test("summary and questions name what the criticism of an aspect is about, and quote what else it is", () => {
  const said = (rows: readonly Row[]) => {
    const { summary, faq } = insightsOf([...times(12, [5, null]), ...rows]);
    const answer = faq.find(({ question }) => question === "What do customers complain about?")?.answer;
    return [summary, answer].map((text) => /careless work \(([^)]*)\)/.exec(text ?? "")?.[1]);
  };
  const gate: Row = [1, "They broke my gate."];
  const other: Row = [1, "They were careless."];
  assert.deepEqual(said([...times(3, gate), other]), [
    "at least 4 reviews; named there: gate 3",
    "at least 4; named there: gate 3",
  ]);
  const { faq } = insightsOf([...times(3, gate), ...times(3, other), ...times(8, PRAISE)]);
  const answer = faq.find(({ question }) => question === "What do customers complain about?")?.answer ?? "";
  assert.match(answer, /gate 3\)\. Others on careless work: (?:“They were careless”(?:; )?){3}\. /);
});

test("the summary tells a trend with both counts, and of twelve months only where reviews go back so far", () => {
  const rows = [...times(2, PRAISE), BLAME];
  const { temporal, ...insights } = insightsOf(rows);
  const [month] = temporal.monthly;
  assert.ok(month !== undefined);
  const trend_basis = {
    recent: { from: "2025-09-01", until: "2026-02-28", review_count: 22, average_rating: 3.5 },
    before: { from: "2024-09-01", until: "2025-08-31", review_count: 1045, average_rating: 4 },
  };
  const told = (trend: typeof temporal.trend, months: number) => {
    const monthly = Array.from({ length: months }, () => month);
    const figures = { ...insights, temporal: { trend, trend_basis, monthly } };
    return summary(inColumns(analysedReviews(rows, taxonomy)), figures, { business, taxonomy });
  };
  const recent = /The 22 reviews of the six months to February 2026 \(3\.50 stars on average\) are /.source;
  const before = / the 1,045 of the twelve months before \(4\.00\)\.$/.source;
  assert.match(told("steady", 18), new RegExp(`${recent}neither clearly better nor clearly worse than${before}`));
  assert.match(told("declining", 60), new RegExp(`${recent}worse than${before}`));
  assert.match(told("improving", 17), new RegExp(`${recent}better than the 1,045 before \\(4\\.00\\)\\.$`));
  assert.doesNotMatch(told("insufficient_data", 60), /22/);
});

test("insights of another trade speak in that trade's words", () => {
  const dental = parseTaxonomy(
    readFileSync(new URL("../../../taxonomies/dental.yaml", import.meta.url), "utf8"),
    "dental",
    { model: readModelFiles("dental") },
  );
  const analysed = analysedReviews(
    [
      [5, "The hygienist was so gentle, I felt no pain at all."],
      [5, "A painless injection before the filling."],
      [5, "They took me the same day with a broken tooth. Gentle hands, no pain."],
      [2, "The crown fell out after a week."],
    ],
    dental,
  );
  const insights = wholeInsights({
    business: businessFileSchema.parse({ name: "Low Dental", time_zone: "UTC", taxonomy: "dental" }),
    taxonomy: dental,
    reviews: analysed.map(({ review }) => review),
    analyses: analysed.map(({ analysis }) => analysis),
    generatedAt: new Date(0),
    model: "test",
  });
  assert.equal(insights.aspects[0]?.id, "gentleness");
  assert.ok(insights.aspects[0]?.top_phrases.some((phrase) => /painless|no pain|gentle/i.test(phrase)));
  assert.equal(insights.faq[0]?.question, "Does it hurt?");
  assert.match(insights.faq[0]?.answer ?? "", /^A few reviews praise /);
  assert.match(insights.summary, /painless/);
  assert.ok(Object.keys(insights.per_review).length === 4 && insights.pull_quote !== null);
});
