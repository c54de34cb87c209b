/** That the desk says what a command says, and that no words of a file are taken for the program's own. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deskWordsFor } from "../../page/text/desk-words.ts";
import { deskAdvice, questionAdvice } from "./desk-advice.ts";

/** Words of messages behind or between which a pattern leaves something out or puts other words. */
const HOSTILE = [
  "If other columns hold them, name these: --columns rating=…",
  "a business file counts only if you name its own path",
  ", line 1, byte 1: the byte 0xff is not UTF-8. If an older program wrote it",
  " is refused as a zip: ",
  " --yes confirm it with --yes --override-source x. ",
  " Revision 7.",
  `${"r".repeat(3_000)}`,
];

describe("what the desk asks before a change", () => {
  for (const language of ["en", "de"])
    test(`holds what a backup says as it is, and whole, whatever that is (${language})`, () => {
      const words = deskWordsFor(language);
      for (const hostile of HOSTILE) {
        const entry = JSON.stringify({
          url: `https://x.example/${hostile}`,
          header: { from_env: "KEY_REVIEWS" },
          complete: true,
        });
        const foreign = [
          `sources, new: ${entry}`,
          `Description: ${hostile} a → ${hostile} b; otherwise save it as UTF-8 c`,
        ];
        const name = `copy${hostile}.db`;
        const question = `This replaces the reviews and the business in data/goodword.db with those of ${name}. Your pages lose 3 reviews and get back none. Of the business it puts back:`;
        const asked = {
          question,
          details: [...foreign, "removals and redactions, new: 2: later imports leave these reviews or parts out"],
        };
        const [said = "", source = "", description = "", removals = ""] = questionAdvice(
          { ...asked, foreign, name },
          words,
        );
        assert.ok(
          said.includes(name) && said.includes("Your pages lose 3 reviews and get back none. Of the business"),
          said,
        );
        assert.ok(source.endsWith(`: ${entry}`), source);
        assert.ok(description.endsWith(`: ${hostile} a → ${hostile} b; otherwise save it as UTF-8 c`), description);
        assert.match(removals, /^removals and redactions, new: 2: later imports leave/);
      }
    });

  test("a file's name hides no count, also where it is one or looks like what stands in its place", () => {
    for (const name of ["3", "0, 1, 2, 3", "\uE0000\uE001", '"', ".*", "reviews"]) {
      const question = `This undoes change 3, import of ${name} at 12:00 (3 added). Your pages lose 3 reviews.`;
      const [said] = questionAdvice({ question, details: [], foreign: [], name }, deskWordsFor("de"));
      assert.equal(said, question.replace(/[\uE000\uE001]/g, ""));
    }
  });

  test("a quotation of a file is no part of a message in whose words the desk speaks", () => {
    const words = deskWordsFor("de");
    for (const hostile of HOSTILE.slice(0, 5)) {
      const quoted = JSON.stringify(hostile);
      const said = deskAdvice(`a.csv: these are reviews of ${quoted}, of which 3 would be taken out`, words);
      assert.ok(said.includes(quoted) && said.endsWith("of which 3 would be taken out"), said);
    }
  });
});
