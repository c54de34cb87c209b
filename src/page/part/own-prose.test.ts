import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { editionOf } from "../../../test/support/real-edition.ts";
import type { Edition } from "../../edition/edition.ts";
import { renderFrontPage } from "../front-page.ts";
import { localeOf } from "../text/locale.ts";
import { proseFor } from "../text/page-prose.ts";
import { ownQuestions, ownSummary } from "./own-prose.ts";

const folder = mkdtempSync(join(tmpdir(), "goodword-"));
after(() => rmSync(folder, { recursive: true }));

async function editionWith(rows: readonly (readonly [number, string | null])[], owned = ""): Promise<Edition> {
  const [business, reviews] = [join(folder, "business.yaml"), join(folder, "reviews.jsonl")];
  writeFileSync(
    business,
    `name: <Ada>\ntime_zone: UTC\nlanguage: de\ncategory: Plumber\ntechnicians: [{ id: dana, name: Dana Reyes }]\n${owned}`,
  );
  const lines = rows.map(([rating, text], index) => {
    const date = `2026-0${1 + (index % 3)}-0${1 + (index % 9)}`;
    return `${JSON.stringify({ id: `r${index}`, author: `A ${index}`, rating, date, text, source: "google" })}\n`;
  });
  writeFileSync(reviews, lines.join(""));
  return (await editionOf(business, reviews)).edition;
}

const ROWS = [
  [5, "They arrived on time."],
  [5, "Dana Reyes arrived on time, very punctual."],
  [5, "Arrived right on time. Dana Reyes is great."],
  [1, "Much too expensive."],
  [2, "Far too expensive for what it was."],
  [1, "Way too expensive, overpriced."],
  [1, null],
] as const;

const german = localeOf("de");
const prose = proseFor("de");
const plain = (markup: unknown) =>
  String(markup)
    .replaceAll(/<[^>]+>/g, "")
    .trim();

test("a German page has its summary and its questions in German, with the statistics of the insights", async () => {
  const edition = await editionWith(ROWS);
  assert.ok(prose);
  assert.equal(
    plain(ownSummary(edition, german, prose)),
    "&lt;Ada&gt; hat im Durchschnitt 2,86 Sterne aus 7 Bewertungen, geschrieben von Januar 2026 bis März 2026. Am häufigsten gelobt: Pünktlichkeit (3 Bewertungen). Am häufigsten kritisiert: Preise (3 Bewertungen). Am häufigsten genannt: Dana Reyes (2 Bewertungen).",
  );
  const questions = ownQuestions(edition, german, prose).map(({ question, answer }) => [
    plain(question),
    plain(answer),
  ]);
  assert.deepEqual(questions, [
    ["Was sagt die Kundschaft zum Thema Pünktlichkeit?", "Etwa 3 Bewertungen loben das."],
    ["Was sagt die Kundschaft zum Thema Preise?", "Mindestens 3 Bewertungen kritisieren das."],
    [
      "Worüber beschwert sich die Kundschaft?",
      "Am häufigsten kritisiert: Preise (3 Bewertungen). 4 Bewertungen gaben einen oder zwei Sterne.",
    ],
  ]);
  for (const { reviewIds } of ownQuestions(edition, german, prose)) {
    assert.ok(reviewIds.length > 0);
    for (const id of reviewIds) assert.ok(edition.review(id));
  }
  const page = Buffer.from(renderFrontPage(edition).body).toString();
  assert.doesNotMatch(page, /<p dir="auto" lang="en">|<summary lang="en">/);
});

test("a German page tells of praise and of criticism from three reviews on", async () => {
  const edition = await editionWith(ROWS.slice(0, 5));
  assert.ok(prose);
  const told = [
    ownSummary(edition, german, prose),
    ...ownQuestions(edition, german, prose).map(({ answer }) => answer),
  ];
  assert.match(told.map(plain).join(" "), /Etwa 3 Bewertungen loben das\./);
  assert.doesNotMatch(told.map(plain).join(" "), /kritisier/);
});

test("the owner's own summary stays as it is", async () => {
  const page = renderFrontPage(await editionWith(ROWS, "summary: Seit 1990 in der Stadt.\n"));
  assert.match(Buffer.from(page.body).toString(), /<p dir="auto">Seit 1990 in der Stadt\.<\/p>/);
});

test("an English page shows the published summary and questions", () => {
  assert.equal(proseFor("en-GB"), undefined);
  assert.equal(proseFor("constructor"), undefined);
});
