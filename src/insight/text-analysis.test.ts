import assert from "node:assert/strict";
import { test } from "node:test";
import { FOREIGN_LANGUAGES, reviewsIn } from "../../test/support/foreign-reviews.ts";
import { taxonomyNamed } from "../analysis/trade-taxonomy.ts";
import { forBusiness, parseTaxonomy } from "./taxonomy/taxonomy.ts";
import { readModelFiles, readTaxonomy } from "./taxonomy/taxonomy-files.ts";
import { isReadLanguage } from "./text/language.ts";
import { analyseText, analysisKey } from "./text-analysis.ts";

const parse = (name: string, more = "") =>
  parseTaxonomy(`${readTaxonomy(name)}${more}`, name, { model: readModelFiles(name) });
const home = parse("home-services");
const dental = parse("dental");
const general = parse("general");

/** The mentions of a text as "id+", "id-" or "id0", in the taxonomy's order. */
function mentions(text: string, rating: number, taxonomy = home): string {
  const sign = { positive: "+", neutral: "0", negative: "-" } as const;
  return analyseText(text, rating, taxonomy)
    .aspects.map(({ id, sentiment }) => `${id}${sign[sentiment]}`)
    .join(" ");
}

/** What the issue of reading asks for: said outright, implied, denied, set against, wished for, meant otherwise. */
const HOME: readonly (readonly [string, number, string])[] = [
  ["told me 9, showed up at 2", 1, "punctuality-"],
  ["He was never late.", 5, "punctuality+"],
  ["He was late, but the technician was polite.", 4, "punctuality- professionalism+"],
  ["The technician was polite but late.", 2, "punctuality- professionalism+"],
  ["Could not have been cleaner.", 5, "cleanliness+"],
  ["I can't say enough about how polite they were.", 5, "professionalism+"],
  ["Not cheap but worth every penny.", 5, "pricing+"],
  ["Left boot prints on the white carpet.", 1, "cleanliness-"],
  ["They did not leave a mess.", 5, "cleanliness+"],
  ["AC is still blowing warm air.", 1, "workmanship-"],
  ["Tried to sell us a whole new unit.", 1, "honesty-"],
  ["Another company tried to sell us a whole new unit. These guys were honest.", 5, "honesty+"],
  ["Nobody called us back.", 1, "communication-"],
  ["Wish they had called ahead.", 2, "communication-"],
  ["Charming man, alarming invoice.", 3, "pricing- professionalism+"],
  ["Pays to shop around: you pay more than at other places.", 4, "pricing-"],
  ['He was "professional", sure.', 1, "professionalism-"],
  ["Work quality is not good", 1, "workmanship-"],
  ["Workmanship isn't great.", 2, "workmanship-"],
  ["Not a good experience, the quality isn't good.", 2, "workmanship-"],
  ["It is a tune-up.", 3, ""],
  ["They came late at night.", 5, "responsiveness+"],
  ["I called X in June.", 5, ""],
  // What unhappy customers say outright.
  ["Once the work was not done properly, so I had to complain.", 1, "workmanship-"],
  ["Absolute rip off!! I would never recommend!!!", 1, "pricing-"],
  ["Company is unprofessional, and nobody picks up the phone.", 1, "responsiveness- professionalism-"],
  ["No show, no call. Overpriced and unprofessional.", 1, "scheduling- pricing- professionalism- communication-"],
];

for (const [text, rating, expected] of HOME) {
  test(`analyseText() of ${JSON.stringify(text)} with ${rating} stars`, () => {
    assert.equal(mentions(text, rating), expected);
  });
}

/** German as customers write it: said outright, implied, denied, with a separable verb, set against, in dialect, meant otherwise. */
const GERMAN: readonly (readonly [string, number, string])[] = [
  [
    "Der Monteur kam pünktlich, war sehr freundlich und hat alles sauber hinterlassen.",
    5,
    "punctuality+ professionalism+ cleanliness+",
  ],
  ["Faire Preise, kompetente Beratung.", 5, "pricing+ technical_knowledge+"],
  ["Viel zu teuer!", 1, "pricing-"],
  ["Termin zweimal verschoben, dann kam niemand.", 1, "scheduling-"],
  ["Sie sagten den Termin kurzfristig ab.", 1, "scheduling-"],
  ["Gute Arbeit, aber leider sehr teuer.", 3, "pricing- workmanship+"],
  ["Trotz mehrerer Anrufe hat sich niemand gemeldet.", 1, "responsiveness- communication-"],
  ["Die Heizung funktioniert nach der Reparatur immer noch nicht.", 1, "workmanship-"],
  ["Sauguade Arbeit, faire Preise.", 5, "pricing+ workmanship+"],
  ["Reine Abzocke.", 1, "pricing- honesty-"],
  ["Unpünktlich und unfreundlich.", 2, "punctuality- professionalism-"],
  ["Total überteuert und telefonisch nicht erreichbar.", 1, "responsiveness- pricing-"],
  ["Kein Dreck, keine Spuren, alles besenrein.", 5, "cleanliness+"],
];

