import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { taxonomyNamed } from "../../analysis/trade-taxonomy.ts";
import { type BusinessFile, businessFileSchema } from "../../business.ts";
import { forBusiness } from "../taxonomy/taxonomy.ts";
import { analyseText } from "../text-analysis.ts";
import { openThemeColumns } from "./theme-columns.ts";
import { findThemes } from "./themes.ts";

const HALL = businessFileSchema.parse({
  name: "Lindgren Banquets",
  time_zone: "UTC",
  address: { locality: "Oakmere", street: "4 Mill Lane" },
  technicians: [{ id: "priya", name: "Priya Nair" }],
  service_areas: [{ id: "ford", label: "Elmford", aliases: ["Ford End"] }],
});

/** Reviews of which nothing is named. */
const REST = Array.from({ length: 12 }, () => [5, "Very nice, we were happy with everything."] as const);

function themesOf(rows: readonly (readonly [number, string])[], business: BusinessFile = HALL) {
  const people = business.technicians.map(({ name }) => name);
  const taxonomy = forBusiness(taxonomyNamed("general"), { business: business.name, people }, "LocalBusiness");
  const columns = openThemeColumns(rows.length);
  for (const [rating, text] of rows) {
    const { theme_words, language } = analyseText(text, rating, taxonomy);
    columns.add(theme_words, language);
  }
  return findThemes(columns.finish(), rows.length, business).themes;
}

const named = (...texts: readonly string[]) =>
  themesOf([...texts.map((text) => [4, text] as const), ...REST]).map(
    ({ label, positions }) => `${label} ${positions.length}`,
  );

