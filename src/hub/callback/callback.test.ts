/** The client for callbacks against servers that behave badly, each on loopback. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createTcpServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { listening, openTunnelProxy } from "../../../test/support/loopback.ts";
import { openNameServer } from "../../../test/support/name-server.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE, type Subscribers } from "../../../test/support/subscriber.ts";
import { makeTestCertificate } from "../../../test/support/test-certificate.ts";
import { parseAddressRanges } from "../../outbound/address-class.ts";
import { openNameResolution } from "../../outbound/name-resolution.ts";
import { type CallbackClient, type CallbackSettings, openCallbackClient } from "./callback.ts";

const { signal } = new AbortController();
const LOOPBACK = parseAddressRanges(["127.0.0.0/8", "::1"]);
/** For tests of what goes on for ever: if nothing ends it, the test fails instead of waiting as long. */
const NEVER_ENDING = { timeout: 300_000 };

function open(settings: Partial<CallbackSettings> = {}): CallbackClient & AsyncDisposable {
  const client = openCallbackClient({
    resolution: openNameResolution({ hostsFile: "/nowhere" }),
    allowed: LOOPBACK,
    timeoutMs: 60_000,
    maxConnections: 4,
    ...settings,
  });
  return { ...client, [Symbol.asyncDispose]: client.close };
}

/** Lets every address be used at any time. */
const OPEN_GATE = { isPaused: () => false, claim: () => true };

function get(origin: string, target = "/") {
  return { method: "GET" as const, origin, target, headers: {}, readBytes: 10, signal, gate: OPEN_GATE };
}

/** A TLS server that does with each connection what `behave` says. */
async function openTls(behave: (socket: Socket) => void, { certificate, key } = SUBSCRIBER_CERTIFICATE) {
  const server = createTlsServer({ cert: certificate, key }, (socket) => behave(socket.on("error", () => {})));
  const { port, ...listens } = await listening(server);
  return { origin: `https://127.0.0.1:${port}`, port, ...listens };
}

let subscribers: Subscribers;
let local: string;
before(async () => {
  setDefaultCACertificates([SUBSCRIBER_CERTIFICATE.certificate]);
  subscribers = await openSubscribers();
  local = `https://localhost:${subscribers.port}`;
});
after(() => subscribers.close());

