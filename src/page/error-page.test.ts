import assert from "node:assert/strict";
import { test } from "node:test";
import { UNNAMED_BUSINESS } from "../business.ts";
import { renderErrorPage } from "./error-page.ts";

test("renderErrorPage() repeats the English description on another page only where its own words say less", () => {
  const page = (language: string, status: number, detail: string) => {
    const source = { business: { ...UNNAMED_BUSINESS, name: "Nordwind" }, language, baseUrl: "", sample: false };
    return Buffer.from(renderErrorPage(source, status, detail).body).toString();
  };
  assert.match(page("en", 404, "Nothing is at /x"), /404: Nothing is at \/x/);
  assert.doesNotMatch(page("de", 404, "Nothing is at /x"), /Nothing is at/);
  assert.match(page("de", 404, "Nothing is at /x"), /Unter dieser Adresse gibt es nichts/);
  assert.match(
    page("de", 405, "/x does not take PUT"),
    /<p class="soft" dir="auto" lang="en">405: \/x does not take PUT/,
  );
});
