import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import packageFile from "../../../package.json" with { type: "json" };
import { FOREIGN_LANGUAGES, reviewsIn } from "../../../test/support/foreign-reviews.ts";
import fc, { anyText } from "../../../test/support/properties.ts";
import { taxonomyNamed } from "../../analysis/trade-taxonomy.ts";
import { analyseText } from "../text-analysis.ts";
import { isReadLanguage, languageOf, languageOfText } from "./language.ts";
import { LANGUAGE_TABLE_FILE } from "./language-table.ts";

/** Short English reviews with what misleads: names, dishes, brands, capitals, typing errors, slang, emoji. */
const ENGLISH = `Great service
Very good.
Friendly staff
Would not recommend
Dana was amazing!!!
José and Renée were so kind to my mum
Thank you Guadalupe
Best tacos al pastor in town
Their ropa vieja and tostones are to die for
Loved the crème brûlée and the café latte
We ordered schnitzel, spätzle and a Weißbier: superb
Szechuan noodles were cold
GREAT JOB GUYS
terible servise, wont go agian
Gr8 service thx
Soooo happy with my new furnace
Fixed it in ten minutes
On time and tidy
Never again.
Avoid!
Rip off
Total waste of money
10/10 would hire again
5 stars ⭐⭐⭐⭐⭐ thanks team
Waited 3 hrs & no one came
Rude receptionist
No complaints
Nothing to add
Fast, fair, friendly
Pricey but worth it
Ana Paula did my nails, love them 💅
Called Schneider Heating, Jürgen came the same day
Bonjour Bakery never disappoints
The maître d' ignored us
Honest mechanic
Excellent communication throughout
Good value
Still leaking
They botched the drywall
Punctual, polite, professional
A+++
Awesome experience from start to finish.
My go to place
Ok I guess
Meh
Poor customer care
Installed a Daikin mini split, works fine
Mr Nguyen explained everything
Bit expensive tbh
Clean rooms, comfy beds
Kids loved it
Highly recommended
Cheers Dave
Nobody answers the phone
Could be better
Delicious food, slow service
Will be back
Not impressed
Spot on
Brilliant
Felt ripped off by the extra fees
Quick turnaround
Can't fault them
Luigi's is the best pizzeria in Des Moines
El Camino has gone downhill
La Petite Maison: lovely decor, average food
Muchas gracias! Great team, they fixed my AC the same afternoon and were lovely.`.split("\n");

