import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { editionOf } from "../../../test/support/real-edition.ts";
import { finish } from "../../edition/steps.ts";
import { MAX_WORDS } from "../../filter-names.ts";
import { opposites } from "../../insight/taxonomy/opposites.ts";
import { READ_TAGS } from "../../insight/text/language-words.ts";
import type { FaqEntry } from "../../insights-document.ts";
import { propertiesAsked } from "./opposite-answers.ts";
import { TOOLS } from "./tools.ts";

/** Questions whether something is big or small, hot or cold. */

const folder = mkdtempSync(join(tmpdir(), "goodword-opposites-"));
after(() => rmSync(folder, { recursive: true }));

const ROWS = [
  [1, "We waited. The hall is too small for three hundred people!"],
  [2, "Not big. The soup was tiny, too."],
  [5, "A large garden."],
  [3, "Smaller than it looks"],
  [5, "Great hosts, no noise"],
  [4, `So many words ${"and so on ".repeat(30)}before the huge kitchen${" and so on".repeat(30)}.`],
] as const;
const file = join(folder, "reviews.jsonl");
const lines = ROWS.map(([rating, text], index) =>
  JSON.stringify({ id: `r${index}`, author: `A ${index}`, rating, date: `2026-01-1${index}`, text, source: "google" }),
);
writeFileSync(file, lines.join("\n"));
const { edition, reviews } = await editionOf(file);

function ask(query: string, asked = edition): { faq: FaqEntry[]; note?: string } {
  const made = TOOLS.find(({ name }) => name === "get_faq")?.run(asked, { query });
  assert.ok(made !== undefined && typeof made !== "string");
  return JSON.parse(finish(made));
}

test("get_faq answers “Is it small?” with the reviews that say so and those that say the opposite", () => {
  const { faq, note } = ask("Is the hall small?");
  const [{ question, answer, review_ids } = assert.fail("no answer")] = faq;
  assert.equal(question, "Do customers write “small” or “big”?");
  assert.match(
    answer,
    /^3 reviews have “smaller”, “tiny”, “small”, 2 with one or two stars; 3 reviews have “huge”, “large”, “big”, 1 with one or two stars and 2 with four or five\. /,
  );
  assert.match(answer, / In a sentence with “hall”: 1 of the 3, and 0 of the 3\. /);
  assert.match(
    answer,
    /: “The hall is too small for three hundred people!”; /,
    "first a sentence with a word of the question",
  );
  assert.match(answer, /“….{1,140}before the huge kitchen.{1,140}…”/);
  const texts = review_ids.map((id) => reviews.find((review) => review.id === id)?.text ?? "");
  assert.equal(texts.length, 5);
  for (const text of texts) assert.match(text, /small|tiny|big|large|huge/i);
  assert.doesNotMatch(note ?? "", /No question is about this|"small"/);
});

test("get_faq says where reviews have words for one side alone, and leaves a property that none names to the note", () => {
  assert.match(
    ask("Is it quiet?").faq[0]?.answer ?? "",
    /^No review has “quiet” or a word like it; 1 review has “noise”/,
  );
  assert.deepEqual(ask("Is it narrow?").faq, []);
  assert.match(ask("Is it narrow?").note ?? "", /No answer says anything of "narrow"/);
});

test("get_faq does not count the name of the business", async () => {
  const named = join(folder, "business.yaml");
  writeFileSync(named, "name: Large & Sons\ntime_zone: UTC\nlanguage: en\ncategory: Plumber\n");
  const { edition: ofNamed } = await editionOf(named, file);
  assert.match(ask("Is it small?", ofNamed).faq[0]?.answer ?? "", /; 2 reviews have “huge”, “big”/);
});

test("propertiesAsked() takes a word of another language where those of the reviews have no such word", () => {
  const asked = (query: string, tags: readonly string[] = ["en"]) =>
    propertiesAsked(query.split(" "), tags).map(({ asked, opposite }) => `${asked}/${opposite}`);
  assert.deepEqual(asked("salle bruyante"), ["bruyante/calme"]);
  assert.deepEqual(asked("große"), ["große/klein"]);
  assert.deepEqual(asked("grande salón"), ["grande/pequeño"]);
  assert.deepEqual(asked("use sale"), [], "French for worn and dirty");
  assert.deepEqual(asked("cold hot bigger loud"), ["cold/hot", "bigger/small"], "one answer for each, and two at most");
});

test("taxonomies/opposites.json has each word of a language once, and no more on a side than a search takes", () => {
  for (const tag of READ_TAGS) {
    const words = opposites().flatMap((property) => property[tag].flat());
    assert.deepEqual(words.filter((word, at) => words.indexOf(word) !== at || /\s/.test(word)), [], tag); // biome-ignore format: a row
    for (const property of opposites()) for (const side of property[tag]) assert.ok(side.length <= MAX_WORDS, tag);
  }
});

test("get_faq says of which reviews it gives the stars and the words where very many have a word", async () => {
  const many = join(folder, "many.jsonl");
  const rows = Array.from({ length: 101 }, (_, at) => {
    const date = new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10);
    return JSON.stringify({
      id: `m${at}`,
      author: `A ${at}`,
      rating: at === 0 ? 1 : 5,
      date,
      text: "A big hall",
      source: "google",
    });
  });
  writeFileSync(many, rows.join("\n"));
  const { edition: ofMany } = await editionOf(many);
  assert.match(
    ask("Is it big?", ofMany).faq[0]?.answer ?? "",
    /^101 reviews have “big”; of the newest 100, 100 with four or five stars; no review has “small”/,
  );
});
