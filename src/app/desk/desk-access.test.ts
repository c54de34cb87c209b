import assert from "node:assert/strict";
import { test } from "node:test";
import { openDeskAccess } from "./desk-access.ts";

const HOUR_MS = 3_600_000;

test("openDeskAccess() ends a session that nobody has used for twelve hours, and the oldest beyond thirty-two", () => {
  let now = 0;
  const { key, admit } = openDeskAccess(() => 8090, { now: () => now });
  const ask = (url: string, cookie = "") => admit({ url, headers: { host: "127.0.0.1:8090", cookie }, socket: {} });
  const enter = () => {
    const entered = ask(`/?key=${key}`);
    assert.ok("cookie" in entered);
    return entered.cookie.split(";")[0] ?? "";
  };
  const isIn = (cookie: string) => "token" in ask("/", cookie);
  const [first, second] = [enter(), enter()];
  now = 12 * HOUR_MS;
  assert.ok(isIn(first));
  now += 1;
  assert.deepEqual([isIn(first), isIn(second)], [true, false]);
  for (let count = 0; count < 31; count += 1) enter();
  assert.ok(isIn(first));
  now += 1;
  for (let count = 0; count < 32; count += 1) enter();
  assert.ok(!isIn(first));
});

test("openDeskAccess() lets in nothing that a page fetched ahead, no socket, and nothing that names another origin", () => {
  const { key, admit } = openDeskAccess(() => 8090);
  const ask = (url: string, headers: object) =>
    admit({ url, headers: { host: "127.0.0.1:8090", ...headers }, socket: {} });
  const ahead = { "sec-fetch-site": "none", "sec-fetch-dest": "document", "sec-purpose": "prefetch;prerender" };
  assert.deepEqual(ask(`/?key=${key}`, ahead), { refused: "script" });
  const entered = ask(`/?key=${key}`, {});
  assert.ok("cookie" in entered);
  const [cookie] = entered.cookie.split(";");
  const isIn = (headers: object) => "token" in ask("/history", { cookie, ...headers });
  assert.ok(isIn({}));
  assert.ok(isIn({ origin: "http://127.0.0.1:8090" }));
  for (const headers of [
    ahead,
    { purpose: "prefetch" },
    { "x-moz": "prefetch" },
    { "x-purpose": "preview" },
    { "sec-fetch-dest": "document", "sec-fetch-site": "none", "service-worker-navigation-preload": "true" },
    { connection: "Upgrade", upgrade: "websocket", origin: "http://127.0.0.1:8090" },
    { origin: "http://127.0.0.1:9000" },
    { origin: "null" },
  ])
    assert.ok(!isIn(headers), JSON.stringify(headers));
});
