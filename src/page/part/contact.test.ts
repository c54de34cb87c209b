import assert from "node:assert/strict";
import { test } from "node:test";
import { UNNAMED_BUSINESS } from "../../business.ts";
import { localeOf } from "../text/locale.ts";
import { renderContact } from "./contact.ts";

test("a town stands with its postal code in the order of the business's country", () => {
  const shown = (language: string, country?: string) => {
    const address = { locality: "Dresden", postal_code: "01097", ...(country === undefined ? {} : { country }) };
    return String(renderContact({ ...UNNAMED_BUSINESS, address }, localeOf(language)));
  };
  for (const [language, country] of [
    ["de", "DE"],
    ["de", "Deutschland"],
    ["de", "Germany"],
    ["en", "Germany"],
    ["fr", "Suisse"],
    ["de", undefined],
    ["de-AT", undefined],
    ["nl", undefined],
  ] as const)
    assert.match(shown(language, country), /01097 Dresden/, `${language} ${country}`);
  for (const [language, country] of [
    ["de", "US"],
    ["en", undefined],
    ["en-IE", undefined],
    ["fr-CA", undefined],
    ["de", "United States"],
    ["en", "USA"],
  ] as const)
    assert.match(shown(language, country), /Dresden, 01097/, `${language} ${country}`);
});
