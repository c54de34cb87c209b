import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { type PageWish, publishedAmong, publishedPage, publishedReviews } from "./review-rows.ts";

releaseEngines();

for (const engine of ENGINES)
  test(`publishedAmong() gives no copy of another source's review, and reads no other of the day where there is one source: ${engine.name}`, async () => {
    await using box = await openSandbox(await engine.url());
    const rowsOf = (source: string) =>
      ["Ann", "Bo", "Cy"]
        .map((author) => `${source}-${author},${author},5,2026-01-02,Words of ${author},${source}\n`)
        .join("");
    const header = "id,author,rating,date,text,source\n";
    const { database } = box.store;
    const both = ["google", "yelp"];
    const idsOf = async () => (await database.selectFrom("review").select("id").execute()).map(({ id }) => id);
    await box.take(box.write("a.csv", header + rowsOf("google")));
    const [first = ""] = await idsOf();
    let read = 0;
    const watched = database.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        read += result.rows.length;
        return result;
      },
    });
    assert.deepEqual((await publishedAmong(watched, both, [first])).map(({ id }) => id), [first]); // biome-ignore format: a row
    assert.ok(read <= 2, `${read} rows read`);
    await box.take(box.write("b.csv", header + rowsOf("yelp")));
    const ids = await idsOf();
    assert.equal(ids.length, 6);
    const published = await publishedAmong(database, both, ids);
    assert.deepEqual(published.map(({ author, source }) => `${author} ${source}`).toSorted(), ["Ann google", "Bo google", "Cy google"]); // biome-ignore format: a row
    assert.deepEqual(published, await publishedReviews(database, both));
    assert.deepEqual(await publishedAmong(database, [], ids), []);
  });

/** More than are looked through first. */
const COUNT = 1_100;
const TEXTS = ["They came on time", "Überaus sauber", "Cost 100% less, a_b and c\\d", "Quick", ""];
const textOf = (at: number) => (at === 3 ? "The flange was straße-dirty, İnci said" : (TEXTS[at % TEXTS.length] ?? ""));

for (const engine of ENGINES)
  describe(`publishedPage() on ${engine.name}`, () => {
    test("finds words in texts, names and replies as a filter of all reviews would, page by page", async () => {
      await using box = await openSandbox(await engine.url());
      const rows = Array.from({ length: COUNT }, (_, at) => {
        const day = new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10);
        return `r${at},Ann ${at},5,${day},"${textOf(at)}",google,${at % 400 === 0 ? "Thank you Bo" : ""}\n`;
      });
      await box.take(box.write("a.csv", `id,author,rating,date,text,source,owner_reply_text\n${rows.join("")}`));
      const all = await box.reviews();
      const { database } = box.store;
      const given = "CAME|überAUS|ÜBER|100%|a_b|c\\d|_|the|FLANGE|straße|İnci|Ann 7|ann 1099|thank YOU|nowhere|zz|x|i";
      for (const words of [...given.split("|"), all[5]?.id ?? ""]) {
        const holds = (text: string | null | undefined) => text?.toLowerCase().includes(words.toLowerCase()) === true;
        const wanted = all.filter(
          ({ id, author, text, owner_reply }) =>
            id === words || holds(author) || holds(text) || holds(owner_reply?.text),
        );
        const found: string[] = [];
        let after: PageWish["after"];
        do {
          const page = await publishedPage(database, ["google"], { limit: 300, words, after });
          found.push(...page.reviews.map(({ id }) => id));
          after = page.last;
        } while (after !== undefined);
        assert.deepEqual(
          found,
          wanted.map(({ id }) => id),
          words,
        );
      }
    });
  });
