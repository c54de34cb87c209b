/** What the buttons of the desk's pages do, and what its tables say: as the commands do and say it. */
import assert from "node:assert/strict";
import { lchownSync, lstatSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { subscription } from "../../../test/support/hub-rows.ts";
import { openSandbox, type Sandbox } from "../../../test/support/import-sandbox.ts";
import { listCorrections } from "../../store/correction-rows.ts";
import { readHistory } from "../../store/history/change-rows.ts";
import { changeSubscription, listSubscriptions } from "../../store/subscription-rows.ts";
import { readConfig } from "../config.ts";
import { ownerTime } from "../owner/owner-time.ts";
import { answerBusiness } from "./desk-business.ts";
import { stampOf } from "./desk-business-file.ts";
import { answerFindings } from "./desk-findings.ts";
import type { UploadedFile } from "./desk-form.ts";
import { type DeskHandler, type DeskRequest, deskLocale } from "./desk-frame.ts";
import { answerHistory } from "./desk-history.ts";
import { answerImport } from "./desk-import.ts";
import { answerNotices } from "./desk-notices.ts";
import { answerOnline } from "./desk-online.ts";
import { answerReviews } from "./desk-reviews.ts";
import { openDeskSites } from "./desk-sites.ts";
import { answerSubscribers } from "./desk-subscribers.ts";

const ROWS = [
  'a,Ann,5,2025-01-02,"They came on time and the price was fair.",google',
  'b,Bob,1,2025-01-03,"Too expensive, and he was late.",google',
];

describe("a page of the desk", () => {
  let box: Sandbox;
  let sites: ReturnType<typeof openDeskSites>;
  before(async () => {
    box = await openSandbox(async (folder) => `sqlite:${join(folder, "goodword.db")}`);
    box.write("in/business.yaml", "name: Northside\ntime_zone: America/Chicago\ncategory: HVACBusiness\n");
    await box.take(dirname(box.write("in/reviews.csv", `id,author,rating,date,text,source\n${ROWS.join("\n")}\n`)));
    const config = readConfig({ DATABASE_URL: box.url });
    sites = openDeskSites(config, {}, { folder: box.folder, isOfSites: false });
  });
  after(async () => {
    await sites[Symbol.asyncDispose]();
    await box[Symbol.asyncDispose]();
  });

  async function asked(
    answer: DeskHandler,
    path: string,
    sent?: Readonly<Record<string, string>>,
    files: UploadedFile[] = [],
  ): Promise<Response> {
    const site = (await sites.site(undefined)) ?? assert.fail();
    const form = { fields: new URLSearchParams(sent), files };
    const common = {
      token: "t",
      isWindow: true,
      hasSites: false,
      query: new URLSearchParams(),
      timeZone: "Asia/Tokyo",
      ...deskLocale("en"),
    };
    const rest = path === "" ? [] : path.split("/");
    const request = { ...common, isPost: sent !== undefined, form, rest, site };
    const answered = (await answer(request as unknown as DeskRequest)) ?? assert.fail();
    await site.works.current()?.ended;
    return answered;
  }

  const shown = async (answer: DeskHandler, path = "") => await (await asked(answer, path)).text();

  /** What the page of imports says of a file that it has checked. */
  async function checked(content: string | Uint8Array, sent: Readonly<Record<string, string>> = {}): Promise<string> {
    const path = box.write("upload.csv", content);
    const file = { name: "upload.csv", handle: await open(path), bytes: content.length };
    await asked(answerImport, "", sent, [file]);
    await sites.site(undefined).then((site) => site?.imports.ended());
    const page = await shown(answerImport);
    await asked(answerImport, "cancel", {});
    return page.replaceAll("&quot;", '"');
  }

  /** The cells of a table, by their heads. */
  const rowsOf = (page: string) =>
    [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].flatMap(([, row = ""]) => {
      const cells = [...row.matchAll(/data-head="([^"]*)">(.*?)<\/t[hd]>/gs)];
      return cells.length === 0
        ? []
        : [Object.fromEntries(cells.map(([, head, cell = ""]) => [head, cell.replaceAll(/<[^>]*>/g, "")]))];
    });

  test("a fault in a form is said at the top of its page, with a link to the field that it is beside", async () => {
    const before = stampOf("name: Northside\ntime_zone: America/Chicago\ncategory: HVACBusiness\n");
    box.write("business.yaml", "name: Northside\ntime_zone: America/Chicago\ncategory: HVACBusiness\n");
    for (const [answer, path, sent, id, label] of [
      [answerBusiness, "", { before, "hours.Saturday": "9 to late" }, "hours-Saturday", "Saturday"],
      [answerBusiness, "file", { before, file: "name: [\n" }, "file", "business.yaml"],
      [answerOnline, "", { address: "https://example.com/reviews" }, "address", "Address of your page"],
      [answerNotices, "", { before, to: "nowhere" }, "to", "Where to"],
      [answerImport, "", {}, "files", "Files"],
      [answerHistory, "restore", {}, "backup", "Backup"],
    ] as const) {
      const answered = await asked(answer, path, sent);
      const page = await answered.text();
      assert.equal(answered.status, 400, label);
      assert.match(page, /<title>Fault: /, label);
      const summary = /<h1>[^<]*<\/h1>\s*<div class="faults" role="alert">(.*?)<\/div>/s.exec(page)?.[1] ?? "";
      assert.match(summary, /Nothing was saved/, label);
      assert.ok(summary.includes(`<a href="#${id}">${label}</a>: `), `${label}: ${summary}`);
      assert.match(page, new RegExp(`<(?:input|textarea)[^>]* id="${id}"[^>]* aria-invalid="true"`), label);
      assert.match(page, new RegExp(` id="${id}"[^>]* aria-describedby="fault-${id}[ "]`), label);
      assert.match(page, new RegExp(`<div class="faults" id="fault-${id}">`), label);
      assert.equal(page.match(/role="alert"/g)?.length, 1, "it is announced once");
    }
  });

  test("a link in the place of business.yaml is followed if it is the owner's own, and no other user's", {
    skip: process.getuid?.() === 0 ? false : "only root gives a link to another user",
  }, async () => {
    const text = (zone: string) => `name: Northside\ntime_zone: ${zone}\ncategory: HVACBusiness\n`;
    const kept = box.write("kept.yaml", text("America/Chicago"));
    const path = join(box.folder, "business.yaml");
    rmSync(path, { force: true });
    symlinkSync(kept, path);
    const save = async (before: string, file: string) =>
      (await asked(answerBusiness, "file", { before: stampOf(before), file, decided: "on" })).status;
    assert.equal(await save(text("America/Chicago"), text("America/Denver")), 303);
    assert.equal(readFileSync(kept, "utf8"), text("America/Denver"));
    lchownSync(path, 65_534, 65_534);
    assert.equal(await save(text("America/Denver"), text("America/Phoenix")), 303);
    assert.equal(readFileSync(kept, "utf8"), text("America/Denver"), "what the other user's link leads to");
    assert.equal(readFileSync(path, "utf8"), text("America/Phoenix"));
    assert.ok(lstatSync(path).isFile());
    await save(text("America/Phoenix"), text("America/Chicago"));
  });

  test("one press vouches for reviews that customers gave directly, and the check goes on", async () => {
    const business = "name: Northside\ntime_zone: America/Chicago\ncategory: HVACBusiness\n";
    box.write("business.yaml", business);
    const path = box.write("upload.csv", "author,rating,date,text\nAnn,5,2025-01-05,Good\n");
    const file = { name: "upload.csv", handle: await open(path), bytes: 99 };
    await asked(answerImport, "", { source: "first_party" }, [file]);
    await sites.site(undefined).then((site) => site?.imports.ended());
    const page = await shown(answerImport);
    assert.match(page, /name first_party under/);
    const [, before = ""] = /action="\/business\/vouch"[^>]*>.*?name="before" value="([^"]+)"/s.exec(page) ?? [];
    assert.equal((await asked(answerBusiness, "vouch", { before: "another" })).status, 400);
    const answered = await asked(answerBusiness, "vouch", { before });
    assert.deepEqual([answered.status, answered.headers.get("location")], [303, "/import"]);
    assert.match(
      readFileSync(join(box.folder, "business.yaml"), "utf8"),
      /verified_sources: \[ ?google, first_party ?\]/,
    );
    const then = await shown(answerImport);
    assert.match(
      then,
      /Now first_party is among your sources\. Nothing of these files is published yet: press “Publish”/,
    );
    assert.doesNotMatch(then, /\/business\/vouch|name first_party under/);
    await asked(answerImport, "cancel", {});
    box.write("business.yaml", business);
    const answeredLater = await asked(answerBusiness, "vouch", { before: stampOf(business) });
    assert.equal(answeredLater.headers.get("location"), "/", "without files that wait");
    box.write("business.yaml", business);
  });

  test("a message that names a column is beside its field, which is in sight", async () => {
    const page = await checked(
      "Customer,Rating,Date,Job,Description\nAnn,5,2025-01-05,1,Replaced the compressor\nBo,1,2025-01-06,2,Serviced the old unit\n",
    );
    assert.match(page, /no column is known to hold the customers.{1,5} words/);
    const form = page.slice(page.indexOf('id="column_rating"'));
    assert.doesNotMatch(page.slice(0, page.indexOf('id="column_text"')), /<details>\s*<summary>Say which column/);
    assert.match(form, /<select id="column_text"[^>]* aria-describedby="fault-column_text column_text-hint"/);
    assert.match(form, /id="fault-column_text"><p>[^<]*customers.{1,5} words/);
    assert.doesNotMatch(form, /id="fault-column_date"/);
  });

  test("encodings that read a sample alike are one line, which begins with the odd word, and the one that is named is chosen", async () => {
    const page = await checked(
      Buffer.from("author,rating,date,text\nAnn,5,2025-01-05,The caf\u00e9 was good\n", "latin1"),
    );
    const [, named = ""] = /id="encoding"[\s\S]*?<option value="([\w-]+)" selected>/.exec(page) ?? [];
    assert.equal(named, "windows-1252");
    const [, select = ""] = /<select id="encoding"[^>]*>(.*?)<\/select>/s.exec(page) ?? [];
    const lines = [...select.matchAll(/>([^<]{2,})<\/option>/g)].map(([, line = ""]) => line);
    const samples = lines.map((line) => line.replace(/ \([\w-]+\)$/, ""));
    assert.deepEqual(samples, [...new Set(samples)]);
    for (const line of samples) assert.match(line, /^caf/, line);
  });

  test("says that a file was refused, and that a check compares and does not write", async () => {
    assert.match(await checked("nothing of a review\n"), /1 file was refused: it cannot be read as it is/);
    const site = (await sites.site(undefined)) ?? assert.fail();
    const progress = async (state: string) => {
      const current = () => ({ state, files: [], settings: {}, progress: { phase: "writing", read: 30, written: 20 } });
      const request = {
        isPost: false,
        rest: ["progress"],
        site: { ...site, imports: { current } },
        ...deskLocale("en"),
      };
      return (await (await answerImport(request as unknown as DeskRequest))?.text()) ?? "";
    };
    assert.match(await progress("checking"), /30 records read, 20 reviews compared/);
    assert.match(await progress("publishing"), /30 records read, 20 reviews written/);
  });

  test("reviews that are not published lead to the field in which their source is vouched for", async () => {
    const page = await checked("author,rating,date,text,source\nAnn,5,2025-01-05,Fine work,yelp\n");
    const link = '<a href="/business#verified_sources">Sources whose reviews are published</a>';
    assert.match(page, new RegExp(`1 review from yelp is kept but not published[^<]*${link}`));
  });

  test("corrects a finding to what its button says", async () => {
    const id = (await box.reviews()).find(({ author }) => author === "Bob")?.id ?? "";
    const article = [...(await shown(answerFindings)).matchAll(/<article class="finding">.*?<\/article>/gs)]
      .map(([text]) => text)
      .find((text) => text.includes(`value="${id}"`) && text.includes('name="aspect" value="pricing"'));
    const buttons = [...(article ?? "").matchAll(/name="is" value="(\w+)"[^>]*>([^<]*)</g)];
    const values = Object.fromEntries(buttons.map(([, is, label]) => [label, is]));
    for (const [label, is] of [
      ["It is praise", "positive"],
      ["It is criticism", "negative"],
      ["Not said", "none"],
    ] as const) {
      await asked(answerFindings, "correct", { id, aspect: "pricing", is: String(values[label]) });
      assert.deepEqual(
        (await listCorrections(box.store.database)).map((each) => [each.id, each.aspect, each.is]),
        [[id, "pricing", is]],
        label,
      );
    }
  });

  test("hides a name or words, and allows each again", async () => {
    const of = async (id: string) => (await box.reviews()).find((each) => each.id === id);
    const [one, other] = await box.reviews();
    await asked(answerReviews, `${one?.id}/hide-name`, {});
    await asked(answerReviews, `${other?.id}/hide-words`, {});
    assert.deepEqual(await of(one?.id ?? ""), { ...one, author: "Customer" });
    assert.deepEqual(await of(other?.id ?? ""), { ...other, text: null });
    assert.equal((await shown(answerReviews, "removed")).match(/>Allow again</g)?.length, 2);
    await asked(answerReviews, "allow", { id: one?.id ?? "" });
    const left = await shown(answerReviews, "removed");
    assert.equal(left.match(/>Allow again</g)?.length, 1);
    assert.match(left, /<strong>The words<\/strong>/);
    await box.take(join(box.folder, "in"));
    assert.deepEqual(await of(one?.id ?? ""), one, "the next import brings it back");
    assert.equal((await of(other?.id ?? ""))?.text, null, "and leaves out what is not allowed");
  });

  test("tells what changed the store, with its counts, and what was undone", async () => {
    const more = box.write("more.csv", "id,author,rating,date,text,source\nc,Cy,4,2025-01-04,Fine,google\n");
    await box.take(more);
    const newest = async () => rowsOf(await shown(answerHistory))[0] ?? {};
    const { Number: number, When = "", What, Added, Changed, Files, ...rest } = await newest();
    assert.deepEqual([What, Added, Changed, rest["Taken out"]], ["Import", "1", "0", "0"]);
    assert.match(Files ?? "", /more\.csv/);
    const [now] = await readHistory(box.store.database);
    assert.equal(When, ownerTime(now?.at ?? "", "en", "Asia/Tokyo"), "in the time zone of the business");
    const title = `Undo change ${number}: Import, ${When}?`;
    assert.ok((await shown(answerHistory, "undo")).includes(`<h1>${title}</h1>`), title);
    await asked(answerHistory, "undo", { number: number ?? "" });
    const undone = rowsOf(await shown(answerHistory)).find((row) => row.Number === number);
    assert.match(undone?.What ?? "", /undone/);
  });

  test("says beside its button which change is undone", async () => {
    const page = await shown(answerHistory);
    const asked = await shown(answerHistory, "undo");
    const [, number = ""] = /This undoes number (\d+) \(/.exec(page) ?? [];
    assert.ok(number !== "" && asked.includes(`<h1>Undo change ${number}: `), asked.slice(0, 2000));
  });

  test("lists subscribers with all that `goodword subscriptions` tells", async () => {
    const now = Date.now();
    const lease = { secret: undefined, endsAt: new Date(now + 60_000), failures: 2, dueAt: new Date(now + 30_000) };
    const id = "01HM2K40000000000000000000";
    await changeSubscription(box.store.database, id, () => subscription(id, { lease }));
    const [line] = await listSubscriptions(box.store, new Date());
    assert.ok(line);
    const time = (at: string | null) => ownerTime(at ?? "", "en", "Asia/Tokyo");
    const { callback_host, topic, state, lease_ends_at, failures, next_attempt_at } = line;
    assert.deepEqual(rowsOf(await shown(answerSubscribers)), [
      {
        Host: callback_host,
        Topic: topic,
        State: state,
        "Lease ends": time(lease_ends_at),
        Failures: String(failures),
        "Next attempt": time(next_attempt_at),
        "In the log": line.id,
      },
    ]);
  });
});
