import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import fc, { tries } from "../../test/support/properties.ts";
import { EXPORT_SETS } from "../../test/support/shared-data.ts";
import { readBusiness, readRevision } from "../store/store.ts";
import { checkPaths, type ImportReport } from "./importer.ts";

const counts = ({ read, added, changed, unchanged, withdrawn, refused }: ImportReport) => ({
  read,
  added,
  changed,
  unchanged,
  withdrawn,
  refused,
});
const BUSINESS = "name: Test Air\ntime_zone: America/Chicago\n";

test("importPaths() of the same files again changes nothing, not even the revision", async () => {
  await using box = await openSandbox();
  const page = box.write("reviews.json", takeoutPage(takeoutReview("a"), takeoutReview("b")));
  const first = await box.take(page);
  const rows = await box.rows();
  const second = await box.take(page);
  assert.deepEqual(counts(first), { read: 2, added: 2, changed: 0, unchanged: 0, withdrawn: 0, refused: 0 });
  assert.deepEqual(counts(second), { read: 2, added: 0, changed: 0, unchanged: 2, withdrawn: 0, refused: 0 });
  assert.deepEqual([first.revision, first.revised, second.revision, second.revised], [1, true, 1, false]);
  assert.deepEqual(await box.rows(), rows);
});

test("importPaths() takes over an edit, keeps the id, and raises the revision by one", async () => {
  await using box = await openSandbox();
  await box.take(box.write("old.json", takeoutPage(takeoutReview("a"), takeoutReview("b"))));
  const [before] = await box.rows();
  const edit = { comment: "Better now", starRating: "FOUR", updateTime: "2024-06-01T00:00:00Z" };
  const report = await box.take(box.write("new.json", takeoutPage(takeoutReview("a", edit), takeoutReview("b"))));
  assert.deepEqual(counts(report), { read: 2, added: 0, changed: 1, unchanged: 1, withdrawn: 0, refused: 0 });
  assert.equal(report.revision, 2);
  const edited = (await box.reviews()).find(({ text }) => text === "Better now");
  assert.equal(edited?.rating, 4);
  assert.ok((await box.rows()).some(({ id }) => id === before?.id));
});

test("importPaths() of an older export after a newer one takes nothing back", async () => {
  await using box = await openSandbox();
  const old = box.write("old.json", takeoutPage(takeoutReview("a")));
  const edit = { comment: "Better now", updateTime: "2024-06-01T00:00:00Z" };
  await box.take(box.write("new.json", takeoutPage(takeoutReview("a", edit))));
  const report = await box.take(old);
  assert.deepEqual(counts(report), { read: 1, added: 0, changed: 0, unchanged: 1, withdrawn: 0, refused: 0 });
  assert.equal((await box.reviews())[0]?.text, "Better now");
});

test("importPaths() keeps what an export does not carry, and empties what it knows to be empty", async () => {
  await using box = await openSandbox();
  await box.take(
    box.write("a.csv", "id,rating,date,text,source,source_url\nx,5,2024-05-06,Fine,google,https://example.com/x\n"),
  );
  await box.take(box.write("b.csv", "id,rating,date,source\nx,4,2024-05-06,google\n"));
  const [kept] = await box.reviews();
  assert.deepEqual([kept?.rating, kept?.text, kept?.source_url], [4, "Fine", "https://example.com/x"]);
  await box.take(box.write("c.csv", "id,rating,date,source,text\nx,4,2024-05-06,google,\n"));
  assert.equal((await box.reviews())[0]?.text, null);
});

test("importPaths() derives the id anew when the date changes", async () => {
  await using box = await openSandbox();
  await box.take(box.write("a.csv", "id,rating,date\nx,5,2024-05-06\n"), { source: "google" });
  const report = await box.take(box.write("b.csv", "id,rating,date\nx,5,2024-05-16\n"), { source: "google" });
  assert.deepEqual(counts(report), { read: 1, added: 0, changed: 1, unchanged: 0, withdrawn: 0, refused: 0 });
  const rows = await box.rows();
  assert.equal(rows.length, 1);
  await using fresh = await openSandbox();
  await fresh.take(fresh.write("b.csv", "id,rating,date\nx,5,2024-05-16\n"), { source: "google" });
  assert.deepEqual(await fresh.rows(), rows);
});

