import assert from "node:assert/strict";
import { test } from "node:test";
import { businessFileSchema } from "../business.ts";
import { analyseText } from "../insight/text-analysis.ts";
import { taxonomyChoice, taxonomyOf } from "./trade-taxonomy.ts";

const business = (more: object) => businessFileSchema.parse({ name: "Ash & Co", time_zone: "UTC", ...more });

const CHOICES: readonly (readonly [object, string, RegExp])[] = [
  [{}, "home-services", /the category is LocalBusiness/],
  [{ category: "Plumber" }, "home-services", /the category is Plumber/],
  [{ category: "Dentist" }, "dental", /the category is Dentist/],
  [{ category: "Restaurant" }, "general", /no taxonomy is made for the category Restaurant/],
  [{ category: "Restaurant", taxonomy: "home-services" }, "home-services", /business\.yaml names it/],
];

for (const [more, name, reason] of CHOICES) {
  test(`taxonomyChoice() of ${JSON.stringify(more)} is ${name}`, () => {
    const choice = taxonomyChoice(business(more));
    assert.equal(choice.name, name);
    assert.match(choice.reason, reason);
    assert.equal(taxonomyOf(business(more)).name, name);
  });
}

test("taxonomyChoice() without a business file says so", () => {
  assert.deepEqual(taxonomyChoice(undefined), { name: "home-services", reason: "there is no business.yaml" });
});

test("taxonomyOf() masks the business's name and its people's, and keeps its analyses apart", () => {
  const smart = taxonomyOf(business({ name: "Honest Charlie Movers", technicians: [{ id: "j", name: "Joy Bell" }] }));
  const other = taxonomyOf(business({ name: "Ash & Co" }));
  assert.notEqual(smart.fingerprint, other.fingerprint);
  const praised = (taxonomy: typeof smart) =>
    analyseText("We hired Honest Charlie Movers.", 5, taxonomy).aspects.map(({ id }) => id);
  assert.deepEqual(praised(smart), []);
  assert.deepEqual(praised(other), ["honesty"]); // to another business the same words are praise
  assert.equal(taxonomyOf(business({ name: "Ash & Co" })).fingerprint, other.fingerprint);
});

test("taxonomyOf() a cleaning firm has a clean house count as its work, and keeps its analyses apart", () => {
  const cleaner = taxonomyOf(business({ category: "CleaningService" }));
  const shop = taxonomyOf(business({ category: "Store" }));
  assert.notEqual(cleaner.fingerprint, shop.fingerprint);
  const praised = (text: string, taxonomy: typeof cleaner) =>
    analyseText(text, 5, taxonomy).aspects.map(({ id, sentiment }) => `${id} ${sentiment}`);
  assert.deepEqual(praised("The rooms were clean and tidy.", shop), ["cleanliness positive", "place positive"]);
  assert.deepEqual(praised("The rooms were clean and tidy.", cleaner), ["quality positive", "place positive"]);
  const both = "They did great work, and the rooms were clean.";
  assert.deepEqual(praised(both, shop), ["quality positive", "cleanliness positive"]);
  assert.deepEqual(praised(both, cleaner), ["quality positive"]); // one mention an aspect
});