describe("languageOf()", () => {
  for (const language of FOREIGN_LANGUAGES)
    test(`takes no review in ${language} for one that is read`, () => {
      const texts = reviewsIn(language);
      const read = texts.filter((text) => isReadLanguage(languageOf(text)));
      assert.deepEqual(read, []);
      const right = texts.filter((text) => languageOf(text) === language);
      assert.ok(right.length >= texts.length * 0.75, `${right.length} of ${texts.length} are called ${language}`);
    });

  for (const text of [
    "Bahut acchi service hai, staff bhi polite hai.",
    "Technician late aaya aur AC theek nahi kiya.",
    "Bilkul bekar service, time waste mat karo.",
    "Phone nahi uthate, refund bhi nahi diya.",
    "Rate munasib aur kaam zabardast.",
    "Khub bhalo service, dhonnobad.",
    "Phone edukkave maatanga, mosam.",
    "Phone ettaru, chaala chetta service.",
    "Pi bon konpayi nan vil la.",
    "Bon sèvis, bon pri, mèsi.",
    "Twò chè pou sa yo fè a.",
    "Un servei terrible, no el recomano.",
    "Fatal, mai més hi tornaré.",
    "Xente moi amable e profesional.",
    "Rápidos e baratos, graciñas.",
    "Xalia service, pote xana.",
    "Ganz gudde Service, merci.",
    "Ochen horoshiy servis, rekomenduyu.",
    "Very accommodating ang staff, malinis ang lugar.",
    "Tão rude!!!",
    "Service khub kharap, staff der behaviour baje",
    "Service asalu baledu, staff rude ga unnaru",
    "Ekdum mast service, sabko recommend karunga",
    "Nalla service aanu, staff super",
    "Nhan vien than thien, do an ngon",
    "Servicio multo bon e precio juste",
    "El serviciu foi bien bonu y nun ye caru",
    "Bon travay, dimoun bien zanti",
    "Wali suma servicio, yuspajarpa",
    "Baie goeie diens en vriendelike personeel.",
    "Die kos was heerlik en die diens vinnig.",
    "Ons het twee uur gewag vir ons kos.",
    "Swak diens, hulle het nooit teruggebel nie.",
    "It wie tige lekker iten en freonlike minsken.",
    "Moin, allens prima maakt.",
    "Massa cars",
    "Trevlig personal",
    "Kompetent personal",
  ])
    test(`reads no ${JSON.stringify(text)}: few of its words are of the language that it looks like`, () =>
      assert.ok(!isReadLanguage(languageOf(text)), languageOf(text)));

  test("loses no English review", () => {
    const wrong = ENGLISH.filter((text) => !isReadLanguage(languageOf(text)));
    assert.deepEqual(wrong, []);
  });

  const table: readonly (readonly [string, string])[] = [
    ["OK 👍", "und"],
    ["👍👍👍", "und"],
    ["", "und"],
    ["5/5", "und"],
    ["Hi", "und"],
    ["Hallo!", "und"],
    ["Super!", "und"],
    ["top top top", "und"],
    ["The whole team was great and very friendly. Vielen Dank!", "en"],
    ["Sehr gute Arbeit, der Chef kam selbst vorbei und hat alles erklärt. Thank you!", "de"],
    ["Great food 很好吃", "en"],
    ["很好吃，服务也很好，下次还会再来 good", "zh"],
    ["サービスが良い", "ja"],
    ["SEHR UNFREUNDLICH UND TEUER", "de"],
    ["sehr unfreundllich und teuer, nie wiedr", "de"],
    ["tre\u0300s bon accueil, personnel a\u0300 l'e\u0301coute", "fr"],
    ["İŞLERİNİ ÇOK İYİ YAPIYORLAR", "tr"],
    ["Pelayanannya ramah sekali", "id"],
    ["Привіт, дуже дякую за гарну роботу", "uk"],
    ["ბრწყინვალე მომსახურება", "ka"],
    ["ဝန်ဆောင်မှု အရမ်းကောင်းတယ်", "my"],
    ["خدمت عالی بود و پرسنل بسیار مهربان بودند", "fa"],
    ["𝐆𝐫𝐞𝐚𝐭 𝐬𝐞𝐫𝐯𝐢𝐜𝐞", "und"],
    ["Excelente lugar!", "pt"], // in Spanish too, and only one of them is read
    ["Excelente lugar, muy limpio", "es"],
    ["¡Absolutamente fabuloso!", "es"], // short, of words that are all Spanish: Italian pieces count less
    ["Tolles Hotel!", "de"],
    ["Super Hotel, ok Lage", "de"],
    ["Top locatie!", "nl"],
    ["Recomendo este local a todos.", "pt"],
    ["Larva na comida, que nojo", "pt"],
    ["Prima geholpen, vriendelijk personeel", "nl"],
    ["Amai, goei eten en nen toffe patron, snel geholpen", "nl"],
    ["Super vriendelijke staff, amazing burgers!", "nl"],
    ["Fantastisch, gerne wieder!", "de"],
    ["Adorei!", "und"], // what it is does not matter, but it is not French
    ["Gud ambience", "und"], // misspelt
    ["Nageshwar rao", "und"], // a name
    ["Jeani", "und"],
    ["Om shri Ganapati", "und"], // a greeting of names
    ["Rodney McAllan", "und"],
    ["Excelente Atendimento", "pt"],
    ["Skip dessert.", "und"], // of words that English has: pieces of them are Norwegian
    ["No regrets...", "und"],
    ["#stay alive", "und"],
    ["Perfecty", "und"],
    ["Ottimo", "it"], // one word may tell enough
    ["Elegant en comfortabel", "da"], // unread as before, whatever it is called
  ];
  for (const [text, expected] of table)
    test(`says ${expected} of ${JSON.stringify(text)}`, () => assert.equal(languageOf(text), expected));

  test("gives a base tag for any text, the same each time", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (text) => {
        const language = languageOf(text);
        assert.match(language, /^[a-z]{2,3}$/);
        assert.equal(languageOf(text), language);
      }),
    );
  });

  test("reads the beginning of a text alone, however long its words are", () => {
    const beginning = "Die Heizung läuft wieder, danke für die schnelle Hilfe. ".repeat(18);
    assert.equal(languageOf(`${beginning}${"The heating works again. ".repeat(40_000)}`), "de");
    assert.equal(languageOf("ß".repeat(1_000_000)), languageOf("ß".repeat(1_000)));
  });
});

