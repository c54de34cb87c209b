import assert from "node:assert/strict";
import { test } from "node:test";
import { analysedReviews, smallTrade } from "../../../test/support/small-trade.ts";
import { inColumns } from "../../../test/support/whole-insights.ts";
import { taxonomyNamed } from "../../analysis/trade-taxonomy.ts";
import { fitPhrase } from "../text/phrase-cut.ts";
import { tokenise } from "../text/tokens.ts";
import { mentionClarity } from "./mention-clarity.ts";
import { topPhrases } from "./phrases.ts";

const taxonomy = smallTrade();

type Rows = readonly (readonly [number, string])[];

function phrasesOf(rows: Rows, of = { taxonomy, aspect: "price" }): string[] {
  const mentions = mentionClarity(inColumns(analysedReviews(rows, of.taxonomy)), of.taxonomy).get(of.aspect) ?? [];
  return topPhrases(
    mentions,
    of.taxonomy.aspects.findIndex(({ id }) => id === of.aspect),
    of.taxonomy,
  );
}

const CUTS: readonly (readonly [string, string, string | undefined])[] = [
  ["We paid a very fair price for it.", "fair price", "very fair price"],
  ["Not a fair price at all.", "fair price", "fair price"],
  ["He told me that if it fails he returns.", "told me", undefined],
  ["It took two weeks to get an answer.", "weeks to get", "weeks to get an answer"],
  ["They didn't explain the bill.", "explain the", "didn't explain the bill"],
  ["They couldn't explain it.", "not explain", "couldn't explain it"],
  ["Bad work plain and simple.", "bad work", "Bad work"],
  ["Cleaned up after the job.", "cleaned up", "Cleaned up"],
  ["They came to repair the boiler.", "repair the", undefined],
  ["They went above and beyond.", "went above", "went above and beyond"],
  ["They repair the boiler.", "repair the", "repair the boiler"],
  ["He left it clean top to bottom.", "clean top", undefined],
  ["They answered the phone promptly.", "phone promptly", undefined],
  ["The neighbour's price was fair.", "neighbour", "neighbour's price"],
  ["They were at my place within an hour.", "place within an hour", undefined],
  ["He got my license really quickly.", "quickly", undefined],
  ["Work was just as promised and on time.", "promised and on time", undefined],
  ["The crew was here on time as promised.", "time as promised", "on time as promised"],
  ["She was as good as her word.", "good as", "good as her word"],
  ["They sent me a clear video demonstrating why it failed.", "clear video", undefined],
  ["Nobody told us the part was delayed.", "told us the part", undefined],
  ["He answered every question I threw at him.", "answered every question i", undefined],
  ["He put a cloth under his bag.", "put a cloth", undefined],
  ["He cleans up the way I like.", "cleans up", undefined],
  ["She worked around my night shifts.", "around my night shifts", "worked around my night shifts"],
  ["They left the work area spotless.", "spotless", "left the work area spotless"],
  ["She made me feel comfortable.", "feel comfortable", "made me feel comfortable"],
];

for (const [text, words, phrase] of CUTS) {
  test(`fitPhrase() of "${words}" in "${text}" is ${phrase ?? "nothing"}`, () => {
    const tokens = tokenise(text);
    const wanted = words.split(" ");
    const from = tokens.forms.findIndex((_, at) => wanted.every((word, more) => tokens.forms[at + more] === word));
    assert.notEqual(from, -1, tokens.forms.join(" "));
    assert.equal(fitPhrase(tokens, from, from + wanted.length), phrase);
  });
}

test("topPhrases() gives phrases that recur first, and each only once", () => {
  const phrases = phrasesOf([
    [5, "They gave us a good deal."],
    [5, "Fair price. Friendly."],
    [5, "A fair price."],
    [4, "Fair prices too."],
  ]);
  assert.match(phrases[0] ?? "", /^fair price$/i);
  assert.equal(phrases.filter((phrase) => /fair price/i.test(phrase)).length, 1);
  assert.ok(phrases.includes("good deal"), phrases.join());
});

