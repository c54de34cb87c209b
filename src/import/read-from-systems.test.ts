/** Exports of content systems, booking sites, forms and pages: what they say is read as it was meant, or named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { imported, refused } from "../../test/support/imported-file.ts";
import { type Cell, workbookOf } from "../../test/support/workbook-writer.ts";

const records = (...others: readonly object[]) =>
  others.map((other, at) => ({ author: `C${at}`, rating: 5, date: `2025-01-0${at + 1}`, text: "Quick", ...other }));
const table = (column: string, ann: string, bo: string) =>
  `Name,Rating,Date,Text,${column}\nAnn,5,2025-01-05,Quick,${ann}\nBo,1,2025-01-16,Late,${bo}\n`;
const page = (value: object, head = "") =>
  `${head}<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const linked = (others: object) => ({
  "@type": "Review",
  author: "Ann",
  datePublished: "2025-01-05",
  reviewBody: "Fine",
  reviewRating: { ratingValue: 4 },
  ...others,
});

test("Ratings of a site that counts to ten are no stars, whatever names the site", async () => {
  const [four] = records({ rating: 4 });
  for (const source of ["booking", "kiyoh", "thefork"])
    assert.match(await refused("a.json", [four], source), /whose ratings count to 10/);
  const searched = table("query", ...(["https://www.booking.com/hotel/gb/n.html", ""] as const));
  assert.match(await refused("a.csv", searched), /"booking\.com", whose ratings count to 10/);
  assert.match(await refused("a.csv", `Booking\n\n${table("Room", "1", "2")}`), /whose ratings count to 10/);
  const own = '<link rel="canonical" href="https://www.booking.com/hotel/gb/n.html">';
  assert.match(await refused("a.html", page({ "@type": "Hotel", name: "N", review: linked({}) }, own)), /count to 10/);
  // Rows that name another site are not judged by that of the run.
  const [row] = (await imported("a.json", [{ ...four, source: "yelp" }], "booking")).rows;
  assert.deepEqual([row?.source, row?.rating], ["yelp", 4]);
});

test("JSON-LD: an author is named where the page describes the person", async () => {
  const person = { "@type": "Person", "@id": "#ann", name: "Ann Baker" };
  const review = linked({ author: { "@id": "#ann" } });
  const graph = { "@graph": [{ "@type": "Store", name: "N", review }, person] };
  assert.equal((await imported("a.html", page(graph))).rows[0]?.author, "Ann Baker");
  const twice = [
    linked({ author: person, reviewBody: "One" }),
    linked({ author: { "@id": "#ann" }, reviewBody: "Two" }),
  ];
  const { rows } = await imported("a.html", page({ "@type": "Store", name: "N", review: twice }));
  assert.deepEqual(
    rows.map(({ author }) => author),
    ["Ann Baker", "Ann Baker"],
  );
  // A person without an id is nobody else on the page.
  const nameless = { "@type": "Store", name: "N", review: linked({ author: { "@type": "Person" } }) };
  assert.equal((await imported("a.html", page(nameless))).rows[0]?.author, "A Google user");
});

test("Microdata: each paragraph of a review is its customer's", async () => {
  const html = (...bodies: readonly string[]) =>
    `<div itemscope itemtype="https://schema.org/Review"><b itemprop="author">Ann</b><b itemprop="reviewRating" itemscope>
    <i itemprop="ratingValue">4</i></b><meta itemprop="datePublished" content="2025-01-05">${bodies.map((body) => `<p itemprop="reviewBody">${body}</p>`).join("")}</div>`;
  assert.equal((await imported("a.html", html("Late.", "And cold."))).rows[0]?.text, "Late.\n\nAnd cold.");
  assert.equal((await imported("a.html", html("Late and…", "Late and cold."))).rows[0]?.text, "Late and cold.");
  assert.equal((await imported("a.html", html("Late.", "Late."))).rows[0]?.text, "Late.");
});

test("Drafts of a content system, and what a host writes of guests, are not published", async () => {
  assert.deepEqual((await imported("a.json", records({ _id: "r1" }, { _id: "drafts.r2" }))).shown, ["C0"]);
  const both = records({ type: "guest-to-host" }, { type: "host-to-guest" });
  const { shown, warnings } = await imported("a.json", both);
  assert.deepEqual(shown, ["C0"]);
  assert.match(warnings, /type: host-to-guest \(1\)/);
  assert.match(
    (await imported("a.csv", table("Reviewer type", "Customer", "Employee"))).warnings,
    /"Reviewer type" .* is not known/,
  );
  assert.match(await refused("a.csv", table("Store #", "12", "13")), /reviews of 2 places/);
});

test("States in further languages hide what is not shown", async () => {
  for (const [column, yes, no] of [
    ["Közzétéve", "igen", "nem"],
    ["Опубліковано", "так", "ні"],
    ["Публикуван", "да", "не"],
    ["Diterbitkan", "ya", "tidak"],
    ["منشور", "نعم", "لا"],
    ["פורסם", "כן", "לא"],
    ["เผยแพร่", "ใช่", "ไม่"],
    ["Status", "disetujui", "menunggu"],
    ["สถานะ", "อนุมัติ", "รอตรวจสอบ"],
    ["الحالة", "معتمد", "معلق"],
    ["is_spam", "0.0", "1.0"],
    ["Customer withdrew", "no", "yes"],
    ["Happy for us to use this?", "Yes", "No thanks"],
    ["May we quote you?", "Yes", "No"],
    ["Posted to site?", "Y", "N"],
    ["Freigabe", "erteilt", "verweigert"],
    ["Toestemming", "Gegeven", "Niet gegeven"],
    ["Autorisation de publication", "Accordée", "Refusée"],
    ["Consenso alla pubblicazione", "Dato", "Negato"],
    ["Consent to publish", "Given", "Refused"],
    ["Állapot", "Közzétéve", "Jóváhagyásra vár"],
    ["สถานะ", "เผยแพร่แล้ว", "ฉบับร่าง"],
    ["स्थिति", "प्रकाशित", "लंबित"],
    ["Estat", "Publicada", "Pendent"],
    ["validate", "1", "0"],
    ["Dispute status", "none", "under dispute"],
  ] as const)
    assert.deepEqual((await imported("a.csv", table(column, yes, no))).shown, ["Ann"], column);
});

test("A customer who asks to be left unnamed is", async () => {
  for (const [column, named, unnamed] of [
    ["Display preference", "Full name", "Anonymous"],
    ["How should we credit you?", "Use my name", "Keep me anonymous"],
    ["Afficher mon nom", "oui", "non"],
    ["Mostrar mi nombre", "sí", "no"],
  ] as const) {
    const { shown, warnings } = await imported("a.csv", table(column, named, unnamed));
    assert.deepEqual(shown, ["A Google user", "Ann"], column);
    assert.match(warnings, /1 name is left out/);
  }
  const flags = records({ hideName: true }, { showName: false }, { display_name_public: false });
  assert.deepEqual((await imported("a.json", flags)).shown, ["A Google user", "A Google user", "A Google user"]);
  const contacts = ["Ann <ann@example.org>", "Ann, +44 20 7946 0018", "Ann (ann@example.org)", "Ann-Marie 3"];
  assert.deepEqual((await imported("a.json", records(...contacts.map((author) => ({ author }))))).shown, [
    "Ann",
    "Ann",
    "Ann",
    "Ann-Marie 3",
  ]);
  // Who is not logged in may give a name.
  assert.deepEqual((await imported("a.csv", table("user_type", "member", "anonymous"))).shown, ["Ann", "Bo"]);
});

test("A reply that waits is not published, in whichever object it stands", async () => {
  const reply = (state: string) => ({ reviewReply: { comment: "Hello", state } });
  const { rows } = await imported("a.json", records(reply("PENDING"), reply("APPROVED")));
  assert.deepEqual(
    rows.map(({ reply_text }) => reply_text ?? null),
    [null, "Hello"],
  );
});

test("Of two columns the one with the original words is read, as brackets say", async () => {
  const both = `Name,Rating,Date,Review (translated),Review (original)\nAnn,5,2025-01-05,Very good,Sehr gut\n`;
  const { rows, warnings } = await imported("a.csv", both);
  assert.equal(rows[0]?.text, "Sehr gut");
  assert.match(warnings, /"Review \(original\)", which are read/);
});

test("A site behind names, a translation, and signs that a program has left are named", async () => {
  const sites = `Name,Rating,Date,Text\nAnn (Google),5,2025-01-05,Quick\nBo (Yelp),1,2025-01-16,Late\nCy (Leeds),4,2025-01-17,Fine\n`;
  assert.match((await imported("a.csv", sites)).warnings, /line 3: an author's name ends with a site/);
  assert.doesNotMatch((await imported("a.csv", sites.replace("Yelp", "York"))).warnings, /ends? with a site/);
  for (const text of ["Very good. (Translated from German)", "Sehr gut. (Übersetzt aus dem Englischen)"])
    assert.match((await imported("a.json", records({ text }))).warnings, /a text names a machine's translation/);
  for (const text of ["It\\'s late", "Late_x000D_\nagain", "Tom &amp Jerry"])
    assert.match((await imported("a.json", records({ text }))).warnings, /has (?:lost characters|a program's code)/);
  for (const text of ["AT&T and R&D", "snake_case & co", "back\\slash"])
    assert.doesNotMatch((await imported("a.json", records({ text }))).warnings, /has lost characters/);
});

test("Names and words are found where further systems keep them", async () => {
  const profile = records({ author: undefined, user_profile: { name: "Ann", reviews_count: 3 } });
  assert.equal((await imported("a.json", profile)).rows[0]?.author, "Ann");
  const shop = "review_id,created_at,title,nickname,detail,rating\n1,2025-01-05 10:00:00,Bad,Ann,Late again,2\n";
  assert.equal((await imported("a.csv", shop)).rows[0]?.text, "Bad\n\nLate again");
  const reviewer = { name: "Ann Baker", displayName: "Ann B." };
  assert.equal((await imported("a.json", records({ author: undefined, reviewer }))).rows[0]?.author, "Ann B.");
  const form = (time: string) => `${time},Namn,Betyg,Omdöme\n2025-01-05 10:00:00,Ann,2,Sen\n`;
  for (const time of ["Tidstämpel", "Sygnatura czasowa", "Carimbo de data/hora"])
    assert.equal((await imported("a.csv", form(time))).rows[0]?.date, "2025-01-05", time);
  const diners = "Diner name,Overall,Food,Submitted date,Review\nAnn,2,1,2025-01-05,Cold soup\n";
  assert.equal((await imported("a.csv", diners)).rows[0]?.author, "Ann");
});

test("The buttons of a page are no customer's words, and tell what is missing", async () => {
  const review = (body: string, rating = '<meta itemprop="reviewRating" content="4">') =>
    `<div itemscope itemtype="https://schema.org/Review"><b itemprop="author">Ann</b>${rating}<meta itemprop="datePublished" content="2025-01-05"><div itemprop="reviewBody">${body}</div></div>`;
  for (const [body, text, told] of [
    ["They came late.<button>Read more</button>", "They came late.", undefined],
    ['Late. <span class="toggle">Weniger anzeigen</span> <a href="#">Traduire</a>', "Late.", undefined],
    ["Late.<button>Helpful (3)</button><button>もっと見る</button>", "Late.", undefined],
    ['They came <a href="#">…mehr</a>', "They came", /a text ends as a page cuts long ones short/],
    [
      "Very good.<br><a>See original (German)</a>",
      null,
      /words of 1 review are left out: they are a translation, as the page says/,
    ],
    ["I saw <a>more of their work</a>", "I saw more of their work", undefined],
  ] as const) {
    const { rows, warnings } = await imported("a.html", review(body));
    assert.equal(rows[0]?.text, text, body);
    if (told === undefined) assert.doesNotMatch(warnings, /cuts long|translation|button/);
    else assert.match(warnings, told);
  }
  const words = ["<p>Late. <a href='#'>Lire la suite</a></p>", "<p>Late…<a>Leer más</a></p>"];
  const { rows, warnings } = await imported("a.json", records(...words.map((text) => ({ text }))));
  assert.equal(rows[0]?.text, "Late.");
  assert.match(warnings, /\[1\]: a text ends as a page cuts long ones short/);
  // A picture's name tells the stars where nothing else does, unless there are several or they count to ten.
  for (const [rating, stars] of [
    ['<img src="5.png" alt="5 stars">', 5],
    ['<i itemprop="reviewRating" itemscope><img itemprop="ratingValue" src="3.png" alt="Rated 3 out of 5"></i>', 3],
    ['<i itemprop="reviewRating" aria-label="Gewaardeerd 4 uit 5"></i>', 4],
    ['<i itemprop="reviewRating" itemscope><b itemprop="ratingValue" title="2 von 5 Sternen"></b></i>', 2],
  ] as const)
    assert.equal((await imported("a.html", review("Late.", rating))).rows[0]?.rating, stars, rating);
  for (const rating of ['<img alt="8 out of 10 stars">', '<img alt="3 stars"><img alt="4 stars">', '<img alt="5">'])
    assert.match(await refused("a.html", review("Late.", rating)), /ratingValue is missing/, rating);
  const article =
    '<article typeof="Review"><b property="author">Ann</b><b property="reviewRating">4</b><b property="datePublished">2025-01-05</b></article>';
  assert.equal((await imported("a.html", article)).rows[0]?.rating, 4);
});

test("Codes that mail, programs and WordPress write are the characters that they stand for, or none", async () => {
  for (const [given, text] of [
    ["It=E2=80=99s great, we=E2=80=99ll be=\n back", "It’s great, we’ll be back"],
    ["A long line of words that mail breaks where it is full =\nand goes on", undefined],
    ['Late.\\nAgain. Caf\\u00e9 \\"Rex\\"', 'Late.\nAgain. Café "Rex"'],
    ["a=b, 1+1=20 and https://n.example/?hl=de&x=fa", null],
    ["C:\\new and ¯\\_(ツ)_/¯", null],
    ['[caption id="a" width="300"]<img src="a.jpg" alt="b" /> Our boiler[/caption] Great', "Our boiler\nGreat"],
    ['Great [gallery ids="1,2"] work[/et_pb_text]', "Great work"],
    ['[vc_row][vc_column width="1/1"]Great[/vc_column][/vc_row]', "Great"],
    ["[embed]https://n.example/v[/embed]Fine", "Fine"],
    ["They [sic] came [in time] [name removed]", null],
  ] as const)
    assert.equal(
      (await imported("a.json", records({ text: given }))).rows[0]?.text,
      text === undefined ? given.replace("=\n", "") : (text ?? given),
      given,
    );
  assert.equal((await imported("a.json", records({ text: "Sehr sch=C3=B6n=" }))).rows[0]?.text, "Sehr schön");
  const mail = records({ author: "=?UTF-8?Q?Ren=C3=A9?=" }, { text: "Fran=E7ois came" });
  const { rows, warnings } = await imported("a.json", mail);
  assert.deepEqual(rows.map(({ author }) => author).toSorted(), ["C1", "René"]);
  assert.match(warnings, /"Fran=E7ois" has lost characters/);
  assert.match(
    (await imported("a.json", records({ text: "Late.\\nAgain." }))).warnings,
    /1 text has codes such as "=E2=80=99" or "\\n" in the place of characters/,
  );
});

test("Whoever asks to be taken out, and what is marked as private or spam, is not published", async () => {
  for (const [column, ann, bo] of [
    ["Notes", "", "Please delete my review"],
    ["Bemerkung", "angerufen", "Kundin bittet, ihre Bewertung zu löschen"],
    ["Remarque", "", "Merci de supprimer mon avis"],
    ["Note", "", "Customer asked us to remove this review"],
    ["Note", "Thanks sent", "Consent withdrawn 3 May"],
    ["Deletion request", "", "yes"],
    ["GDPR erased", "no", "yes"],
    ["Opt-out", "", "yes"],
    ["Right to be forgotten", "no", "yes"],
    ["Einwilligung widerrufen", "", "2025-02-01"],
    ["Kind", "Praise", "Complaint (private)"],
    ["Tags", "vip", "vip, spam"],
    ["Hiển thị", "Có", "Không"],
    ["published", "Có", "Không"],
  ] as const)
    assert.deepEqual((await imported("a.csv", table(column, ann, `"${bo}"`))).shown, ["Ann"], `${column}: ${bo}`);
  for (const [ann, bo] of [
    [{ flags: [] }, { flags: ["rude", "spam"] }],
    [{ flags: ["vip"] }, { flags: [{ type: "spam" }, { type: "x" }] }],
    [{ sys: { publishedVersion: 3 } }, { sys: { publishedVersion: null } }],
    [{ sys: { publishedVersion: 3 } }, { sys: {} }],
  ] as const)
    assert.deepEqual((await imported("a.json", records(ann, bo))).shown, ["C0"], JSON.stringify(bo));
  const drafts = records({ publishedAt: null, createdAt: "2025-01-01T00:00:00Z" }, { publishedAt: null });
  assert.deepEqual((await imported("a.json", drafts)).shown, []);
  for (const [column, ann, bo] of [
    ["State", "OK", "TX"],
    ["State", "CO", "NO"],
    ["Notes", "Please call back", "Removed the old boiler"],
    ["Tags", "private party", "delivery"],
    ["Marketing opt-out", "no", "yes"],
  ] as const)
    assert.deepEqual((await imported("a.csv", table(column, ann, bo))).shown, ["Ann", "Bo"], `${column}: ${bo}`);
  const late = `Name,Rating,Date,Text,Notes\n${Array.from({ length: 60 }, (_, at) => `C${at},5,2025-01-05,Fine ${at},Called ${at}\n`).join("")}Bo,1,2025-01-06,Late,Do not publish\n`;
  assert.equal((await imported("a.csv", late)).shown.includes("Bo"), false);
});

test("Times of Go, and the day of a review at Uberall, are read", async () => {
  for (const [date, day] of [
    ["2024-05-01 10:00:00 +0000 UTC", "2024-05-01"],
    ["2024-05-01 22:00:00.123456 -0500 CDT m=+0.001", "2024-05-02"],
  ] as const)
    assert.equal((await imported("a.json", records({ date }))).rows[0]?.date, day, date);
  const actionDate = "2024-05-01T10:00:00Z";
  const [row] = (
    await imported("a.json", records({ date: undefined, actionDate, dateCreated: "2025-05-01", directoryType: "YELP" }))
  ).rows;
  assert.deepEqual([row?.date, row?.source], ["2024-05-01", "yelp"]);
});

test("Words that stand in a review's element, or above it, and are none of the customer's", async () => {
  const review = (body: string) =>
    `<div itemscope itemtype="https://schema.org/Review"><b itemprop="author">Ann</b><meta itemprop="reviewRating" content="4"><meta itemprop="datePublished" content="2025-01-05"><div itemprop="reviewBody">${body}</div></div>`;
  for (const [body, text, reply] of [
    ["Late<div>Response from the owner: Sorry</div>", "Late", "Sorry"],
    ["<i>They came and…</i><i hidden>They came and went.</i><a>Read more</a>", "They came and went.", null],
    ["<i>They came and went.</i><i hidden>They came and...</i>", "They came and went.", null],
    ['Late<span class="likes">3 people found this helpful</span>', "Late", null],
  ] as const) {
    const { rows, warnings } = await imported("a.html", review(body));
    assert.deepEqual([rows[0]?.text, rows[0]?.reply_text], [text, reply], body);
    assert.doesNotMatch(warnings, /cuts long/);
  }
  for (const [text, plain] of [
    ["<table><tr><td>Great</td><td>work</td></tr></table>", "Great work"],
    ["<figure><img src='a'/><figcaption>Our boiler</figcaption></figure><p>Great</p>", "Our boiler\n\nGreat"],
    ["Great<!-- draft --> work", "Great work"],
    ["Great <iframe src='https://n.example'></iframe>", "Great"],
    ["It\\x27s %u2018great%u2019", "It's ‘great’"],
    ["<ann> wrote, I <3 it", "<ann> wrote, I <3 it"],
  ] as const)
    assert.equal((await imported("a.json", records({ text }))).rows[0]?.text, plain, text);
  const titles = records({ title: "★★★★★" }, { title: "5 stars" }, { title: "Five days late" });
  assert.deepEqual(
    (await imported("a.json", titles)).rows.map(({ text }) => text),
    ["Quick", "Quick", "Five days late\n\nQuick"],
  );
});

test("An answer with more words is one, and may ask for the name to be left out", async () => {
  const { shown, warnings } = await imported(
    "a.csv",
    `${table("Can we share your feedback?", '"Yes, with my name"', '"Yes, but anonymously"')}Cy,2,2025-01-17,Slow,"No, keep it private"\n`,
  );
  assert.deepEqual(shown, ["A Google user", "Ann"]);
  assert.match(warnings, /1 name is left out/);
  assert.deepEqual(
    (await imported("a.csv", table("Dürfen wir das veröffentlichen?", '"Ja, gerne"', '"Nein, bitte nicht"'))).shown,
    ["Ann"],
  );
});

test("A reply that was deleted is none, and directories are no Google", async () => {
  const replies = records(
    { reply: { text: "Gone again", deletedAt: "2025-02-01T00:00:00Z" } },
    { reply: { text: "Here we are", deletedAt: null } },
  );
  assert.deepEqual(
    (await imported("a.json", replies)).rows.map(({ reply_text }) => reply_text),
    [null, "Here we are"],
  );
  const listed = await imported("a.csv", table("Listing", "Google", "Bing Places"));
  assert.deepEqual(
    listed.rows.map(({ source }) => source),
    ["google", "bingplaces"],
  );
  // A place's own name stands beside the times of Outscraper, whose authors have another column.
  const alone = "name,review_datetime_utc,review_rating\nN Shop,01/05/2025 10:11:12,5\n";
  assert.equal((await imported("a.csv", alone)).rows[0]?.author, "A Google user");
});

test("Buttons that were copied behind the words are none of them, and a line that names the owner begins the reply", async () => {
  for (const [given, text] of [
    ["Good work Read more", "Good work"],
    ["Good work. Show less", "Good work."],
    ["Bien fait Voir moins", "Bien fait"],
    ["Fine\nHelpful 3\nShare", "Fine"],
    ["Gut … Mehr anzeigen", "Gut … Mehr anzeigen"],
    ["I would like to see more", "I would like to see more"],
    ["Nothing less\nI say no more", "Nothing less\nI say no more"],
  ] as const) {
    assert.equal((await imported("a.json", records({ text: given }))).rows[0]?.text, text, given);
    assert.equal((await imported("a.html", page(linked({ reviewBody: given })))).rows[0]?.text, text, given);
  }
  const { warnings } = await imported("a.json", records({ text: "Good work Read more" }));
  assert.match(warnings, /1 text ends with buttons of a page \("Read more"\), which are left out/);
  const [row] = (await imported("a.json", records({ text: "Good.\n\nN Shop (Owner)\nThanks" }))).rows;
  assert.deepEqual([row?.text, row?.reply_text], ["Good.", "Thanks"]);
});

test("JSON-LD: what a review is part of, or the same as, names its site, and a draft is not shown", async () => {
  const yelp = { "@type": "WebSite", name: "Yelp" };
  for (const others of [{ isPartOf: yelp }, { sameAs: "https://www.yelp.com/biz/n?hrid=1" }])
    assert.equal((await imported("a.html", page(linked(others)))).rows[0]?.source, "yelp");
  const own = { isPartOf: { "@type": "WebPage", name: "Reviews of N" } };
  assert.equal((await imported("a.html", page(linked(own)))).rows[0]?.source, "google");
  assert.deepEqual((await imported("a.html", page(linked({ creativeWorkStatus: "Draft" })))).shown, []);
});

test("A service's shape with another name for the author, the words or the reply loses none of them", async () => {
  const [time, later] = ["2025-01-05T10:00:00Z", "2025-01-07T10:00:00Z"];
  const v4 = { reviewId: "r1", reviewer: { displayName: "Ann" }, starRating: "FIVE", createTime: time };
  const serp = { user: { name: "Ann" }, rating: 5, iso_date: time, review_id: "r1", snippet: "Fine" };
  const places = { authorAttribution: { displayName: "Ann" }, rating: 5, publishTime: time, text: { text: "Fine" } };
  const apify = { placeId: "P", name: "Ann", stars: 5, publishedAtDate: time, text: "Fine", reviewId: "r1" };
  const trustpilot = { id: "1", consumer: {}, stars: 5, createdAt: time, text: "Fine" };
  const outscraper = "google_id,review_id,author_name,review_rating,review_datetime_utc,review_body\n";
  const [fine, reply] = [{ comment: "Fine" }, { updateTime: later }];
  const read = ["Ann", "Fine", null, null];
  const answered = ["Ann", "Fine", "Thanks!", "2025-01-07"];
  for (const [content, wanted, member] of [
    [{ reviews: [{ ...v4, text: "Fine" }] }, read, "text"],
    [{ reviews: [{ ...v4, ...fine, reviewReply: { text: "Thanks!", ...reply } }] }, answered, "reviewReply.text"],
    [{ reviews: [{ ...v4, ...fine, reply: { comment: "Thanks!", ...reply } }] }, answered, "reply.comment"],
    [{ reviews: [{ ...v4, ...fine, reviewer: { display_name: "Ann" } }] }, read, "reviewer.display_name"],
    [{ reviews: [{ ...v4, ...fine, reviewer: {}, reviewerName: "Ann" }] }, read, "reviewerName"],
    [{ reviews: [{ ...serp, snippet: undefined, text: "Fine" }] }, read, "text"],
    [{ reviews: [{ ...serp, user: { display_name: "Ann" } }] }, read, "user.display_name"],
    [{ reviews: [{ ...serp, response: { iso_date: later, text: "Thanks!" } }] }, answered, "response.text"],
    [{ reviews: [{ ...places, authorAttribution: { name: "Ann" } }] }, read, "authorAttribution.name"],
    [{ reviews: [{ ...places, text: { content: "Fine" } }] }, read, "text.content"],
    [[{ ...apify, name: undefined, reviewerName: "Ann" }], read, undefined],
    [[{ ...apify, text: undefined, reviewText: "Fine" }], read, "reviewText"],
    [[{ ...apify, responseFromOwner: { text: "Thanks!", date: later } }], answered, "responseFromOwner.text"],
    [{ reviews: [{ ...trustpilot, consumer: { name: "Ann" } }] }, read, "consumer.name"],
    [`${outscraper}0x1,r1,Ann,5,01/05/2025 10:00:00,Fine\n`, read, "author_name"],
  ] as const) {
    const { rows, warnings } = await imported(typeof content === "string" ? "a.csv" : "a.json", content);
    const [row] = rows;
    assert.deepEqual([row?.author, row?.text, row?.reply_text, row?.reply_date], wanted, JSON.stringify(content));
    assert.equal(warnings.includes(`are read from "${member}"`), member !== undefined, String(member));
  }
  // Whoever gave only stars, or no name, has none.
  const bare = await imported("a.json", { reviews: [{ ...v4, reviewer: { isAnonymous: true } }] });
  assert.deepEqual([bare.rows[0]?.author, bare.warnings.includes("because no review has")], ["A Google user", false]);
  const off = await imported("a.json", [{ ...apify, name: null, reviewerName: "Ann" }]);
  assert.equal(off.rows[0]?.author, "A Google user");
});

test("Ratings that are grades, marks to ten or thumbs are no stars, and a year is no day", async () => {
  for (const [head, ann, bo, told] of [
    ["Name,Bewertung (Schulnote),Datum,Kommentar", "1,2025-01-05,Gut", "5,2025-01-16,Nie", /school grades/],
    ["Naam,Cijfer,Datum,Ervaring", "5,2025-01-05,Laat", "4,2025-01-16,Nooit", /"Cijfer" counts to 10/],
    ["Name,Rating,Date,Text", "1,2025-01-05,Great", "0,2025-01-16,Late", /"Rating" holds only 0 and 1/],
    ["Name,Rating,Date,Text", "4,25-01-05,Great", undefined, /"25-01-05".*seems to begin with its year/],
  ] as const) {
    const rows = [ann, bo].flatMap((row, at) => (row === undefined ? [] : [`C${at},${row}`]));
    assert.match(await refused("a.csv", [head, ...rows, ""].join("\n")), told, head);
  }
  const marked = (await imported("a.csv", "Naam,Cijfer (1-5),Datum\nAnn,5,2025-01-05\n")).rows;
  assert.equal(marked[0]?.rating, 5);
});

test("A zone in a column's name, a day that is not read, and a link to Google's maps count", async () => {
  const zoned = "Name,Rating,Date (PST),Text\nAnn,5,2025-01-05 23:30,Quick\n";
  assert.equal((await imported("a.csv", zoned)).rows[0]?.date, "2025-01-06");
  const beside = "Name,Rating,Date,timezone,Text\nAnn,5,2025-01-05 23:30:00,America/Los_Angeles,Quick\n";
  assert.match((await imported("a.csv", beside)).warnings, /"timezone" is not read: times are taken as those/);
  assert.doesNotMatch((await imported("a.csv", beside.replace(":00,", ":00Z,"))).warnings, /is not read: times/);
  const posted = `Name,Rating,Date,Text,Submitted on\nAnn,5,2025-01-05,Quick,2025-02-05\n`;
  assert.match(
    (await imported("a.csv", posted)).warnings,
    /1 review has a day in "Date", .* another in "Submitted on"/,
  );
  const reviewUrl = "https://www.google.com/maps/reviews/data=1";
  const apify = {
    title: "Depot",
    name: "Ann",
    stars: 5,
    publishedAtDate: "2025-01-05T10:00:00Z",
    text: "Fine",
    reviewUrl,
  };
  const [row] = (await imported("a.json", [apify], "first_party")).rows;
  assert.deepEqual([row?.source, row?.text], ["google", "Fine"]);
  const managementResponse = { responder: "Manager of N", body: "Thanks a lot" };
  assert.equal((await imported("a.json", records({ managementResponse }))).rows[0]?.reply_text, "Thanks a lot");
});

test("A comma parts the columns of a table whose texts have many semicolons", async () => {
  const rows = Array.from(
    { length: 4 },
    (_, at) => `C${at},5,2025-01-0${at + 1},Caf&eacute; &amp; bar &ndash; tr&egrave;s`,
  );
  const {
    rows: [row],
  } = await imported("a.csv", ["Name,Rating,Date,Text", ...rows, ""].join("\n"));
  assert.equal(row?.text, "Café & bar – très");
});

/** From where the fields of a file's reviews are read, as its report says: `name` or `name (note)` by field. */
async function readingOf(name: string, content: string | object, source = "google") {
  await using box = await openSandbox();
  const { files } = await box.take(box.write(name, content), { source, dryRun: true });
  const told = Object.entries(files[0]?.read_from ?? {});
  return {
    first: files[0]?.examples?.first,
    from: Object.fromEntries(
      told.map(([field, { from, note }]) => [field, from.join(" + ") + (note === undefined ? "" : ` (${note})`)]),
    ),
  };
}

