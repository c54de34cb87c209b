/** Exports and tables of further services, languages and trades: what they say is read as it was meant, or named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";

async function imported(name: string, content: string | object) {
  await using box = await openSandbox();
  const path = box.write(name, typeof content === "string" ? content : JSON.stringify(content));
  const report = await box.take(path, { source: "google" });
  const shown = (await box.reviews()).map(({ author }) => author).toSorted();
  const rows = (await box.rows()).toSorted((a, b) => (a.author < b.author ? -1 : 1));
  return { rows, shown, warnings: report.warnings.join("\n") };
}

async function refused(name: string, content: string | object) {
  await using box = await openSandbox();
  const path = box.write(name, typeof content === "string" ? content : JSON.stringify(content));
  return (await box.refusal(path, { source: "google" })).join("\n");
}

const page = (value: object) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const records = (...others: readonly object[]) =>
  others.map((other, at) => ({ author: `C${at}`, rating: 5, date: `2025-01-0${at + 1}`, text: "Quick", ...other }));
const ANN = "Ann,5,2025-01-05,Quick";
const BO = "Bo,1,2025-01-16,Late";

test("Outscraper: the link of a review names its site, whatever columns were chosen", async () => {
  const table =
    "review_rating,review_text,review_datetime_utc,author_title,owner_answer,review_link\n1,Late,01/05/2025 00:00:00,Ann,Sorry,https://www.trustpilot.com/reviews/1\n";
  assert.equal((await imported("a.csv", table)).rows[0]?.source, "trustpilot");
});

test("Outscraper: beside the review's own columns, a name and a rating are the place's", async () => {
  const both = "name,rating,review_text,review_rating,review_datetime_utc\nN Shop,4.5,Quick,5,01/05/2025 10:00:00\n";
  const { rows, warnings } = await imported("a.csv", both);
  assert.deepEqual([rows[0]?.author, rows[0]?.rating], ["A Google user", 5]);
  assert.match(warnings, /no column is known to hold the authors/);
  const mean = "name,rating,review_text,review_datetime_utc,author_title\nN Shop,4,Quick,01/05/2025 10:00:00,Ann\n";
  assert.match(await refused("a.csv", mean), /"rating" seems to be the place's own rating/);
});

test("A reply that Google holds back or has rejected is not published", async () => {
  const reply = (reviewReplyState: string) => ({
    reviewReply: { comment: "Hello", updateTime: "2025-01-06T00:00:00Z", reviewReplyState },
  });
  const file = takeoutPage(
    ...["REJECTED", "PENDING", "APPROVED"].map((state) => takeoutReview(state, reply(state))),
    takeoutReview("d", { reviewer: { displayName: "Ann Baker", isAnonymous: true } }),
  );
  const { rows, warnings } = await imported("reviews.json", file);
  assert.deepEqual(
    rows.map(({ author, reply_text }) => [author, reply_text ?? null]),
    [
      ["A Google user", null],
      ["Customer APPROVED", "Hello"],
      ["Customer PENDING", null],
      ["Customer REJECTED", null],
    ],
  );
  assert.match(warnings, /a reply is left out, because Google does not show it: reviewReplyState is "REJECTED"/);
});

test("Of several ratings of a review, that of an aspect is not its stars", async () => {
  const reviewRating = [
    { "@type": "Rating", reviewAspect: "Food", ratingValue: 1 },
    { "@type": "Rating", ratingValue: 5 },
  ];
  const review = { "@type": "Review", author: "Ann", datePublished: "2025-01-05", reviewBody: "Fine", reviewRating };
  assert.equal((await imported("a.html", page({ "@type": "Hotel", name: "N", review }))).rows[0]?.rating, 5);
});

test("Microdata: what an item names by id is its own, before and after it", async () => {
  const html = `<p id="body" itemprop="reviewBody">Quick</p><meta id="day" itemprop="datePublished" content="2025-01-05">
    <div itemscope itemtype="http://schema.org/Review" itemref="body who day"><span itemprop="reviewRating" itemscope
    itemtype="http://schema.org/Rating"><b itemprop="ratingValue">4</b></span></div><p id="who"><b itemprop="author">Ann</b></p>`;
  const [row] = (await imported("a.html", html)).rows;
  assert.deepEqual([row?.author, row?.rating, row?.date, row?.text], ["Ann", 4, "2025-01-05", "Quick"]);
  // Items that name each other's, and so themselves, hold none of these.
  const circle = (id: string, other: string) =>
    `<div id="${id}"><div itemprop="author" itemscope itemtype="http://schema.org/Person" itemref="${other}"></div></div>`;
  assert.equal((await imported("a.html", html + circle("a", "b") + circle("b", "a"))).rows.length, 1);
});

test("Names under which a file keeps its reviews are named, where nothing else says who wrote them", async () => {
  const [one, two] = records({ author: undefined }, { author: undefined });
  const { warnings } = await imported("a.json", { "Ann Baker": one, "Bo O'Neil": two });
  assert.match(warnings, /the reviews are kept under names \("Ann Baker", "Bo O'Neil"\), which are not read/);
  assert.doesNotMatch((await imported("a.json", { r1: one, r2: two })).warnings, /kept under names/);
});

test("One name for all reviews is named as what it may be", async () => {
  const table = (name: string) =>
    `Name,Rating,Date,Text\n${[5, 4, 1].map((stars) => `${name},${stars},2025-01-0${stars},Fine ${stars}\n`).join("")}`;
  assert.match((await imported("a.csv", table("N Shop"))).warnings, /all 3 reviews are by "N Shop", as "Name" says/);
  assert.doesNotMatch((await imported("a.csv", table("Anonymous"))).warnings, /all 3 reviews are by/);
});

test("A scale that a header names in words is not five stars of which 5 is the best", async () => {
  for (const [header, reason] of [
    ["Rating (1 = excellent; 5 = poor)", /1 is the best/],
    ["Bewertung (1 = sehr gut, 5 = mangelhaft)", /1 is the best/],
    ["Puntuación (sobre 10)", /counts to 10/],
  ] as const)
    assert.match(await refused("a.csv", `Name\t${header}\tDate\tText\nAnn\t1\t2025-01-05\tGreat\n`), reason);
  const plain = "Name,Rating (1 = poor; 5 = excellent),Date,Text\nAnn,1,2025-01-05,Bad\n";
  assert.equal((await imported("a.csv", plain)).rows[0]?.rating, 1);
});

test("Two digits of a year before the month are asked about", async () => {
  const table = (...days: readonly string[]) =>
    `Name,Rating,Date,Text\n${days.map((day, at) => `C${at},5,${day},Quick\n`).join("")}`;
  assert.match(await refused("a.csv", table("25-01-13", "25-01-14")), /"25-01-13" \(.*\) seems to begin with its year/);
  assert.deepEqual(
    (await imported("a.csv", table("13-01-25", "14-02-25"))).rows.map(({ date }) => date),
    ["2025-01-13", "2025-02-14"],
  );
});

test("What further states say is held back is not published, and pictures are no state", async () => {
  for (const column of ["Confidential", "removed_from_google", "Vertraulich"])
    assert.deepEqual((await imported("a.csv", `Name,Rating,Date,Text,${column}\n${ANN},No\n${BO},Yes\n`)).shown, [
      "Ann",
    ]);
  const chinese = "姓名,評分,日期,評論,狀態\n王,5,2025/01/15,好,已發布\n李,1,2025/01/16,壞,待審核\n";
  assert.deepEqual((await imported("a.csv", chinese)).shown, ["王"]);
  const display = records({ display: "show" }, { display: "hide" });
  assert.deepEqual((await imported("a.json", display)).shown, ["C0"]);
  const pictures = records({ has_published_pictures: false }, { has_published_pictures: true });
  assert.deepEqual((await imported("a.json", pictures)).shown, ["C0", "C1"]);
  const kinds = `Name,Rating,Date,Text,Type\n${ANN},Public\n${BO},Private feedback\n`;
  assert.deepEqual((await imported("a.csv", kinds)).shown, ["Ann"]);
});

test("A reply's label is no word of it, and a note that there is none is no reply", async () => {
  const replies = ["Response from the owner 2 months ago\nThanks!", "(keine Antwort)", "Pas de réponse", "Danke."];
  const { rows } = await imported("a.json", records(...replies.map((owner_reply) => ({ owner_reply }))));
  assert.deepEqual(
    rows.map(({ reply_text }) => reply_text ?? null),
    ["Thanks!", null, null, "Danke."],
  );
});

test("What says of words that a machine translated them is named", async () => {
  const labels = [
    "Nice. See original · Rate this translation",
    "[Translated from German] Nice",
    "Nice\n— Google Translate",
  ];
  const { warnings } = await imported("a.json", records(...labels.map((text) => ({ text }))));
  assert.match(warnings, /3 texts name a machine's translation in a form that is not known here/);
  const told = await imported("a.json", records({ is_translated: true }, { is_translated: false }));
  assert.deepEqual(
    told.rows.map(({ text }) => text),
    [null, "Quick"],
  );
  assert.match(told.warnings, /the words of 1 review are left out: "is_translated" says that they are a translation/);
  const own = records({ is_translated: true, translated_text: "Very quick indeed" }, {});
  assert.equal((await imported("a.json", own)).rows[0]?.text, "Quick");
});

test("Of two titles the one that is not read is named", async () => {
  const table = "Name,Rating,Date,Headline,Summary,Text\nAnn,5,2025-01-05,Great,In short,Quick\n";
  assert.match(
    (await imported("a.csv", table)).warnings,
    /words in "Headline", which are read, and others in "Summary"/,
  );
});

test("A rating of what it costs is not the whole one", async () => {
  const aspects = records({ rating: { overall: 4, service: 5, value: 1 } });
  assert.match(await refused("a.json", aspects), /"rating\.overall".*--columns rating="…"/);
  assert.equal((await imported("a.json", records({ rating: { value: 4, label: "Good" } }))).rows[0]?.rating, 4);
});

test("Schema.org's other names for the author and the words are read, and what is no business is named", async () => {
  const itemReviewed = { "@type": "SoftwareApplication", name: "App" };
  const review = {
    creator: { name: "Ann" },
    reviewRating: { ratingValue: 5 },
    datePublished: "2025-01-05",
    text: "Fine",
  };
  const { rows, warnings } = await imported("a.html", page({ "@type": "Review", ...review, itemReviewed }));
  assert.deepEqual([rows[0]?.author, rows[0]?.text], ["Ann", "Fine"]);
  assert.match(warnings, /1 review is of a product in the page's words/);
});

test("A telephone number is no name, and what a page shows beside a name is none of it", async () => {
  const names = ["0123 456789", "+44 (0)20 7946 0018", "Ann Local Guide · 12 reviews", "Bo·3 photos", "Agent 0017"];
  const { rows, warnings } = await imported("a.json", records(...names.map((author) => ({ author }))));
  assert.deepEqual(
    rows.map(({ author }) => author),
    ["A Google user", "A Google user", "Agent 0017", "Ann", "Bo"],
  );
  assert.match(warnings, /author is a telephone number, and no name to publish/);
});

test("A polite answer is an answer, and what was searched for may be several places", async () => {
  const polite = `Name,Rating,Date,Text,Can we publish this?\n${ANN},Yes please\n${BO},No thanks\n`;
  assert.deepEqual((await imported("a.csv", polite)).shown, ["Ann"]);
  const noted = `Name,Rating,Date,Text,Notes\n${ANN},\n${BO},DO NOT PUBLISH - disputed\n`;
  assert.deepEqual((await imported("a.csv", noted)).shown, ["Ann"]);
  const searched = `query,author,rating,date,text\nN Leeds,${ANN}\nN York,${BO}\n`;
  assert.match(
    (await imported("a.csv", searched)).warnings,
    /"query" \("N Leeds", "N York"\) is what was searched for/,
  );
});

test("Sites are known by their names in other scripts", async () => {
  const table = "Имя;Оценка;Дата;Отзыв;Площадка\nАнна;5;15.01.2025;Да;Яндекс Карты\nОлег;1;16.01.2025;Нет;2ГИС\n";
  assert.deepEqual(
    (await imported("a.csv", table)).rows.map(({ source }) => source),
    ["yandex", "2gis"],
  );
});

test("JSON-LD: what another directory published is not Google's, and what a critic wrote is no customer's", async () => {
  const reviewed = (others: object) =>
    page({
      "@type": "LocalBusiness",
      name: "Acme Plumbing",
      review: {
        "@type": "Review",
        author: { "@type": "Person", name: "Ann" },
        reviewRating: { ratingValue: 5 },
        datePublished: "2025-01-05",
        reviewBody: "Quick",
        ...others,
      },
    });
  const organization = (name: string) => ({ "@type": "Organization", name });
  const directory = await imported("a.html", reviewed({ publisher: organization("Local Gems") }));
  assert.deepEqual([directory.rows[0]?.source, directory.shown], ["local_gems", []]);
  const own = await imported("a.html", reviewed({ publisher: organization("ACME plumbing Ltd") }));
  assert.deepEqual(own.shown, ["Ann"]);
  const critics = { "@type": "CriticReview", author: organization("The Gazette") };
  assert.match(await refused("a.html", reviewed(critics)), /^$|no reviews/);
  const paper = await imported("a.html", reviewed({ author: organization("The Gazette") }));
  assert.match(paper.warnings, /the author of 1 review is an organisation/);
});

test("A row that begins with # is a review, or is named", async () => {
  const table = `Text,Name,Rating,Date\n#1 plumber in town,Ann,5,2025-01-05\n# Late again,Bo,1,2025-01-16\n`;
  assert.deepEqual((await imported("a.csv", table)).rows.length, 2);
  assert.match(
    await refused("a.csv", `Name,Rating,Date,Text\n${ANN}\n# exported by our system\n${BO}\n`),
    /line 3.*# exported/,
  );
});

test("The standing of whoever wrote is not the stars that they gave", async () => {
  const given = records(
    { rating: undefined, score: 2, user: { rating: 5 } },
    { rating: undefined, score: 4, user: { rating: 3 } },
  );
  assert.deepEqual(
    (await imported("a.json", given)).rows.map(({ rating }) => rating),
    [2, 4],
  );
});

test("Addresses of two places are two places", async () => {
  const table = (one: string, two: string, column = "Page URL") =>
    `Name,Rating,Date,Text,${column}\n${ANN},"${one}"\n${BO},"${two}"\n`;
  const maps = (name: string, id: number) =>
    `https://www.google.com/maps/place/${name}/@53.8,-1.5,17z/data=!4m7!3m6!1s0x48:0x${id}!8m2`;
  assert.match(await refused("a.csv", table(maps("N+Leeds", 1), maps("N+York", 2))), /2 places/);
  const own = (name: string) => `https://n.example/${name}`;
  assert.match(await refused("a.csv", table(own("leeds"), own("york/"), "Location URL")), /2 places/);
  assert.deepEqual((await imported("a.csv", table(own("leeds"), own("leeds/?page=2"), "Location URL"))).shown, [
    "Ann",
    "Bo",
  ]);
  assert.match((await imported("a.csv", table(own("leeds"), own("york")))).warnings, /"Page URL" .* several places/);
});

test("What is to be shown later, or no longer, is not shown", async () => {
  for (const [column, later, now] of [
    ["Embargo until", "2027-03-01", "2025-03-01"],
    ["publish_at", "2027-03-01T09:00:00Z", ""],
    ["Sichtbar ab", "01.03.2027", "01.03.2025"],
    ["Visible until", "2025-03-01", ""],
  ] as const)
    assert.deepEqual(
      (await imported("a.csv", `Name,Rating,Date,Text,${column}\n${ANN},${now}\n${BO},${later}\n`)).shown,
      ["Ann"],
      column,
    );
});

test("States in the words of many systems and languages hide what is not shown", async () => {
  for (const [column, shown, hidden] of [
    ["Off-topic", "No", "Yes"],
    ["Geprüft", "Ja", "Nein"],
    ["Statut", "Publié", "En attente de modération"],
    ["Estado de publicación", "Publicada", "Pendiente de aprobación"],
    ["Stato", "Pubblicata", "In attesa"],
    ["Moderatiestatus", "Goedgekeurd", "In afwachting"],
    ["Situação", "Publicado", "Aguardando moderação"],
    ["Widoczność", "Widoczna", "Ukryta"],
    ["Synlighet", "Synlig", "Dold"],
    ["Godkendt", "Ja", "Nej"],
    ["post_status", "publish", "future"],
    ["Review status", "Published", "Flagged for review"],
    ["Anything", "approved", "awaiting moderation"],
    ["Status", "Approvata", "Da approvare"],
    ["Zur Veröffentlichung freigegeben am", "2025-01-06", ""],
    ["Mag dit op onze site?", "Ja", "Nee"],
    ["Withdrawn by customer", "No", "Yes"],
    ["Private feedback", "No", "Yes"],
    ["Bemerkung", "", "Bitte nicht veröffentlichen"],
    ["publish_date", "2025-02-01", "2027-02-01"],
  ] as const)
    assert.deepEqual(
      (await imported("a.csv", `Name,Rating,Date,Text,${column}\n${ANN},${shown}\n${BO},${hidden}\n`)).shown,
      ["Ann"],
      column,
    );
});

test("A state in words that nobody knows is asked about, and one that says what was answered hides nothing", async () => {
  const table = (column: string, ...values: readonly string[]) =>
    `Name,Rating,Date,Text,${column}\n${values.map((value, at) => `C${at},5,2025-01-0${at + 1},Fine,${value}\n`).join("")}`;
  assert.match(
    await refused("a.csv", table("Status", "grün", "rot", "grün")),
    /"Status" \("grün", "rot"\) seems to say/,
  );
  const answered = await imported("a.csv", table("Status", "Replied", "Not replied", "Replied"));
  assert.equal(answered.shown.length, 3);
  assert.equal((await imported("a.csv", table("state", "Texas", "Ohio", "Texas"))).shown.length, 3);
});

test("States, towns and orders of something else hide nothing", async () => {
  for (const [column, one, two] of [
    ["Order status", "completed", "pending"],
    ["Customer status", "active", "inactive"],
    ["Would you recommend us?", "Yes", "No"],
    ["has_published_pictures", "yes", "no"],
    ["Customer city", "Leeds", "York"],
    ["Product URL", "https://n.example/a", "https://n.example/b"],
  ] as const)
    assert.deepEqual(
      (await imported("a.csv", `Name,Rating,Date,Text,${column}\n${ANN},${one}\n${BO},${two}\n`)).shown,
      ["Ann", "Bo"],
      column,
    );
});

test("What a form asks for is found under its question, and in several languages without its accents", async () => {
  for (const header of [
    "Your name,Your rating,Date,Your feedback",
    "Ihr Name,Sterne,Datum,Ihr Feedback",
    "Votre nom,Etoiles,Date,Votre avis",
    "Klant,Aantal sterren,Datum,Ervaring",
    "Autor opinii,Liczba gwiazdek,Data publikacji,Tresc opinii",
    "имяКлиента,Оценка,Дата,Отзыв",
  ]) {
    const [row] = (await imported("a.csv", `${header}\n${ANN}\n`)).rows;
    assert.deepEqual([row?.author, row?.rating, row?.date, row?.text], ["Ann", 5, "2025-01-05", "Quick"], header);
  }
});

test("A reply that is only its label is none", async () => {
  const replies = ["Response from the owner", "Antwort der Geschäftsleitung:", "Réponse de l'hôtel", "Thanks!"];
  assert.deepEqual(
    (await imported("a.json", records(...replies.map((owner_reply) => ({ owner_reply }))))).rows.map(
      ({ reply_text }) => reply_text ?? null,
    ),
    [null, null, null, "Thanks!"],
  );
});
