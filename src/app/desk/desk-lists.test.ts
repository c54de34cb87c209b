/** The long lists of the desk: each page holds a part of one, each entry is on one page, and "Older" leads through them. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { subscription } from "../../../test/support/hub-rows.ts";
import { openSandbox, type Sandbox } from "../../../test/support/import-sandbox.ts";
import { insertMany } from "../../store/engine/insert-many.ts";
import { changeSubscription } from "../../store/subscription-rows.ts";
import { readConfig } from "../config.ts";
import { answerFindings } from "./desk-findings.ts";
import { type DeskHandler, type DeskRequest, deskLocale } from "./desk-frame.ts";
import { answerHistory } from "./desk-history.ts";
import { answerNotices } from "./desk-notices.ts";
import { answerReviews } from "./desk-reviews.ts";
import { answerSites } from "./desk-site-list.ts";
import { openDeskSites } from "./desk-sites.ts";
import { answerSubscribers } from "./desk-subscribers.ts";

/** More than two pages of the longest ones hold. */
const COUNT = 210;
const ids = Array.from({ length: COUNT }, (_, at) => `01HM2K4000${String(at).padStart(16, "0")}`);
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();

describe("a long list of the desk", () => {
  let box: Sandbox;
  let sites: ReturnType<typeof openDeskSites>;
  before(async () => {
    box = await openSandbox(async (folder) => `sqlite:${join(folder, "goodword.db")}`);
    const published = Array.from(
      { length: 50 },
      (_, place) => `p${place},Ann,5,2026-01-0${1 + (place % 2)},Fine,google\n`,
    );
    const table = box.write("in/reviews.csv", `id,author,rating,date,text,source\n${published.join("")}`);
    box.write("in/business.yaml", "name: Northside\ntime_zone: America/Chicago\n");
    await box.take(dirname(table));
    const { database } = box.store;
    const named = { source: "google", rating: 5 };
    // Several at the same time: the time alone does not say where a page ends.
    const rows = ids.map((id, place) => ({ id, at: at(Math.floor(place / 7)), ...named }));
    await insertMany(database, "removal", { rows: rows.map((row) => ({ ...row, what: "review" })) });
    const finding = { aspect: "technical_knowledge", was: "negative", is: "none", note: null } as const;
    const words = { text_key: "ab".repeat(32), evidence_from: 0, evidence_to: 4 };
    await insertMany(database, "correction", { rows: rows.map(({ id, at }) => ({ id, at, ...finding, ...words })) });
    const gone = ids.map((id, place) => ({ id, ...named, change: 1, until_change: null, ...timesOf(place) }));
    await insertMany(database, "vanished_review", { rows: gone });
    await insertMany(database, "withdrawn_review", {
      rows: ids.map((id) => ({ id, source: "google", withdrawn_by: 1 })),
    });
    const counts = { added: 0, changed: 0, withdrawn: 0, undone: 0 };
    const none = { files: "[]", business_before: null, places_before: null, saved_bytes: null };
    await insertMany(database, "change", {
      rows: ids.map((_, place) => ({ number: place + 2, at: at(place), command: "remove", ...counts, ...none })),
    });
    const lease = { secret: undefined, endsAt: new Date(Date.now() + 60_000), failures: 0, dueAt: undefined };
    for (const id of ids) await changeSubscription(database, id, () => subscription(id, { lease }));
    const folder = join(box.folder, "sites");
    for (const id of ids.slice(0, 60)) mkdirSync(join(folder, `s${id.toLowerCase()}`), { recursive: true });
    const config = { ...readConfig({ DATABASE_URL: box.url }), SITES: folder };
    sites = openDeskSites(config, {}, { folder: box.folder, isOfSites: false });
  });
  after(async () => {
    await sites[Symbol.asyncDispose]();
    await box[Symbol.asyncDispose]();
  });

  async function asked(answer: DeskHandler, rest: readonly string[], more: object): Promise<Response> {
    const site = (await sites.site(undefined)) ?? assert.fail();
    const common = {
      isPost: false,
      form: { fields: new URLSearchParams() },
      token: "t",
      isWindow: true,
      hasSites: false,
    };
    const request = { ...common, rest, site, query: new URLSearchParams(), ...deskLocale("en"), ...more };
    return (await answer(request as unknown as DeskRequest)) ?? assert.fail();
  }

  const shown = async (answer: DeskHandler, rest: readonly string[], query = "") =>
    await (await asked(answer, rest, { query: new URLSearchParams(query) })).text();

  for (const { path, answer, count = COUNT, length, entry } of [
    { path: "reviews", answer: answerReviews, count: 50, length: 20, entry: /\/reviews\/(\w{26})\/remove"/g },
    { path: "reviews/removed", answer: answerReviews, length: 20, entry: /name="id" value="(\w{26})"/g },
    { path: "reviews/vanished", answer: answerReviews, length: 50, entry: /data-head="Customer"><bdi>(\w{26})</g },
    { path: "findings/corrected", answer: answerFindings, length: 20, entry: /name="id" value="(\w{26})"/g },
    { path: "history", answer: answerHistory, count: COUNT + 1, length: 100, entry: /data-head="Number">(\d+)</g },
    { path: "subscribers", answer: answerSubscribers, length: 100, entry: /data-head="Host">(\w{26})/g },
    { path: "", answer: answerSites, count: 60, length: 50, entry: /href="\/sites\/(\w+)\/"/g },
  ])
    test(`of ${path || "sites"} has ${length} on a page, and all on its pages, once each`, async () => {
      const [, ...rest] = path.split("/");
      const found: string[] = [];
      for (let query: string | undefined = ""; query !== undefined; ) {
        const text = await shown(answer, rest, query);
        const here = [...text.matchAll(entry)].map(([, id]) => id ?? "");
        assert.equal(here.length, Math.min(length, count - found.length), query);
        found.push(...here);
        query = /rel="next" href="[^"?]*\?([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
      }
      assert.equal(new Set(found).size, count);
    });

  test("is gone on with on its page after something was done there", async () => {
    const second = new URLSearchParams(
      /rel="next" href="[^"?]*\?([^"]+)"/.exec(await shown(answerReviews, ["removed"]))?.[1],
    );
    const text = await shown(answerReviews, ["removed"], String(second));
    assert.equal(text.match(/name="after" value="([^"]+)"/)?.[1], second.get("after"));
    const fields = new URLSearchParams({ id: ids[0] ?? "", after: second.get("after") ?? "" });
    const answered = await asked(answerReviews, ["allow"], { isPost: true, form: { fields } });
    assert.equal(answered.headers.get("Location"), `/reviews/removed?${second}`);
  });

  test("begins anew where an address tells no place in it", async () => {
    for (const [answer, rest] of [
      [answerReviews, ["removed"]],
      [answerReviews, []],
      [answerHistory, []],
      [answerFindings, ["corrected"]],
      [answerSubscribers, []],
    ] as const)
      for (const query of ["after=", "after=x", "after=_"])
        assert.match(await shown(answer, rest, query), /<h1>/, `${rest.join("/")} ${query}`);
    assert.match(await shown(answerHistory, [], "after=x"), new RegExp(`>${COUNT + 1}<`));
  });

  test("of what vanished is cut on the page of messages, which tells their number and leads to all", async () => {
    const text = await shown(answerNotices, []);
    assert.match(text, /210 reviews that an import had/);
    assert.equal(text.match(/data-head="Stars"/g)?.length, 20);
    assert.match(text, /href="\/reviews\/vanished">All that have vanished/);
    assert.doesNotMatch(text, /21\. /, "the appeal names those that are shown");
  });
});

/** When a review was seen last and missed first, several at a time. */
function timesOf(place: number) {
  return { had_last_at: at(0), lacked_first_at: at(Math.floor(place / 7)), returned_at: null };
}