describe("importPaths() of tables without ids", () => {
  const first = `author,rating,date,text
Dana,5,2024-05-06,They came the same evening and stayed late
Kim,2,2024-05-07,Too dear
Kim,3,2024-05-07,And too late
`;

  test("takes a table without authors for the reviews whose words it has, and adds only others", async () => {
    await using box = await openSandbox();
    await box.take(box.write("a.csv", first), { source: "google" });
    const table = "rating,date,text\n5,2024-05-06,They came the same evening and stayed late\n4,2024-05-09,New\n";
    const report = await box.take(box.write("b.csv", table), { source: "google" });
    assert.deepEqual([report.added, report.unchanged], [1, 1]);
    assert.equal((await box.reviews()).filter(({ date }) => date === "2024-05-06").length, 1);
    const other = await box.take(box.write("c.csv", table.replaceAll("05-06", "05-16")), { source: "google" });
    assert.equal(other.added, 1, "the same words on another day are another review");
  });

  test("warns of an edited text that has become a second review, and of nothing else", async () => {
    await using box = await openSandbox();
    const begun = await box.take(box.write("a.csv", first), { source: "google" });
    assert.doesNotMatch(begun.warnings.join(), /another one beside it/);
    const [older] = (await box.reviews()).filter(({ author }) => author === "Dana");
    const edited = await box.take(box.write("b.csv", first.replace("late\nKim", "late. Thanks!\nKim")), {
      source: "google",
    });
    assert.equal(edited.added, 1);
    const said = edited.warnings.filter((warning) => warning.includes("another one beside it"));
    assert.equal(said.length, 1);
    assert.match(
      said[0] ?? "",
      new RegExp(`^1 review has .* It is ${older?.id} \\(Dana, 2024-05-06\\)\\. A column id`),
    );
  });
});

describe("importPaths() --complete", () => {
  test("withdraws what the run's sources lack, and nothing of other sources", async () => {
    await using box = await openSandbox();
    await box.take(box.write("yelp.csv", "id,rating,date,source,verified\ny,3,2024-01-01,yelp,yes\n"));
    await box.take(box.write("all.json", takeoutPage(takeoutReview("a"), takeoutReview("b"), takeoutReview("c"))));
    const report = await box.take(box.write("less.json", takeoutPage(takeoutReview("b"))), {
      complete: true,
      yes: true,
    });
    assert.deepEqual(counts(report), { read: 1, added: 0, changed: 0, unchanged: 1, withdrawn: 2, refused: 0 });
    assert.deepEqual((await box.reviews()).map(({ source }) => source).toSorted(), ["google", "yelp"]);
  });

  test("is refused together with faults, without reviews, and for exports that are never whole", async () => {
    await using box = await openSandbox();
    await box.take(box.write("all.json", takeoutPage(takeoutReview("a"))));
    const faulty = box.write("faulty.json", takeoutPage(takeoutReview("a"), takeoutReview("b", { starRating: "SIX" })));
    const [skipped] = await box.refusal(faulty, { complete: true, skipInvalid: true });
    assert.match(skipped ?? "", /cannot be complete: some of it was refused/);
    const [empty] = await box.refusal(box.write("empty.json", takeoutPage()), { complete: true });
    assert.match(empty ?? "", /cannot be complete: it holds no reviews/);
    const places = { reviews: [{ publishTime: "2024-01-01T00:00:00Z", rating: 5, authorAttribution: {} }] };
    const [partial] = await box.refusal(box.write("places.json", places), { complete: true });
    assert.match(partial ?? "", /cannot be complete: the Places API \(new\) never gives all reviews/);
    const [page, last] = ["next", undefined].map((nextPageToken, index) =>
      box.write(`page${index}.json`, { reviews: [{ ...takeoutReview("a"), reviewId: "a" }], nextPageToken }),
    );
    const [paged] = await box.refusal(page ?? "", { complete: true });
    assert.match(paged ?? "", /cannot be complete: the last page of the Business Profile API v4 is missing/);
    assert.deepEqual(await box.refusal([page ?? "", last ?? ""], { complete: true, dryRun: true }), []);
    assert.equal((await box.rows()).length, 1);
  });
});

test("importPaths() --dry-run tells what it would do and writes nothing", async () => {
  await using box = await openSandbox();
  await box.take(box.write("old.json", takeoutPage(takeoutReview("a"), takeoutReview("b"))));
  const before = await box.rows();
  const page = takeoutPage(takeoutReview("a", { starRating: "ONE" }), takeoutReview("c"));
  const paths = [box.write("new.json", page), box.write("business.yaml", BUSINESS)];
  const { to_confirm, ...report } = await box.take(paths, { dryRun: true, complete: true, yes: true });
  assert.match(to_confirm?.join() ?? "", /^This would withdraw 1 of the 2 published reviews/);
  assert.deepEqual(counts(report), { read: 2, added: 1, changed: 1, unchanged: 0, withdrawn: 1, refused: 0 });
  assert.deepEqual([report.business, report.revision], ["added", 2]);
  assert.deepEqual(await box.rows(), before);
  assert.equal(await readBusiness(box.store.database), undefined);
  assert.equal((await readRevision(box.store.database)).number, 1);
  const files = report.files.map(({ examples: _, ...file }) => file); // examples are shown in advance alone
  assert.deepEqual(await box.take(paths, { complete: true, yes: true }), { ...report, files });
});

