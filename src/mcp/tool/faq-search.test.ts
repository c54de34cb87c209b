import assert from "node:assert/strict";
import { test } from "node:test";
import { taxonomyNamed } from "../../analysis/trade-taxonomy.ts";
import { askedSubjects } from "../../insight/taxonomy/asked-subjects.ts";
import { taxonomyNames } from "../../insight/taxonomy/taxonomy-files.ts";
import { READ_TAGS } from "../../insight/text/language-words.ts";
import type { FaqEntry } from "../../insights-document.ts";
import { searchFaq } from "./faq-search.ts";

/** Finding answers by a question in one's own words. */

const FAQ: readonly FaqEntry[] = [
  {
    question: "Are their prices fair?",
    answer: "About 12 reviews praise fair prices.",
    review_ids: [],
    about: ["pricing"],
  },
  { question: "Do they come on time?", answer: "Most say so: “Never late”.", review_ids: [], about: ["punctuality"] },
  { question: "Can they be trusted?", answer: "3 praise honesty.", review_ids: [], about: ["trust"] },
  { question: "What do customers say about A/C?", answer: "Some: “Nice café, no air”.", review_ids: [], about: ["ac"] },
  {
    question: "What do customers complain about?",
    answer: "At least 3 contain a complaint, often about high prices.",
    review_ids: [],
    about: ["pricing"],
  },
];

const INSIGHTS = {
  faq: FAQ,
  aspects: [
    { id: "pricing", label: "Pricing" },
    { id: "punctuality", label: "Punctuality" },
    { id: "trust", label: "Honesty" },
  ],
  topics: [
    { id: "ac", label: "Klimaanlagen" },
    { id: "water-pipe", label: "water pipe" },
  ],
  languages: [
    { language: "de", review_count: 1, analysed: true },
    { language: "te", review_count: 1, analysed: false },
  ],
} as unknown as Parameters<typeof searchFaq>[0];

for (const [query, found, why] of [
  [undefined, [0, 1, 2, 3, 4], "no query gives all"],
  ["  ", [0, 1, 2, 3, 4], "an empty one, too"],
  ["PRICE", [0, 4], "any case and inflection; the question counts more than the answer"],
  ["is honesty worth the price?", [2, 0, 4], "best match first"],
  ["air", [3], "whole words: not “fair”"],
  ["swimming pool", [], "no part of a word"],
  ["complaints", [4], "a noun of the answer"],
  ["complaining", [4], "an inflection"],
  ["pricings", [0, 4], "an inflection of an inflection"],
  [`${"x ".repeat(30_000)}price`, [], "what is far behind is not read"],
  ["ac", [3], "what is written without a space, with or without what is between"],
  ["a/c!", [3], "the same the other way round"],
  ["ACs", [3], "the plural of an abbreviation"],
  ["A/C's", [3], "however it is written"],
  ["cafe", [3], "accents do not matter"],
  ["Klimaanlage", [3], "the topic behind it, in the inflections of the languages read"],
  ["ever late?", [1], "the answer"],
  ["what do customers say about punctuality", [1], "words that frame questions find nothing beside others"],
  ["customers", [3, 4], "but by themselves"],
  ["who are you", [], "function words"],
  ["who is on time", [1], "a function word of one language beside a word"],
  ["constructor", [], "no member of anything"],
] as const) {
  test(`searchFaq() finds ${found.length} for ${JSON.stringify(query)}: ${why}`, () => {
    assert.deepEqual(
      searchFaq(INSIGHTS, query).faq.map((entry) => FAQ.indexOf(entry)),
      found,
    );
  });
}

test("searchFaq() finds an entry by each content word of its question, answer and topics", () => {
  for (const entry of FAQ)
    for (const word of `${entry.question} ${entry.answer}`.match(/\p{L}{5,}/gu) ?? [])
      assert.ok(
        [`${word}s`, word].some((query) => searchFaq(INSIGHTS, query).faq.includes(entry)),
        word,
      );
});