for (const [text, rating, expected] of GERMAN) {
  test(`analyseText() reads in German "${text}" (${rating} stars)`, () => {
    assert.equal(mentions(text, rating, taxonomyNamed("home-services")), expected);
  });
}

/** Spanish of any trade. */
const SPANISH: readonly (readonly [string, number, string])[] = [
  ["Muy amables y buen precio.", 5, "staff+ value+"],
  ["La comida estaba fría y el camarero fue muy borde.", 1, "staff- food-"],
  ["Todo estaba muy sucio.", 2, "cleanliness-"],
  ["Una hora esperando.", 1, "speed-"],
  ["Sitio precioso, pero carísimo.", 3, "value- place+"],
  ["Llamas y no contesta nadie.", 1, "communication-"],
];

/** French, with its elisions. */
const FRENCH: readonly (readonly [string, number, string])[] = [
  ["Accueil chaleureux et prix raisonnables.", 5, "staff+ value+"],
  ["L'accueil était glacial et la chambre très sale.", 1, "staff- cleanliness-"],
  ["La cuisine n'était pas bonne.", 2, "food-"],
  ["Une heure d'attente.", 1, "speed-"],
  ["Cadre magnifique, mais beaucoup trop cher.", 3, "value- place+"],
];

/** Dutch, as it is written in the Netherlands and in Flanders. */
const DUTCH: readonly (readonly [string, number, string])[] = [
  ["Vriendelijk personeel en lekker eten.", 5, "staff+ food+"],
  ["Het eten was koud en de ober onbeschoft.", 1, "staff- food-"],
  ["Alles was vies.", 2, "cleanliness-"],
  ["Een uur moeten wachten.", 1, "speed-"],
  ["Mooie zaak, maar veel te duur.", 3, "value- place+"],
  ["Het eten smaakte niet.", 2, "food-"],
  ["Goei eten en vlotte bediening, niet duur.", 5, "staff+ value+ speed+ food+"],
];

/** Home trades, read by the weights for English with patterns of the language. */
const HOME_ELSEWHERE: readonly (readonly [string, number, string])[] = [
  ["De monteur kwam op tijd en heeft alles netjes opgeruimd.", 5, "punctuality+ cleanliness+"],
  ["Veel te duur, en de kraan lekt nog steeds.", 1, "pricing- workmanship-"],
  ["Llegaron puntuales y muy amables.", 5, "punctuality+ professionalism+"],
];

for (const [text, rating, expected] of HOME_ELSEWHERE)
  test(`analyseText() reads of the home trades "${text}" (${rating} stars)`, () => {
    assert.equal(mentions(text, rating, taxonomyNamed("home-services")), expected);
  });

for (const [text, rating, expected] of [...SPANISH, ...FRENCH, ...DUTCH]) {
  test(`analyseText() reads of any trade "${text}" (${rating} stars)`, () => {
    assert.equal(mentions(text, rating, taxonomyNamed("general")), expected);
  });
}

test("analyseText() reads a text in each language with the words of that language, whatever was read before", () => {
  const taxonomy = taxonomyNamed("general");
  const [english, german] = [
    "Die hard fans love it, the food was great.",
    "Das Essen war super, die Bedienung unfreundlich.",
  ];
  const alone = [analyseText(english, 4, taxonomy), analyseText(german, 3, taxonomy)];
  assert.deepEqual(
    alone.map(({ language, aspects }) => [
      language,
      ...aspects.map(({ id, sentiment, evidence }) => `${id} ${sentiment}: ${evidence}`),
    ]),
    [
      ["en", "food positive: the food was great"],
      ["de", "staff negative: die Bedienung unfreundlich", "food positive: Das Essen war super"],
    ],
  );
  for (let round = 0; round < 3; round++)
    assert.deepEqual([analyseText(english, 4, taxonomy), analyseText(german, 3, taxonomy)], alone);
});

