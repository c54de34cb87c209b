/** What imports, checks and business.yaml have to say, in German on a German desk: no sentence of it stays English. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { deskAdvice } from "../../src/app/desk/desk-advice.ts";
import { telephoneHint } from "../../src/app/init/business-answers.ts";
import { CHAIN_FILE } from "../../src/app/sites/chain-file.ts";
import { siteAddress, siteFolder } from "../../src/app/sites/site-folder.ts";
import { readSiteStatus } from "../../src/app/sites/site-survey.ts";
import { businessFileSchema } from "../../src/business.ts";
import { MISPLACED_BUSINESS, parseBusinessFile } from "../../src/import/business-file.ts";
import { SCHOOL_GRADE } from "../../src/import/format/column-names.ts";
import {
  categoryWarning,
  copyWarnings,
  hiddenWarning,
  leftOutWarning,
  linkedElsewhereWarning,
  linkedToGoogleWarning,
  logoWarning,
  otherSourceWarning,
  possibleEditWarning,
  readdressedWarning,
  rezonedWarning,
  untoldWarning,
  vanishedWarnings,
  withdrawalWarning,
  withheldWarning,
} from "../../src/import/import-advice.ts";
import { serviceAdvice } from "../../src/import/service-advice.ts";
import { unreadSentence } from "../../src/insight/prose/unread-sentence.ts";
import { Invalid } from "../../src/issue.ts";
import { correctFinding, takeBackCorrection } from "../../src/maintenance/corrections.ts";
import { removeReviews } from "../../src/maintenance/removal.ts";
import { changeToUndo, undoChange } from "../../src/maintenance/undo.ts";
import { deskWordsFor } from "../../src/page/text/desk-words.ts";
import type { Review } from "../../src/review.ts";
import { openStore } from "../../src/store/store.ts";
import { openSandbox, takeoutPage, takeoutReview } from "../support/import-sandbox.ts";
import { temporaryFolder } from "../support/program.ts";
import { workbookWith } from "../support/workbook-writer.ts";
import { zipOf } from "../support/zip-writer.ts";

const ENGLISH =
  /(?:^|[\s(])(?:[Tt]he|is|are|was|were|has|have|but|must|not|with|without|which|because|it|its|they|them|these|and|or|if|of|from|import|reviews?|rows?|records?|files?)(?=[\s.,:;)]|$)/;

/** What a German desk says of these in English, or with an option in it. What is quoted is the owner's own. */
function englishIn(messages: readonly string[]): string[] {
  return messages.flatMap((message) => {
    const said = deskAdvice(message, deskWordsFor("de"));
    const own = said.replaceAll(/"(?:[^"\\]|\\.)*"|„[^“]*“/g, "…");
    return ENGLISH.test(own) || /--\w|goodword \w|::|wählen Sie ?[;.,]/.test(own) ? [`${message}\n→ ${said}`] : [];
  });
}

const twice = <T>(say: (count: number) => T) => [say(1), say(2)];
const review = (id: string) => ({ id, author: "Ann", date: "2025-01-02" });

