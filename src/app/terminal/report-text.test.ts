import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportReport } from "../../import/importer.ts";
import { reportLines } from "./report-text.ts";

const REPORT: ImportReport = {
  read: 3,
  added: 1,
  changed: 1,
  unchanged: 1,
  other_places: 0,
  left_out: 0,
  withheld: 0,
  duplicates: 0,
  withdrawn: 0,
  vanished: 0,
  returned: 0,
  refused: 0,
  withheld_states: {},
  withheld_sources: {},
  languages: [],
  unread_count: 0,
  unread_in_files: 0,
  sources: [],
  warnings: [],
  passed_over: [],
  issues: [],
  files: [],
  taxonomy: { name: "home-services", reason: "the default" },
  business: null,
  business_file: null,
  business_changes: [],
  revision: 7,
  revised: true,
};

test("reportLines() names the format of each file, and counts many files of one format", () => {
  const files = [
    { name: 'a.xlsx, sheet "One"', format: "Excel", records: 1, read_from: {} },
    ...Array.from({ length: 22 }, (_, index) => ({
      name: `t.zip!${index}.json`,
      format: "Google Takeout",
      records: 20,
      read_from: {},
    })),
  ];
  assert.deepEqual(reportLines({ ...REPORT, files }, { isDry: false }).slice(0, 2), [
    'a.xlsx, sheet "One": Excel, 1 record',
    "t.zip: 22 files, Google Takeout, 440 records",
  ]);
});

test("reportLines() says in which folder many files lie, and that only the business changed", () => {
  const files = (name: (index: number) => string) =>
    Array.from({ length: 22 }, (_, index) => ({
      name: name(index),
      format: "Google Takeout",
      records: 20,
      read_from: {},
    }));
  const first = (name: (index: number) => string) =>
    reportLines({ ...REPORT, files: files(name) }, { isDry: false })[0];
  assert.equal(
    first((index) => `T/a/${index % 3}/r-${index}.json`),
    "22 files in T/a, Google Takeout, 440 records",
  );
  assert.equal(
    first((index) => `${index}.json`),
    "22 files, Google Takeout, 440 records",
  );
  const none = { ...REPORT, added: 0, changed: 0, unchanged: 0, read: 0 };
  assert.equal(
    reportLines({ ...none, business: "changed" }, { isDry: false }).at(-1),
    "The business was changed. Revision 7.",
  );
  assert.equal(reportLines({ ...REPORT, business: "changed" }, { isDry: false }).at(-1), "Revision 7.");
});

test("reportLines() names a few files that were passed over, and counts many by their ending", () => {
  const few = reportLines({ ...REPORT, passed_over: ["t.zip!archive_browser.html"] }, { isDry: true });
  assert.equal(few[0], "passed over: t.zip!archive_browser.html");
  assert.equal(few.at(-1), "Nothing was written.");
  const pictures = Array.from({ length: 30 }, (_, index) => `t.zip!${index}.JPG`);
  const many = reportLines({ ...REPORT, passed_over: [...pictures, "t.zip!archive_browser.html"] }, { isDry: false });
  assert.equal(
    many[0],
    "passed over: 31 files that hold no reviews (30 .jpg, t.zip!archive_browser.html); --json names them all",
  );
});

test("reportLines() lists changes with the fields that differ, without control characters", () => {
  const change = { id: "01", date: "2024-05-06", author: "Dana \u001b[2J", source: "google" };
  const changes = [
    { ...change, change: "added" as const },
    { ...change, change: "changed" as const, fields: ["rating", "text"] },
  ];
  const hostile = {
    ...REPORT,
    passed_over: ["t.zip!a\u001b]0;x\u0007\u009b2J\u202e.jpg"],
    warnings: ["b.csv: \r\n error: gone"],
  };
  for (const line of reportLines(hostile, { isDry: true })) assert.match(line, /^[^\p{Cc}\u202e]*$/u);
  assert.deepEqual(reportLines({ ...REPORT, changes }, { isDry: true }).slice(0, 2), [
    "added 01 2024-05-06 Dana ?[2J (google)",
    "changed 01 2024-05-06 Dana ?[2J (google): rating, text",
  ]);
});

test("reportLines() counts reviews that stay out, if there are any", () => {
  const lines = (left_out: number) => reportLines({ ...REPORT, left_out }, { isDry: false });
  assert.ok(lines(2).includes("left out           2"));
  assert.ok(lines(0).every((line) => !line.startsWith("left out")));
});

test("reportLines() names the business file, and what it fetches, sends and verifies now", () => {
  const changes = ["verified_sources, new: first_party", 'sources, new: {"url":"https://a.example/\u009b2J"}'];
  const report = {
    ...REPORT,
    business: "changed",
    business_file: "f/business.yaml",
    business_changes: changes,
  } as const;
  const lines = reportLines(report, { isDry: false });
  const at = lines.indexOf("business     changed  (f/business.yaml)");
  assert.deepEqual(lines.slice(at + 1, at + 3), [
    "           verified_sources, new: first_party",
    '           sources, new: {"url":"https://a.example/?2J"}',
  ]);
});

test("reportLines() shows some reviews as they would be published, and where they were written", () => {
  const example = { author: "Anna", rating: 5, date: "2026-01-05", text: "Prima.", reply: "Danke!" };
  const one = { name: "a.csv", format: "CSV", records: 1, read_from: {} };
  const sources = [
    { source: "yelp", said_by: "file", records: 1 },
    { source: "google", said_by: "owner", records: 2 },
    { source: "first_party", said_by: "nobody", records: 1 },
  ] as const;
  const lowest = { ...example, rating: 1, author: null, text: null, reply: null };
  const files = [{ ...one, examples: { first: example, lowest, last: example } }];
  assert.deepEqual(reportLines({ ...REPORT, files, sources }, { isDry: true }).slice(0, 6), [
    "a.csv: CSV, 1 record",
    '  first: Anna, 5 ★, 2026-01-05, "Prima.", reply "Danke!"',
    "  fewest stars: –, 1 ★, 2026-01-05, –",
    '  last: Anna, 5 ★, 2026-01-05, "Prima.", reply "Danke!"',
    "Written at yelp: 1 record, as the files say.",
    "Written at google: 2 records, as you say.",
  ]);
  const many = Array.from({ length: 9 }, (_, at) => ({
    ...one,
    examples: { first: { ...example, rating: at === 4 ? 2 : 5, author: `A${at}` } },
  }));
  const told = reportLines({ ...REPORT, files: many }, { isDry: true }).slice(1, 4);
  assert.deepEqual(
    told.map((line) => line.split(",", 2).join()),
    ["  first: A0, 5 ★", "  fewest stars: A4, 2 ★", "  last: A8, 5 ★"],
  );
});