test("topPhrases() takes as much praise and blame as the mentions hold", () => {
  const praise = ["fair price", "good deal", "reasonable rate", "honest quote", "cheap parts", "excellent value"];
  const blame = ["total ripoff", "hidden fees"];
  const rows = [
    ...praise.map((phrase) => [5, `It was a ${phrase}.`] as const),
    ...blame.map((phrase) => [1, `It was ${phrase}.`] as const),
  ];
  const phrases = phrasesOf(rows);
  assert.equal(phrases.length, 5);
  assert.equal(phrases.filter((phrase) => blame.includes(phrase)).length, 1);
  assert.ok(blame.includes(phrases.at(-1) ?? ""), "the prevailing side comes first");
  const blamed = phrasesOf(rows.filter(([stars]) => stars === 1));
  assert.deepEqual(blamed.toSorted(), blame.toSorted());
});

test("topPhrases() takes no phrase with a cut end", () => {
  for (const phrase of ["a good deal and explained", "honest quote in one", "a fair price tonight"]) {
    const wrong = phrasesOf([[5, `It was ${phrase}.`]]).filter((shown) => phrase.endsWith(shown));
    assert.deepEqual(wrong, []);
  }
});

test("topPhrases() takes no phrase that says only when or how, and no praise in two words that neither praise nor name the aspect", () => {
  const home = taxonomyNamed("home-services");
  const phrases = (aspect: string, ...texts: readonly string[]) =>
    phrasesOf(
      texts.map((text) => [5, text]),
      { taxonomy: home, aspect },
    );
  const said = "They came the same day.";
  assert.deepEqual(phrases("responsiveness", said, said, "Great same day service."), ["same day service"]);
  assert.deepEqual(
    phrases("responsiveness", "They were responsive in a timely manner.").filter((phrase) => /manner$/.test(phrase)),
    [],
  );
  assert.deepEqual(phrases("workmanship", "They are detail oriented.", "Excellent workmanship."), [
    "Excellent workmanship",
  ]);
});

test("topPhrases() takes nothing from a mention that only the stars decide", () => {
  assert.deepEqual(phrasesOf([[5, "We talked about the estimate."]]), []);
});

test("topPhrases() takes no two judgements that nothing joins", () => {
  assert.deepEqual(phrasesOf([[5, "Fair price amazing."]]), []);
  assert.deepEqual(phrasesOf([[5, "Truly excellent value."]]), ["Truly excellent value"]);
  const of = { taxonomy: taxonomyNamed("home-services"), aspect: "professionalism" };
  assert.deepEqual(phrasesOf([[5, "They treated us with great respect."]], of), ["with great respect"]);
  assert.deepEqual(phrasesOf([[5, "Very professional manner."]], of), ["Very professional manner"]);
});

test("topPhrases() takes no friendly person for an adverb, and no word like polite for a noun", () => {
  const of = { taxonomy: taxonomyNamed("home-services"), aspect: "professionalism" };
  for (const text of ["Very friendly knowledgeable.", "They were amazing today polite."]) {
    assert.deepEqual(phrasesOf([[5, text]], of), [], text);
  }
  assert.deepEqual(phrasesOf([[5, "Friendly young man."]], of), ["Friendly young man"]);
});

test("topPhrases() takes no end of a sentence that says only how much or when", () => {
  const home = taxonomyNamed("home-services");
  const phrases = (aspect: string, text: string) => phrasesOf([[5, text]], { taxonomy: home, aspect });
  assert.deepEqual(phrases("pricing", "It was all far less than we had expected."), []);
  assert.deepEqual(phrases("pricing", "They replaced the parts at no charge."), []);
  assert.deepEqual(phrases("communication", "We felt confident each step of the way."), []);
});

test("topPhrases() takes no words that name a thing and blame nobody", () => {
  const of = { taxonomy: taxonomyNamed("home-services"), aspect: "pricing" };
  assert.deepEqual(
    phrasesOf([[1, "They overcharged me for shop supplies."]], of).filter((phrase) => /supplies$/.test(phrase)),
    [],
  );
});

test("topPhrases() takes no phrase whose noun is another aspect's", () => {
  const general = taxonomyNamed("general");
  const phrases = (aspect: string, text: string) => phrasesOf([[5, text]], { taxonomy: general, aspect });
  assert.deepEqual(phrases("speed", "Job done on time with prompt communication."), []);
  assert.deepEqual(phrases("food", "Great drinks service."), []);
  assert.deepEqual(phrases("food", "Great drinks."), ["Great drinks"]);
});
