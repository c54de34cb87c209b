/** Files as owners and their programs make them: no day, word, reply or site in them is taken for another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { type Cell, workbookOf, workbookWith } from "../../test/support/workbook-writer.ts";

async function imported(name: string, content: string | Buffer | object, options: { readonly source?: string } = {}) {
  await using box = await openSandbox();
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  const path = box.write(name, isText ? content : JSON.stringify(content));
  const report = await box.take(path, { source: "google", ...options });
  const rows = (await box.rows())
    .map((row) => ({ ...row, text: row.text ?? null, owner_reply: row.reply_text ?? null }))
    .toSorted((a, b) => (a.author < b.author ? -1 : 1));
  return { rows, warnings: report.warnings.join("\n") };
}

test("A day on which a database got its record is not the review's, which was published before", async () => {
  const records = (later: string) => [
    { author: "Ann", rating: 5, text: "Quick", published_at: "2025-03-05T10:00:00Z", [later]: "2026-11-01T08:00:00Z" },
    { author: "Bo", rating: 4, text: "Kind", published_at: "2025-04-05T10:00:00Z", [later]: "2026-11-01T08:00:00Z" },
  ];
  for (const later of ["created_at", "date"]) {
    const { rows, warnings } = await imported("a.json", records(later));
    assert.deepEqual(
      rows.map(({ date }) => date),
      ["2025-03-05", "2025-04-05"],
    );
    assert.match(warnings, /"published_at"; 2 reviews are dated by "published_at" instead/);
  }
  // What waited for its approval was written when it was created.
  const approved = [{ author: "Ann", rating: 5, created_at: "2026-01-05", published_at: "2026-01-08" }];
  assert.equal((await imported("a.json", approved)).rows[0]?.date, "2026-01-05");
});

test("A month that a spreadsheet keeps as its first day is no day", async () => {
  const styles = (code: string) =>
    `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="${code === "" ? 17 : 170}"/></cellXfs></styleSheet>`;
  const book = (code: string, rows: readonly (readonly Cell[])[]) =>
    workbookOf({ Reviews: [["Name", "Stars", "Date", "Text"], ...rows] }, [
      { name: "xl/styles.xml", content: styles(code) },
    ]);
  const months = [["Ann", 5, new Date("2026-01-01T00:00:00Z"), "Quick"]];
  for (const code of ["", "mmm yyyy", "[$-407]mmmm\\ yy;@"]) {
    await using box = await openSandbox();
    const messages = await box.refusal(box.write("a.xlsx", book(code, months)), {});
    assert.match(messages.join(), /"2026-01", which names a month, not a day/);
  }
  const { rows } = await imported("a.xlsx", book("mmm yyyy", [["Ann", 5, new Date("2026-01-17T00:00:00Z"), "Quick"]]));
  assert.equal(rows[0]?.date, "2026-01-17");
  assert.equal((await imported("a.xlsx", book("d/m/yy", months))).rows[0]?.date, "2026-01-01");
});

test("What may be the customer's words or the business's is published as neither, and named", async () => {
  const dutch = await imported(
    "a.csv",
    "Naam;Beoordeling;Datum;Opmerking;Reactie\nJan;5;05-01-2026;Goed geholpen;Bedankt\nPiet;1;16-01-2026;Slecht;\n",
  );
  assert.deepEqual(
    dutch.rows.map(({ text, owner_reply }) => [text, owner_reply]),
    [
      ["Goed geholpen", null],
      ["Slecht", null],
    ],
  );
  assert.match(dutch.warnings, /"Reactie" may hold replies/);
  const survey = await imported("a.csv", "Customer,Rating,Date,Response\nAnn,1,2026-01-05,Rude on the phone\n");
  assert.deepEqual([survey.rows[0]?.text, survey.rows[0]?.owner_reply], [null, null]);
  assert.match(survey.warnings, /"Response" may hold replies, but does not say whose/);
  const thread = await imported("a.json", [
    { author: "Ann", rating: 5, date: "2026-01-05", text: "Quick", replies: [{ author: "Eve", message: "Me too" }] },
  ]);
  assert.equal(thread.rows[0]?.owner_reply, null);
  assert.match(thread.warnings, /"replies\.message" may hold replies, but does not say whose/);
});

test("What programs write for nothing is no customer's word", async () => {
  const words = ["nan", "None", "undefined", "[object Object]", "null"];
  const { rows, warnings } = await imported(
    "a.json",
    words.map((text, index) => ({ author: `A${index}`, rating: 5, date: "2026-01-05", text, reply: "NaN" })),
  );
  assert.deepEqual(new Set(rows.flatMap(({ text, owner_reply }) => [text, owner_reply])), new Set([null]));
  assert.match(warnings, /10 texts and names are a word such as "nan"/);
});

test("What programs write for nobody is no customer's name", async () => {
  const { rows } = await imported("a.csv", "author,rating,date,text\nnan,5,2026-01-05,Quick\nNan,4,2026-01-06,Kind\n");
  assert.deepEqual(
    rows.map(({ author }) => author),
    ["A Google user", "Nan"],
  );
});

test("A title that a customer may not have written is named", async () => {
  const record = { name: "Ann", rating: 5, date: "2026-01-05", text: "Quick" };
  const job = [
    { ...record, title: "CEO", company: "Acme" },
    { ...record, name: "Bo", title: "Head", company: "Beta" },
  ];
  assert.match((await imported("a.json", job)).warnings, /"title" stands above the words/);
  assert.match(
    (await imported("a.json", [{ ...record, summary: "Is content." }])).warnings,
    /"summary" stands above the words/,
  );
});

test("A page of another site, and rows that say where they were written, keep that site", async () => {
  const review = { "@type": "Review", author: "Ann", reviewRating: { ratingValue: 5 }, datePublished: "2026-01-05" };
  const page = (url: string) =>
    `<script type="application/ld+json">${JSON.stringify({ "@type": "LocalBusiness", name: "N", url, review })}</script>`;
  for (const [url, source] of [
    ["https://www.yelp.com/biz/n", "yelp"],
    ["https://www.facebook.com/n", "google"],
    ["https://n.example", "google"],
  ] as const)
    assert.equal((await imported("a.html", page(url))).rows[0]?.source, source);
  const { rows } = await imported(
    "a.csv",
    "name,rating,date,text,reviewed at site\nAnn,5,2026-01-05,Quick,Reviewed on Yelp\nBo,1,2026-01-06,Late,Reviewed on Google\n",
  );
  assert.deepEqual(
    rows.map(({ source }) => source),
    ["yelp", "google"],
  );
});

test("Of two members with words the review's own is read, and the other is named", async () => {
  const review = { author: "Ann", rating: 5, date: "2026-01-05", review: "Quick", comment: "Thanks Ann!" };
  const { rows, warnings } = await imported("a.json", [review]);
  assert.equal(rows[0]?.text, "Quick");
  assert.match(warnings, /1 review has words in "review", which are read, and others in "comment", which are not/);
  const german = "Kunde;Sterne;Datum;Rückmeldung;Rezension\nAnn;5;05.01.2026;Vielen Dank;Toll\n";
  assert.equal((await imported("a.csv", german)).rows[0]?.text, "Toll");
  const stay = { author: "Ann", rating: 5, date: "2026-01-05", private_feedback: "The drain does smell" };
  assert.equal((await imported("a.json", [{ ...stay, public_review: "Lovely" }])).rows[0]?.text, "Lovely");
  assert.doesNotMatch((await imported("a.json", [stay])).warnings, /text="private_feedback"/);
  const notes = { ...review, positiveNotes: "Kind", "@type": "Review", reviewRating: { ratingValue: 5 } };
  const page = `<script type="application/ld+json">${JSON.stringify({ ...notes, datePublished: "2026-01-05" })}</script>`;
  assert.match((await imported("a.html", page)).warnings, /positiveNotes, negativeNotes\) of 1 review are left out/);
});

test("A customer who does not want the name used is not named", async () => {
  const table =
    "Name,Rating,Date,Feedback,Use my name?\nAnn Baker,5,2026-01-05,Quick,Yes\nBo Carr,4,2026-01-06,Kind,No\n";
  const { rows } = await imported("a.csv", table);
  assert.deepEqual(new Set(rows.map(({ author }) => author)), new Set(["Ann Baker", "A Google user"]));
});

test("Columns of branches in further languages and trades tell places", async () => {
  for (const column of ["Dealership", "Unidade", "Loja", "Filial"]) {
    await using box = await openSandbox();
    const table = `Name,Rating,Date,Text,${column}\nAnn,5,2026-01-05,Quick,North\nBo,1,2026-01-06,Late,South\n`;
    assert.match((await box.refusal(box.write("a.csv", table), {})).join(), /hold reviews of 2 places/);
  }
});

test("What a sheet's name, its being hidden or a state in Russian holds back is not published", async () => {
  const rows = (name: string) => [
    ["Name", "Stars", "Date", "Text"],
    [name, 5, "2026-01-05", "Quick"],
  ];
  const shown = async (content: string | Buffer, name: string) => {
    await using box = await openSandbox();
    const { warnings } = await box.take(box.write(name, content), { source: "google" });
    return [(await box.reviews()).map(({ author }) => author).join(), warnings.join()] as const;
  };
  const [named, why] = await shown(workbookOf({ Approved: rows("Ann"), Rejected: rows("Bo") }), "a.xlsx");
  assert.equal(named, "Ann");
  assert.match(why, /1 review is kept but not published.*: sheet Rejected \(1\)/);
  const overview = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Reviews" sheetId="1" r:id="rId1"/><sheet name="Old" state="hidden" sheetId="2" r:id="rId2"/></sheets></workbook>`;
  const book = { Reviews: rows("Ann"), Old: rows("Bo") };
  assert.equal((await shown(workbookOf(book, [{ name: "xl/workbook.xml", content: overview }]), "a.xlsx"))[0], "Ann");
  // A sheet is no worse for its name where there is no other.
  assert.equal((await shown(workbookOf({ Private: rows("Ann") }), "a.xlsx"))[0], "Ann");
  const russian =
    "Имя;Оценка;Дата;Отзыв;Статус\nАнна;5;05.01.2026;Да;Опубликован\nОлег;1;16.01.2026;Нет;На модерации\n";
  assert.equal((await shown(russian, "a.csv"))[0], "Анна");
  const french =
    "Nom;Note;Date;Avis;Modération\nAnne;5;05/01/2026;Oui;Publié\nOscar;1;16/01/2026;Non;Refusé\nLou;2;17/01/2026;Non;À modérer\n";
  assert.equal((await shown(french, "a.csv"))[0], "Anne");
});

test("Trustpilot's table: what its state holds back is not published, and unused columns are named", async () => {
  const table =
    "Review Created (UTC),Review Stars,Review Content,Review User Name,Review Status,Review Company Reply,Tags\n" +
    "2026-01-05 23:30:00,5,Great,Ann,published,Thanks,x\n2026-01-06 10:00:00,1,Awful,Bo,flagged,,\n";
  const { rows, warnings } = await imported("a.csv", table);
  assert.equal(rows[0]?.owner_reply, "Thanks");
  assert.match(warnings, /does not use the columns "Tags"/);
  assert.match(warnings, /1 review is kept but not published.*Review Status: flagged \(1\)/);
});

test("An original text that is not what stands beside it is named as what is read", async () => {
  const edited = { author: "Ann", rating: 2, date: "2026-01-05", text: "Now bad", original_text: "Was good" };
  assert.match(
    (await imported("a.json", [edited])).warnings,
    /words in "original_text", which are read, and others in "text", which are not/,
  );
});

const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const HEADER = ["Name", "Stars", "Date", "Text", "Owner reply"];

/** A workbook of one sheet: rows of texts, each with the attributes of its element; XML before and after them. */
function sheetOf(rows: readonly (readonly [string, ...string[]])[], { before = "", after = "" } = {}): Buffer {
  const cell = (text: string, column: number, row: number) =>
    text === "" ? "" : `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const data = rows.map(([attributes, ...cells], row) => {
    return `<row r="${row + 1}" ${attributes}>${cells.map((text, column) => cell(text, column, row)).join("")}</row>`;
  });
  return workbookWith(
    `<worksheet xmlns="${SHEET}">${before}<sheetData>${data.join("")}</sheetData>${after}</worksheet>`,
  );
}

test("Merged cells have one value, in each of their rows", async () => {
  const rows = [
    ["", "Reviews of the year", "", "", "", ""],
    ["", ...HEADER],
    ["", "Ann", "5", "2025-01-05", "Quick"],
    ["", "", "1", "", "Slow"],
    ["", "", "4", "2025-01-06", "Kind"],
    ["", "Bo", "4", "2025-01-07", "Good"],
    ["", "", "", "", "and cheap"],
  ] as const;
  const merged = ["A1:E1", "A3:A5", "C3:C4", "D6:E6", "A6:A7", "B6:B7", "C6:C7"].map(
    (ref) => `<mergeCell ref="${ref}"/>`,
  );
  const file = sheetOf(rows, { after: `<mergeCells>${merged.join("")}</mergeCells>` });
  await using box = await openSandbox();
  const { issues } = await box.take(box.write("a.xlsx", file), { skipInvalid: true, source: "google" });
  const read = (await box.rows()).map(({ author, rating, date, text }) => [author, rating, date, text]);
  assert.deepEqual(
    read.toSorted((a, b) => String(a[3]).localeCompare(String(b[3]))),
    [
      ["Bo", 4, "2025-01-07", "Good"],
      ["Ann", 4, "2025-01-06", "Kind"],
      ["Ann", 5, "2025-01-05", "Quick"],
      ["Ann", 1, "2025-01-05", "Slow"],
    ],
  );
  // The rest of a record in a second row is no review of its own.
  assert.match(issues.map(({ message }) => message).join(), /row 7: Stars is missing/);
});

test("A row whose every cell is struck through is not published, a row with one such cell is", async () => {
  const cell = (text: string, style: number) => `<c s="${style}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const rowOf = (texts: readonly string[], styles: readonly number[]) =>
    `<row>${texts.map((text, at) => cell(text, styles[at] ?? 0)).join("")}</row>`;
  const rows = [
    rowOf(HEADER, [0, 0, 0, 0, 0]),
    rowOf(["Ann", "5", "2025-01-05", "Quick"], [0, 0, 0, 1]),
    rowOf(["Bo", "1", "2025-01-06", "Sold"], [1, 2, 1, 2]),
    rowOf(["Cy", "4", "2025-01-07", "Kind"], [3, 3, 3, 3]),
  ];
  const styles =
    '<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts><cellStyleXfs><xf fontId="0"/><xf fontId="1"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/><xf numFmtId="0" xfId="1"/><xf numFmtId="0" fontId="2"/></cellXfs>' +
    "<dxfs><dxf><font><strike/></font></dxf></dxfs>";
  const parts = {
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${SHEET}"><sheetData>${rows.join("")}</sheetData></worksheet>`,
    "xl/styles.xml": `<styleSheet xmlns="${SHEET}">${styles}</styleSheet>`,
  };
  const file = workbookOf(
    { S: [] },
    Object.entries(parts).map(([name, content]) => ({ name, content })),
  );
  await using box = await openSandbox();
  const { warnings } = await box.take(box.write("a.xlsx", file), { source: "google" });
  assert.deepEqual((await box.reviews()).map(({ author }) => author).toSorted(), ["Ann", "Cy"]);
  assert.match(warnings.join(), /1 review is kept but not published.*struck-through row \(1\)/);
});