test("searchFaq() gives a question about each topic that a query names, before answers that share a word with it", () => {
  const named = searchFaq(INSIGHTS, "Do the pipes leak?");
  assert.deepEqual([named.faq.map(({ about }) => about), named.isAbout], [[["water-pipe"]], true]);
  const topic = (label: string) => ({ ...INSIGHTS.topics[0], id: label, label }) as (typeof INSIGHTS.topics)[number];
  const noise = searchFaq({ ...INSIGHTS, topics: [topic("noise")] }, "Is it noisy there?");
  assert.deepEqual(noise.faq[0], { question: "What do customers say about noise?", answer: "", review_ids: [], about: ["noise"] }); // biome-ignore format: a row
  const shared = [{ ...FAQ[0], answer: "In one customer’s words: “the lift is old”." }] as (typeof FAQ)[number][];
  const lift = searchFaq({ ...INSIGHTS, faq: shared, topics: [topic("lift")] }, "Is there a lift?");
  assert.deepEqual(lift.faq.map(({ about }) => about), [["lift"], FAQ[0]?.about]); // biome-ignore format: a row
});

test("searchFaq() answers a question after one matter by no count of a wider one, and gives the words to look for", () => {
  const insights = everythingAsked("general", ["en"]);
  const noise = searchFaq(insights, "Is it noisy?");
  assert.deepEqual([noise.faq, noise.missing], [[], ["noisy"]]);
  assert.deepEqual(noise.wordsOfMissing.slice(0, 4), ["noisy", "noise", "loud", "quiet"]);
  const both = searchFaq(insights, "Is the food good, and are the portions big?");
  assert.deepEqual([both.faq[0]?.about, both.isAbout, both.missing], [["food"], true, ["portions"]]);
  assert.deepEqual(searchFaq(insights, "Is there an elevator?").wordsOfMissing, []);
  const lasting = searchFaq(insights, "Is the work good, and does it last?");
  assert.deepEqual([lasting.faq[0]?.about, lasting.missing], [["quality"], ["last"]]);
});

test("searchFaq() gives words for an aspect that no answer has, but not of languages that no review is in", () => {
  const place = { question: "What is the place like?", answer: "Mostly praise.", review_ids: [], about: ["place"] };
  const insights = { ...everythingAsked("general", ["en"]), faq: [place] };
  const widerOf = (query: string) => searchFaq(insights, query).wider;
  assert.deepEqual(widerOf("Are the seats comfortable?"), ["seats", "comfortable"]);
  assert.deepEqual(widerOf("What is the place like?"), []);
  assert.deepEqual(widerOf("Ist es gemütlich?"), []);
});

test("searchFaq() takes a year for a time, and for no word that reviews may have", () => {
  const { years, ofRecords, missing } = searchFaq(INSIGHTS, "How many reviews were there in 2024 and 2025?");
  assert.deepEqual([years, ofRecords, missing], [["2024", "2025"], ["trends"], []]);
  assert.deepEqual(searchFaq(INSIGHTS, "reviews of last year").ofRecords, ["trends"]);
  assert.deepEqual(searchFaq(INSIGHTS, "Where is it?").ofRecords, ["details"]);
});

test("searchFaq() gives the particular words that nothing has", () => {
  for (const [query, missing] of [
    ["Are prices fair for asbestos removals?", ["asbestos", "removals"]],
    ["How long does it work, and is it never late?", []],
    ["Is it expensive for water pipes?", []],
    ["Is there air con, and is it expensive?", []],
    ["Are the toilets near, and the prices fair?", ["toilets", "near"]],
    ["Do they charge for travel?", ["travel"]],
    ["Do they reply to reviews?", []],
    ["C’est trop cher ?", []],
  ] as const)
    assert.deepEqual(searchFaq(INSIGHTS, query).missing, missing, query);
  const english = { ...INSIGHTS, languages: [] };
  assert.deepEqual(searchFaq(english, "Ist es teuer?").missing, [], "function words of a language without reviews");
});