describe("send()", () => {
  test("sends the request as given and returns the answer as received", async () => {
    await using callbacks = open();
    const body = Buffer.from("the bytes");
    const answer = await callbacks.send({
      ...get(local, "/cb?a=1&flag"),
      method: "POST",
      body,
      headers: { "X-Test": "1" },
    });
    assert.deepEqual([answer.kind, answer.kind === "answered" && answer.status], ["answered", 204]);
    const { target, headers, body: received } = subscribers.deliveries("/cb")[0] ?? {};
    assert.deepEqual([target, headers?.["x-test"], received?.toString()], ["/cb?a=1&flag", "1", "the bytes"]);
  });

  test("reuses a connection, whether by name or by address", async () => {
    await using callbacks = open();
    for (const host of ["localhost", "127.0.0.1", "a.test.localhost"]) {
      const origin = `https://${host}:${subscribers.port}`;
      assert.equal((await callbacks.send(get(origin))).kind, "answered");
      assert.equal((await callbacks.send(get(origin))).kind, "answered");
    }
    assert.equal(callbacks.connections(), 3);
    await callbacks.close();
    assert.equal(callbacks.connections(), 0);
  });

  test("keeps at most the configured number of connections", async () => {
    await using callbacks = open();
    for (let host = 0; host < 12; host++)
      await callbacks.send(get(`https://h${host}.test.localhost:${subscribers.port}`));
    assert.equal(callbacks.connections(), 4);
  });

  test("a new connection resumes the TLS session of the one before, but not that of another host", async () => {
    const resumed: boolean[] = [];
    await using server = await openTls((socket) => {
      resumed.push((socket as TLSSocket).isSessionReused());
      socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"));
    });
    await using callbacks = open();
    for (const host of ["a.test.localhost", "a.test.localhost", "b.test.localhost"])
      assert.equal((await callbacks.send(get(`https://${host}:${server.port}`))).kind, "answered");
    assert.deepEqual(resumed, [false, true, false]);
  });

  test("a kept connection that was closed meanwhile is not used again", async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await openTls((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n"));
      socket.once("close", () => closed.resolve());
    });
    await using callbacks = open();
    assert.equal((await callbacks.send(get(server.origin))).kind, "answered");
    await closed.promise;
    assert.equal(callbacks.connections(), 0);
    assert.equal((await callbacks.send(get(server.origin))).kind, "answered");
  });

  test("a connection that is closed without an answer, new or used, is one failure and one request", async () => {
    let requests = 0;
    await using server = await openTls((socket) => {
      socket.on("data", () => {
        if (requests++ === 0) socket.write("HTTP/1.1 204 No Content\r\n\r\n");
        else socket.destroy();
      });
    });
    await using callbacks = open();
    const kinds = [];
    for (let time = 0; time < 3; time++) kinds.push((await callbacks.send(get(server.origin))).kind);
    assert.deepEqual([kinds, requests], [["answered", "silent", "silent"], 3]);
  });

  test("follows no redirect", async () => {
    subscribers.behave("/away", (_arrival, response) => response.writeHead(302, { Location: "/secret" }).end());
    await using callbacks = open();
    const answer = await callbacks.send(get(local, "/away"));
    assert.equal(answer.kind === "answered" && answer.status, 302);
    assert.equal(subscribers.verifications("/secret").length, 0);
  });

  test("decodes no content coding", async () => {
    const packed = gzipSync("x".repeat(1_000_000));
    subscribers.behave("/gzip", (_arrival, response) =>
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(packed),
    );
    await using callbacks = open();
    const answer = await callbacks.send({ ...get(local, "/gzip"), readBytes: 5000 });
    assert.ok(answer.kind === "answered");
    assert.deepEqual(Buffer.from(answer.body), packed);
  });

  test("skips informational answers", async () => {
    await using server = await openTls((socket) => {
      socket.once("data", () =>
        socket.write("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
      );
    });
    await using callbacks = open();
    const answer = await callbacks.send(get(server.origin));
    assert.ok(answer.kind === "answered" && answer.status === 200 && answer.complete);
  });
});

describe("send() to those who take their time, or give too much", () => {
  /** Answers bit by bit, for ever. */
  function drip(head: string, piece: string) {
    return (socket: Socket) => {
      socket.once("data", () => {
        socket.write(head);
        const timer = setInterval(() => socket.write(piece), 20);
        socket.on("close", () => clearInterval(timer));
      });
    };
  }

  const cases: readonly [string, (socket: Socket) => void, string][] = [
    ["nothing at all", () => {}, "silent"],
    ["headers in drips", drip("HTTP/1.1 200 OK\r\n", "X-Drip: 1\r\n"), "silent"],
    ["a body in drips", drip("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", ""), "answered"],
    ["headers without end", drip(`HTTP/1.1 200 OK\r\n${"X-Fill: x\r\n".repeat(3000)}`, ""), "silent"],
    ["no HTTP", drip("SSH-2.0-OpenSSH_9.9\r\n", ""), "silent"],
  ];
  for (const [name, behave, kind] of cases) {
    test(`ends in time when it answers ${name}`, NEVER_ENDING, async () => {
      await using server = await openTls(behave);
      await using callbacks = open({ timeoutMs: kind === "answered" ? 8_000 : 500 }); // its headers come in time
      const answer = await callbacks.send(get(server.origin));
      assert.equal(answer.kind, kind);
      if (answer.kind === "answered") assert.equal(answer.complete, false);
      assert.equal(callbacks.connections(), 0, "the connection is not kept");
    });
  }

  test("ends in time when the port accepts and then says nothing, not even TLS", NEVER_ENDING, async () => {
    await using server = await listening(createTcpServer(() => {}));
    await using callbacks = open({ timeoutMs: 2000 });
    const answer = await callbacks.send(get(`https://127.0.0.1:${server.port}`));
    assert.equal(answer.kind, "silent");
  });

  test("reads no more of an endless answer than it was told to, and hangs up", async () => {
    let written = 0;
    await using server = await openTls((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        const more = () => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) written += 65_536;
          socket.once("drain", more);
        };
        more();
      });
    });
    await using callbacks = open();
    const answer = await callbacks.send(get(server.origin));
    assert.ok(answer.kind === "answered" && !answer.complete && answer.body.byteLength === 10);
    assert.ok(written < 5_000_000, `${written} bytes were taken`);
    assert.equal(callbacks.connections(), 0);
  });

  test("is aborted at once on request, which is a local failure", async () => {
    await using server = await openTls(() => {});
    const aborter = new AbortController();
    await using callbacks = open({ timeoutMs: 60_000 });
    const sending = callbacks.send({ ...get(server.origin), signal: aborter.signal });
    setTimeout(() => aborter.abort(), 20);
    assert.equal((await sending).kind, "local failure");
  });
});

