import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ENGINES, releaseEngines } from "../../test/support/engines.ts";
import { openSandbox } from "../../test/support/import-sandbox.ts";
import { openNoticeBench } from "../../test/support/notice-bench.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { restoreBackup } from "../../test/support/restoring.ts";
import { sourceKey } from "../follow/shown-source.ts";
import { ownWords } from "../lib/own-words.ts";
import { removeReviews } from "../maintenance/removal.ts";
import { changeToUndo, undoChange } from "../maintenance/undo.ts";
import { withdrawSource } from "../maintenance/withdrawal.ts";
import { digestText } from "../page/digest-page.ts";
import { readDigest } from "../publication/store-digest.ts";
import { FOLLOWING, openClaims } from "../store/claims.ts";
import { keepFollowedSource } from "../store/followed-source-rows.ts";
import { noteImportOutcome } from "../store/history/import-outcome-rows.ts";
import { backupStore, openStore, readBusiness, type Store } from "../store/store.ts";

releaseEngines();

const FIRST = ["1,5,2026-01-02,Cold again,google", "2,4,2026-01-03,Fine,google"];
const SECOND = ["3,1,2026-02-02,Rude,google", "4,5,2026-02-03,Great,google", "5,3,2026-02-01,,google"];

/** The digest that the command prints at eight on a day. */
async function readDigestText(store: Store, cadence: "weekly" | "monthly", day: string) {
  const now = new Date(`${day}T14:00:00Z`);
  const digest = await readDigest(store, { cadence, now, baseUrl: "https://reviews.example.com" });
  return digest && { text: digestText(digest) };
}