test("searchFaq() tells replies to reviews and where these are from, of which no review speaks, from other answers", () => {
  const insights = everythingAsked("general", READ_TAGS);
  for (const [ofRecords, query] of [
    ["owner_replies", "Do they reply to reviews?"],
    ["owner_replies", "Does the owner respond to bad reviews?"],
    ["owner_replies", "Antworten sie auf Bewertungen?"],
    ["owner_replies", "¿Responden a las reseñas?"],
    ["owner_replies", "Répondent-ils aux avis ?"],
    ["owner_replies", "Reageren ze op reviews?"],
    ["provenance", "Where do these reviews come from?"],
    ["provenance", "Are the reviews real?"],
    ["provenance", "Can they hide bad reviews?"],
    ["provenance", "Have any reviews been deleted? Are any reviews removed?"],
    ["provenance", "Sind die Bewertungen echt?"],
    ["provenance", "¿Son reales las reseñas?"],
    ["provenance", "D’où viennent les avis ?"],
    ["provenance", "Zijn de reviews echt?"],
    ["provenance", "How many reviews were removed?"],
    ["provenance", "Were bad reviews deleted?"],
    ["provenance", "How many reviews have been taken down?"],
    ["provenance", "Wie viele Bewertungen wurden gelöscht?"],
    ["provenance", "Wurden Rezensionen entfernt?"],
    ["provenance", "¿Cuántas reseñas se han eliminado?"],
    ["provenance", "Combien d’avis ont été supprimés ?"],
    ["provenance", "Hoeveel beoordelingen zijn er verwijderd?"],
    ["ratings", "How many reviews have no words?"],
    ["ratings", "Percentage of negative reviews"],
    ["ratings", "Wie viele Bewertungen sind ohne Text?"],
    ["owner_replies", "How long does the owner take to reply?"],
    ["owner_replies", "Wie lange braucht der Inhaber für eine Antwort?"],
    ["owner_replies", "How many poor reviews are unanswered?"],
    ["owner_replies", "Wie viele Bewertungen sind unbeantwortet?"],
    ["trends", "Is it getting better or worse?"],
    ["trends", "Which year was worst?"],
    ["trends", "What is the trend?"],
    ["trends", "Do people think it has gone downhill?"],
    ["trends", "Ist es schlechter geworden?"],
    ["trends", "¿Ha empeorado?"],
    ["trends", "Est-ce que ça s’améliore ?"],
    ["trends", "Is het slechter geworden?"],
    ["trends", "Why did the rating fall?"],
    ["trends", "Warum ist die Bewertung gefallen?"],
    ["single_reviews", "How old is the newest review?"],
    ["single_reviews", "What does the worst review say?"],
    ["single_reviews", "Zeig mir die schlechteste Bewertung"],
    ["single_reviews", "¿Cuál es la peor reseña?"],
    ["single_reviews", "De quand date le dernier avis ?"],
    ["single_reviews", "Hoe oud is de oudste beoordeling?"],
    ["ratings,praise", "What share of reviews is positive?"],
    ["praise", "What do people like most?"],
    ["praise", "What do customers praise?"],
    ["praise", "Was gefällt am besten?"],
    ["praise", "¿Qué es lo que más gusta?"],
    ["praise", "Quels sont les points forts ?"],
    ["praise", "Wat zijn de sterke punten?"],
    ["", "What are the people like?"],
    ["", "Are there any complaints?"],
    ["", "Do they reply to emails?"],
    ["", "Do they remove old furnaces?"],
  ] as const)
    assert.equal(searchFaq(insights, query).ofRecords.join(), ofRecords, query);
  assert.deepEqual(searchFaq(insights, "How many poor reviews are unanswered?").missing, []);
  for (const query of ["Do they reply to reviews?", "Can they hide bad reviews?"])
    assert.equal(searchFaq(insights, query).isAbout, false, query);
  assert.equal(searchFaq(insights, "Do they reply to emails?").isAbout, true);
});

