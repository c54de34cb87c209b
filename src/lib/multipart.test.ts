import assert from "node:assert/strict";
import { test } from "node:test";
import { boundaryOf, formParts, MalformedForm } from "./multipart.ts";

/** The bytes in pieces of a size. */
async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function partsOf(bytes: Buffer, boundary: string, size: number): Promise<[string, string | undefined, string][]> {
  const parts: [string, string | undefined, string][] = [];
  for await (const { name, file, content } of formParts(pieces(bytes, size), boundary)) {
    const read: Buffer[] = [];
    for await (const piece of content) read.push(piece);
    parts.push([name, file, Buffer.concat(read).toString("latin1")]);
  }
  return parts;
}

test("formParts() reads what a browser sends, however it is cut into pieces", async () => {
  const form = new FormData();
  form.append("token", "abc");
  form.append('a "name"', "zwei\r\nZeilen--");
  const bytes = Buffer.from(Array.from({ length: 700 }, (_, at) => at % 256));
  form.append("files", new File([bytes, "\r\n--", bytes], "täble.csv"));
  form.append("files", new File([], "empty"));
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const boundary = boundaryOf(request.headers.get("Content-Type") ?? "") ?? "";
  const body = Buffer.from(await request.arrayBuffer());
  const content = Buffer.concat([bytes, Buffer.from("\r\n--"), bytes]).toString("latin1");
  const expected = [
    ["token", undefined, "abc"],
    ['a "name"', undefined, "zwei\r\nZeilen--"],
    ["files", "täble.csv", content],
    ["files", "empty", ""],
  ];
  for (const size of [1, 2, 3, 7, 64, 1000, body.length])
    assert.deepEqual(await partsOf(body, boundary, size), expected, `in pieces of ${size}`);
});

test("formParts() skips what is not read of a part", async () => {
  const body = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nlong\r\n--x\r\ncontent-disposition: form-data; name="b"\r\n\r\n2\r\n--x--\r\n',
  );
  const names: string[] = [];
  for await (const { name } of formParts(pieces(body, 5), "x")) names.push(name);
  assert.deepEqual(names, ["a", "b"]);
});

test("formParts() refuses what is no form, ends early, or has an endless head", async () => {
  const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
  for (const text of ["", "nothing", "--x", part, `${part}half`, `--x\r\n${"a".repeat(9000)}`, `${part}1\r\n--x\r\n`])
    await assert.rejects(partsOf(Buffer.from(text), "x", 50), MalformedForm, text.slice(0, 40));
});

test("boundaryOf() reads the boundary, with and without quotation marks", () => {
  assert.equal(boundaryOf("multipart/form-data; boundary=abc"), "abc");
  assert.equal(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"'), "a b");
  for (const type of ["", "text/plain; boundary=a", "multipart/form-data", `multipart/form-data; boundary=${'"'}`])
    assert.equal(boundaryOf(type), undefined);
});
