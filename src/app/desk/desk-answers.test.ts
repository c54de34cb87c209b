import assert from "node:assert/strict";
import { test } from "node:test";
import { openFormAnswers } from "./desk-answers.ts";

test("openFormAnswers() keeps a page for the session that sent its form, at its address, once and for a minute", async () => {
  let now = 0;
  const { keep, take } = openFormAnswers(() => now);
  const sender = { path: "/business", token: "t" };
  const page = () => new Response("<form>", { status: 400, headers: { "Content-Type": "text/html; charset=utf-8" } });
  const addressOf = (answer: Response) => {
    assert.deepEqual([answer.status, answer.body], [303, null]);
    const address = new URL(answer.headers.get("Location") ?? "", "http://desk");
    assert.equal(address.pathname, "/business");
    return address.searchParams;
  };
  const kept = addressOf(keep(page(), sender));
  assert.equal(take(kept, { ...sender, token: "another" }), undefined);
  assert.equal(take(kept, { ...sender, path: "/history" }), undefined);
  const taken = take(kept, sender);
  assert.deepEqual([taken?.status, await taken?.text()], [400, "<form>"]);
  assert.equal(take(kept, sender), undefined, "a second time");
  const late = addressOf(keep(page(), sender));
  now += 60_001;
  assert.equal(take(late, sender), undefined);
  const oldest = addressOf(keep(page(), sender));
  for (let count = 0; count < 32; count += 1) keep(page(), sender);
  assert.equal(take(oldest, sender), undefined);
  const download = new Response("store", { headers: { "Content-Type": "application/octet-stream" } });
  assert.equal(keep(download, sender), download);
  const redirect = new Response(null, { status: 303, headers: { Location: "/", "Content-Type": "text/html" } });
  assert.equal(keep(redirect, sender), redirect);
});