test("searchFaq() answers what is praised most with the aspects that are, and never by a word that frames the question", () => {
  const all = everythingAsked("general", ["en"]);
  const aspects = all.aspects.map((aspect) => ({
    ...aspect,
    positive_count: { place: 41, food: 20, staff: 6, value: 5 }[aspect.id] ?? 0,
  }));
  for (const query of ["What do people like most?", "What do customers like most?", "What are the strengths?"]) {
    const { faq, isAbout, missing } = searchFaq({ ...all, aspects }, query);
    assert.deepEqual([faq.map(({ about }) => about.join()), isAbout, missing], [["place", "food", "staff"], true, []]);
    assert.deepEqual(searchFaq(all, query).faq, [], "nothing is praised");
  }
  const food = searchFaq({ ...all, aspects }, "What do people like most about the food?");
  assert.deepEqual(food.faq[0]?.about, ["food"]);
  assert.deepEqual(searchFaq(all, "Is it getting better or worse, do people say?").faq, []);
  const calm = { ...all, faq: all.faq.filter(({ about }) => about.length === 1) };
  const { isAbout, ofRecords } = searchFaq(calm, "Are there any complaints?");
  assert.deepEqual([isAbout, ofRecords], [false, ["complaints"]]);
});

test("searchFaq() gives few answers that only share a word beside those about what is asked, and says that there are some", () => {
  const all = everythingAsked("general", ["en"]);
  const faq = all.faq.map((entry) => ({ ...entry, answer: "3 reviews complain." }));
  const found = searchFaq({ ...all, faq }, "How many people complained about parking?");
  assert.deepEqual([found.faq[0]?.about, found.isShared], [["parking"], true]);
  assert.ok(found.faq.length <= 4, String(found.faq.length));
  assert.ok(!found.faq.some(({ about }) => about[0] === "capacity"));
});

test("searchFaq() takes neither words that frame complaints nor joined function words for what is asked", () => {
  const all = everythingAsked("general", ["en"]);
  assert.deepEqual(searchFaq(all, "What is criticised most?").wider, []);
  assert.ok(!searchFaq(all, "Est-ce propre ?").content.includes("estce"));
  assert.deepEqual(searchFaq(all, "Is there music or a DJ?").missing, ["music", "dj"]);
  assert.ok(!searchFaq(all, "Who is named most among the staff?").missing.includes("among"));
  assert.ok(!searchFaq(all, "Wurden Bewertungen entfernt?").others.includes("entfernt"));
});

test("searchFaq() says whether a question or topic is about the words, or they only stand in answers", () => {
  const isAbout = (query: string) => searchFaq(INSIGHTS, query).isAbout;
  assert.deepEqual(["", "price", "Klimaanlage", "ever late?", "few", "air", "swimming pool"].map(isAbout), [
    ...[true, true, true, true],
    ...[false, false, false],
  ]);
});

test("searchFaq() puts the question about a topic before one about several, which only names it", () => {
  const complaints = {
    question: "What do customers complain about?",
    answer: "At least 80 reviews contain a complaint, often about food and drink and long waits.",
    review_ids: [],
    about: ["food", "speed"],
  };
  const waiting = {
    question: "How long does one wait?",
    answer: "At least 25 reviews complain about long waits.",
    review_ids: [],
    about: ["speed"],
  };
  const insights = {
    ...INSIGHTS,
    faq: [complaints, waiting],
    aspects: [
      { id: "food", label: "Food and drink" },
      { id: "speed", label: "Speed and waiting" },
    ],
  } as unknown as typeof INSIGHTS;
  assert.deepEqual(searchFaq(insights, "How long do I have to wait for food?").faq, [waiting, complaints]);
  const alone = searchFaq({ ...insights, faq: [complaints] }, "speed");
  assert.deepEqual([alone.faq, alone.isAbout], [[complaints], true]);
});

