import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { packTar, type TarEntry } from "modern-tar";
import { openSandbox, takeoutPage, takeoutReview } from "../../../test/support/import-sandbox.ts";
import { EXPORT_SETS } from "../../../test/support/shared-data.ts";

const PAGE = JSON.stringify(takeoutPage(takeoutReview("a"), takeoutReview("b")));
const REVIEWS = "Takeout/Google Business Profile/account-1/location-2/reviews.json";

const entry = (name: string, body: string | Buffer): TarEntry => {
  const bytes = Buffer.from(body);
  return { header: { name, size: bytes.length, type: "file" }, body: bytes };
};
const tgz = async (...entries: TarEntry[]) => gzipSync(await packTar(entries));

describe("a .tgz of Takeout", () => {
  for (const { name, takeout, total } of EXPORT_SETS) {
    test(`of ${name} gives what its folder gives`, async () => {
      await using folder = await openSandbox();
      await folder.take(takeout);
      await using box = await openSandbox();
      const files = globSync("**/*.json", { cwd: takeout }).map((path) =>
        entry(path, readFileSync(join(takeout, path))),
      );
      const report = await box.take(box.write("takeout.tgz", await tgz(...files)));
      assert.equal(report.added, total);
      assert.deepEqual(await box.rows(), await folder.rows());
    });
  }

  test("passes over what holds no reviews", async () => {
    await using box = await openSandbox();
    const picture = Buffer.concat([Buffer.from([255, 216, 255, 224, 0, 16]), Buffer.alloc(300_000, 7)]);
    const link: TarEntry = { header: { name: "Takeout/link", size: 0, type: "symlink", linkname: "/etc/passwd" } };
    const path = box.write("t.tgz", await tgz(entry(REVIEWS, PAGE), entry("Takeout/photo.jpg", picture), link));
    const report = await box.take(path);
    assert.equal(report.added, 2);
    assert.deepEqual(report.passed_over.map((name) => name.replace(`${path}!`, "")).toSorted(), [
      "Takeout/link",
      "Takeout/photo.jpg",
    ]);
    assert.ok(existsSync(path));
  });

  test("is the same without compression; a single file may be compressed alone", async () => {
    await using box = await openSandbox();
    const tar = box.write("t.tar", Buffer.from(await packTar([entry(REVIEWS, PAGE)])));
    assert.equal((await box.take(tar)).added, 2);
    const csv = box.write("reviews.csv.gz", gzipSync("author,rating,date\nDana,5,2024-05-06\n"));
    assert.equal((await box.take(csv, { source: "google" })).added, 1);
  });
});

describe("a .tgz is refused", () => {
  const refusal = async (content: Buffer) => {
    await using box = await openSandbox();
    const messages = await box.refusal(box.write("t.tgz", content));
    assert.equal((await box.rows()).length, 0);
    return messages.join("\n");
  };

  for (const name of ["../evil.json", "a/../../evil.json", "/etc/evil.json", "C:/evil.json"]) {
    test(`with an entry that leaves its folder: ${name}`, async () => {
      assert.match(await refusal(await tgz(entry(REVIEWS, PAGE), entry(name, PAGE))), /whose name leaves the folder/);
    });
  }

  test("when it is cut off", async () => {
    const whole = await tgz(entry(REVIEWS, PAGE), entry("b.txt", "x".repeat(5000)));
    for (let length = 20; length < whole.length; length += 61) {
      assert.match(await refusal(whole.subarray(0, length)), /damaged|truncated/, `cut at ${length}`);
    }
  });

  test("with an entry whose name is longer than a path can be", async () => {
    const long: TarEntry = { header: { name: "a".repeat(5000), size: 0, type: "file" } };
    assert.match(await refusal(await tgz(long)), /has an entry whose name is longer than 4096 characters/);
  });

  test("with too many entries, or one that is too large", async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => entry(`${index}.txt`, ""));
    assert.match(await refusal(await tgz(...many)), /has more than 10000 entries/);
    const header = Buffer.from(await packTar([entry("a.json", PAGE)])).subarray(0, 512);
    header.write("00000000000\0", 124, "latin1");
    header.write((200_000_001).toString(8).padStart(11, "0"), 124, "latin1");
    header.fill(" ", 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    assert.match(await refusal(gzipSync(header)), /of 200000001 bytes, but one may have no more than 200000000/);
  });
});