const CASES: readonly (readonly [law: string, texts: readonly string[], themes: readonly string[]])[] = [
  ["a word that three reviews name", ["No parking", "The parking was full.", "Parking is far away"], ["parking 3"]],
  ["nothing that two reviews name", ["No parking", "The parking was full."], []],
  [
    "a review once that names it twice",
    ["Parking, parking, parking!", "The parking was full.", "Parking is far away"],
    ["parking 3"],
  ],
  [
    "spellings of one word together, as most customers write it",
    ["The AC was off", "Our A/C was loud", "no ac in the room", "The AC leaked"],
    ["AC 4"],
  ],
  ["an abbreviation and its plural together", ["The AC was off", "All the ACs were old", "no ACs at all"], ["ACs 3"]],
  ["an abbreviation that begins sentences", ["Ac broke", "Ac leaked", "no AC here", "AC leaked"], ["AC 4"]],
  [
    "a noun with the verb that it is made of",
    ["The install was quick", "Our installation took a day", "We watched the installation", "The install looks neat"],
    ["install 4"],
  ],
  [
    "no piece of an emoji that was decoded with a wrong encoding",
    ["Loved it ðŸ˜€", "We came back ðŸ‘ ðŸ‘ today", "Fun with ðŸ˜€ them", "Lovely âœ¨ evening", "So âœ¨", "Yes âœ¨"],
    [],
  ],
  ["inflections together", ["The lift broke", "Two lifts, both slow", "We used the lift"], ["lift 3"]],
  [
    "a phrase, and none of its parts",
    ["The waiting room was cold", "A tiny waiting room", "Our waiting room was full"],
    ["waiting room 3"],
  ],
  [
    "a word that is named alone more often than in a phrase, and not the phrase",
    [
      "The cake was dry",
      "They sent a cake with our name",
      "Our cake was late",
      "The cake fell",
      "We brought a carrot cake",
      "Carrot cake",
      "carrot cake again",
    ],
    ["cake 7"],
  ],
  [
    "a word that is mostly a part of others as these: the space of parking and of dining",
    [
      "The parking was full, no parking at all",
      "No space for parking, the dining was cold",
      "A parking space, and good dining",
      "The dining was late",
      "Our dining space was cold",
      "They had space",
    ],
    ["dining 4", "parking 3"],
  ],
  [
    "an abbreviation as it is written within sentences",
    ["Ac not working", "Ac is off", "Ac leaked", "Ac loud", "the AC leaked", "we had AC", "the ac was off"],
    ["AC 7"],
  ],
  [
    "no praise and nothing that any review says",
    [
      "Great service and great staff, recommend",
      "Recommend, great staff",
      "Great time, great staff, recommend",
      "Great place",
    ],
    [],
  ],
  ["no words of the business's name alone", ["The banquet was late", "Our banquet", "A banquet for fifty"], []],
  ["no person of the business", ["Priya came late", "We asked Priya", "priya was here"], []],
  ["no person that it does not list", ["We met Wendelin there", "Then Wendelin left", "Ask for Wendelin"], []],
  [
    "no place of the business",
    ["We live in Oakmere", "From Elmford to Oakmere", "All of elmford, all of oakmere", "oakmere"],
    [],
  ],
  [
    "no name that some shout",
    ["The flat at Creek Beach", "We live near Dubai Creek", "Noise in all of CREEK BEACH", "They sold us Creek Tower"],
    [],
  ],
  [
    "animals, which customers bring",
    ["My dog was welcome", "Two dogs lay there", "They had water for the dog"],
    ["dog 3"],
  ],
  [
    "a celebration whose plural sounds like praise",
    ["Good for birthday parties", "Nice for birthday parties", "We held a birthday party"],
    ["birthday parties 3"],
  ],
  [
    "whom customers name of the people there",
    ["We asked the manager", "No manager came", "Two managers"],
    ["manager 3"],
  ],
  ["nothing by what people there do", ["The waiting staff were kind", "Lovely waiting staff", "The waiting team"], []],
  ["no initials of the business", ["Thanks to LB for all", "We asked LB twice", "All was done by LB"], []],
  ["no verb", ["They parked us in", "We parked there", "You can park us here"], []],
  [
    "those in other languages",
    ["Die Tiefgarage war voll.", "Leider war die Tiefgarage zu.", "Wir fanden die Tiefgarage nicht."],
    ["Tiefgarage 3"],
  ],
  [
    "no word of a language with capitals that only begins sentences",
    ["Zudem kam er", "Zudem war es kalt", "Zudem lief es"],
    [],
  ],
  [
    "no name that some write with a title",
    [
      "Herr Abendroth kam sofort.",
      "Wir rufen wieder Abendroth an.",
      "Alles hat Abendroth repariert.",
      "Gut, dass Abendroth kam.",
    ],
    [],
  ],
  [
    "a word that once follows a title by chance",
    ["Thank you sir parking was full", ...Array.from({ length: 10 }, () => "There is no parking here")],
    ["parking 11"],
  ],
  ["no name after a title", ["Herr Wiesner kam", "Dank an Herrn Wiesner", "Frau Wiesner half uns"], []],
  [
    "hyphens as most customers write them",
    ["Die PV-Anlage läuft.", "Unsere PV-Anlage ist da.", "Eine PV Anlage vom Dach."],
    ["PV-Anlage 3"],
  ],
  [
    "phrases with a word such as “of” between",
    ["La sala de espera estaba llena.", "Una sala de espera muy fría.", "Esperamos en la sala de espera."],
    ["sala de espera 3"],
  ],
  [
    "a word without the “of” that some write before it",
    ["La sala de espera era fría.", "Hay una sala de espera fría.", "La espera fue larga."],
    ["espera 3"],
  ],
  [
    "a word as most write it, those who begin a sentence with it included",
    ["Le ballon fuit encore.", "Il a trouvé la fuite.", "Fuite réparée avec soin."],
    ["fuite 3"],
  ],
  [
    "no Dutch word that only joins others",
    [
      "De tuin was mooi, hoewel we andere plannen hadden.",
      "Hoewel het regende, zaten we met andere gasten in de tuin.",
      "Een tuin voor andere mensen, hoewel niet groot.",
    ],
    ["tuin 3"],
  ],
  [
    "no Dutch adverb, adjective or participle",
    [
      "Keurig, de ketel werd netjes vervangen.",
      "De nieuwe ketel is stil en keurig geplaatst, alles netjes.",
      "Ketel vervangen, netjes geplaatst, keurig en stil.",
    ],
    ["ketel 3"],
  ],
  [
    "no French word that only joins others",
    [
      "Nous avons séjourné ici pour le jardin.",
      "Ici, chaque jardin est calme. Nous y avons séjourné.",
      "Il y a un jardin ici, là où nous avons séjourné.",
    ],
    ["jardin 3"],
  ],
  [
    "no Spanish word that only joins others",
    [
      "Nos alojamos aquí por el jardín.",
      "Aquí hay un jardín. Nos alojamos dos noches.",
      "El jardín de aquí es tranquilo, nos alojamos mientras llovía.",
    ],
    ["jardín 3"],
  ],
  [
    "no half of a French word that a hyphen joins, and no verb of a trade",
    [
      "Rendez-vous pris, chaudière réparée, il est poli, rien à redire.",
      "La chaudière est réparée, il est poli, rien à redire, le rendez-vous aussi.",
      "Rien à redire du rendez-vous : poli, chaudière réparée.",
    ],
    ["chaudière 3"],
  ],
  [
    "no Spanish verb of a trade",
    [
      "Reparó la caldera enseguida y explicó todo.",
      "Vino enseguida, reparó la caldera y lo explicó.",
      "Explicó qué caldera era y la reparó enseguida.",
    ],
    ["caldera 3"],
  ],
  [
    "nothing in a language that is not read",
    ["駐車場がありません。", "駐車場は満車でした。", "駐車場は遠いです。"],
    [],
  ],
];

