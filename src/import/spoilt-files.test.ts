/** Whatever is done to a file, an import takes it or refuses it in words, and never changes the store halfway. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import fc, { tries } from "../../test/support/properties.ts";
import { zipOf } from "../../test/support/zip-writer.ts";
import { Invalid } from "../issue.ts";

const review = { id: "1", author: "Dana", rating: 5, date: "2024-05-06", text: 'Fine, "really"', owner_reply: null };
const linked = { "@type": "Review", "@id": "#a", datePublished: "2024-05-06", reviewRating: { ratingValue: 5 } };
const page = JSON.stringify(takeoutPage(takeoutReview("a"), takeoutReview("b")));

const FILES: Readonly<Record<string, string | Buffer>> = {
  "takeout.json": page,
  "takeout.zip": zipOf([
    { name: "a/reviews.json", content: page },
    { name: "a/photo.jpg", content: Buffer.from([255, 216, 0, 1]) },
  ]),
  "own.csv": 'id,author,rating,date,text\r\n1,Dana,5,2024-05-06,"Fine, ""really"""\r\n2,Kim,4,2024-05-07,\r\n',
  "own.jsonl": `${JSON.stringify(review)}\n${JSON.stringify({ ...review, id: "2" })}\n`,
  "linked.html": `<!doctype html><script type="application/ld+json">${JSON.stringify({ "@graph": [linked] })}</script>`,
  "outscraper.csv": "review_id,review_rating,review_timestamp,author_title\na,5,1714979289,Dana\n",
  "business.yaml": "name: Test Air\ntime_zone: America/Chicago\nservices:\n  - { id: repair, label: Repair }\n",
};

interface Change {
  readonly at: number;
  readonly remove: number;
  readonly insert: Uint8Array;
}

function changed(content: Buffer, { at, remove, insert }: Change): Buffer {
  const start = at % (content.length + 1);
  return Buffer.concat([content.subarray(0, start), insert, content.subarray(start + remove)]);
}

const change = fc.record({
  at: fc.nat(),
  remove: fc.nat({ max: 12 }),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc
      .constantFrom(
        '"',
        "{",
        "}",
        "[",
        "]",
        ",",
        "\n",
        "\r",
        "null",
        "-1",
        "1e999",
        "\\u0000",
        "\0",
        "&a *a",
        "<!--",
        "\uFEFF",
      )
      .map((text) => Buffer.from(text)),
  ),
});

for (const [name, content] of Object.entries(FILES)) {
  test(`importPaths() takes a spoilt ${name}, or refuses it in words`, async () => {
    await using box = await openSandbox();
    await box.take(box.write("whole.json", takeoutPage(takeoutReview("kept"))));
    if (name === "business.yaml") await box.take(box.write(name, content)); // a first one is never skipped
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const spoilt = changes.reduce(changed, Buffer.from(content));
        const path = box.write(name, spoilt);
        const before = await box.rows();
        try {
          const { read, added, changed, unchanged, refused } = await box.take(path, { dryRun: true });
          assert.equal(read, added + changed + unchanged + refused);
        } catch (error) {
          assert.ok(error instanceof Invalid, `${(error as Error).stack}`);
          assert.ok(error.issues.length > 0);
          const isOfOther = error.issues.every(({ code }) => code === "places"); // an id was spoilt
          for (const { message } of error.issues)
            assert.ok(isOfOther || message.includes(name) || message.startsWith("and "), message);
          if (!isOfOther) await box.take(path, { dryRun: true, skipInvalid: true });
        }
        assert.deepEqual(await box.rows(), before);
      }),
      { numRuns: tries(50) },
    );
  });
}
