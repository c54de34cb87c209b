/** Files, folders and zips as a user may hand them over: mixed, damaged, hostile. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { openSandbox, type Sandbox, takeoutPage, takeoutReview } from "../../../test/support/import-sandbox.ts";
import { EXPORT_SETS } from "../../../test/support/shared-data.ts";
import { workbookOf } from "../../../test/support/workbook-writer.ts";
import { type ZipEntry, zipOf } from "../../../test/support/zip-writer.ts";
import { openPrivateFile } from "../../lib/private-file.ts";
import { importPaths } from "../importer.ts";
import { openInputs } from "./inputs.ts";
import { openZip } from "./zip-archive.ts";

const PAGE = JSON.stringify(takeoutPage(takeoutReview("a"), takeoutReview("b")));
const REVIEWS = "Takeout/Google Business Profile/account-1/location-2/reviews.json";

const refusalOfZip = (box: Sandbox, ...entries: readonly ZipEntry[]) => box.refusal(box.write("t.zip", zipOf(entries)));

describe("a zip", () => {
  test("gives its reviews, and passes over what else a Takeout holds, by name", async () => {
    await using box = await openSandbox();
    const zip = zipOf([
      { name: "Takeout/archive_browser.html", content: "<!doctype html><html><body>Archive</body></html>" },
      { name: "Takeout/Google Business Profile/", content: "" },
      { name: "Takeout/Google Business Profile/account-1/location-2/data.json", content: '{"title":"Test Air"}' },
      {
        name: "Takeout/Google Business Profile/account-1/location-2/photo.jpg",
        content: Buffer.from([255, 216, 255, 224, 0, 16]),
      },
      { name: "Takeout/Google Play Store/Installs.csv", content: "Title,Category\nChess,Games\n" },
      { name: "Takeout/Keep/note.txt", content: "Buy milk" },
      { name: "Takeout/Keep/nothing.json", content: "" },
      { name: REVIEWS, content: PAGE },
    ]);
    const path = box.write("takeout.zip", zip);
    const report = await box.take(path);
    assert.deepEqual([report.read, report.added], [2, 2]);
    assert.deepEqual(
      report.passed_over.map((name) => name.replace(`${path}!Takeout/`, "")),
      [
        "Google Business Profile/account-1/location-2/data.json",
        "Google Business Profile/account-1/location-2/photo.jpg",
        "Google Play Store/Installs.csv",
        "Keep/note.txt",
        "Keep/nothing.json",
        "archive_browser.html",
      ],
    );
  });

  for (const { name, takeout, total } of EXPORT_SETS) {
    test(`of ${name} gives what its folder gives`, async () => {
      await using folder = await openSandbox();
      await folder.take(takeout);
      await using box = await openSandbox();
      const files = globSync("**/*.json", { cwd: takeout });
      const zip = zipOf(files.map((file) => ({ name: file, content: readFileSync(join(takeout, file)) })));
      assert.equal((await box.take(box.write("takeout.zip", zip))).added, total);
      assert.deepEqual(await box.rows(), await folder.rows());
    });
  }

  test("in a folder is opened, a zip in a zip is not", async () => {
    await using box = await openSandbox();
    const inner = zipOf([{ name: REVIEWS, content: PAGE }]);
    box.write(
      "folder/takeout.zip",
      zipOf([
        { name: "inner.zip", content: inner },
        { name: REVIEWS, content: PAGE },
      ]),
    );
    const report = await box.take(join(box.folder, "folder"));
    assert.equal(report.added, 2);
    assert.match(report.passed_over.join(), /takeout\.zip!inner\.zip$/);
    assert.match(report.warnings.join(), /inner\.zip is a zip inside a zip; unpack it first/);
  });

  for (const name of [
    "../evil.json",
    "a/../../evil.json",
    "/etc/evil.json",
    "a\\b.json",
    "C:evil.json",
    "C:/evil.json",
  ]) {
    test(`is refused with an entry that leaves its folder: ${name}`, async () => {
      await using box = await openSandbox();
      const messages = await refusalOfZip(box, { name: REVIEWS, content: PAGE }, { name, content: PAGE });
      assert.equal(messages.length, 1);
      assert.match(
        messages[0] ?? "",
        /^t\.zip (is refused as a zip: .*(path|characters)|has the entry .*leaves the folder)/,
      );
      assert.equal((await box.rows()).length, 0);
    });
  }

  test("is refused when it is cut off anywhere", async () => {
    await using box = await openSandbox();
    const whole = zipOf([{ name: REVIEWS, content: PAGE }]);
    for (let length = 5; length < whole.length; length += 7) {
      const messages = await box.refusal(box.write("t.zip", whole.subarray(0, length)));
      assert.match(messages[0] ?? "", /t\.zip is a damaged or truncated zip/, `cut at ${length}`);
    }
  });

  test("is refused when its bytes are not what it says: checksum, size, packing", async () => {
    await using box = await openSandbox();
    const damaged = zipOf([{ name: REVIEWS, content: PAGE }]);
    damaged.fill(0xff, 90, 120);
    const cases: [string | Buffer, RegExp][] = [
      [
        zipOf([{ name: REVIEWS, content: PAGE, checksum: 1 }]),
        /its checksum differs\): download the zip or make it again/,
      ],
      [zipOf([{ name: REVIEWS, content: PAGE, declaredSize: 10 }]), /is a damaged zip entry/],
      [zipOf([{ name: REVIEWS, content: PAGE, declaredSize: 10_000 }]), /is a damaged zip entry/],
      [damaged, /is a damaged zip entry/],
    ];
    for (const [zip, expected] of cases) {
      const messages = await box.refusal(box.write("t.zip", zip));
      assert.match(messages.join(), expected);
      assert.match(messages.join(), /reviews\.json/);
    }
  });

  test("is refused as a bomb: shrunk too far, too large, overlapping, more than it declares", async () => {
    await using box = await openSandbox();
    const zeros = Buffer.alloc(20_000_000, 0x20);
    assert.match(
      (await refusalOfZip(box, { name: "a.json", content: zeros })).join(),
      /unpacks \d+ bytes to 20000000, as a zip bomb does/,
    );
    const large = { name: "a.json", content: PAGE, declaredSize: 200_000_001 };
    assert.match(
      (await refusalOfZip(box, large)).join(),
      /of 200000001 bytes, but one may have no more than 200000000/,
    );
    assert.match(
      (await refusalOfZip(box, { name: "a.json", content: zeros, declaredSize: 1000 })).join(),
      /damaged zip entry \(too many bytes/,
    );
    const overlapping = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}.json`,
      content: PAGE,
      isOverlapping: index > 0,
    }));
    assert.match((await refusalOfZip(box, ...overlapping)).join(), /entries that overlap/);
  });

  test("is refused as a bomb of many small entries, and when all of them unpack to too much", async () => {
    await using box = await openSandbox();
    const small = Array.from({ length: 12 }, (_, index) => ({
      name: `${index}.json`,
      content: Buffer.alloc(1_000_000, 0x20),
    }));
    assert.match(
      (await refusalOfZip(box, ...small)).join(),
      /t\.zip unpacks \d+ bytes to 12000000, as a zip bomb does/,
    );
    const large = Array.from({ length: 21 }, (_, index) => ({
      ...{ name: `${index}.json`, content: randomBytes(1_000_000), declaredSize: 200_000_000 },
    }));
    assert.match(
      (await refusalOfZip(box, ...large)).join(),
      /t\.zip unpacks to 4200000000 bytes, more than 4000000000/,
    );
  });

  test("is refused when more text is read of it than an archive may hold, however often each entry is read", async () => {
    await using box = await openSandbox();
    const entries = ["a.csv", "b.csv"].map((name) => ({ name, content: "x".repeat(600) }));
    await using zip = await open(box.write("t.zip", zipOf(entries)));
    const { files, close } = await openZip({ name: "t.zip", descriptor: zip.fd }, 1_000);
    const [a, b] = files;
    assert.ok(a !== undefined && b !== undefined);
    for (let time = 0; time < 3; time += 1) await Array.fromAsync(a.bytes());
    await assert.rejects(
      async () => await Array.fromAsync(b.bytes()),
      /t\.zip unpacks to more than 1000 bytes of text/,
    );
    close();
  });

  test("is listed by few reads, however many entries it has", { skip: process.platform !== "linux" }, async () => {
    await using box = await openSandbox();
    const entries = Array.from({ length: 2_000 }, (_, at) => ({ name: `${at}.json`, content: `{"at":${at}}` }));
    const path = box.write("t.zip", zipOf(entries));
    const reads = () => Number(/^syscr: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
    // The least of some times: threads of earlier tests, which load modules, read too.
    const counts: number[] = [];
    while (counts.length < 8 && Math.min(...counts) >= 500) {
      const before = reads();
      const opened = await openInputs([path]);
      counts.push(reads() - before);
      await opened.close();
    }
    assert.ok(Math.min(...counts) < 500, `${counts} reads`);
    const { files, close } = await openInputs([path]);
    assert.deepEqual(files.length, 2_000);
    for (const file of [files.at(0), files.at(-1)])
      assert.match(String(Buffer.concat(await Array.fromAsync(file?.bytes() ?? []))), /^\{"at":\d+\}$/);
    await close();
  });

  test("is refused where an entry says that it is at a place that no file has", async () => {
    await using box = await openSandbox();
    const bytes = zipOf([{ name: "reviews.json", content: PAGE }]);
    const [header, end] = [bytes.indexOf("PK\x01\x02"), bytes.indexOf("PK\x05\x06")];
    for (const place of [2n ** 64n - 1n, 2n ** 53n - 100n, 2n ** 40n]) {
      const [extra, hostile] = [Buffer.alloc(12), Buffer.from(bytes)];
      extra.writeUInt16LE(1, 0); // the place in 64 bits
      extra.writeUInt16LE(8, 2);
      extra.writeBigUInt64LE(place, 4);
      hostile.writeUInt16LE(extra.length, header + 30);
      hostile.writeUInt32LE(0xffffffff, header + 42);
      hostile.writeUInt32LE(end - header + extra.length, end + 12);
      const path = box.write("t.zip", Buffer.concat([hostile.subarray(0, end), extra, hostile.subarray(end)]));
      assert.match((await box.refusal(path)).join(), /reviews\.json is a damaged zip entry/, String(place));
    }
  });

  test("is refused with more than 10,000 entries, and with an encrypted one", async () => {
    await using box = await openSandbox();
    const many = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}.txt`, content: "" }));
    assert.match((await refusalOfZip(box, ...many)).join(), /has 10001 entries, but a zip may have no more than 10000/);
    assert.match(
      (await refusalOfZip(box, { name: "a.json", content: PAGE, isEncrypted: true })).join(),
      /"a\.json", which is encrypted/,
    );
  });

  test("is refused with an entry whose name and comment are longer than any honest one", async () => {
    await using box = await openSandbox();
    const content = [...(await refusalOfZip(box, { name: `${"a".repeat(9_000)}.json`, content: PAGE }))].join();
    assert.match(content, /is refused as a zip: an entry's name and comment have more than 8192 bytes/);
  });

  test("is refused when it holds nothing to import", async () => {
    await using box = await openSandbox();
    assert.match(
      (await refusalOfZip(box, { name: "a.txt", content: "hello" })).join(),
      /^t\.zip has nothing to import: it holds .*a\.txt/,
    );
    assert.match((await refusalOfZip(box)).join(), /t\.zip has nothing to import: it is empty/);
    assert.match(
      (await refusalOfZip(box, { name: "takeout.zip", content: zipOf([]) })).join(),
      /holds t\.zip!takeout\.zip\. Archives inside .*: unpack it, and import takeout\.zip$/,
    );
    assert.match(
      (await refusalOfZip(box, { name: "word/document.xml", content: "<x/>" })).join(),
      /t\.zip is a Word document, .*save that as \.xlsx or CSV$/,
    );
  });
});

