import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleEdition } from "../../../test/support/mcp-server.ts";
import { finish } from "../../edition/steps.ts";
import { TOOLS } from "./tools.ts";

test("get_faq looks for the words that no answer has in steps, between which others are answered", async () => {
  const edition = await sampleEdition();
  let counted = 0;
  function* counting<Result>(steps: Generator<undefined, Result>): Generator<undefined, Result> {
    counted++;
    return yield* steps;
  }
  const tool = TOOLS.find(({ name }) => name === "get_faq");
  const watched = {
    ...edition,
    listSteps: (filter: Parameters<typeof edition.listSteps>[0]) => counting(edition.listSteps(filter)),
    hintSteps: (...given: Parameters<typeof edition.hintSteps>) => counting(edition.hintSteps(...given)),
    formSteps: (words: readonly string[]) => counting(edition.formSteps(words)),
    list: () => assert.fail("a search at once"),
  };
  const made = tool?.run(watched, { query: "zebras and thermostatics" });
  assert.ok(made !== undefined && typeof made !== "string");
  assert.match(finish(made), /No answer says anything of/);
  assert.equal(counted, 4);
});
