import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { reviewIdOf } from "../../review.ts";
import type { Basis, StagedReview, Staging } from "./staged-review.ts";
import { openStaging, type StagingLimits } from "./staging.ts";

function staged(key: string, others: Partial<StagedReview> = {}): StagedReview {
  const basis: Basis = "own id";
  return {
    id: `id-${key}`,
    source_key: key,
    natural_key: `nature-${key}`,
    source: "google",
    basis,
    place: "a, line 1",
    body: `body of ${key}`,
    ...others,
  };
}

const groups = (staging: Staging) =>
  [...staging.duplicates()].map((versions) => versions.map(({ body }) => body).toSorted());

test("groupVersions() leaves the first of identical versions, and tells the bases of those it removed", () => {
  const staging = openStaging();
  staging.add(staged("a"));
  staging.add(staged("a", { place: "b, line 2" }));
  staging.add(staged("a", { body: "other" }));
  staging.add(staged("b", { basis: "published id" }));
  staging.add(staged("c", { basis: "content" }));
  assert.deepEqual(staging.groupVersions(), new Set(["own id"]));
  assert.deepEqual(groups(staging), [["body of a", "other"]]);
  assert.deepEqual(
    [...staging.batches(10)].flat().map(({ place }) => place),
    Array.from({ length: 4 }, () => "a, line 1"),
  );
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
  assert.deepEqual(groups(staging), [["body of a", "body of b", "body of c", "body of d"]]);
  assert.deepEqual([...staging.batches(10)].flat().length, 6);
  staging.close();
});

test("replace() leaves one review or none, and batches() returns every review once", () => {
  const staging = openStaging();
  for (let index = 0; index < 25; index += 1) staging.add(staged(`k${index % 20}`, { body: `${index}` }));
  staging.groupVersions();
  for (const [index, versions] of [...staging.duplicates()].entries()) {
    staging.replace(versions, index === 0 ? undefined : versions[0]);
  }
  const sizes = [...staging.batches(7)];
  assert.deepEqual(
    sizes.map(({ length }) => length),
    [7, 7, 5],
  );
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

test("bodies() returns the reviews of some numbers once, as added", () => {
  const staging = openStaging();
  const numbers = ["c", "a", "b", "a"].map((key) => staging.add(staged(key)));
  staging.groupVersions();
  assert.equal(staging.isAsAdded(), true);
  const bodies = (first: number, last: number) => [...staging.bodies(2, { first, last })];
  assert.deepEqual(bodies(1, Number.MAX_SAFE_INTEGER), [["body of c", "body of a"], ["body of b"]]);
  assert.deepEqual(bodies(numbers[1] ?? 0, numbers[2] ?? 0), [["body of a", "body of b"]]);
  staging.replace([staged("a")], undefined);
  assert.equal(staging.isAsAdded(), false);
  staging.close();
});

test("takeAnalyses() gives once those that were added, or of those that are doubted the needed ones", () => {
  const staging = openStaging();
  const kept = () => [...staging.takeAnalyses(2)].map((page) => page.map(({ key }) => key));
  for (const key of ["n", "k", "m"]) staging.addAnalysis(key, "{}");
  assert.deepEqual(kept(), [["k", "m"], ["n"]]);
  assert.deepEqual(kept(), []);
  for (const key of ["n", "k", "m"]) staging.addAnalysis(key, "{}");
  staging.doubtAnalyses();
  staging.needAnalyses(["n", "l"]);
  staging.addAnalysis("o", "{}");
  assert.deepEqual(kept(), [["n", "o"]]);
  staging.close();
});

test("remembered() returns the remembered ids, and aside() the rows that were set aside", () => {
  const staging = openStaging();
  staging.remember(["a", "b", "a"]);
  assert.deepEqual(staging.remembered(["b", "c"]), new Set(["b"]));
  for (const key of ["c", "a", "b"]) staging.setAside(key, `row ${key}`);
  assert.deepEqual(
    [...staging.aside(2)].map((page) => page.map(({ row }) => row)),
    [["row a", "row b"], ["row c"]],
  );
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
        staging.add(staged(`k${index % reviewsOf(count)}`, { body: `version ${index}` }));
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

/** What a staging area says of reviews, analyses and ids that are the same each time. */
function answersOf(limits: Partial<StagingLimits>, { isDoubled }: { readonly isDoubled: boolean }) {
  const staging = openStaging(limits);
  const keys = Array.from({ length: 700 }, (_, index) => hash("sha256", `${isDoubled ? index % 690 : index}`));
  const numbers = keys.map((key, index) => {
    const id = reviewIdOf(key, `2024-0${1 + (index % 9)}-01`);
    const [source, place] = [index % 3 === 0 ? "yelp" : "google", `a\0 "é", line ${index}`];
    return staging.add(staged(key, { id, source, place, body: `${index} é ${"long ".repeat(index)}` }));
  });
  for (const key of keys.slice(0, 50)) staging.addAnalysis(key, `analysis of ${key}`);
  const takenFirst = isDoubled ? [] : [...staging.takeAnalyses(80)];
  for (const key of keys.slice(50)) staging.addAnalysis(key, `analysis of ${key}`);
  staging.remember(keys.slice(0, 100));
  staging.remember(keys.slice(90, 200));
  const repeated = staging.groupVersions();
  const removed = [...staging.batches(100)][0]?.slice(0, 2) ?? [];
  const withReplaced = [...staging.batches(100)].map((page, index) => {
    if (index === 3) for (const review of page.slice(0, 10)) staging.replace([review], undefined);
    return page;
  });
  const answers = {
    ...{ numbers, repeated, duplicates: groups(staging), withReplaced, left: [...staging.batches(150)] },
    bodies: [...staging.bodies(50, { first: 120, last: 450 })],
    sources: staging.sources(),
    bases: [staging.hasBasis("own id"), staging.hasBasis("content"), staging.isAsAdded(), staging.lastNumber()],
    remembered: staging.remembered([...keys.slice(150, 250), "other"]),
    takenFirst,
    analyses: isDoubled ? [] : [...staging.takeAnalyses(80)],
    removed,
  };
  staging.close();
  return answers;
}

for (const isDoubled of [false, true]) {
  test(`a staging area answers the same wherever it keeps reviews${isDoubled ? " that have several versions" : ""}`, () => {
    const inDatabase = answersOf({ reviews: 0, remembered: 0 }, { isDoubled });
    assert.deepEqual(answersOf({}, { isDoubled }), inDatabase);
    assert.deepEqual(answersOf({ reviewBytes: 0, analysisBytes: 0, rememberedBytes: 0 }, { isDoubled }), inDatabase);
    assert.deepEqual(answersOf({ reviews: 300, remembered: 150, reviewBytes: 0 }, { isDoubled }), inDatabase);
  });
}
