import assert from "node:assert/strict";
import { test } from "node:test";
import { makeSamples, samplesFor } from "./reference-samples.ts";

for (const origin of [
  "https://reviews.example.com",
  "http://localhost:8080",
  "http://[::1]:8080",
  "https://xn--bcher-kva.example",
]) {
  test(`samplesFor() gives for ${origin} what is made for it alone`, () => {
    assert.deepEqual(samplesFor(origin), makeSamples(origin));
  });
}