test("languageOfText() is null without words", () => {
  assert.deepEqual([null, "", " \n", "Gut gemacht, danke"].map(languageOfText), [null, null, null, "de"]);
});

test("models/languages.json is made of the version of eld that is installed", () => {
  const { source } = JSON.parse(readFileSync(LANGUAGE_TABLE_FILE, "utf8"));
  assert.equal(source, `eld ${packageFile.devDependencies.eld}, medium`, "run npm run compile");
});

const DATA = join(import.meta.dirname, "../../../../shared/data");

describe("real texts", { skip: !existsSync(DATA) && "there are no real texts beside the project" }, () => {
  const lines = (path: string) => readFileSync(join(DATA, path), "utf8").trim().split("\n");
  const reviews = (folder: string) =>
    readdirSync(join(DATA, folder))
      .filter((file) => file.endsWith(".jsonl"))
      .flatMap((file) => lines(join(folder, file)))
      .map((line): string => JSON.parse(line).text ?? "");
  const share = (texts: readonly string[], isCounted: (language: string) => boolean) =>
    texts.filter((text) => isCounted(languageOf(text))).length / texts.length;

  test("fewer than one English text in 200 is lost", () => {
    const english = ["real-reviews", "real-reviews-low", "nhs-fft"].flatMap(reviews);
    const lost = share(english, (language) => !isReadLanguage(language));
    assert.ok(english.length > 5_000 && lost < 1 / 200, `${lost} are lost`);
  });

  const foreignTexts = (language: string) =>
    ["hotel", "restaurant"]
      .flatMap((trade) => lines(`m-absa/${trade}-${language}-train.txt`))
      .map((line) => line.split("####")[0] ?? "");

  for (const language of ["de", "es", "fr", "nl", "pt"])
    test(`next to no text in ${language} is read as English`, () => {
      const read = share(foreignTexts(language), (found) => found === "en");
      assert.ok(read < 1 / 100, `${read} are read`);
    });

  test("few texts in Portuguese, which is not read, pass for one that is, and next to none has a finding", () => {
    const texts = foreignTexts("pt");
    const read = texts.filter((text) => isReadLanguage(languageOf(text)));
    const named = read.filter((text) => languageOf(text) !== "und");
    assert.ok(named.length < texts.length / 150, `${named.length} of ${texts.length} are called another that is read`);
    assert.ok(read.length < texts.length / 60, `${read.length} of ${texts.length} are read`);
    const taxonomy = taxonomyNamed("general");
    const misread = read.filter((text) =>
      [1, 5].some((rating) => analyseText(text, rating, taxonomy).aspects.length > 0),
    );
    assert.ok(misread.length < texts.length / 800, misread.join("\n"));
  });

  for (const [language, atMost] of [
    ["de", 1 / 60],
    ["es", 1 / 30],
    ["fr", 1 / 60],
    ["nl", 1 / 60],
  ] as const)
    test(`few texts in ${language} are left out`, () => {
      const lost = share(foreignTexts(language), (found) => !isReadLanguage(found));
      assert.ok(lost < atMost, `${lost} are left out`);
    });
});
