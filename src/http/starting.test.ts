/** What the server answers before the first edition is out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { routesTo } from "../../test/support/test-routes.ts";

const routes = routesTo(undefined);
const get = async (path: string, accept: string) =>
  await routes(new Request(`https://reviews.example${path}`, { headers: { Accept: accept } }));

for (const path of ["/", "/reviews", "/reviews?rating=5", "/docs", "/reviews/01M4YDQK00WWWWD5HRTT1E1AHP"]) {
  test(`${path} is a page for a browser that comes back by itself, and JSON for a program`, async () => {
    const page = await get(path, "text/html,*/*;q=0.8");
    assert.equal(page.status, 503);
    assert.equal(page.headers.get("Retry-After"), "1");
    assert.equal(page.headers.get("Content-Type"), "text/html; charset=utf-8");
    assert.equal(page.headers.get("Cache-Control"), "no-store");
    const text = await page.text();
    assert.match(text, /<h1>Just starting<\/h1>/);
    assert.match(text, /<script type="module" src="\/assets\/starting\.js">/);
    assert.match(text, /<a class="button" href="">Try again<\/a>/);
    const program = await get(path, "application/json");
    assert.equal(program.status, 503);
    assert.equal(program.headers.get("Retry-After"), "1");
    assert.equal(program.headers.get("Content-Type"), "application/json");
    assert.ok("error" in ((await program.json()) as object));
  });
}

test("what programs ask for is JSON for a browser, too", async () => {
  for (const path of ["/api/reviews/search", "/api/feed.json", "/.well-known/openapi.json"]) {
    const answer = await get(path, "text/html");
    assert.equal(answer.status, 503, path);
    assert.equal(answer.headers.get("Content-Type"), "application/json", path);
  }
});

test("everything that the page loads is there already", async () => {
  const text = await (await get("/", "text/html")).text();
  const loaded = [
    ...text.matchAll(/(?:<link rel="(?:stylesheet|icon)" href|<script type="module" src)="([^"]+)"/g),
  ].map(([, path = ""]) => path);
  assert.ok(loaded.length >= 3);
  for (const path of loaded) assert.equal((await get(path, "*/*")).status, 200, path);
});
