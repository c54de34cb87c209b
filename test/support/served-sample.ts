/** The whole program on an empty store, which serves the sample: for all tests of a file, which it must outlive. */
import assert from "node:assert/strict";
import { after } from "node:test";
import { serveProgram, temporaryFolder } from "./program.ts";
import { type Answer, type Asked, ask } from "./wire.ts";

const folder = temporaryFolder();
export const program = await serveProgram(folder.path);

after(async () => {
  assert.equal(await program.stop(), 0);
  folder[Symbol.dispose]();
});

/** Asks the program. */
export function get(path: string, asked: Asked = {}): Promise<Answer> {
  return ask(program.url + path, asked);
}
