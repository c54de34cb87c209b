import assert from "node:assert/strict";
import { test } from "node:test";
import { countryOf, dialledNumber, likelyLanguage, telephoneHint } from "./business-answers.ts";

for (const [number, hint] of [
  ["+353 1 555 0142", undefined],
  ["+44 (0)113 496 0142", undefined],
  ["+1-512-555-0142", undefined],
  ["01 555 0142", /no country code/],
  ["(512) 555-0142", /no country code/],
  ["+0353 1 555 0142", /0 where the country code belongs/],
  ["+353 1", /has 4 digits/],
  ["+1 512 555 0142 512 555 0142", /has 21 digits/],
] as const)
  test(`telephoneHint() of ${number} is ${hint === undefined ? "none" : hint.source}`, () => {
    if (hint === undefined) assert.equal(telephoneHint(number), undefined);
    else assert.match(telephoneHint(number) ?? "", hint);
  });

test("dialledNumber() writes the international prefix as a plus", () => {
  assert.equal(dialledNumber("00353 1 555 0142"), "+353 1 555 0142");
  assert.equal(dialledNumber("01 555 0142"), "01 555 0142");
});

test("likelyLanguage() is the machine's language in the business's country", () => {
  const machine = "en-US";
  assert.equal(likelyLanguage({ timeZone: "Europe/Dublin", machine }), "en-IE");
  assert.equal(likelyLanguage({ timeZone: "Asia/Kolkata", machine }), "en-IN");
  assert.equal(likelyLanguage({ timeZone: "America/Chicago", machine }), "en-US");
  assert.equal(likelyLanguage({ timeZone: "Europe/Berlin", machine: "de" }), "de-DE");
  assert.equal(likelyLanguage({ timeZone: "UTC", machine }), "en");
  assert.equal(likelyLanguage({ timeZone: "UTC", country: "NZ", machine }), "en-NZ");
  assert.equal(countryOf("Etc/GMT+3"), undefined);
});