describe("send() to addresses that it must not reach", () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    "inside.example": ["127.0.0.1"],
    "mixed.example": ["127.0.0.2", "127.0.0.1"],
    "metadata.example": ["169.254.169.254"],
  };
  const only = { allowed: parseAddressRanges(["127.0.0.1"]) };

  async function withNames<T>(run: (settings: Partial<CallbackSettings>) => Promise<T>): Promise<T> {
    const server = await openNameServer((name) => names[name] ?? "no such name");
    try {
      return await run({ resolution: openNameResolution({ servers: [server.address], hostsFile: "/nowhere" }) });
    } finally {
      await server.close();
    }
  }

  test("a name that resolves to a private address", async () => {
    const before = subscribers.arrivals.length;
    for (const name of ["inside.example", "metadata.example"]) {
      const answer = await withNames((settings) =>
        open({ ...settings, allowed: [] }).send(get(`https://${name}:${subscribers.port}`)),
      );
      assert.deepEqual(
        [answer.kind, answer.kind === "silent" && answer.reason],
        ["silent", "The host has no public address"],
      );
    }
    assert.equal(subscribers.arrivals.length, before);
  });

  test("a literal address, on every attempt", async () => {
    await using callbacks = open({ allowed: [] });
    for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
      assert.equal((await callbacks.send(get(`https://${host}:${subscribers.port}`))).kind, "silent");
    }
    assert.equal(callbacks.connections(), 0);
  });

  test("the disallowed ones of several addresses", async () => {
    let connections = 0;
    const forbidden = createTcpServer(() => connections++).listen(subscribers.port, "127.0.0.2");
    await once(forbidden, "listening");
    const reason = await withNames(async (settings) => {
      const answer = await open({ ...settings, ...only }).send(get(`https://mixed.example:${subscribers.port}`));
      return answer.kind === "answered" ? "answered" : answer.reason;
    });
    // The certificate is not for that name, so TLS ends it: but it was tried at the allowed address alone.
    assert.match(reason, /ERR_TLS_CERT_ALTNAME_INVALID/);
    assert.equal(connections, 0);
    forbidden.close();
  });

  test("an address that is paused or busy is not tried, which is a local failure", async () => {
    const resolution = { resolve: async () => ["1.1.1.1"], isAnswering: async () => true };
    const send = (gate: Partial<typeof OPEN_GATE>) =>
      open({ resolution }).send({ ...get("https://held.example"), gate: { ...OPEN_GATE, ...gate } });
    assert.equal((await send({ isPaused: () => true })).kind, "paused");
    assert.equal((await send({ claim: () => false })).kind, "busy");
  });

  test("a kept connection whose address is busy, which stays kept", async () => {
    await using callbacks = open();
    assert.equal((await callbacks.send(get(local))).kind, "answered");
    const before = subscribers.arrivals.length;
    assert.equal((await callbacks.send({ ...get(local), gate: { ...OPEN_GATE, claim: () => false } })).kind, "busy");
    assert.deepEqual([subscribers.arrivals.length, callbacks.connections()], [before, 1]);
  });

  test("an untrusted certificate", async () => {
    await using server = await openTls(() => {}, makeTestCertificate());
    const answer = await open().send(get(`https://localhost:${server.port}`));
    assert.deepEqual(
      [answer.kind, answer.kind === "silent" && /SELF_SIGNED|UNABLE/.test(answer.reason)],
      ["silent", true],
    );
  });
});