/** What is said outright beside other things; where stars, a negation or a second verdict contradict, only the model tells. */
const OUTRIGHT: readonly (readonly [string, number, string])[] = [
  ["Room was clean with a great view of the lake", 5, "cleanliness+"],
  ["Modern and clean place with friendly people, great food, lovely garden", 4, "cleanliness+"],
  ["The shop is always clean and most of the people there are friendly", 5, "cleanliness+"],
  ["Big hall, neatly maintained, good for two hundred people", 4, "cleanliness+"],
  ["Slow lunch in a hall with a bad smell", 2, "cleanliness-"],
  ["I wish the rooms had been clean", 3, "cleanliness-"],
  ["I asked whether it was clean water", 1, "cleanliness"],
  ["The cafe that we knew before was filthy", 5, "cleanliness"],
  ["The counter opens late and closes early, bring a book", 1, "place-"],
  ["The changing rooms need some updating", 2, "place-"],
  ["They always run out of coffee before nine in the morning", 3, "food-"],
  ["They have been trying to get a refund since April, and so have we for two months", 1, "value-"],
  ["The lift is back, we had reported it seven months ago", 2, "speed-"],
  ["Lovely hall, and our whole party waited an hour with our coats on", 5, "speed"],
  ["No place for parking, apart from that a good function hall", 3, "place-"],
  ["No place for parking, apart from that a good function hall", 5, "place+"],
  ["Nice catering, and they saw to everything", 5, "food+"],
  ["Nice coffee shop", 4, "food"],
  ["Nice place, simple and superb for any occasion", 5, "staff"],
  ["Simple and superb for any event, to accommodate a decent gathering", 5, "staff"],
  ["They were happy to accommodate our whole party", 5, "staff+"],
  ["They could make more of an effort to accommodate their guests", 2, "staff-"],
  ["Harbour Halls Is Beautiful place Very nice wow Super first time iam coming Very good", 5, "staff"],
];

test("analyseText() finds what is said outright, whatever else a sentence says", () => {
  const sign = { positive: "+", neutral: "0", negative: "-" } as const;
  const found = OUTRIGHT.map(([text, rating, expected]) => {
    const [aspect = ""] = /^[a-z]+/.exec(expected) ?? [];
    const mention = analyseText(text, rating, general).aspects.find(({ id }) => id === aspect);
    return `${aspect}${mention === undefined ? "" : sign[mention.sentiment]}`;
  });
  assert.deepEqual(
    found,
    OUTRIGHT.map(([, , expected]) => expected),
  );
  const cleaner = forBusiness(general, { business: "", people: [] }, "CleaningService");
  assert.equal(mentions("Our old flat had a bad smell", 2, cleaner), "", "no blame of who cleans it");
});

test("analyseText() reads another trade by its taxonomy alone", () => {
  assert.equal(mentions("Didn't feel a thing, and they explained every step.", 5, dental), "gentleness+ explanation+");
  assert.equal(mentions("Waited over an hour and the crown fell out the next day.", 1, dental), "waiting- results-");
});

test("blame is shown by the clause that blames, not by one that only tells what happened", () => {
  for (const [aspect, text, clause] of [
    [
      "speed",
      "We sat down at seven. By this time it was getting late. Our food did not come for an hour and a half.",
      "Our food did not come for an hour and a half",
    ],
    ["staff", "The waiter was very rude. I heard the manager tell him not to serve us.", "The waiter was very rude"],
    ["staff", "The waiter was rude. We never saw the manager near us.", "The waiter was rude"],
  ]) {
    const shown = analyseText(text ?? "", 2, general).aspects.find(({ id }) => id === aspect);
    assert.equal(shown?.evidence, clause);
  }
});

test("analyseText() judges a review without words by its stars and finds nothing in it", () => {
  for (const [rating, sentiment, score] of [
    [1, "negative", -1],
    [2, "negative", -0.6],
    [3, "neutral", 0],
    [4, "positive", 0.6],
    [5, "positive", 1],
  ] as const) {
    for (const text of [null, "", " \n"]) {
      const expected = { language: null, sentiment, score, aspects: [], problems: [], theme_words: "" };
      assert.deepEqual(analyseText(text, rating, home), expected);
    }
  }
});

test("analyseText() finds nothing in a text whose language is not read, whatever its stars", () => {
  for (const taxonomy of [home, general])
    for (const text of FOREIGN_LANGUAGES.flatMap(reviewsIn))
      for (const rating of [1, 5]) {
        const { language, ...said } = analyseText(text, rating, taxonomy);
        assert.deepEqual(said, { sentiment: null, score: null, aspects: [], problems: [], theme_words: "" }, text);
        assert.equal(isReadLanguage(language), false);
      }
});

