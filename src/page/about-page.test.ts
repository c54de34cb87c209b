import assert from "node:assert/strict";
import { test } from "node:test";
import { openSandbox, takeoutPage, takeoutReview } from "../../test/support/import-sandbox.ts";
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { openEdition } from "../edition/edition.ts";
import { renderDatasets } from "../edition/render-datasets.ts";
import { removeReviews } from "../maintenance/removal.ts";
import { readSnapshot } from "../store/store.ts";
import { renderAboutPage } from "./about-page.ts";

test("every question of the CMA's short guide has its sentence, and a figure only where there is one", async () => {
  await using box = await openSandbox();
  const { store } = box;
  const read = async () => {
    const snapshot = await readSnapshot(store);
    const settings = { baseUrl: "https://r.example", sample: false, taxonomy: taxonomyOf(undefined) };
    return Buffer.from(renderAboutPage(openEdition(renderDatasets(snapshot, settings))).body).toString();
  };
  const empty = await read();
  await box.take(box.write("a.json", takeoutPage(takeoutReview("a"), takeoutReview("b"))));
  const [first] = await box.reviews();
  await removeReviews(store, [first?.id ?? ""], { what: ["review"], now: new Date("2026-02-03T04:05:06Z") });
  const full = await read();
  for (const page of [empty, full])
    for (const id of "gathered genuine rewarded complete moderated fake replies rating summaries corrected".split(" "))
      assert.match(page, new RegExp(`<h2 id="${id}">[^<]+\\?</h2><p>[^<]{40,}</p>`), id);
  for (const page of [empty, full]) assert.doesNotMatch(page, /[ >]0 [a-z]+ (are|were)|>0 (are|were)/);
  assert.match(empty, /None is withheld, withdrawn or removed/);
  assert.match(full, /1 was removed one by one/);
});
