/** What somebody may try against the hub, or through it against others: every known attack, and what it comes to. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createAdaptorServer } from "@hono/node-server";
import { openNameResolution } from "../../src/outbound/name-resolution.ts";
import { openStore } from "../../src/store/store.ts";
import { insertActive } from "../support/active-subscriptions.ts";
import { chosenStoreUrl } from "../support/engines.ts";
import { BASE_URL, type HarnessOptions, type HubHarness, openHarness } from "../support/hub-harness.ts";
import {
  callbackOf,
  form,
  hubTest,
  isSignedWith,
  newPath,
  subscribed,
  subscribers,
  told,
  withHub,
} from "../support/hub-subscribers.ts";
import { listening, openTunnelProxy } from "../support/loopback.ts";
import { type NameAnswer, openNameServer } from "../support/name-server.ts";
import { answer, type Behaviour, challengeOf } from "../support/subscriber.ts";
import { makeTestPublisher } from "../support/test-publisher.ts";

/** A test with a hub that asks a name server of its own. */
function namesTest(
  name: string,
  answer: (name: string) => NameAnswer,
  options: HarnessOptions,
  run: (hub: HubHarness) => Promise<void>,
): void {
  test(name, async () => {
    const names = await openNameServer(answer);
    const resolution = openNameResolution({ servers: [names.address], hostsFile: "/nowhere", timeoutMs: 60_000 });
    await withHub({ ...options, parts: { resolution } }, run).finally(names.close);
  });
}

/** A public address that all names lead to: a proxy tunnels to the subscribers in its place. */
async function openSharedAddress(port: number) {
  const address = "1.1.1.1";
  const proxy = await openTunnelProxy(() => port);
  return {
    address,
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    resolution: { resolve: async () => [address], isAnswering: async () => true },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}

describe("a callback whose host cannot be public", { concurrency: true }, () => {
  const hosts = ["localhost", "a.localhost", "localhost.", "printer.local", "no.such.invalid", "intranet", "INTRANET"];
  for (const [name, allowCallbacks, accepted] of [
    ["is 400 at once", [], []],
    [
      "is accepted if the operator allows what it resolves to",
      ["127.0.0.1"],
      ["localhost", "a.localhost", "intranet", "INTRANET"],
    ],
  ] as const)
    namesTest(
      name,
      (asked) => (asked.toLowerCase() === "intranet" ? ["127.0.0.1"] : ["10.1.2.3"]),
      { settings: { allowCallbacks } },
      async (hub) => {
        for (const host of hosts) {
          const response = await hub.ask(form(callbackOf(newPath(), host)));
          const isAccepted = (accepted as readonly string[]).includes(host);
          assert.equal(response.status, isAccepted ? 202 : 400, host);
          if (!isAccepted) assert.match(await response.text(), /^hub\.callback has the host .*use a public name/);
        }
      },
    );
});

describe("a callback inside our own network", { concurrency: true }, () => {
  namesTest(
    "by name is accepted like any other, and never connected to",
    (name) => (name === "metadata.hub.example" ? ["169.254.169.254"] : ["127.0.0.1"]),
    { settings: { allowCallbacks: [] } },
    async (hub) => {
      const path = newPath();
      for (const host of ["inside.hub.example", "metadata.hub.example"])
        assert.equal((await hub.ask(form(callbackOf(path, host)))).status, 202);
      await hub.event("verification unanswered", 6);
      assert.equal(subscribers.verifications(path).length, 0);
      assert.deepEqual(await hub.lines(), []);
    },
  );

  hubTest(
    "by a literal address, in whatever spelling, is refused at once",
    { settings: { allowCallbacks: [] } },
    async (hub) => {
      for (const host of [
        "127.0.0.1",
        "0x7f.1",
        "2130706433",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "10.0.0.1",
      ]) {
        const response = await hub.ask(form(`https://${host}/`));
        assert.equal(response.status, 400, host);
        assert.match(response.headers.get("Content-Type") ?? "", /^text\/plain/);
        assert.match(await response.text(), /^hub\.callback has the address .*, which is not public/);
      }
    },
  );

  let asked = 0;
  namesTest(
    "by a name that resolves to another address after verification",
    () => (asked++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]),
    { settings: { allowCallbacks: ["127.0.0.1"] } },
    async (hub) => {
      const path = newPath();
      let connections = 0;
      const inside = createServer(() => connections++).listen(subscribers.port, "127.0.0.2");
      await once(inside, "listening");
      subscribers.behave(path, ({ target }, response) =>
        response.writeHead(200, { Connection: "close" }).end(challengeOf(target)),
      );
      await hub.subscribe(callbackOf(path, "rebind.hub.example"));
      hub.publisher.publish("second");
      await hub.event("subscription removed");
      assert.deepEqual([subscribers.deliveries(path).length, connections], [0, 0]);
      inside.close();
    },
  );

  hubTest("by a redirect", {}, async (hub) => {
    const [path, secret] = [newPath(), newPath()];
    subscribers.behave(path, (_arrival, response) => response.writeHead(301, { Location: callbackOf(secret) }).end());
    await hub.ask(form(callbackOf(path)));
    await hub.event("verification refused");
    assert.equal(subscribers.verifications(secret).length, 0);
  });
});

