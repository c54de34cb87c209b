import assert from "node:assert/strict";
import { test } from "node:test";
import { program } from "./command-line.ts";

test("program() has each command that works on a store take --site and --sites", () => {
  const without = (option: string) =>
    program()
      .commands.filter(({ options }) => options.every(({ long }) => long !== option))
      .map((command) => command.name());
  const ofNoStore = ["init", "migrate-store", "completion"];
  assert.deepEqual(without("--sites"), ofNoStore);
  assert.deepEqual(without("--site").toSorted(), [...ofNoStore, "serve", "sites"].toSorted());
});
