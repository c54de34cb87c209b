import assert from "node:assert/strict";
import { test } from "node:test";
import { normalForm } from "./normal-form.ts";

const FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;

test("normalForm() is what normalize() gives for texts as people write them", () => {
  for (const form of FORMS) {
    for (const text of [
      "",
      "Café",
      "cafe\u0301",
      "q\u0307\u0323",
      "\uff76\uff9e",
      "한국어",
      `z${"\u0301\u0323".repeat(14)}z`,
    ])
      assert.equal(normalForm(text, form), text.normalize(form));
  }
});

test("normalForm() takes time that grows with the length of a text, whatever marks stand in a row", () => {
  const [above, below] = ["\u0301".repeat(50_000), "\u0323".repeat(50_000)];
  for (const form of FORMS) {
    for (const text of [`a${above}${below}`, "\u0301\u0323".repeat(50_000), `a${"\u0323\uff9e".repeat(50_000)}`]) {
      const started = process.cpuUsage();
      const normal = normalForm(text, form);
      const { user } = process.cpuUsage(started);
      assert.ok(user < 1_000_000, `${user} µs for ${form}`);
      assert.ok(normal.length >= 99_000, "nothing is lost");
    }
  }
});