test("analyseText() reads a text that does not tell its language as English", () => {
  assert.deepEqual(analyseText("OK 👍", 4, home), {
    ...{ language: "und", sentiment: "positive", score: 0.6, aspects: [], problems: [], theme_words: "" },
  });
});

test("analyseText() leaves the class to the stars and moves the score by the words", () => {
  const good = analyseText("Great work, honest people, fair price.", 3, home);
  const bad = analyseText("Rude, late, and the leak came back.", 3, home);
  assert.deepEqual([good.sentiment, bad.sentiment], ["neutral", "neutral"]);
  assert.ok((bad.score ?? 0) < 0 && 0 < (good.score ?? 0));
});

test("analyseText() finds problems that are told of and not those that are denied", () => {
  const [problems, patterns] = ["problems:\n", "[never show up]"];
  const told = `${problems}  - { id: no_show, label: Nobody came, phrases: ${patterns} }\n  - { id: fees, label: Fees, phrases: [hidden fee] }\n`;
  const aspect = "{ id: care, label: Care, question: q, praised_for: care, blamed_for: carelessness }";
  const yaml = `format: 1\nversion: 1\nlabel: Boats\naspects: [${aspect}]\n${told}`;
  const boats = parseTaxonomy(yaml, "boats", { model: readModelFiles("boats") });
  assert.deepEqual(analyseText("They never showed up. No hidden fees, though.", 1, boats).problems, ["no_show"]);
});

test("analyseText() names no problems of home services, where patterns were mostly wrong about them", () => {
  assert.deepEqual(analyseText("They never showed up and the leak came back.", 1, home).problems, []);
});

test("analysisKey() changes with text, stars and taxonomy and with nothing else", () => {
  const keys = [
    analysisKey("a", 5, home),
    analysisKey("b", 5, home),
    analysisKey("a", 4, home),
    analysisKey("", 5, home),
    analysisKey(null, 5, home),
    analysisKey("a", 5, dental),
    analysisKey("a", 5, parse("home-services", "\n# a remark")),
  ];
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(analysisKey("a", 5, parse("home-services")), keys[0]);
});

test("analyseText() finds no blame that only the stars say", () => {
  const general = parse("general");
  for (const text of [
    "Our table was in a lovely private room.",
    "The ambiance, staff and fit out are all lovely.",
    "My meal of pork was very tender.",
    "It is a very large and spacious place.",
  ]) {
    const blamed = analyseText(text, 1, general).aspects.filter(({ sentiment }) => sentiment === "negative");
    assert.deepEqual(blamed, [], text);
  }
});

test("analyseText() takes a denied fault for no blame", () => {
  const general = parse("general");
  for (const text of ["Food wasn't bad at all", "The wine was not terrible."]) {
    const blamed = analyseText(text, 2, general).aspects.filter(({ sentiment }) => sentiment === "negative");
    assert.deepEqual(blamed, [], text);
  }
  assert.equal(mentions("The second guy was real nice about the whole thing.", 2).includes("-"), false);
});

test("analyseText() takes a bare verdict for no praise of anything in particular", () => {
  const general = parse("general");
  for (const text of ["Good", "Very Good", "good one", "Good 👍"]) {
    assert.deepEqual(analyseText(text, 5, general).aspects, [], text);
  }
  assert.equal(mentions("Friendly staff", 5, general), "staff+");
  assert.equal(mentions("Delicious!", 5, general), "food+");
});

test("analyseText() takes a denied bare verdict for no blame of anything in particular", () => {
  const general = parse("general");
  for (const text of ["not good", "Not good", "Not great", "not so nice"]) {
    for (const stars of [1, 2, 3]) assert.deepEqual(analyseText(text, stars, general).aspects, [], text);
  }
  assert.equal(mentions("Staff not good", 1, general), "staff-");
  assert.equal(mentions("Food not good", 3, general), "food-");
});

test("analyseText() has a clause say of the themes that it names what a correction says", () => {
  const text = "The parking was terrible. Lovely people.";
  const corrected = analyseText(text, 2, general, () => [
    { id: "place", sentiment: "positive", evidence: "The parking was terrible" },
  ]);
  assert.deepEqual(
    [analyseText(text, 2, general), corrected].map(({ theme_words }) => theme_words.slice(0, 9)),
    ["-;parking", "+;parking"],
  );
});
