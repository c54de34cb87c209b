import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "hono/html";
import { type DeskRequest, deskLocale, showPage } from "./desk-frame.ts";

test("deskLocale() is English, words and formats alike, where the pages have a language that the desk lacks", () => {
  const tags = ["de-AT", "en-IE", "fr-BE", "nl", "it"].map((language) => deskLocale(language).locale.tag);
  assert.deepEqual(tags, ["de-AT", "en-IE", "en", "en", "en"]);
  assert.equal(deskLocale("es").words, deskLocale("en").words);
});

test("showPage() says a notice until it was on a page that stays", async () => {
  const site = { notice: ["It was changed meanwhile"], prefix: "", works: { current: () => undefined } };
  const request = { ...deskLocale("en"), site, business: "Ada", isWindow: true, token: "" } as unknown as DeskRequest;
  const isSaid = async (isWaiting: boolean) =>
    (await showPage(request, { entry: "import", title: "Import", content: html``, isWaiting }).text()).includes(
      "It was changed meanwhile",
    );
  assert.deepEqual(
    [await isSaid(true), await isSaid(true), await isSaid(false), await isSaid(false)],
    [true, true, true, false],
  );
});