test("Rows and columns that a sheet hides are not published", async () => {
  const file = sheetOf(
    [
      ["", ...HEADER, "Review ID"],
      ["", "Ann", "5", "2025-01-05", "Quick", "Secret", "r1"],
      ['hidden="1"', "Bo", "1", "2025-01-06", "Filtered", "", "r2"],
      ['ht="0" customHeight="1"', "Cy", "1", "2025-01-06", "Flat", "", "r3"],
    ],
    { before: '<cols><col min="1" max="4"/><col min="5" max="6" width="0" hidden="true"/></cols>' },
  );
  await using box = await openSandbox();
  const { warnings } = await box.take(box.write("a.xlsx", file), { source: "google" });
  const published = (await box.reviews()).map(({ author, owner_reply }) => [author, owner_reply]);
  assert.deepEqual(published, [["Ann", null]]);
  assert.match(warnings.join(), /2 reviews are kept but not published.*hidden row \(2\)/);
  assert.match(warnings.join(), /"Owner reply" is a column that the sheet hides: not read/);
  assert.deepEqual((await box.rows()).map(({ source_id }) => source_id).toSorted(), ["r1", "r2", "r3"]);
});

test("What a sheet hides of a vendor's table is not published either", async () => {
  const before = '<cols><col min="2" max="2" hidden="1"/><col min="5" max="5" hidden="1"/></cols>';
  await using box = await openSandbox();
  for (const rows of [
    [
      ["", "Review Id", "Review Username", "Review Stars", "Review Created (UTC)", "Review Content"],
      ["", "t1", "Ann", "5", "2025-01-05 10:00:00", "Quick"],
    ],
    [
      ["", "review_id", "author_title", "review_rating", "review_datetime_utc", "review_text", "google_id"],
      ["", "g1", "Ann", "5", "01/05/2025 10:00:00", "Quick", "0x1:0x2"],
    ],
  ] as const) {
    const { warnings } = await box.take(box.write(`${rows[0].length}.xlsx`, sheetOf(rows, { before })));
    assert.match(warnings.join(), /are columns that the sheet hides: not read/);
  }
  assert.deepEqual(
    (await box.rows()).map(({ author, text }) => [author === "Ann", text]),
    [
      [false, null],
      [false, null],
    ],
  );
});

