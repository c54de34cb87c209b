import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { askToConfirm, canAsk, Declined, requireYes } from "./confirmation.ts";

/** A terminal on which somebody types. */
function terminalWith(typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  input.end(typed);
  return { input, output };
}

test("askToConfirm() takes everything but yes for no, the end of the input too", async () => {
  const answers: readonly [string, boolean][] = [
    ["y\n", true],
    ["yes\n", true],
    [" YES \r\n", true],
    ["n\n", false],
    ["no\n", false],
    ["\n", false],
    ["yess\n", false],
    ["yes, but only the new ones\n", false],
    ["", false],
    ["\u0004", false],
  ];
  for (const [typed, expected] of answers) {
    const terminal = terminalWith(typed);
    assert.equal(await askToConfirm("Withdraw them?", terminal), expected, JSON.stringify(typed));
    terminal.output.end();
    assert.match(await text(terminal.output), /Withdraw them\? \[y\/N\] /);
  }
});

test("canAsk() needs a terminal for input and output", () => {
  const { input, output } = terminalWith("");
  assert.equal(canAsk({ input, output }), true);
  assert.equal(canAsk({ input: new PassThrough(), output }), false);
  assert.equal(canAsk({ input, output: new PassThrough() }), false);
});

test("requireYes() reports a no as Declined, not as an error", async () => {
  const terminal = terminalWith("n\n");
  await assert.rejects(requireYes(false, "This undoes change 1.", terminal), (error) => {
    assert.ok(error instanceof Declined);
    assert.equal(error.message, "Nothing was changed.");
    return true;
  });
  await requireYes(false, "This undoes change 1.", terminalWith("y\n"));
});
