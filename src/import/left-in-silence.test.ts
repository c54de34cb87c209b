/** What files hold besides that what is read, and was passed over without a word. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { imported, refused } from "../../test/support/imported-file.ts";
import { workbookOf, workbookWith } from "../../test/support/workbook-writer.ts";

const TYPES = 'itemscope itemtype="https://schema.org/';
const STARS = `<span itemprop="reviewRating" ${TYPES}Rating"><meta itemprop="ratingValue" content="2"></span><meta itemprop="datePublished" content="2026-01-05">`;

test("Words for browsers without scripts, pictures and fields of forms are no words of a review", async () => {
  const body =
    "Cold <noscript>Enable scripts</noscript><svg><title>thumb</title><text>9</text></svg>food<textarea>Reply</textarea>.";
  const page = `<div ${TYPES}LocalBusiness"><span itemprop="name">N</span><div itemprop="review" ${TYPES}Review"><span itemprop="author">Ann</span>${STARS}<p itemprop="reviewBody">${body}</p></div></div>`;
  assert.equal((await imported("a.html", page)).rows[0]?.text, "Cold food.");
});

test("A reply that is marked up with the review's own properties is the business's, and other authors' words are left out", async () => {
  const page = (by: string) =>
    `<div ${TYPES}LocalBusiness"><span itemprop="name">Corner</span><div itemprop="review" ${TYPES}Review"><span itemprop="author">Ann</span>${STARS}<p itemprop="reviewBody">Cold.</p><div><b itemprop="author">${by}</b><p itemprop="reviewBody">Sorry, Ann.</p></div></div></div>`;
  const own = await imported("a.html", page("Corner"));
  assert.deepEqual([own.rows[0]?.text, own.rows[0]?.reply_text], ["Cold.", "Sorry, Ann."]);
  const other = await imported("a.html", page("Zed"));
  assert.deepEqual([other.rows[0]?.text, other.rows[0]?.reply_text], ["Cold.", null]);
  assert.match(
    other.warnings,
    /1 review holds words of further authors: those of the first are read, the others' left out/,
  );
});

test("RDFa may have a prefix of its own for schema.org", async () => {
  for (const declared of [
    'prefix="s: https://schema.org/"',
    'xmlns:s="http://schema.org/"',
    'prefix="og: https://ogp.me/ns# s: https://schema.org/"',
  ]) {
    const page = `<div ${declared} typeof="s:LocalBusiness"><b property="s:name">N</b><div property="s:review" typeof="s:Review"><b property="s:author">Ann</b><div property="s:reviewRating" typeof="s:Rating"><i property="s:ratingValue">2</i></div><time property="s:datePublished" datetime="2026-01-05"></time><p property="s:reviewBody">Cold.</p></div></div>`;
    assert.deepEqual(
      (await imported("a.html", page)).rows.map(({ author, text }) => [author, text]),
      [["Ann", "Cold."]],
      declared,
    );
  }
});

test("A link of a customer to Google tells that nothing says where the review was written", async () => {
  await using box = await openSandbox();
  const record = {
    authorName: "Ann",
    authorUrl: "https://www.google.com/maps/contrib/1/reviews",
    rating: 5,
    text: "Quick.",
    date: "2026-01-05",
  };
  const file = box.write("a.json", [record]);
  assert.match(
    (await box.take(file)).warnings.join("\n"),
    /"authorUrl" leads to Google: if the reviews were written there, import the file with --source google/,
  );
  assert.doesNotMatch((await box.take(file, { source: "google" })).warnings.join("\n"), /leads to Google/);
  const named = [{ name: "places/ChIJ1/reviews/r1", rating: 5, text: "Quick.", date: "2026-01-05" }];
  const told = (await box.take(box.write("b.json", named), { dryRun: true })).warnings.join("\n");
  assert.match(told, /"name" leads to Google/);
  const stored = [{ name: "projects/p/databases/d/documents/r/1", rating: 5, text: "Quick.", date: "2026-01-05" }];
  assert.equal((await box.take(box.write("c.json", stored), { dryRun: true })).files[0]?.examples?.first.author, null);
});

test("A column of sites in a service's own table is respected, whether its sites are known here or not", async () => {
  const table = (source: string) =>
    `query,name,place_id,review_id,author_title,review_text,review_rating,review_timestamp,review_link,source\ndepot,Depot,ChIJ1,r0,Ann,Great.,5,1767603600,,${source}\n`;
  for (const [site, source] of [
    ["Zillow", "zillow"],
    ["Trip.com", "trip.com"],
    ["Our own survey", "our_own_survey"],
    ["Google Maps", "google"],
    ["Outscraper", "google"],
    ["web_api", "google"],
    ["Porch", "porch"],
  ] as const)
    assert.deepEqual(
      (await imported("a.csv", table(site))).rows.map((row) => row.source),
      [source],
      site,
    );
  const google = {
    reviewId: "f1",
    reviewer: { displayName: "Al" },
    starRating: "FIVE",
    comment: "Fine",
    createTime: "2026-01-05T09:00:00Z",
  };
  for (const value of [{ reviews: [{ ...google, platform: "Clutch" }] }, { platform: "Clutch", reviews: [google] }])
    assert.deepEqual(
      (await imported("a.json", value)).rows.map((row) => row.source),
      ["clutch"],
    );
});

test("A customer's remarks in brackets are no labels of a translation", async () => {
  const google = {
    reviewId: "1",
    reviewer: { displayName: "Al" },
    starRating: "FIVE",
    createTime: "2026-01-05T09:00:00Z",
  };
  for (const comment of [
    "(from Google) ok\n\n(PS)\nask for Jim",
    "(I found them on Google)\n\n(Update)\nStill great.",
    "(Reviewed on Google too) Best garage.\n\n(Original)\nparts only!",
    "(Google reviews brought me here)\n\n(Really)\nLoved it.",
  ])
    assert.equal((await imported("a.json", { reviews: [{ ...google, comment }] })).rows[0]?.text, comment);
  const label = "(Google tərəfindən tərcümə edilib) Yaxşı iş gördülər.\n\n(Orijinal)\nThey did good work for us.";
  assert.equal(
    (await imported("a.json", { reviews: [{ ...google, comment: label }] })).rows[0]?.text,
    "They did good work for us.",
  );
});

test("Stars that are called the customer's go before those that are the same in each row", async () => {
  const { rows } = await imported(
    "a.csv",
    "author,stars,user_stars,date,text\nLea,4,1,2026-01-05,Bad\nGus,4,5,2026-01-06,Good\n",
  );
  assert.deepEqual(
    rows.map(({ author, rating }) => [author, rating]),
    [
      ["Gus", 5],
      ["Lea", 1],
    ],
  );
});

test("A reply that was not sent, or that a customer wrote, is none of the business", async () => {
  const sent =
    "Name,Stars,Date,Text,Reply,Reply sent?\nAnn,5,2026-01-05,Good,Thank you Ann,Yes\nBo,4,2026-01-06,Fine,Dear Bo,No\n";
  assert.deepEqual(
    (await imported("a.csv", sent)).rows.map(({ reply_text }) => reply_text),
    ["Thank you Ann", null],
  );
  const day = sent.replace(",Yes", ",2026-01-07").replace(",No", ",2026-01-08");
  assert.deepEqual(
    (await imported("a.csv", day)).rows.map(({ reply_text }) => reply_text),
    ["Thank you Ann", "Dear Bo"],
  );
  const thread = [
    { author: "Ann", rating: 5, date: "2026-01-05", text: "Good", reply: "I agree", reply_author: "Dan (customer)" },
  ];
  const { rows, warnings } = await imported("a.json", thread);
  assert.equal(rows[0]?.reply_text, null);
  assert.match(warnings, /1 reply is by customers/);
});

test("Where an entity was escaped twice, the angles beside it were, too, and an address keeps what looks like one", async () => {
  const row = { author: "Ann", rating: 5, date: "2026-01-05" };
  const read = async (text: string) => (await imported("a.json", [{ ...row, text }])).rows[0]?.text;
  assert.equal(await read("Didn&amp;rsquo;t come &amp;lt;twice&amp;gt;."), "Didn’t come <twice>.");
  assert.equal(await read("Write &amp;lt;b&amp;gt; for bold"), "Write &lt;b&gt; for bold");
  assert.equal(await read("See https://example.com/?a=1&copy=2&lt=3"), "See https://example.com/?a=1&copy=2&lt=3");
  assert.equal(await read("Mr &amp Mrs Lee said &quot;great&quot"), 'Mr & Mrs Lee said "great"');
});

test("What somebody has added to a service's own members is named, with what it may say", async () => {
  const header = "query,author_title,review_text,review_rating,review_timestamp,review_link,review_id";
  const link = "https://www.google.com/maps/reviews";
  const two = (name: string, first: string, other: string) =>
    `${header}${name === "query" ? "" : `,${name}`}\n${[first, other]
      .map(
        (value, at) =>
          `${name === "query" ? value : "depot"},A${at},Fine.,5,176760360${at},${link}/${at},r${at}${name === "query" ? "" : `,${value}`}`,
      )
      .join("\n")}\n`;
  const warned = async (name: string, first: string, other: string) =>
    (await imported("a.csv", two(name, first, other))).warnings;
  assert.match(
    await warned("query", "Depot Leeds", "Depot York"),
    /"query" \("Depot Leeds", "Depot York"\) is what was searched for: if it names several places/,
  );
  assert.match(
    await warned("full_address", "1 High St Leeds", "2 Low St York"),
    /"full_address" .* may name several places of the business/,
  );
  assert.match(
    await warned("Use", "no", "yes"),
    /does not use the members "Use"[\s\S]*"Use" \("no", "yes"\) is not known to say which reviews are shown/,
  );
  const google = {
    reviewer: { displayName: "Al" },
    starRating: "FIVE",
    comment: "Fine",
    createTime: "2026-01-05T09:00:00Z",
  };
  const reviews = (...added: object[]) => ({
    reviews: added.map((each, at) => ({ reviewId: `${at}`, ...google, ...each })),
  });
  for (const name of ["location", "city"]) {
    const { warnings } = await imported("a.json", reviews({ [name]: "Leeds" }, { [name]: "York" }));
    assert.match(warnings, new RegExp(`"${name}" \\("Leeds", "York"\\) is taken for where the customers are`));
  }
  assert.match(
    (await imported("a.json", reviews({ reviewDate: "2026-03-02" }))).warnings,
    /does not use the members "reviewDate"/,
  );
  assert.doesNotMatch((await imported("a.json", reviews({}))).warnings, /does not use/);
});

test("A scale in words, a translation and a reply's state are known in a service's own shape, too", async () => {
  const google = {
    reviewId: "1",
    reviewer: { displayName: "Al" },
    starRating: 4,
    comment: "Fine",
    createTime: "2026-01-05T09:00:00Z",
  };
  assert.match(
    await refused("a.json", { ratingScale: "1-10", reviews: [google] }),
    /ratingScale is "1-10", but must be 5/,
  );
  assert.equal((await imported("a.json", { ratingScale: "1-5", reviews: [google] })).rows.length, 1);
  const translated = await imported("a.json", { reviews: [{ ...google, isTranslated: true, originalComment: "Gut" }] });
  assert.equal(translated.rows[0]?.text, "Gut");
  const alone = await imported("a.json", { reviews: [{ ...google, isTranslated: true }] });
  assert.equal(alone.rows[0]?.text, null);
  assert.match(alone.warnings, /the words of 1 review are left out: a member says that they are a translation/);
  const apify = {
    reviewId: "1",
    name: "Al",
    stars: 5,
    publishedAtDate: "2026-01-05T09:00:00Z",
    text: null,
    textTranslated: "Very nice.",
    isLocalGuide: false,
  };
  assert.match((await imported("a.json", [apify])).warnings, /the words of 1 review are left out/);
  const replied = {
    ...google,
    reviewReply: { comment: "Thank you", updateTime: "2026-01-06T09:00:00Z" },
    reply_published: false,
  };
  const { shown, rows } = await imported("a.json", { reviews: [replied] });
  assert.deepEqual([shown, rows[0]?.reply_text], [["Al"], null]);
});

test("An empty member of words lets another one of them speak, of a reply as well", async () => {
  for (const empty of ["", null, " ", "N/A"]) {
    const records = [
      {
        author: "Bo",
        rating: 1,
        date: "2026-02-01",
        text: empty,
        comment: "They never came.",
        reply: empty,
        response: "We are sorry.",
      },
      { author: "Ann", rating: 5, date: "2026-02-03", text: "Good.", reply: "Thanks" },
    ];
    const { rows } = await imported("a.json", records);
    assert.deepEqual(
      rows.map(({ text, reply_text }) => [text, reply_text]),
      [
        ["Good.", "Thanks"],
        ["They never came.", "We are sorry."],
      ],
      JSON.stringify(empty),
    );
  }
});

test("A member whose words are others beside filled ones stands for none that is empty, and is named", async () => {
  const records = [
    { author: "Ann", rating: 5, date: "2026-01-05", text: "Calm and clear.", description: "Boiler service 2 h" },
    { author: "Bo", rating: 2, date: "2026-01-06", text: "", description: "Tap repair 1 h" },
  ];
  const { rows, warnings } = await imported("a.json", records);
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["Calm and clear.", null],
  );
  assert.match(warnings, /1 review has no words in "text", which is read, and some in "description", which is not/);
});

test("A column in which a yes says that a review waits to be allowed hides it, in many languages", async () => {
  for (const name of [
    "In moderation",
    "inModeration",
    "Moderation required",
    "To be approved",
    "Awaiting approval",
    "Needs review",
    "In moderazione",
    "Da approvare",
    "In attesa di approvazione",
    "Pendiente de aprobación",
    "Por aprobar",
    "À valider",
    "En attente de validation",
    "In Prüfung",
    "Test entry",
    "muted",
  ]) {
    const table = `Name,Rating,Date,Review,${name}\nAnn,5,2026-01-05,Quick.,no\nBo,1,2026-01-16,Bad.,yes\n`;
    assert.deepEqual((await imported("a.csv", table)).shown, ["Ann"], name);
  }
  for (const name of ["À publier", "To be published", "Zu veröffentlichen", "Da pubblicare"]) {
    const table = `Name,Rating,Date,Review,${name}\nAnn,5,2026-01-05,Quick.,yes\n`;
    assert.deepEqual((await imported("a.csv", table)).shown, ["Ann"], name);
  }
  for (const [name, no, yes] of [
    ["OK to use as testimonial?", "No", "Yes"],
    ["Workflow", "Rejected by legal", "Approved"],
    ["公開", "×", "○"],
    ["is_latest", "false", "true"],
  ] as const) {
    const table = `Name,Rating,Date,Review,${name}\nAnn,5,2026-01-05,Quick.,${yes}\nBo,1,2026-01-16,Bad.,${no}\n`;
    assert.deepEqual((await imported("a.csv", table)).shown, ["Ann"], name);
  }
});

test("A zone in a column's name may be an offset, signs may count to four, and a school's grade is named by whatever leads to it", async () => {
  const at = async (name: string) =>
    (await imported("a.csv", `Name,Rating,${name},Review\nAnn,5,2026-01-05 23:30,Quick.\n`)).rows[0]?.written_at;
  assert.equal(await at("Date (GMT-5)"), "2026-01-06T04:30:00Z");
  assert.equal(await at("Date (UTC+09:00)"), "2026-01-05T14:30:00Z");
  assert.equal(await at("Date (UTC)"), "2026-01-05T23:30:00Z");
  const signs = "Name,Rating,Date,Review\nAnn,★★★☆,2026-01-05,Quick.\nBo,★☆☆☆,2026-01-06,Bad.\n";
  assert.match(await refused("a.csv", signs), /has "★★★☆", so the ratings seem to count to 4/);
  const five = signs.replace("★☆☆☆", "★☆☆☆☆").replace("★★★☆,", "★★★★★,");
  assert.deepEqual(
    (await imported("a.csv", five)).rows.map(({ rating }) => rating),
    [5, 1],
  );
  const ten = signs.replace("★☆☆☆", "★★★★★").replace("★★★☆,", "★★★★★☆☆☆☆☆,");
  assert.match(await refused("a.csv", ten), /count to 10/);
  const grade = "Name;Gesamtnote;Datum;Text\nAnn;1;05.01.2026;Top.\n";
  assert.match(await refused("a.csv", grade), /seems to hold school grades, in which 1 is the best/);
});

test("A column that says whether a review is from Google is named, and notes of calls are no replies", async () => {
  const table = "Name,Rating,Date,Review,From Google?\nAnn,5,2026-01-05,Quick.,yes\nBo,1,2026-01-16,Bad.,no\n";
  assert.match((await imported("a.csv", table)).warnings, /"From Google\?" may say where the reviews were written/);
  for (const note of ["called 3x, voicemail", "siehe Mail"]) {
    const replies = `Name,Rating,Date,Review,Reply\nAnn,5,2026-01-05,Quick.,${JSON.stringify(note)}\nBo,4,2026-01-06,Fine.,Thank you very much for that Bo\n`;
    assert.deepEqual(
      (await imported("a.csv", replies)).rows.map(({ reply_text }) => reply_text),
      [null, "Thank you very much for that Bo"],
      note,
    );
  }
  for (const text of ["Tru00e8s bien", "Tom amp; Jerry were here", "it#39;s fine"]) {
    const row = `Name,Rating,Date,Review\nAnn,5,2026-01-05,${text}\n`;
    assert.match((await imported("a.csv", row)).warnings, /before it came into this file/, text);
  }
});

test("What links to a site that is not known is named where nothing says where it was written, unless it is the business's own", async () => {
  await using box = await openSandbox();
  const file = box.write("a.csv", "author,rating,date,text,url\nAnn,5,2026-01-05,Good,https://www.wotif.example/1\n");
  const told =
    /1 review links to www\.wotif\.example and names no source, so it counts as given to you directly \(first_party\)/;
  assert.match((await box.take(file, { dryRun: true })).warnings.join("\n"), told);
  const business = box.write("business.yaml", "name: N\ntime_zone: Europe/London\nurl: https://wotif.example/\n");
  assert.doesNotMatch((await box.take([business, file], { dryRun: true })).warnings.join("\n"), /links to/);
});

test("Stars without words at several times of one day are told as counted once", async () => {
  const table = "author,rating,date,text\n,5,2026-01-05T12:00:00Z,\n,5,2026-01-05T13:00:00Z,\n";
  assert.match((await imported("a.csv", table)).warnings, /say the same as another row were counted once/);
  assert.doesNotMatch((await imported("a.csv", table.split("\n").slice(0, 2).join("\n"))).warnings, /counted once/);
});

test("The whole text, the review's own link and a filled description are read", async () => {
  const records = [
    { author: "Ann", rating: 5, date: "2026-01-05", text: "They came and…", full_text: "They came and fixed it." },
  ];
  assert.equal((await imported("a.json", records)).rows[0]?.text, "They came and fixed it.");
  const table =
    "avis_auteur,avis_note,avis_date,avis_texte,avis_url,url\nAnn,5,2026-01-05,Bien,https://n.example/1,https://n.example/\n";
  const links = await imported(
    "a.csv",
    table.replace("avis_auteur,avis_note,avis_date,avis_texte", "auteur,note_avis,date,avis"),
  );
  assert.equal(links.rows[0]?.source_url, "https://n.example/1");
  const linked = {
    "@context": "https://schema.org",
    "@type": "Review",
    author: "Ann",
    reviewRating: { ratingValue: 5 },
    datePublished: "2026-01-05",
    reviewBody: "",
    description: "Fine.",
  };
  assert.equal((await imported("a.json", [linked])).rows[0]?.text, "Fine.");
});

test("Outscraper's times without seconds are a spreadsheet's, which may have put the day first", async () => {
  const table = (time: string) =>
    `google_id,author_title,review_rating,review_datetime_utc,review_text\n0x1:0x2,Ann,5,${time},Good\n`;
  assert.match(
    await refused("a.csv", table("03/01/2026 10:11")),
    /Outscraper writes times with seconds: a spreadsheet has changed it/,
  );
  assert.equal((await imported("a.csv", table("03/01/2026 10:11:12"))).rows[0]?.date, "2026-03-01");
  assert.equal((await imported("a.csv", table("03/03/2026 10:11"))).rows[0]?.date, "2026-03-03");
});

test("A column that a message says to name is named whole, however long it is", async () => {
  const name = "Wie zufrieden waren Sie insgesamt mit unserer Arbeit? (1 = gar nicht, 5 = sehr zufrieden)";
  const table = `Kunde;Sterne;${name};Datum;Text\n${[1, 5, 3].map((stars, at) => `K${at};5;${stars};0${at + 1}.01.2026;Gut`).join("\n")}\n`;
  const told = (await imported("a.csv", table)).warnings;
  assert.ok(told.includes(`--columns rating=${JSON.stringify(name)}`), told);
});

test("Pictures of sites, named pictures of emoji, notes with initials and scales from nothing are known", async () => {
  const rows = (photo: string) => [
    { author: "Ann", rating: 5, date: "2026-01-05", text: "Good", photo: "https://lh3.googleusercontent.com/a/1" },
    { author: "Bo", rating: 4, date: "2026-01-06", text: "Fine", photo },
  ];
  const warnings = async (photo: string) => (await imported("a.json", rows(photo))).warnings;
  assert.match(
    await warnings("https://s3-media0.fl.yelpcdn.com/photo/x/60s.jpg"),
    /"photo" may say where the reviews were written/,
  );
  assert.doesNotMatch(await warnings("https://lh3.googleusercontent.com/a/2"), /may say where/);
  const icons = ["google", "yelp"].map((site, at) => ({
    author: site,
    rating: 5,
    date: `2026-01-0${at + 1}`,
    text: "Good",
    icon: `/assets/icons/${site}.svg`,
  }));
  const bySite = (await imported("a.json", icons)).rows.map(({ author, source }) => `${author} ${source}`);
  assert.deepEqual(bySite, ["google google", "yelp yelp"]);
  const emoji = 'Great work <img class="emoji" alt="👍" src="https://s.w.org/1f44d.svg"> thanks<br>Ann';
  assert.equal(
    (await imported("a.json", [{ ...rows("")[0], text: emoji }])).rows[0]?.text,
    "Great work 👍 thanks\nAnn",
  );
  for (const note of ["erledigt MK", "erl.", "done JB"]) {
    const table = `Name;Sterne;Datum;Text;Antwort\nBo;5;2026-03-02;Gut;${note}\nCy;4;2026-03-03;Gut;Vielen Dank für Ihren Besuch!\n`;
    assert.equal((await imported("a.csv", table)).rows[0]?.reply_text, null, note);
  }
  const fromZero =
    "Skala: 0 = gar nicht zufrieden, 4 = sehr zufrieden\n\nName;Sterne;Datum;Text\nBo;4;2026-03-02;Gut\n";
  assert.match(await refused("a.csv", fromZero), /says that the ratings count to 4/);
  const twice = (await imported("a.json", [{ ...rows("")[0], text: "It&amp;#39;s good &amp;amp; cheap" }])).warnings;
  assert.doesNotMatch(twice, /lost characters/);
  await using box = await openSandbox();
  const asked = "How likely is it that you would recommend us to a friend?";
  const nps = box.write(
    "n.csv",
    `Name,${JSON.stringify(asked)},Date,Why?\nAnn,5,2026-01-05,Good\nBo,3,2026-01-06,Bad\n`,
  );
  const mapped = await box.take(nps, { dryRun: true, columns: { rating: asked, text: "Why?" } });
  assert.match(
    mapped.warnings.join("\n"),
    /asks how likely customers are to recommend the business, mostly from 0 to 10/,
  );
});

test("A word that denies inside itself hides, and a question shows nothing", async () => {
  for (const [name, shown, hidden] of [
    ["Durum", "Onaylandı", "Onaylanmadı"],
    ["Durum", "Yayınlandı", "Yayınlanmamış"],
    ["Tila", "hyväksytty", "hyväksymätön"],
    ["Tila", "julkaistu", "julkaisematon"],
    ["Állapot", "jóváhagyott", "jóváhagyatlan"],
    ["状態", "承認済み", "承認されていない"],
    ["状態", "公開", "公開しない"],
    ["Status", "Published", "Publish?"],
  ]) {
    const table = `Name,Rating,Date,Review,${name}\nAnn,5,2026-03-01,Quick,${shown}\nCy,5,2026-03-03,Warm,${hidden}\n`;
    assert.deepEqual((await imported("a.csv", table)).shown, ["Ann"], `${shown} ${hidden}`);
  }
});

test("Buttons that name a language, labels without a translator and emoji of a page are known", async () => {
  const row = { author: "Ann", rating: 5, date: "2026-01-05" };
  const read = async (text: string) => await imported("a.json", [{ ...row, text }]);
  for (const button of [
    "Translate review to English",
    "Bewertung auf Deutsch übersetzen",
    "Traducir al español",
    "Traduire en français",
  ])
    assert.equal((await read(`Would book again.\n${button}`)).rows[0]?.text, "Would book again.", button);
  for (const labels of [
    "[Translated] Chętnie wrócę. [Original] Would book them again.",
    "(Przetłumaczone)\nChętnie wrócę.\n(Oryginał)\nWould book them again.",
  ])
    assert.equal((await read(labels)).rows[0]?.text, "Would book them again.", labels);
  for (const own of [
    "(Advert) They replaced the (original) filter with a new one.",
    "(Overseas guest) They kept the (original) parts for us.",
  ])
    assert.equal((await read(own)).rows[0]?.text, own);
  const maori =
    "(I whakamāoritia e Google) He pai rawa te mahi a te kaimahi, he tere hoki ratou.\n\n(Taketake)\nVery good work by the staff, and they were quick.";
  assert.equal((await read(maori)).rows[0]?.text, "Very good work by the staff, and they were quick.");
  assert.match(
    (await read("Traducción: Volvería.\nOriginal: Would book them again.")).warnings,
    /names a machine's translation in a form that is not known/,
  );
  const body = 'I was <img class="emoji" alt="😡" src="1.svg"> about it';
  const page = `<div ${TYPES}LocalBusiness"><span itemprop="name">N</span><div itemprop="review" ${TYPES}Review"><span itemprop="author">Ann</span>${STARS}<p itemprop="reviewBody">${body}</p></div></div>`;
  assert.equal((await imported("a.html", page)).rows[0]?.text, "I was 😡 about it");
});

test("Notes of an office in further words are no replies, and thanks are", async () => {
  const replyOf = async (reply: string) => {
    const table = `Name;Sterne;Datum;Text;Antwort\nBo;5;2026-03-02;Gut;${reply}\nCy;4;2026-03-03;Gut;Vielen Dank für Ihren Besuch!\n`;
    return (await imported("a.csv", table)).rows[0]?.reply_text;
  };
  for (const note of [
    "wird noch beantwortet",
    "needs reply",
    "waiting for Tom",
    "assigned to Tom",
    "gelöscht",
    "voucher sent",
    "Gutschein geschickt",
    "called her back",
    "s. Mail",
    "too old",
    "✓",
    "12.3. MK",
  ])
    assert.equal(await replyOf(note), null, note);
  for (const reply of [
    "Thank you for coming, Tom",
    "Danke!",
    "Sorry for that",
    "Thanks to Tom",
    "Merci",
    "👍",
    "🙏",
    "❤️",
  ])
    assert.equal(await replyOf(reply), reply);
});

test("words in a review's element that have no property are quoted, but labels of the page and what is read", async () => {
  const review = (author: string, rest: string, body = "Came <b>at once</b>.") => `<li itemprop="review" itemscope
    itemtype="https://schema.org/Review"><span>Written by</span> <b itemprop="author">${author}</b> <time
    itemprop="datePublished" datetime="2026-03-02">2 March</time><span itemprop="reviewRating" itemscope
    itemtype="https://schema.org/Rating"><i itemprop="ratingValue">5</i> of 5 stars</span>
    <p>Came…</p><p itemprop="reviewBody">${body}</p><button>Report this</button>${rest}</li>`;
  const page = (...reviews: string[]) => `<ul itemscope itemtype="https://schema.org/Store">${reviews.join("")}</ul>`;
  const warningsOf = async (...reviews: string[]) => (await imported("a.html", page(...reviews))).warnings;
  const plain = [review("Ann", ""), review("Bo", ""), review("Cy", "")];
  assert.doesNotMatch(await warningsOf(...plain), /does not mark up/);
  const split = review("Eve", "", "<p>The first words.</p><p>And the rest.</p>");
  const replied = review("Dee", "<div>Reply from <b>the owner</b> Thanks</div><script>let a;</script>");
  assert.match(
    await warningsOf(...plain, replied, split),
    /words in 2 reviews that the page does not mark up are left out, such as "Reply from the owner Thanks", "The first words\.", "And the rest\."/,
  );
  const rdfa = `<div vocab="https://schema.org/" typeof="Review"><b property="author">Ann</b><b property="reviewRating"
    typeof="Rating"><i property="ratingValue">4</i></b><p property="reviewBody">Good</p><meta property="datePublished" content="2026-03-02">Awaiting approval</div>`;
  assert.match(await warningsOf(rdfa), /words in 1 review that .* such as "Awaiting approval"/);
});

test("what somebody has added to schema.org's members of a review is read, or named", async () => {
  const review = (author: string, day: number, added: object) => ({
    "@type": "Review",
    author: { "@type": "Person", name: author },
    datePublished: `2026-03-0${day}`,
    reviewBody: "Good",
    reviewRating: { ratingValue: "5" },
    ...added,
  });
  const business = (...reviews: object[]) => ({
    "@type": "Store",
    "@context": "https://schema.org",
    name: "A",
    reviews,
  });
  const read = await imported(
    "a.json",
    business(
      review("Ann", 1, { status: "approved", ownerResponse: { text: "Thanks" } }),
      review("Bo", 2, { status: "pending", keep: "no" }),
      review("Cy", 3, { site: "Trustpilot" }),
    ),
  );
  assert.deepEqual(read.shown, ["Ann"]);
  const sources = read.rows.map(({ source }) => source);
  assert.deepEqual(sources, ["google", "google", "trustpilot"]);
  assert.match(read.warnings, /does not use the members "ownerResponse", "keep"/);
  assert.match(read.warnings, /"keep" \("no"\) is not known to say which reviews are shown/);
  const branches = business(review("Ann", 1, { branch: "Leeds" }), review("Bo", 2, { branch: "York" }));
  assert.match(await refused("a.json", branches), /The files hold reviews of 2 places/);
  const page = `<div itemscope itemtype="https://schema.org/Review"><b itemprop="author">Ann</b><b itemprop="reviewBody">Good</b>
    <meta itemprop="datePublished" content="2026-03-02"><b itemprop="reviewRating" itemscope><i itemprop="ratingValue">5</i></b>
    <i itemprop="approved">no</i></div>`;
  assert.deepEqual((await imported("a.html", page)).shown, []);
});

test("a legend or a note beside a document's reviews is quoted", async () => {
  const reviews = [{ author: "Ann", rating: 5, date: "2026-03-02", text: "Good", state: 1 }];
  const warningsOf = async (beside: object) => (await imported("a.json", { ...beside, reviews })).warnings;
  assert.match(
    await warningsOf({ note: "state: 1 = approved, 2 = hidden", name: "Müller & Co" }),
    /beside the reviews, "note" \("state: 1 = approved, 2 = hidden"\) is passed over/,
  );
  assert.match(
    await warningsOf({ legend: { 1: "approved", 2: "hidden" }, about: "A = from Google, B = our own" }),
    /beside the reviews, "legend" \("1 = approved, 2 = hidden"\), "about" \("A = from Google, B = our own"\) are passed over/,
  );
  const plain = {
    name: "Müller",
    address: "1 Main St",
    note: "",
    status: "OK",
    query: "q = x",
    total: 1,
    next: "?a=b",
  };
  assert.doesNotMatch(await warningsOf(plain), /beside the reviews/);
});

test("a reply of one line keeps its words behind a label with an age or a day", async () => {
  const replyOf = async (reply: string) =>
    (
      await imported(
        "a.csv",
        `Name;Stars;Date;Text;Reply\nBo;5;2026-03-02;Good;${reply}\nCy;4;2026-03-03;Good;Thank you for coming!\n`,
      )
    ).rows[0]?.reply_text;
  for (const [reply, words] of [
    ["Response from the owner 2 weeks agoThanks Ann!", "Thanks Ann!"],
    ["Response from the owner on 12 January 2026 Thanks Ann", "Thanks Ann"],
    ["Response from the owner (2026-01-12) Thanks Ann", "Thanks Ann"],
    ["Respuesta del propietario hace 2 semanas Gracias Ana", "Gracias Ana"],
    ["Antwort vom Inhaber vor 2 Wochen Danke Anna!", "Danke Anna!"],
    ["Acme Plumbing (Owner) 2 weeks agoThanks Ann!", "Thanks Ann!"],
    ["Response from the owner 2 weeks ago: Thanks", "Thanks"],
    ["Response from the owner 2 weeks ago", null],
    ["Our answer to all 12 of you: we are closed", "Our answer to all 12 of you: we are closed"],
  ] as const)
    assert.equal(await replyOf(reply), words, reply);
});

test("a column that is called as the day of a reply and holds words is the reply, or named", async () => {
  for (const name of ["replied", "Beantwortet", "Responded"]) {
    const table = `name,rating,date,text,${name}\nAnn,5,2026-01-05,Quick.,Thanks so much Ann!\nBo,4,2026-01-06,Fine.,\n`;
    assert.match(
      (await imported("a.csv", table)).warnings,
      new RegExp(`"${name}" may hold replies, but does not say whose`),
    );
  }
  const dated = "name,rating,date,text,reply,replied\nAnn,5,2026-01-05,Quick.,Thanks Ann,2026-01-07\n";
  assert.equal((await imported("a.csv", dated)).rows[0]?.reply_date, "2026-01-07");
});

test("a mark in a name or in words hides the review, and a customer's advice does not", async () => {
  const shownOf = async (name: string, text: string) =>
    (await imported("a.csv", `Name;Stars;Date;Text\nBo;5;2026-03-02;Good\n${name};4;2026-03-03;${text}\n`)).shown
      .length;
  for (const [name, text] of [
    ["Cy D. (do not publish)", "Tidy."],
    ["Cy D.", "Sauber (nicht veröffentlichen!)"],
    ["Cy D. [SPAM]", "Tidy."],
    ["Cy D.", "NICHT VERÖFFENTLICHEN: Tidy."],
  ] as const)
    assert.equal(await shownOf(name, text), 1, `${name} ${text}`);
  for (const [name, text] of [
    ["Cy D. (Local Guide)", "Tidy [and quick]."],
    ["Cy D.", "Great (do not use anyone else!)"],
    ["Cy D.", "My advice: do not publish bad work."],
    ["Ann (Online)", "Ordered online: quick."],
    ["Cy D.", "They never show up (showing off)."],
  ] as const)
    assert.equal(await shownOf(name, text), 2, `${name} ${text}`);
});

test("where the cells of a workbook lead is read, and its notes and sheets of words are quoted", async () => {
  const cell = (at: string, words: string) => `<c r="${at}" t="inlineStr"><is><t>${words}</t></is></c>`;
  const row = (at: number, ...words: string[]) =>
    `<row r="${at}">${words.map((one, column) => cell(`${"ABCDE"[column]}${at}`, one)).join("")}</row>`;
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const sheet = (
    ...links: string[]
  ) => `<worksheet xmlns:r="${office}"><sheetData>${row(1, "Name", "Stars", "Date", "Text", "Link")}
    ${row(2, "Ann", "5", "2026-03-02", "Good", "View")}${row(3, "Bo", "4", "2026-03-03", "Fine", "View")}</sheetData>
    <hyperlinks>${links.map((at, index) => `<hyperlink ref="${at}" r:id="r${index}"/>`).join("")}</hyperlinks></worksheet>`;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  const parts = (xml: string) => [
    { name: "xl/worksheets/sheet1.xml", content: xml },
    {
      name: "xl/worksheets/_rels/sheet1.xml.rels",
      content: `<Relationships>${relation("n", "comments", "../comments1.xml")}${[
        "google.com/maps/x",
        "www.yelp.com/biz/a?hrid=b",
      ]
        .map((to, index) => relation(`r${index}`, "hyperlink", `https://${to}"  TargetMode="External`))
        .join("")}</Relationships>`,
    },
    {
      name: "xl/comments1.xml",
      content:
        "<comments><comment ref='D2'><text><r><t>do not </t></r><r><t>publish</t></r></text></comment></comments>",
    },
  ];
  const words = { Reviews: [], Legend: [["Stars: 1 to 10"]] };
  for (const links of [
    ["A2", "A3"],
    ["E2", "E3"],
  ]) {
    const read = await imported("a.xlsx", workbookOf(words, parts(sheet(...links))));
    assert.deepEqual(
      read.rows.map(({ source }) => source),
      ["google", "yelp"],
    );
    assert.match(read.warnings, /the notes of 1 cell are not read, such as "do not publish"/);
    assert.match(read.warnings, /the sheet "Legend" holds no table and is passed over: "Stars: 1 to 10"/);
  }
});

test("what a page prints behind a rating, or says of it, is what it counts to", async () => {
  const page = (rating: string) => `<div itemscope itemtype="https://schema.org/Review"><b itemprop="author">Ann</b>
    <meta itemprop="datePublished" content="2026-03-02"><p itemprop="reviewBody">3 of 10 visits were good</p>
    <div itemprop="reviewRating" itemscope itemtype="https://schema.org/Rating">${rating}</div></div>`;
  const value = `<span itemprop="ratingValue">5</span>`;
  for (const rating of [
    `${value}/10`,
    `${value} / <i>10</i>`,
    `${value} out of 10`,
    `${value} von 10 Sternen`,
    `${value}/10 Very good`,
    `<meta itemprop="ratingValue" content="5">5/10`,
    `<meter itemprop="ratingValue" value="5" max="10">5</meter>`,
    `<meta itemprop="ratingValue" content="5"><i aria-label="5 out of 10"></i>`,
  ])
    assert.match(await refused("a.html", page(rating)), /bestRating is "10", but must be 5/, rating);
  for (const rating of [
    `${value}/5`,
    `${value} of <b itemprop="bestRating">5</b>`,
    `${value} <i>3 of 10 photos</i>`,
    `${value} | 3 days ago`,
    `${value} of 7 people`,
    `${value} / 3 days ago`,
  ])
    assert.equal((await imported("a.html", page(rating))).rows[0]?.rating, 5, rating);
  const review = (rating: object) => ({
    ...{
      "@context": "https://schema.org",
      "@type": "Review",
      author: "Ann",
      datePublished: "2026-03-02",
      reviewBody: "Good",
    },
    reviewRating: { "@type": "Rating", ratingValue: "5", ...rating },
  });
  assert.match(await refused("a.json", review({ ratingExplanation: "5 out of 10" })), /bestRating is "10"/);
  assert.match(await refused("a.json", review({ name: "5/10" })), /bestRating is "10"/);
  assert.equal((await imported("a.json", review({ name: "5 stars of 5" }))).rows[0]?.rating, 5);
});

test("a scale of ten that something around the reviews speaks of is told", async () => {
  const reviews = [{ author: "Ann", rating: 5, date: "2026-03-02", text: "I give it 5 out of 10" }];
  const warningsOf = async (beside: object) => (await imported("a.json", { ...beside, reviews })).warnings;
  const survey = { questions: [{ type: "opinion_scale", properties: { steps: 10 } }] };
  for (const [beside, path] of [
    [{ meta: { max: 10 } }, '"meta.max" (10)'],
    [{ survey }, '"survey.questions[0].properties.steps" (10)'],
    [
      { question: "Auf einer Skala von 1 bis 10: wie war es?" },
      '"question" ("Auf einer Skala von 1 bis 10: wie war es?")',
    ],
    [{ title: "Customer scores out of 10" }, '"title" ("Customer scores out of 10")'],
    [{ columns: [{ label: "Rating (1-10)" }] }, '"columns[0].label" ("Rating (1-10)")'],
    [{ distribution: { 8: 3, 9: 7, 10: 20 } }, '"distribution" (10)'],
  ] as const)
    assert.ok(
      (await warningsOf(beside)).includes(`beside the reviews, ${path} speaks of another scale than five stars`),
      path,
    );
  const plain = {
    site: "Yelp",
    pagination: { max: 10 },
    counts: { 1: 3, 5: 20 },
    hours: "8-10, 1.10.",
    date: "1/10/2026",
    total: 10,
  };
  assert.doesNotMatch(await warningsOf(plain), /another scale/);
});

test("an empty day of publication is no approval, and an empty title does not become a product's", async () => {
  const review = (author: string, published: string | null) => ({
    author,
    rating: 5,
    text: "Good",
    created: "2026-02-07",
    published,
  });
  const reviews = [review("Ann", "2026-02-03"), review("Bo", null)];
  const read = await imported("a.json", { reviews });
  assert.deepEqual(read.shown, ["Ann"]);
  assert.match(read.warnings, /1 review is kept but not published.*published/);
  const dated = reviews.map(({ created, published, ...one }) => ({ ...one, date: created, updated: published }));
  assert.equal((await imported("a.json", { reviews: dated })).shown.length, 2);
  const table =
    "reviewer,rating,created_at,review,headline,title\nAnn,5,2026-01-05,Good,Love it,Red pan\nBo,4,2026-01-06,Fine,,Red pan\n";
  assert.deepEqual(
    (await imported("a.csv", table)).rows.map(({ text }) => text),
    ["Love it\n\nGood", "Fine"],
  );
});

test("a reply is no site, Yelp's replies are read, and a row with a title is not Google's", async () => {
  const reply =
    "Customer\tRating\tComment\tDate\tReply from us\nAnn\t5\tGood\t2026-01-05\tTa\nBo\t4\tFine\t2026-01-06\t\n";
  assert.equal((await imported("a.tsv", reply)).rows[0]?.source, "google");
  const yelp = `query,business_name,review_id,author_title,author_reviews_count,review_rating,review_text,review_timestamp,owner_replies
https://www.yelp.com/biz/a,A,y1,Bo,2,5,Yummy.,1767862800,Thanks Bo\n`;
  assert.equal((await imported("a.csv", yelp)).rows[0]?.reply_text, "Thanks Bo");
  const mixed = `query,name,place_id,review_id,review_link,review_title,review_text,review_rating,review_timestamp,author_title
ChIJ1,A,ChIJ1,g1,https://www.google.com/maps/reviews/1,,Good,5,1767603600,Ann
a.example,A,,tp1,,Scam,They kept it.,1,1767949200,Bo\n`;
  await using box = await openSandbox();
  await box.take(box.write("a.csv", mixed));
  const rows = await box.rows();
  assert.deepEqual(rows.map(({ source }) => source).toSorted(), ["first_party", "google"]);
});

test("Dutch marks count to ten, whoever says that they are the rating", async () => {
  await using box = await openSandbox();
  const file = box.write(
    "a.csv",
    "Datum;Klant;Rapportcijfer;Opmerking\n05-01-2026;Anna;5;Ging wel\n27-01-2026;Bart;3;Laat\n",
  );
  const said = (await box.refusal(file, { source: "google", columns: { rating: "Rapportcijfer" } })).join();
  assert.match(said, /"Rapportcijfer" counts to 10, but must count to 5/);
});

test("formulas whose results a workbook does not hold are told", async () => {
  const cell = (at: string, words: string) => `<c r="${at}" t="inlineStr"><is><t>${words}</t></is></c>`;
  const sheet = `<worksheet><sheetData><row r="1">${["Name", "Stars", "Date", "Text"].map((name, at) => cell(`${"ABCD"[at]}1`, name)).join("")}</row>
    <row r="2">${cell("A2", "Ann")}<c r="B2"><f>2+3</f><v>5</v></c>${cell("C2", "2026-03-02")}<c r="D2"><f>A2&amp;" was here"</f></c></row></sheetData></worksheet>`;
  const read = await imported("a.xlsx", workbookWith(sheet));
  assert.deepEqual([read.rows[0]?.rating, read.rows[0]?.text], [5, null]);
  assert.match(read.warnings, /1 cell holds a formula whose result is not saved in the file, and not read/);
});

test("masses of spaces and tabs behind a rating or a label, and of links in a workbook, are read in a moment", async () => {
  const [spaces, tabs] = [" ".repeat(300_000), "\t".repeat(300_000)];
  const page = `<div itemscope itemtype="https://schema.org/Review"><b itemprop="author">Ann</b>
    <meta itemprop="datePublished" content="2026-03-02"><p itemprop="reviewBody">Good</p>
    <div itemprop="reviewRating" itemscope><b itemprop="ratingValue">5</b>${spaces}x</div></div>`;
  const reply = `Name;Stars;Date;Text;Reply\nBo;5;2026-03-02;Good;Response from the owner${tabs}x\n`;
  const cells = (words: readonly string[], at: number) =>
    words.map((one, index) => `<c r="${"ABCD"[index]}${at}" t="inlineStr"><is><t>${one}</t></is></c>`).join("");
  const table = [
    ["Name", "Stars", "Date", "Text"],
    ["Cy", "5", "2026-03-02", "Good"],
  ].map((words, index) => `<row r="${index + 1}">${cells(words, index + 1)}</row>`);
  const links = '<hyperlink ref="A1:A1048576" r:id="r"/>'.repeat(20_000);
  const sheet = `<worksheet><sheetData>${table.join("")}</sheetData><hyperlinks>${links}</hyperlinks></worksheet>`;
  // A name of a part that is none does not make the workbook a damaged one.
  const relations = '<Relationships><Relationship Id="n" Type="x/comments" Target="../%zz[/c.xml"/></Relationships>';
  const parts = [
    { name: "xl/worksheets/sheet1.xml", content: sheet },
    { name: "xl/worksheets/_rels/sheet1.xml.rels", content: relations },
  ];
  for (const [name, content] of [
    ["a.html", page],
    ["a.csv", reply],
    ["a.xlsx", workbookOf({ S: [] }, parts)],
  ] as const) {
    const before = process.cpuUsage();
    assert.equal((await imported(name, content)).rows[0]?.rating, 5, name);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 10_000_000, `${name} took ${Math.round(user / 1000)} ms of the processor`);
  }
});