test("Days that a spreadsheet for another country has made of texts are asked about", async () => {
  const book = (...days: readonly Cell[]) =>
    workbookOf({ S: [HEADER.slice(0, 4), ...days.map((day, at): Cell[] => [`Customer ${at}`, 5, day, "Quick"])] });
  const real = (day: string) => new Date(`${day}T00:00:00Z`);
  for (const text of ["25/03/2025", "3-25-2025 10:15"]) {
    await using box = await openSandbox();
    const path = box.write("a.xlsx", book(real("2025-04-03"), text));
    assert.match((await box.refusal(path)).join(), /is text beside real dates, none of which is after the 12th/);
    const dates = text.startsWith("3") ? "mdy" : "dmy";
    assert.equal((await box.take(path, { dates })).added, 2);
  }
  for (const days of [
    [real("2025-04-03"), "25/03/2025", real("2025-04-23")],
    [real("2025-04-03"), "25.03.2025"],
    [real("2025-04-03"), "25 March 2025"],
  ])
    assert.equal((await imported("a.xlsx", book(...days))).rows.length, days.length);
});

test("A saved page is of the site whose address it gives", async () => {
  const review = { "@type": "Review", author: "Ann", reviewRating: { ratingValue: 5 }, datePublished: "2025-01-05" };
  const data = `<script type="application/ld+json">${JSON.stringify({ "@type": "LocalBusiness", name: "N", review })}</script>`;
  for (const [head, source] of [
    ['<link rel="canonical" href="https://www.yelp.com/biz/n">', "yelp"],
    ['<meta content="https://www.facebook.com/n/reviews" property="og:url" />', "facebook"],
    ["<!-- saved from url=(0030)https://www.tripadvisor.com/n -->", "tripadvisor"],
    ['<link rel="canonical" href="https://n.example/"><link rel="me" href="https://www.yelp.com/biz/n">', "google"],
  ] as const)
    assert.equal((await imported("a.html", `<html><head>${head}${data}</head></html>`)).rows[0]?.source, source, head);
});

