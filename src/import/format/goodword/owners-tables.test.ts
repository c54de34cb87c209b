/** Tables as owners have them: made by hand, by a spreadsheet, in another language. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openSandbox, takeoutPage, takeoutReview } from "../../../../test/support/import-sandbox.ts";

async function imported(content: string | Buffer, options = {}) {
  await using box = await openSandbox();
  const report = await box.take(box.write("a.csv", content), { source: "google", ...options });
  const reviews = (await box.reviews()).toSorted((a, b) => (a.author < b.author ? -1 : 1));
  return { report, reviews, warnings: report.warnings.map((warning) => warning.replaceAll(`${box.folder}/`, "")) };
}

async function refused(content: string | Buffer, options = {}): Promise<string> {
  await using box = await openSandbox();
  const messages = await box.refusal(box.write("a.csv", content), options);
  assert.equal((await box.rows()).length, 0);
  return messages.join("\n");
}

const days = async (...dates: string[]) => {
  const { reviews } = await imported(
    `author,rating,date\n${dates.map((date, index) => `${index},5,"${date}"`).join("\n")}\n`,
  );
  return reviews.map(({ date }) => date);
};

describe("dates that name no month", () => {
  test("are read in the order that one day above 12 shows for the whole column", async () => {
    assert.deepEqual(await days("03/04/2024", "13/04/2024"), ["2024-04-03", "2024-04-13"]);
    assert.deepEqual(await days("03/04/2024 2:05 PM", "04/13/2024 11:59 PM"), ["2024-03-04", "2024-04-13"]);
    assert.deepEqual(await days("2024-05-06", "3/4/24", "13/4/24"), ["2024-05-06", "2024-04-03", "2024-04-13"]);
    assert.deepEqual(await days("3. April 2024", "5 May 2024"), ["2024-04-03", "2024-05-05"]);
  });

  test("have the day first when dots stand between, as is the custom, unless another date shows the month first", async () => {
    assert.deepEqual(await days("03.04.2024"), ["2024-04-03"]);
    assert.deepEqual(await days("03.04.2024", "04.13.2024"), ["2024-03-04", "2024-04-13"]);
  });

  test("are told apart by the dates of replies too", async () => {
    const { reviews } = await imported("author,rating,date,reply,replied\nDana,5,03/04/2024,Thanks,13/04/2024\n");
    assert.deepEqual([reviews[0]?.date, reviews[0]?.owner_reply?.date], ["2024-04-03", "2024-04-13"]);
  });

  test("are refused, the file as a whole, when they can be read both ways, and read with --dates", async () => {
    const table = "author,rating,date\nDana,5,03/04/2024\nKim,4,05/06/2024\n";
    assert.equal(
      await refused(table),
      'a.csv: "03/04/2024" (line 2, date) can be one day or another, depending on the country, and no other date of the file shows which. Say which with --dates dmy (day first) or --dates mdy (month first)',
    );
    const read = async (dates: string) => (await imported(table, { dates })).reviews.map(({ date }) => date);
    assert.deepEqual(await read("dmy"), ["2024-04-03", "2024-06-05"]);
    assert.deepEqual(await read("mdy"), ["2024-03-04", "2024-05-06"]);
  });

  test("are refused when they contradict each other or --dates", async () => {
    const table = "author,rating,date\nDana,5,13/04/2024\nKim,4,04/13/2024\n";
    assert.match(
      await refused(table),
      /contradict each other: "13\/04\/2024" \(line 2, date\).*"04\/13\/2024" \(line 3, date\)/,
    );
    assert.match(await refused(table, { dates: "dmy" }), /^a\.csv, line 3: date is "04\/13\/2024".*see --dates/);
  });

  test("are read so in JSON and JSON Lines too", async () => {
    for (const content of [
      JSON.stringify([
        { author: "a", rating: 5, date: "3/4/2024" },
        { author: "b", rating: 4, date: "13/4/2024" },
      ]),
      '{"author":"a","rating":5,"date":"3/4/2024"}\n{"author":"b","rating":4,"date":"13/4/2024"}\n',
    ]) {
      const { reviews } = await imported(content);
      const dates = reviews.map(({ date }) => date);
      assert.deepEqual(dates, ["2024-04-03", "2024-04-13"]);
    }
    assert.match(await refused('[{"rating":5,"date":"3/4/2024"}]'), /\[0\], date\) can be one day or another/);
  });
});

describe("columns that the owner maps", () => {
  const table =
    "Sterne;Datum;Kunde;Kommentar;Antwort;beantwortet\n5 Sterne;03.04.2024;Dana;Sehr gut;Danke;04.04.2024\n";

  test("are read as the fields that they are mapped to", async () => {
    const columns = {
      rating: "Sterne",
      date: "datum",
      author: "Kunde",
      text: "Kommentar",
      owner_reply_text: "Antwort",
      owner_reply_date: "beantwortet",
    };
    const { reviews, warnings } = await imported(table, { columns });
    const [{ author, rating, date, text, owner_reply } = {}] = reviews as Partial<(typeof reviews)[0]>[];
    assert.deepEqual(
      { author, rating, date, text, owner_reply },
      {
        author: "Dana",
        rating: 5,
        date: "2024-04-03",
        text: "Sehr gut",
        owner_reply: { text: "Danke", date: "2024-04-04" },
      },
    );
    assert.equal(warnings.filter((warning) => warning.includes("columns")).length, 0);
  });

  test("are named with the exact option where a table is not understood without them", async () => {
    assert.match(
      await refused("Punkte,Tag,Wer,Worte\n5,2024-01-01,Dana,Gut\n"),
      /a\.csv has the columns "Punkte", "Tag", "Wer", "Worte",.* needs rating and date\. If other columns hold them, name these: --columns rating="…",date="…",author="…",text="…"\. Leave out author and text only if no column holds them: imported without their authors, the same reviews count as others$/,
    );
    assert.match(await refused("Punkte,date,name,text\n5,2024-01-01,Dana,Gut\n"), /name these: --columns rating="…"$/);
  });

  test("that German tables usually have are understood, and a rating is not taken for words", async () => {
    const german = "Kunde;Bewertung;Datum;Kommentar;Antwort;Antwortdatum\nDana;5;3.4.2024;Sehr gut;Danke;4.4.2024\n";
    const [{ author, rating, date, text, owner_reply } = {}] = (await imported(german)).reviews as Record<
      string,
      unknown
    >[];
    assert.deepEqual([author, rating, date, text], ["Dana", 5, "2024-04-03", "Sehr gut"]);
    assert.deepEqual(owner_reply, { text: "Danke", date: "2024-04-04" });
    const bare = (await imported("Name,Sterne,Datum,Rezension\nDana,5,2024-04-03,Gut\n")).reviews[0];
    assert.equal(bare?.text, "Gut");
  });

  test("a row that sums up the others is no review, wherever its word stands", async () => {
    for (const total of ["Summe,5,", ",4.5,Average", "TOTAL:,2,", "Grand total,,"]) {
      const { report, warnings } = await imported(`Kunde,Sterne,Datum\nDana,5,2024-04-03\n${total}\n`);
      assert.deepEqual([report.read, report.added, report.refused], [1, 1, 0], total);
      assert.match(warnings.join(), /a\.csv, line 3: "[^"]+" is a total and no review: the row is left out/, total);
    }
    const { report } = await imported("name,rating,date,text\nTotal,5,2024-04-03,Average\n");
    assert.equal(report.added, 1, "a row with a day is a review, whatever its words");
  });

  test("an accountant's headers are understood, with what they say in brackets", async () => {
    const { reviews, warnings } = await imported(
      "Inv. no.,Client,Date of review,Stars (1-5),What they wrote,Our answer\nR-1,Dana,2024-04-03,5,Cold again,Thanks\n",
    );
    const [{ author, rating, date, text, owner_reply } = {}] = reviews as Partial<(typeof reviews)[0]>[];
    assert.deepEqual(
      [author, rating, date, text, owner_reply],
      ["Dana", 5, "2024-04-03", "Cold again", { text: "Thanks", date: null }],
    );
    assert.match(
      warnings.join(),
      /does not use the columns "Inv\. no\."; if "Inv\. no\." is different for each review: --columns id="Inv\. no\."; ids change the addresses of reviews that are published already/,
    );
    const answered = await imported("Client,Date,Stars,Our answer\nDana,2024-04-03,5,Thanks\n", {
      columns: { date: "Date", owner_reply_date: "Date", owner_reply_text: "Our answer" },
    });
    assert.deepEqual(answered.reviews[0]?.owner_reply, { text: "Thanks", date: "2024-04-03" });
    for (const name of ["Rating /5", "Stars out of 5", "Rating:", "Star rating (of 5)"])
      assert.equal((await imported(`Name,${name},Date\nDana,5,2024-04-03\n`)).report.added, 1, name);
  });

  test("a table whose words stand in a column of another name says so, and names the likely column", async () => {
    const rows =
      "Beleg-Nr.,Ort,Kunde,Sterne,Datum,Was sie schrieben\nR-1,Bad Aibling am See,Dana,5,3.4.2024,Wieder kalt in einer Stunde\n";
    const { warnings } = await imported(rows);
    assert.match(
      warnings.join(),
      /no column is known to hold the customers' words.*; if "Was sie schrieben" holds the customers' words and "Beleg-Nr\." is different for each review: --columns text="Was sie schrieben",id="Beleg-Nr\." \(.*goodword undo\)/,
    );
    const silent = await imported("Kunde,Sterne,Datum,Betrag\nDana,5,3.4.2024,312\n");
    assert.doesNotMatch(silent.warnings.join(), /words/);
    const answered = await imported(
      "Kunde,Sterne,Datum,Rückmeldung,Unsere Antwort\nDana,5,3.4.2024,Gut so,Danke sehr\n",
    );
    assert.deepEqual(
      answered.reviews.map(({ text, owner_reply: reply }) => [text, reply]),
      [["Gut so", { text: "Danke sehr", date: null }]],
    );
  });

  test("a day in the future is imported with a warning, one of tomorrow without", async () => {
    const { reviews, warnings } = await imported(
      "author,rating,date\nA,5,2026-01-03\nB,5,2030-01-03\nC,5,2031-01-03\n",
    );
    assert.equal(reviews.length, 3);
    assert.match(warnings.join(), /line 3 \(and 1 more record\): the date 2030-01-03 is in the future.*goodword undo/);
    assert.doesNotMatch(warnings.join(), /2026-01-03/);
  });

  test("a table with nothing below its header is said to hold no reviews", async () => {
    assert.match((await imported("Kunde,Sterne,Datum\n")).warnings.join(), /no reviews below its header/);
  });

  test("a row without a day names accepted forms and how to leave it out", async () => {
    assert.match(
      await refused("Kunde,Sterne,Datum\nDana,5,2024-04-03\nNotizen,5,\n"),
      /line 3: Datum is missing, but must be a day, such as 2024-04-03, 3\.4\.2024 .* a total, is left out with --skip-invalid/,
    );
  });

  test("are named as the table calls them in faults, and go before what the names suggest", async () => {
    const odd = "id,rating,Note,created,Tag\n1,4.7,9,2020-01-01,2024-05-06\n2,4.7,2,2020-01-01,2024-05-07\n";
    const columns = { rating: "Note", date: "Tag" };
    assert.match(await refused(odd, { columns }), /^a\.csv, line 2: Note is "9", but must be a whole number/);
    const { reviews } = await imported(odd.replace(",9,", ",1,"), { columns });
    assert.deepEqual(reviews.map(({ rating, date }) => [rating, date]).toSorted(), [
      [1, "2024-05-06"],
      [2, "2024-05-07"],
    ]);
  });

  test("are refused when the table lacks one of them, and do not touch other formats", async () => {
    assert.match(
      await refused(table, { columns: { rating: "Sterne", date: "Tag" } }),
      /^a\.csv has no column "Tag", which --columns names; its columns are "Sterne", "Datum"/,
    );
    await using box = await openSandbox();
    box.write("T/page.json", takeoutPage(takeoutReview("a")));
    box.write("T/other.csv", "a,b\n1,2\n");
    box.write("T/table.csv", table);
    const report = await box.take(`${box.folder}/T`, { columns: { rating: "Sterne", date: "Datum" } });
    assert.equal(report.added, 2);
  });
});

describe("encodings", () => {
  const table = "author,rating,date,text\nFrançois,5,2024-05-06,Très bien – merci\n";
  const windows = Buffer.from(table.replace("–", "\x96"), "latin1");

  test("other than UTF-8 are named with the option that reads them", async () => {
    assert.match(await refused(windows), /the byte 0xe7 is not UTF-8\. .*import it with --encoding windows-1252/);
    const { reviews } = await imported(windows, { encoding: "windows-1252" });
    assert.deepEqual([reviews[0]?.author, reviews[0]?.text], ["François", "Très bien – merci"]);
    const wide = Buffer.from(`\uFEFF${table.replaceAll(",", "\t")}`, "utf16le");
    assert.match(await refused(wide), /UTF-16; import it with --encoding utf-16le/);
    assert.equal((await imported(wide, { encoding: "utf-16le" })).reviews[0]?.author, "François");
  });

  test("are not applied to files that are UTF-8", async () => {
    const { reviews } = await imported(table, { encoding: "windows-1252" });
    assert.equal(reviews[0]?.author, "François");
    await using box = await openSandbox();
    const long = `author,rating,date,text\nDana,5,2024-05-06,"${"é😀".repeat(40_000)}"\n`;
    await box.take(box.write("long.csv", long), { source: "google", encoding: "windows-1252" });
    assert.equal((await box.reviews())[0]?.text, "é😀".repeat(40_000));
  });

  test("that are unknown, or do not fit, are refused", async () => {
    assert.match(await refused(table, { encoding: "klingon" }), /encoding is "klingon", which is not known/);
    assert.match(await refused(windows, { encoding: "utf-8" }), /is not text in utf-8; try another --encoding/);
  });

  test("that were confused before the export are named, and the words kept as they are", async () => {
    const { reviews, warnings } = await imported(
      "author,rating,date,text\nFranÃ§ois,5,2024-05-06,Merci\nDana,5,2024-05-06,TrÃ¨s bien\n",
    );
    const authors = reviews.map(({ author }) => author);
    assert.deepEqual(authors, ["Dana", "FranÃ§ois"]);
    assert.ok(
      warnings.some((warning) =>
        warning.startsWith(
          'a.csv, line 2 (and 1 more records): "FranÃ§ois" seems to be "François", read in a wrong encoding',
        ),
      ),
      warnings.join("\n"),
    );
  });
});

test("a harmless field that cannot be used is left out with one warning a file", async () => {
  const { reviews, warnings } = await imported(
    "author,rating,date,avatar,link\nA,5,2024-05-06,/img/a.png,https://example.com/a\nB,5,2024-05-06,img/b.png,\n",
  );
  assert.deepEqual(
    reviews.map(({ author_avatar_url, source_url }) => [author_avatar_url, source_url]),
    [
      [null, "https://example.com/a"],
      [null, null],
    ],
  );
  assert.ok(
    warnings.includes(
      'a.csv, line 2: avatar is "/img/a.png", but must be an http or https address; 2 reviews are imported without it',
    ),
    warnings.join("\n"),
  );
});

test("a table is read with tabs, semicolons, or the line by which a spreadsheet names its separator", async () => {
  for (const [separator, start] of [
    ["\t", ""],
    [";", ""],
    [";", "sep=;\n"],
    [",", "\uFEFFsep=,\r\n"],
  ] as const) {
    const rows = ["author,rating,date", "Dana,5 stars,2024-05-06", "Kim,★★★☆☆,2024-05-06"];
    const { reviews } = await imported(`${start}${rows.join("\n").replaceAll(",", separator)}\n`);
    assert.deepEqual(
      reviews.map(({ author, rating }) => [author, rating]),
      [
        ["Dana", 5],
        ["Kim", 3],
      ],
    );
  }
});