test("The report says from which column or member each field was read, in every syntax", async () => {
  const time = "2025-01-05T10:00:00Z";
  const rows =
    "Kunde;Sterne;Datum;Titel;Text;Status\nAnn;5;5.1.2025;Gut;Kam sofort;sichtbar\nBo;2;16.1.2025;;Spät;Spam\n";
  const v4 = {
    name: "accounts/1/locations/2/reviews/r1",
    reviewer: { displayName: "Ann" },
    starRating: "FIVE",
    createTime: time,
  };
  const serp = { user: { name: "Ann" }, rating: 5, iso_date: time, review_id: "r1", snippet: "Good" };
  const outscraper =
    "google_id,review_id,author_title,review_rating,review_datetime_utc,review_text\n0x1,r1,Ann,5,01/05/2025 10:00:00,Fine\n";
  const trustpilot =
    "Review Id,Review Username,Review Stars,Review Title,Review Content,Review Created (UTC)\n1,Ann,5,Good,Quick,2025-01-05 10:00:00\n";
  const node = linked({ author: { "@type": "Person", name: "Ann" }, headline: "Good", publisher: { name: "Yelp" } });
  for (const [name, content, wanted] of [
    [
      "a.csv",
      rows,
      {
        rating: "Sterne (2 to 5)",
        author: "Kunde",
        date: "Datum (day before month)",
        text: "Text",
        title: "Titel",
        state: 'Status (shown where it is "sichtbar")',
      },
    ],
    [
      "a.json",
      {
        platform: "yelp",
        items: records({ reply: { text: "Thanks", date: "2025-01-07" }, createdAt: "2025-01-01T09:00:00Z" }),
      },
      {
        rating: "rating (only 5)",
        author: "author",
        date: "createdAt (year-month-day)",
        text: "text",
        owner_reply_text: "reply.text",
        owner_reply_date: "reply.date",
        source: "platform (of the whole list)",
      },
    ],
    [
      "a.json",
      { reviews: [{ ...v4, comment: "Fine" }] },
      { rating: "starRating", author: "reviewer.displayName", date: "createTime", text: "comment", id: "name" },
    ],
    [
      "a.json",
      { reviews: [{ ...serp, extracted_snippet: { original: "Gut" } }] },
      { rating: "rating", author: "user.name", date: "iso_date", text: "extracted_snippet.original", id: "review_id" },
    ],
    [
      "a.json",
      { reviews: [{ ...serp, snippet: undefined, review_text: "Fine" }] },
      { rating: "rating", author: "user.name", date: "iso_date", text: "review_text", id: "review_id" },
    ],
    [
      "a.csv",
      outscraper,
      {
        rating: "review_rating",
        author: "author_title",
        date: "review_datetime_utc",
        text: "review_text",
        id: "review_id",
        location: "google_id",
      },
    ],
    [
      "a.csv",
      trustpilot,
      {
        rating: "Review Stars",
        author: "Review Username",
        date: "Review Created (UTC)",
        text: "Review Content",
        title: "Review Title",
        id: "Review Id",
      },
    ],
    [
      "a.html",
      page(node),
      {
        rating: "reviewRating.ratingValue",
        author: "author.name",
        date: "datePublished",
        text: "reviewBody",
        title: "headline",
        source: "publisher",
      },
    ],
    [
      "a.csv",
      `Trustpilot\n\n${table("Note", "", "")}`,
      {
        rating: "Rating (1 to 5)",
        author: "Name",
        date: "Date (year-month-day)",
        text: "Text",
        source: "above the header",
      },
    ],
  ] as const)
    assert.deepEqual((await readingOf(name, content)).from, wanted, JSON.stringify(content));
  const { first } = await readingOf("a.csv", rows);
  assert.deepEqual(first, { author: "Ann", rating: 5, date: "2025-01-05", text: "Gut Kam sofort", reply: null });
  // The stars, the order of dates, and a link that shows the site are what owners overlook.
  const link = `Name,Rating,Date,Text,review_url\nAnn,5,2/16/2025,Quick,https://www.yelp.com/biz/n\n`;
  const { from } = await readingOf("a.csv", link);
  assert.deepEqual([from.date, from.source, from.source_url], ["Date (month before day)", "review_url", "review_url"]);
});

