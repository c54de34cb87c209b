import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { type Examples, withExample } from "./example-reviews.ts";

test("The examples of a file are its first review, its last, and the first of those with the fewest stars", () => {
  const after = (...ratings: number[]) => {
    let examples: Examples | undefined;
    for (const [at, rating] of ratings.entries())
      examples = withExample(examples, {
        source: "a",
        source_id: null,
        rating,
        date: `2026-01-0${at + 1}`,
        written_at: null,
      });
    return Object.entries(examples ?? {}).map(([which, { date, rating }]) => `${which} ${date.slice(-1)} ${rating}`);
  };
  assert.deepEqual(after(4), ["first 1 4"]);
  assert.deepEqual(after(4, 5), ["first 1 4", "last 2 5"]);
  assert.deepEqual(after(4, 1), ["first 1 4", "last 2 1"]);
  assert.deepEqual(after(4, 1, 5), ["first 1 4", "lowest 2 1", "last 3 5"]);
  assert.deepEqual(after(4, 1, 5, 1, 2), ["first 1 4", "lowest 2 1", "last 5 2"]);
  assert.deepEqual(after(1, 1, 5), ["first 1 1", "last 3 5"]);
});

test("A long text keeps its end in an example, and the reply is shown", () => {
  const text = `They came. ${"Word ".repeat(1000)}(Original) Sie kamen.`;
  const example = withExample(undefined, {
    source: "a",
    source_id: null,
    rating: 5,
    date: "2026-01-05",
    written_at: null,
    text,
    owner_reply: { text: "Thank\n you", date: null, replied_at: null },
  }).first;
  assert.match(example.text ?? "", /^They came\. Word .* … .*\(Original\) Sie kamen\.$/);
  assert.ok((example.text ?? "").length < 100);
  assert.equal(example.reply, "Thank you");
});

test("A hidden review is no example, and an import that is done shows none", async () => {
  await using box = await openSandbox();
  const file = box.write(
    "a.csv",
    "Name,Stars,Date,Text,Status\nAnn,1,2026-01-05,Bad,spam\nBob,5,2026-01-06,Good,approved\n",
  );
  const { files } = await box.take(file, { dryRun: true });
  assert.deepEqual(Object.keys(files[0]?.examples ?? {}), ["first"]);
  assert.equal(files[0]?.examples?.first.author, "Bob");
  assert.equal((await box.take(file)).files[0]?.examples, undefined);
});

test("A report says by which values of a state reviews are shown", async () => {
  await using box = await openSandbox();
  const stateOf = async (name: string, content: string) => {
    const { files } = await box.take(box.write(name, content), { dryRun: true, source: "google" });
    return files[0]?.read_from.state;
  };
  const table = (...rows: string[]) => `Name,Stars,Date,Text,Status,Spam\n${rows.join("\n")}\n`;
  const [ann, bob] = ["Ann,1,2026-01-05,Bad,Live,no", "Bob,5,2026-01-06,Good,Pending,no"];
  assert.deepEqual(await stateOf("a.csv", table(ann, bob, "Cy,5,2026-01-07,Good,Approved,")), {
    from: ["Status", "Spam"],
    note: 'shown where it is "Status: Live", "Status: Approved", "Spam: no", "Spam: "',
  });
  assert.deepEqual(await stateOf("b.csv", table(bob)), { from: ["Status", "Spam"] });
  const google = {
    reviewId: "a",
    reviewer: { displayName: "Ann" },
    starRating: "FIVE",
    createTime: "2026-01-05T10:00:00Z",
  };
  assert.deepEqual(await stateOf("c.json", JSON.stringify({ reviews: [{ ...google, published: true }] })), {
    from: ["published"],
    note: 'shown where it is "true"',
  });
});
