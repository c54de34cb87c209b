/** A connection gets the same bytes whether or not the server answers heads that it knows without parsing them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { renderStore } from "../app/publishing/edition-worker-thread.ts";
import { prepareCodings } from "../edition/codings.ts";
import { openEdition } from "../edition/edition.ts";
import { openStore } from "../store/store.ts";
import { makeDocumentAnswers } from "./document-answers.ts";
import { makeRoutes } from "./routes.ts";
import { openServer } from "./server.ts";

const store = await openStore("sqlite::memory:");
const rendered = await renderStore(store, "http://localhost:8080");
const edition = openEdition(rendered);
await store.close();
await prepareCodings(edition.documents(), { signal: new AbortController().signal });
let current = edition;
const parts = {
  edition: () => current,
  baseUrl: edition.baseUrl,
  cacheControl: "no-cache",
  now: () => new Date("2026-11-02T00:00:00Z"),
  onAnswer: () => {},
};
const nothing = async () => new Response(null, { status: 500 });
const fetch = makeRoutes({ ...parts, mcp: nothing, hub: nothing, clientAddress: () => "", onFault: assert.ifError });
const settings = { host: "127.0.0.1", port: 0, onFault: assert.ifError };
const documents = makeDocumentAnswers(parts);
let unparsed = 0;
const bytesOf: typeof documents.bytesOf = (asked) => {
  unparsed++;
  return documents.bytesOf(asked);
};
const parsing = await openServer(fetch, { ...settings, documents: { ...documents, asked: () => undefined } });
const knowing = await openServer(fetch, { ...settings, documents: { ...documents, bytesOf } });
after(async () => void (await Promise.all([parsing, knowing].map((server) => server.close(1_000)))));

/** Everything that the server sends for these pieces, without the time of day. */
async function conversation(port: number, pieces: readonly { toString(): string }[]): Promise<string> {
  const socket = connect(port, "127.0.0.1").setNoDelay();
  await once(socket, "connect");
  const received = buffer(socket);
  for (const piece of pieces) {
    if (!socket.writable) break;
    socket.write(piece.toString(), "latin1");
    for (let turn = 0; turn < 8; turn++) await setImmediate();
  }
  if (socket.writable) socket.end();
  const bytes = await received;
  return bytes.toString("latin1").replaceAll(/^Date: .*\r\n/gm, "");
}

const headOf = (path: string, ...lines: readonly string[]) =>
  ["GET ".concat(path, " HTTP/1.1"), "Host: localhost", ...lines, "", ""].join("\r\n");
const tag = edition.document("/feed.xml")?.tag ?? "";
const heads = fc.constantFrom(
  headOf("/feed.xml", "Accept-Encoding: gzip"),
  headOf("/feed.xml", "Accept-Encoding: gzip"),
  headOf("/feed.xml", `If-None-Match: "${tag}"`),
  headOf("/feed.xml", "If-Modified-Since: Sun, 01 Nov 2026 00:00:00 GMT", "Connection: keep-alive"),
  headOf("/api/reviews/since/2025-06-01"),
  headOf("/nothing"),
  headOf("/feed.xml", "Content-Length: 5"),
  headOf("/feed.xml", "Connection: close"),
  `POST /hub HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nabcde`,
  "GET / HTTP/1.1\r\n\r\n",
  "nonsense\r\n\r\n",
);

test("a known head is answered without parsing it again, byte for byte as before", async () => {
  unparsed = 0;
  const same = headOf("/feed.xml", "Accept-Encoding: br", "User-Agent: a reader");
  const pieces = [same, same, same, headOf("/feed.xml", `If-None-Match: "${tag}"`), same];
  const [first, second] = [await conversation(parsing.port, pieces), await conversation(knowing.port, pieces)];
  assert.equal(first.split("HTTP/1.1 ").length - 1, pieces.length);
  assert.equal(second, first);
  assert.equal(unparsed, 3, "all but the first of each head");
});

test("a connection that goes on gets what is published meanwhile", async () => {
  const robots = edition.document("/robots.txt");
  assert.ok(robots !== undefined);
  const body = new TextEncoder().encode("other");
  const documents = rendered.documents.map((each) =>
    each.path === robots.path ? { ...robots, body, tag: "b" } : each,
  );
  const pieces = Array.from({ length: 4 }, () => headOf("/robots.txt", `If-None-Match: "${robots.tag}"`));
  let sent = 0;
  const later = pieces.map((piece) => ({
    toString: () => {
      if (sent++ === 2) current = openEdition({ ...rendered, documents });
      return piece;
    },
  }));
  const answers = await conversation(knowing.port, later);
  current = edition;
  assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 304", "HTTP/1.1 304", "HTTP/1.1 200", "HTTP/1.1 200"]);
});

test("any sequence of requests, cut anywhere, gets the same answers", async () => {
  const cuts = fc.array(fc.nat(400), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(heads, { minLength: 1, maxLength: 8 }),
      cuts,
      fc.boolean(),
      async (asked, cuts, whole) => {
        const all = asked.join("");
        const places = [0, ...cuts.map((cut) => cut % all.length).toSorted((a, b) => a - b), all.length];
        const cut = places.slice(1).map((end, index) => all.slice(places[index], end));
        const pieces = whole ? asked : cut.filter((piece) => piece !== "");
        assert.equal(await conversation(knowing.port, pieces), await conversation(parsing.port, pieces));
      },
    ),
    { numRuns: 150 },
  );
});