test("what an import should know", () => {
  const withheld = { source: "yelp", isAssumed: false, copies: 0, originals: [] };
  const [vanished, returned, missingInARow] = [1, 2, 3];
  const texts = [
    "Lovely.",
    "Nice and quiet.",
    ...["rowboat", "campfire"].flatMap((word) => Array(5).fill(`A fine ${word}.`)),
  ];
  const lake = texts.map((text) => ({ text, rating: 5 }) as Review);
  const services = ["Skiff hire", "Tours"].map((label, at) => ({ id: `s${at}`, label }));
  const polish = { language: "pl", review_count: 2, analysed: false };
  const boats = businessFileSchema.parse({ name: "Ada & Co", time_zone: "UTC", services });
  const messages = [
    ...twice((count) => otherSourceWarning(count, { named: '"Yelp"', source: "yelp", given: "google" })),
    ...twice((count) => otherSourceWarning(count, { named: '"Yelp"', source: "google", given: "google" })),
    ...twice((count) => linkedElsewhereWarning(count, { host: "a.example", given: "google" })),
    'a.xlsx, sheet "Telefon": the sheet is called after no site, as others are: its reviews are taken to be from where you say, if they do not say it themselves',
    ...twice(linkedToGoogleWarning),
    ...twice((count) => untoldWarning("a.csv", count)),
    ...twice((count) => hiddenWarning({ '"spam"': count, "": 1, "hidden row": count, "hidden on the page": 1 })),
    hiddenWarning({ "struck-through row": 1, "commented out": 1 }),
    ...twice((count) => leftOutWarning(count)),
    ...twice((count) => rezonedWarning(count, "Europe/Berlin")),
    ...twice((count) => readdressedWarning(count)),
    ...twice((count) => withheldWarning({ ...withheld, count })),
    ...twice((count) => withheldWarning({ ...withheld, count, isAssumed: true })),
    ...twice((count) => withheldWarning({ ...withheld, count, copies: count, originals: ["google"], isAssumed: true })),
    ...copyWarnings([{ source: "yelp", original: { source: "google" } } as Parameters<typeof copyWarnings>[0][number]]),
    possibleEditWarning([{ now: review("A"), before: review("B") }]),
    withdrawalWarning(3, 9),
    ...vanishedWarnings({ vanished, returned, missingInARow }, false),
    ...vanishedWarnings({ vanished, returned, missingInARow }, true),
    serviceAdvice(lake, boats) ?? "",
    ...[0, 1, 2].map(
      (unread_in_files) =>
        unreadSentence({ languages: [polish], unread_count: 2, unread_in_files }, () => "Polnisch") ?? "",
    ),
    categoryWarning("Butcher"),
    logoWarning("https://a.example/logo.png"),
    ...["408 555 0142", "+49 (0)30 5550142", "+49 12"].map((number) => telephoneHint(number) ?? ""),
  ];
  assert.deepEqual(englishIn(messages.map(String)), []);
  const advice = deskAdvice(serviceAdvice(lake, boats) ?? "", deskWordsFor("de"));
  assert.match(advice, /^Wenige Bewertungen nennen „Skiff hire“ \(0\) und „Tours“ \(0\)\. /);
  assert.doesNotMatch(advice, /”/);
});

test("the singular and the plural of what was imported without a field, and of what is no customer's review", () => {
  const said = (message: string) => deskAdvice(message, deskWordsFor("de"));
  const without = 'a.csv, line 2: author_avatar_url is "x", but must be an http or https address; ';
  assert.match(said(`${without}the review is imported without it`), /; die Bewertung wird ohne das importiert$/);
  assert.match(said(`${without}3 reviews are imported without it`), /; 3 Bewertungen werden ohne das importiert$/);
  const february = 'a.csv, line 2: date is "2025-02-30", but that is not a valid day: February 2025 has 28 days';
  assert.match(said(february), /, aber diesen Tag gibt es nicht: Der Monat hat nur 28 Tage$/);
  const product = "of a product in the page's words, and";
  const rest = "as the business's: leave out what is not about the business";
  assert.deepEqual(
    englishIn([
      `a.html: 1 review is ${product} counts ${rest}`,
      `a.html: 2 reviews are ${product} count ${rest}`,
      'a.json: the reviews of 2 lists are read: "a", "b". If they are of several places, or not all of customers, keep the right one',
      'a.html: words in 2 reviews that the page does not mark up are left out, such as "Reply: Thanks", "Pending"',
      'shown where it is "Live", "Approved"',
      'a.xlsx: the sheet "Legend" holds no table and is passed over: "Stars: 1 to 10"',
      'a.xlsx: the notes of 2 cells are not read, such as "not this one"',
      'a.json: beside the reviews, "meta.max" (10) speaks of another scale than five stars: if the ratings are on it, they are no stars, and are not to be imported so',
      "a.xlsx: 1 cell holds a formula whose result is not saved in the file, and not read: open it in a spreadsheet program, and save it there",
      "a.xlsx: 2 cells hold formulas whose results are not saved in the file, and not read: open it in a spreadsheet program, and save it there",
      'a.json: beside the reviews, "note" ("1 = shown") is passed over',
      "a.html: the comments on 2 reviews are left out: nothing tells which are the business's replies",
      'a.csv: the words of 2 reviews are read from the original text, not from "review_text", which has a translation',
      'a.csv: the stars are read from "Sterne", not from "Note"',
      'a.json: the words are read from "body", because no review has "text"',
    ]),
    [],
  );
});