/** What the FAQ of a business of this trade asks, with reviews in these languages: about each aspect, and about what its customers name. */
function everythingAsked(trade: string, tags: readonly string[]): Parameters<typeof searchFaq>[0] {
  const { aspects } = taxonomyNamed(trade);
  const topics = ["parking", "lift", "AC", "capacity"].map((label) => ({ id: label.toLowerCase(), label }));
  const ask = (id: string, question: string) => ({
    question,
    answer: "3 reviews say so.",
    review_ids: [],
    about: [id],
  });
  const faq = [
    ...aspects.map(({ id, question }) => ask(id, question)),
    { ...ask("", "What do customers complain about?"), about: aspects.slice(0, 2).map(({ id }) => id) },
    ...topics.map(({ id, label }) => ask(id, `What do customers say about ${label}?`)),
  ];
  const languages = tags.map((language) => ({ language, review_count: 9, analysed: true }));
  return { faq, aspects, topics, languages } as unknown as Parameters<typeof searchFaq>[0];
}

/** Questions as people ask them, by what they are about; "" where no review can say it. */
const ASKED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  general: {
    value:
      "Is it expensive? | How much does it cost? | Can we afford it? | Ist es teuer? | ¿Es muy caro? | C’est cher ? | Is het duur? | Do they overcharge? | How pricey is it? | Is it overpriced? | Are they good value? | Is it worth it? | What are the rates like? | Are there hidden costs? | Do they charge extra? | Is it a rip-off? | Are they a rip off? | Will I be ripped off? | What do they charge? | What does a meal cost? | Is it reasonable? | Is it economical? | Are the prices reasonable? | Was kostet das? | Sind sie überteuert? | Lohnt es sich? | Wird man abgezockt? | Verlangen sie zu viel? | Ist es sein Geld wert? | ¿Cobran de más? | ¿Cuánto cobran? | ¿Vale la pena? | ¿Es una estafa? | C’est trop cher ? | Ça vaut le prix ? | Ça vaut le coup ? | Combien ça coûte ? | Est-ce une arnaque ? | Zijn ze duur? | Vragen ze te veel? | Is het de moeite waard? | Is het afzetterij?",
    staff:
      "Were the workers polite? | Are they nice people? | Are they nice? | Is the staff nice? | Is everyone friendly? | How do they treat you? | How are guests treated? | Are they helpful? | Are the waiters any good? | Is the service good? | How is the service? | Is customer service good? | Are they arrogant? | Are they grumpy? | Is one made welcome? | Is the owner nice? | Are they kind? | Who works there? | Are they welcoming? | Sind die Leute nett? | Wie ist der Service? | Ist das Personal freundlich? | Wie wird man behandelt? | Sind sie hilfsbereit? | Sind sie arrogant? | ¿Son simpáticos? | ¿Es buena gente? | ¿Tratan bien a los clientes? | ¿Son groseros? | ¿Cómo es el servicio? | Sont-ils sympas ? | Les gens sont-ils gentils ? | Comment est le service ? | Sont-ils désagréables ? | Zijn het aardige mensen? | Zijn ze vriendelijk? | Hoe is de service? | Zijn ze onbeschoft?",
    cleanliness:
      "Is it dirty? | C’est propre ? | Does it smell? | Is it hygienic? | Is it well kept? | Is it filthy? | Is it sanitary? | Are the tables clean? | Is it gross? | Is it dusty? | Ist es dort schmutzig? | Stinkt es? | ¿Está sucio? | ¿Huele mal? | C’est sale ? | Is het er vies?",
    food: "Smakelijk eten? | What is there to eat? | Is the food good? | Is the food any good? | Is the food nice? | How does it taste? | Is it tasty? | How are the drinks? | What is on the menu? | Are the meals fresh? | Is it yummy? | Wie schmeckt das Essen? | ¿Se come bien? | ¿Está rica la comida? | On mange bien ? | C’est bon à manger ? | Is het eten lekker?",
    place:
      "What is the place like? | Is it cosy? | What is the vibe? | Is the location good? | Is it easy to find? | Is it a nice place? | Is it run down? | Is the seating comfy? | How is the ambience? | Wie ist die Stimmung? | Ist es gemütlich? | Is het er gezellig?",
    speed:
      "Do we have to queue? | Wie lang ist die Wartezeit? | Is it quick? | Are they slow? | How long does it take? | Do you have to wait long? | Are there long lines? | Is there a line? | Are you served quickly? | Muss man lange warten? | Geht es schnell? | Wie lange dauert es? | ¿Tardan mucho? | ¿Hay que esperar? | ¿Hay mucha cola? | Faut-il attendre longtemps ? | Est-ce lent ? | Moet je lang wachten? | Duurt het lang?",
    communication:
      "Can I reserve a table? | Do they answer the phone? | Do they reply to emails? | How do I reach them? | Is it easy to book? | Do they keep you informed? | Do they call back? | Do they get back to you? | Are they easy to get hold of? | Melden sie sich zurück? | Gehen sie ans Telefon? | ¿Contestan al teléfono? | Répondent-ils au téléphone ? | Nemen ze de telefoon op?",
    "staff,quality":
      "What do people complain about? | What is criticised most? | Are there any downsides? | What do customers dislike? | What is wrong with it? | Was kritisieren die Kunden? | ¿De qué se quejan? | Quels sont les points faibles ? | Wat zijn de klachten?",
    lift: "Is there an elevator? | Gibt es einen Aufzug?",
    ac: "Is it air-conditioned? | Does the air conditioning work?",
    parking: "Where can guests park their cars?",
    capacity: "Is it big enough for 300 guests? | Is it spacious?",
    quality:
      "Is it any good? | Do they do a good job? | Is the work good? | How good are they? | Are they any good? | Are their products good? | Ist die Arbeit gut? | Taugt das was? | ¿Trabajan bien? | Travaillent-ils bien ? | Leveren ze goed werk?",
    "": "Does it hold up? | Does it last? | Is it noisy? | How busy is it? | Is it loud? | Is it crowded? | Is it quiet? | Ist es laut? | ¿Es ruidoso? | C’est bruyant ? | Is het er rustig? | Are the portions big? | What size are the portions? | Sind die Portionen groß? | ¿Son grandes las raciones? | Les portions sont-elles grandes ? | Wie groß sind die Portionen? | Hoe groot zijn de porties? | What kind of payment do they take? | Is there a place for prayers? | Is it family friendly? | Is it dog-friendly? | Is there a swimming pool? | Are they open late? | Do they take cards? | Where is it? | When are they open? | Do they deliver? | What is their address? | Is there wifi? | Do they work on Sundays? | How many reviews are there? | How long have they been in business? | Who owns it? | What services do they offer? | Can I bring my dog? | Is there a playground? | How long is the warranty? | Do they have live music? | Is there a dress code? | Can I pay online? | Do they sell vouchers? | Do they speak German? | What time do they close? | Wo ist der Eingang? | Wann haben sie offen? | ¿Dónde está? | Où est l’entrée ? | Waar is het? | ¿A qué hora abren? | Sont-ils ouverts le dimanche ?",
  },
  "home-services": {
    pricing:
      "Is it expensive? | Sind sie zu teuer? | Do they overcharge? | How pricey are they? | What are their rates? | Verlangen sie zu viel? | ¿Cobran mucho? | Ils facturent combien ?",
    honesty:
      "Do they rip people off? | Will they try to sell me things? | Can I trust them? | Is it a rip-off? | Are they scammers? | Are they crooks? | Are they legit? | Are they pushy? | Wird man abgezockt? | Kann man ihnen vertrauen? | ¿Son de fiar? | Sont-ils honnêtes ? | Zijn ze te vertrouwen? | Zijn ze betrouwbaar?",
    punctuality:
      "Are they often late? | Kommen sie pünktlich? | Do they show up? | Are they on time? | Do they turn up when they say? | Do they come when they say? | Are they reliable? | Sind sie zuverlässig? | Kommen sie zu spät? | ¿Llegan puntuales? | Arrivent-ils à l’heure ? | Komen ze op tijd?",
    responsiveness:
      "It is an emergency, can they be quick? | ¿Atienden urgencias? | How fast do they come out? | Can they come today? | How soon can they come? | Wie schnell kommen sie?",
    scheduling: "How do I book? | Is it easy to get an appointment?",
    professionalism:
      "Are they rude? | Are they nice people? | Are the technicians friendly? | Are they respectful? | Sind die Leute nett? | Sont-ils sérieux ?",
    technical_knowledge:
      "Do they know what they are doing? | Do they know their stuff? | Are they experienced? | Are they qualified? | Kennen sie sich aus? | ¿Saben lo que hacen?",
    workmanship: "Do they fix it first time? | Do they do good work? | Is the work good?",
    cleanliness:
      "Will they leave a mess? | Do they clean up after themselves? | Do they leave dirt? | Hinterlassen sie Dreck? | ¿Dejan todo limpio? | Travaillent-ils proprement ? | Ruimen ze hun rommel op?",
    communication: "Do they call back? | Do they explain things? | Do they return calls?",
    "": "Does the repair last? | Did it break again? | Hält die Reparatur? | When was the last review? | Are they insured? | Do they install EV chargers? | Do they come at night? | Are they licensed? | Do they offer financing? | Which areas do they serve? | What services do they offer? | Do they repair boilers? | Do they install heat pumps? | Are they open at weekends? | Who is the owner? | How long is the guarantee? | Do they remove trees? | Reparieren sie Heizungen?",
  },
  dental: {
    gentleness:
      "Is it painful? | Are they good with anxious patients? | Does it hurt? | Tut es weh? | ¿Duele? | Ça fait mal ? | Doet het pijn?",
    cost: "Does it cost much? | Do they overcharge?",
    waiting: "How long is the wait? | Are they on time?",
    manner: "Are they nice people?",
    trust: "Do they oversell? | Is it a rip-off?",
    hygiene: "Is it dirty?",
    results: "Do they do good work?",
    scheduling: "Is it easy to get an appointment?",
    explanation: "Do they explain what they do?",
    parking: "Is there parking nearby?",
    "": "Is the practice open on Saturday? | Do they treat children? | Do they do implants? | Do they take my insurance?",
  },
};