test("What the page does not show is not published, unless its reviews are written for programs alone", async () => {
  const review = (name: string, attributes = "") =>
    `<div ${attributes}><div itemprop="review" itemscope itemtype="https://schema.org/Review"><b itemprop="author">${name}</b><meta itemprop="datePublished" content="2025-01-05"><i itemprop="reviewRating" itemscope itemtype="https://schema.org/Rating"><meta itemprop="ratingValue" content="5"></i></div></div>`;
  const published = async (...reviews: string[]) => {
    await using box = await openSandbox();
    const page = `<html><div itemscope itemtype="https://schema.org/Hotel">${reviews.join("")}</div></html>`;
    const { warnings } = await box.take(box.write("a.html", page), { source: "google" });
    return [(await box.reviews()).map(({ author }) => author).toSorted(), warnings.join()] as const;
  };
  const [shown, why] = await published(
    review("Ann"),
    review("Bo", 'style="color:red; display : none"'),
    review("Cy", "hidden"),
    `<template>${review("{{name}}")}</template>`,
    review("Di"),
  );
  assert.deepEqual(shown, ["Ann", "Di"]);
  assert.match(why, /3 reviews are kept but not published.*hidden on the page \(3\)/);
  assert.deepEqual((await published(review("Ann", "hidden")))[0], ["Ann"]);
});