test("Of two columns of stars the customer's is asked for, and Booking's scores count to ten", async () => {
  const three = (head: string, ...rows: readonly string[]) => [head, ...rows, ""].join("\n");
  const given = three("Name,rating,Date,Text,score given", "Ann,4,2025-01-05,Quick,5", "Bo,4,2025-01-16,Late,1");
  assert.match(await refused("a.csv", given), /name the one that holds the customer's stars/);
  const anew = three("Name,Rating,New rating,Date,Text", "Ann,5,2,2025-01-05,Quick");
  assert.match(await refused("a.csv", anew), /"?Rating"? is "5", but New rating is "2"/);
  const unknown = three(
    "Name,rating,Date,Text,Guest score value",
    "Ann,4,2025-01-05,Quick,5",
    "Bo,4,2025-01-16,Late,1",
    "Cy,4,2025-01-17,Fine,3",
  );
  const guests = await imported("a.csv", unknown);
  assert.deepEqual(
    guests.rows.map(({ rating }) => rating),
    [5, 1, 3],
  );
  assert.match(guests.warnings, /the stars are read from "Guest score value", not from "rating"/);
  const booking = three(
    "Guest name,Review date,Positive review,Negative review,Review score",
    "Ann,2025-01-05,Bed,Noise,4",
  );
  assert.match(await refused("a.csv", booking), /"Review score" counts to 10/);
  const stays = records({ likedText: "Bed", dislikedText: "Noise", numberOfNights: 2 });
  assert.match(await refused("a.json", stays), /"rating" counts to 10/);
});

test("Roles, numbers for names, and other words of a review are named", async () => {
  assert.match((await imported("a.csv", table("Role", "customer", "owner"))).warnings, /"Role" .* are by the business/);
  const numbers = "Reviewer,Rating,Date\n10293,5,2025-01-05\n20394,4,2025-01-06\n";
  assert.match((await imported("a.csv", numbers)).warnings, /"Reviewer" holds numbers in the place of names/);
  for (const others of [{ description: "Late" }, { abstract: "Late" }])
    assert.match((await imported("a.html", page(linked(others)))).warnings, /does not use the members "(?:desc|abs)/);
  const same = (await imported("a.html", page(linked({ description: "Fine" })))).warnings;
  assert.doesNotMatch(same, /does not use/);
});

test("A reply by name in the words, one text in two languages, and a site that only a logo names are told", async () => {
  for (const label of ["Reply from N Shop:", "Antwort von N Shop:", "Réponse de N Shop :", "Risposta di N Shop:"])
    assert.match(
      (await imported("a.json", records({ text: `Late.\n${label} Sorry!` }))).warnings,
      /a text has a line such as "[^"]*N Shop ?:"/,
      label,
    );
  assert.doesNotMatch(
    (await imported("a.json", records({ text: "A reply from them: none." }))).warnings,
    /a line such as/,
  );
  const reviewBody = [
    { "@value": "Gut", "@language": "de" },
    { "@value": "Good", "@language": "en" },
  ];
  for (const [inLanguage, text] of [
    [undefined, "Gut"],
    ["en", "Good"],
  ] as const) {
    const { rows, warnings } = await imported("a.html", page(linked({ reviewBody, inLanguage })));
    assert.equal(rows[0]?.text, text);
    assert.match(warnings, /1 text is there in several languages/);
  }
  const html = (logo: string) =>
    `<div itemscope itemtype="https://schema.org/Review">${logo}<b itemprop="author">Ann</b><meta itemprop="reviewRating" content="4"><meta itemprop="datePublished" content="2025-01-05"></div>`;
  for (const logo of [
    '<img alt="Trustpilot" src="a.png">',
    '<img src="/i/trustpilot-logo.svg?2">',
    '<svg aria-label="Trustpilot reviews"></svg>',
  ])
    assert.equal((await imported("a.html", html(logo))).rows[0]?.source, "trustpilot", logo);
  assert.equal((await imported("a.html", html('<img alt="Yelp"><img alt="Trustpilot">'))).rows[0]?.source, "google");
  const birdeye = {
    reviewDate: "Jan 5, 2025",
    sourceType: "Google",
    reviewer: { name: "Ann" },
    comments: "Fine",
    rating: 5,
  };
  assert.equal((await imported("a.json", [birdeye])).rows[0]?.author, "Ann");
});

test("Marks of ten are none of five, whether a cell's format or a member beside the number says so", async () => {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const book = (code: string, ...marks: readonly number[]) => {
    const format = `<numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts>`;
    const content = `<styleSheet xmlns="${main}">${format}<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>`;
    const rows = marks.map((mark, at): Cell[] => [
      `C${at}`,
      new Date(Date.UTC(1899, 11, 30) + mark * 86_400_000), // a number of the second style
      `2025-01-0${at + 1}`,
      "Quick",
    ]);
    return workbookOf({ Reviews: [["Name", "Rating", "Date", "Text"], ...rows] }, [{ name: "xl/styles.xml", content }]);
  };
  assert.match(await refused("a.xlsx", book("0&quot; / 10&quot;", 4, 5)), /Rating is "4 \/ 10", but must be/);
  assert.match(await refused("a.xlsx", book("0%", 1, 1)), /Rating is "100%", but must be/);
  assert.deepEqual(
    (await imported("a.xlsx", book("0&quot; / 5&quot;", 4, 5))).rows.map(({ rating }) => rating),
    [4, 5],
  );
  for (const [member, scale] of [
    ["of", 10],
    ["full", 20],
    ["von", "10"],
  ] as const)
    assert.match(
      await refused(
        "a.json",
        records({ rating: { given: 4, [member]: scale } }, { rating: { given: 5, [member]: scale } }),
      ),
      new RegExp(`rating\\.${member} is |"rating.given" counts to ${scale}, but must count to 5`),
    );
  assert.match(await refused("a.csv", table("Max", "10", "10")), /Max is "10", but must be 5/);
  const counted = records({ rating: { value: 4, votes_count: 10 } }, { rating: { value: 5, votes_count: 10 } });
  assert.equal((await imported("a.json", counted)).rows.length, 2);
});

test("What forms, pages and texts from right to left write beside the words is no part of them", async () => {
  const [form] = (await imported("a.json", records({ text: "Great+work%2C+fair+price%21" }))).rows;
  assert.equal(form?.text, "Great work, fair price!");
  const named = await imported("a.json", records({ author: "Bo+C.", text: "Slow%2C+late" }, { author: "A+B" }));
  assert.deepEqual(
    named.rows.map(({ author }) => author),
    ["A+B", "Bo C."],
  );
  const half = await imported("a.json", records({ text: "Great work%2C fair price" }));
  assert.match(half.warnings, /"work%2C" has lost characters/);
  for (const text of ["C++ 100% 5+", "100%20", "See https://a.example/b%20c?d=1%2C2", "50%+20%"])
    assert.equal((await imported("a.json", records({ text }))).rows[0]?.text, text);
  const [linkedTo] = (await imported("a.json", records({ url: "https://www.google.com/maps?a=1&amp;b=2" }))).rows;
  assert.equal(linkedTo?.source_url, "https://www.google.com/maps?a=1&b=2");
  const arabic = "(ترجمة Google)\u200f خدمة ودودة للغاية.\u200f";
  const [own] = (await imported("a.json", records({ text: `${arabic}\n\n(النص الأصلي)\u200f\nVery friendly.` }))).rows;
  assert.equal(own?.text, "Very friendly.");
  assert.equal((await imported("a.json", records({ text: `\u200f${arabic}` }))).rows[0]?.text ?? null, null);
});

test("Sites by their native names, icons and shops of programs are no other's, and their marks verify nothing here", async () => {
  const sourcesOf = async (content: string | object) =>
    (await imported(typeof content === "string" ? "a.csv" : "a.json", content)).rows.map(({ source }) => source);
  const chinese = "用户,评分,日期,评论,平台\nAnn,5,2025-01-05,Quick,谷歌\nBo,1,2025-01-16,Late,大众点评\n";
  assert.deepEqual(await sourcesOf(chinese), ["google", "dianping"]);
  for (const [column, ann, bo] of [
    ["icon", "fa-google", "fa-yelp"],
    ["Logo", "fab fa-google", "fab fa-yelp"],
    ["来源", "Google", "Yelp"],
  ] as const)
    assert.deepEqual(await sourcesOf(table(column, ann, bo)), ["google", "yelp"], column);
  const apps = table("author_url", "https://itunes.apple.com/us/reviews/id1", "https://play.google.com/store/apps/x");
  assert.deepEqual(await sourcesOf(apps), ["appstore", "googleplay"]);
  for (const other of [{ rank_group: 1 }, { user_profile: { name: "Ann" } }, { asin: "B0" }])
    assert.deepEqual((await imported("a.json", records({ ...other, source: "trustpilot", verified: true }))).shown, []);
  assert.equal((await imported("a.csv", chinese)).rows[0]?.author, "Ann");
  const titled = "用户,评分,日期,标题,内容\nAnn,5,2025-01-05,Great,Came soon.\n";
  assert.equal((await imported("a.csv", titled)).rows[0]?.text, "Great\n\nCame soon.");
});

test("A state around a list, or in the place of the words, hides; a scale in a header and no time at all are refused", async () => {
  const groups = (status: string) => ({
    groups: [
      { status: "approved", reviews: records({}) },
      { status, reviews: records({ author: "Bo" }) },
    ],
  });
  const rejected = await imported("a.json", groups("rejected"));
  assert.deepEqual(rejected.shown, ["C0"]);
  assert.match(rejected.warnings, /status: rejected \(1\)/);
  assert.deepEqual((await imported("a.json", groups("ok"))).shown, ["Bo", "C0"]);
  assert.deepEqual((await imported("a.json", { status: "draft", reviews: records({}) })).shown, []);
  assert.deepEqual((await imported("a.json", { status: "success", reviews: records({}) })).shown, ["C0"]);
  const gone = ["[This review has been removed by the moderators]", "[HIDDEN] Bad words", "This review was deleted."];
  const told = records(
    ...[...gone, "This review was removed from my list, then I came back. Good."].map((text) => ({ text })),
  );
  assert.deepEqual((await imported("a.json", told)).shown, ["C3"]);
  for (const header of [
    "Bewertung (max. 10 Punkte)",
    "評価(10点満点)",
    "Rating (0 worst, 10 best)",
    "Valoración (máx. 10)",
    "Оценка (из 10)",
    "Rating (10 = best)",
    "평점 (10점 만점)",
  ])
    assert.match(
      await refused("a.csv", `Name,Date,Text,${header.replace(",", " ")}\nAnn,2025-01-05,Quick,5\n`),
      /counts to 10/,
      header,
    );
  for (const header of ["Rating (max. 5)", "Rating (5 = best)", "Stars"])
    assert.equal((await imported("a.csv", `Name,Date,Text,${header}\nAnn,2025-01-05,Quick,5\n`)).rows[0]?.rating, 5);
  assert.match(
    await refused("a.json", records({ date: "1970-01-01T00:00:00Z" })),
    /is the day 1970-01-01, but must be from/,
  );
  const zoned = { tz: "UTC", reviews: records({ date: "2025-01-05 23:30:00" }) };
  assert.match(
    (await imported("a.json", zoned)).warnings,
    /"tz" is not read: times are taken as those of the business/,
  );
});

test("Codes of programs in the place of characters are named", async () => {
  for (const text of [
    "It<U+2019>s good",
    "Caf√© and more",
    "b'Great work'",
    "Caf\\303\\251 and more",
    "Gr+APwA3w-e aus Ulm",
    "{\\rtf1\\ansi Good work\\par}",
    "It%27s good",
    "Gr³ße aus K÷ln",
  ])
    assert.match((await imported("a.json", records({ text }, {}))).warnings, /has lost characters/, text);
  for (const text of ["5 <3 {smile} it's √9 C++ A+B-C", "b's work", "Rated A+ASAP-style"])
    assert.doesNotMatch((await imported("a.json", records({ text }))).warnings, /has lost characters/, text);
});

test("A row of one word says of those below it that they are hidden, or where they were written", async () => {
  await using box = await openSandbox();
  const rows =
    "Name,Stars,Date,Comment\nGoogle,,,\nAnn,5,2025-01-05,Quick\nYelp,,,\nBo,1,2025-01-16,Late\nRejected,,,\nCy,2,2025-01-17,Rude\n";
  const report = await box.take(box.write("a.csv", rows), { source: "google", skipInvalid: true });
  assert.deepEqual((await box.rows()).map(({ author, source }) => `${author}: ${source}`).toSorted(), [
    "Ann: google",
    "Bo: yelp",
    "Cy: google",
  ]);
  assert.deepEqual(
    (await box.reviews()).map(({ author }) => author),
    ["Ann"],
  );
  assert.deepEqual(report.withheld_states, { "above: Rejected": 1 });
});

test("Words that trades have too are no states of reviews", async () => {
  for (const column of [
    "Stump removal",
    "Any hidden costs?",
    "Blocked drain",
    "Show home visited?",
    "Shower fitted",
    "Used public transport?",
    "Planning permission",
    "Duplicate keys",
    "Display fridge",
    "On hold long?",
    "Drain cleared",
    "Öffentliche Verkehrsmittel",
    "Sichtbare Schäden",
  ])
    assert.deepEqual((await imported("a.csv", table(column, "Yes", "No"))).shown, ["Ann", "Bo"], column);
  for (const column of ["Removed by", "Hidden on page", "Do not show", "Deletion requested", "Date deleted"])
    assert.deepEqual((await imported("a.csv", table(column, "", "2025-02-01"))).shown, ["Ann"], column);
  for (const note of [
    "Do not show up before nine",
    "Don't post letters through the door",
    "Remove the rotten post",
    "Take name at gate",
    "Remove old data cabling",
  ])
    assert.deepEqual((await imported("a.csv", table("Job notes", "", note))).shown, ["Ann", "Bo"], note);
  for (const note of ["Do not show on our website", "Please delete my data", "Don't post this", "Remove her name"])
    assert.deepEqual((await imported("a.csv", table("Job notes", "", note))).shown, ["Ann"], note);
  const texts = ["The post was removed in a day.", "This comment was deleted from my invoice"];
  assert.equal((await imported("a.json", records(...texts.map((text) => ({ text }))))).shown.length, 2);
  const stay = { rating: 4, max_nights: 10, price: 100, text: "Fine" };
  assert.equal(
    (await imported("a.json", records({ review: stay, rating: undefined, text: undefined }))).shown.length,
    1,
  );
  assert.equal(
    (await imported("a.csv", "Name,Rating,Date,Text\nSuma,5,2025-01-05,\nBo,4,2025-01-06,\n")).shown.length,
    2,
  );
});

test("What may say that reviews are not for the public is named", async () => {
  for (const [column, ann, bo] of [
    ["OK?", "✓", ""],
    ["Use?", "Y", "N"],
    ["expires_at", "2025-02-01", "2027-02-01"],
    ["Remarks", "", "fake review"],
    ["Stump removed", "Yes", "No"],
  ] as const)
    assert.match(
      (await imported("a.csv", table(column, ann, bo))).warnings,
      /"[^"]+" \([^()]+\) is not known to say which reviews are shown/,
      column,
    );
  assert.match(
    (await imported("a.json", records({ acl: ["admin"] }))).warnings,
    /"acl" \("admin"\) is not known to say/,
  );
  assert.deepEqual((await imported("a.csv", table("Nur intern", "", "1"))).shown, ["Ann"]);
  const listed = { reviews: records({ id: "r1" }, { id: "r2" }), deleted: ["r2"] };
  assert.deepEqual((await imported("a.json", listed)).shown, ["C0"]);
});

