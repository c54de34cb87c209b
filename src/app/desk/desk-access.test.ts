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
    assert.ok("begin" in entered);
    return entered.begin().split(";")[0] ?? "";
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
  assert.ok("begin" in entered);
  const [cookie] = entered.begin().split(";");
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

test("openDeskAccess() gives a browser no session before it has forgotten twice what others have left in it", () => {
  let now = 0;
  const { key, admit, forgetOnce } = openDeskAccess(() => 8090, { now: () => now });
  const window = { host: "127.0.0.1:8090", "sec-fetch-dest": "document", "sec-fetch-site": "none" };
  const visit = (url: string, headers: object = window) => admit({ url, headers: { ...headers }, socket: {} });
  const nextOf = (url: string) => {
    const answer = visit(url);
    assert.ok("forget" in answer);
    assert.match(answer.forget, /^\/\?forgotten=[\w-]{43}$/);
    return answer.forget;
  };
  const [first, other] = [nextOf(`/?key=${key}`), nextOf(`/?key=${key}`)];
  const second = nextOf(first);
  assert.deepEqual(visit(first), { refused: "session" }, "a second time");
  const entered = visit(second);
  assert.ok("begin" in entered && entered.hasForgotten);
  assert.match(entered.begin(), /^goodword_desk_8090=[\w-]{43};/);
  assert.deepEqual(visit(second), { refused: "session" });
  assert.deepEqual(visit(other, { ...window, "sec-fetch-site": "same-origin" }), { refused: "session" }, "a page's");
  assert.deepEqual(visit(other), { refused: "session" }, "after a page has had it");
  assert.deepEqual(visit("/?forgotten="), { refused: "session" });
  const late = nextOf(`/?key=${key}`);
  now += 10 * 60_000 + 1;
  assert.deepEqual(visit(late), { refused: "session" });
  const unread = nextOf(`/?key=${key}`);
  forgetOnce();
  assert.deepEqual(visit(unread), { refused: "session" }, "after a request that was not read");
  const oldest = nextOf(`/?key=${key}`);
  for (let count = 0; count < 32; count += 1) nextOf(`/?key=${key}`);
  assert.deepEqual(visit(oldest), { refused: "session" });
  const program = visit(`/?key=${key}`, { host: "127.0.0.1:8090" });
  assert.ok("begin" in program && !program.hasForgotten, "what is no browser has nothing to forget");
});

test("openDeskAccess() refuses a WebKit that does not know the policy by which windows are kept apart", () => {
  const { key, admit } = openDeskAccess(() => 8090);
  const visit = (version: string) => {
    const userAgent = `Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) ${version}`;
    const headers = { host: "127.0.0.1:8090", "user-agent": userAgent, "sec-fetch-dest": "document" };
    return admit({ url: `/?key=${key}`, headers, socket: {} });
  };
  for (const old of ["Version/18.3.1 Safari/605.1.15", "Version/17.6 Safari/605.1.15", "Mobile/15E148"])
    assert.deepEqual(visit(old), { refused: "browser" }, old);
  for (const own of ["Version/18.4 Safari/605.1.15", "Version/26.0 Safari/605.1.15", "Chrome/120.0 Safari/537.36"])
    assert.ok("forget" in visit(own), own);
});

test("openDeskAccess() takes what a browser of WebKit asks for without saying what for as a script's", () => {
  const { key, admit } = openDeskAccess(() => 8090);
  const engines = [
    "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15",
    "AppleWebKit/537.36 Chrome/150.0",
  ];
  const reads = engines.map((engine) => {
    const browser = { host: "127.0.0.1:8090", "user-agent": `Mozilla/5.0 (X11; Linux) ${engine}` };
    const window = { ...browser, "sec-fetch-dest": "document", "sec-fetch-site": "none" };
    let address = `/?key=${key}`;
    for (;;) {
      const answer = admit({ url: address, headers: window, socket: {} });
      if ("begin" in answer) {
        const [cookie] = answer.begin().split(";");
        const programs = { ...browser, "user-agent": "curl/8", cookie };
        return [browser, programs].map((each) => admit({ url: "/reviews", headers: { ...each, cookie }, socket: {} }));
      }
      assert.ok("forget" in answer);
      address = answer.forget;
    }
  });
  assert.deepEqual(reads[0], [{ refused: "script" }, { refused: "script" }], "whatever a script calls itself");
  assert.deepEqual(
    reads[1]?.map((answer) => "token" in answer),
    [true, true],
  );
});