test("importPaths() with a fault leaves the store as it was; --skip-invalid takes the rest", async () => {
  await using box = await openSandbox();
  const good = box.write("a.json", takeoutPage(takeoutReview("a")));
  const bad = box.write(
    "b.json",
    takeoutPage(takeoutReview("b", { starRating: "SIX", createTime: "2026-02-30" }), takeoutReview("c")),
  );
  assert.deepEqual(await box.refusal([good, bad]), [
    'b.json, reviews[0]: starRating is "SIX", but must be a whole number of stars from 1 to 5',
    'b.json, reviews[0]: createTime is "2026-02-30", but must be a day, YYYY-MM-DD, or a time such as 2025-08-06T04:57:47Z: February 2026 has 28 days',
  ]);
  assert.equal((await box.rows()).length, 0);
  const report = await box.take([good, bad], { skipInvalid: true });
  assert.deepEqual(counts(report), { read: 3, added: 2, changed: 0, unchanged: 0, withdrawn: 0, refused: 1 });
  assert.equal(report.issues.length, 2);
  assert.deepEqual(report.issues[0]?.path, [bad, "reviews[0]", "starRating"]);
});

test("importPaths() does not skip a path that is not there", async () => {
  await using box = await openSandbox();
  const paths = [box.write("a.json", takeoutPage(takeoutReview("a"))), join(box.folder, "absent.json")];
  assert.deepEqual(await box.refusal(paths, { skipInvalid: true }), [
    "absent.json does not exist. Check its name, or give the whole path",
  ]);
});

test("importPaths() does not skip a faulty business.yaml where there is no business to publish under", async () => {
  await using box = await openSandbox();
  const [reviews, faulty] = [
    box.write("a.json", takeoutPage(takeoutReview("a"))),
    box.write("business.yaml", "name: ["),
  ];
  assert.match((await box.refusal([faulty, reviews], { skipInvalid: true })).join(), /business\.yaml/);
  assert.equal((await box.rows()).length, 0);
  await box.take([box.write("other/business.yaml", "name: Ours\ntime_zone: UTC\n")]);
  assert.equal((await box.take([faulty, reviews], { skipInvalid: true })).added, 1, "under the one that is stored");
});

test("importPaths() names a hundred faults and counts the rest", async () => {
  await using box = await openSandbox();
  const rows = Array.from({ length: 250 }, (_, index) => `${index},9,2024-01-01`);
  const path = box.write("a.csv", `id,rating,date\n${rows.join("\n")}\n`);
  const messages = await box.refusal(path);
  assert.equal(messages.length, 101);
  assert.equal(messages[99], 'a.csv, line 101: rating is "9", but must be a whole number of stars from 1 to 5');
  assert.equal(messages[100], "and 150 more");
  const { issues, refused } = await box.take([path, box.write("b.csv", "id,rating,date\nz,5,2024-01-01\n")], {
    skipInvalid: true,
  });
  assert.deepEqual([issues.length, refused], [100, 250]);
});