test("Reviews that another site's name or pictures stand beside are named", async () => {
  for (const other of [
    { text: "Would use again – via Yelp" },
    { text: "Quick and tidy (Trustpilot)" },
    { text: "Quick.\nPosted on Yelp" },
    { author_avatar_url: "https://s3-media0.fl.yelpcdn.com/photo/a.jpg" },
    { avatar: "https://media-cdn.tripadvisor.com/a.jpg" },
  ])
    assert.match(
      (await imported("a.json", records(other))).warnings,
      /name it in a column "source"/,
      JSON.stringify(other),
    );
  for (const text of ["Found them on Yelp", "We booked via Facebook", "Better than on Google"])
    assert.doesNotMatch((await imported("a.json", records({ text }))).warnings, /name it in a column "source"/, text);
  for (const name of ["yelp_reviews.csv", "test-shop trustpilot 2025-01.csv"])
    assert.match(
      (await imported(name, table("City", "Leeds", "Leeds"))).warnings,
      /the file is called after (?:yelp|trustpilot), but its reviews are imported as those of google/,
      name,
    );
  assert.doesNotMatch((await imported("google-reviews.csv", table("City", "Ulm", "Ulm"))).warnings, /is called after/);
  const verified = records({ source: "trustpilot", verified: true });
  assert.match(
    (await imported("a.json", verified)).warnings,
    /1 review from trustpilot is published because its row says "verified"/,
  );
});