/** What a text says of a thing: of five stars with an exclamation mark, of one without. */
const SAID: readonly (readonly [
  law: string,
  word: string,
  texts: readonly string[],
  praising: readonly number[],
  criticising: readonly number[],
])[] = [
  [
    "no criticism of what a complaint only mentions",
    "table",
    [
      "We had booked a table and were told after an hour that the kitchen had closed.",
      "Food took fifty minutes to reach the table.",
      "It was a long wait and rude people until we were shown to the table by someone else.",
      "The table was filthy.",
    ],
    [],
    [3],
  ],
  [
    "criticism of what is not there, does not work or is bad in itself",
    "lift",
    ["No lift at all.", "The lift was not working.", "Terrible lift, we were stuck.", "They have a lift."],
    [],
    [0, 1, 2],
  ],
  [
    "no praise of a good word that is a thing",
    "security",
    ["Security was rude.", "The security is awful.", "Nobody from security came.", "Friendly security!"],
    [3],
    [0, 1, 2],
  ],
];

describe("findThemes() finds", () => {
  for (const [law, texts, themes] of CASES) test(law, () => assert.deepEqual(named(...texts), themes));

  test("at most twenty, the most frequent first", () => {
    const words = "parking lift kitchen garden piano balcony carpet curtain fountain heater oven fridge elevator garage basement attic chimney gutter fence ladder sofa lamp".split(" "); // biome-ignore format: one row
    const rows = words.flatMap((word, index) =>
      Array.from({ length: 3 + (index % 4) }, () => [4, `We saw the ${word}.`] as const),
    );
    const counts = themesOf(rows).map(({ positions }) => positions.length);
    assert.equal(counts.length, 20);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    );
  });

  test("what fewer than 2 % of many reviews name not at all", () => {
    const some = Array.from({ length: 10 }, () => [4, "The lift broke."] as const);
    const rest = (count: number) => Array.from({ length: count }, () => REST[0] ?? ([5, ""] as const));
    assert.deepEqual(
      [490, 491].map((count) => themesOf([...some, ...rest(count)]).length),
      [1, 0],
    );
  });

  test("who praises and who criticises it, by the clauses that name it", () => {
    const [parking] = themesOf([
      [2, "Friendly people, but the parking was terrible."],
      [5, "Great parking, huge and well lit."],
      [1, "Worst parking ever."],
      [4, "There is parking."],
      ...REST,
    ]);
    assert.deepEqual(
      [parking?.id, [...(parking?.praising ?? [])], [...(parking?.criticising ?? [])]],
      ["parking", [1], [0, 2]],
    );
  });

  for (const [law, word, texts, praising, criticising] of SAID)
    test(law, () => {
      const rows = texts.map((text) => [text.endsWith("!") ? 5 : 1, text] as const);
      const theme = themesOf([...rows, ...REST]).find(({ id }) => id === word);
      assert.deepEqual([[...(theme?.praising ?? [])], [...(theme?.criticising ?? [])]], [praising, criticising]);
    });
});