describe("importPaths() --complete that would withdraw much", () => {
  const page = (...ids: string[]) => takeoutPage(...ids.map((id) => takeoutReview(id)));
  const ten = [..."abcdefghij"];

  test("is refused above a fifth of what is published, and done with --yes", async () => {
    await using box = await openSandbox();
    await box.take([
      box.write("all.json", page(...ten)),
      box.write("kept.csv", "id,rating,date,source\n1,5,2024-01-01,yelp\n"), // withheld: counts for nothing
    ]);
    const fifth = box.write("fifth.json", page(...ten.slice(2)));
    assert.deepEqual(await box.refusal(box.write("more.json", page(...ten.slice(3))), { complete: true }), [
      "This would withdraw 3 of the 10 published reviews, because the files given with --complete do not have them. If these files really are everything, confirm with --yes; if not, import them without --complete.",
    ]);
    assert.equal((await box.reviews()).length, 10);
    assert.equal((await box.take(fifth, { complete: true })).withdrawn, 2);
    const report = await box.take(join(box.folder, "more.json"), { complete: true, dryRun: true });
    assert.equal(report.withdrawn, 1);
    const one = box.write("one.json", page("j"));
    const [refusal = ""] = await box.refusal(one, { complete: true });
    await box.take(box.write("new.json", page("k"))); // by another program, while the owner is asked
    const [anew = ""] = await box.refusal(one, { complete: true, yes: true, asked: [refusal] });
    assert.match(refusal, /withdraw 7 of the 8 published/);
    assert.match(anew, /withdraw 8 of the 9 published/);
    const last = await box.take(one, { complete: true, yes: true, asked: [anew] });
    assert.equal(last.withdrawn, 8);
    assert.equal((await box.reviews()).length, 1);
  });

  test("is only warned of in a dry run", async () => {
    await using box = await openSandbox();
    await box.take(box.write("all.json", page(...ten)));
    const report = await box.take(box.write("one.json", page("a")), { complete: true, dryRun: true });
    assert.equal(report.withdrawn, 9);
    assert.match(report.warnings.join("\n"), /would withdraw 9 of the 10 published reviews/);
  });

  test("is refused for one page of a Takeout", async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => `r${index}`);
    await using box = await openSandbox();
    const first = box.write("T/reviews-1.json", page(...twenty));
    const second = box.write("T/reviews-2.json", page("z"));
    const lone = await box.refusal(first, { complete: true, yes: true });
    assert.match(lone.join(), /cannot be complete: T\/reviews-1\.json is one full page of a Google Takeout/);
    const last = await box.refusal(second, { complete: true, yes: true });
    assert.match(
      last.join(),
      /beside T\/reviews-2\.json there is T\/reviews-1\.json, another page of the same Takeout/,
    );
    assert.equal((await box.take([first, second], { complete: true })).added, 21);
    assert.equal((await box.take(join(box.folder, "T"), { complete: true })).unchanged, 21);
  });
});

describe("importPaths() of one review under two sources", () => {
  const CSV = "id,author,rating,date,text\n";
  const takeout = takeoutPage(takeoutReview("a"), takeoutReview("b", { comment: undefined }));
  const BOTH = `${BUSINESS.replace("America/Chicago", "UTC")}verified_sources: [google, first_party]\n`;
  const same = [
    "a,Customer a,5,2024-05-06,The words of a",
    "b,Customer b,5,2024-05-06,", // no words: the source's own id tells
  ];

  test("publishes it once, under the source that came first, and says so", async () => {
    for (const isTakeoutFirst of [true, false]) {
      await using box = await openSandbox();
      const files = [box.write("t.json", takeout), box.write("c.csv", `${CSV}${same.join("\n")}\n`)];
      await box.take(box.write("business.yaml", BOTH));
      const [first = "", second = ""] = isTakeoutFirst ? files : files.toReversed();
      const alone = await box.take(first);
      const published = await box.reviews();
      assert.deepEqual([alone.duplicates, published.length], [0, 2]);
      const report = await box.take(second);
      assert.equal(report.duplicates, 2);
      const [there, here] = isTakeoutFirst ? ["google", "first_party"] : ["first_party", "google"];
      assert.ok(
        report.warnings.includes(
          `2 reviews from ${here} are also there from ${there} (same author, day and words): published once, under ${there}, which came first.`,
        ),
        report.warnings.join("\n"),
      );
      assert.deepEqual(await box.reviews(), published);
      assert.equal((await box.take(second)).revised, false);
    }
  });

  test("says that nothing is missing when the copies are of a source that is not verified", async () => {
    await using box = await openSandbox();
    await box.take(box.write("t.json", takeout));
    const report = await box.take(box.write("c.csv", `${CSV}${same.join("\n")}\n`));
    assert.deepEqual([report.withheld, report.duplicates], [2, 0]);
    assert.ok(
      report.warnings.includes(
        "2 reviews from first_party are kept but not published: google already has the same ones, so nothing is missing. Import this file with --source google next time.",
      ),
      report.warnings.join("\n"),
    );
    const verified = await box.take(box.write("business.yaml", BOTH));
    assert.equal(verified.duplicates, 2);
    const sources = (await box.reviews()).map(({ source }) => source);
    assert.deepEqual(sources, ["google", "google"]);
  });

  test("keeps apart what differs in author, day, words, or has neither words nor the same id", async () => {
    await using box = await openSandbox();
    await box.take(box.write("business.yaml", BOTH));
    await box.take(box.write("t.json", takeout));
    const others = [
      "1,Customer x,5,2024-05-06,The words of a",
      "2,Customer a,5,2024-05-07,The words of a",
      "3,Customer a,5,2024-05-06,Other words",
      "4,Customer b,5,2024-05-06,",
    ];
    const report = await box.take(box.write("c.csv", `${CSV}${others.join("\n")}\n`));
    assert.equal(report.duplicates, 0);
    assert.equal((await box.reviews()).length, 6);
  });

  test("publishes the other one when the first is withdrawn", async () => {
    await using box = await openSandbox();
    await box.take([box.write("business.yaml", BOTH), box.write("t.json", takeout)]);
    await box.take(box.write("c.csv", `${CSV}${same.join("\n")}\n`));
    await box.take(box.write("t2.json", takeoutPage(takeoutReview("z"))), { complete: true, yes: true });
    assert.deepEqual((await box.reviews()).map(({ source, author }) => `${source} ${author}`).toSorted(), [
      "first_party Customer a",
      "first_party Customer b",
      "google Customer z",
    ]);
  });

  for (const { name, takeout: folder, total, file } of EXPORT_SETS) {
    test(`publishes ${name} once, though its table is imported without a source`, async () => {
      await using box = await openSandbox();
      await box.take(folder);
      const before = await box.reviews();
      const { warnings } = await box.take(file("sv-reviews.csv"));
      const advice = `${total} reviews from first_party are kept but not published: google already has`;
      assert.ok(
        warnings.some((warning) => warning.startsWith(advice)),
        warnings.join("\n"),
      );
      await box.take(box.write("business.yaml", BOTH));
      assert.deepEqual(await box.reviews(), before);
    });
  }
});

