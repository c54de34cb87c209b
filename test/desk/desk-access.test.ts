/** Who gets into the desk, and who does not: a test for each line of its threat model. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { askDesk, type DeskSession, enter, type OpenDesk, openDesk } from "../support/desk.ts";
import { run, temporaryFolder } from "../support/program.ts";
import { until } from "../support/within.ts";
import { zipOf } from "../support/zip-writer.ts";

const REVIEWS =
  "id,author,rating,date,text,source\na,Ann,5,2025-01-02,Quick and clean,google\nb,Bob,2,2025-01-03,Late,google\n";

/** Where browsers look for `localhost`. */
const OWN_ADDRESSES = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .flatMap(({ address }) => (address === "127.0.0.1" || address === "::1" ? address : []))
  .toSorted();

describe("the desk", () => {
  const folder = temporaryFolder();
  let desk: OpenDesk;
  let session: DeskSession;

  before(async () => {
    writeFileSync(join(folder.path, "business.yaml"), "name: Northside Cooling\ntime_zone: America/Chicago\n");
    writeFileSync(join(folder.path, "reviews.csv"), REVIEWS);
    assert.equal((await run(folder.path, ["import", "business.yaml", "reviews.csv"])).code, 0);
    desk = await openDesk(folder.path);
    session = await enter(desk);
  });

  after(async () => {
    await desk[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const paths = ["/", "/import", "/reviews", "/assets/style.css", "/assets/desk.js", "/import/progress", "/nothing"];

  test("the first visit with the key sets a session cookie and leads to /, without the key in Referer or address", async () => {
    const { status, headers, text } = await askDesk(desk.address);
    assert.equal(status, 303);
    assert.equal(headers.location, "/");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["clear-site-data"], '"cache", "storage"', "an earlier program may have had this port");
    assert.match(String(headers["set-cookie"]), /^goodword_desk_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const again = await askDesk(desk.address);
    assert.equal(again.status, 303, "a second browser, or the same one after it has lost the cookie");
    assert.notEqual(String(again.headers["set-cookie"]), String(headers["set-cookie"]));
    const key = new URL(desk.address).searchParams.get("key") ?? "";
    assert.ok(!`${text}${headers["set-cookie"]}${headers.location}`.includes(key));
    for (const path of paths) assert.ok(!(await session.get(path)).text.includes(key), path);
  });

  test("a browser forgets twice, without a session, before it gets the cookie with nothing to forget", async () => {
    const window = { "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate" };
    let address = desk.address;
    for (const _ of [1, 2]) {
      const { status, headers, text } = await askDesk(address, { headers: window });
      assert.deepEqual([status, headers["set-cookie"], text], [303, undefined, ""]);
      assert.equal(headers["clear-site-data"], '"cache", "storage"');
      address = `${desk.origin}${headers.location}`;
    }
    const { status, headers } = await askDesk(address, { headers: window });
    assert.deepEqual([status, headers.location, headers["clear-site-data"]], [303, "/", undefined]);
    assert.match(String(headers["set-cookie"]), /^goodword_desk_\d+=/);
  });

  test("an address that counts once does so no more after a request that was too large to read, of which a page may learn it", async () => {
    const headers = { Cookie: session.cookie, "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "same-origin" };
    const opened = async (address: string) => await askDesk(`${desk.origin}${address}`, { headers });
    const detour = String((await opened("/reviews")).headers.location);
    assert.equal((await opened(detour)).status, 200);
    for (const signs of [2_800, 8_192])
      assert.equal(
        (await opened(`/reviews?q=${"(".repeat(signs)}`)).status,
        414,
        "longer on its way back than on its way there",
      );
    const longest = String((await opened(`/reviews?q=${"(".repeat(2_700)}`)).headers.location);
    assert.equal((await opened(longest)).status, 200);
    const spent = String((await opened("/reviews")).headers.location);
    assert.equal((await askDesk(`${desk.origin}${spent}`)).status, 403, "without the cookie");
    assert.equal((await opened(spent)).status, 303, "on another detour");
    const unread = String((await opened("/reviews")).headers.location);
    const socket = connect(Number(new URL(desk.origin).port), "127.0.0.1");
    socket.on("error", () => {}); // it may be cut before all is sent
    socket.write(
      `GET ${unread} HTTP/1.1\r\nHost: ${new URL(desk.origin).host}\r\nCookie: a=${"x".repeat(1_100_000)}\r\n\r\n`,
    );
    assert.match(await text(socket), /^HTTP\/1\.1 431 /);
    assert.equal((await opened(unread)).status, 303, "on another detour");
  });

  test("a form is answered by no page but by the address of one, which a browser fetches once and by a detour", async () => {
    const browser = { Cookie: session.cookie, "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "same-origin" };
    const form = { ...browser, Origin: desk.origin, "Content-Type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ token: session.token, name: "" }).toString();
    const sent = await askDesk(`${desk.origin}/business`, { method: "POST", headers: form, body });
    assert.deepEqual(
      [sent.status, sent.text],
      [303, ""],
      "going back to it sends no form again that is answered by a page",
    );
    assert.match(String(sent.headers.location), /^\/business\?answer=[\w-]{22}$/);
    const opened = async (address: string) => await askDesk(`${desk.origin}${address}`, { headers: browser });
    const posted = await askDesk(`${desk.origin}${sent.headers.location}`, {
      method: "POST",
      headers: form,
      body: "x=1",
    });
    assert.equal(posted.status, 403, "without the token");
    assert.doesNotMatch(posted.text, /name="token"/);
    const detour = await opened(String(sent.headers.location));
    assert.equal(detour.status, 303);
    const page = await opened(String(detour.headers.location));
    assert.equal(page.status, 400);
    assert.match(page.text, /role="alert"/);
    const again = await opened(String((await opened(String(sent.headers.location))).headers.location));
    assert.equal(again.status, 200, "the page itself");
    assert.doesNotMatch(again.text, /role="alert"/);
  });

  test("a page takes no other styles and script than the desk's own, whatever a service worker or the cache gives it", async () => {
    const page = (await session.get("/reviews")).text;
    const loaded = [
      ...page.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js)\?[^"]+)" integrity="(sha384-[^"]+)"/g),
    ];
    assert.deepEqual(
      loaded.map(([, address = ""]) => address.split("?")[0]),
      ["/assets/style.css", "/assets/desk.css", "/assets/desk.js"],
    );
    for (const [, address = "", integrity] of loaded) {
      const hash = createHash("sha384").update((await session.get(address)).text);
      assert.equal(`sha384-${hash.digest("base64")}`, integrity, address);
    }
  });

  test("whoever has neither key nor cookie gets 403 everywhere and learns nothing", async () => {
    const other = await openDesk(folder.path);
    const foreign = (await enter(other)).cookie;
    await other[Symbol.asyncDispose]();
    const cookies = [
      "",
      "goodword_desk=1",
      `goodword_desk_${new URL(desk.origin).port}=x`,
      foreign,
      `${session.cookie}x`,
    ];
    for (const path of [...paths, "/?key=", "/?key=wrong", "/import?key=wrong", "/reviews?search=Ann"])
      for (const cookie of cookies) {
        const { status, text } = await askDesk(`${desk.origin}${path}`, { headers: { Cookie: cookie } });
        assert.equal(status, 403, `${path} ${cookie}`);
        assert.doesNotMatch(text, /Northside|Ann|token/);
      }
    const german = await askDesk(`${desk.origin}/`, { headers: { "Accept-Language": "de-DE,de;q=0.9" } });
    assert.match(german.text, /<html lang="de">[\s\S]*Öffnen Sie den Schreibtisch unter der ganzen Adresse/);
  });

  test("a Host that is not this machine's gets 403, even with the cookie (DNS rebinding)", async () => {
    for (const host of [
      "evil.example",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "10.0.0.1",
      "[::2]",
      "localhost.",
    ]) {
      const given = { Host: `${host}:${new URL(desk.origin).port}`, Cookie: session.cookie };
      const { status } = await askDesk(`${desk.origin}/import`, { headers: given });
      assert.equal(status, 403, host);
      const keyed = await askDesk(desk.address, { headers: given });
      assert.ok(keyed.headers["set-cookie"] === undefined, host);
    }
    for (const host of ["localhost", "127.0.0.1", "LOCALHOST"]) {
      const given = { Host: `${host}:9000`, Cookie: session.cookie };
      assert.equal((await askDesk(`${desk.origin}/import`, { headers: given })).status, 200, host);
    }
  });

  test("a change needs a same-origin Origin, the form's token and the cookie; without one nothing changes", async () => {
    const [id = ""] = /[0-9A-Z]{26}/.exec((await session.get("/reviews")).text) ?? [];
    const type = "application/x-www-form-urlencoded";
    const right = { Cookie: session.cookie, Origin: desk.origin, "Content-Type": type };
    const { Origin: _origin, ...noOrigin } = right;
    const { Cookie: _cookie, ...noCookie } = right;
    const body = `token=${session.token}`;
    const wrong: [string, Record<string, string>, string][] = [
      ["no Origin", noOrigin, body],
      ["no cookie", noCookie, body],
      ["another port's Origin", { ...right, Origin: "http://127.0.0.1:1" }, body],
      ["https", { ...right, Origin: desk.origin.replace("http:", "https:") }, body],
      ["Origin null", { ...right, Origin: "null" }, body],
      ["another site", { ...right, Origin: "https://evil.example" }, body],
      ["Origin of another Host", { ...right, Origin: desk.origin.replace("127.0.0.1", "localhost") }, body],
      ["same site, not same origin", { ...right, "Sec-Fetch-Site": "same-site" }, body],
      ["no token", right, ""],
      ["another token", right, `token=${session.cookie}`],
      ["token in the address alone", right, "x=1"],
    ];
    for (const [what, headers, sent] of wrong) {
      const path = what === "token in the address alone" ? `?token=${session.token}` : "";
      const answer = await askDesk(`${desk.origin}/reviews/${id}/remove${path}`, {
        method: "POST",
        headers,
        body: sent,
      });
      assert.equal(answer.status, 403, what);
      assert.doesNotMatch(answer.text, /name="token"|<form|Northside/, what);
      if (what === "another token") assert.match(answer.text, /is in the history: <a href="\/history">History/);
    }
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const { status } = await askDesk(`${desk.origin}/reviews/${id}/remove`, { method, headers: noOrigin });
      assert.ok(status === 403 || status === 405, method);
    }
    assert.match((await session.get("/reviews")).text, /Ann[\s\S]*Bob|Bob[\s\S]*Ann/);
    const [mark] = (await session.get(`/reviews/${id}/remove`)).text.match(/Yes, remove/) ?? [];
    assert.equal(mark, "Yes, remove", "asking changes nothing");
  });

  test("the key counts only where a person has opened a window with it, and not for a page or a script that knows it", async () => {
    const window = { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
    const cases: [number, Record<string, string>][] = [
      [303, window],
      [403, { ...window, "Sec-Fetch-Site": "same-origin" }],
      [403, { ...window, "Sec-Fetch-Site": "same-site" }],
      [403, { ...window, "Sec-Fetch-Site": "cross-site" }],
      [403, { ...window, "Sec-Fetch-Dest": "iframe" }],
      [403, { ...window, "Sec-Fetch-Dest": "empty" }], // what a service worker passes on
    ];
    for (const [expected, headers] of cases) {
      const answer = await askDesk(desk.address, { headers });
      assert.equal(answer.status, expected, JSON.stringify(headers));
      assert.equal("location" in answer.headers, expected === 303);
    }
  });

  test("a script gets the progress of work alone, and no worker is made of anything", async () => {
    const asked = async (path: string, headers: Record<string, string>, method = "GET") =>
      (await askDesk(`${desk.origin}${path}`, { method, headers: { Cookie: session.cookie, ...headers } })).status;
    const script = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty" };
    for (const path of ["/", "/business", "/reviews", "/history/backup", "/progress/x", "/import/preview/"])
      for (const dest of ["empty", "iframe", "object", "json"])
        assert.equal(await asked(path, { ...script, "Sec-Fetch-Dest": dest }), 403, `${path} ${dest}`);
    const ends = ["/nothing", "/business", "/import/preview", "/look", "/history", ""];
    for (const path of ends.flatMap((each) => [`${each}/progress`, `${each}/assets/x`])) {
      if (path === "/import/progress") continue;
      const headers = { Cookie: session.cookie, ...script };
      const { status, text } = await askDesk(`${desk.origin}${path}`, { headers });
      assert.doesNotMatch(text, /token|Northside|<html/, path);
      assert.notEqual(status, 200, path);
    }
    assert.equal(await asked("/import/progress", { ...script, Origin: desk.origin }, "POST"), 403);
    assert.equal(await asked("/import/progress", script), 200);
    assert.equal(await asked("/assets/desk.js?x", { ...script, "Sec-Fetch-Dest": "script" }), 200);
    for (const dest of ["serviceworker", "sharedworker", "worker"])
      assert.equal(await asked("/assets/desk.js", { ...script, "Sec-Fetch-Dest": dest }), 403, dest);
    assert.equal(
      await asked("/assets/desk.js", { "Service-Worker": "script" }),
      403,
      "a browser without Sec-Fetch-Dest",
    );
    const assets = (await session.get("/reviews")).text.match(/"\/assets\/[^"]*"/g) ?? [];
    assert.ok(assets.length > 4);
    for (const address of assets) assert.match(address, /\?[\w-]{16}"$/, "an address that nobody knew before");
  });

  test("the cookies of other ports neither shut the owner out nor stand for the desk's", async () => {
    const [name] = session.cookie.split("=");
    const others = Array.from({ length: 180 }, (_, at) => `other_${at}=${"x".repeat(4_080)}`);
    const tossed = [`${name}=x`, `${name}=`, session.cookie, `${name}=y`, ...others].join("; ");
    for (const Cookie of [tossed, [...others, session.cookie].join("; ")])
      assert.equal((await askDesk(`${desk.origin}/import`, { headers: { Cookie } })).status, 200);
    assert.equal((await askDesk(`${desk.origin}/import`, { headers: { Cookie: others.join("; ") } })).status, 403);
  });

  test("no answer allows another origin, a frame, an inline script or a cache", async () => {
    for (const path of paths) {
      const { headers } = await askDesk(`${desk.origin}${path}`, {
        headers: { Cookie: session.cookie, Origin: "https://evil.example" },
      });
      assert.equal(headers["access-control-allow-origin"], undefined, path);
      assert.equal(headers["x-frame-options"], "DENY", path);
      assert.equal(headers["cache-control"], "no-store", path);
      assert.equal(headers["x-content-type-options"], "nosniff", path);
      const policy = String(headers["content-security-policy"]);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /script-src 'self'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.match(policy, /worker-src 'none'/);
      assert.equal(headers["cross-origin-opener-policy"], "noopener-allow-popups", path);
      assert.doesNotMatch(policy, /unsafe/);
    }
    const { text } = await session.get("/import");
    assert.doesNotMatch(text, /<script(?![^>]* src=)|<style| style=| on\w+=/);
  });

  test("what the server refuses before the desk sees it allows no other origin either", async () => {
    const Origin = "https://evil.example";
    const refused: readonly (readonly [number, string, Record<string, string>])[] = [
      [431, `/?${"a".repeat(1_100_000)}`, {}],
      [400, "/", { Host: "127.0.0.1:1.evil.example" }],
    ];
    for (const [expected, path, given] of refused) {
      const { status, headers } = await askDesk(`${desk.origin}${path}`, { headers: { ...given, Origin } });
      assert.equal(status, expected);
      assert.equal(headers["access-control-allow-origin"], undefined, String(expected));
      assert.equal(headers["cross-origin-resource-policy"], "same-origin", String(expected));
    }
  });

  test("a form that is refused, or that its sender breaks off, holds no connection and is no fault", async () => {
    await using other = await openDesk(folder.path);
    const { cookie, get } = await enter(other);
    const head = (more: string) =>
      `POST /import HTTP/1.1\r\nHost: ${new URL(other.origin).host}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n${more}\r\n--x`;
    const open = () => connect(Number(new URL(other.origin).port), "127.0.0.1");
    const refused = open();
    refused.write(head(""));
    assert.match(
      await text(refused),
      /^HTTP\/1\.1 403[\s\S]*Connection: close/i,
      "it is closed before the form is whole",
    );
    const broken = open();
    broken.write(head(`Cookie: ${cookie}\r\nOrigin: ${other.origin}\r\nExpect: 100-continue\r\n`));
    await once(broken, "data");
    const later = async () => [await get("/import"), await get("/import")].map(({ status }) => status);
    assert.deepEqual(await later(), [200, 200], "the form is being read");
    broken.destroy();
    assert.deepEqual(await later(), [200, 200]);
    await other[Symbol.asyncDispose]();
    assert.doesNotMatch(await other.complaints, /error/);
  });

  const needsLinux = process.platform === "linux" ? false : "only Linux lists the open files of a process";
  test("no request leaves a file open that ends the desk when its memory is collected", {
    skip: needsLinux,
  }, async () => {
    using own = temporaryFolder();
    writeFileSync(join(own.path, "business.yaml"), "name: Northside Cooling\ntime_zone: America/Chicago\n");
    writeFileSync(join(own.path, "reviews.csv"), REVIEWS);
    assert.equal((await run(own.path, ["import", "business.yaml", "reviews.csv"])).code, 0);
    await using other = await openDesk(own.path);
    const { cookie, post } = await enter(other);
    const backup = (method: string) =>
      askDesk(`${other.origin}/history/backup`, { method, headers: { Cookie: cookie } });
    assert.equal((await backup("HEAD")).status, 200);
    assert.equal((await backup("GET")).text.slice(0, 13), "SQLite format");
    writeFileSync(join(own.path, "goodword.db"), "no store".repeat(1000));
    const files = new File([REVIEWS], "reviews.csv");
    assert.equal((await post("/import", { files })).status, 500, "its store is damaged");
    const openFiles = () =>
      readdirSync(`/proc/${other.pid}/fd`).flatMap((name) => {
        try {
          return readlinkSync(`/proc/${other.pid}/fd/${name}`);
        } catch {
          return []; // closed meanwhile
        }
      });
    await until(() => !openFiles().some((path) => path.endsWith(" (deleted)")));
  });

  const needsRoot = process.getuid?.() === 0 ? false : "only root can act as another user";
  test("another user of the machine gets 403, also with the cookie that browsers send to all ports", {
    skip: needsRoot,
  }, async () => {
    const asked = async (path: string, host: string) => {
      process.seteuid?.(65_534); // the user of a socket is the one who opens it
      const socket = connect(Number(new URL(desk.origin).port), host);
      await once(socket, "connect");
      process.seteuid?.(0);
      socket.end(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${session.cookie}\r\nConnection: close\r\n\r\n`);
      return await text(socket);
    };
    const key = new URL(desk.address).search;
    for (const host of OWN_ADDRESSES)
      for (const path of ["/reviews", "/", `/${key}`, "/assets/style.css"]) {
        const answer = await asked(path, host);
        assert.match(answer, /^HTTP\/1\.1 403/, path);
        assert.doesNotMatch(answer, /Northside|Set-Cookie/i, path);
      }
    assert.equal((await session.get("/reviews")).status, 200);
  });

  test("another user of the machine gets 403 from another of its addresses, at the port of the owner's browser", {
    skip: needsRoot,
  }, async () => {
    const port = Number(new URL(desk.origin).port);
    const browser = connect(port, "127.0.0.1");
    await once(browser, "connect");
    process.seteuid?.(65_534);
    const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2", localPort: browser.localPort });
    await once(socket, "connect");
    process.seteuid?.(0);
    socket.end(`GET /reviews HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${session.cookie}\r\nConnection: close\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 403/);
    browser.destroy();
  });

  test("of two windows, none restores or gives up what the other has uploaded; what is given up is deleted", async () => {
    assert.equal((await run(folder.path, ["backup", "copy.db"])).code, 0);
    const copy = readFileSync(join(folder.path, "copy.db"));
    const upload = async (name: string) => {
      const asked = await session.send("/history/restore", { backup: new File([copy], name) });
      assert.match(asked.text, new RegExp(`with those of ${name}`));
      return /name="id" value="([^"]+)"/.exec(asked.text)?.[1] ?? assert.fail();
    };
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`goodword-desk-${desk.pid}-`));
    const send = async (answer: string, id: string) => (await session.send(`/history/restore/${answer}`, { id })).text;
    const confirm = async (id: string) => await send("confirmed", id);
    const [first, second] = [await upload("one.db"), await upload("two.db")];
    await send("cancelled", first);
    assert.match(await confirm(first), /Another backup has been uploaded meanwhile/);
    assert.match(await confirm(second), /Restored two\.db|holds what two\.db holds/);
    assert.match(await confirm(second), /Choose the file of the backup first/);
    const third = await upload("three.db");
    assert.equal(folders().length, 1);
    await send("cancelled", third);
    assert.equal(folders().length, 0);
    assert.match(await confirm(third), /Choose the file of the backup first/);
  });

  test("it listens on loopback addresses only", async () => {
    const outside = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal }) => !internal);
    for (const { address, family } of outside) {
      const url = `http://${family === "IPv6" ? `[${address}]` : address}:${new URL(desk.origin).port}/`;
      if (!address.startsWith("fe80")) await assert.rejects(askDesk(url), /ECONNREFUSED|EADDRNOTAVAIL/, url);
    }
  });

  test("nobody else is found at its port by localhost", async () => {
    const port = Number(new URL(desk.origin).port);
    for (const address of OWN_ADDRESSES) {
      const taken = createServer().listen(port, address);
      await assert.rejects(once(taken, "listening"), /EADDRINUSE/, address);
      const origin = address.includes(":") ? `http://[${address}]:${port}` : `http://${address}:${port}`;
      assert.equal((await askDesk(`${origin}/import`, { headers: { Cookie: session.cookie } })).status, 200, address);
    }
  });

  test("without --port it takes 8090, and says what to do if that is taken", async () => {
    const holder = createServer().listen(8090, OWN_ADDRESSES.at(-1));
    await once(holder, "listening").catch(() => {}); // or another program has it
    const { code, stderr } = await run(folder.path, ["desk"]);
    holder.close();
    assert.equal(code, 1);
    assert.match(stderr, /Port 8090 is taken.*goodword desk --port 8091/);
  });

  test("it does not start at a port where another program keeps a browser's connections", {
    skip: process.platform !== "linux" && "only Linux tells of connections",
  }, async () => {
    const earlier = createServer();
    earlier.listen(0, "127.0.0.1");
    await once(earlier, "listening");
    const { port } = earlier.address() as AddressInfo;
    const browser = connect(port, "127.0.0.1");
    const [kept] = (await once(earlier, "connection")) as [Socket];
    earlier.close(); // it listens no more
    const { code, stderr } = await run(folder.path, ["desk", "--port", String(port)]);
    for (const socket of [browser, kept]) socket.destroy();
    assert.equal(code, 1);
    assert.match(stderr, /Another program had port \d+ before and keeps connections there.*goodword desk --port 0/);
  });

  test("its pages have the words by which their fields, buttons and links are found", async () => {
    const pages: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
      "/": { a: ["Import", "Reviews", "Findings", "Business", "History", "Sources", "Subscribers"] },
      "/import": { label: ["Files", "Where were they written?"], button: ["Check"] },
      "/reviews": { label: ["Search"], button: ["Remove", "Hide name", "Hide words"], a: ["Removed"] },
      "/findings": { button: ["Not said", "It is praise", "It is criticism"], a: ["Corrected"] },
      "/business": {
        label:
          "Name,Category,Time zone,Telephone,Web site,E-mail,Description,Monday,Sunday,Services,Technicians,Areas".split(
            ",",
          ),
        legend: ["Opening hours"],
        button: ["Save"],
      },
      "/history": { button: ["Undo the last change", "Restore"], a: ["Download a backup"], label: ["Backup"] },
    };
    const holds = (text: string, element: string, words: string) =>
      assert.match(text, new RegExp(`<${element}(?: [^>]*)?>${words.replace("?", "\\?")}</${element}>`), words);
    for (const [path, elements] of Object.entries(pages)) {
      const { text } = await session.get(path);
      for (const [element, all] of Object.entries(elements)) for (const words of all) holds(text, element, words);
    }
    assert.match((await session.get("/import")).text, /<input type="file" id="files" name="files" multiple /);
    const { text } = await session.send("/import", { files: new File([REVIEWS], "a.csv") });
    for (const words of ["Read", "Added", "Changed", "Unchanged", "Withheld", "Refused"]) holds(text, "th", words);
    holds(text, "button", "Publish");
    await session.send("/import/cancel", {});
  });

  test("what is refused is left out only if the owner says so", async () => {
    const files = new File([`${REVIEWS}c,Cy,nine,2025-01-04,Fine,google\nd,Di,4,2025-01-05,Good,google\n`], "a.csv");
    const publish = async (text: string, more = {}) => {
      const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? assert.fail();
      return (await session.send("/import/publish", { id, ...more })).text;
    };
    const check = async () => (await session.send("/import", { files })).text;
    assert.match(await publish(await check()), /line 4: rating is (?:"|&quot;)nine/);
    assert.doesNotMatch((await session.get("/reviews")).text, /\bDi\b/);
    await publish(await check(), { skip_invalid: "on" });
    assert.match((await session.get("/reviews")).text, /\bDi\b/);
    await session.send("/import/cancel", {});
  });

  test("a file's name is no path and no markup, and an upload leaves no file with a name", async () => {
    const before = new Set(readdirSync(folder.path));
    const names = [
      "../../business.yaml",
      "C:\\x\\evil.csv",
      '<img src=x onerror="alert(1)">.csv',
      "a\r\nb.csv",
      "\u202egnp.csv",
      "x".repeat(5_000),
    ];
    for (const name of names) {
      const { status, text } = await session.send("/import", { files: new File([REVIEWS], name), source: "google" });
      assert.equal(status, 200, name);
      assert.match(text, /Unchanged/);
      assert.doesNotMatch(text, /<img src=x|\.\.\/|C:\\x|x{300}|\u202e/);
    }
    const csv = "\u202evsc.seman\u2066.csv";
    const entries = [REVIEWS, "nothing"].map((content, at) => ({ name: `${at}${csv}`, content }));
    const { text } = await session.send("/import", {
      files: new File([new Uint8Array(zipOf(entries))], "\u202epiz.zip"),
      source: "google",
    });
    assert.match(text, /\ufffdpiz\.zip[\s\S]*Unchanged/);
    assert.doesNotMatch(text, /[\u202e\u2066]/);
    assert.deepEqual(new Set(readdirSync(folder.path)), before);
    assert.equal(
      readFileSync(join(folder.path, "business.yaml"), "utf8"),
      "name: Northside Cooling\ntime_zone: America/Chicago\n",
    );
  });

  test("what a hostile file holds is shown as text, with a way to go on", async () => {
    const markup = '<img src=x onerror="alert(1)">';
    const rows = ["00/10/2026", "99/99/9999"].map((date) => `5,${date},"${markup.replaceAll('"', '""')}",__proto__`);
    const hostile = `rating,date,text,source,"${markup.replaceAll('"', '""')}"\n${rows.map((row) => `${row},x\n`).join("")}`;
    const { status, text } = await session.send("/import", { files: new File([hostile], "a.csv"), source: "google" });
    assert.equal(status, 200);
    assert.match(text, /Order of dates[\s\S]*Month first[\s\S]*&lt;img src=x[\s\S]*Start anew/);
    assert.doesNotMatch(text, /<img src=x/);
    const odd = new File(["Punkte;\u202eetad;Worte\n5;y;gut\n"], "b.csv");
    const columns = (await session.send("/import", { files: odd, source: "google" })).text;
    assert.match(columns, />\ufffdetad · y</);
    assert.doesNotMatch(columns, />[^<]*\u202e/, "nothing that is read is turned round");
  });

  test("a body that is too large, too long or no form is refused, and the desk goes on", async () => {
    const form = (boundary: string) => ({
      Cookie: session.cookie,
      Origin: desk.origin,
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
    });
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const cases: [string, Record<string, string>, string, number][] = [
      [
        "an endless field",
        form("x"),
        `${part("token", session.token)}${part("source", "s".repeat(300_000))}--x--`,
        413,
      ],
      ["many fields", form("x"), `${part("token", session.token)}${part("a", "b").repeat(3_000)}--x--`, 413],
      ["a form that ends early", form("x"), part("token", session.token), 400],
      ["JSON", { ...form("x"), "Content-Type": "application/json" }, "{}", 415],
      [
        "a file before the token",
        form("x"),
        `--x\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n${REVIEWS}\r\n${part("token", session.token)}--x--`,
        403,
      ],
    ];
    for (const [what, headers, body, status] of cases)
      assert.equal((await askDesk(`${desk.origin}/import`, { method: "POST", headers, body })).status, status, what);
    assert.equal((await session.get("/import")).status, 200);
  });

  test("a page that is none is 404, and a fault of the input 400", async () => {
    for (const path of [
      "/nothing",
      "/reviews/x/remove",
      "/reviews/01/remove/deep",
      "/import/preview/../../x",
      "/constructor",
    ])
      assert.equal((await session.get(path)).status, 404, path);
    assert.match((await session.send("/reviews/01ARZ3NDEKTSV4RRFFQ69G5FAV/remove", {})).text, /is not published/);
    assert.equal((await session.send("/online", { address: "nowhere at all" })).status, 400);
  });
});
