import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { encodeSnapshot, importSample } from "../../scripts/sample-snapshot.ts";
import { openEdition } from "../edition/edition.ts";
import { renderSample } from "./publication.ts";
import { readSample, SAMPLE_SNAPSHOT } from "./sample.ts";

test("readSample() gives what an import of the sample gives now (npm run compile makes it again)", async () => {
  assert.ok(readSample().analyses.size > 200);
  assert.equal(encodeSnapshot(readSample()), readFileSync(SAMPLE_SNAPSHOT, "utf8"), "as it is written");
  assert.equal(encodeSnapshot(await importSample()), encodeSnapshot(readSample()));
});

/**
 * What readers have does not become stale because of the program: if these tags change although sample/ did not, all
 * readers everywhere fetch everything again. The insights follow from the weights as well, so theirs is not among them.
 */
test("the sample's documents have the tags that earlier versions gave them", async () => {
  const edition = openEdition(renderSample("https://reviews.example"));
  const tags = new Map([...edition.documents()].map(({ path, tag }) => [path, tag]));
  assert.deepEqual(
    ["/reviews.json", "/api/feed.json", "/feed.xml"].map((path) => tags.get(path)),
    ["ug1_Op6KoFP64OZRP75oLU", "ZGsUrUkrgGJ0uah6iVF-xS", "HjZ2qciB_HG9AUYx5X7MXX"],
  );
  assert.equal(edition.since("2026-01-01").tag, "VeJdUJBI8TQSh_J_QG1LBK");
  assert.equal(edition.search({ query: "furnace", limit: 20, offset: 0 }).tag, "toY06YkI9giK0382gC2Lq5");
});