test("importPaths() advises --source google before it advises to verify a source that nobody named", async () => {
  await using box = await openSandbox();
  const { warnings } = await box.take(box.write("a.csv", "id,rating,date\n1,5,2024-01-01\n"));
  const [advice = ""] = warnings.filter((warning) => warning.includes("first_party"));
  assert.match(advice, /^1 review from first_party is kept but not published, because the file does not say where/);
  assert.ok(advice.indexOf("--source google") < advice.indexOf("verified_sources"), advice);
});

test("importPaths() without a business says that it has no name yet, and how to give it one", async () => {
  await using box = await openSandbox();
  const page = box.write("a.json", takeoutPage(takeoutReview("a")));
  assert.match((await box.take(page)).warnings.join("\n"), /no name yet.*business\.yaml.*goodword init/);
  assert.deepEqual((await box.take([page, box.write("business.yaml", BUSINESS)])).warnings, []);
  assert.deepEqual((await box.take(page)).warnings, []);
});

describe("importPaths() of one review told twice", () => {
  const edited = { comment: "Second thoughts", updateTime: "2024-06-01T00:00:00.5Z" };

  test("counts it once when both say the same, whatever the account", async () => {
    await using box = await openSandbox();
    box.write("T/account-1/reviews.json", takeoutPage(takeoutReview("a")));
    box.write(
      "T/account-2/reviews.json",
      takeoutPage(takeoutReview("a", { name: "accounts/9/locations/2/reviews/a" })),
    );
    const report = await box.take(join(box.folder, "T"));
    assert.deepEqual(counts(report), { read: 2, added: 1, changed: 0, unchanged: 1, withdrawn: 0, refused: 0 });
  });

  test("takes the newest edit, in whichever order", async () => {
    for (const versions of [
      [{}, edited],
      [edited, {}],
    ]) {
      await using box = await openSandbox();
      const paths = versions.map((version, index) =>
        box.write(`${index}.json`, takeoutPage(takeoutReview("a", version))),
      );
      await box.take(paths);
      const texts = (await box.reviews()).map(({ text }) => text);
      assert.deepEqual(texts, ["Second thoughts"]);
    }
  });

  test("takes the one with the reply when the customer edited nothing", async () => {
    await using box = await openSandbox();
    const reply = { reviewReply: { comment: "Thanks", updateTime: "2024-07-01T12:00:00Z" } };
    const paths = [reply, {}].map((version, index) =>
      box.write(`${index}.json`, takeoutPage(takeoutReview("a", version))),
    );
    await box.take(paths);
    assert.deepEqual((await box.reviews())[0]?.owner_reply, { text: "Thanks", date: "2024-07-01" });
  });

  test("refuses contradictions, naming both places", async () => {
    await using box = await openSandbox();
    const path = box.write("a.csv", "id,rating,date,text\nx,5,2024-05-06,Fine\nx,2,2024-05-06,Fine\n");
    const [message = ""] = await box.refusal(path);
    assert.match(message, /rating is \d, but \d in .*a\.csv, line \d, which is the same review$/);
    assert.match(message, /line 2/);
    assert.match(message, /line 3/);
    const report = await box.take([path, box.write("b.csv", "id,rating,date\ny,4,2024-05-06\n")], {
      skipInvalid: true,
    });
    assert.deepEqual(counts(report), { read: 3, added: 1, changed: 0, unchanged: 0, withdrawn: 0, refused: 2 });
  });

  test("tells rows without an id apart by author, date and text", async () => {
    await using box = await openSandbox();
    const rows = [
      "Dana,5,2024-05-06,Fine",
      "Dana,5,2024-05-06,Fine",
      "Dana,5,2024-05-07,Fine",
      "Kim,5,2024-05-06,Fine",
    ];
    const report = await box.take(box.write("a.csv", `author,rating,date,text\n${rows.join("\n")}\n`), {
      source: "google",
    });
    assert.deepEqual(counts(report), { read: 4, added: 3, changed: 0, unchanged: 1, withdrawn: 0, refused: 0 });
    assert.match(report.warnings[0] ?? "", /counted once; give each row an id/);
    assert.match(
      (await box.refusal(box.write("b.csv", "author,rating,date\nA,5,2024-05-06\nA,4,2024-05-06\n")))[0] ?? "",
      /rows without an id/,
    );
  });
});

