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

/** What a tool answers about an edition. */
function answerOf(edition: Awaited<ReturnType<typeof sampleEdition>>, name: string, args: object) {
  const made = TOOLS.find((tool) => tool.name === name)?.run(edition, { ...args }) ?? "";
  return JSON.parse(typeof made === "string" ? made : finish(made));
}

test("get_business counts a name and a text of one review as two that are hidden, not as two reviews", async () => {
  const edition = await sampleEdition();
  const of = (redacted_text: number) => ({
    ...edition.provenance,
    removals: [{ year: 2026, rating: 5, removed: 0, redacted_author: 1, redacted_text }],
  });
  for (const [texts, said] of [
    [1, /\(2 names or texts hidden\)|, 2 names or texts hidden[,)]/],
    [0, /\(1 name or text hidden\)|, 1 name or text hidden[,)]/],
  ] as const)
    assert.match(answerOf({ ...edition, provenance: of(texts) }, "get_business", {}).gathered, said);
});

test("get_faq says that no reply at all may be due to the imported files", async () => {
  const edition = await sampleEdition();
  const { note } = answerOf({ ...edition, repliedCount: () => 0 }, "get_faq", { query: "Do they reply to reviews?" });
  assert.match(note, /^No review published here has a reply of the owner; .*is not known here\./);
});
