/** Any table of any names gives the reviews that were put into it, as CSV and as JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../../../test/support/import-sandbox.ts";
import fc, { tries } from "../../../../test/support/properties.ts";
import { type OwnField, SPELLINGS } from "../../words/column-words.ts";
import { scaleInName, spellingOf } from "../column-names.ts";
import { chooseColumns } from "./column-choice.ts";

const REVIEWS = [
  { author: "Ann B.", rating: 2, date: "2025-01-05", text: "They came late again", title: "Late" },
  { author: "Bo C.", rating: 5, date: "2025-02-17", text: "Quick and kind people", title: "Great" },
  { author: "Cy D.", rating: 4, date: "2025-03-28", text: "A fair price for that", title: "Fair" },
];
const PLACE = { place_id: "P1", name: "Depot Nord", rating: 4.6, url: "https://example.com/p", address: "Hauptstr. 1" };

/** A field's own name, in the spelling of a program or of a spreadsheet. */
const nameOf = (field: OwnField, ranks: readonly ("own" | "plain" | "general")[]) =>
  fc
    .tuple(
      fc.constantFrom(...ranks.flatMap((rank) => SPELLINGS[field][rank])),
      fc.constantFrom(
        (name: string) => name,
        (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
        (name: string) => name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase()),
      ),
    )
    .map(([name, style]) => style(name));

const names = fc
  .record({
    author: nameOf("author", ["own", "plain"]),
    rating: nameOf("rating", ["own"]),
    date: nameOf("date", ["own", "plain"]),
    text: nameOf("text", ["own", "plain"]),
    title: nameOf("title", ["own", "plain"]),
  })
  .filter((given) => {
    const spellings = [...Object.values(given), ...Object.keys(PLACE)].map(spellingOf);
    // A name that another field has too is that field's where both are there.
    const isShared = (spelling: string) =>
      Object.values(SPELLINGS).filter(({ own, plain, general }) => [...own, ...plain, ...general].includes(spelling))
        .length > 1;
    // Where comments on posts are the reviews, the title of a post is none.
    const isOfPost = spellings.includes("post_title") && spellings.some((spelling) => spelling.startsWith("comment_"));
    return new Set(spellings).size === spellings.length && !spellings.some(isShared) && !isOfPost;
  });

test("chooseColumns() finds the reviews among the columns of a place, whatever they are called and however they stand", async () => {
  await fc.assert(
    fc.asyncProperty(names, fc.boolean(), fc.infiniteStream(fc.nat()), async (given, isTable, random) => {
      await using box = await openSandbox();
      const records = REVIEWS.map((review) => {
        const entries = Object.entries(given).map(([field, name]) => [name, review[field as keyof typeof review]]);
        return Object.fromEntries([...entries, ...Object.entries(PLACE)]) as Record<string, unknown>;
      });
      const columns = Object.keys(records[0] ?? {})
        .map((name) => ({ name, place: random.next().value }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ name }) => name);
      const csv = [columns, ...records.map((record) => columns.map((name) => record[name]))]
        .map((row) => row.map((cell) => `"${cell}"`).join(","))
        .join("\n");
      const path = isTable ? box.write("a.csv", `${csv}\n`) : box.write("a.json", records);
      await box.take(path);
      assert.deepEqual(
        (await box.rows()).map(({ author, rating, date, text }) => [author, rating, date, text]).toSorted(),
        REVIEWS.map(({ author, rating, date, text, title }) => [
          author,
          rating,
          date,
          `${title}\n\n${text}`,
        ]).toSorted(),
        JSON.stringify(given),
      );
    }),
    { numRuns: tries(60) },
  );
});

test("chooseColumns() takes each column for one field at most", () => {
  const all = Object.values(SPELLINGS).flatMap(({ own, plain, general }) => [...own, ...plain, ...general]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...all)), (given) => {
      const { columns, unknown } = chooseColumns({ names: given, noun: "columns" });
      const used = [...[...columns.values()].flat(), ...unknown];
      assert.deepEqual(used.toSorted(), given.toSorted());
    }),
  );
});

test("no field has a name twice", () => {
  for (const { own, plain, general } of Object.values(SPELLINGS)) {
    const all = [...own, ...plain, ...general];
    assert.deepEqual(all, [...new Set(all)]);
  }
});

test("scaleInName() reads what a header says that ratings count to", () => {
  for (const [name, scale] of [
    ["Rating (1-5)", 5],
    ["Stars out of 5", 5],
    ["Note /10", 10],
    ["Score (0 to 10)", 10],
    ["Bewertung von 10", 10],
    ["Score %", 100],
    ["Rating 2024", undefined],
    ["rating", undefined],
  ] as const)
    assert.equal(scaleInName(name), scale, name);
});