test("importPaths() gives a review kept without an id the source's own id when an export tells it", async () => {
  await using box = await openSandbox();
  await box.take(box.write("a.csv", "author,rating,date,text\nDana,5,2024-05-06,Fine\n"), { source: "google" });
  const report = await box.take(box.write("b.csv", "id,author,rating,date,text\nx,Dana,5,2024-05-06,Fine\n"), {
    source: "google",
  });
  assert.deepEqual(counts(report), { read: 1, added: 0, changed: 1, unchanged: 0, withdrawn: 0, refused: 0 });
  assert.match(report.warnings.join(), /The address of 1 published review changes.*goodword undo/);
  const again = await box.take(join(box.folder, "a.csv"), { source: "google" });
  assert.doesNotMatch(again.warnings.join(), /address/);
  assert.deepEqual(counts(again), { read: 1, added: 0, changed: 0, unchanged: 1, withdrawn: 0, refused: 0 });
  const sourceIds = (await box.rows()).map(({ source_id }) => source_id);
  assert.deepEqual(sourceIds, ["x"]);
});

test("importPaths() of our own publication gives the same reviews under the same ids", async () => {
  await using box = await openSandbox();
  const reply = { reviewReply: { comment: "Thanks", updateTime: "2024-07-01T12:00:00Z" } };
  const page = box.write("t.json", takeoutPage(takeoutReview("a", reply), takeoutReview("b", { comment: undefined })));
  await box.take(page);
  const reviews = await box.reviews();
  const publication = box.write("p.json", { business: { name: "Test Air" }, reviews });
  assert.deepEqual(counts(await box.take(publication)), {
    read: 2,
    added: 0,
    changed: 0,
    unchanged: 2,
    withdrawn: 0,
    refused: 0,
  });
  await using other = await openSandbox();
  await other.take(publication);
  assert.deepEqual(await other.reviews(), reviews);
  const later = await other.take(page);
  assert.deepEqual([later.added, later.changed], [0, 0]);
  assert.deepEqual(await other.reviews(), reviews);
  await using both = await openSandbox();
  await both.take([publication, page]);
  assert.deepEqual(await both.reviews(), reviews);
});

