/** Files as owners and their programs make them: no day, word, reply or site in them is taken for another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { type Cell, workbookOf } from "../../test/support/workbook-writer.ts";

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
