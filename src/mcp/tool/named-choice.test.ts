/** Choosing by name: names in common use, and the refusal of all others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Invalid, listed } from "../../issue.ts";
import { choose } from "./named-choice.ts";

const PEOPLE = [
  { id: "mike-1", label: "Mike Rowe" },
  { id: "mike-2", label: "Mike Hunt" },
  { id: "zoe", label: "Zoë Straße" },
];
const first = ({ label }: { label: string }) => label.split(" ", 1);

for (const [asked, id] of [
  ["mike-2", "mike-2"],
  ["MIKE ROWE", "mike-1"],
  ["zoë", "zoe"],
  ["ZOË STRAßE", "zoe"],
  ["  zoe ", "zoe"],
] as const) {
  test(`choose() takes ${JSON.stringify(asked)} for ${id}`, () => {
    assert.equal(choose("name", asked, PEOPLE, first).id, id);
  });
}

for (const [asked, message] of [
  [
    "mike",
    /^name is "mike", which names more than one of them; the choices are Mike Rowe \(mike-1\), Mike Hunt \(mike-2\)$/,
  ],
  ["", /^name is "", which names none of them; the choices are Mike Rowe \(mike-1\), [^.]*$/],
  [
    "constructor",
    /names none of them; .*\. To find reviews that say it, call search_reviews with words="constructor"$/,
  ],
] as const) {
  test(`choose() refuses ${JSON.stringify(asked)} and lists the choices`, () => {
    assert.throws(
      () => choose("name", asked, PEOPLE, first),
      (error) => error instanceof Invalid && message.test(error.message),
    );
  });
}

test("listed() stays short when there are many", () => {
  const many = Array.from({ length: 50 }, (_, index) => ({ id: `s${index}`, label: `Service ${index}` }));
  assert.match(listed(many), /, and 10 more$/);
  assert.equal(listed([]), "none: the business names none");
});