test("Places are told by the address of a store, and by the listing", async () => {
  const review = { author: "Ann", rating: 5, date: "2025-01-05", text: "Quick" };
  const listing = (...names: string[]) =>
    `Name,Rating,Date,Listing\n${names.map((name, at) => `C${at},5,2025-01-05,${name}`).join("\n")}\n`;
  const files = {
    "a.json": JSON.stringify(["1 High St", "2 Low St"].map((address) => ({ ...review, store: { address } }))),
    "a.csv": listing("Sea View", "Hill House"),
  };
  for (const [name, content] of Object.entries(files)) {
    await using box = await openSandbox();
    assert.match((await box.refusal(box.write(name, content))).join(), /hold reviews of 2 places/);
  }
  // A customer's own address, and the directories in which a business is listed, are no places.
  const homes = ["1 High St", "2 Low St"].map((address) => ({ ...review, property: { address }, author: address }));
  assert.equal((await imported("a.json", homes)).rows.length, 2);
  assert.equal((await imported("a.csv", listing("Google Maps", "Yelp"))).rows.length, 2);
});

test("What describes the work, a formula or BBCode is no customer's word", async () => {
  const jobs =
    "Customer,Rating,Date,Job,Description\nAnn,5,2025-01-05,1,Replaced the compressor\nBo,1,2025-01-06,2,Serviced the old unit\n";
  const job = await imported("a.csv", jobs);
  assert.deepEqual(new Set(job.rows.map(({ text }) => text)), new Set([null]));
  assert.match(job.warnings, /if "Description" holds the customers' words/);
  const texts = [
    "[b]Great[/b] [url=https://x.example]work[/url]",
    '=HYPERLINK("https://x.example","See it")',
    '="Good"',
    "=1+1",
    "=== bad === [sic]",
    "=) nice",
  ];
  const read = await imported(
    "a.json",
    texts.map((text, at) => ({ author: `C${at}`, rating: 5, date: "2025-01-05", text })),
  );
  assert.deepEqual(
    read.rows.map(({ text }) => text),
    ["Great work", "See it", "Good", null, "=== bad === [sic]", "=) nice"],
  );
  assert.match(read.warnings, /1 text is a formula/);
});

test("The business's reply below the customer's words is its reply, and the customer's is none", async () => {
  const texts = [
    "Quick work.\n\nResponse from the owner: Thanks!",
    "Langsam.\nAntwort vom Inhaber\nDas tut uns leid.",
    "Nul.\n- Réponse du propriétaire (il y a 2 mois)\nDésolé.",
    "I got a response from the owner: he said no.",
    "No word.\nResponse from the owner:",
  ];
  const records = (others: object) =>
    texts.map((text, at) => ({ author: `C${at}`, rating: 5, date: "2025-01-05", text, ...others }));
  const { rows, warnings } = await imported("a.json", records({}));
  assert.deepEqual(
    rows.map(({ text, owner_reply }) => [text, owner_reply]),
    [
      ["Quick work.", "Thanks!"],
      ["Langsam.", "Das tut uns leid."],
      ["Nul.", "Désolé."],
      [texts[3], null],
      [texts[4], null],
    ],
  );
  assert.match(warnings, /3 texts hold the business's reply/);
  const replied = await imported("a.json", records({ owner_reply: "Hello" }));
  assert.deepEqual(replied.rows[0]?.text, texts[0]);
  const roles = await imported("a.json", [
    { author: "Ann", rating: 5, date: "2025-01-05", response: { role: "customer", text: "Still good" } },
    { author: "Bo", rating: 5, date: "2025-01-05", response: { role: "owner", text: "Thanks" } },
    { author: "Cy", rating: 5, date: "2025-01-05", response: { author: "Cy", text: "One more thing" } },
  ]);
  assert.deepEqual(
    roles.rows.map(({ owner_reply }) => owner_reply),
    [null, "Thanks", null],
  );
  assert.match(roles.warnings, /2 replies are by customers/);
  const table = "Name,Rating,Date,Replied by,Reply\nAnn,5,2025-01-05,Ann,Me again\nBo,1,2025-01-06,Owner,Sorry\n";
  assert.deepEqual(
    (await imported("a.csv", table)).rows.map(({ owner_reply }) => owner_reply),
    [null, "Sorry"],
  );
});

test("The public name is published where there is one", async () => {
  for (const [whole, shown] of [
    ["full_name", "nickname"],
    ["Name", "Public name"],
    ["customer_name", "reviewer_nickname"],
    ["Kunde", "Anzeigename"],
  ] as const) {
    const { rows } = await imported("a.csv", `${whole},${shown},rating,date\nAnn Baker,Ann B.,5,2025-01-05\n`);
    assert.equal(rows[0]?.author, "Ann B.", shown);
  }
});

test("What employees write of their employer is no customer's review", async () => {
  const review = { author: "Ann", rating: 5, date: "2025-01-05", text: "Good pay" };
  const types = await imported("a.json", [
    { "@type": "EmployerReview", ...review, author: "Eve" },
    { "@type": "Review", ...review },
  ]);
  assert.deepEqual(
    types.rows.map(({ author }) => author),
    ["Ann"],
  );
  assert.match(types.warnings, /"EmployerReview" are no customers' reviews/);
  const data = { "@type": "EmployerReview", reviewRating: { ratingValue: 5 }, datePublished: "2025-01-05" };
  const page = `<html><script type="application/ld+json">${JSON.stringify(data)}</script></html>`;
  assert.match((await imported("a.html", page)).warnings, /1 review is by employees/);
  await using box = await openSandbox();
  const table = "Author,Rating,Date,Pros,Cons,Advice to Management\nAnn,5,2025-01-05,Pay,Hours,None\n";
  assert.match((await box.refusal(box.write("a.csv", table))).join(), /reviews are by employees/);
});

test("The title of one record is the customer's where the place has its name elsewhere", async () => {
  const review = { id: "1", title: "Lovely stay", rating: 5, publishedDate: "2025-01-05", text: "Nice room" };
  const record = { ...review, user: { name: "Ann" }, placeInfo: { id: "9", name: "Sea Hotel" } };
  assert.equal((await imported("a.json", [record])).rows[0]?.text, "Lovely stay\n\nNice room");
});

test("A telephone number is no name to publish", async () => {
  const numbers = ["+44 20 7946 0000", "0151 2345678", "(212) 555-0100", "004930123456"];
  const names = ["Agent 47", "1234567", "4711"];
  const records = [...numbers, ...names].map((author) => ({ author, rating: 5, date: "2025-01-05", text: author }));
  const { rows, warnings } = await imported("a.json", records);
  assert.deepEqual(
    rows.map(({ author }) => author).filter((author) => author !== "A Google user"),
    names.toSorted(),
  );
  assert.match(warnings, /author is a telephone number, and no name to publish/);
});

test("A stage or a decision tells which reviews are shown", async () => {
  const shown = async (name: string, content: unknown) => {
    await using box = await openSandbox();
    await box.take(box.write(name, content), { source: "google" });
    return (await box.reviews()).map(({ author }) => author);
  };
  const stages = "Name,Rating,Date,Stage\nAnn,5,2025-01-05,Published\nBo,1,2025-01-06,Awaiting approval\n";
  assert.deepEqual(await shown("a.csv", stages), ["Ann"]);
  const record = { rating: 5, date: "2025-01-05", text: "Quick" };
  const decisions = [
    { ...record, author: "Ann", moderation: { decision: "ACCEPT" } },
    { ...record, author: "Bo", moderation: { decision: "REJECT" } },
    { ...record, author: "Cy", moderation: { decision: "ACCEPT" }, test_data: true },
  ];
  assert.deepEqual(await shown("a.json", decisions), ["Ann"]);
});
