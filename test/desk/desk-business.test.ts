/**
 * What the desk says of the business: what undoing puts back, what business.yaml says otherwise than what is published,
 * which reviews wait for their source, and how the page looks. One desk with sites, in English and German.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type DeskSession, enter, type OpenDesk, openDesk } from "../support/desk.ts";
import { run, temporaryFolder } from "../support/program.ts";
import { roundsOf } from "../support/test-runs.ts";
import { until } from "../support/within.ts";

const PUBLISHED = "# ours\nname: Northside Cooling # as on the van\ntime_zone: America/Chicago\n";
const ROWS = "id,author,rating,date,text\na,Ann,5,2025-01-02,Quick and clean\nb,Bob,2,2025-01-03,Late\n";
const SAID = {
  en: {
    differs: /business\.yaml says otherwise than what is published/,
    change: /This undoes change 5, change of the business at /,
    fields: ["Telephone: +1 312 555 0142 → (nothing)", "Monday: 08:00–12:00 → (nothing)", "Color: #0b5cad → (nothing)"],
    stay: "No review leaves your pages, and none returns.",
    follows: /The business is as it was before, in business\.yaml, too\./,
    stays: /business\.yaml on your disk stays as it is/,
    again: "Telephone: (nothing) → +1 312 555 0142",
    take: "Take what is published into this form and business.yaml",
    keep: "Keep what business.yaml says, and publish it",
    about: /about: Telephone, Monday, Color\./,
    ask: /<h1>Save what the file says otherwise, too\?<\/h1>/,
    taken: /Taken over: the form and business\.yaml say what is published/,
    noLonger: "“Sources whose reviews are published”, no longer: google",
    back: "“Sources whose reviews are published”, new: google",
    pages: "Your pages lose none and get back 2 reviews.",
  },
  de: {
    differs: /In business\.yaml steht etwas anderes, als veröffentlicht ist/,
    change: /Das nimmt Änderung 5, Änderung des Betriebs vom /,
    fields: ["Telefon: +1 312 555 0142 → (nichts)", "Montag: 08:00–12:00 → (nichts)", "Farbe: #0b5cad → (nichts)"],
    stay: "Von Ihren Seiten verschwindet keine Bewertung, und keine kommt zurück.",
    follows: /wieder wie vorher, auch in business\.yaml\./,
    stays: /business\.yaml auf der Platte bleibt/,
    again: "Telefon: (nichts) → +1 312 555 0142",
    take: "Das Veröffentlichte übernehmen, in dieses Formular und in business.yaml",
    keep: "Behalten, was in business.yaml steht, und es veröffentlichen",
    about: /: Telefon, [^<]*Montag[^<]*\./,
    ask: /<h1>Auch speichern, was in der Datei anders steht\?<\/h1>/,
    taken: /Übernommen: Im Formular und in business\.yaml steht, was veröffentlicht ist/,
    noLonger: "„Quellen, deren Bewertungen veröffentlicht werden“, nicht mehr: google",
    back: "„Quellen, deren Bewertungen veröffentlicht werden“, neu: google",
    pages: "Ihre Seiten verlieren keine und bekommen 2 Bewertungen zurück.",
  },
} as const;

describe("the desk of a business", () => {
  const folder = temporaryFolder();
  let desk: OpenDesk;
  let session: DeskSession;

  before(async () => {
    desk = await openDesk(folder.path, ["--sites", folder.path]);
    session = await enter(desk);
  });
  after(async () => {
    await desk[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const hidden = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? "";

  /** A new site with a business.yaml, and its pages. */
  async function openSite(name: string, yaml: string) {
    await session.send("/", { name });
    const path = `/sites/${name}`;
    const get = async (page: string) => (await session.get(`${path}/${page}`)).text.replaceAll("&quot;", '"');
    const send = async (page: string, fields: Parameters<DeskSession["send"]>[1]) =>
      (await session.send(`${path}/${page}`, fields)).text;
    const write = async (file: string) =>
      await send("business/file", { before: hidden(await get("business"), "before"), file });
    const check = async (rows: string, fields = {}) =>
      await send("import", { files: new File([rows], "rows.csv"), ...fields });
    const publish = async (checked: string) => await send("import/publish", { id: hidden(checked, "id") });
    const undo = async () => await send("history/undo", { number: hidden(await get("history/undo"), "number") });
    const undoByCommand = async () => {
      assert.equal((await run(folder.path, ["undo", "--yes", "--site", name, "--sites", "."])).code, 0);
    };
    await write(yaml);
    return { get, send, write, check, publish, undo, undoByCommand, file: join(folder.path, name, "business.yaml") };
  }

  for (const language of roundsOf(["de", "en"] as const))
    test(`undoing says which fields go back and how many reviews return, and the form takes over what is published (${language})`, async () => {
      const said = SAID[language];
      const published = `${PUBLISHED}language: ${language}\n`;
      const { get, send, write, check, publish, undo, undoByCommand, file } = await openSite(language, published);
      await publish(await check(ROWS, { source: "google" }));
      const odd = `${published}\n\nurl:   https://northside.example\n`;
      await write(odd);
      await publish(await check(`${ROWS}z,Zoe,4,2025-01-04,Kind\n`, { source: "google" }));
      await undo();
      assert.equal(readFileSync(file, "utf8"), odd, "undoing what was no change of the business leaves the file alone");
      await undo();
      const more = `${published}telephone: "+1 312 555 0142"\ncolor: "#0b5cad"\nopening_hours: [{ days: [Monday], opens: "08:00", closes: "12:00" }]\n`;
      await write(more);
      assert.doesNotMatch(await get("business"), said.differs, "nothing is undone yet");
      const asked = await get("history/undo");
      assert.match(asked, said.change);
      for (const line of [said.stay, ...said.fields]) assert.ok(asked.includes(line), line);
      assert.match(await undo(), said.follows);
      assert.equal(readFileSync(file, "utf8"), published, "the file was in step, and follows; comments stay");
      assert.doesNotMatch(await get("business"), said.differs);
      await write(more);
      await undoByCommand();
      const shown = await get("business");
      assert.match(shown, said.differs);
      for (const line of [said.again, said.take, said.keep]) assert.ok(shown.includes(line), line);
      assert.match(shown, said.about);
      const typed = { before: hidden(shown, "before"), name: "Northside Heating", telephone: "+1 312 555 0142" };
      const asking = await send("business", typed);
      assert.match(asking, said.ask);
      assert.ok(asking.replaceAll("&quot;", '"').includes(said.again), "with what would be published again");
      assert.equal(readFileSync(file, "utf8"), more, "nothing is saved before the answer");
      assert.match(await send("business/published", { before: hidden(shown, "before") }), said.taken);
      assert.equal(readFileSync(file, "utf8"), published, "comments stay");
      assert.doesNotMatch(await get("business"), said.differs);
      await write(more);
      await undoByCommand();
      await send("business/keep", { before: hidden(await get("business"), "before") });
      assert.equal(readFileSync(file, "utf8"), more, "the file stays as it is");
      assert.doesNotMatch(await get("business"), said.differs, "and is published");
      const other = more.replace("0142", "0143");
      writeFileSync(file, other);
      assert.match(await undo(), said.stays);
      assert.equal(readFileSync(file, "utf8"), other, "what was never published is not overwritten");
      await send("business", { ...typed, before: hidden(await get("business"), "before"), decided: "on" });
      assert.match(readFileSync(file, "utf8"), /Northside Heating[\s\S]*0142/, "saved after the answer");
      await write(published);
      assert.ok((await write(`${published}verified_sources: [first_party]\n`)).includes(said.noLonger));
      const back = await get("history/undo");
      for (const line of [said.back, said.pages]) assert.ok(back.includes(line), line);
    });

  test("business.yaml follows a backup that is restored, where it said what was published", async () => {
    const { get, send, write, file } = await openSite("restored", PUBLISHED);
    const site = ["--site", "restored", "--sites", "."];
    assert.equal((await run(folder.path, ["backup", "restored.db", ...site])).code, 0);
    await write(PUBLISHED.replace("Chicago", "Denver"));
    const backup = new File([readFileSync(join(folder.path, "restored.db"))], "restored.db");
    const restore = async () => {
      const asked = await send("history/restore", { backup });
      return await send("history/restore/confirmed", { id: hidden(asked, "id") });
    };
    assert.match(await restore(), /The business is as the backup has it, in business\.yaml, too\./);
    assert.equal(readFileSync(file, "utf8"), PUBLISHED);
    assert.doesNotMatch(await get("business"), SAID.en.differs);
    await write(PUBLISHED.replace("Chicago", "Denver"));
    const other = PUBLISHED.replace("Chicago", "Phoenix");
    writeFileSync(file, other);
    assert.match(await restore(), /as the backup has it; business\.yaml on your disk stays as it is/);
    assert.equal(readFileSync(file, "utf8"), other);
    rmSync(file);
    assert.match(
      await send("history/undo", { number: hidden(await get("history/undo"), "number") }),
      /as it was before\.</,
    );
    assert.ok(!existsSync(file), "none is made where there was none");
  });

  test("what was done is named, and what an undo passes over leads to its own page", async () => {
    const { get, send, write, check, publish, file } = await openSite("named", PUBLISHED);
    const rows = ROWS.replace("text\n", "text,owner_reply_text\n").replaceAll(/(clean|Late)\n/g, "$1,\n");
    await publish(await check(`${rows}c,,5,2025-01-04,Fair price,Thank you\n`, { source: "google" }));
    const history = await get("history");
    assert.match(
      history,
      /This undoes number 2 \(Import\)\. Removals and corrections[^<]*<a href="\/sites\/named\/reviews/,
    );
    assert.equal((await get("reviews")).match(/>Hide name</g)?.length, 2, "an unnamed customer has no name to hide");
    assert.match(await get("reviews"), /Fair price<\/p><div class="reply">[\s\S]*Thank you/);
    const findings = await get("findings");
    const aspect = hidden(findings, "aspect");
    const done = await send("findings/correct", { id: hidden(findings, "id"), aspect, is: "none" });
    assert.match(done, /Corrected: “[^”]+” in the review by (Ann|Bob|A Google user) counts as “Not said”\./);
    assert.match(
      await get("history"),
      /number 2 \(Import\)\. <strong>The newest change, number 3 \(Finding corrected\), stays[^<]*<\/strong> <a href="\/sites\/named\/findings\/corrected">/,
    );
    const [, id = ""] = /\/reviews\/([0-9A-Z]{26})\/remove/.exec(await get("reviews")) ?? [];
    const removed = await send(`reviews/${id}/remove`, {});
    assert.match(removed, /Removed 1 review\.<\/p>/, "the number of a revision says nothing to an owner");
    assert.match(
      await get("history"),
      /newest change, number 4 \(Removal\), stays[^<]*<\/strong> <a [^>]*reviews\/removed">/,
    );
    const month = await send("", {});
    assert.match(month, /All reviews: 2 reviews/);
    assert.doesNotMatch(month, /localhost/, "nobody answers there while no server runs");
    const hint = /\(312\) 555-0142 has no country code/;
    const local = `${PUBLISHED}telephone: (312) 555-0142\n`;
    assert.match(await write(local), hint);
    assert.doesNotMatch(await write(`${local}price_range: $$\n`), hint, "it is said once");
    writeFileSync(file, local.replace("0142", "0143"));
    const notice = { before: hidden(await get("notices"), "before"), to: "owner@example.com", when: "new" };
    assert.match(await send("notices", notice), /Say first on the page “Business” which of them counts/);
    assert.match(await get("online"), new RegExp(`${join(import.meta.dirname, "../..")}/docs[^<]*owners\\.md`));
  });

  test("a folder that is older than the last change is said to be, and the words about writing it are not shown again", async () => {
    const { get, send, write, check, publish } = await openSite("folder", PUBLISHED);
    await publish(await check(ROWS, { source: "google" }));
    assert.match(await get(""), /on this machine alone[\s\S]*How to put it online/);
    await send("online", { address: "https://north.example" });
    await until(async () => /Now upload all that is in this folder/.test(await get("online")));
    assert.match(await get(""), /The folder for https:\/\/north\.example holds all of it as it is now/);
    const saved = await write(`${PUBLISHED}telephone: "+1 312 555 0142"\n`);
    assert.match(saved, /Saved\. To show it online, write the folder again/);
    assert.doesNotMatch(await get("online"), /Now upload/);
    for (const page of ["", "online"]) assert.match(await get(page), /is older than the last change: write it again/);
  });

  test("columns and dates that were chosen for a table are chosen for the next one like it", async () => {
    const { get, send, check } = await openSite("tables", PUBLISHED);
    const odd = "Who,Marks,On,Said\nAnn,5,03/04/2025,Quick\nBob,4,05/06/2025,Good\n";
    const asked = await check(`${odd}Total,9,,\n`, { source: "google" });
    assert.match(asked, /id="dates"[\s\S]*Day first: 03\/04 = April 3, 2025/, "before it is asked for");
    assert.match(asked, /aria-invalid="true"[^>]*><option value="">– choose a column –<[\s\S]*No column has a name/);
    const chosen = { column_rating: "Marks", column_author: "Who", column_date: "On", column_text: "Said" };
    const settled = await send("import", { source: "google", dates: "dmy", ...chosen });
    assert.match(settled, /Added<\/th><td>2</, "a row of sums says nothing of the scale");
    await send("import/cancel", {});
    const next = await check(`${odd}Cy,3,07/08/2025,Late\n`, { source: "google" });
    assert.match(next, /It is read as you chose before for a file with the same columns/);
    assert.match(next, /Added<\/th><td>3<[\s\S]*>Publish</);
    assert.match(next, /<option value="Marks" selected>[\s\S]*<option value="Who" selected>/);
    assert.match(next, /<option value="dmy" selected>/);
    await send("import/cancel", {});
    assert.doesNotMatch(await check(ROWS, { source: "google" }), /as you chose before/);
    assert.match(await get("import"), /Added<\/th><td>2</);
  });

  test("reviews of a source that nobody names are said to be assumed, and lead to the field where sources are chosen", async () => {
    const { get, send, check, publish, file } = await openSite("cards", PUBLISHED);
    const checked = await check(ROWS);
    assert.match(checked, /role="note"><p><strong>Neither the files nor you say where they were written \(2 records\)/);
    assert.match(checked, /count as first_party[^<]*<\/strong> <a href="#source">Where were they written\?/);
    assert.match(await publish(checked), /none of them is published[\s\S]*business#verified_sources/);
    const start = await get("");
    assert.match(start, /<h1>Next: say which reviews are yours to publish<\/h1>[\s\S]*first_party \(2\)/);
    assert.match(start, /href="\/sites\/cards\/business#verified_sources">Choose the sources/);
    const form = await get("business");
    assert.match(
      form,
      /id="verified_sources"[\s\S]*not published, because their source is missing here: first_party \(2\)/,
    );
    const sources = { name: "Northside Cooling", verified_sources: "google\nfirst_party" };
    const saved = await send("business", { before: hidden(form, "before"), ...sources });
    assert.match(saved, /Saved on this machine\.[^<]*without one, nobody sees it/);
    assert.match(saved, /“Sources whose reviews are published”, new: first_party/);
    assert.doesNotMatch(saved, /source is missing here/);
    assert.match(readFileSync(file, "utf8"), /verified_sources: \[ google, first_party \]/);
    assert.match(await get(""), /<h1>Your page is ready<\/h1>[\s\S]*href="\/sites\/cards\/look\/"/);
    assert.match(await check(ROWS, { source: "google" }), /<p>Written at google: 2 records, as you say\./);
    const less = await check("id,author,rating,date\na,Ann,5,2025-01-02\n", { source: "first_party", complete: "on" });
    assert.match(
      less,
      /role="alert"><p>This would withdraw[^<]*<[\s\S]*name="yes" required/,
      "asked before publishing",
    );
    writeFileSync(join(folder.path, "new.csv"), "id,author,rating,date,source\nn,New,5,2025-03-02,first_party\n");
    assert.equal((await run(folder.path, ["import", "new.csv", "--site", "cards", "--sites", "."])).code, 0);
    const overtaken = { id: hidden(less, "id"), yes: "on" };
    const anew = await send("import/publish", overtaken);
    const counted = /This would withdraw (\d+) of/;
    assert.equal(Number(counted.exec(anew)?.[1]), Number(counted.exec(less)?.[1]) + 1, "more is asked anew");
    assert.match(anew, /name="yes" required/);
    assert.match(await send("import/publish", overtaken), /name="yes" required/, "by a form that did not name it");
    assert.match(
      await check(`${ROWS.replace("text\n", "text,source\n")}c,Cy,5,2025-01-02,Hm,yelp\n`),
      /Written at yelp: 1 record, as the files say/,
    );
  });

  test("a business.yaml that was changed after the check is not published with the first reviews unseen", async () => {
    const path = join(folder.path, "beside");
    mkdirSync(path);
    writeFileSync(join(path, "business.yaml"), PUBLISHED);
    const checked = await session.send("/sites/beside/import", {
      files: new File([ROWS], "rows.csv"),
      source: "google",
    });
    writeFileSync(join(path, "business.yaml"), PUBLISHED.replace("Cooling", "Heating"));
    const publish = async (text: string) =>
      (await session.send("/sites/beside/import/publish", { id: hidden(text, "id") })).text;
    const again = await publish(checked.text);
    assert.match(again, /business\.yaml was changed meanwhile/);
    const published = await publish(again);
    assert.match(published, /stored on this machine\.[^<]*without one, nobody sees them/);
    assert.doesNotMatch(published, /are published/, "nothing is, while no server runs");
    assert.match((await session.get("/sites/beside/business")).text, /Northside Heating/);
  });

  test("the page is looked at as it is published, and a removed review keeps its stars, day and source alone", async () => {
    const { get, send, check, publish } = await openSite("look", PUBLISHED);
    await publish(await check(ROWS, { source: "google" }));
    const look = async () => {
      let answer = await session.get("/sites/look/look/");
      await until(async () => {
        answer = await session.get("/sites/look/look/");
        return answer.status !== 303; // it is being drawn
      });
      return answer.text;
    };
    const page = await look();
    assert.match(page, /role="note">This is your page as it is published/);
    assert.match(page, /Quick and clean/);
    assert.doesNotMatch(page, /(?:href|action)="(?:https?:|\/(?!sites\/look\/look\/assets\/))/);
    const [, style = ""] = /href="(\/sites\/look\/look\/assets\/style[^"]*\.css)"/.exec(page) ?? [];
    assert.equal((await session.get(style)).status, 200);
    assert.equal((await session.get("/sites/look/look/nowhere")).status, 404);
    const [id = ""] = /[0-9A-Z]{26}/.exec(await get("reviews?search=Late")) ?? [];
    await check(`${ROWS}c,Cy,4,2025-01-04,Polite\n`, { source: "google" });
    assert.match(await get("import/preview/"), /Polite[\s\S]*Late/);
    await send(`reviews/${id}/remove`, {});
    assert.doesNotMatch(await look(), /Late/, "it is drawn again after a change");
    await get("import/preview/");
    assert.match(await get("import"), /Something has changed what is published since/);
    let preview = "";
    await until(async () => {
      preview = await get("import/preview/");
      return preview.includes("Polite");
    });
    assert.doesNotMatch(preview, /Late/, "so is what an import would make of it");
    const removed = await get("reviews/removed");
    assert.match(
      removed,
      /The whole review<\/strong>[\s\S]*aria-label="2[\s\S]*Jan 3, 2025[\s\S]*Google[\s\S]*Allow again/,
    );
    assert.doesNotMatch(removed, /Bob|Late/);
  });

  test("the first form says beside a field what its word looks like, before a wrong one is given", async () => {
    const { text } = await session.send("/", { name: "first" });
    for (const [name, hint] of [
      ["category", /HVACBusiness for heating and cooling/],
      ["time_zone", /from the list .*, such as America\/New_York for Boston/],
      ["language", /en-US/],
    ] as const) {
      assert.ok(text.includes(`name="${name}"`) && text.includes(`aria-describedby="hint-${name}"`), name);
      assert.match(new RegExp(`id="hint-${name}">([^<]*)<`).exec(text)?.[1] ?? "", hint);
    }
  });
});