describe("importPaths() with a business file", () => {
  test("dates reviews by its clock, wherever it stands among the paths", async () => {
    await using box = await openSandbox();
    const page = box.write("r.json", takeoutPage(takeoutReview("a", { createTime: "2024-05-06T03:00:00Z" })));
    const report = await box.take([page, box.write("b.yaml", BUSINESS)]);
    assert.equal(report.business, "added");
    assert.equal((await box.reviews())[0]?.date, "2024-05-05");
    assert.equal((await box.take(page)).revised, false);
  });

  test("dates kept reviews and replies anew when its time zone changes", async () => {
    await using box = await openSandbox();
    const reply = { reviewReply: { comment: "Thanks", updateTime: "2024-07-01T01:00:00Z" } };
    const page = box.write(
      "r.json",
      takeoutPage(takeoutReview("a", { createTime: "2024-05-06T03:00:00Z", ...reply }), takeoutReview("b")),
    );
    await box.take([page, box.write("d.csv", "id,rating,date,source\nday,5,2024-01-01,google\n")]);
    const report = await box.take(box.write("b.yaml", BUSINESS));
    assert.deepEqual([report.business, report.revision], ["added", 2]);
    assert.match(
      report.warnings[0] ?? "",
      /^1 review kept before has another date now, because the time zone is America\/Chicago/,
    );
    await using fresh = await openSandbox();
    await fresh.take([page, join(box.folder, "d.csv"), join(box.folder, "b.yaml")]);
    assert.deepEqual(await box.rows(), await fresh.rows());
    assert.deepEqual(
      (await box.reviews()).find(({ text }) => text === "The words of a")?.owner_reply?.date,
      "2024-06-30",
    );
    assert.equal((await box.take(join(box.folder, "b.yaml"))).business, "unchanged");
  });

  test("withholds sources that it does not verify, and says how to publish them", async () => {
    await using box = await openSandbox();
    const csv = box.write(
      "a.csv",
      "id,rating,date,source,verified\n1,5,2024-01-01,yelp,\n2,5,2024-01-01,yelp,yes\n3,5,2024-01-01,,\n",
    );
    const report = await box.take(csv);
    assert.deepEqual([report.added, report.withheld, report.withheld_sources], [3, 2, { yelp: 1, first_party: 1 }]);
    assert.match(
      report.warnings.join("\n"),
      /1 review from yelp is kept but not published: name yelp under verified_sources/,
    );
    assert.equal((await box.reviews()).length, 1);
    const business = await box.take(box.write("b.yaml", `${BUSINESS}verified_sources: [yelp, first_party]\n`));
    assert.deepEqual([business.business, business.revised], ["added", true]);
    assert.equal((await box.reviews()).length, 3);
  });

  test("refuses a second, different business", async () => {
    await using box = await openSandbox();
    const paths = [box.write("a.yaml", BUSINESS), box.write("b.yaml", BUSINESS.replace("Air", "Water"))];
    assert.match((await box.refusal(paths))[0] ?? "", /b\.yaml describes another business than .*a\.yaml/);
  });
});

