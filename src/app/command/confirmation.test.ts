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
  await assert.rejects(requireYes(false, "This undoes change 1.", { terminal }), (error) => {
    assert.ok(error instanceof Declined);
    assert.equal(error.message, "Nothing was changed.");
    return true;
  });
  await requireYes(false, "This undoes change 1.", { terminal: terminalWith("y\n") });
});

test("requireYes() shows details on lines of their own, which cannot control the terminal", async () => {
  const terminal = terminalWith("y\n");
  const details = ["sources, new: https://a.example/\x1b[2J\u202e", "sources, no longer: https://b.example/"];
  await requireYes(false, "This replaces it.", { details, terminal });
  terminal.output.end();
  const shown = await text(terminal.output);
  assert.ok(
    shown.startsWith("This replaces it.\n  sources, new: https://a.example/?[2J?\n  sources, no longer: "),
    shown,
  );
  const unattended = { input: new PassThrough(), output: new PassThrough() };
  await assert.rejects(requireYes(false, "This replaces it.", { details, terminal: unattended }), (error: Error) => {
    assert.match(
      error.message,
      /^This replaces it\.; .*sources, new: .*; .*no longer: .*; .*confirm it with --yes\.$/s,
    );
    return true;
  });
});
