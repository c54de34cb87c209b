import assert from "node:assert/strict";
import { test } from "node:test";
import { businessFileSchema } from "./business.ts";
import { changedPowers } from "./business-powers.ts";

const fileOf = (others: object) => businessFileSchema.parse({ name: "A", time_zone: "UTC", ...others });

test("changedPowers() lists what is fetched, what is sent there and what counts as verified, new and old", () => {
  const source = { url: "https://a.example/x", header: { name: "X", from_env: "KEY_A" } };
  const before = fileOf({ sources: [{ url: "https://b.example/y" }], verified_sources: ["google", "yelp"] });
  const after = fileOf({ sources: [source], verified_sources: ["first_party", "google"] });
  assert.deepEqual(changedPowers(before, after), [
    "verified_sources, new: first_party",
    "verified_sources, no longer: yelp",
    'sources, new: {"url":"https://a.example/x","every":"1d","complete":false,"header":{"name":"X","from_env":"KEY_A"}}',
    'sources, no longer: {"url":"https://b.example/y","every":"1d","complete":false}',
  ]);
});

test("changedPowers() shows of an address for notices its host alone, and says when the rest changes", () => {
  const [one, other] = ["SECRET", "OTHER"].map((key) =>
    fileOf({
      notices: [{ to: `https://hooks.example/services/${key}` }, { to: "mailto:ann@a.example" }],
    }),
  );
  const lines = changedPowers(one, other);
  assert.equal(lines.length, 2);
  for (const line of [...lines, ...changedPowers(undefined, one)]) assert.doesNotMatch(line, /SECRET|OTHER|services/);
  assert.match(lines[0] ?? "", /^notices, new: \{"to":"https:\/\/hooks\.example\/…"/);
  assert.match(changedPowers(undefined, one)[1] ?? "", /ann@a\.example/);
});

test("changedPowers() leaves out how the business is described and presented", () => {
  const before = fileOf({ telephone: "+1 555 0100", summary: "Old", color: "#000000", language: "de" });
  assert.deepEqual(changedPowers(before, fileOf({ name: "B", services: [{ id: "a", label: "A" }] })), []);
  assert.deepEqual(changedPowers(undefined, fileOf({})), [], "the defaults are those without a business file");
  assert.deepEqual(changedPowers(undefined, undefined), []);
});
