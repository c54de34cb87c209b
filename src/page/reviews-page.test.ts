import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { editionOf } from "../../test/support/real-edition.ts";
import { renderReviewsPage } from "./reviews-page.ts";

const folder = mkdtempSync(join(tmpdir(), "goodword-"));
after(() => rmSync(folder, { recursive: true }));

test("the list of a business without reviews says that there are none yet, and of a search that nothing matches", async () => {
  const business = join(folder, "business.yaml");
  writeFileSync(business, "name: <Ada>\ntime_zone: UTC\n");
  const { edition } = await editionOf(business);
  const page = (query: string) => Buffer.from(renderReviewsPage(edition, new URLSearchParams(query)).body).toString();
  assert.match(page(""), /As soon as reviews of <bdi>&lt;Ada&gt;<\/bdi> are published, they appear here\./);
  assert.match(page("offset=20"), /they appear here/);
  assert.match(page("rating=5"), /No review matches/);
  assert.doesNotMatch(page("rating=5"), /they appear here/);
});

test("the list says which parameters mean nothing, and what matches nothing, unless they mark the link that led to it", async () => {
  const business = join(folder, "business.yaml");
  writeFileSync(business, "name: Ada\ntime_zone: UTC\nlanguage: de\n");
  const reviews = join(folder, "reviews.csv");
  writeFileSync(reviews, "author,rating,date,text,source\nBo,5,2026-01-01,Gut und sehr schnell,google\n");
  const { edition } = await editionOf(business, reviews);
  const page = (query: string) => Buffer.from(renderReviewsPage(edition, new URLSearchParams(query)).body).toString();
  const status = (query: string) => /<div role="status">(.*?)<\/div>/s.exec(page(query))?.[1] ?? "";
  assert.match(
    status("min_ratting=4"),
    /<p lang="en">&quot;min_ratting&quot; is not a parameter.*the nearest is min_rating\.<\/p>/,
  );
  for (const [asked, said] of [
    ["min_rating=4&max_rating=2", "Die Mindestzahl der Sterne liegt über der Höchstzahl: Dazu passt keine Bewertung."],
    [
      "query=schnell+gut",
      "wohl aber einzelne Wörter daraus. Suchen Sie mit „Eines dieser Wörter“ oder „Alle diese Wörter“.",
    ],
    ["since=2026-02-01&until=2026-01-01", "Das Datum bei „Von“ liegt nach dem bei „Bis“: Dazu passt keine Bewertung."],
  ])
    assert.match(
      status(asked as string),
      new RegExp(`<p>[^<]*${said}</p>`),
      "what visitors can have caused is in their words",
    );
  for (const query of ["", "rating=5", "utm_source=x&gclid=y&fbclid=z", "rating=4&_ga=1", "offset=20"])
    assert.doesNotMatch(status(query), /<p/, query);
});

test("the filter offers no language that is not known, and a list that is filtered by it says that", async () => {
  const business = join(folder, "business.yaml");
  writeFileSync(business, "name: Ada\ntime_zone: UTC\nlanguage: en\n");
  const reviews = join(folder, "languages.csv");
  const texts = ["They came on time and were very polite", "Sie waren sehr freundlich und pünktlich", "Nageshwar rao"];
  const rows = texts.map((text, at) => `Bo${at},5,2026-01-01,${text},google`);
  writeFileSync(reviews, `author,rating,date,text,source\n${rows.join("\n")}\n`);
  const { edition, insights } = await editionOf(business, reviews);
  assert.ok(insights.languages.some(({ language }) => language === "und"));
  const page = (query: string) => Buffer.from(renderReviewsPage(edition, new URLSearchParams(query)).body).toString();
  const [, choices = ""] = /<select id="language"[^>]*>(.*?)<\/select>/s.exec(page("")) ?? [];
  const offered = [...choices.matchAll(/value="(\w*)"/g)].map(([, value]) => value);
  assert.deepEqual(offered.toSorted(), ["", "de", "en"]);
  assert.match(page("language=und"), /unknown/);
  assert.doesNotMatch(page("language=und"), /\broot\b/i);
});