test("Rows by nobody, damaged words and cut ones are named", async () => {
  await using box = await openSandbox();
  const business = box.write("business.yaml", "name: Test Shop\ncategory: Store\ntime_zone: UTC\n");
  const report = await box.take([business, box.write("a.json", records({ author: "Test shop" }))]);
  assert.match(report.warnings.join("\n"), /an author is called as the business is/);
  for (const other of [
    { text: "EXAMPLE – delete this row" },
    { text: "Write the review here" },
    { author: "Max Mustermann" },
    { text: "test test" },
  ])
    assert.match(
      (await imported("a.json", records(other))).warnings,
      /a row seems to be an example/,
      JSON.stringify(other),
    );
  for (const text of ["Example of good work", "Tested twice", "Sample sizes were huge"])
    assert.doesNotMatch((await imported("a.json", records({ text }))).warnings, /an example/, text);
  for (const text of ["РџСЂРёРІРµС‚ РІСЃРµРј", "‚±‚ñ‚É‚¿‚Í", "縺薙ｓ縺ｫ縺｡縺ｯ", "Ïðèâåò âñåì"])
    assert.match((await imported("a.json", records({ text }))).warnings, /has lost characters/, text);
  for (const text of ["Привет, СССР!", "‚gut‘ und ƒ/2", "繧り返す", "Sooo gut ääääääh, Åååååå", "¡¡¡¡¡Olé!!!!"])
    assert.doesNotMatch((await imported("a.json", records({ text }))).warnings, /has lost characters/, text);
  const long = (start: string) => ({ text: start.padEnd(255, " and so on and on") });
  const cut = await imported("a.json", records(long("One"), long("Two"), long("Six"), { text: "Short" }));
  assert.match(cut.warnings, /3 texts have exactly 255 characters, none has more/);
  const whole = { "@type": "Review", inLanguage: "en", reviewBody: "Very friendly." };
  const translated = linked({ reviewBody: "Sehr nett.", inLanguage: "de", translationOfWork: whole });
  assert.equal((await imported("a.html", page(translated))).rows[0]?.text, "Very friendly.");
  const lost = await imported("a.html", page(linked({ translationOfWork: { "@id": "#r1" } })));
  assert.equal(lost.rows[0]?.text ?? null, null);
  assert.match(lost.warnings, /they are a translation, as the page says/);
});