for (const [trade, questions] of Object.entries(ASKED)) {
  const insights = [["en"], READ_TAGS].map((languages) => everythingAsked(trade, languages));
  for (const [about, asked] of Object.entries(questions)) {
    test(`searchFaq() takes questions of ${trade} for questions about ${about || "nothing known"}`, () => {
      for (const question of asked.split(" | ")) {
        for (const one of insights) {
          const { faq, isAbout } = searchFaq(one, question);
          assert.equal(isAbout ? faq[0]?.about.join() : "", about, question);
        }
      }
    });
  }
}

test("taxonomies/asked-as.json has words for each aspect of each trade, and a phrase for one subject of it", () => {
  const subjects = askedSubjects();
  for (const trade of taxonomyNames()) {
    const ids = taxonomyNamed(trade).aspects.map(({ id }) => id);
    for (const id of ids)
      assert.ok(
        subjects.some(({ aspects }) => aspects.includes(id)),
        `${trade}: ${id}`,
      );
    const seen = new Set<string>();
    for (const { words } of subjects.filter(
      ({ aspects }) => aspects.length === 0 || aspects.some((id) => ids.includes(id)),
    )) {
      const own = new Set(Object.values(words).flat());
      assert.deepEqual(
        [...own].filter((phrase) => seen.has(phrase)),
        [],
        trade,
      );
      for (const phrase of own) seen.add(phrase);
    }
  }
});