for (const { name, url } of ENGINES) {
  describe(name, () => {
    /** A bench after its quiet first import. */
    async function openBench(addresses: Readonly<Record<string, string>>, others = {}) {
      const bench = await openNoticeBench({ url: await url(), addresses, ...others });
      await bench.describe();
      await bench.take(FIRST);
      await bench.notifier.round();
      return bench;
    }

    const rows = async (bench: Awaited<ReturnType<typeof openBench>>) => {
      const { database } = bench.box.store;
      const notices = await database.selectFrom("notice").selectAll().execute();
      const reviews = await database.selectFrom("notice_review").selectAll().execute();
      const deliveries = await database.selectFrom("notice_delivery").selectAll().execute();
      return { notices: notices.length, reviews: reviews.length, deliveries: deliveries.length };
    };

    test("the first import of a store sends one message that says how many there are and quotes none", async () => {
      await using bench = await openBench({ a: "" });
      const [message, ...others] = bench.messages("a");
      assert.equal(others.length, 0);
      assert.deepEqual([message?.type, message?.added, message?.added_count], ["change", [], 2]);
      assert.match(message?.text ?? "", /the first import is published: 2 reviews/);
      assert.doesNotMatch(JSON.stringify(message), /Cold again|Fine/);
    });

    test("the first reviews that are published are told quietly, also when their source is verified later", async () => {
      await using bench = await openNoticeBench({ url: await url(), addresses: { a: "" } });
      await bench.describe();
      await bench.take(["8,1,2026-02-08,Late,yelp", "9,5,2026-02-09,Great,yelp"]);
      await bench.notifier.round();
      assert.equal(bench.messages("a").length, 0);
      await bench.describe(`${bench.yaml}verified_sources: [yelp]\n`);
      await bench.notifier.round();
      const [message] = bench.messages("a");
      assert.deepEqual([message?.added, message?.added_count], [[], 2]);
      assert.match(message?.text ?? "", /the first import is published: 2 reviews/);
    });

    test("one message for one change of the store, signed, with its reviews, figures and time", async () => {
      await using bench = await openBench({ a: "secret_env: KEY_NOTICES" });
      bench.pass(60);
      await bench.take([...SECOND, "2,4,2026-01-03,Fine indeed,google"]);
      await bench.notifier.round();
      await bench.notifier.round();
      const [, message, ...others] = bench.messages("a");
      assert.equal(others.length, 0);
      assert.equal(message?.at, bench.now().toISOString());
      assert.deepEqual([message?.business, message?.base_url], ["Northside Cooling", "https://reviews.example.com"]);
      assert.deepEqual([message?.added_count, message?.changed_count, message?.vanished_count], [3, 1, 0]);
      const published = (await bench.box.reviews()).filter(({ date }) => date > "2026-02");
      const expected = published.map((review) => ({
        ...review,
        url: `https://reviews.example.com/reviews/${review.id}`,
      }));
      assert.deepEqual(message?.added, expected);
      assert.deepEqual([message?.aggregate_rating.rating_value, message?.aggregate_rating.review_count], [3.6, 5]);
      const [{ headers, body } = assert.fail()] = bench.receivers.deliveries("/a").slice(1);
      const signature = createHmac("sha256", "the key").update(body).digest("hex");
      assert.equal(headers["x-goodword-signature"], `sha256=${signature}`);
      assert.deepEqual(await rows(bench), { notices: 0, reviews: 0, deliveries: 0 }, "nothing is left of it");
    });

    test("each address is told of what it wants, and of nothing else", async () => {
      await using bench = await openBench({ poor: "when: [poor]", vanished: "when: [vanished]", none: "when: []" });
      const count = (path: string) => bench.messages(path).length;
      assert.deepEqual(["poor", "vanished", "none"].map(count), [1, 0, 0], "the first import");
      await bench.take(["6,5,2026-02-04,Splendid,google"]);
      await bench.notifier.round();
      assert.deepEqual(["poor", "vanished", "none"].map(count), [1, 0, 0]);
      await bench.take(["7,3,2026-02-04,Meh,google"]);
      await bench.notifier.round();
      assert.deepEqual(["poor", "vanished", "none"].map(count), [2, 0, 0]);
    });

    test("an import that publishes nothing new tells nobody: unchanged, changed, withheld, without reviews", async () => {
      await using bench = await openBench({ a: "" });
      await bench.take(FIRST);
      await bench.take(["1,5,2026-01-02,Cold again and again,google"]);
      await bench.take(["9,1,2026-01-02,Not vouched for,yelp"]);
      await bench.describe(bench.yaml.replace("Cooling", "Heating"));
      await bench.notifier.round();
      assert.equal(bench.messages("a").length, 1);
    });

    test("an edit that makes a review poor is told to those who want the poor ones, and quoted", async () => {
      await using bench = await openBench({ poor: "when: [poor]", new: "when: [new]" });
      await bench.take(["1,2,2026-01-02,Warm again,google", "2,5,2026-01-03,Fine,google"]);
      await bench.notifier.round();
      const [, message, ...others] = bench.messages("poor");
      assert.equal(others.length, 0);
      assert.deepEqual([message?.added, message?.added_count, message?.changed_count], [[], 0, 2]);
      assert.match(message?.text ?? "", /: 1 review was edited and has three stars or fewer now\n[\s\S]*“Warm again”/);
      assert.equal(bench.messages("new").length, 1);
      await bench.take(["1,1,2026-01-02,Hot,google", "2,4,2026-01-03,Fine,google"]);
      await bench.take(["2,3,2026-01-03,Not so fine,google"]);
      const [fine] = await bench.box.reviews();
      await removeReviews(bench.box.store, [fine?.id ?? ""], { what: ["review"], now: bench.now() });
      await bench.notifier.round();
      assert.equal(bench.messages("poor").length, 2, "what was poor before, and what was removed meanwhile");
      assert.deepEqual(await rows(bench), { notices: 0, reviews: 0, deliveries: 0 });
    });

    test("a poor review is told as poor, in whatever way a change publishes it", async () => {
      await using bench = await openBench({ poor: "when: [poor]", new: "when: [new]" });
      const withColumns = (columns: string, row: string) => bench.box.write("more.csv", `${columns}\n${row}\n`);
      await bench.take(["8,1,2026-02-08,Late,yelp", "9,5,2026-02-09,Great,yelp", "10,2,2026-02-07,Hot,other"]);
      const marked = (verified: boolean) =>
        withColumns("id,rating,date,text,source,verified", `11,1,2026-02-06,Rude,facebook,${verified}`);
      await bench.box.take(marked(false), { now: bench.now() });
      await bench.notifier.round();
      assert.equal(bench.messages("new").length, 1, "none of them is published");
      const ways: readonly (readonly [() => Promise<unknown>, string[], RegExp])[] = [
        [
          async () => await bench.describe(`${bench.yaml}verified_sources: [google, yelp]\n`),
          ["Great", "Late"],
          /: 2 new reviews, 1 with three stars or fewer\n/,
        ],
        [
          async () => await bench.box.take(marked(true), { now: bench.now() }),
          ["Rude"],
          /: 1 new review, 1 with three stars or fewer\n/,
        ],
        [
          async () =>
            await bench.box.take(
              [withColumns("id,rating,date,text,source,verified", "10,1,2026-02-07,Hot,other,true")],
              { now: bench.now() },
            ),
          ["Hot"],
          /: 1 new review, 1 with three stars or fewer\n/,
        ],
      ];
      for (const [publish, texts, said] of ways) {
        await publish();
        await bench.notifier.round();
        for (const path of ["poor", "new"]) {
          const { added = [], added_count, text = "" } = bench.messages(path).at(-1) ?? {};
          assert.deepEqual([added.map((each) => each.text), added_count], [texts, texts.length], path);
          assert.match(text, said);
        }
      }
      assert.deepEqual([bench.messages("poor").length, bench.messages("new").length], [4, 4]);
    });

    test("a restore tells of the reviews that were never published here, and an undo of nothing", async () => {
      await using bench = await openBench({ poor: "when: [poor]", new: "when: [new]" });
      using folder = temporaryFolder();
      await using other = await openSandbox();
      const [older = "", newer = ""] = ["older.db", "newer.db"].map((file) => join(folder.path, file));
      const table = (...rows: string[]) => other.write("a.csv", ["id,rating,date,text,source", ...rows].join("\n"));
      await other.take([other.write("business.yaml", bench.yaml), table(...FIRST)], { now: bench.now() });
      await backupStore(other.store, older);
      await other.take(table("3,1,2026-02-02,Rude,google"), { now: bench.now() });
      await backupStore(other.store, newer);
      await restoreBackup(bench.box.store, newer, bench.now());
      await bench.notifier.round();
      for (const path of ["poor", "new"]) {
        const { added = [], added_count, text = "" } = bench.messages(path).at(-1) ?? {};
        assert.deepEqual([added.map((each) => each.text), added_count], [["Rude"], 1], path);
        assert.match(text, /: 1 new review, 1 with three stars or fewer\n/);
      }
      await restoreBackup(bench.box.store, older, bench.now());
      await restoreBackup(bench.box.store, newer, bench.now());
      await undoChange(bench.box.store, (await changeToUndo(bench.box.store)).number, bench.now());
      await undoChange(bench.box.store, (await changeToUndo(bench.box.store)).number, bench.now());
      await bench.notifier.round();
      assert.deepEqual([bench.messages("poor").length, bench.messages("new").length], [2, 2], "they are known");
      for (const [isDescribed, expected] of [
        [false, []],
        [true, [true]],
      ] as const) {
        await using fresh = await openSandbox(await url()); // a new store goes on with the backup's, which has told
        if (isDescribed) await fresh.take(fresh.write("business.yaml", bench.yaml));
        await restoreBackup(fresh.store, newer, bench.now());
        const notices = await fresh.store.database.selectFrom("notice").select("facts").execute();
        assert.deepEqual(
          notices.map(({ facts }) => JSON.parse(facts).isFirst),
          expected,
        );
      }
    });

    test("of many new reviews twenty are in the message, the poor ones among them, newest first", async () => {
      await using bench = await openBench({ a: "" });
      const many = Array.from(
        { length: 30 },
        (_, at) => `n${at},${at < 3 ? 2 : 5},2026-03-${String(at + 1).padStart(2, "0")},Text ${at},google`,
      );
      await bench.take(many);
      await bench.notifier.round();
      const { added = [], added_count, text = "" } = bench.messages("a")[1] ?? {};
      assert.deepEqual([added.length, added_count], [20, 30]);
      assert.deepEqual(
        added.slice(-3).map((each) => each.rating),
        [2, 2, 2],
      );
      assert.equal(added[0]?.date, "2026-03-30");
      assert.match(text, /30 new reviews, 3 with three stars or fewer/);
      assert.match(text, /And \d+ more\./);
    });

    test("a copy of a review from another source is no new review", async () => {
      await using bench = await openBench({ a: "" }, { business: "verified_sources: [google, yelp]\n" });
      const long = "They came within the hour and the house was cold again before the evening";
      await bench.box.take(
        bench.box.write("a.csv", `id,author,rating,date,text,source\n3,Ann,2,2026-02-02,${long},google\n`),
      );
      const copies = `id,author,rating,date,text,source\ny3,Ann,2,2026-02-02,${long},yelp\ny4,Bo,1,2026-02-02,Rude,yelp\n`;
      await bench.box.take(bench.box.write("b.csv", copies));
      await bench.notifier.round();
      const { added = [], added_count, text } = bench.messages("a")[2] ?? {};
      assert.deepEqual([added.map((each) => each.text), added_count], [["Rude"], 1]);
      assert.match(text ?? "", /1 new review, 1 with three stars/);
    });

    test("a message that waits has no word of a review that was removed or redacted meanwhile", async () => {
      await using bench = await openBench({ a: "" });
      await bench.take(SECOND);
      const [great, rude] = await bench.box.reviews();
      await removeReviews(bench.box.store, [rude?.id ?? ""], { what: ["review"], now: bench.now() });
      await removeReviews(bench.box.store, [great?.id ?? ""], { what: ["text"], now: bench.now() });
      assert.equal((await rows(bench)).reviews, 2, "and its id is forgotten");
      await bench.notifier.round();
      const { added = [], added_count, text } = bench.messages("a")[1] ?? {};
      assert.deepEqual([added.map((each) => each.text), added_count], [[null, null], 2]);
      assert.match(text ?? "", /2 new reviews, 1 with three stars/);
      assert.doesNotMatch(JSON.stringify(bench.messages("a")), /Rude|Great/);
    });

    test("a message that waits keeps its reviews when another time zone gives them other ids", async () => {
      await using bench = await openBench({ a: "" });
      await bench.take(["3,1,2026-02-02T03:00:00Z,Rude,google"]);
      await bench.describe(bench.yaml.replace("America/Chicago", "UTC"));
      await bench.notifier.round();
      const [, message] = bench.messages("a");
      assert.deepEqual(
        message?.added.map(({ date, text }) => `${date} ${text}`),
        ["2026-02-02 Rude"],
      );
    });

    test("a message that waits counts only the reviews that are still there, also those that it would not quote", async () => {
      await using bench = await openBench({ a: "" }, { business: "verified_sources: [google, yelp]\n" });
      const gone = Array.from({ length: 30 }, (_, at) => `y${at},${at < 25 ? 1 : 5},2026-03-01,Rude ${at},yelp`);
      await bench.take([...gone, "g1,2,2026-03-02,Late,google"]);
      await withdrawSource(bench.box.store, "yelp", bench.now());
      await bench.notifier.round();
      const { added = [], added_count, text = "" } = bench.messages("a")[1] ?? {};
      assert.deepEqual([added.map((each) => each.text), added_count], [["Late"], 1]);
      assert.match(text, /: 1 new review, 1 with three stars or fewer\n/);
      assert.doesNotMatch(text, /more/);
    });

    test("an address is not sent what is left of a message if that is nothing that it is told of", async () => {
      await using bench = await openBench({ poor: "when: [poor]", new: "when: [new]", vanished: "when: [vanished]" });
      await bench.notifier.round();
      const told = () => ["poor", "new", "vanished"].map((path) => bench.messages(path).length);
      const [poor = 0, fresh = 0, vanished = 0] = told();
      await bench.take(SECOND);
      const second = (await bench.box.reviews()).filter(({ date }) => date >= "2026-02-01" && date <= "2026-02-02");
      const ids = second.map(({ id }) => id); // the poor ones
      await removeReviews(bench.box.store, ids, { what: ["review"], now: bench.now() });
      await bench.notifier.round();
      assert.deepEqual(told(), [poor, fresh + 1, vanished], "what was poor was removed");
      assert.equal((await rows(bench)).deliveries, 0);
    });

    test("a message whose reviews were all removed, or whose import was undone, is not sent", async () => {
      await using bench = await openBench({ a: "" });
      await bench.take(["3,1,2026-02-02,Rude,google"]);
      const [rude] = await bench.box.reviews();
      await removeReviews(bench.box.store, [rude?.id ?? ""], { what: ["review"], now: bench.now() });
      await bench.take(["4,5,2026-02-03,Great,google"]);
      const [change] = await bench.box.store.database
        .selectFrom("change")
        .selectAll()
        .orderBy("number", "desc")
        .execute();
      await undoChange(bench.box.store, change?.number ?? 0, bench.now());
      await bench.notifier.round();
      assert.equal(bench.messages("a").length, 1);
      assert.deepEqual(await rows(bench), { notices: 0, reviews: 0, deliveries: 0 });
    });

    test("a failed message is tried again over a day with growing waits, with the same id, and then given up", async () => {
      await using bench = await openBench({ a: "", b: "" });
      bench.receivers.behave("/a", (_, response) => response.writeHead(500).end("customer words of another server"));
      await bench.take(SECOND);
      const begun = bench.now().getTime();
      const tries: number[] = [];
      for (let seconds = 0; seconds < 26 * 3600; seconds += 10) {
        const before = bench.messages("a").length;
        await bench.notifier.round();
        if (bench.messages("a").length > before) tries.push((bench.now().getTime() - begun) / 1000);
        const [waiting] = await bench.box.store.database.selectFrom("notice_delivery").select("due_at").execute();
        if (waiting === undefined) break;
        const due = Math.floor((Date.parse(waiting.due_at) - bench.now().getTime()) / 1000);
        bench.pass(Math.max(10, due)); // nothing happens before it is due
      }
      assert.deepEqual(tries, [0, 10, 70, 370, 2170, 9370, 30970, 84970]);
      const sent = bench.messages("a").slice(1);
      assert.equal(new Set(sent.map(({ id }) => id)).size, 1);
      assert.equal(bench.messages("b").length, 2, "the other address waits for nobody");
      const last = bench.events.at(-1);
      assert.ok(last?.event === "given up" && last.reason === "It answered 500");
      const kept = await bench.box.store.database.selectFrom("notice_address").selectAll().execute();
      assert.deepEqual(kept.map(({ outcome }) => outcome).toSorted(), [
        "given up: It answered 500",
        "sent: It answered 204",
      ]);
    });

    test("Retry-After is waited for, and what comes meanwhile waits for the address, too", async () => {
      await using bench = await openBench({ a: "" });
      bench.receivers.behave("/a", (_, response) => response.writeHead(429, { "Retry-After": "100" }).end());
      await bench.take(SECOND);
      await bench.notifier.round();
      await bench.take(["8,2,2026-02-08,Late,google"]);
      await bench.notifier.round();
      assert.equal(bench.messages("a").length, 3, "the second change is tried once");
      bench.pass(99);
      await bench.notifier.round();
      assert.equal(bench.messages("a").length, 3);
      bench.receivers.behave("/a", () => false);
      bench.pass(2);
      await bench.notifier.round();
      const ids = bench.messages("a").map(({ id }) => id);
      assert.deepEqual([ids.length, new Set(ids).size], [5, 3]);
    });

    test("a message waits for the edition that its links lead to, but not for ever", async () => {
      let served = 0;
      await using bench = await openBench({ a: "" }, { notifier: { servedRevision: () => served } });
      await bench.notifier.round();
      assert.equal(bench.messages("a").length, 0);
      served = Number.POSITIVE_INFINITY;
      await bench.notifier.round();
      assert.equal(bench.messages("a").length, 1);
      served = 0;
      await bench.take(SECOND);
      bench.pass(31);
      await bench.notifier.round();
      assert.equal(bench.messages("a").length, 2);
    });

    test("redirects are not followed, private addresses are not contacted", async () => {
      await using bench = await openBench({ a: "" });
      bench.receivers.behave("/a", (_, response) => response.writeHead(302, { Location: `${bench.origin}/b` }).end());
      await bench.take(SECOND);
      await bench.notifier.round();
      assert.equal(bench.receivers.deliveries("/b").length, 0);
      const inside = "https://10.0.0.1/x";
      await bench.describe(bench.yaml.replace(`${bench.origin}/a`, inside));
      await bench.take(["8,2,2026-02-08,Late,google"]);
      await bench.notifier.round();
      const last = bench.events.at(-1);
      assert.ok(last?.event === "failed");
      assert.match(last.reason, /cannot be used, or is not public/);
    });

    test("what waits for an address that business.yaml no longer has is forgotten", async () => {
      await using bench = await openBench({ a: "", b: "" });
      bench.receivers.behave("/a", (_, response) => response.writeHead(500).end());
      await bench.take(SECOND);
      await bench.notifier.round();
      await bench.describe(bench.yaml.replace(/.*\/a".*\n/, ""));
      await bench.take(["8,2,2026-02-08,Late,google"]);
      await bench.notifier.round();
      assert.deepEqual(await rows(bench), { notices: 0, reviews: 0, deliveries: 0 });
      assert.deepEqual([bench.messages("a").length, bench.messages("b").length], [2, 3]);
    });

    test("what an import tells an address that it brings is not forgotten by a round that was waiting for it", async () => {
      await using bench = await openBench({ a: "" });
      const claims = openClaims(bench.box.store);
      const take = async (ids: readonly number[]) => {
        await bench.describe(`${bench.yaml}  - { to: "${bench.origin}/b" }\n`);
        await bench.take(["8,2,2026-02-08,Late,google"]);
        return await claims.take(ids);
      };
      await using other = bench.open({ claims: { ...claims, take } });
      await bench.take(SECOND);
      await other.notifier.round();
      await claims.close();
      await bench.notifier.round();
      assert.deepEqual([bench.messages("a").length, bench.messages("b").length], [3, 1]);
    });

    test("an address that takes its time for each of many messages does not hold up the others", async () => {
      await using bench = await openBench({ slow: "", quick: "when: [new]" });
      const told = bench.messages("quick").length;
      for (let at = 0; at < 6; at++)
        await noteImportOutcome(bench.box.store, at % 2 === 0 ? "refused" : "imported", {
          now: bench.now(),
          isFollowed: false,
        });
      bench.receivers.behave("/slow", (_arrival, response) => {
        bench.pass(6);
        response.writeHead(204).end();
      });
      const before = bench.messages("slow").length;
      await bench.notifier.round();
      assert.equal(bench.messages("slow").length - before, 2, "as many as begin in ten seconds");
      await bench.take(SECOND);
      await bench.notifier.round();
      assert.equal(bench.messages("quick").length - told, 1);
      while (bench.messages("slow").length - before < 7) await bench.notifier.round();
      assert.deepEqual(await rows(bench), { notices: 0, reviews: 0, deliveries: 0 });
    });

    test("what is new for an address does not wait for hundreds of older messages to another", async () => {
      await using bench = await openBench({ slow: "", quick: "when: [new]" });
      for (let at = 0; at < 200; at++)
        await noteImportOutcome(bench.box.store, at % 2 === 0 ? "refused" : "imported", {
          now: new Date(bench.now().getTime() - 1_000 + at),
          isFollowed: false,
        });
      bench.receivers.behave("/slow", (_arrival, response) => {
        bench.pass(6);
        response.writeHead(204).end();
      });
      await bench.take(SECOND);
      await bench.notifier.round();
      assert.equal(bench.messages("quick").length, 2);
    });

    test("at most 500 messages wait for an address: the oldest are dropped", async () => {
      await using bench = await openBench({ a: "" });
      const { store } = bench.box;
      for (let at = 0; at < 502; at++)
        await noteImportOutcome(store, at % 2 === 0 ? "refused" : "imported", {
          now: new Date(bench.now().getTime() + at),
          isFollowed: false,
        });
      const { deliveries, notices } = await rows(bench);
      assert.deepEqual([deliveries, notices], [500, 500]);
    });

    test("reviews that a complete export lacks are told, with the dates of the imports", async () => {
      await using bench = await openBench({ a: "when: [vanished]" });
      bench.pass(86_400);
      await bench.take(["1,5,2026-01-02,Cold again,google"], { complete: true, yes: true });
      await bench.notifier.round();
      const [message, ...others] = bench.messages("a");
      assert.equal(others.length, 0);
      const [vanished = assert.fail()] = message?.vanished ?? [];
      assert.deepEqual([message?.vanished_count, message?.vanished.length], [1, 1]);
      const { source, rating, date, url, had_last_at, lacked_first_at } = vanished;
      assert.deepEqual([source, rating, date, url], ["google", 4, "2026-01-03", null], "it was withdrawn");
      assert.deepEqual([had_last_at, lacked_first_at], ["2026-11-21T12:00:00.000Z", "2026-11-22T12:00:00.000Z"]);
      assert.match(message?.text ?? "", /1 review is missing from a complete export/);
      assert.match(
        message?.text ?? "",
        /In the import of November 21, 2026, missing since that of November 22, 2026\./,
      );
    });

    test("a digest comes on Mondays at eight in the business's time zone, or on the first of the month, once", async () => {
      await using bench = await openBench({ a: "when: [], digest: weekly", b: "when: [], digest: monthly" });
      await bench.take(SECOND.map((row) => row.replaceAll("2026-02-0", "2026-11-1"))); // in the weeks before
      const arrivals = { a: [] as string[], b: [] as string[] };
      bench.pass(7_140);
      for (let day = 0; day < 36; day++) {
        for (const seconds of [60, 86_340]) {
          await bench.notifier.round();
          for (const path of ["a", "b"] as const)
            if (bench.messages(path).length > arrivals[path].length) arrivals[path].push(bench.now().toISOString());
          bench.pass(seconds);
        }
      }
      const weeks = ["2026-11-23", "2026-11-30", "2026-12-07", "2026-12-14", "2026-12-21"];
      assert.deepEqual(
        arrivals.a,
        weeks.map((day) => `${day}T14:00:00.000Z`),
      );
      assert.deepEqual(arrivals.b, ["2026-12-01T14:00:00.000Z"]);
      const [week, , other] = bench.messages("a");
      assert.deepEqual([week?.type, week?.added, week?.aggregate_rating.review_count], ["digest", [], 5]);
      assert.notEqual(week?.id, other?.id);
      const { text = "" } = (await readDigestText(bench.box.store, "weekly", weeks[0] ?? "")) ?? {};
      assert.equal(week?.text, text);
      assert.match(text, /2 reviews of three stars or fewer have no reply/);
    });

    test("a digest that another process has sent meanwhile is not sent again", async () => {
      await using bench = await openBench({ a: "when: [], digest: weekly" });
      const claims = openClaims(bench.box.store);
      const take = async (ids: readonly number[]) => {
        await bench.notifier.round();
        return await claims.take(ids);
      };
      await using other = bench.open({ claims: { ...claims, take } });
      bench.pass(3 * 86_400);
      await other.notifier.round();
      await claims.close();
      assert.deepEqual(
        bench.messages("a").map(({ type }) => type),
        ["digest"],
      );
    });

    describe("trouble", () => {
      const texts = (bench: Awaited<ReturnType<typeof openBench>>) =>
        bench
          .messages("a")
          .slice(1)
          .map(({ type, text }) => `${type}: ${text.split("\n")[0]}`);

      test("a refused import: one message when it starts, and one when it ends", async () => {
        await using bench = await openBench({ a: "", b: "when: [new]" });
        for (const outcome of ["refused", "failed", "refused", "unchanged", "imported"] as const) {
          await noteImportOutcome(bench.box.store, outcome, { now: bench.now(), isFollowed: false });
          await bench.notifier.round();
        }
        await noteImportOutcome(bench.box.store, "refused", { now: bench.now(), isFollowed: true });
        await bench.notifier.round();
        assert.deepEqual(texts(bench), [
          "trouble: Northside Cooling: an import was refused or failed. What is published has stayed as it was.",
          "trouble: Northside Cooling: imports are accepted again.",
        ]);
        assert.equal(bench.messages("b").length, 1);
      });

      test("a followed source that fails three times, named by its host and key", async () => {
        const followed = 'sources:\n  - { url: "https://example.com/secret/reviews.csv?key=1", every: 1h }\n';
        await using bench = await openBench({ a: "" }, { business: followed });
        const claims = openClaims(bench.box.store);
        const [claim = assert.fail()] = await claims.take([FOLLOWING]);
        const [source = assert.fail()] = (await readBusiness(bench.box.store.database))?.sources ?? [];
        const row = { key: sourceKey(source), next_at: "", etag: null, last_modified: null };
        for (const failures of [1, 2, 3, 4, 0, 0]) {
          const outcome = ownWords`failed: It answered with 500`;
          const last_at = bench.now().toISOString();
          await keepFollowedSource(bench.box.store, claim, { ...row, failures, outcome, last_at });
          await bench.notifier.round();
        }
        await claims.close();
        const [began, ended, ...others] = texts(bench);
        assert.match(
          began ?? "",
          /the followed source example\.com \([0-9a-f]{8}\) failed 3 times in a row\. failed: It answered with 500$/,
        );
        assert.match(ended ?? "", /the followed source example\.com \([0-9a-f]{8}\) can be imported again\.$/);
        assert.equal(others.length, 0);
        assert.doesNotMatch(JSON.stringify(bench.messages("a")), /secret|reviews\.csv/);
      });

      test("a nearly full disk, until there is clearly room again", async () => {
        let free = 1e12;
        await using bench = await openBench({ a: "" }, { freeBytes: () => free });
        for (free of [400e6, 300e6, 510e6, 700e6, 800e6]) {
          bench.pass(60);
          await bench.notifier.round();
        }
        assert.deepEqual(texts(bench), [
          "trouble: Northside Cooling: the disk of the store is nearly full: 400 MB are free.",
          "trouble: Northside Cooling: the disk of the store has room again.",
        ]);
      });

      test("deliveries to subscribers that stand still", async () => {
        await using bench = await openBench({ a: "" });
        const { database } = bench.box.store;
        const row = {
          id: "aa",
          shard: 0,
          topic: "/feed.xml",
          callback: "https://a.example/",
          origin: "https://a.example",
        };
        const rest = {
          site: "a.example",
          version: 1,
          secret: null,
          lease_ends_at: "2027-01-01T00:00:00.000Z",
          failures: 1,
        };
        await database
          .insertInto("subscription")
          .values({ ...row, ...rest, due_at: bench.now().toISOString(), acknowledged: null })
          .execute();
        for (const seconds of [800, 200, 60]) {
          bench.pass(seconds);
          await bench.notifier.round();
        }
        await database.updateTable("subscription").set({ due_at: null }).execute();
        bench.pass(60);
        await bench.notifier.round();
        assert.deepEqual(texts(bench), [
          "trouble: Northside Cooling: deliveries to subscribers are at a standstill: one has been due for more than 15 minutes.",
          "trouble: Northside Cooling: deliveries to subscribers go on.",
        ]);
      });
    });
  });
}

for (const { name, url } of ENGINES) {
  test(`of two processes one sends, and the other takes over: ${name}`, async () => {
    using folder = temporaryFolder();
    const given = name === "SQLite" ? `sqlite:${join(folder.path, "goodword.db")}` : await url();
    await using bench = await openNoticeBench({ url: given, addresses: { a: "" } });
    const other = await openStore(given);
    try {
      await bench.describe();
      await using second = bench.open({}, other);
      const arrived = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<void>();
      bench.receivers.behave("/a", async (_, response) => {
        arrived.resolve();
        await answered.promise;
        response.writeHead(204).end();
      });
      await bench.take(FIRST);
      const sending = bench.notifier.round();
      await arrived.promise;
      assert.equal(await second.notifier.round(), false, "while one sends, the other leaves it alone");
      answered.resolve();
      await sending;
      assert.equal(await second.notifier.round(), true);
      assert.equal(bench.messages("a").length, 1);
      await bench.take(SECOND);
      await second.notifier.round();
      assert.equal(bench.messages("a").length, 2);
    } finally {
      await other.close();
    }
  });
}
