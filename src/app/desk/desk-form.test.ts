import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_FILE_BYTES, MAX_UNPACKED_BYTES } from "../../import/input/input-file.ts";
import { closeAll, MAX_UPLOAD_BYTES, RefusedForm, readDeskForm } from "./desk-form.ts";

const TOKEN = "t".repeat(43);

/** A form with the token and then these files, in two pieces. */
async function* form(files: readonly (readonly [name: string, content: string])[]): AsyncGenerator<Buffer> {
  const part = (head: string, content: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const parts = files.map(([name, content]) => part(`name="files"; filename="${name}"`, content));
  const body = Buffer.from(`${part('name="token"', TOKEN)}${parts.join("")}--x--\r\n`);
  yield body.subarray(0, 100);
  yield body.subarray(100);
}

const read = (files: Parameters<typeof form>[0], token = TOKEN, maxUploadBytes?: number) =>
  readDeskForm(form(files), { contentType: "multipart/form-data; boundary=x", token, maxUploadBytes });

test("readDeskForm() keeps every file that is chosen in a private file without a name", async () => {
  await using formed = await read([
    ["a.csv", "one"],
    ["a.csv", "three"],
  ]);
  assert.deepEqual(
    formed.files.map(({ name, bytes }) => [name, bytes]),
    [
      ["a.csv", 3],
      ["a (2).csv", 5],
    ],
  );
  for (const { handle } of formed.files) {
    const { mode, nlink } = await handle.stat();
    assert.deepEqual([mode & 0o777, nlink], [0o600, 0]);
  }
  const [, second] = formed.files;
  assert.equal((await second?.handle.read(Buffer.alloc(5), 0, 5, 0))?.buffer.toString(), "three");
  await closeAll(formed.files);
});

test("readDeskForm() takes no more bytes and files than an import, and keeps none of a form that it refuses", async () => {
  assert.equal(MAX_UPLOAD_BYTES, Math.max(MAX_FILE_BYTES, MAX_UNPACKED_BYTES));
  const two = [
    ["a.csv", "1234"],
    ["b.csv", "1234"],
  ] as const;
  await using _whole = await read(two, TOKEN, 8);
  const refused = (status: number) => (error: Error) => error instanceof RefusedForm && error.status === status;
  await assert.rejects(read(two, TOKEN, 7), refused(413), "both together");
  const many = Array.from({ length: 201 }, (_, at) => [`${at}.csv`, ""] as const);
  await assert.rejects(read(many), refused(413));
  await assert.rejects(read(two, "another"), refused(403));
});

test("readDeskForm() refuses a form of very many fields before it reads them, which would take minutes", async () => {
  const body = async function* (fields: number) {
    yield Buffer.from(`token=${TOKEN}${"&a".repeat(fields)}`);
  };
  const contentType = "application/x-www-form-urlencoded";
  const begun = process.cpuUsage();
  await assert.rejects(
    readDeskForm(body(1_900_000), { contentType, token: "another" }),
    (error) => error instanceof RefusedForm && error.status === 413,
  );
  assert.ok(process.cpuUsage(begun).user < 5_000_000);
  await using form = await readDeskForm(body(1_000), { contentType, token: TOKEN });
  assert.equal(form.fields.size, 1_001);
});
