/** RFC 9110 as tables: which representation of a document is sent, and when 304 is enough. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { codedBody } from "../edition/codings.ts";
import { assembleDocument, type Document, makeDocument } from "../edition/document.ts";
import { answerDocument, type DocumentRequest, readyDocument } from "./answer-document.ts";

const LAST_MODIFIED = new Date("2026-03-01T10:00:00.500Z");
const NOW = () => new Date("2026-06-01T00:00:00Z");
const SETTINGS = { baseUrl: "https://reviews.example", cacheControl: "no-cache" };
const PLAIN: DocumentRequest = { method: "GET", acceptEncoding: null, ifNoneMatch: null, ifModifiedSince: null };

const feed = makeDocument("/feed.xml", "application/atom+xml", "They came on time. ".repeat(100));
await Promise.all((["br", "zstd", "gzip"] as const).map((coding) => codedBody(feed, coding)));

function readyOf(document: Document) {
  return readyDocument(document, { ...SETTINGS, lastModified: LAST_MODIFIED, path: document.path });
}

function answerAtOnce(request: Partial<DocumentRequest>, document = feed) {
  const answer = answerDocument(readyOf(document), { ...PLAIN, ...request }, NOW);
  assert.ok(!(answer instanceof Promise));
  return answer;
}

const TAG = `"${feed.tag}"`;
const SAME_SECOND = "Sun, 01 Mar 2026 10:00:00 GMT";
const SECOND_BEFORE = "Sun, 01 Mar 2026 09:59:59 GMT";
const OTHER_TAG = '"another"';

/** §13.2.2: If-None-Match alone decides where it is sent, otherwise If-Modified-Since. */
const PRECONDITIONS: readonly [section: string, what: string, request: Partial<DocumentRequest>, status: number][] = [
  ["13.2.2", "no precondition", {}, 200],
  ["13.1.2", "the tag", { ifNoneMatch: TAG }, 304],
  ["13.1.2", "the tag, compared weakly", { ifNoneMatch: `W/${TAG}` }, 304],
  ["13.1.2", "another tag", { ifNoneMatch: OTHER_TAG }, 200],
  ["13.1.2", "a list with the tag in it", { ifNoneMatch: `${OTHER_TAG}, W/"x,y" ,${TAG}` }, 304],
  ["13.1.2", "a list without it", { ifNoneMatch: `${OTHER_TAG}, "x"` }, 200],
  ["13.1.2", "a tag that holds a comma and a quotation mark", { ifNoneMatch: `"x,${TAG}` }, 200],
  ["13.1.2", "any tag", { ifNoneMatch: " * " }, 304],
  ["13.1.2", "a tag without quotes", { ifNoneMatch: feed.tag }, 200],
  ["13.1.2", "an empty list", { ifNoneMatch: "" }, 200],
  ["8.8.3", "the tag of another coding of the same document", { ifNoneMatch: `"${feed.tag}-gzip"` }, 304],
  ["8.8.3", "the tag of a coding that does not exist", { ifNoneMatch: `"${feed.tag}-lzma"` }, 200],
  ["13.1.3", "the second of the last change", { ifModifiedSince: SAME_SECOND }, 304],
  ["13.1.3", "a second before", { ifModifiedSince: SECOND_BEFORE }, 200],
  ["13.1.3", "a later date", { ifModifiedSince: "Tue, 01 Jun 2027 00:00:00 GMT" }, 304],
  ["5.6.7", "a date in the form of RFC 850", { ifModifiedSince: "Sunday, 01-Mar-26 10:00:00 GMT" }, 304],
  ["5.6.7", "a date in the form of asctime", { ifModifiedSince: "Sun Mar  1 10:00:00 2026" }, 304],
  ["13.1.3", "what is no date", { ifModifiedSince: "2026-03-01T10:00:00Z" }, 200],
  ["13.1.3", "two dates in one", { ifModifiedSince: `${SAME_SECOND}, ${SAME_SECOND}` }, 200],
  ["13.2.2", "another tag and a date that matches", { ifNoneMatch: OTHER_TAG, ifModifiedSince: SAME_SECOND }, 200],
  ["13.2.2", "the tag and a date that does not", { ifNoneMatch: TAG, ifModifiedSince: SECOND_BEFORE }, 304],
];

for (const [section, what, request, status] of PRECONDITIONS) {
  for (const method of ["GET", "HEAD"]) {
    test(`RFC 9110 §${section}: ${method} with ${what} is ${status}`, () => {
      const answer = answerAtOnce({ ...request, method });
      assert.equal(answer.status, status);
      assert.equal(answer.pieces.length, status === 200 && method === "GET" ? 1 : 0);
      assert.equal(answer.headers["Content-Type"], status === 200 ? "application/atom+xml" : undefined);
    });
  }
}