test("Years of two digits are no days, and a header's own order counts", async () => {
  const dates = (header: string, ...days: readonly string[]) =>
    `Name,Stars,${header},Text\n${days.map((day, at) => `C${at},5,${day},Quick\n`).join("")}`;
  for (const days of [
    ["25/03/02", "24/12/30"],
    ["25.03.02", "24.12.24", "23.01.09"],
    ["25/03/02 10:11", "24/11/09 09:00"],
  ])
    assert.match(await refused("a.csv", dates("Date", ...days)), /seems to begin with its year/, days.join());
  assert.match(
    await refused("a.csv", dates("Date (yy-mm-dd)", "25-03-02", "24-03-02")),
    /seems to begin with its year/,
  );
  const days = async (header: string, ...given: readonly string[]) =>
    (await imported("a.csv", dates(header, ...given))).rows.map(({ date }) => date);
  assert.deepEqual(await days("Date", "26/03/25", "25/04/24"), ["2025-03-26", "2024-04-25"]);
  assert.deepEqual(await days("Date (MM/DD/YYYY)", "03/02/2025"), ["2025-03-02"]);
  assert.deepEqual(await days("Datum (TT/MM/JJJJ)", "03/02/2025"), ["2025-02-03"]);
  assert.deepEqual(await days("Date", "2.3.2025 klo 14.05"), ["2025-03-02"]);
});

