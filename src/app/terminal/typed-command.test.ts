import assert from "node:assert/strict";
import { test } from "node:test";
import { program } from "../command/command-line.ts";
import { asTyped } from "./typed-command.ts";

test("asTyped() puts npx before commands only if npm started the program", () => {
  const hint = 'run "goodword init", then npx goodword import business.yaml';
  const local = 'run "npx goodword init", then npx goodword import business.yaml';
  for (const npm_command of ["exec", "start"]) assert.equal(asTyped(hint, { npm_command }), local);
  for (const environment of [{}, { npm_command: "test" }])
    assert.equal(asTyped(hint, environment), 'run "goodword init", then goodword import business.yaml');
  for (const untouched of [
    "data/goodword.db",
    "goodword imports reviews",
    "/opt/goodword import",
    "a store of goodword",
  ])
    assert.equal(asTyped(untouched, { npm_command: "exec" }), untouched);
});

test("asTyped() knows every command", () => {
  for (const command of program().commands) {
    const hint = `goodword ${command.name()} it`;
    assert.equal(asTyped(hint, { npm_command: "exec" }), `npx ${hint}`);
  }
});