/** So that no pause ends while the test looks, however slow the machine is. */
const LONG_PAUSES = { parts: { limits: { minPauseMs: 60_000 } } };

describe("the hub as a weapon", { concurrency: true }, () => {
  hubTest("a host that refuses one verification after the other is left alone", LONG_PAUSES, async (hub) => {
    const paths = Array.from({ length: 100 }, newPath);
    for (const path of paths) subscribers.behave(path, (_arrival, response) => response.writeHead(404).end());
    for (const path of paths) await hub.ask(form(callbackOf(path, "victim.test.localhost")));
    await hub.event("verification refused", 40);
    // Whoever comes next from elsewhere shows that the dispatching goes on, and that the victim is not asked.
    for (let time = 0; time < 3; time++) await hub.subscribe(callbackOf(newPath()));
    const asked = paths.filter((path) => subscribers.verifications(path).length > 0).length;
    assert.ok(asked >= 40 && asked <= 44, `${asked} requests reached it`);
    assert.equal((await hub.event("host paused")).host, `victim.test.localhost:${subscribers.port}`);
    assert.equal((await hub.lines()).filter(({ state }) => state === "pending verification").length, 100 - asked);
  });

  hubTest(
    "a stranger's refused requests do not hold up the notifications of others on the same host",
    LONG_PAUSES,
    async (hub) => {
      const honest = await subscribed(hub, "shared.test.localhost");
      const paths = Array.from({ length: 100 }, newPath);
      for (const path of paths) subscribers.behave(path, (_arrival, response) => response.writeHead(404).end());
      for (const path of paths) await hub.ask(form(callbackOf(path, "shared.test.localhost")));
      await hub.event("host paused");
      hub.publisher.publish("second");
      await told(honest, 1);
      const refused = hub.events.filter(({ event }) => event === "verification refused").length;
      assert.ok(refused < paths.length, "the host is still not asked for consent when the honest one is told");
      assert.equal(hub.events.filter(({ event }) => event === "host paused").length, 1);
    },
  );

  hubTest(
    "a stranger's refused requests do not slow new subscriptions of others on the same host",
    LONG_PAUSES,
    async (hub) => {
      const ask = (callback: string, client: string) => hub.ask(form(callback), client);
      const paths = Array.from({ length: 100 }, newPath);
      for (const path of paths) subscribers.behave(path, (_arrival, response) => response.writeHead(404).end());
      for (const path of paths) await ask(callbackOf(path, "reader.test.localhost"), "198.51.100.7");
      await hub.event("host paused");
      const asked = () => paths.filter((path) => subscribers.verifications(path).length > 0).length;
      const before = asked();
      assert.equal((await ask(callbackOf(newPath(), "reader.test.localhost"), "203.0.113.9")).status, 202);
      await hub.event("subscription activated");
      assert.ok(asked() <= before + 2, "the stranger's requests still wait, but for those that were under way");
    },
  );

  test("sixty failing callbacks at an address do not hold up what is sent to others there", async () => {
    await using store = await openStore(await chosenStoreUrl());
    await using address = await openSharedAddress(subscribers.port);
    const failing = Array.from({ length: 80 }, newPath);
    const honest = newPath();
    for (const path of failing) subscribers.behave(path, (_arrival, response) => response.destroy());
    await insertActive(
      store,
      failing.map((path, index) => callbackOf(path, `h${index}.failing.example`)),
    );
    await insertActive(store, [callbackOf(honest, "honest.hub.example")]);
    const settings = { retrySeconds: [3600, 3600], proxyUrl: address.proxyUrl, allowCallbacks: [] };
    const parts = { ...LONG_PAUSES.parts, resolution: address.resolution };
    await withHub({ store, settings, parts }, async (hub) => {
      await hub.isWatching();
      hub.publisher.publish("second");
      assert.equal((await hub.event("host paused")).host, address.address);
      await told(honest, 1);
      const sent = () => failing.reduce((sum, path) => sum + subscribers.deliveries(path).length, 0);
      const first = sent(); // four more may have been on their way when the address was paused
      assert.ok(first >= 60 && first <= 64, `${first} notifications reached the failing ones`);
      hub.publisher.publish("third");
      await told(honest, 2);
      assert.ok(sent() <= 64, `${sent()} notifications: the failing ones are still paused when the honest one is told`);
    });
  });

  test("an address is sent four requests at once, whatever the number of names that lead to it", async () => {
    await using store = await openStore(await chosenStoreUrl());
    const paths = Array.from({ length: 40 }, newPath);
    let atOnce = 0;
    let mostAtOnce = 0;
    for (const path of paths) {
      subscribers.behave(path, (arrival, response) => {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        setTimeout(() => {
          atOnce--;
          answer(arrival, response);
        }, 10);
      });
    }
    await insertActive(
      store,
      paths.map((path, index) => callbackOf(path, `many${index}.test.localhost`)),
    );
    const hub = await openHarness({ store });
    await hub.isWatching();
    for (const text of ["second", "third"]) {
      hub.publisher.publish(text);
      const isTold = (path: string) => subscribers.deliveries(path).some(({ body }) => body.includes(text));
      await subscribers.until(() => paths.every(isTold), "all were told");
    }
    assert.ok(mostAtOnce >= 2 && mostAtOnce <= 4, `${mostAtOnce} at once`);
    await hub.close();
  });

  hubTest(
    "a verified host that later resolves to a victim receives only a few notifications",
    LONG_PAUSES,
    async (hub) => {
      const paths = Array.from({ length: 100 }, newPath);
      for (const path of paths) await hub.subscribe(callbackOf(path, "repointed.test.localhost"));
      for (const path of paths)
        subscribers.behave(path, ({ method }, response) => method === "POST" && response.writeHead(404).end());
      hub.publisher.publish("second");
      await hub.event("delivery failed", 20);
      for (let time = 0; time < 3; time++) await hub.subscribe(callbackOf(newPath()));
      const sent = paths.reduce((sum, path) => sum + subscribers.deliveries(path).length, 0);
      assert.ok(sent >= 20 && sent <= 24, `${sent} notifications reached it`);
      assert.equal(hub.events.filter(({ event }) => event === "subscription removed").length, 0, "held is not failed");
    },
  );

  hubTest(
    "a callback that does not answer is asked three times for its newest request, however often it is named",
    {},
    async (hub) => {
      const path = newPath();
      const hangUps: (() => void)[] = [];
      subscribers.behave(path, (_arrival, response) => hangUps.push(() => response.destroy()));
      await hub.ask(form(callbackOf(path)));
      await subscribers.until(() => hangUps.length === 1, "it was asked for the first time");
      for (let time = 0; time < 20; time++) await hub.ask(form(callbackOf(path)));
      subscribers.behave(path, (_arrival, response) => response.destroy());
      hangUps[0]?.();
      await hub.event("verification unanswered", 4);
      assert.equal((await hub.lines()).length, 0, "it was given up");
      assert.equal(subscribers.verifications(path).length, 4, "once for the first request, three times for the last");
    },
  );

  hubTest(
    "nobody else can publish, and foreign topics are refused, so nothing is fetched on request",
    {},
    async (hub) => {
      const path = newPath();
      const publish = { "hub.mode": "publish", "hub.url": callbackOf(path), "hub.topic": callbackOf(path) };
      assert.equal((await hub.ask(publish)).status, 400);
      assert.equal((await hub.ask({ ...publish, ...form(callbackOf(path), { "hub.mode": "publish" }) })).status, 400);
      assert.equal((await hub.ask({ ...form(callbackOf(path)), "hub.topic": callbackOf(path) })).status, 400);
      await hub.subscribe(callbackOf(newPath()));
      assert.equal(subscribers.verifications(path).length, 0);
    },
  );
});