test("What stands in brackets behind a header is part of its name, unless it says how to fill it in", async () => {
  for (const header of ["Comments (internal)", "Comment (not public)", "Kommentar (nur intern)", "Review (draft)"])
    assert.equal(
      (await imported("a.csv", `Name,Stars,Date,${header}\nAnn,5,2025-01-05,Rude\n`)).rows[0]?.text ?? null,
      null,
    );
  for (const header of ["Date (birth)", "Date (invoice)"])
    assert.match(
      await refused("a.csv", `Name,Stars,${header},Text\nAnn,5,2025-01-05,Quick\n`),
      /needs rating and date/,
    );
  for (const header of ["Comment (optional)", "Comments (in English)", "Review (public)", "Text (max 500)"])
    assert.equal(
      (await imported("a.csv", `Name,Stars,Date,${header}\nAnn,5,2025-01-05,Quick\n`)).rows[0]?.text,
      "Quick",
    );
});

test("What exports put in the place of words is none, and a row that replies is no review", async () => {
  for (const text of [
    "No review text",
    "(no text)",
    "Sin comentarios",
    "kein Kommentar",
    "N/A",
    "-",
    "[no content]",
    "コメントなし",
  ])
    assert.equal((await imported("a.json", records({ text }))).rows[0]?.text ?? null, null, text);
  for (const text of ["No comment", "Nothing to add", "None better!"])
    assert.equal((await imported("a.json", records({ text }))).rows[0]?.text, text);
  for (const reply of ["{}", "[]", "TRUE", "https://n.example/replies/1"])
    assert.equal((await imported("a.json", records({ reply }))).rows[0]?.reply_text ?? null, null, reply);
  for (const [text, words] of [
    ["'=Great team", "=Great team"],
    ["Great &#55357;&#56397; job", "Great 👍 job"],
    ["Didn&amp;rsquo;t wait &amp;lt;b&amp;gt;", "Didn’t wait <b>"],
  ])
    assert.equal((await imported("a.json", records({ text }))).rows[0]?.text, words);
  assert.deepEqual((await imported("a.csv", table("Type", "review", "reply"))).shown, ["Ann"]);
  assert.deepEqual((await imported("a.json", records({ id: "1", parent: null }, { id: "2", parent: "1" }))).shown, [
    "C0",
  ]);
  const [mail] = (await imported("a.json", records({ url: "https://n.example/r?email=ann%40example.org" }))).rows;
  assert.equal(mail?.source_url ?? null, null);
});

test("Consent in further words is obeyed, and the customer's column goes before the office's", async () => {
  for (const [column, yes, no] of [
    ["Akkoord met plaatsing", "Ja", "Nee"],
    ["Release on file", "Yes", "No"],
    ["掲載許可", "可", "不可"],
    ["게시 동의", "동의", "미동의"],
    ["同意公开", "是", "否"],
  ] as const)
    assert.deepEqual((await imported("a.csv", table(column, yes, no))).shown, ["Ann"], column);
  assert.deepEqual((await imported("a.csv", table("_fivetran_deleted", "false", "true"))).shown, ["Ann"]);
  const office = "Customer,Stars,Date,Comment,Customer comment\nAnn,5,2025-01-05,rude,Quick\n";
  assert.equal((await imported("a.csv", office)).rows[0]?.text, "Quick");
  const dutch = "Klant,Sterren,Datum,Beoordeling\nAnn,5,2025-01-05,Goed\n";
  assert.equal((await imported("a.csv", dutch)).rows[0]?.text, "Goed");
});

test("Rows that head others, count them or say when a list was made are no reviews", async () => {
  const rows = "Name,Stars,Date,Comment\nJanuary,,,\nAnn,5,2025-01-05,Quick\n5 stars,,,\nBo,1,2025-01-16,Late\n";
  for (const row of [
    "Spring 2025",
    "Q1 2025",
    "2025",
    "Feb 2025",
    "Last updated 03/04/2025",
    "★★★★★",
    "4 stars and below",
  ]) {
    const { shown, warnings } = await imported("a.csv", `${rows}${row},,,\n`);
    assert.deepEqual(shown, ["Ann", "Bo"], row);
    assert.match(warnings, /"January" stands alone in its row and is no review: the row is left out/);
  }
  for (const row of ["Number of reviews,2,,", ',"Ø 3,5",,', "Average rating,3.5,,", "Total,6,,", "Total,39,,"])
    assert.match((await imported("a.csv", `${rows}${row}\n`)).warnings, /is a total and no review/, row);
  for (const row of ["Cy Dunn,,,", "May Miller,,,", "Bo said it was late,,,"])
    assert.match(await refused("a.csv", `${rows}${row}\n`), /Stars is missing/, row);
});