describe("a folder", () => {
  test("is refused when it holds nothing to import", async () => {
    await using box = await openSandbox();
    assert.match((await box.refusal(box.folder)).join(), /has nothing to import: it is empty$/);
    box.write("notes.txt", "hello");
    assert.match((await box.refusal(box.folder)).join(), /has nothing to import: it holds notes\.txt\. .*Takeout/);
  });

  test("is not left through links", async () => {
    await using outside = await openSandbox();
    const target = outside.write("reviews.json", takeoutPage(takeoutReview("secret")));
    await using box = await openSandbox();
    box.write("f/reviews.json", PAGE);
    symlinkSync(target, join(box.folder, "f", "link.json"));
    symlinkSync(outside.folder, join(box.folder, "f", "link"));
    const report = await box.take(join(box.folder, "f"));
    assert.equal(report.added, 2);
    assert.deepEqual(
      report.passed_over.map((name) => name.replace(`${box.folder}/`, "")),
      ["f/link", "f/link.json"],
    );
    assert.equal(
      (await box.take(join(box.folder, "f", "link.json"))).added,
      1,
      "a link that the user names is followed",
    );
  });

  const swaps: Readonly<Record<string, (inside: string, outside: string) => void>> = {
    "a link to a file elsewhere": (inside, outside) => {
      rmSync(join(inside, "f/a.csv"));
      symlinkSync(join(outside, "a.csv"), join(inside, "f/a.csv"));
    },
    "a link in the place of its folder": (inside, outside) => {
      rmSync(join(inside, "f"), { recursive: true });
      symlinkSync(outside, join(inside, "f"));
    },
    "a pipe": (inside) => {
      rmSync(join(inside, "f/a.csv"));
      execFileSync("mkfifo", [join(inside, "f/a.csv")]);
    },
  };
  for (const [name, swap] of Object.entries(swaps)) {
    test(`may become ${name} while another file is read, and is then not opened`, async () => {
      await using outside = await openSandbox();
      outside.write("a.csv", "secret");
      await using inside = await openSandbox();
      inside.write("f/a.csv", "before");
      const { files, close } = await openInputs([inside.folder]);
      swap(inside.folder, outside.folder);
      await assert.rejects(
        async () => await Array.fromAsync(files[0]?.bytes() ?? []),
        /a\.csv is not the file any more that the folder held/,
      );
      await close();
    });
  }

  const withKernel = existsSync("/proc/kmsg") && process.getuid?.() === 0;
  test("whose reading would wait for more, as one of the kernel's, is refused", { skip: !withKernel }, async () => {
    await using box = await openSandbox();
    assert.deepEqual(await box.refusal("/proc/kmsg"), [
      "/proc/kmsg has no end that could be waited for, as a device has none: copy what is in it into a file",
    ]);
  });

  test("is read once where the paths overlap", async () => {
    await using box = await openSandbox();
    const file = box.write("f/reviews.json", PAGE);
    for (const paths of [
      [join(box.folder, "f"), file],
      [file, join(box.folder, "f")],
      [file, file],
    ]) {
      await using fresh = await openSandbox();
      assert.equal((await fresh.take(paths)).read, 2);
    }
  });

  test("holds business.yaml beside the reviews", async () => {
    await using box = await openSandbox();
    box.write("f/business.yaml", "name: Test Air\ntime_zone: America/Chicago\n");
    box.write("f/docker-compose.yaml", "services:\n  web:\n    image: example\n");
    box.write("f/reviews.json", PAGE);
    const report = await box.take(join(box.folder, "f"));
    assert.deepEqual([report.business, report.added], ["added", 2]);
    assert.match(report.passed_over.join(), /docker-compose\.yaml$/);
  });

  test("may not hold a damaged file of reviews, whatever else it holds", async () => {
    await using box = await openSandbox();
    box.write("f/a.json", PAGE);
    box.write("f/other.json", "{ not json");
    assert.equal((await box.take(join(box.folder, "f"))).added, 2);
    box.write("f/b.json", PAGE.slice(0, -20));
    assert.match(
      (await box.refusal(join(box.folder, "f"))).join(),
      /^f\/b\.json is not valid JSON: .*in line 1, column \d+$/,
    );
    box.write("f/b.json", Buffer.from(PAGE.replace("words", "w\u00e9rds"), "latin1"));
    assert.match(
      (await box.refusal(join(box.folder, "f"))).join(),
      /^f\/b\.json, line 1, byte \d+: the byte 0xe9 is not UTF-8/,
    );
  });
});