describe("slow and greedy callbacks", { concurrency: true }, () => {
  namesTest(
    "a silent name server delays only its own callbacks",
    (name) => (name.startsWith("slow") ? "silence" : ["127.0.0.1"]),
    { settings: { timeoutSeconds: 300 } },
    async (hub) => {
      for (let index = 0; index < 40; index++) await hub.ask(form(callbackOf("/slow", `slow${index}.hub.example`)));
      await hub.subscribe(callbackOf(newPath(), "quick.hub.example"));
      const ended = hub.events.filter(({ event }) => event === "verification unanswered" || event === "local failure");
      assert.deepEqual(ended, [], "it overtook all that still wait for the name server");
    },
  );

  const greedy: readonly [string, Behaviour][] = [
    [
      "without end",
      (_arrival, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
        };
        response.on("drain", more);
        more();
      },
    ],
    [
      "that decompresses to a large size",
      (_arrival, response) => {
        response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(Buffer.alloc(50_000_000)));
      },
    ],
    [
      "that is the compressed challenge",
      ({ target }, response) => {
        response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(challengeOf(target)));
      },
    ],
  ];
  for (const [name, behaviour] of greedy) {
    hubTest(`an answer ${name} is a refusal`, {}, async (hub) => {
      const path = newPath();
      subscribers.behave(path, (arrival, response) => behaviour(arrival, response) ?? true);
      await hub.ask(form(callbackOf(path)));
      await hub.event("verification refused");
    });
  }
});

