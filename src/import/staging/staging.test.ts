import assert from "node:assert/strict";
import { lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { test } from "node:test";
import type { Basis, Candidate, StagedReview } from "../review/candidate.ts";
import { openStaging, type Staging } from "./staging.ts";

const IS_LINUX = process.platform === "linux";

/** A review with this key; `text` is of its candidate. */
function staged(key: string, { text = `text of ${key}`, source = "google", ...others }: Given = {}): StagedReview {
  const basis: Basis = "own id";
  const candidate: Candidate = { source, source_id: key, rating: 4, date: "2024-05-06", written_at: null, text };
  const keys = { id: `id-${key}`, source_key: key, natural_key: `nature-${key}` };
  return { ...keys, basis, place: "a, line 1", candidate, ...others };
}

type Given = Partial<StagedReview> & { readonly text?: string; readonly source?: string };

/** The texts of the versions of each duplicate. */
const groups = (staging: Staging) =>
  [...staging.duplicates()].map((versions) => versions.map(({ candidate }) => candidate.text).toSorted());

test("groupVersions() leaves the first of identical versions, and tells the bases of those it removed", () => {
  const staging = openStaging();
  staging.add(staged("a"));
  staging.add(staged("a", { place: "b, line 2" }));
  staging.add(staged("a", { text: "other" }));
  staging.add(staged("b", { basis: "published id" }));
  staging.add(staged("c", { basis: "content" }));
  assert.deepEqual(staging.groupVersions(), new Set(["own id"]));
  assert.deepEqual(groups(staging), [["other", "text of a"]]);
  assert.deepEqual(
    [...staging.batches(10)].flat().map(({ place }) => place),
    Array.from({ length: 4 }, () => "a, line 1"),
  );
  staging.close();
});

test("duplicates() refuses a review with more versions than there can be exports of it", () => {
  const staging = openStaging();
  for (let version = 0; version <= 20_000; version += 1) staging.add(staged("a", { text: `version ${version}` }));
  staging.groupVersions();
  assert.throws(
    () => [...staging.duplicates()],
    /a, line 1: the review with the id "a" has more than 20000 different versions/,
  );
  staging.close();
});

test("duplicates() refuses a review whose versions have more words than memory is for", () => {
  const words = "great work ".repeat(90_000);
  const large = (versions: number) => {
    const staging = openStaging();
    for (let version = 0; version < versions; version += 1) staging.add(staged("a", { text: `${version} ${words}` }));
    staging.groupVersions();
    return staging;
  };
  const lengths = [...large(32).duplicates()].map(({ length }) => length);
  assert.deepEqual(lengths, [32]);
  assert.throws(
    () => [...large(33).duplicates()],
    /a, line 1: the review with the id "a" has more than 32 MB of words in its different versions\. Check that its id/,
  );
});

test("pages of large rows have fewer of them", () => {
  const staging = openStaging(({ source_id }) => source_id ?? undefined);
  const text = "a".repeat(1_000_000);
  for (let index = 10; index < 30; index += 1) {
    staging.add(staged(`${index}`, { text }));
    staging.park(`${index}`, text);
    staging.addAnalyses([{ key: `${index}`, body: JSON.stringify({ text }) }]);
  }
  staging.groupVersions();
  for (const pages of [staging.batches(300), staging.parkedRows(300), staging.analyses(300)]) {
    const lengths = [...(pages as Iterable<readonly unknown[]>)].map(({ length }) => length);
    assert.deepEqual(lengths, [7, 7, 6]);
  }
  staging.close();
});

test("groupVersions() groups reviews without an id by content, and published ones by their id", () => {
  const staging = openStaging();
  staging.add(staged("a"));
  staging.add(staged("b", { natural_key: "nature-a", basis: "content" }));
  staging.add(staged("c", { id: "id-a", basis: "published id" }));
  staging.add(staged("d", { natural_key: "nature-c", basis: "content" }));
  staging.add(staged("e", { natural_key: "nature-a", basis: "own id" }));
  staging.add(staged("f", { basis: "content" }));
  staging.groupVersions();
  assert.deepEqual(groups(staging), [["text of a", "text of b", "text of c", "text of d"]]);
  assert.deepEqual([...staging.batches(10)].flat().length, 6);
  staging.close();
});

test("replace() leaves one review or none, and batches() returns every review once", () => {
  const staging = openStaging();
  for (let index = 0; index < 25; index += 1) staging.add(staged(`k${index % 20}`, { text: `${index}` }));
  staging.groupVersions();
  for (const [index, versions] of [...staging.duplicates()].entries()) {
    staging.replace(versions, index === 0 ? undefined : versions[0]);
  }
  const sizes = [...staging.batches(7)];
  const lengths = sizes.map(({ length }) => length);
  assert.deepEqual(lengths, [7, 7, 5]);
  assert.equal(new Set(sizes.flat().map(({ source_key }) => source_key)).size, 19);
  assert.deepEqual(staging.sources(), ["google"]);
  staging.close();
});

test("sources() names each source once, in the order in which the reviews that are left were added", () => {
  const staging = openStaging();
  const reviews = ["yelp", "google", "yelp", "facebook"].map((source, index) => staged(`${index}`, { source }));
  for (const review of reviews) staging.add(review);
  assert.deepEqual(staging.sources(), ["yelp", "google", "facebook"]);
  const [first, second] = reviews;
  assert.ok(first !== undefined && second !== undefined);
  staging.replace([first], undefined);
  assert.deepEqual(staging.sources(), ["google", "yelp", "facebook"]);
  staging.replace([second], undefined);
  assert.deepEqual(staging.sources(), ["yelp", "facebook"]);
  staging.close();
});

test("batches() returns reviews as they were added, with the language of their text, in the order of their ids", () => {
  const staging = openStaging(({ author }) => author ?? undefined);
  const candidate: Candidate = {
    ...{ source: "yelp", source_id: null, published_id: "01HX", author: "Zoë \u{1F600}", author_avatar_url: null },
    ...{ rating: 1, date: "2024-05-06", written_at: "2024-05-06T07:08:09.1Z", text: "two\n\tlines \u0000 \ud800" },
    owner_reply: { text: "a", date: "2024-05-07", replied_at: null },
    redacted: { id: "01HY", source_key: "ab", natural_key: "cd" },
  };
  const reviews = [staged("b", { candidate }), staged("c"), staged("a", { place: 'a\0 "é", line 2' })];
  for (const review of reviews) staging.add(review);
  staging.addAnalyses([{ key: String(candidate.author), body: JSON.stringify({ language: "it" }) }]);
  staging.groupVersions();
  const [b, c, a] = reviews;
  const found = [
    [
      { ...a, language: null },
      { ...b, language: "it" },
    ],
    [{ ...c, language: null }],
  ];
  assert.deepEqual([...staging.batches(2)], found);
  staging.close();
});

test("a page of batches() may be replaced before the next one is read, and each review comes once", () => {
  const staging = openStaging();
  for (let index = 10; index < 30; index += 1) staging.add(staged(`${index}`));
  staging.groupVersions();
  const found: string[] = [];
  for (const page of staging.batches(3)) {
    for (const review of page) {
      found.push(review.id);
      staging.replace([review], Number(review.source_key) % 2 === 0 ? undefined : { ...review, place: "again" });
    }
  }
  assert.deepEqual(
    found,
    Array.from({ length: 20 }, (_, index) => `id-${index + 10}`),
  );
  assert.deepEqual(new Set([...staging.batches(100)].flat().map(({ place }) => place)), new Set(["again"]));
  staging.close();
});

test("textsAfter() returns the texts that need an analysis; a replaced review comes with a higher number", () => {
  const staging = openStaging(({ text }) => (text === "" ? undefined : `key of ${text}`));
  const reviews = [staged("a"), staged("b", { text: "" }), staged("c")];
  for (const review of reviews) staging.add(review);
  staging.groupVersions();
  const textsAfter = (number: number) => [...staging.textsAfter(number)];
  assert.deepEqual(textsAfter(0), [
    { number: 1, key: "key of text of a", text: "text of a", rating: 4 },
    { number: 3, key: "key of text of c", text: "text of c", rating: 4 },
  ]);
  const last = reviews.slice(2);
  staging.replace(last, staged("c", { text: "other" }));
  assert.deepEqual(textsAfter(staging.count - 1), [{ number: 4, key: "key of other", text: "other", rating: 4 }]);
  staging.close();
});

test("analyses() returns each analysis that a staged review needs once, in the order of the keys", () => {
  const staging = openStaging(({ text }) => text ?? undefined);
  const analysis = (key: string) => ({ key, body: `analysis of ${key}` });
  for (const key of ["n", "k", "m", "k"]) staging.add(staged(key, { text: key, place: key }));
  staging.groupVersions();
  staging.addAnalyses(["n", "k", "m", "k", "l"].map(analysis));
  assert.deepEqual(
    [...staging.analyses(2)].map((page) => page.map((row) => ({ ...row }))),
    [[analysis("k"), analysis("m")], [analysis("n")]],
  );
  staging.replace([staged("m")], undefined);
  const keys = [...staging.analyses(5)].flat().map(({ key }) => key);
  assert.deepEqual(keys, ["k", "n"]);
  staging.close();
});

test("remembered() returns the remembered ids, and parkedRows() the rows that were parked", () => {
  const staging = openStaging();
  staging.remember(["a", "b", "a"]);
  assert.deepEqual(staging.remembered(["b", "c"]), new Set(["b"]));
  for (const key of ["c", "a", "b"]) staging.park(key, `row ${key}`);
  assert.deepEqual(
    [...staging.parkedRows(2)].map((page) => page.map(({ row }) => row)),
    [["row a", "row b"], ["row c"]],
  );
  staging.close();
});

test("the file of a staging area has no name by which others could open it", { skip: !IS_LINUX && "no /proc" }, () => {
  const staging = openStaging();
  for (let index = 0; index < 200; index += 1) staging.add(staged(`${index}`, { text: "long ".repeat(20_000) }));
  const files = readdirSync("/proc/self/fd").flatMap((file) => {
    const path = `/proc/self/fd/${file}`;
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return []; // the folder while it was read
    const target = readlinkSync(path, "utf8");
    return /etilqs_/.test(target) ? [{ target, mode: statSync(path).mode & 0o777 }] : [];
  });
  assert.ok(files.length > 0, "20 MB are not in memory");
  for (const { target, mode } of files) {
    assert.match(target, / \(deleted\)$/);
    assert.equal(mode, 0o600);
  }
  staging.close();
});

for (const [name, reviewsOf] of [
  ["reviews in two versions each", (versions: number) => versions / 2],
  ["versions of one review, as with a column of ids that is the same in every row", () => 1],
] as const) {
  test(`replace() takes time in proportion to ${name}, not to their square`, () => {
    const replaceAll = (count: number) => {
      const staging = openStaging();
      for (let index = 0; index < count; index += 1) {
        staging.add(staged(`k${index % reviewsOf(count)}`, { text: `version ${index}` }));
      }
      staging.groupVersions();
      const start = process.cpuUsage();
      for (const versions of staging.duplicates()) staging.replace(versions, versions[0]);
      const { user, system } = process.cpuUsage(start);
      assert.equal([...staging.batches(count)].flat().length, reviewsOf(count));
      staging.close();
      return user + system;
    };
    replaceAll(1000);
    const [few, many] = [replaceAll(1000), replaceAll(16_000)];
    // 16 times as many: some 16 times the work, where a scan for each makes it 256.
    assert.ok(many < 80 * few, `${many} µs of processor for 16,000, ${few} for 1,000`);
  });
}
