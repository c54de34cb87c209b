/** Reading a body: whole up to the limit, never beyond. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readBodyText } from "./bounded-body.ts";

function request(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = {},
): Request {
  return new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

function stream(...chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
    },
  });
}

test("readBodyText() joins chunks, also within a character", async () => {
  const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
  assert.deepEqual(await readBodyText(request(stream("caf", first, second)), 5), { text: "café" });
});

test("readBodyText() takes exactly the limit and not one byte more, declared or not", async () => {
  for (const headers of [{}, { "Content-Length": "4" }]) {
    assert.deepEqual(await readBodyText(request("1234", headers), 4), { text: "1234" });
    assert.deepEqual(await readBodyText(request("1234", headers), 3), { refused: "too large" });
  }
});

test("readBodyText() refuses a declared length that is none or is a lie", async () => {
  assert.deepEqual(await readBodyText(request("1234", { "Content-Length": "x" }), 10), { refused: "too large" });
  assert.deepEqual(await readBodyText(request("12345", { "Content-Length": "2" }), 4), { refused: "too large" });
});

test("readBodyText() stops reading a stream without end", async () => {
  let given = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      given++;
      controller.enqueue(new Uint8Array(100));
    },
  });
  assert.deepEqual(await readBodyText(request(endless), 100), { refused: "too large" });
  assert.ok(given < 30, `${given} chunks were taken`);
});

test("readBodyText() refuses what is no UTF-8, and a stream that breaks", async () => {
  assert.deepEqual(await readBodyText(request(Buffer.from([0xff])), 10), { refused: "unreadable" });
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) });
  assert.deepEqual(await readBodyText(request(broken), 10), { refused: "unreadable" });
});

test("readBodyText() of no body is empty", async () => {
  assert.deepEqual(await readBodyText(new Request("http://localhost/", { method: "POST" }), 10), { text: "" });
});
