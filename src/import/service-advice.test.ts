import assert from "node:assert/strict";
import { test } from "node:test";
import { businessFileSchema } from "../business.ts";
import type { Review } from "../review.ts";
import { serviceAdvice } from "./service-advice.ts";

const business = (services: object[]) =>
  businessFileSchema.parse({ name: "Ada & Co", time_zone: "UTC", category: "EventVenue", services });

const reviews = (texts: readonly (string | null)[]) => texts.map((text) => ({ text, rating: 5 }) as Review);

const TALK = ["Lovely flowers.", "Nice and quiet.", "We will come again.", "The team was kind.", null, "పెళ్లి బాగుంది"];
const said = (word: string, times: number) => Array.from({ length: times }, () => `A wonderful ${word}.`);

const CASES: readonly (readonly [string, object[], readonly (string | null)[], RegExp | undefined])[] = [
  [
    "names a frequent word for a service that no review names",
    [{ id: "skiffs", label: "Skiff hire" }],
    [...TALK, ...said("rowboat", 4)],
    /^Few reviews name “Skiff hire” \(0\)\. Customers often write .*rowboats? \(4 reviews\).* aliases of that service/,
  ],
  [
    "is silent when the word is an alias",
    [{ id: "skiffs", label: "Skiff hire", aliases: ["rowboat"] }],
    [...TALK, ...said("rowboat", 4)],
    undefined,
  ],
  [
    "is silent when a taxonomy's word names the service",
    [{ id: "weddings", label: "Weddings" }],
    [...TALK, ...said("marriage function", 4)],
    undefined,
  ],
  ["is silent without frequent words", [{ id: "skiffs", label: "Skiff hire" }], TALK, undefined],
  ["is silent without reviews", [{ id: "skiffs", label: "Skiff hire" }], [], undefined],
];

for (const [name, services, texts, expected] of CASES) {
  test(`serviceAdvice() ${name}`, () => {
    const advice = serviceAdvice(reviews(texts), business(services));
    if (expected === undefined) assert.equal(advice, undefined);
    else assert.match(advice ?? "", expected);
  });
}