test("openDeskAccess() begins no session for what a browser asks for without a word of Fetch Metadata", () => {
  const { key, admit } = openDeskAccess(() => 8090);
  const ask = (url: string, headers: object) =>
    admit({ url, headers: { host: "127.0.0.1:8090", ...headers }, socket: {} });
  const browser = { "accept-encoding": "gzip, deflate", "accept-language": "", "user-agent": "curl/8" };
  for (const referer of [{}, { referer: "http://127.0.0.1:8090/" }])
    assert.deepEqual(ask(`/?key=${key}`, { ...browser, ...referer }), { refused: "script" });
  assert.deepEqual(ask(`/?key=${key}`, { origin: "http://evil.example" }), { refused: "origin" });
  for (const program of [{}, { "user-agent": "curl/8", accept: "*/*" }, { ...browser, "sec-fetch-mode": "cors" }]) {
    const entered = ask(`/?key=${key}`, program);
    assert.ok("begin" in entered, JSON.stringify(program));
    const [cookie] = entered.begin().split(";");
    assert.ok("token" in ask("/reviews", { ...program, cookie }));
    assert.deepEqual(ask("/reviews", { ...browser, cookie }), { refused: "script" });
  }
});

test("openDeskAccess() sends each window on a detour first, by an address that counts once and in its session alone", () => {
  let now = 0;
  const { key, admit, forgetOnce } = openDeskAccess(() => 8090, { now: () => now });
  const ask = (url: string, headers: object, method = "GET") =>
    admit({ url, method, headers: { host: "127.0.0.1:8090", ...headers }, socket: {} });
  const enter = () => {
    const entered = ask(`/?key=${key}`, {});
    assert.ok("begin" in entered);
    return entered.begin().split(";")[0] ?? "";
  };
  const window = (cookie: string) => ({ cookie, "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" });
  const [cookie, other] = [enter(), enter()];
  const detourOf = (address: string) => {
    const sent = ask(address, window(cookie));
    assert.ok("detour" in sent);
    return sent.detour;
  };
  const detour = detourOf("/reviews?query=a+b");
  assert.match(detour, /^\/reviews\?query=a\+b&apart=[\w-]{43}$/);
  const spent = detourOf("/reviews?query=a+b");
  assert.ok("detour" in ask(spent, window(other)), "of another session");
  assert.ok("detour" in ask(spent, window(cookie)), "after another session had it");
  for (const headers of [
    { "sec-fetch-dest": "empty" },
    { host: "localhost.:8090" },
    { "sec-fetch-site": "cross-site" },
  ]) {
    const refused = detourOf("/reviews?query=a+b");
    assert.ok("refused" in ask(refused, { ...window(cookie), ...headers }));
    assert.ok("detour" in ask(refused, window(cookie)), "after a request that was refused");
  }
  assert.ok("token" in ask(detour, window(cookie)));
  assert.ok("detour" in ask(detour, window(cookie)), "a second time");
  assert.ok("detour" in ask("/reviews?apart=", window(cookie)));
  const elsewhere = new URL(detourOf("/history"), "http://desk").search;
  assert.ok("detour" in ask(`/reviews${elsewhere}`, window(cookie)), "at another address");
  for (const target of ["//evil.example/x", "/a/..//evil.example/x", "//h//evil.example"])
    assert.deepEqual(ask(target, window(cookie)), { refused: "host" }, target);
  assert.ok("detour" in ask(`/history${elsewhere}`, window(cookie)), "after it was at another one");
  const late = detourOf("/history");
  now += 5_001;
  assert.ok("detour" in ask(late, window(cookie)), "a browser follows at once");
  const unread = detourOf("/history");
  forgetOnce();
  assert.ok("detour" in ask(unread, window(cookie)), "after a request that was not read");
  const first = detourOf("/");
  for (let count = 0; count < 32; count += 1) detourOf("/");
  assert.ok("detour" in ask(first, window(cookie)), "more wait than a browser has windows");
  assert.ok("token" in ask("/reviews", { cookie }), "what is no browser has no windows");
  assert.ok("token" in ask("/reviews", { ...window(cookie), origin: "http://127.0.0.1:8090" }, "POST"));
});