test("what is wrong with a file, or strange", async () => {
  const page = takeoutPage(takeoutReview("a"));
  const cases: readonly (readonly [string, string | Uint8Array | object])[] = [
    ["odd.csv", "Punkte;Wann;Wer\n5;03.04.2025;Ann\n"],
    ["dates.csv", "rating;date\n5;03/04/2025\n"],
    ["torn.csv", "rating;date\n5;13/04/2025\n5;04/13/2025\n"],
    ["stars.csv", "rating;date\n6;2025-01-02\n5;2025-01-02\n"],
    ["star.csv", "rating;date\nsehr gut;2025-01-02\n"],
    ["day.csv", "rating;date\n5;2025-02-30\n5;gestern\n5;\n5;2025-01-02 25:00:00\n"],
    ["serial.csv", "rating;date\n5;45678\n"],
    ["zone.csv", "rating;date\n5;2025-01-02 10:00 XYZ\n"],
    ["far.csv", "rating;date\n5;2999-01-02\n"],
    ["extra.csv", "rating;date;Filiale;Notiz\n5;2025-01-02;1;x\n4;2025-01-03;1;y\n"],
    ["head.csv", "Bericht\nrating;date\n5;2025-01-02\n"],
    ["empty.csv", "rating;date\n"],
    ["total.csv", "author;rating;date\nAnn;5;2025-01-02\nBob;4;2025-01-03\nTotal;4.5;\n"],
    ["html.csv", 'id,rating,date,text\na,5,2025-01-02,"<b>Gut</b>"\n'],
    ["lost.csv", 'id,rating,date,text\na,5,2025-01-02,"M\ufffdller kam"\n'],
    ["name.csv", "id,rating,date,text\na,5,2025-01-02,#NAME?\n"],
    ["same.csv", "id,rating,date,text\na,5,2025-01-02,Gut\na,4,2025-01-02,Gut\n"],
    ["twice.csv", "rating,date,text\n5,2025-01-02,Gut\n5,2025-01-02,Gut\n"],
    ["two.csv", "id,rating,date\na,5,2025-01-02\n\nKunde,Ort,Plz\nAnn,Bonn,5\n"],
    ["yelp.csv", "id,rating,date,source\na,5,2025-01-02,yelp\n"],
    ["places.csv", "id,rating,date,place_id\na,5,2025-01-02,ChIJaaaaaaaaaaaaaaa\nb,5,2025-01-02,ChIJbbbbbbbbbbbbbbb\n"],
    ["latin.csv", Buffer.from("rating;date;text\n5;2025-01-02;M\xfcller\n", "latin1")],
    ["titles.csv", "Alle;;\nStand Mai;;\nSterne;Datum;Was er sagte\n5;2025-01-02;Alles sehr gut gemacht\n"],
    ["numbered.csv", "Sterne;Datum;Rechnung;Text\n5;2025-01-02;17;Alles sehr gut gemacht\n"],
    ["both.csv", "Sterne;Datum;Rechnung;Was er sagte\n5;2025-01-02;17;Alles sehr gut gemacht\n"],
    ["none.json", { a: 1 }],
    ["members.json", [{ Punkte: 5, Wann: "x" }]],
    ["torn.json", '{"reviews": ['],
    ["page.html", "<!doctype html><html><body>Hallo</body></html>"],
    ["letter.txt", "Sehr geehrte Damen und Herren"],
    ["torn.zip", zipOf([{ name: "a.json", content: Buffer.from("{}") }]).subarray(0, 40)],
    ["empty.zip", zipOf([])],
    ["other.zip", zipOf([{ name: "notiz.txt", content: Buffer.from("x") }])],
    ["nested.zip", zipOf([{ name: "innen.zip", content: zipOf([{ name: "a", content: Buffer.from("x") }]) }])],
    ["out.zip", zipOf([{ name: "../a.csv", content: Buffer.from("rating,date\n5,2025-01-02\n") }])],
    ["word.docx", zipOf([{ name: "word/document.xml", content: Buffer.from("<w:document/>") }])],
    ["book.xlsx", Buffer.from("PK\x03\x04kaputt", "latin1")],
    ["picture.png", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1")],
    ["takeout.json", page],
    ["machine.csv", "id,rating,date,text\na,5,2025-01-02,Machine translated: Gut\nb,5,2025-01-02,See translation\n"],
    ["machine-one.csv", "id,rating,date,text\na,5,2025-01-02,Machine translated: Gut\n"],
    ["cut.csv", "id,rating,date,text\na,5,2025-01-02,Sie kamen und … More\nb,5,2025-01-02,Gut und ... Mehr\n"],
    ["cut-one.csv", "id,rating,date,text\na,5,2025-01-02,Sie kamen und … More\n"],
    ["later.csv", "id,rating,created_at,published_at\na,5,2026-01-09,2025-01-02\nb,5,2026-01-09,2025-02-02\n"],
    ["nothing.csv", "id,author,rating,date,text\na,nan,5,2025-01-02,undefined\nb,Bo,4,2025-01-02,Gut\n"],
    ["nothing-one.csv", "id,author,rating,date,text\na,Ann,5,2025-01-02,nan\nb,Bo,4,2025-01-02,Gut\n"],
    [
      "words.json",
      [{ id: "a", author: "Ann", rating: 2, date: "2025-01-02", text: "Jetzt so", original_text: "Erst so" }],
    ],
    [
      "title.csv",
      "id,author,company,title,rating,date,text\na,Ann,X,Leiterin,5,2025-01-02,Gut\nb,Bo,Y,Chef,5,2025-01-03,Ja\n",
    ],
    ["swapped.csv", "id,rating,date\na,5,2025-04-03\nb,5,25/03/2025\n"],
    ["job.csv", "id,rating,date,Job,Description\na,5,2025-01-02,1,Die ganze Anlage getauscht\nb,5,2025-01-03,2,x\n"],
    ["branch.csv", "author;rating;date\nFiliale Bonn;;\nAnn;5;2025-01-02\n"],
    ["open.csv", 'author,rating,date,text\nAnn,5,2025-01-02,"Gut\nBo,1,2025-01-03,"\n'],
    ["comma.csv", "author,rating,date,text,reply\nAnn,5,2025-01-02,Gut, schnell und sauber\n"],
    ["dotted.csv", "author_title,review_rating,review_text,review_datetime_utc\nAnn,5,Gut,03.04.2026 10:11\n"],
    [
      "rank.csv",
      "author,title,rating,date,text\nAnn,Local Guide,5,2025-01-02,Gut\nBo,Verified buyer,4,2025-01-03,Ja\nCy,Prima,4,2025-01-04,Ja\n",
    ],
    ["rank-one.csv", "author,title,rating,date,text\nAnn,Local Guide,5,2025-01-02,Gut\nCy,Prima,4,2025-01-04,Ja\n"],
    [
      "ages.json",
      ["vor 3 Monaten", "vor einem Jahr"].map((when, at) => ({
        id: `a${at}`,
        rating: 5,
        when,
        createdAt: "2025-01-02T10:00:00Z",
      })),
    ],
    [
      "staff.csv",
      "rating,date,Author,Customer,url,link,Cleanliness\n5,2025-01-02,a1,Ann,https://a.example/1,https://a.example/2,9\n4,2025-01-03,a2,Bo,https://a.example/3,https://a.example/4,8\n",
    ],
    ["staff-one.csv", "rating,date,Author,Customer\n5,2025-01-02,a1,Ann\n"],
    ["aspects.csv", "rating,date,Cleanliness,Service\n5,2025-01-02,9,8\n4,2025-01-03,8,9\n"],
    [
      "link.csv",
      `id,rating,date,url,title\n${["a", "b", "c"].map((id, at) => `${id},5,2025-01-0${at + 1},https://a.example/,${at < 2 ? "Wartung" : "Notdienst"}\n`).join("")}`,
    ],
    ["object.csv", "author,rating,date\n\"{'displayName': 'Ann'}\",5,2025-01-02\n"],
    ["boss.csv", "id,rating,date,Advice to management\na,5,2025-01-02,x\n"],
    ["formula.csv", 'id,rating,date,text\na,5,2025-01-02,=1+1\nb,5,2025-01-02,"Gut.\nAntwort vom Inhaber:\nDanke"\n'],
    ["formula-two.csv", "id,rating,date,text\na,5,2025-01-02,=1+1\nb,5,2025-01-02,=2+2\n"],
    ["number.json", [{ id: "a", author: "+49 30 123456", rating: 5, date: "2025-01-02" }]],
    ["role.json", [{ id: "a", rating: 5, date: "2025-01-02", response: { role: "customer", text: "Hallo" } }]],
    [
      "employee.json",
      [
        { id: "a", rating: 5, date: "2025-01-02" },
        { id: "b", rating: 5, date: "2025-01-02", "@type": "EmployerReview" },
      ],
    ],
    [
      "employee.html",
      '<html><script type="application/ld+json">{"@type":"EmployerReview","reviewRating":5,"datePublished":"2025-01-02"}</script></html>',
    ],
    [
      "hidden.xlsx",
      workbookWith(
        '<worksheet><cols><col min="3" max="3" hidden="1"/></cols><sheetData><row><c t="str"><v>rating</v></c><c t="str"><v>date</v></c><c t="str"><v>text</v></c></row><row hidden="1"><c><v>5</v></c><c t="str"><v>2025-01-02</v></c><c t="str"><v>Gut</v></c></row></sheetData></worksheet>',
      ),
    ],
    [
      "lists.json",
      {
        "@context": "https://schema.org",
        "@type": "Review",
        author: "Ann",
        datePublished: "2025-01-02",
        reviewRating: { ratingValue: 5 },
        positiveNotes: {},
      },
    ],
  ];
  await using sandbox = await openSandbox();
  const said: string[] = [];
  for (const [name, content] of cases)
    for (const options of [
      { skipInvalid: true },
      { source: "yelp", complete: true },
      { columns: { rating: "Sterne" } },
      { encoding: "utf-16le", location: "x" },
    ])
      try {
        const { warnings, issues } = await sandbox.take(sandbox.write(name, content), { dryRun: true, ...options });
        said.push(...warnings, ...issues.map(({ message }) => message));
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        said.push(...error.issues.map(({ message }) => message));
      }
  const shown = new Set(said.map((message) => message.replaceAll(`${sandbox.folder}/`, "")));
  assert.deepEqual(englishIn([...shown].filter((message) => !/^The business has no name yet/.test(message))), []);
});

test("what is wrong with business.yaml", () => {
  const said: string[] = [];
  const base = "name: Ours\ntime_zone: UTC\n";
  for (const text of [
    "",
    "[]",
    "time_zone: UTC\n",
    "name:\ntime_zone: UTC\n",
    "name: Ours\ntime_zone: Berlin\n",
    `${base}name: Twice\n`,
    "\tname: x\n",
    "name: [a\n",
    'name: "a\n',
    "name: a: b\n",
    "name: @x\n",
    `${base}---\nname: x\n`,
    `${base}naem: x\n`,
    `${base}zzz: x\n`,
    `${base}email: nobody\n`,
    `${base}url: nowhere at all\n`,
    `${base}url: ours.example\n`,
    `${base}color: blue\n`,
    `${base}language: german\n`,
    `${base}category: a butcher\n`,
    `${base}telephone: call us\n`,
    `${base}services: AC\n`,
    `${base}services: [AC]\n`,
    `${base}services: [{ id: a, label: A }, { id: a, label: B }]\n`,
    `${base}same_as: https://a.example\n`,
    `${base}geo: { latitude: 100, longitude: x }\n`,
    `${base}opening_hours: 8-17\n`,
    `${base}opening_hours: [{ days: Mon, opens: 8:00, closes: late }]\n`,
    `${base}opening_hours: [{ days: [], opens: "08:00", closes: "17:00" }]\n`,
    `${base}verified_sources: [Google Maps]\n`,
    `${base}taxonomy: butchers\n`,
    `${base}structured_data: maybe\n`,
    `${base}sources: [{ url: "ftp://a.example", every: 5 }]\n`,
    `${base}sources: [{ url: "https://me:pw@a.example/x.csv", every: 1s, header: { name: X, from_env: PATH } }]\n`,
    `${base}notices: [{ to: "http://a.example", when: [never], digest: daily }]\n`,
  ])
    try {
      parseBusinessFile("business.yaml", text);
      said.push(`Nothing is wrong with ${text}`);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      said.push(...error.issues.map(({ message }) => message));
    }
  assert.deepEqual(englishIn(said), []);
});

test("what was done already, from another window or by the back button", async () => {
  await using box = await openSandbox();
  await box.take(box.write("a.csv", "id,author,rating,date,text,source\na,Ann,5,2025-01-02,Kam zu spät,google\n"));
  const [id = ""] = (await box.reviews()).map((review) => review.id);
  const now = new Date();
  const remove = async () => void (await removeReviews(box.store, [id], { what: ["review"], now }));
  await remove();
  await undoChange(box.store, (await changeToUndo(box.store)).number, now);
  const finding = { id, aspect: "punctuality" };
  const said: string[] = [];
  for (const again of [
    remove,
    () => removeReviews(box.store, [id.replace(/..$/, "ZZ")], { what: ["text"], now }),
    () => undoChange(box.store, 1, now),
    () => changeToUndo(box.store),
    () => correctFinding(box.store, { ...finding, is: "none" }, { now }),
    () => takeBackCorrection(box.store, finding, now),
  ])
    await assert.rejects(again, (error) => {
      if (!(error instanceof Invalid)) throw error;
      said.push(...error.issues.map(({ message }) => message));
      return true;
    });
  assert.deepEqual(englishIn(said), []);
});

test("what came of an address that is followed", () => {
  const messages = [
    "not changed",
    "imported: 1 added, 0 changed, 0 withdrawn",
    "failed: It answered with 404 (nothing is there)",
    "failed: It answered with 401 (a key is needed: see header in business.yaml)",
    "It did not answer in full within 60 seconds",
    "It redirects more than 5 times",
    "It redirects to an address that is not http or https",
    "It redirects from https to plain http (a.example), which is not followed",
    "It holds more than 200 MB",
    "127.0.0.1 has a private or local address, and these are refused. If that is meant, write the line SOURCES_ALLOW=127.0.0.1/32 into the file goodword.env in the server's folder, and start the server again",
    "It could not be fetched (ECONNREFUSED)",
    "The setting KEY_X, which holds its header, is not set",
    "A server is fetching these addresses now. Run this again when it has finished.",
    "3 kept, not published: add yelp to verified_sources in business.yaml, then import business.yaml",
  ];
  assert.deepEqual(englishIn(messages), []);
});

test("that a store or a file cannot be waited for", () => {
  const messages = [
    "The store /dev/null is a pipe or a device, and no file. Nothing was changed. Set DATABASE_URL to sqlite:PATH with the path of a file",
    "a.json has 3000002 objects and lists with next to nothing in them, as no export of reviews has",
    "a.json has 3000002 values with next to nothing in them, as no export of reviews has",
    "a.html: 2 reviews hold words of further authors: those of the first are read, the others' left out",
    'a.csv: "How likely are you to recommend us?" asks how likely customers are to recommend the business, mostly from 0 to 10: if it does so, its answers are no stars, and these reviews have none',
    'a.json: "authorUrl" leads to Google: if the reviews were written there, import the file with --source google',
    "a.json: the words of 1 review are left out: a member says that they are a translation, and the customers' own are not in the file",
    'a.csv: "query" ("Depot Leeds", "Depot York") is what was searched for: if it names several places of the business, import one file for each',
    "2 reviews link to www.wotif.example and name no source, so they count as given to you directly (first_party). If they were written there, and that is not your own site, name it with --source.",
    'a.csv, line 2: review_datetime_utc is "03/01/2026 10:11", but Outscraper writes times with seconds: a spreadsheet has changed it, and may have put the day before the month. Import the file as Outscraper made it',
    "a.json has more than 1000000 objects with a value at most, as no export of reviews has",
    "/proc/kmsg has no end that could be waited for, as a device has none: copy what is in it into a file",
  ];
  assert.deepEqual(englishIn(messages), []);
});

test("why a backup cannot be restored", () => {
  const reasons = [
    "it is not a database; name the file that goodword backup wrote",
    "it is damaged; take an older backup",
    "it holds a trigger t1 that goodword does not make",
    "it holds what goodword does not write: source in the table review. Take a backup that goodword made",
    "it is empty",
    "it was not read to its end within 42 seconds: it is damaged, or its disk is slow",
    "there is no room for a copy of it; make room",
    "The store was written by a newer goodword (its tables are version 30, this program knows 29). Use that version, or another store",
    "it is a database of another program, and holds no store of goodword",
    "it has no row in the table revision. Take a backup that goodword made",
    "it holds more keys of one removal than goodword writes. Take a backup that goodword made",
    ...[
      "name must not be empty",
      'color is "blue": must be written as #rrggbb',
      'sources.0.header.from_env is "X": must be a setting that begins with KEY_',
    ].map((fault) => `its business cannot be used: ${fault}`),
  ];
  const messages = reasons.map((reason) => `Cannot restore "old.db": ${reason}. The store is as it was.`);
  messages.push(
    "The store holds more than goodword stores: somebody else has changed it. Restore a backup, or let its owner put it right",
  );
  assert.deepEqual(englishIn(messages), []);
});

describe("what keeps a site from being published", () => {
  const OWN = { name: "a", baseUrl: "http://a.test" };
  const write = (name: string, text: string) => (folder: string) => writeFileSync(join(folder, name), text);
  const store = (statement: string) => async (folder: string) => {
    const file = join(folder, "data", "goodword.db");
    await (await openStore(`sqlite:${file}`)).close();
    using database = new DatabaseSync(file);
    database.exec(statement);
  };
  const faults: Readonly<Record<string, (folder: string) => unknown>> = {
    "nothing was imported": () => {},
    "a member that is not known": write("business.yaml", "name: A\ntime_zone: UTC\ncolour: red\n"),
    "no time zone and a wrong color": write("business.yaml", "name: A\ncolor: red\n"),
    "a business.yaml that is none": write("business.yaml", "- a\n"),
    "a business.yaml without an end": write("business.yaml", 'name: "A\n'),
    "a large business.yaml": write("business.yaml", "#".repeat(1_000_001)),
    "a folder in its place": (folder) => mkdirSync(join(folder, "business.yaml")),
    "a link out of the folder": (folder) => symlinkSync("/", join(folder, "business.yaml")),
    "settings that set nothing": write("goodword.env", "BASE_URL\nCACHE_CONTROL\n"),
    "large settings": write("goodword.env", "#".repeat(1_000_001)),
    "settings that lead elsewhere": (folder) => symlinkSync("/", join(folder, "goodword.env")),
    "wrong settings": write(
      "goodword.env",
      "CACHE_CONTROL=ä\nHUB_LEASE_SECONDS=no\nSOURCES_ALLOW=no\nALLOWED_HOSTS=a b\n",
    ),
    "an address with a path": write("goodword.env", "BASE_URL=https://a.test/path\n"),
    "a link that leads nowhere": (folder) => {
      rmSync(folder, { recursive: true });
      symlinkSync("nowhere", folder);
    },
    "a store that is none": (folder) => {
      mkdirSync(join(folder, "data"));
      writeFileSync(join(folder, "data", "goodword.db"), "no store ".repeat(1_000));
    },
    "a folder in the place of the store": (folder) =>
      mkdirSync(join(folder, "data", "goodword.db"), { recursive: true }),
    "a journal": (folder) => {
      mkdirSync(join(folder, "data"));
      writeFileSync(join(folder, "data", "goodword.db-journal"), "pages");
    },
    "a store of another business": store("replace into business values (1, 'no business')"),
    "a store of a newer program": store("insert into kysely_migration values ('9999', '')"),
    "a store of another program": store("update kysely_migration set name = 'other-' || name"),
    "a store with a view": store("create view other as select 1"),
    "a store without a revision": store("delete from revision"),
    "a store without a table": store("drop table revision"),
  };
  for (const [what, make] of Object.entries(faults))
    test(what, async () => {
      using folder = temporaryFolder();
      const site = siteFolder(folder.path, "a");
      mkdirSync(site.folder);
      await make(site.folder);
      const environment = { SITES_BASE_URL: "http://{site}.test" };
      const said: string[] = [];
      const { problem } = await readSiteStatus(
        { ...site, ...siteAddress(site, environment) },
        environment,
        (sentence) => {
          said.push(sentence);
          return sentence;
        },
      );
      assert.ok(problem);
      assert.deepEqual(englishIn(said), []);
    });

  test("an address of another's, and a database that does not answer", async () => {
    using folder = temporaryFolder();
    const site = { ...siteFolder(folder.path, "a"), ...OWN };
    mkdirSync(site.folder);
    const refused = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
    const said: string[] = [];
    for (const [of, environment] of [
      [{ ...site, takenBy: "b" }, {}],
      [{ ...site, takenBy: CHAIN_FILE }, {}],
      [{ ...site, doubleOf: "b" }, {}],
      [{ ...site, ...siteAddress(site, {}) }, {}],
      [site, refused],
    ] as const)
      said.push((await readSiteStatus(of, environment)).problem ?? "");
    said.push(
      "The database accepts no changes: it is a replica, or was set to read-only (cannot execute UPDATE in a read-only transaction; SQLSTATE 25006). Nothing was changed. Name the primary database in DATABASE_URL",
      "/sites/a/business.yaml could not be read within 30 seconds",
      "This user may not read or write /sites/a/business.yaml (EACCES). Choose another place, or change its rights",
    );
    assert.equal(said.length, 8);
    assert.deepEqual(englishIn(said), []);
  });
});

test("that a column seems to hold school grades", () => {
  const said = `a.csv has the column "Laune (1=gut)", which ${SCHOOL_GRADE}"Laune (1=gut)"`;
  assert.deepEqual(englishIn([said]), []);
});

test("an English desk names its own pages where a command names paths and commands", () => {
  const words = deskWordsFor("en");
  const said = (message: string) => deskAdvice(message, words);
  assert.equal(
    said('"a.db" is no backup: name the file that goodword backup wrote. Nothing was changed.'),
    '"a.db" is no backup: choose the file that “Download a backup” gave you. Nothing was changed.',
  );
  assert.equal(
    said(`business.yaml ${MISPLACED_BUSINESS}`),
    "business.yaml describes a business and is passed over: to change it, open “The file itself” on the page “Business”",
  );
});

test("what is gone from the source is looked for under the name that the page has", () => {
  const words = deskWordsFor("de");
  for (const fate of ["they stay published", "and as you said --complete, they are no longer published"]) {
    const message = `2 reviews of earlier imports are gone from the source: ${fate}. goodword vanished lists them, with the text of an appeal.`;
    assert.match(deskAdvice(message, words), new RegExp(`„${words.reviews.vanished}“ zeigt sie`));
  }
});

test("a message with an archive's name of sixty thousand digits is shortened before it is looked at for words", () => {
  const message = `e.zip!${"0".repeat(60_000)} kept but not published.csv cannot be read`;
  const before = process.cpuUsage();
  const said = deskAdvice(message, deskWordsFor("de"));
  assert.ok(process.cpuUsage(before).user < 1_500_000);
  assert.ok(said.length < 2_500 && said.startsWith("e.zip!00") && said.includes("0 … 0"), said.slice(0, 60));
});

test("no message takes long to be put into German, whatever a file is called", () => {
  const runs = [": x is ", ", but x", " in x", ": beside x", " there is x"].map((unit) =>
    unit.repeat(600 / unit.length),
  );
  const [is = "", but = "", where = "", beside = "", there = ""] = runs;
  const before = process.cpuUsage();
  deskAdvice(`e.zip!${'\\"'.repeat(500_000)} is refused`, deskWordsFor("de"));
  for (let each = 0; each < 30; each++)
    for (const name of [
      `${is}${but}${where}, which is the same review ${each}`,
      `${beside}${there}, another page of the same ${each}`,
    ])
      deskAdvice(`e.zip!${name}`, deskWordsFor("de"));
  assert.ok(process.cpuUsage(before).user < 3_000_000);
});