describe("send() when the fault is ours", () => {
  test("the date of a certificate is the callback's fault, unless the clock of this machine is known to be wrong", async () => {
    const WRONG = "The clock of this machine is wrong, so certificates seem invalid (CODE)";
    const before = getCACertificates("default");
    const [outcomes, wanted]: [string[], string[]] = [[], []];
    for (const [days, code] of [
      [{ fromDay: -3, toDay: -1 }, "CERT_HAS_EXPIRED"],
      [{ fromDay: 1, toDay: 3 }, "CERT_NOT_YET_VALID"],
    ] as const) {
      const made = makeTestCertificate(undefined, days);
      setDefaultCACertificates([...before, made.certificate]);
      await using server = await openTls(() => {}, made);
      for (const [aheadMs, kind] of [
        [0, "silent: No connection (CODE)"],
        [86_400_000, `local failure: ${WRONG}`],
        [-86_400_000, `local failure: ${WRONG}`],
      ] as const) {
        await using callbacks = open({ clockAheadMs: () => aheadMs });
        const answer = await callbacks.send(get(server.origin));
        outcomes.push(answer.kind === "answered" ? answer.kind : `${answer.kind}: ${answer.reason}`);
        wanted.push(kind.replace("CODE", code));
      }
    }
    setDefaultCACertificates(before);
    assert.deepEqual(outcomes, wanted);
  });

  test("a resolver that does not answer is a local failure; a name that does not exist is the callback's", async () => {
    const server = await openNameServer((name) => (name === "dead.example" ? "no such name" : "failure"));
    const alive = openNameResolution({ servers: [server.address], hostsFile: "/nowhere", timeoutMs: 60_000 });
    assert.equal((await open({ resolution: alive }).send(get("https://dead.example"))).kind, "silent");
    assert.equal((await open({ resolution: alive }).send(get("https://broken.example"))).kind, "silent");
    await server.close();
    const gone = openNameResolution({ servers: [server.address], hostsFile: "/nowhere", timeoutMs: 100 });
    assert.equal((await open({ resolution: gone }).send(get("https://a.example"))).kind, "local failure");
  });

  test("a slow name ends in time", NEVER_ENDING, async () => {
    const server = await openNameServer(() => "silence");
    const resolution = openNameResolution({ servers: [server.address], hostsFile: "/nowhere", timeoutMs: 600_000 });
    const answer = await open({ resolution, timeoutMs: 2000 }).send(get("https://slow.example"));
    assert.equal(answer.kind, "silent");
    await server.close();
  });
});

describe("send() through a proxy", () => {
  test("tunnels to the vetted address, and a proxy that is down is a local failure", async () => {
    await using proxy = await openTunnelProxy();
    const proxyUrl = `http://user:p%40ss@127.0.0.1:${proxy.port}`;
    await using callbacks = open({ proxyUrl });
    assert.equal((await callbacks.send(get(local))).kind, "answered");
    const credentials = Buffer.from("user:p@ss").toString("base64");
    const tunnels = proxy.asked.map(({ url, headers }) => `${url} ${headers["proxy-authorization"]}`);
    assert.deepEqual(tunnels, [`127.0.0.1:${subscribers.port} Basic ${credentials}`]);
    await proxy.close();
    assert.equal((await open({ proxyUrl }).send(get(local))).kind, "local failure");
  });
});