describe("a file that the user names", () => {
  const cases: readonly [string, string | Buffer, RegExp][] = [
    ["empty.json", "", /^empty\.json is an empty file: download or save it again$/],
    ["note.txt", "hello", /^note\.txt is in no format that can be imported: export the reviews as a table/],
    ["photo.jpg", Buffer.from([255, 216, 255, 224, 0, 0, 1]), /^photo\.jpg is neither text nor a spreadsheet/],
    [
      "sheet.csv",
      Buffer.from("\uFEFFid,rating,date\n1,5,2024-01-01\n", "utf16le"),
      /^sheet\.csv is text in UTF-16; import it with --encoding utf-16le, or save it as UTF-8$/,
    ],
    ["sheet2.csv", Buffer.from("id,rating,date\n1,5,2024-01-01\n", "utf16le"), /^sheet2\.csv is text in UTF-16/],
    ["takeout.tgz", Buffer.from([0x1f, 0x8b, 8, 0, 0]), /is a damaged or truncated gzip/],
    ["a.pdf", "%PDF-1.7", /is a PDF/],
    ["feed.xml", "<?xml version='1.0'?><feed/>", /is XML, in which no reviews are looked for/],
    ["page.html", "<!doctype html><html></html>", /is a web page that holds no reviews for programs/],
    ["a.json", '{"reviews": [}', /^a\.json is not valid JSON: .*line 1, column 14$/],
    ["b.json", '{"hello": "world"}', /is JSON, but not in a review format/],
    [
      "wrong.csv",
      "author,words\nDana,Fine\n",
      /has the columns "author", "words", but a table of reviews needs rating and date/,
    ],
    [
      "broken.csv",
      Buffer.from("id,rating,date,text\n1,5,2024-01-01,caf\u00e9\n", "latin1"),
      /^broken\.csv, line 2, byte 38: the byte 0xe9 is not UTF-8\. .* import it with --encoding windows-1252 \(.*\); otherwise save it as UTF-8$/,
    ],
  ];
  for (const [name, content, expected] of cases) {
    test(`is refused by name: ${name}`, async () => {
      await using box = await openSandbox();
      const messages = await box.refusal(box.write(name, content));
      assert.equal(messages.length, 1);
      assert.match(messages[0] ?? "", expected);
    });
  }

  test("is refused when it is not there", async () => {
    await using box = await openSandbox();
    assert.match(
      (await box.refusal(join(box.folder, "absent.csv"))).join(),
      /^absent\.csv does not exist\. Check its name, or give the whole path$/,
    );
    assert.match((await box.refusal("/dev/null")).join(), /neither a file nor a folder/);
  });

  test("is refused above 200 MB", async () => {
    await using box = await openSandbox();
    const path = box.write("large.csv", "id,rating,date\n");
    writeFileSync(path, "1,5,2024-01-01\n", { flag: "a" });
    truncateSync(path, 200_000_001);
    assert.match((await box.refusal(path)).join(), /large\.csv has more than 200000000 bytes \(200 MB\)/);
  });

  test("is refused with the owner's own reviews of others, and told why, in a Takeout too", async () => {
    await using box = await openSandbox();
    const properties = { date: "2024-01-01T00:00:00Z", five_star_rating_published: 5, review_text_published: "Nice" };
    const own = { type: "FeatureCollection", features: [{ type: "Feature", geometry: {}, properties }] };
    const path = box.write("Takeout/Maps (your places)/Reviews.json", own);
    const why =
      /Reviews\.json, features: these are the reviews that the owner of this Google account wrote about other places/;
    assert.match((await box.refusal(path)).join(), why);
    box.write(REVIEWS, PAGE);
    assert.match((await box.refusal(join(box.folder, "Takeout"))).join(), why);
    const report = await box.take(join(box.folder, "Takeout"), { skipInvalid: true });
    assert.deepEqual([report.added, report.refused], [2, 1]);
  });
});