test("importPaths() gives the same store whatever the order of the files", async () => {
  const version = fc.record({
    id: fc.constantFrom("a", "b", "c"),
    update: fc.integer({ min: 1, max: 4 }),
    reply: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  });
  const pages = fc.array(fc.array(version, { maxLength: 4 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(pages, fc.gen(), async (versions, random) => {
      const written = versions.map((page) =>
        page.map(({ id, update, reply }) =>
          takeoutReview(id, {
            comment: `Edit ${update}`,
            updateTime: `2024-06-0${update}T00:00:00Z`,
            ...(reply && { reviewReply: { comment: `Reply ${reply}`, updateTime: `2024-07-0${reply}T00:00:00Z` } }),
          }),
        ),
      );
      const keyed = written.map((page) => ({ page, key: random(fc.nat) }));
      await using straight = await openSandbox();
      await using shuffled = await openSandbox();
      await straight.take(written.map((page, index) => straight.write(`${index}.json`, takeoutPage(...page))));
      const order = keyed.toSorted((x, y) => x.key - y.key).map(({ page }) => page.toReversed());
      await shuffled.take(order.map((page, index) => shuffled.write(`${index}.json`, takeoutPage(...page))));
      assert.deepEqual(await shuffled.rows(), await straight.rows());
      for (const { id } of versions.flat()) {
        const newest = Math.max(
          ...versions
            .flat()
            .filter((one) => one.id === id)
            .map(({ update }) => update),
        );
        const row = (await straight.rows()).find(({ source_id }) => source_id === id);
        assert.equal(row?.text, `Edit ${newest}`);
      }
    }),
    { numRuns: tries(40) },
  );
});

test("importPaths() refuses a source that is no name, once", async () => {
  await using box = await openSandbox();
  const path = box.write("a.csv", "id,rating,date\n1,5,2024-01-01\n2,5,2024-01-01\n");
  assert.deepEqual(await box.refusal(path, { source: "a/b" }), [
    'source is "a/b", but must be 1 to 64 letters, digits, underscores or dots',
  ]);
});

test("checkPaths() reports as an import would, and touches nothing", async () => {
  await using box = await openSandbox();
  const page = box.write("a.json", takeoutPage(takeoutReview("a")));
  const report = await checkPaths([page], { now: new Date("2026-01-01T00:00:00Z") });
  assert.deepEqual(counts(report), { read: 1, added: 1, changed: 0, unchanged: 0, withdrawn: 0, refused: 0 });
  await assert.rejects(checkPaths([box.write("b.json", "{")], { now: new Date() }), /b\.json is not valid JSON/);
});

test("importPaths() tells its progress", async () => {
  await using box = await openSandbox();
  const rows = Array.from({ length: 1200 }, (_, index) => `${index},5,2024-01-01`).join("\n");
  const steps: string[] = [];
  await box.take(box.write("a.csv", `id,rating,date\n${rows}\n`), {
    onProgress: ({ phase, read, written }) => steps.push(`${phase} ${read} ${written}`),
  });
  assert.deepEqual(steps, [
    "reading 0 0",
    "reading 500 0",
    "reading 1000 0",
    "writing 1200 300",
    "writing 1200 600",
    "writing 1200 900",
    "writing 1200 1200",
  ]);
});

for (const { name, takeout, total } of EXPORT_SETS) {
  test(`importPaths() of ${name} as two accounts takes each review once`, async () => {
    await using box = await openSandbox();
    for (const account of ["one", "two"]) cpSync(takeout, join(box.folder, account), { recursive: true });
    const report = await box.take([box.folder]);
    const expected = { read: 2 * total, added: total, changed: 0, unchanged: total, withdrawn: 0, refused: 0 };
    assert.deepEqual(counts(report), expected);
  });
}

test("importPaths() names each file with its format, and lists which reviews change when it is asked", async () => {
  await using box = await openSandbox();
  const edited = { starRating: "ONE" };
  await box.take(box.write("old.json", takeoutPage(takeoutReview("a"), takeoutReview("b"), takeoutReview("c"))));
  const page = box.write("new.json", takeoutPage(takeoutReview("a", edited), takeoutReview("b"), takeoutReview("d")));
  const table = box.write("t.csv", "id,rating,date,source\n1,5,2024-01-01,yelp\n");
  const options = { dryRun: true, complete: true, yes: true };
  const report = await box.take([page, table], { ...options, list: true });
  assert.deepEqual(
    report.files.map(({ name, format, records }) => ({ name: name.replace(`${box.folder}/`, ""), format, records })),
    [
      { name: "new.json", format: "Google Takeout", records: 3 },
      { name: "t.csv", format: "CSV", records: 1 },
    ],
  );
  assert.deepEqual(report.changes?.map(({ change, author, fields }) => [change, author, fields?.join()]).toSorted(), [
    ["added", "Anonymous", undefined],
    ["added", "Customer d", undefined],
    ["changed", "Customer a", "rating"],
    ["withdrawn", "Customer c", undefined],
  ]);
  assert.equal((await box.take([page, table], options)).changes, undefined);
});

test("an import is refused whose reviews come from more sources than there can be", async () => {
  await using box = await openSandbox();
  const rows = Array.from({ length: 1_001 }, (_, at) => `${at},5,2024-05-06,s${at}`);
  const path = box.write("a.csv", `id,rating,date,source\n${rows.join("\n")}\n`);
  assert.match((await box.refusal(path)).join(), /a\.csv, line 1002: source names more than 1000 services/);
});

test("an import says once that pages have no words in the business's language, and which there are", async () => {
  await using box = await openSandbox();
  const says = async (language: string) => {
    const { warnings } = await box.take(box.write("business.yaml", `${BUSINESS}language: ${language}\n`));
    return warnings.filter((one) => one.includes("own words are in English")).join();
  };
  assert.match(await says("it-CH"), /none in Italian \(language: it-CH\).*English, German, Spanish, French, and Dutch/);
  for (const language of ["it-CH", "nl-BE", "FR", "es", "en"]) assert.equal(await says(language), "", language);
});

test("a check says that a category is no subtype of LocalBusiness, each time, and an import when it is new", async () => {
  await using box = await openSandbox();
  const says = ({ warnings }: ImportReport) => warnings.filter((one) => /described? .* as both/.test(one)).length;
  const venue = box.write("business.yaml", `${BUSINESS}category: EventVenue\n`);
  const checked = async () => says(await checkPaths([venue], { now: new Date("2026-01-01") }));
  assert.deepEqual([await checked(), says(await box.take(venue))], [1, 1]);
  assert.deepEqual([await checked(), says(await box.take(venue))], [1, 0]);
  assert.equal(says(await box.take(venue, { dryRun: true })), 1, "a check against the store that has it");
  const plumber = box.write("business.yaml", `${BUSINESS}category: Plumber\n`);
  assert.equal(says(await box.take(plumber)), 0);
});
