/** Sessions between processes: an id that one gave is taken by every other that shares the store, and after a restart. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { callAt, sessionAt } from "../support/mcp-server.ts";
import { run, type Served, serveProgram, temporaryFolder } from "../support/program.ts";
import { program } from "../support/served-sample.ts";

const open = ({ url }: Served) => sessionAt(`${url}/mcp`);

/** A store of one business without reviews, which a process has soon rendered. */
async function makeStore(folder: string): Promise<void> {
  writeFileSync(join(folder, "business.yaml"), "name: Ours\ntime_zone: UTC\n");
  assert.equal((await run(folder, ["import", "business.yaml"])).code, 0);
}

/** The status of a tool call in a session. */
async function use({ url }: Served, session: string): Promise<number> {
  const call = { name: "get_business", arguments: {} };
  const { status, text } = await callAt(`${url}/mcp`, session, "tools/call", call);
  if (status === 200) assert.ok(JSON.parse(text).result.structuredContent.business.name);
  return status;
}

test("a session opened on one process works on another that shares the store, and after a restart", async () => {
  using folder = temporaryFolder();
  await makeStore(folder.path);
  const [first, second] = await Promise.all([serveProgram(folder.path), serveProgram(folder.path)]);
  const session = await open(first);
  assert.equal(await use(first, session), 200);
  assert.equal(await use(second, session), 200);
  assert.equal(await use(first, await open(second)), 200);
  await Promise.all([first.kill(), second.stop()]);
  const restarted = await serveProgram(folder.path);
  assert.equal(await use(restarted, session), 200);
  await restarted.stop();
});

test("a session of another store is unknown", async () => {
  using elsewhere = temporaryFolder();
  await makeStore(elsewhere.path);
  const there = await serveProgram(elsewhere.path);
  assert.equal(await use(program, await open(there)), 404);
  await there.stop();
});