describe("floods", { concurrency: true }, () => {
  hubTest(
    "from one client meet 429 with Retry-After, and do not touch others",
    { parts: { limits: { clientBurst: 5, clientPerSecond: 0.1 } } },
    async (hub) => {
      const ask = (client: string) => hub.ask(form(callbackOf(newPath())), client);
      const statuses = [];
      for (let time = 0; time < 7; time++) statuses.push((await ask("2001:db8::1")).status);
      assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429, 429]);
      const refused = await ask("2001:db8::ffff");
      assert.equal(refused.status, 429, "another address of the same network");
      assert.ok(Number(refused.headers.get("Retry-After")) >= 1);
      assert.match(await refused.text(), /Too many requests from this address/);
      assert.equal((await ask("2001:db8:0:1::1")).status, 202);
    },
  );

  hubTest(
    "about one site meet 429 with Retry-After, whatever its subdomains",
    { parts: { limits: { siteBurst: 2, sitePerSecond: 0.1, siteBurstOfClient: 1 } } },
    async (hub) => {
      const ask = (host: string) => hub.ask(form(callbackOf(newPath(), host)));
      const statuses = [];
      for (const host of ["a", "b", "c", "d"]) statuses.push((await ask(`${host}.test.localhost`)).status);
      assert.deepEqual(statuses, [202, 202, 202, 429]);
      assert.equal((await ask("localhost")).status, 202);
    },
  );

  hubTest(
    "of subscriptions of one site end at a bound; those it has can still be renewed and ended",
    { parts: { limits: { subscriptionsOfSite: 3 } } },
    async (hub) => {
      const paths = [newPath(), newPath(), newPath()];
      for (const path of paths) await hub.subscribe(callbackOf(path));
      const refused = await hub.ask(form(callbackOf(newPath())));
      assert.deepEqual([refused.status, refused.headers.get("Retry-After")], [429, "3600"]);
      await hub.subscribe(callbackOf(paths[0] ?? ""));
      assert.equal((await hub.ask(form(callbackOf(paths[1] ?? ""), { "hub.mode": "unsubscribe" }))).status, 202);
      await hub.event("subscription ended by the subscriber");
      await hub.subscribe(callbackOf(newPath()));
    },
  );

  hubTest(
    "of requests that nobody confirms meet 503 with Retry-After",
    { parts: { limits: { pending: 0 } } },
    async (hub) => {
      const refused = await hub.ask(form(callbackOf(newPath())));
      assert.deepEqual([refused.status, refused.headers.get("Retry-After")], [503, "60"]);
    },
  );

  hubTest("of a body that is too large, sent in pieces, are answered 413 on the same connection", {}, async (hub) => {
    const fetch = (each: Request) => hub.hub.answer(each, "192.0.2.1");
    await using door = await listening(createAdaptorServer({ fetch }));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const outgoing = httpRequest({ port: door.port, host: "127.0.0.1", method: "POST", headers });
    const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
    for (let piece = 0; piece < 60; piece++) {
      outgoing.write("x".repeat(1024));
      await new Promise(setImmediate);
    }
    outgoing.end();
    const [response] = await answered;
    assert.deepEqual([response.statusCode, await text(response)], [413, "The body is larger than 16 KiB\n"]);
  });

  hubTest("do not make memory grow", {}, async (hub) => {
    const { setFlagsFromString } = await import("node:v8");
    setFlagsFromString("--expose-gc");
    const gc = (await import("node:vm")).runInNewContext("gc") as () => void;
    const flood = async (from: number) => {
      for (let index = from; index < from + 30_000; index++) {
        const client = `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`;
        const request = new Request(BASE_URL, { method: "POST", body: new URLSearchParams({ "hub.callback": "x" }) });
        assert.equal((await hub.hub.answer(request, client)).status, 400);
        if (index % 100 === 0) await new Promise(setImmediate); // lets the other tests go on
      }
      gc();
      return process.memoryUsage().heapUsed / 1e6;
    };
    const before = await flood(0);
    const after = await flood(30_000);
    assert.ok(after - before < 10, `from ${before} to ${after} MB`);
  });
});