/** §12.5.3: the coding with the highest weight, in the order br, zstd, gzip among equals. */
const CODINGS: readonly [acceptEncoding: string | null, coding: string | undefined][] = [
  [null, undefined],
  ["", undefined],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["zstd", "zstd"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, br;q=0.9", "gzip"],
  ["GZIP;Q=0.5, br;q=0.4", "gzip"],
  ["gzip ; q=0.9 , br;q=0.91", "br"],
  ["gzip;q=2, br;q=0.3", "br"], // 2 is no weight
  ["*", "br"],
  ["br;q=0, *", "zstd"],
  ["*;q=0, gzip;q=0.2", "gzip"],
  ["*;q=0", undefined],
  [",,;;q=1", undefined],
  ["deflate", undefined],
  ["identity, gzip;q=0.5", undefined],
  ["gzip;q=0", undefined],
  ["identity;q=0", undefined], // nothing else is accepted: any representation may be sent
  ["identity;q=0, gzip", "gzip"],
];

for (const [acceptEncoding, coding] of CODINGS) {
  test(`RFC 9110 §12.5.3: Accept-Encoding ${JSON.stringify(acceptEncoding)} gets ${coding ?? "identity"}`, () => {
    const { status, headers, pieces } = answerAtOnce({ acceptEncoding });
    assert.equal(status, 200);
    assert.equal(headers["Content-Encoding"], coding);
    assert.equal(headers.ETag, coding === undefined ? TAG : `"${feed.tag}-${coding}"`);
    assert.equal(headers["Content-Length"], String(pieces[0]?.byteLength));
    assert.equal(headers.Vary, "Accept-Encoding");
  });
}

test("RFC 9110 §15.4.5: a 304 has the headers that a 200 would have, but for those of the content", () => {
  const request = { acceptEncoding: "br" };
  const [whole, notModified] = [answerAtOnce(request), answerAtOnce({ ...request, ifNoneMatch: "*" })];
  const { "Content-Type": _type, "Content-Length": _length, "Content-Encoding": _coding, ...held } = whole.headers;
  assert.deepEqual(notModified.headers, held);
  assert.ok(held.ETag && held["Last-Modified"] && held["Cache-Control"] && held.Vary && held.Link);
});

test("a document too small to compress is sent as it is", () => {
  const small = makeDocument("/robots.txt", "text/plain", "User-agent: *");
  const { headers, pieces } = answerAtOnce({ acceptEncoding: "br, gzip" }, small);
  assert.equal(headers["Content-Encoding"], undefined);
  assert.equal(Buffer.concat(pieces).toString(), "User-agent: *");
});

const large = () => makeDocument("/large", "text/plain", "They came on time. ".repeat(60_000)); // no coding is made yet

test("a large document is sent uncompressed until its coding is ready, then compressed", async () => {
  const document = large();
  const ready = readyOf(document);
  const codingOf = () => {
    const answer = answerDocument(ready, { ...PLAIN, acceptEncoding: "br" }, NOW);
    assert.ok(!(answer instanceof Promise));
    return answer.headers["Content-Encoding"];
  };
  assert.deepEqual([codingOf(), codingOf()], [undefined, undefined]);
  await codedBody(document, "br");
  assert.deepEqual([codingOf(), codingOf()], ["br", "br"]);
});

test("the coding of a large document is awaited if the client refuses identity", async () => {
  for (const acceptEncoding of ["br, identity;q=0", "br, *;q=0"]) {
    const answer = await answerDocument(readyOf(large()), { ...PLAIN, acceptEncoding }, NOW);
    assert.equal(answer.headers["Content-Encoding"], "br", acceptEncoding);
  }
});

/** An answer of the incremental endpoint. */
const datesOf = (length: number, isCached: boolean) =>
  assembleDocument("application/json", [new TextEncoder().encode("They came on time. ".repeat(length / 19))], {
    isCached,
  });

test("a large document that nothing caches is never compressed", () => {
  for (const acceptEncoding of ["br", "gzip, identity;q=0"]) {
    const { headers, pieces } = answerAtOnce({ acceptEncoding }, datesOf(2_000_000, false));
    assert.equal(headers["Content-Encoding"], undefined);
    assert.equal(headers["Content-Length"], String(pieces[0]?.byteLength));
  }
});

test("the coding of a date's document is awaited if it is cached, or small", async () => {
  for (const document of [datesOf(2_000_000, true), datesOf(20_000, false)]) {
    const answer = await answerDocument(readyOf(document), { ...PLAIN, acceptEncoding: "br" }, NOW);
    assert.equal(answer.headers["Content-Encoding"], "br");
  }
});

test("a 304 for a document that is made on request needs no coding, and has the headers of one with it", async () => {
  for (const document of [
    datesOf(500, false),
    datesOf(20_000, false),
    datesOf(2_000_000, false),
    datesOf(2_000_000, true),
  ]) {
    const ready = readyOf(document);
    for (const method of ["GET", "HEAD"]) {
      const request = { ...PLAIN, method, acceptEncoding: "br", ifNoneMatch: `"${document.tag}"` };
      const before = answerDocument(ready, request, NOW);
      assert.ok(!(before instanceof Promise));
      assert.equal(before.status, 304);
      await answerDocument(ready, { ...request, ifNoneMatch: null }, NOW);
      assert.deepEqual(before, await answerDocument(ready, request, NOW));
    }
  }
});

test("A document has a representation for each coding, however many different headers ask for it", async () => {
  const ready = readyOf(feed);
  for (let number = 0; number < 1_000; number++) {
    const acceptEncoding = `${["br", "zstd", "gzip", "deflate"][number % 4]};q=0.${number}, x${number}`;
    await answerDocument(ready, { ...PLAIN, acceptEncoding }, NOW);
  }
  assert.deepEqual([...ready.representations.keys()].toSorted(), ["br", "gzip", "identity", "zstd"]);
});
