/** Many businesses in one deployment: hosts, states, changes, and commands on one site. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { placesSchema } from "../../src/edition/places-schema.ts";
import { openStore, readBusiness } from "../../src/store/store.ts";
import { readStoreAt } from "../../src/store/store-survey.ts";
import { freePort } from "../support/free-port.ts";
import { listening } from "../support/loopback.ts";
import { run, temporaryFolder } from "../support/program.ts";
import { importSite, makeSitesFolder, reviewOf, serveSites } from "../support/sites.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE } from "../support/subscriber.ts";
import { askPatiently, exchange, json } from "../support/wire.ts";
import { within } from "../support/within.ts";

test("each host gets its own site, and a host that is nobody's learns of none", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  await importSite(folder.path, "a");
  await importSite(folder.path, "b");
  writeFileSync(join(sites, "b", "goodword.env"), "BASE_URL=https://b.example:8443\nCACHE_CONTROL=max-age=9\nPORT=1\n");
  await using served = await serveSites(folder.path, {
    ...{ TRUST_PROXY: "127.0.0.1", CACHE_CONTROL: "max-age=1", ACCESS_LOG: "network" },
  });
  const textAt = async (host: string, headers = {}) => (await served.get(host, "/reviews.json", { headers })).text;

  for (const host of ["a.test", "A.TEST.", "a.test:80", "a.test:9"])
    assert.match(await textAt(host), /Words of a/, host);
  assert.match(await textAt("b.example:8443"), /Words of b/);
  assert.match(await textAt("a.test", { "X-Forwarded-Host": "b.example:8443, a.test" }), /Words of b/);
  const { headers } = await served.get("b.example:8443", "/reviews.json");
  assert.equal(headers["cache-control"], "max-age=9");
  assert.match(String(headers.link), /^<https:\/\/b\.example:8443\/api\/websub\/hub>/);
  assert.equal((await served.get("a.test", "/reviews.json")).headers["cache-control"], "max-age=1");

  for (const host of ["b.example", "b.test", "nobody.test", "localhost", "127.0.0.1"]) {
    for (const path of ["/", "/reviews.json", "/metrics", "/api/reviews/search", "/mcp"]) {
      const { status, text } = await served.get(host, path);
      assert.equal(status, 421, `${host}${path}`);
      assert.deepEqual(JSON.parse(text), { error: "Nothing is published at this host" });
    }
  }
  const page = await served.get("nobody.test", "/", { headers: { Accept: "text/html" } });
  assert.deepEqual([page.status, page.headers["content-type"]], [421, "text/html; charset=utf-8"]);
  assert.match(page.text, /Nothing is published here/);
  for (const path of ["/healthz", "/readyz"]) assert.equal((await served.get("nobody.test", path)).status, 200);
  await served.program.logged(({ site, settings }) => site === "b" && String(settings) === "PORT");
  await served.program.logged(({ path, status }) => path === "/metrics" && status === 421);
  const sitesOf = (status: number) =>
    new Set(
      served.program.log.flatMap((line) => (line.msg === "Request" && line.status === status ? [line.site] : [])),
    );
  assert.deepEqual([[...sitesOf(200)].toSorted().slice(0, 2), [...sitesOf(421)]], [["a", "b"], [undefined]]);
});

test("a request without one well-formed host is 400, an absolute target wins over Host, and a thousand wrong hosts learn nothing", async () => {
  using folder = temporaryFolder();
  makeSitesFolder(folder.path);
  await importSite(folder.path, "a");
  await using served = await serveSites(folder.path);
  const statusOf = async (head: string) =>
    /^HTTP\/1\.1 (\d+)/.exec(await exchange(served.port, `${head}Connection: close\r\n\r\n`))?.[1];
  assert.equal((await served.get("a.test", "/reviews.json")).status, 200, "its edition is ready");
  const get = "GET /reviews.json HTTP/1.1\r\n";
  const cases: readonly (readonly [string, string])[] = [
    [`${get}Host: a.test\r\n`, "200"],
    [get, "400"],
    [`${get}Host: a.test\r\nHost: a.test\r\n`, "400"],
    [`${get}Host: a.test, b.test\r\n`, "400"],
    [`${get}Host: user@a.test\r\n`, "400"],
    [`${get}Host: A.test.:\r\n`, "200"],
    [`${get}Host: \r\n`, "400"],
    [`${get}Host: nobody.test\r\nX-Forwarded-Host: a.test\r\n`, "421"],
    ["GET http://a.test/reviews.json HTTP/1.1\r\nHost: nobody.test\r\n", "200"],
    ["GET HTTP://A.test:/reviews.json HTTP/1.1\r\nHost: nobody.test\r\n", "200"],
    ["GET HTTP:///reviews.json HTTP/1.1\r\nHost: a.test\r\n", "400"],
    [`${get}Host: :\r\n`, "400"],
    ["GET http://nobody.test/reviews.json HTTP/1.1\r\nHost: a.test\r\n", "421"],
    ["OPTIONS * HTTP/1.1\r\nHost: a.test\r\n", "204"],
    ["OPTIONS http://a.test HTTP/1.1\r\nHost: nobody.test\r\n", "204"],
    ["OPTIONS * HTTP/1.1\r\nHost: nobody.test\r\n", "421"],
    ["OPTIONS * HTTP/1.1\r\n", "400"],
  ];
  for (const [head, status] of cases) assert.equal(await statusOf(head), status, JSON.stringify(head));

  const paths = ["/", "/reviews.json", "/places.json", "/mcp", "/metrics", "/api/websub/hub", "/api/reviews/search"];
  const wrong = [
    ...["", " ", "*", "*.test", "{site}.test", "nobody.test", "localhost", "[::1]", "..", ".a.test", "xa.test", "a"],
    ...["a.test.nobody.test", "nobody.test@a.test", "a..test", "-", "a-.test", "%61.test", "\u0430.test", "sites"],
    ...["a.testx", "nobody.test:80", "x".repeat(300), "nobody.test, a.test", "nobody.test\ta.test", "a\0.test"],
  ];
  const forged = (name: string) => [
    `Host: ${name}\r\n`,
    `Host: ${name}\r\nX-Forwarded-Host: a.test\r\nForwarded: host=a.test\r\nX-Host: a.test\r\nX-Original-Host: a.test\r\n`,
    `Host: ${name}\r\nHost: a.test\r\n`,
    `Host: a.test\r\nhost: ${name}\r\n`,
    `Host: ${name}\r\nAccept: text/html\r\nReferer: http://a.test/\r\nOrigin: http://a.test\r\n`,
  ];
  const heads = wrong.flatMap((name) =>
    paths.flatMap((path) => [
      ...forged(name).map((fields) => `GET ${path} HTTP/1.1\r\n${fields}`),
      `GET http://${name}${path} HTTP/1.1\r\nHost: a.test\r\n`,
    ]),
  );
  assert.ok(heads.length >= 1_000);
  for (let from = 0; from < heads.length; from += 40)
    await Promise.all(
      heads.slice(from, from + 40).map(async (head) => {
        const answer = await exchange(served.port, `${head}Connection: close\r\n\r\n`);
        assert.match(answer, /^HTTP\/1\.1 (?:400|421) /, JSON.stringify(head));
        assert.doesNotMatch(answer, /Words|Author|a\.test/, JSON.stringify(head));
      }),
    );
  assert.doesNotMatch(JSON.stringify(served.program.log), /nobody|Words of/);
});

test("a pipe, a folder or a huge file in the place of a site's own file stops no other site", {
  skip: process.platform !== "linux",
}, async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  await importSite(folder.path, "a");
  await using served = await serveSites(folder.path);
  const [pipe, huge] = [join(folder.path, "pipe"), join(folder.path, "huge")];
  execFileSync("mkfifo", [pipe]);
  writeFileSync(huge, "#".repeat(1_000_001));
  for (const [name, file] of [
    ["b", "business.yaml"],
    ["c", "goodword.env"],
    ["d", "data/goodword.db"],
  ] as const) {
    for (const [kind, put] of [
      ["pipe", (path: string) => linkSync(pipe, path)],
      ["folder", (path: string) => mkdirSync(path)],
      ["huge", (path: string) => linkSync(huge, path)],
    ] as const) {
      mkdirSync(join(sites, `${name}-${kind}`, dirname(file)), { recursive: true });
      put(join(sites, `${name}-${kind}`, file));
    }
  }
  linkSync(pipe, join(sites, "chain.yaml"));
  await served.program.logged(({ msg }) => String(msg).startsWith("The chain is not served"));
  const { stdout, stderr } = await run(folder.path, ["sites", "--json", "--sites", sites]);
  assert.match(stderr, /warning: the chain is not served: .*chain\.yaml is no file/);
  for (const { name, state, problem } of JSON.parse(stdout) as { name: string; state: string; problem: string }[]) {
    assert.equal(state, name === "a" ? "published" : name.startsWith("c") ? "no_address" : "damaged", name);
    if (name !== "a") assert.match(problem, /is no file|larger than a megabyte|file is not a database/);
  }
  assert.equal((await served.get("a.test", "/reviews.json")).status, 200);
});

test("a store whose tables can be read without end stops no other site", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  for (const name of ["a", "b"]) await importSite(folder.path, name);
  const store = join(sites, "b", "data", "goodword.db");
  const endless = "with recursive c(n) as (select 1 union all select n + 1 from c) select n from c";
  {
    using database = new DatabaseSync(store);
    database.exec(`alter table revision rename to former;
      create view revision as select * from former union all select 1, n, '' from (${endless}) where n < 0`);
  }
  await using served = await serveSites(folder.path);
  await served.program.logged(({ site, state }) => site === "b" && state === "damaged");
  assert.equal((await served.get("a.test", "/reviews.json")).status, 200);
  assert.equal((await served.get("b.test", "/reviews.json")).status, 503);
});

test("one site's trouble is its own, is said, and its mending is noticed", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  for (const name of ["a", "damaged", "lost", "unreadable"]) await importSite(folder.path, name);
  renameSync(join(sites, "lost"), join(folder.path, "disk"));
  symlinkSync(join(folder.path, "away"), join(sites, "lost"));
  for (const name of ["empty", "same", "Not_a_name"]) mkdirSync(join(sites, name));
  writeFileSync(join(sites, "same", "goodword.env"), "BASE_URL=http://A.test\n");
  symlinkSync("a", join(sites, "twin"));
  mkdirSync(join(sites, "homeless"));
  writeFileSync(join(sites, "homeless", "goodword.env"), "BASE_URL=http://homeless.test/path\n");
  const store = join(sites, "damaged", "data", "goodword.db");
  renameSync(store, `${store}.good`);
  writeFileSync(store, "This is no database, whatever its name may say of it");
  writeFileSync(join(sites, "unreadable", "business.yaml"), "name: Northside\ntime_zone: Secret words\n");
  const metricsPort = await freePort();
  await using served = await serveSites(folder.path, { METRICS_PORT: String(metricsPort) });

  const expected = {
    a: ["published", 200],
    damaged: ["damaged", 503],
    empty: ["empty", 503],
    homeless: ["no_address", 503],
    lost: ["damaged", 503],
    same: ["same_address", 503],
    twin: ["damaged", 503],
    unreadable: ["damaged", 503],
  } as const;
  const { code, stdout } = await run(folder.path, ["sites", "--json", "--sites", "sites"]);
  const listed = JSON.parse(stdout) as { name: string; state: string; reviews: number; problem: string | null }[];
  assert.equal(code, 0);
  const { last_change_at, ...first } = listed[0] as (typeof listed)[0] & { last_change_at: string };
  assert.deepEqual(first, {
    ...{ name: "a", base_url: "http://a.test", state: "published", reviews: 1, revision: 1 },
    ...{ newest_review: "2026-01-02", problem: null },
  });
  assert.equal(new Date(last_change_at).toISOString(), last_change_at);
  const exported = await run(folder.path, ["export", "out", "--site", "empty", "--sites", "sites"]);
  assert.deepEqual(
    [exported.code, existsSync(join(folder.path, "out")), existsSync(join(sites, "empty", "data"))],
    [1, false, false],
  );
  assert.match(exported.stderr, /Nothing has been imported into this site/);
  const { problem: _, ...homeless } = listed.find(({ name }) => name === "homeless") ?? assert.fail();
  assert.deepEqual(homeless, {
    ...{ name: "homeless", base_url: null, state: "no_address", reviews: 0, revision: 0 },
    ...{ newest_review: null, last_change_at: null },
  });
  assert.deepEqual(Object.fromEntries(listed.map(({ name, state }) => [name, state])), mapValues(expected, 0));
  for (const { state, problem } of listed) assert.equal(problem === null, state === "published");
  assert.deepEqual(
    listed.map(({ reviews }) => reviews),
    [1, 0, 0, 0, 0, 0, 0, 0],
  );
  for (const [name, [, status]] of Object.entries(expected)) {
    const { text, ...answer } = await served.get(`${name}.test`, "/reviews.json");
    assert.equal(answer.status, status, name);
    if (status === 503) assert.doesNotMatch(text, /sites|data|yaml|Sample|invented/i);
    const asked = await served.get("localhost", `/ask?domain=${name}.test`);
    assert.equal(asked.status, 200, `${name}: without a certificate nobody reads the plain word`);
  }
  await served.program.logged(({ folder: name }) => name === "Not_a_name");
  for (const name of ["lost", "twin", "unreadable"])
    await served.program.logged(({ site, state }) => site === name && state === "damaged");
  assert.doesNotMatch(JSON.stringify(served.program.log), /Secret words/);
  assert.equal((await served.get("nobody.test", "/readyz")).status, 200, "of the process, whatever single sites lack");
  assert.equal((await served.get("a.test", "/metrics")).status, 404);
  const metrics = await askPatiently(`http://127.0.0.1:${metricsPort}/metrics`);
  assert.match(metrics.text, /^goodword_sites 8$/m);
  assert.doesNotMatch(metrics.text, /site="|damaged|unreadable|a\.test/);

  renameSync(`${store}.good`, store);
  rmSync(join(sites, "unreadable", "business.yaml"));
  renameSync(join(folder.path, "disk"), join(folder.path, "away"));
  const isServed = (name: string) => async () => (await served.get(`${name}.test`, "/reviews.json")).status === 200;
  rmSync(join(sites, "twin"));
  mkdirSync(join(sites, "twin", "data"), { recursive: true });
  copyFileSync(store, join(sites, "twin", "data", "goodword.db"));
  for (const name of ["damaged", "unreadable", "lost", "twin"]) await within(5_000, isServed(name));

  const ofUse = join(sites, "a", "business.yaml"); // of a site that is in use
  writeFileSync(ofUse, "name: [\n");
  await within(5_000, async () => !(await isServed("a")()));
  rmSync(ofUse);
  await within(5_000, isServed("a"));
});

function mapValues(table: Readonly<Record<string, readonly unknown[]>>, at: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row[at]]));
}

test("folders that come and go, and addresses that change, are noticed within five seconds", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  await importSite(folder.path, "a");
  utimesSync(sites, 1, 1); // a folder that has just changed is read again in any case
  await using served = await serveSites(folder.path);
  const statusAt = (host: string, status: number) => async () =>
    (await served.get(host, "/reviews.json")).status === status;
  await within(1_000, statusAt("a.test", 200));
  writeFileSync(join(sites, "a", "goodword.env"), "BASE_URL=http://moved.example\n");
  await within(5_000, statusAt("moved.example", 200));
  assert.equal((await served.get("a.test", "/")).status, 421);
  assert.match((await served.get("moved.example", "/reviews.json")).text, /Words of a/);
  for (const name of ["new-one", "deleted"]) await importSite(folder.path, name);
  for (const name of ["new-one", "deleted"]) await within(5_000, statusAt(`${name}.test`, 200));
  renameSync(join(sites, "new-one"), join(folder.path, "taken"));
  rmSync(join(sites, "deleted"), { recursive: true }); // while its store is open
  for (const name of ["new-one", "deleted"]) await within(5_000, statusAt(`${name}.test`, 421));
  assert.equal((await served.get("moved.example", "/reviews.json")).status, 200);
});

test("a folder that comes is looked at before anybody asks: its trouble is said, what it follows is fetched", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  await importSite(folder.path, "a");
  await using feed = await listening(createServer((_request, response) => response.end("{}")));
  await using served = await serveSites(folder.path);
  for (const name of ["same", "follows"]) mkdirSync(join(sites, name));
  writeFileSync(join(sites, "same", "goodword.env"), "BASE_URL=http://a.test\n");
  writeFileSync(join(sites, "follows", "goodword.env"), "SOURCES_ALLOW=127.0.0.0/8\n");
  const business = join(folder.path, "business.yaml");
  writeFileSync(business, `name: F\ntime_zone: UTC\nsources: [{ url: "http://127.0.0.1:${feed.port}/" }]\n`);
  await importSite(folder.path, "follows", [business]);
  const isLogged = (site: string, words: RegExp) => async () => {
    await served.get("nobody.test", "/healthz");
    return served.program.log.some((entry) => entry.site === site && words.test(String(entry.msg)));
  };
  await within(5_000, isLogged("same", /^A site is not served$/));
  await within(5_000, isLogged("follows", /followed source/));
});

test("a change of a site in use is served within two seconds, and one of a site that rests with its next answer", async () => {
  using folder = temporaryFolder();
  makeSitesFolder(folder.path);
  await importSite(folder.path, "a");
  await importSite(folder.path, "rests");
  await using served = await serveSites(folder.path);
  assert.match((await served.get("a.test", "/reviews.json")).text, /Words of a/);
  await importSite(folder.path, "a", [reviewOf(folder.path, "a", "Newer words")]);
  await within(2_000, async () => (await served.get("a.test", "/reviews.json")).text.includes("Newer words"));
  await importSite(folder.path, "rests", [reviewOf(folder.path, "rests", "Words for the next answer")]);
  assert.match((await served.get("rests.test", "/reviews.json")).text, /Words for the next answer/);
});

test("a command works on one site with --site, or in its folder, and says when it is told of none", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  await importSite(folder.path, "a");
  await importSite(folder.path, "b");
  const history = async (where: string, args: readonly string[]) => await run(where, ["history", "--json", ...args]);
  const own = async (where: string, args: readonly string[]) =>
    (JSON.parse((await history(where, args)).stdout) as { files: string[] }[]).flatMap(({ files }) =>
      files.map((file) => basename(file)),
    );
  assert.deepEqual(await own(folder.path, ["--site", "a", "--sites", "sites"]), ["a.csv"]);
  writeFileSync(join(sites, "goodword.env"), "SITES_BASE_URL=https://{site}.example\nPORT=1\nSHEET=x\n");
  writeFileSync(join(sites, "a", "goodword.env"), "CACHE_CONTROL=max-age=9\nPORT=2\n");
  const config = await run(folder.path, ["config", "--site", "a", "--sites", "sites"], { CACHE_CONTROL: "no-store" });
  assert.match(
    config.stderr,
    /sites\/goodword\.env, it sets PORT, SITES_BASE_URL; SHEET in it are .*The environment wins/,
  );
  assert.match(
    config.stderr,
    /a\/goodword\.env, it sets CACHE_CONTROL; PORT in it are not settings of a site\. It wins/,
  );
  assert.match(config.stderr, /warning: \S+a\/goodword\.env holds what is no setting of a site.*: PORT$/m);
  const inSite = await run(join(sites, "a"), ["config", "--sites", ".."]);
  assert.match(inSite.stdout, /^PORT=1 /m, "a site's own file sets nothing of the process, wherever the command runs");
  for (const line of [
    /^CACHE_CONTROL=max-age=9 /m,
    /^BASE_URL=https:\/\/a\.example /m,
    /^DATABASE_URL=sqlite:\S+\/sites\/a\//m,
  ])
    assert.match(config.stdout, line);
  assert.deepEqual(await own(join(sites, "b"), ["--sites", ".."]), ["b.csv"]);
  const alone = await run(join(sites, "b"), ["history", "--json"], { DATABASE_URL: "" });
  assert.match(alone.stdout, /b\.csv/, alone.stderr);
  const faults = [
    { args: ["--site", "a"], says: /in which folder/ },
    { args: ["--sites", "sites"], says: /Name the site/ },
    { args: ["--site", "c", "--sites", "sites"], says: /There is no site c/ },
    { args: ["--site", "../b", "--sites", "sites"], says: /is no name of a site/ },
  ];
  for (const { args, says } of faults) {
    const { code, stderr } = await history(folder.path, args);
    assert.equal(code, 1, args.join(" "));
    assert.match(stderr, says);
  }
});

test("an agent is answered at its site's host, also through a proxy, and by no page of another site", async () => {
  using folder = temporaryFolder();
  makeSitesFolder(folder.path);
  await importSite(folder.path, "a");
  await using served = await serveSites(folder.path, { TRUST_PROXY: "127.0.0.1" });
  const body = JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  });
  const statusOf = async (host: string, more = {}) => {
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...more };
    return (await served.get(host, "/mcp", { method: "POST", headers, body })).status;
  };
  assert.equal(await statusOf("a.test"), 200);
  assert.equal(await statusOf("upstream.internal:8080", { "X-Forwarded-Host": "a.test" }), 200);
  assert.equal(await statusOf("a.test", { Origin: "http://b.test" }), 403);
  assert.equal(await statusOf("b.test", { "X-Forwarded-Host": "" }), 421);
  assert.equal((json(await served.get("x.test", "/readyz")) as { sites: number }).sites, 1);
});

test("a subscriber of a site that rests is notified within five seconds of the commit, and the site's own words alone", async (t) => {
  using folder = temporaryFolder();
  makeSitesFolder(folder.path);
  const authority = join(folder.path, "authority.pem");
  writeFileSync(authority, SUBSCRIBER_CERTIFICATE.certificate);
  const settings = { NODE_EXTRA_CA_CERTS: authority, HUB_ALLOW_CALLBACKS: "127.0.0.0/8", HUB_RETRY_SECONDS: "1,1" };
  for (const name of ["a", "b"]) await importSite(folder.path, name);
  const subscribers = await openSubscribers();
  t.after(() => subscribers.close());
  {
    await using served = await serveSites(folder.path, settings);
    for (const site of ["a", "b"]) {
      const body = new URLSearchParams({
        ...{ "hub.mode": "subscribe", "hub.topic": `http://${site}.test/feed.xml` },
        "hub.callback": `https://127.0.0.1:${subscribers.port}/${site}`,
      }).toString();
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const { status } = await served.get(`${site}.test`, "/api/websub/hub", { method: "POST", body, headers });
      assert.equal(status, 202);
    }
    await subscribers.until(() => subscribers.verifications().length === 2, "both were verified");
    const { status } = await served.get("a.test", "/api/websub/hub", {
      ...{
        method: "POST",
        body: "hub.mode=subscribe&hub.topic=http://b.test/feed.xml&hub.callback=https://x.example/",
      },
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    assert.equal(status, 400); // another site's topic
    await served.program.stop();
  }
  await using again = await serveSites(folder.path, settings);
  await importSite(folder.path, "a", [reviewOf(folder.path, "a", "Newer words of a")]);
  const told = () => subscribers.deliveries("/a").some(({ body }) => body.includes("Newer words of a"));
  await within(5_000, async () => (await again.get("b.test", "/healthz")).status === 200 && told());
  for (const { target, body } of subscribers.deliveries())
    assert.match(body.toString(), new RegExp(`Author of ${target[1]}`));
  assert.deepEqual(subscribers.deliveries("/b"), []);
});

test("import --places makes a site for each place, finds them again, and leaves the others alone when one fails", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  const rows = (count: number, title: string, place_id: string, date = "2026-01-02") =>
    Array.from({ length: count }, (_, at) => ({
      ...{ place_id, title, review_id: `${place_id}-${at}`, author: `Author ${at}`, rating: 5 },
      ...{ date, text: `Words ${at} about ${title}`, source: "google" },
    }));
  const archive = (name: string, records: readonly object[]) => {
    writeFileSync(join(folder.path, name), JSON.stringify(records));
    return name;
  };
  mkdirSync(join(sites, "leeds"));
  const business = "name: Leeds, our first\ntime_zone: Europe/London\nlocation: P-LEEDS\n";
  writeFileSync(join(sites, "leeds", "business.yaml"), business);
  for (const taken of ["oak-road", "oak-road-2"]) mkdirSync(join(sites, taken));
  const first = archive("first.json", [
    ...[
      ...rows(3, "North", "P-LEEDS"),
      ...rows(2, "Oak Road", "P-OAK"),
      ...rows(1, "Холод", "P-COLD"),
      ...rows(1, "", "P-BARE"),
    ],
  ]);
  const importing = async (file: string) => {
    const { code, stdout, stderr } = await run(folder.path, ["import", file, "--places", "--sites", "sites", "--json"]);
    assert.ok(stdout.startsWith("{"), stderr);
    return {
      ...{ code, stderr },
      ...(JSON.parse(stdout) as { sites: Record<string, { added: number }>; total: Record<string, number> }),
    };
  };
  const made = await importing(first);
  assert.deepEqual(
    Object.entries(made.sites).map(([name, { added }]) => [name, added]),
    [
      ["leeds", 3],
      ["oak-road-3", 2],
      ["p-bare", 1],
      ["p-cold", 1],
    ],
  );
  assert.match(made.stderr, /^warning: .*the time zone is this machine's, \S+: .*correct it.*No language is given/m);
  assert.deepEqual([made.code, made.total.read, made.total.added, made.total.other_places], [0, 7, 7, 0]);
  const written = readFileSync(join(sites, "oak-road-3", "business.yaml"), "utf8");
  assert.match(written, /^name: Oak Road$[\s\S]*^location: "?P-OAK"?$/m);

  const second = archive("second.json", [
    ...[
      ...rows(4, "North", "P-LEEDS"),
      ...rows(3, "Oak Road, renamed", "P-OAK"),
      ...rows(1, "Newly bad", "P-BAD", "2026-02-30"),
    ],
  ]);
  const { code, sites: again, total, stderr: unsaid } = await importing(second);
  assert.deepEqual([code, again.leeds?.added, again["oak-road-3"]?.added, total.added], [1, 1, 1, 2]);
  assert.match(JSON.stringify(again["newly-bad"]), /"error":"Nothing was imported"/);
  assert.equal(existsSync(join(sites, "newly-bad")), false);
  assert.doesNotMatch(unsaid, /time zone/, "no site was made");
});

test("import --places leaves a place alone when a file of another cannot be read, and completes one of a killed import", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  const put = (location: number, page: string, text: string) => {
    const place = join(folder.path, "Takeout", "Google Business Profile", "account-1", `location-${location}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, page), text);
  };
  const review = { reviewer: { displayName: "Ada" }, starRating: "FIVE", createTime: "2026-01-02T03:04:05Z" };
  for (const location of [2001, 2002]) {
    put(location, "data.json", JSON.stringify({ title: `Branch ${location}` }));
    put(location, "reviews-1.json", JSON.stringify({ reviews: [review] }));
  }
  put(2002, "reviews-2.json", '{"reviews": [{"reviewer": {"displ');
  const killed = join(sites, "first"); // before its commit
  mkdirSync(join(killed, "data"), { recursive: true });
  writeFileSync(join(killed, "business.yaml"), 'name: Our first\ntime_zone: UTC\nlocation: "2001"\n');
  const store = `sqlite:${join(killed, "data", "goodword.db")}`;
  await (await openStore(store)).close();
  const { code, stdout } = await run(folder.path, ["import", "Takeout", "--places", "--sites", sites, "--json"]);
  const outcomes = (JSON.parse(stdout) as { sites: Record<string, { added?: number; issues?: object[] }> }).sites;
  assert.deepEqual([code, outcomes.first?.added, outcomes["branch-2002"]?.added], [1, 1, undefined]);
  assert.equal((await readStoreAt(store, readBusiness))?.name, "Our first");
  assert.deepEqual(readdirSync(sites).toSorted(), ["first", "goodword.env"]);
  assert.match(JSON.stringify(outcomes["branch-2002"]?.issues), /reviews-2\.json/);
});

test("the address of a chain stays its own, whatever site says that it has it, and that is said", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  for (const name of ["a", "taking"]) await importSite(folder.path, name);
  writeFileSync(join(sites, "taking", "goodword.env"), "BASE_URL=http://chain.test\n");
  writeFileSync(join(sites, "chain.yaml"), "name: Cool\nbase_url: http://chain.test\nsites: [a, gone]\n");
  await using served = await serveSites(folder.path);
  await served.program.logged(({ site, state }) => site === "taking" && state === "same_address");
  assert.match((await served.get("chain.test", "/places.json")).text, /"name":"Cool","review_count":1/);
  assert.equal((await served.get("chain.test", "/reviews.json")).status, 404);
  await served.program.logged(({ fault }) => fault === 'chain.yaml names what is no site: "gone"');
  const { stdout, stderr } = await run(folder.path, ["sites", "--json", "--sites", "sites"]);
  assert.match(stderr, /^warning: chain\.yaml names what is no site: "gone"$/m);
  assert.match(stdout, /"state":"same_address"[^}]*http:\/\/chain\.test is the address of the chain already/);
  rmSync(join(sites, "chain.yaml"));
  await within(5_000, async () => (await served.get("chain.test", "/reviews.json")).text.includes("Words of taking"));
});

test("a chain's page lists its places with their own figures, and follows their changes", async () => {
  using folder = temporaryFolder();
  const sites = makeSitesFolder(folder.path);
  const business = (name: string, locality: string) => {
    const file = join(folder.path, "business.yaml");
    const address = `address: { street: 1 High St, locality: ${locality}, region: X, postal_code: "1", country: GB }`;
    writeFileSync(file, `name: ${name}\ntime_zone: UTC\n${address}\n`);
    return file;
  };
  await importSite(folder.path, "a", [business("Cool <North>", "Leeds"), reviewOf(folder.path, "a")]);
  await importSite(folder.path, "b", [business("Cool South", "Ångby"), reviewOf(folder.path, "b")]);
  await importSite(folder.path, "apart");
  const chain = (more: string) =>
    writeFileSync(join(sites, "chain.yaml"), `name: Cool\nbase_url: http://chain.test\n${more}`);
  chain('sites: [a, b]\ndescription: Heat & cold\ncolor: "#0b5cad"\nlanguage: de-DE\n');
  await using served = await serveSites(folder.path);
  const places = async () => json(await served.get("chain.test", "/places.json")) as Record<string, unknown>;
  const rating = { rating_value: 5, review_count: 1, best_rating: 5, worst_rating: 1 };
  const counts = { "5": 1, "4": 0, "3": 0, "2": 0, "1": 0 };
  const placeOf = (name: string, site: string, locality: string) => ({
    ...{ name, base_url: `http://${site}.test`, locality, newest_review: "2026-01-02" },
    aggregate_rating: { ...rating, rating_counts: counts },
  });
  const listed = [placeOf("Cool <North>", "a", "Leeds"), placeOf("Cool South", "b", "Ångby")];
  assert.deepEqual(await places(), { name: "Cool", review_count: 2, places: listed });
  assert.deepEqual(placesSchema.parse(await places()), await places(), "the schema in OpenAPI describes every member");
  const { headers } = await served.get("chain.test", "/places.json");
  const again = await served.get("chain.test", "/places.json", { headers: { "If-None-Match": String(headers.etag) } });
  assert.deepEqual([again.status, again.text], [304, ""]);

  const page = async (path: string) => (await served.get("chain.test", path)).text;
  assert.match(await page("/"), /lang="de-DE"[\s\S]*Heat &amp; cold[\s\S]*Cool &lt;North&gt;[\s\S]*Cool South/);
  for (const site of ["a", "b"]) assert.match(await page("/"), new RegExp(`href="http://${site}\\.test/?"`));
  assert.doesNotMatch(await page("/"), /Words of|AggregateRating|apart/);
  assert.match(await page("/?query=%C3%A5NG"), /Cool South/);
  assert.doesNotMatch(await page("/?query=leeds"), /Cool South/);
  for (const path of ["/robots.txt", "/sitemap.xml", "/llms.txt", "/assets/style.css"])
    assert.equal((await served.get("chain.test", path)).status, 200, path);
  assert.equal((await served.get("chain.test", "/reviews.json")).status, 404);
  assert.equal((await served.get("chain.test", "/", { method: "POST" })).status, 405);

  for (const [domain, status] of Object.entries({ "a.test": 200, "chain.test": 200, "nobody.test": 404, "": 404 }))
    assert.equal((await served.get("localhost", `/ask?domain=${domain}`)).status, status, domain);
  for (const name of ["X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "Via"])
    assert.equal((await served.get("x.test", "/ask?domain=a.test", { headers: { [name]: "x" } })).status, 421, name);

  await importSite(folder.path, "b", [business("Cool West", "Ely")]);
  await within(5_000, async () => JSON.stringify(await places()).includes("Cool West"));
  chain("language: [\n");
  await within(5_000, async () => (await served.get("chain.test", "/")).status === 503);
  assert.doesNotMatch((await served.get("chain.test", "/")).text, /yaml/);
  assert.equal((await served.get("a.test", "/")).status, 200);
  assert.equal((await served.get("localhost", "/ask?domain=chain.test")).status, 200);
  chain("");
  await within(5_000, async () => (await served.get("chain.test", "/")).status === 200);
  await within(5_000, async () => JSON.stringify(await places()).includes("http://apart.test")); // all, if none is named
});