test("an open file without a path is read as the file at a path is, whatever it holds", async () => {
  const csv = "author,rating,date\nDana,5,2024-05-06\n";
  const tar = Buffer.from(await packTar([{ header: { name: "a.csv", size: csv.length, type: "file" }, body: csv }]));
  const table = [
    ["author", "rating", "date"],
    ["Dana", 5, new Date("2024-05-06T00:00:00Z")],
  ];
  for (const [name, content] of Object.entries({
    "a.csv": Buffer.from(csv),
    "a.csv.gz": gzipSync(csv),
    "a.zip": zipOf([{ name: "a.csv", content: csv }]),
    "a.tar": tar,
    "a.tgz": gzipSync(tar),
    "a.xlsx": workbookOf({ S: table }),
  })) {
    await using box = await openSandbox();
    await using file = await openPrivateFile(box.folder);
    await file.write(content);
    const report = await importPaths(box.store, [{ name: `https://example.com/${name}`, descriptor: file.fd }], {
      now: new Date("2026-01-02T03:04:05Z"),
    });
    assert.equal(report.added, 1, name);
    assert.ok(report.files[0]?.name.startsWith(`https://example.com/${name}`));
    assert.ok((await file.stat()).isFile(), "it stays open");
    assert.deepEqual(readdirSync(box.folder), []);
  }
});

test("a server may hold less of a file in memory: larger JSON and web pages are refused, and tables are not", async () => {
  await using box = await openSandbox();
  const options = { maxWholeBytes: 200_000 };
  const words = "Cold again within the hour. ".repeat(8_000);
  const json = box.write("a.json", [{ id: "1", rating: 5, date: "2024-05-06", text: words }]);
  assert.match((await box.refusal(json, options)).join(), /a\.json has more than 0\.2 MB, too much for JSON/);
  const page = box.write("a.html", `<!doctype html><p>${words}`);
  assert.match((await box.refusal(page, options)).join(), /a\.html has more than 0\.2 MB, too much for JSON or a web/);
  const many = box.write("b.json", `[${"{},".repeat(60_000)}{}]`);
  assert.match((await box.refusal(many, options)).join(), /b\.json needs more than \d+ MB of memory as JSON/);
  const csv = box.write("a.csv", `author,rating,date,text\nDana,5,2024-05-06,${words}\n`);
  assert.equal((await box.take(csv, options)).added, 1);
});
