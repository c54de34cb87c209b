import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import type { RenderedEdition } from "../../edition/render-edition.ts";
import { renderSample } from "./edition-worker-thread.ts";
import { keepSample, keptSample, NOBODYS_ORIGIN, withOrigin } from "./sample-edition.ts";

const ORIGINS = ["https://reviews.example.com", "http://[::1]:65535"];

const texts = ({ documents }: RenderedEdition) =>
  documents.map(({ path, tag, body }) => ({ path, tag, text: Buffer.from(body).toString("latin1") }));

test("the sample rendered for nobody is, for any origin, what is rendered for that origin", async () => {
  const nobodys = await renderSample(NOBODYS_ORIGIN);
  for (const origin of ORIGINS) {
    const [direct, replaced] = [await renderSample(origin), withOrigin(nobodys, origin)];
    assert.deepEqual(texts(replaced), texts(direct), origin);
    const { documents: _direct, ...expected } = direct;
    const { documents: _replaced, ...rest } = replaced;
    assert.deepEqual(rest, expected, origin);
  }
});

test("a kept sample is read back whole, and one that was spoilt is not used", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "cache", "sample.edition");
  assert.equal(keptSample("http://a.example", file), undefined);
  const nobodys = await renderSample(NOBODYS_ORIGIN);
  keepSample(nobodys, file);
  const kept = keptSample("http://a.example", file);
  assert.ok(kept);
  assert.deepEqual(texts(kept), texts(withOrigin(nobodys, "http://a.example")));
  writeFileSync(file, readFileSync(file).fill(0, 100, 200));
  assert.equal(keptSample("http://a.example", file), undefined);
});