describe("what is told", { concurrency: true }, () => {
  hubTest("in the log leaves out the callback's path and query, and the secret", {}, async (hub) => {
    const path = newPath();
    const callback = callbackOf(`/capability-4711${path}?token=sesame`);
    subscribers.behave(
      `/capability-4711${path}`,
      ({ method }, response) => method === "POST" && response.writeHead(500).end(),
    );
    await hub.subscribe(callback, "/feed.xml", { "hub.secret": "tell nobody" });
    hub.publisher.publish("second");
    await hub.event("subscription removed");
    const log = JSON.stringify(hub.events);
    for (const secret of ["capability", "4711", "sesame", "tell nobody"]) assert.ok(!log.includes(secret), secret);
    assert.ok(log.includes(`localhost:${subscribers.port}`));
    assert.ok(!JSON.stringify(await hub.lines()).includes("capability"));
  });

  hubTest(
    "in the log of a refused request is the reason with the callback's host, and neither path nor secret",
    {},
    async (hub) => {
      const callback = "https://10.1.2.3/capability-4711?token=sesame";
      const fields = { ...form(callback), "hub.topic": "https://old.example/feed.xml", "hub.secret": "tell nobody" };
      assert.equal((await hub.ask(fields)).status, 400);
      const { host, reason = "" } = await hub.event("request refused");
      assert.equal(host, "10.1.2.3");
      assert.match(reason, /hub\.topic is "https:\/\/old\.example\/feed\.xml", but must be one of /);
      assert.match(reason, /hub\.callback has the address 10\.1\.2\.3, which is not public/);
      const log = JSON.stringify(hub.events);
      for (const secret of ["capability", "4711", "sesame", "tell nobody"]) assert.ok(!log.includes(secret), secret);
    },
  );

  hubTest("in the log of a refused request is a short line, however long its fields are", {}, async (hub) => {
    const callback = `http://${"a".repeat(15_000)}.example/`;
    assert.equal((await hub.ask({ ...form(callback), "hub.topic": "b".repeat(1_000) })).status, 400);
    const line = JSON.stringify(await hub.event("request refused"));
    assert.ok(line.length < 1_000, line);
  });

  test("in the store hides the secret where there is a key, without which nothing is sent", async () => {
    await using store = await openStore(await chosenStoreUrl());
    const path = newPath();
    const publisher = makeTestPublisher();
    const secretKeys = [Buffer.alloc(32, 1)];
    const first = await openHarness({ store, publisher, settings: { secretKeys } });
    await first.subscribe(callbackOf(path), "/feed.xml", { "hub.secret": "tell nobody" });
    const rows = JSON.stringify(await store.database.selectFrom("subscription").selectAll().execute());
    assert.ok(!rows.includes("tell nobody") && rows.includes("sealed:"), rows);
    await first.close();
    const keyless = await openHarness({ store, publisher });
    publisher.publish("second");
    const { reason = "", host } = await keyless.event("local failure");
    assert.match(reason, /HUB_SECRET_KEY/);
    assert.ok(host !== undefined);
    assert.equal((await keyless.lines())[0]?.failures, 0);
    await keyless.close();
    assert.equal(subscribers.deliveries(path).length, 0);
    const later = await openHarness({
      store,
      publisher,
      settings: { secretKeys: [Buffer.alloc(32, 2), ...secretKeys] },
    });
    publisher.publish("third"); // newer content uses the owed attempt early
    await told(path, 1);
    assert.ok(isSignedWith("tell nobody", subscribers.deliveries(path)[0]));
    await later.close();
  });

  hubTest("to who asks is the same whether the callback lives, refuses or is not there", {}, async (hub) => {
    const refusing = newPath();
    subscribers.behave(refusing, (_arrival, response) => response.writeHead(404).end());
    const answers = [];
    for (const callback of [
      callbackOf(newPath()),
      callbackOf(refusing),
      "https://localhost:1025/",
      "https://no.such.name.test/",
    ]) {
      const response = await hub.ask(form(callback));
      answers.push([response.status, await response.text(), [...response.headers.keys()].join()].join());
    }
    assert.equal(new Set(answers).size, 1);
  });

  hubTest("is text that names the field, for every fault of a request", {}, async (hub) => {
    const callback = callbackOf(newPath());
    const faults: readonly [Record<string, string>, number, RegExp][] = [
      [
        { ...form(callback), "hub.callback": "http://localhost/" },
        400,
        /^hub\.callback has the scheme http, but must be https/,
      ],
      [{ ...form(callback), "hub.callback": `${callback}\r\nX-Evil: 1` }, 400, /^hub\.callback holds/],
      [{ ...form(callback), "hub.callback": `${callback}#here` }, 400, /^hub\.callback holds a fragment/],
      [{ ...form(callback), "hub.callback": "https://localhost:22/" }, 400, /^hub\.callback has the port 22/],
      [{ ...form(callback), "hub.mode": "denied" }, 400, /^hub\.mode is "denied"/],
      [{ ...form(callback), "hub.lease_seconds": "soon" }, 400, /^hub\.lease_seconds/],
      [{ ...form(callback), "hub.secret": "x".repeat(200) }, 400, /^hub\.secret/],
      [{ ...form(callback), padding: "x".repeat(17_000) }, 413, /16 KiB/],
    ];
    for (const [fields, status, text] of faults) {
      const response = await hub.ask(fields);
      assert.equal(response.status, status);
      assert.match(response.headers.get("Content-Type") ?? "", /^text\/plain/);
      assert.match(await response.text(), text);
    }
    const json = new Request(BASE_URL, {
      method: "POST",
      body: "{}",
      headers: { "Content-Type": "application/json" },
    });
    assert.equal((await hub.hub.answer(json, "192.0.2.1")).status, 415);
    assert.equal((await hub.hub.answer(new Request(BASE_URL), "192.0.2.1")).status, 405);
  });

  test("when the store fails, or the hub is closed, is 503 with Retry-After", async () => {
    const store = await openStore(await chosenStoreUrl());
    const hub = await openHarness({ store });
    await hub.close();
    const closed = await hub.ask(form(callbackOf(newPath())));
    assert.deepEqual([closed.status, closed.headers.get("Retry-After")], [503, "5"]);
    await store.close();
    const broken = await openHarness({ store });
    const failed = await broken.ask(form(callbackOf(newPath())));
    assert.deepEqual([failed.status, failed.headers.get("Retry-After")], [503, "10"]);
    await broken.event("fault");
    await broken.hub.close(100).catch(() => {});
  });
});
