import assert from "node:assert/strict";
import { test } from "node:test";
import { openEdition } from "../edition/edition.ts";
import { renderSample } from "./publication.ts";
import { readSample } from "./sample.ts";

test("readSample() has the analyses that the analyser makes now (npm run sample makes them again)", async () => {
  const made = await readSample([]);
  assert.ok(made.analyses.size > 200);
  const stored = await readSample();
  assert.deepEqual(stored, made);
});

/**
 * What readers have does not become stale because of the program: if these tags change although sample/ did not, all
 * readers everywhere fetch everything again. The insights follow from the weights as well, so theirs is not among them.
 */
test("the sample's documents have the tags that earlier versions gave them", async () => {
  const edition = openEdition(await renderSample("https://reviews.example"));
  const tags = new Map([...edition.documents()].map(({ path, tag }) => [path, tag]));
  assert.deepEqual(
    ["/reviews.json", "/api/feed.json", "/feed.xml"].map((path) => tags.get(path)),
    ["ug1_Op6KoFP64OZRP75oLU", "ZGsUrUkrgGJ0uah6iVF-xS", "HjZ2qciB_HG9AUYx5X7MXX"],
  );
  assert.equal(edition.since("2026-01-01").tag, "VeJdUJBI8TQSh_J_QG1LBK");
  assert.equal(edition.search({ query: "furnace", limit: 20, offset: 0 }).tag, "toY06YkI9giK0382gC2Lq5");
});