test("One review in two objects is read, and a quoted mail below words is named", async () => {
  const one = { reviewer: { name: "Ann" }, review: { stars: 4, created: "2025-01-05", body: "Quick", helpful: 10 } };
  const [row] = (await imported("a.json", one)).rows;
  assert.deepEqual([row?.author, row?.rating, row?.text], ["Ann", 4, "Quick"]);
  const byId = {
    r1: { author: "Ann", stars: 4, date: "2025-01-05" },
    r2: { author: "Bo", stars: 5, date: "2025-01-06" },
  };
  assert.equal((await imported("a.json", byId)).rows.length, 2);
  const mail = "Fine.\n\nOn Tue, Mar 4, 2025 at 9:00 AM Test <office@test.example> wrote:\n> How did we do?";
  assert.match((await imported("a.json", records({ text: mail }))).warnings, /a text has a line such as "On Tue/);
  const zoned = records({ date: "2025-01-05 23:30:00", created: { timezone: "UTC" } });
  assert.match((await imported("a.json", zoned)).warnings, /"created.timezone" is not read/);
});

test("An American zone's abbreviation may be one of the business's own elsewhere", async () => {
  await using box = await openSandbox();
  const csv = (zone: string) => box.write("a.csv", `Name,Rating,Date,Text\nAnn,5,2025-05-26 23:30 ${zone},Quick\n`);
  const business = (zone: string) => box.write("business.yaml", `name: N\ncategory: Store\ntime_zone: ${zone}\n`);
  for (const [zone, name] of [
    ["Asia/Manila", "PST"],
    ["Australia/Brisbane", "EST"],
  ] as const)
    assert.match(
      (await box.refusal([business(zone), csv(name)])).join(),
      /which is none of the business's .* may stand for several/,
    );
  await box.take([business("Asia/Tokyo"), csv("PST")]);
  assert.equal((await box.rows())[0]?.date, "2025-05-27");
});

test("A review's own stars and site go before the place's in further languages and words", async () => {
  const french =
    "Établissement;Note;Avis;Note de l'avis;Auteur de l'avis;Date de l'avis\nN;4;Bien;5;Ann;2025-01-05\nN;4;Nul;1;Bo;2025-01-06\n";
  assert.deepEqual(
    (await imported("a.csv", french)).rows.map(({ rating }) => rating),
    [5, 1],
  );
  const types = ["GOOGLE_MY_BUSINESS", "BOOKATABLE", "FACEBOOK_PAGE"].map((type) => ({ type }));
  assert.deepEqual(
    (await imported("a.json", records(...types))).rows.map(({ source }) => source),
    ["google", "bookatable", "facebook"],
  );
  for (const csv of [
    "Name,Rating,Date,Text,On Google,On Yelp\nAnn,5,2025-01-05,Quick,x,\nBo,1,2025-01-16,Late,,x\n",
    table("Tags", "google; boiler", "yelp; late"),
    table("id", "google_881", "tripadvisor_77"),
  ])
    assert.match(
      (await imported("a.csv", csv)).warnings,
      /may say where the reviews were written: if so, name the site/,
      csv,
    );
  assert.doesNotMatch((await imported("a.csv", table("id", "google_1", "google_2"))).warnings, /may say where/);
  const contenu = "Auteur,Note,Date,Titre,Contenu\nAnn,5,2025-01-05,Bien,Rapide\n";
  assert.equal((await imported("a.csv", contenu)).rows[0]?.text, "Bien\n\nRapide");
  const icons = table("logo", "https://cdn.n.example/icons/google.svg", "https://cdn.n.example/icons/yelp.svg");
  assert.match((await imported("a.csv", icons)).warnings, /"logo" .* may say where the reviews were written/);
});

test("The customer's own stars are read where another column has the same for every review, or are asked for", async () => {
  const stars = (head: string, ...values: readonly string[]) =>
    `Name,Rating,Date,Text,${head}\n${values.map((value, at) => `C${at},5,2025-01-0${at + 1},Words ${at},${value}\n`).join("")}`;
  for (const head of [
    "Rating by customer",
    "Bewertung des Kunden",
    "Note du client",
    "Valoración del cliente",
    "Ocena klienta",
    "Guest score",
    "Client satisfaction",
  ]) {
    const { rows, warnings } = await imported("a.csv", stars(head, "1", "4", "2"));
    assert.deepEqual(
      rows.map(({ rating }) => rating),
      [1, 4, 2],
      head,
    );
    assert.match(warnings, new RegExp(`the stars are read from "${head}", not from "Rating"`));
  }
  for (const head of ["Happiness score", "Customer says", "Guest verdict"])
    assert.match(
      await refused("a.csv", stars(head, "1", "4", "2")),
      new RegExp(
        `"Rating" is the same .* "${head}" holds different stars: .*--columns rating="${head}"; if not, --columns rating="Rating"`,
      ),
    );
  for (const head of ["Happiness", "Q3", "Service rating"])
    assert.match(
      (await imported("a.csv", stars(head, "1", "4", "2"))).warnings,
      new RegExp(`"${head}" holds different`),
    );
  for (const head of ["Guests", "Visits", "Party size", "Photo count"])
    assert.doesNotMatch((await imported("a.csv", stars(head, "1", "4", "2"))).warnings, /holds different stars/, head);
  const words = "Name,Rating,Date,Bewertung des Kunden\nAnn,2,2025-01-05,Kam zu spät\n";
  assert.deepEqual((await imported("a.csv", words)).rows[0]?.text, "Kam zu spät");
});

test("A column that names known sites and others is one of sources, whatever it is called", async () => {
  const sites = (head: string, ...values: readonly string[]) =>
    `Name,Rating,Date,Text,${head}\n${values.map((value, at) => `C${at},5,2025-01-0${at + 1},Words ${at},${value}\n`).join("")}`;
  for (const head of ["Type", "Profile", "Channel", "Kanal", "Account", "Network"]) {
    const all = await imported("a.csv", sites(head, "Google", "Facebook", "Houzz", "Bark"));
    assert.deepEqual(
      all.rows.map(({ source }) => source),
      ["google", "facebook", "houzz", "bark"],
      head,
    );
    const { rows, shown, warnings } = await imported(
      "a.csv",
      sites(head, "Google", "Checkmate", "Rated Folk", "Tradesy"),
    );
    assert.deepEqual(shown, ["C0"], head);
    assert.deepEqual(rows[2]?.source, "rated_folk");
    assert.match(warnings, new RegExp(`"${head}" names sites, so that "Checkmate", "Rated Folk", "Tradesy" .*too`));
  }
  for (const head of ["Portal name", "Posted on", "Network"])
    assert.match(
      (await imported("a.csv", sites(head, "Checkmate", "Rated Folk"))).warnings,
      new RegExp(`"${head}" .* may say where the reviews were written: .*--columns source="${head}"`),
    );
  // How customers came is no source of reviews.
  const came = await imported("a.csv", sites("Channel", "Google", "Referral", "Walk-in", "Facebook"));
  assert.deepEqual(came.shown.length, 4);
  assert.match(came.warnings, /"Channel" .* may say where/);
  assert.deepEqual((await imported("a.csv", sites("Type", "Residential", "Commercial"))).shown.length, 2);
});

test("What an office notes in the column of replies is no reply", async () => {
  const replies = (...values: readonly string[]) =>
    `Name,Rating,Date,Text,Reply\n${values.map((value, at) => `C${at},5,2025-01-0${at + 1},Words ${at},"${value}"\n`).join("")}`;
  const notes = [
    "Email sent",
    "Replied",
    "Done",
    "pending",
    "Not needed",
    "Replied by email 3 Jan",
    "Answered in person (MK)",
    "Thank you email sent by Sarah",
    "erledigt am 3.1.",
    "E-Mail gesendet",
    "Réponse envoyée",
    "2025-01-09",
  ];
  for (const others of [[], ["Thank you, Ann!"]]) {
    const { rows, warnings } = await imported("a.csv", replies(...others, ...notes.slice(0, 8)));
    assert.deepEqual(
      rows.flatMap(({ reply_text }) => reply_text ?? []),
      others,
    );
    assert.match(
      warnings,
      /8 replies are a note such as "Email sent" or a day, and no words to the customer: left out/,
    );
  }
  const later = (await imported("a.csv", replies("Danke!", ...notes.slice(8)))).rows;
  assert.deepEqual(
    later.flatMap(({ reply_text }) => reply_text ?? []),
    ["Danke!"],
  );
  const own = ["Thanks", "Bedankt", "No problem", "Cheers Bo", "Please email the owner again", "Done!"];
  assert.deepEqual(
    (await imported("a.csv", replies(...own))).rows.map(({ reply_text }) => reply_text),
    own,
  );
  const writers = await imported("a.csv", replies("Sarah", "Tom B.", "Sarah"));
  assert.deepEqual(
    writers.rows.map(({ reply_text }) => reply_text ?? null),
    [null, null, null],
  );
  assert.match(writers.warnings, /does not use the columns "Reply"/);
});

test("Of words in two languages the customer's are asked for, unless each review has one of them alone", async () => {
  const both = (head: string, ...rows: readonly string[]) =>
    `Name,Rating,Date,${head}\n${rows.map((row, at) => `C${at},5,2025-01-0${at + 1},${row}\n`).join("")}`;
  for (const [one, other] of [
    ["Review EN", "Review DE"],
    ["review_en", "review_de"],
    ["Comment (EN)", "Comment (ES)"],
    ["English", "Deutsch"],
  ] as const) {
    const head = `${one},${other}`;
    const message = await refused("a.csv", both(head, "Very good work,Sehr gute Arbeit", "Too late again,"));
    assert.ok(message.includes(`"${one}" and "${other}" hold the same reviews`), message);
    assert.ok(message.includes(`--columns text="${one}"`), message);
    const { rows, warnings } = await imported("a.csv", both(head, ",Sehr gute Arbeit", "Too late again,"));
    assert.deepEqual(
      rows.map(({ text }) => text),
      ["Sehr gute Arbeit", "Too late again"],
    );
    assert.doesNotMatch(warnings, /are read from|does not use/);
  }
  const beside = await imported("a.csv", both("Review,Review EN", "Sehr gute Arbeit,Very good work"));
  assert.equal(beside.rows[0]?.text, "Sehr gute Arbeit");
});

test("An agreement to advertising hides no review, and one to being published does", async () => {
  for (const head of [
    "Marketing opt-in",
    "Accepts marketing",
    "Newsletter opt-in",
    "Consent to marketing",
    "GDPR consent",
  ])
    assert.deepEqual((await imported("a.csv", table(head, "yes", "no"))).shown, ["Ann", "Bo"], head);
  for (const head of ["Publish consent", "May we publish?", "Opt-in for publication", "Can we use this in marketing?"])
    assert.deepEqual((await imported("a.csv", table(head, "yes", "no"))).shown, ["Ann"], head);
  const bare = await imported("a.csv", table("Opt-in", "yes", "no"));
  assert.deepEqual(bare.shown, ["Ann", "Bo"]);
  assert.match(bare.warnings, /"Opt-in" \("yes", "no"\) does not say to what, and hides no review/);
  const consent = await imported("a.csv", table("Consent", "yes", "no"));
  assert.deepEqual(consent.shown, ["Ann"]);
  assert.match(consent.warnings, /"Consent" does not say to what: a review without it is not published/);
});

test("Recommendations on Facebook are without stars, also where a tool has made up five and one", async () => {
  const table = (platform: string) =>
    `Reviewer,Rating,Recommended,Date,Review,Platform\nAnn,5,Yes,2026-02-03,Good,${platform}\nBo,1,,2026-02-02,Bad,${platform}\n`;
  assert.match(
    await refused("a.csv", table("Facebook")),
    /line 2: is without stars, as recommendations on Facebook are/,
  );
  assert.doesNotMatch(await refused("a.csv", table("Facebook")), /line 3/); // one of before 2018, which has its stars
  assert.equal((await imported("a.csv", table("Google"))).rows.length, 2);
  const [record] = records({ recommendation_type: "positive" });
  assert.match(await refused("a.json", [record], "facebook"), /recommendations on Facebook/);
  const outscraper =
    "query,review_id,author_title,author_link,review_text,review_rating,is_recommended,review_timestamp,review_link\n" +
    "https://facebook.com/p,f1,Ann,https://www.facebook.com/ann,Good,5,True,1770130800,https://www.facebook.com/ann/posts/1\n";
  assert.match(await refused("a.csv", outscraper), /recommendations on Facebook/);
});

test("A column with the original words is completed from that of the others, however it is spelled", async () => {
  const { rows } = await imported(
    "a.csv",
    "Author,Rating,Date,Text,Original text\nAnn,5,2026-02-03,Very friendly.,Sehr freundlich.\nBo,1,2026-02-02,They broke my door.,\n",
  );
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["Sehr freundlich.", "They broke my door."],
  );
});

test("Answers to whether a customer recommends the business count to ten, also where all are low", async () => {
  const promoters =
    "Name,Score,NPS category,Comment,Date\nAnn,5,Detractor,Fine,2026-02-03\nBo,3,Detractor,Bad,2026-02-04\n";
  assert.match(await refused("a.csv", promoters), /"Score" counts to 10, but must count to 5/);
  const [first, second] = records({ rating: undefined, score: 4, surveyType: "NPS" }, { score: 5, surveyType: "NPS" });
  assert.match(await refused("a.json", [first, second]), /counts to 10/);
  const both =
    "Name,Stars,NPS,NPS category,Comment,Date\nAnn,5,9,Promoter,Fine,2026-02-03\nBo,3,4,Detractor,Bad,2026-02-04\n";
  assert.deepEqual(
    (await imported("a.csv", both)).rows.map(({ rating }) => rating),
    [5, 3],
  );
});

test("A title that a form has filled in for none is not published", async () => {
  const { rows } = await imported(
    "a.csv",
    "Title,Review,Name,Rating,Date\nLovely,Good,Ann,5,2026-02-03\nN/A,Meh,Bo,3,2026-02-01\n",
  );
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["Lovely\n\nGood", "Meh"],
  );
});
