/** The desk of a folder of sites, of followed sources and of subscribers. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { readConfig } from "../../src/app/config.ts";
import { answerBusiness } from "../../src/app/desk/desk-business.ts";
import { publishText, stampOf } from "../../src/app/desk/desk-business-file.ts";
import { type DeskRequest, deskLocale } from "../../src/app/desk/desk-frame.ts";
import { businessOf, readBusinessBytes, readBusinessYaml } from "../../src/app/desk/desk-site.ts";
import { openDeskSites } from "../../src/app/desk/desk-sites.ts";
import { ownerTime } from "../../src/app/owner/owner-time.ts";
import { askDesk, enter, openDesk } from "../support/desk.ts";
import { listening } from "../support/loopback.ts";
import { run, temporaryFolder } from "../support/program.ts";

const CSV = "id,author,rating,date,text\na,Ann,5,2025-01-02,Quick and clean\n";

describe("a desk with sites", () => {
  test("lists them first, each with a desk of its own, and makes a new one", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "north"));
    writeFileSync(join(folder.path, "north", "business.yaml"), "name: Northside\ntime_zone: America/Chicago\n");
    await using desk = await openDesk(folder.path, ["--sites", folder.path], {
      SITES_BASE_URL: "https://{site}.example",
    });
    const session = await enter(desk);
    const list = (await session.get("/")).text;
    assert.match(list, /<h1>Sites<\/h1>[\s\S]*href="\/sites\/north\/"[\s\S]*empty[\s\S]*https:\/\/north\.example/);
    assert.match(list, /<button[^>]*>New site<\/button>/);
    const first = (page: string) => /<nav[^>]*><ul><li>(<a[^>]*>[^<]*<\/a>)/.exec(page)?.[1];
    assert.equal(first(list), '<a href="/" aria-current="page">Sites</a>');
    const german = (await session.get("/", { "Accept-Language": "de-DE,en;q=0.5" })).text;
    assert.match(german, /<h1>Betriebe<\/h1>[\s\S]*leer[\s\S]*Noch ist nichts importiert/);
    const north = (await session.get("/sites/north/")).text;
    assert.match(north, /The business is Northside/);
    assert.equal(first(north), '<a href="/">Sites</a>');
    assert.equal((await session.get("/sites/nowhere/")).status, 404);
    assert.equal((await session.get("/import")).status, 404, "a list has no reviews");
    for (const [name, wrong] of [
      ["No Name!", /1 to 63 characters/],
      ["../x", /1 to 63 characters/],
      ["north", /There is a site north already/],
    ] as const)
      assert.match((await session.send("/", { name })).text, wrong);
    assert.match((await session.send("/", { name: "south" })).text, /What is your business\?/);
    assert.ok(existsSync(join(folder.path, "south")));
    const imported = await session.send("/sites/north/import", { files: new File([CSV], "a.csv"), source: "google" });
    const id = /name="id" value="([^"]+)"/.exec(imported.text)?.[1] ?? "";
    await session.send("/sites/north/import/publish", { id });
    let shown: string;
    do shown = (await session.get("/sites/north/reviews")).text;
    while (/The reviews are being published/.test(shown));
    assert.match(shown, /Ann/);
    assert.doesNotMatch((await session.get("/sites/south/reviews")).text, /Ann/);
    assert.ok(existsSync(join(folder.path, "north", "data", "goodword.db")));
    const [row = ""] = /<tr><th[^>]*><a href="\/sites\/north\/">.*?<\/tr>/s.exec((await session.get("/")).text) ?? [];
    assert.deepEqual(
      [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell),
      ["published", "1", "Jan 2, 2025", "https://north.example"],
    );
  });

  test("tells a script nothing of a site that cannot be read, and takes a file for none", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "north"));
    writeFileSync(join(folder.path, "north", "business.yaml"), "name: Northside\ntime_zone: America/Chicago\n");
    await using desk = await openDesk(folder.path, ["--sites", folder.path]);
    const session = await enter(desk);
    mkdirSync(join(folder.path, "faulty", "data"), { recursive: true });
    writeFileSync(join(folder.path, "faulty", "data", "goodword.db"), "no store");
    writeFileSync(join(folder.path, "file"), "");
    const script = { "Sec-Fetch-Dest": "empty", "Sec-Fetch-Site": "same-origin" };
    for (const name of ["faulty", "file", "nosuch"]) {
      const { status, text } = await session.get(`/sites/${name}/import/progress`, script);
      assert.deepEqual([status, text], [404, "There is no such page"], name);
    }
    assert.match((await session.get("/sites/faulty/")).text, /is not a store of goodword/);
    const left = {
      Cookie: session.cookie,
      Origin: desk.origin,
      "Sec-Fetch-Dest": "document",
      "Sec-Fetch-Site": "same-origin",
    };
    const form = { ...left, "Content-Type": "application/x-www-form-urlencoded" };
    const refused = await askDesk(`${desk.origin}/sites/faulty/`, { method: "POST", headers: form, body: "a=b" });
    assert.deepEqual(
      [refused.status, refused.text],
      [403, "The form is not taken"],
      "a page that was left there may read it",
    );
    assert.match((await session.post("/sites/faulty/", {})).text, /is not a store of goodword/);
    assert.equal((await session.get("/sites/file/")).status, 404);
  });

  test("with --site is the desk of that site alone", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "north"));
    writeFileSync(join(folder.path, "north", "business.yaml"), "name: Northside\ntime_zone: America/Chicago\n");
    await using desk = await openDesk(folder.path, ["--sites", folder.path, "--site", "north"]);
    const session = await enter(desk);
    assert.match((await session.get("/")).text, /The business is Northside/);
    assert.equal((await session.get("/sites/north/")).status, 404);
    await session.send("/import", { files: new File([CSV], "a.csv"), source: "google" });
    assert.match((await session.get("/import/preview/")).text, /A preview[\s\S]*Ann/);
    assert.deepEqual(readdirSync(join(folder.path, "north")), ["business.yaml"], "a check and a preview store nothing");
  });
});

test("a German desk says in German what a command says in English", async () => {
  using folder = temporaryFolder();
  const yaml = "name: Kälte Nord\ntime_zone: Europe/Berlin\nlanguage: de\n";
  writeFileSync(join(folder.path, "business.yaml"), yaml);
  await using desk = await openDesk(folder.path);
  const session = await enter(desk);
  const sent = async (path: string, fields: Readonly<Record<string, string | File>>) =>
    /<h1>[\s\S]*<\/main>/.exec((await session.send(path, fields)).text)?.[0] ?? "";
  const odd = (rows: string) => new File([`Punkte;Wann;Wer;Worte\n${rows}`], "umfrage.csv");
  const columns = { column_rating: "Punkte", column_date: "Wann", column_author: "Wer", column_text: "Worte" };
  const latin = new File([Buffer.from("rating;date;text\n5;2025-01-02;M\xfcller\n", "latin1")], "a.csv");
  const before = createHash("sha256").update(yaml).digest("base64url");
  const cases: [string, string, Readonly<Record<string, string | File>>, RegExp][] = [
    ["columns", "/import", { files: odd("5;03/04/2025;Ann;Gut\n") }, /hat die Spalten .*Wählen Sie unten die Spalten/],
    ["dates", "/import", columns, /\(Zeile 2, Wann\) kann je nach Land .* Wählen Sie „Reihenfolge von Tag und Monat“/],
    [
      "stars",
      "/import",
      { ...columns, files: odd("6;13.04.2025;Ann;Gut\n5;13.05.2025;Bob;Gut\n") },
      /Zeile 2: Punkte: .* ist keine ganze Zahl von 1 bis 5/,
    ],
    [
      "withheld",
      "/import",
      { ...columns, source: "yelp", files: odd("5;13.04.2025;Ann;Gut\n") },
      /1 Bewertung aus yelp wird gespeichert.*Tragen Sie yelp bei „Quellen/,
    ],
    ["encoding", "/import", { files: latin }, /: Ein älteres Programm hat sie geschrieben/],
    [
      "hours",
      "/business",
      { before, name: "Kälte Nord", "hours.Friday": "manchmal" },
      /sind keine Öffnungszeiten: Schreiben Sie/,
    ],
    ["no backup", "/history/restore", { backup: odd("5;x") }, /ist keine Sicherung/],
    [
      "damaged backup",
      "/history/restore",
      { backup: new File([`SQLite format 3\0${"x".repeat(5000)}`], "old.db") },
      /"old\.db" kann nicht eingespielt werden: (?:Es ist keine Datenbank|Sie ist beschädigt); .*Der Speicher ist, wie er war/,
    ],
  ];
  for (const [what, path, fields, says] of cases) {
    const said = (await sent(path, fields)).replaceAll("&quot;", '"');
    assert.match(said, says, what);
    assert.doesNotMatch(said, /\b(?:the|must|reviews are|with)\b/, what);
  }
  const { text } = await session.send("/import", { files: new File([CSV], "a.csv"), source: "google" });
  await session.send("/import/publish", { id: /name="id" value="([^"]+)"/.exec(text)?.[1] ?? "" });
  assert.match(
    (await session.get("/history/undo")).text,
    /Das nimmt Änderung 1, Import von a\.csv vom \d\d\.\d\d\.\d{4}, \d\d:\d\d \(1 neu, /,
  );
  const id = /[0-9A-Z]{26}/.exec((await session.get("/reviews")).text)?.[0];
  assert.match(
    await sent(`/reviews/${id}/remove`, {}),
    /1 Bewertung ist entfernt.*„Wieder zulassen“ lässt es wieder zu/s,
  );
  const yelp = (
    await session.send("/import", { files: new File([`${CSV}b,Bob,4,2025-01-03,Good\n`], "b.csv"), source: "yelp" })
  ).text;
  assert.match(yelp, /<h2>Mit anderen Angaben noch einmal prüfen<\/h2>/, "what can be published has nothing to settle");
  assert.match(
    await sent("/import/publish", { id: /name="id" value="([^"]+)"/.exec(yelp)?.[1] ?? "" }),
    /gespeichert, aber keine davon ist veröffentlicht/,
  );
});

test("no link that comes into a site's folder leads the desk out of it", async () => {
  using folder = temporaryFolder();
  using outside = temporaryFolder();
  const business = "name: Northside\ntime_zone: America/Chicago\n";
  const [north, secret] = [join(folder.path, "north"), join(outside.path, "secret.yaml")];
  mkdirSync(north);
  writeFileSync(join(north, "business.yaml"), business);
  writeFileSync(secret, business.replace("Northside", "Elsewhere"));
  assert.equal((await run(folder.path, ["import", "north/business.yaml", "--site", "north", "--sites", "."])).code, 0);
  await using desk = await openDesk(folder.path, ["--sites", folder.path]);
  const session = await enter(desk);
  // as with --site, for which the folder is looked at when it starts, too
  const own = readConfig({ DATABASE_URL: `sqlite:${join(north, "data/goodword.db")}` });
  await using alone = openDeskSites(own, {}, { folder: north, isOfSites: true });
  assert.equal((await alone.site(undefined))?.folder, north);
  const shown = await session.get("/sites/north/business");
  const before = /name="before" value="([^"]+)"/.exec(shown.text)?.[1] ?? assert.fail();
  symlinkSync(secret, join(north, `business.yaml.${desk.pid}.part`));
  chmodSync(join(north, "business.yaml"), 0o600);
  const changed = business.replace("Northside", "Northside Two");
  assert.match((await session.send("/sites/north/business/file", { before, file: changed })).text, /Northside Two/);
  assert.equal(readFileSync(join(north, "business.yaml"), "utf8"), changed);
  assert.equal(statSync(join(north, "business.yaml")).mode & 0o777, 0o600, "nobody may read it who could not before");
  renameSync(join(north, "business.yaml"), join(north, "kept.yaml"));
  symlinkSync("kept.yaml", join(north, "business.yaml"));
  const again = /name="before" value="([^"]+)"/.exec((await session.get("/sites/north/business")).text)?.[1] ?? "";
  await session.send("/sites/north/business/file", { before: again, file: business });
  assert.equal(readFileSync(join(north, "business.yaml"), "utf8"), business);
  assert.equal(readFileSync(join(north, "kept.yaml"), "utf8"), changed, "what a link leads to is not written");
  for (const [name, to] of [
    ["business.yaml", secret],
    ["public", outside.path],
    ["data/goodword.db", secret],
  ] as const) {
    const path = join(north, name);
    if (existsSync(path)) renameSync(path, `${path}.kept`);
    symlinkSync(to, path);
    for (const page of ["/business", "/online", "/reviews"]) {
      const { status, text } = await session.get(`/sites/north${page}`);
      assert.equal(status, 500, `${name} ${page}`);
      assert.doesNotMatch(text, /Elsewhere/);
    }
    if (name === "business.yaml")
      // also where the link comes after the request
      assert.throws(() => readBusinessYaml({ isOfSites: true, folder: north }), /leads out of the site's folder/);
    await assert.rejects(async () => alone.site(undefined), new RegExp(`${name} leads out of the site's folder`));
    await session.send("/sites/north/online", { address: "https://north.example" });
    unlinkSync(path);
    if (existsSync(`${path}.kept`)) renameSync(`${path}.kept`, path);
  }
  mkdirSync(join(north, "elsewhere"));
  symlinkSync("elsewhere", join(north, "public"));
  const refused = await session.send("/sites/north/online", { address: "https://north.example" });
  assert.match(refused.text, /public is a link out of the export/);
  assert.deepEqual(readdirSync(join(north, "elsewhere")), []);
  assert.deepEqual(readdirSync(outside.path), ["secret.yaml"]);
  assert.match(readFileSync(secret, "utf8"), /Elsewhere/);
  assert.equal((await session.get("/sites/north/reviews")).status, 200);
});

test("what was checked of business.yaml is published, whatever link comes into its place meanwhile", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "business.yaml");
  const text = "name: Northside\ntime_zone: America/Chicago\n";
  writeFileSync(path, text);
  writeFileSync(join(folder.path, "kept.yaml"), text.replace("Northside", "Elsewhere"));
  writeFileSync(join(folder.path, "reviews.csv"), CSV);
  const swap = () => {
    rmSync(path);
    symlinkSync("kept.yaml", path);
  };
  const own = readConfig({ DATABASE_URL: `sqlite:${join(folder.path, "data/goodword.db")}` });
  await using sites = openDeskSites(own, {}, { folder: folder.path, isOfSites: true });
  const site = (await sites.site(undefined)) ?? assert.fail();
  const published = async () => (await businessOf(site))?.name;

  const bytes = readBusinessBytes(site) ?? assert.fail();
  const handle = await open(join(folder.path, "reviews.csv"));
  const files = [{ name: "reviews.csv", handle, bytes: CSV.length }];
  await site.imports.check(files, { source: "google", business: { path, bytes } });
  await site.imports.ended();
  swap();
  assert.ok(site.imports.publish(site.imports.current()?.id ?? "", {}));
  await site.imports.ended();
  assert.equal(await published(), "Northside", "with the first import");

  const form = { fields: new URLSearchParams({ before: stampOf(text) }) };
  const swapped = {
    ...site,
    get config() {
      swap(); // it is asked for when the file is written
      return own;
    },
  };
  const request = { site: swapped, form, ...deskLocale("en") } as unknown as DeskRequest;
  await publishText(request, { before: text, text: text.replace("Northside", "Northside Two") });
  assert.equal(await published(), "Northside Two", "when it is saved");

  let looks = 0;
  const flipped = {
    ...site,
    get isOfSites() {
      looks += 1; // once for each reading of the file
      rmSync(path);
      writeFileSync(path, looks === 1 ? `${text}description: Not shown\n` : text);
      return true;
    },
  };
  form.fields.set("name", "Saved");
  const asked = { ...request, site: flipped, isPost: true, rest: [], isWindow: true };
  assert.equal((await answerBusiness(asked))?.status, 400);
  assert.equal(await published(), "Northside Two", "nothing that the form was not made from");
});

test("a pipe beside a site's store, or a store that can be read without end or fills the memory, holds no desk", async () => {
  using folder = temporaryFolder();
  for (const name of ["north", "south"]) {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, "business.yaml"), `name: ${name}\ntime_zone: America/Chicago\n`);
  }
  assert.equal((await run(folder.path, ["import", "north/business.yaml", "--site", "north", "--sites", "."])).code, 0);
  await using desk = await openDesk(folder.path, ["--sites", folder.path]);
  const session = await enter(desk);
  const before = /name="before" value="([^"]+)"/.exec((await session.get("/sites/north/business")).text)?.[1] ?? "";
  const refused = async (says: RegExp) => {
    const file = "name: Northside\ntime_zone: America/Chicago\n";
    for (const { status, text } of [
      await session.get("/sites/north/reviews"),
      await session.send("/sites/north/business/file", { before, file }),
    ]) {
      assert.equal(status, 500);
      assert.match(text, says);
    }
    assert.match((await session.get("/")).text, says);
    assert.equal((await session.get("/sites/south/reviews")).status, 200);
  };
  const store = join(folder.path, "north", "data", "goodword.db");
  for (const ending of ["journal", "wal"]) {
    rmSync(`${store}-${ending}`, { force: true });
    execFileSync("mkfifo", [`${store}-${ending}`]);
    await refused(new RegExp(`goodword.db-${ending} is no file. Put the store in its place, or remove it`));
    rmSync(`${store}-${ending}`);
  }
  const change = (statements: string) => {
    using database = new DatabaseSync(store);
    database.exec(statements);
  };
  change("update business set file = file || printf('%20000000s', '')");
  await refused(/The store holds more than goodword stores/);
  change("update business set file = trim(file)");
  change(`with recursive more(n) as (select 2 union all select n + 1 from more where n < 36)
    insert into change (number, at, command, files, added, changed, withdrawn, undone)
    select n, at, command, json_array(printf('%2000000s', '')), 0, 0, 0, 0 from change, more`);
  const history = await session.get("/sites/north/history");
  assert.equal(history.status, 500);
  assert.match(history.text, /The store holds more than goodword stores/);
  change("delete from change where number > 11");
  const shown = await session.get("/sites/north/history");
  assert.equal(shown.status, 200);
  assert.ok(shown.text.length < 100_000, "of a list of files, its beginning");
  change("delete from change where number > 1");
  {
    using database = new DatabaseSync(store);
    const endless = "with recursive c(n) as (select 1 union all select n + 1 from c) select n from c";
    database.exec(`alter table revision rename to former;
      create view revision as select * from former union all select 1, n, '' from (${endless}) where n < 0`);
  }
  await refused(/holds a (table|view) \w+ that goodword does not make/);
});

test("followed addresses are listed with their state, and fetched now", async () => {
  using folder = temporaryFolder();
  const server = createServer((_request, response) => void response.end(CSV));
  const { port, close } = await listening(server);
  await using _closing = { [Symbol.asyncDispose]: async () => await close() };
  const sources = `sources: [{ url: "http://127.0.0.1:${port}/a.csv", source: google }, { url: "http://127.0.0.1:1/x" }]`;
  writeFileSync(join(folder.path, "business.yaml"), `name: Northside\ntime_zone: America/Chicago\n${sources}\n`);
  assert.equal((await run(folder.path, ["import", "business.yaml"])).code, 0);
  await using desk = await openDesk(folder.path, [], { SOURCES_ALLOW: "127.0.0.0/8" });
  const session = await enter(desk);
  const before = (await session.get("/sources")).text;
  assert.match(before, />Fetch now<\/button>[\s\S]*127\.0\.0\.1:\d+\/a\.csv[\s\S]*Last try<\/th><td>none yet/);
  const fetched = (await session.send("/sources", {})).text;
  assert.match(fetched, /Just now: fetched and imported[\s\S]*role="alert"[^>]*><p>Just now: /);
  assert.match((await session.get("/reviews")).text, /Ann/);
  const [known] = JSON.parse((await run(folder.path, ["sources", "--json"])).stdout) as { next_at: string }[];
  const states = [...(await session.get("/sources")).text.matchAll(/(\w+ try)<\/th><td>([^<]*)/g)];
  assert.match(states[0]?.[2] ?? "", /^[\d-]+ [\d:]+: imported: 1 added, 0 changed, 0 withdrawn$/);
  assert.equal(states[1]?.[2], ownerTime(known?.next_at ?? "", "en", "America/Chicago"));
});

test("a backup that a killed desk has left waiting is removed by the next one", async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "tmp", "goodword-desk-999999999-x"), { recursive: true });
  await using desk = await openDesk(folder.path, [], { TMPDIR: join(folder.path, "tmp") });
  assert.equal((await enter(desk)).token.length, 43);
  assert.ok(!existsSync(join(folder.path, "tmp", "goodword-desk-999999999-x")));
});

test("subscribers are listed as by goodword subscriptions, and a desk without a store has none", async () => {
  using folder = temporaryFolder();
  await using desk = await openDesk(folder.path);
  const session = await enter(desk);
  assert.match((await session.get("/subscribers")).text, /There are no subscribers/);
  for (const path of [
    "/reviews",
    "/reviews/removed",
    "/findings",
    "/findings/corrected",
    "/history",
    "/sources",
    "/online",
  ])
    assert.equal((await session.get(path)).status, 200, path);
  assert.ok(!existsSync(join(folder.path, "goodword.db")), "looking makes no store");
});
