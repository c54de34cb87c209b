import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { Parser } from "yaml";
import { openSandbox, type Sandbox } from "../../test/support/import-sandbox.ts";
import { zipOf } from "../../test/support/zip-writer.ts";
import { Invalid } from "../issue.ts";
import { parseBusinessFile } from "./business-file.ts";

function faults(text: string): string[] {
  try {
    parseBusinessFile("business.yaml", text);
    return [];
  } catch (error) {
    assert.ok(error instanceof Invalid);
    return error.issues.map(({ message }) => message);
  }
}

test("parseBusinessFile() reads a business, its defaults filled in", () => {
  const { name, time_zone, verified_sources, taxonomy, services } = parseBusinessFile(
    "business.yaml",
    "\n# ours\nname: Test Air\ntime_zone: America/Chicago\nservices:\n  - id: repair\n    label: Repair\n    aliases: [fix, mend]\n",
  );
  assert.deepEqual(
    [name, time_zone, verified_sources, taxonomy],
    ["Test Air", "America/Chicago", ["google"], undefined],
  );
  assert.deepEqual(services, [{ id: "repair", label: "Repair", aliases: ["fix", "mend"] }]);
});

test("parseBusinessFile() names every fault at once, each with its line", () => {
  const text = `name: ""
time_zone: Mars/Olympus
telephone: 5550100
colour: blue
address:
  street: 1 Main St
  postal_code: 01234
  planet: Mars
geo: { latitude: 95, longitude: 0 }
opening_hours:
  - days: [Monday, Caturday]
    opens: "8.00"
    closes: "17:00"
services:
  - id: repair
    label: Repair
  - id: repair
    label: Again
  - label: Nameless
taxonomy: plumbing
`;
  const messages = faults(text);
  const expected: readonly RegExp[] = [
    /^business\.yaml:1: name is ""/,
    /^business\.yaml:2: time_zone is "Mars\/Olympus": must be an IANA time zone/,
    /^business\.yaml:3: telephone is 5550100, but must be text: put it in quotation marks, "5550100"$/,
    /^business\.yaml:4: colour is not known here\. Do you mean color\?$/,
    /^business\.yaml:7: address\.postal_code is 01234, but must be text: put it in quotation marks, "01234"$/,
    /^business\.yaml:8: address\.planet is not known here\. Known here: street, /,
    /^business\.yaml:9: geo\.latitude is 95/,
    /^business\.yaml:11: opening_hours\[0\]\.days\[1\] is "Caturday"/,
    /^business\.yaml:12: opening_hours\[0\]\.opens is "8.00", but must be a time of day with two digits each, in quotation marks: write opens: "08:00"$/,
    /^business\.yaml:17: services\[1\]\.id is "repair": service id "repair" is given twice$/,
    /^business\.yaml:19: services\[2\]\.id is missing: an entry looks like \{ id: /,
    /^business\.yaml:20: taxonomy is "plumbing", but must be one of .*home-services/,
  ];
  for (const [index, pattern] of expected.entries()) assert.match(messages[index] ?? "", pattern);
  assert.equal(messages.length, expected.length);
});

test("parseBusinessFile() reads a time of one digit, in quotation marks or not, as one of two", () => {
  const base = "name: A\ntime_zone: UTC\n";
  const hours = parseBusinessFile(
    "b.yaml",
    `${base}opening_hours:\n  - { days: [Monday], opens: "9:00", closes: 17:30 }\n  - days: [Friday]\n    opens: 8:15\n    closes: 24:00\n`,
  ).opening_hours;
  assert.deepEqual(
    hours.map(({ opens, closes }) => [opens, closes]),
    [
      ["09:00", "17:30"],
      ["08:15", "24:00"],
    ],
  );
  for (const wrong of ['"9:60"', '"99:00"', "9:5"])
    assert.throws(() =>
      parseBusinessFile("b.yaml", `${base}opening_hours:\n  - { days: [Monday], opens: ${wrong}, closes: "17:00" }\n`),
    );
});

/** Microseconds of the processor, in this process. */
function processorTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user;
}

/** The most beside yaml's bare parser, which passes over a text once; and what a short text may take. */
const [MAX_PARSINGS, SPARE_US] = [8, 300_000];

test("parseBusinessFile() takes time that grows with the text, whatever stands in it", () => {
  const base = "name: A\ntime_zone: UTC\n";
  const repeated = (line: (at: number) => string, count: number) =>
    Array.from({ length: count }, (_, at) => line(at)).join("");
  const hours = (days: string) => `${base}opening_hours: [{ opens: "09:00", closes: "10:00", days: [${days}] }]\n`;
  for (const [text, fault] of [
    [base + repeated((at) => `k${at.toString(36)}:\n`, 42_000), /more than 100 members stand in one group/],
    [`${base}x: {${repeated((at) => `k${at},`, 25_000)}}\n`, /more than 100 members stand in one group/],
    [
      `${base}same_as:\n${repeated((at) => `- &a${at} x\n- *a${at}\n`, 10_000)}`,
      /^business\.yaml:204: it repeats itself too often by references/,
    ],
    [`${base}same_as:\n${repeated((at) => `- a${at}\n`, 10_000)}`, /more than 5,000 entries stand in one list/],
    [`${base}x: [${repeated((at) => `[&a${at} x],[*a${at}],`, 2_000)}]\n`, /it repeats itself too often by references/],
    [hours("x,".repeat(100_000)), /more than 5,000 entries stand in one list/],
    [hours("x,".repeat(4_000)), /opening_hours/],
    [`${base}notices:\n${repeated((at) => `- to: mailto:a${at}@b.example\n`, 4_000)}`, /notices/],
    [`${base}services:\n${repeated((at) => `- id: a${at}\n`, 4_000)}`, /services\[0\]\.label is missing/],
    [`${base}${"@\n".repeat(120_000)}`, /more than 100 members stand in one group/],
    [`${base}${"}\n]\n".repeat(60_000)}`, /a bracket|stands where nothing/],
    [
      `${base}${"#\n".repeat(128_000)}`,
      /^business\.yaml has more than 256 KB, the most that a description of a business may have/,
    ],
  ] as const) {
    const bare = processorTime(() => Array.from(new Parser().parse(text)).length);
    const own = processorTime(() => assert.match(faults(text)[0] ?? "", fault));
    assert.ok(own < MAX_PARSINGS * bare + SPARE_US, `${own} beside ${bare}: ${text.slice(0, 60)}`);
  }
});

test("parseBusinessFile() reads a text of nothing but faults, directives, references, types or open brackets no further than it explains", () => {
  for (const part of ["]", "%\n", "*a ", "&a ", "!a ", "[", "{", "? ["]) {
    const before = process.cpuUsage();
    for (let run = 0; run < 5; run++) assert.ok(faults(part.repeat(250_000 / part.length)).length <= 20);
    assert.ok(process.cpuUsage(before).user < 2_000_000, part);
  }
  const text = "|\n  *very*\n".concat("  *good*\n".repeat(200)); // a text may begin its lines with them
  assert.match(parseBusinessFile("b.yaml", `name: A\ntime_zone: UTC\nsummary: ${text}`).summary ?? "", /^\*very\*/);
});

test("parseBusinessFile() refuses a telephone without a digit", () => {
  const base = "name: A\ntime_zone: UTC\n";
  assert.throws(
    () => parseBusinessFile("b.yaml", `${base}telephone: call us\n`),
    /telephone is "call us".*\+353 1 555/,
  );
  assert.equal(parseBusinessFile("b.yaml", `${base}telephone: +353 1 555 0142\n`).telephone, "+353 1 555 0142");
});

test("parseBusinessFile() names the line where YAML breaks, all such lines at once", () => {
  const messages = faults('name: "Test\ntime_zone: UTC\n');
  assert.match(messages[0] ?? "", /^business\.yaml:\d: a quotation mark is opened and not closed/);
  assert.match(
    faults("name: A\nname: B\ntime_zone: UTC\n").join(),
    /^business\.yaml:2: "name" is given twice\. Keep one of them$/,
  );
  assert.match(
    faults("name: A\n\ttime_zone: UTC\n").join(),
    /^business\.yaml:2: the line begins with a tab\. Put spaces in its place$/,
  );
});

test("parseBusinessFile() refuses what is no mapping, what is missing, and endless aliases", () => {
  assert.match(faults("- a\n- b\n").join(), /^business\.yaml:1: it describes no business/);
  assert.match(faults("").join(), /^business\.yaml:1: it is empty/);
  assert.deepEqual(faults("category: HVACBusiness\n").toSorted(), [
    "business.yaml:1: name is missing: add a line such as name: Northside Cooling",
    "business.yaml:1: time_zone is missing: add a line such as time_zone: America/Chicago",
  ]);
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh".replace(/./g, (letter, index: number) => `${letter}: &${letter} [${Array(9).fill(`*${"abcdefg"[index]}`).join()}]\n`)}`;
  assert.ok(faults(bomb).length > 0);
});

test("parseBusinessFile() says where too much stands inside one another", () => {
  const text = "name: Test Air\nservices: ";
  const message = "too many brackets or groups stand inside one another. Take out those that do not belong here";
  assert.deepEqual(faults(`${text}${"[".repeat(5000)}${"]".repeat(5000)}`), [`business.yaml:2: ${message}`]);
  assert.deepEqual(faults(`${text}\n  ${"- ".repeat(5000)}`), [`business.yaml:3: ${message}`]);
});

test("parseBusinessFile() takes little time for a text of any depth", () => {
  for (const part of ["a: ", "? ", "a: ["]) {
    const text = `name: A\ntime_zone: UTC\n${part.repeat(7_900 / part.length)}`;
    const before = process.cpuUsage();
    for (let run = 0; run < 3; run++) assert.match(faults(text)[0] ?? "", /stand inside one another/);
    assert.ok(process.cpuUsage(before).user < 800_000, part);
  }
});

test("parseBusinessFile() takes halves of characters and control characters out of what is published", () => {
  const { name, description, same_as, services } = parseBusinessFile(
    "business.yaml",
    String.raw`name: "A \ud83d"
time_zone: UTC
description: "\e[31mWe\0\nmend"
same_as: ["https://a.example/\ud83d"]
services: [{ id: a, label: "\ud83d\ude00 \udc00" }]
`,
  );
  assert.deepEqual([name, description, same_as], ["A \ufffd", "[31mWe\nmend", ["https://a.example/\ufffd"]]);
  assert.equal(services[0]?.label, "\ud83d\ude00 \ufffd");
});

test("parseBusinessFile() says what is allowed in everyday words", () => {
  const text = `name: Test Air
time_zone: UTC
address: Main Street
geo: { latitude: north, longitude: 200 }
email: nobody
same_as: https://example.com
opening_hours:
  - days: [Caturday]
    opens: "08:00"
    closes: "17:00"
  - days: []
    opens: "08:00"
    closes: "17:00"
`;
  const messages = faults(text);
  const patterns: readonly RegExp[] = [
    /^business\.yaml:3: address is "Main Street", but must be written with its parts, such as \{ street: /,
    /^business\.yaml:4: geo\.latitude is "north", but must be a number$/,
    /^business\.yaml:4: geo\.longitude is 200, but must be 180 or less$/,
    /^business\.yaml:5: email is "nobody", but must be an address such as office@example\.com$/,
    /^business\.yaml:6: same_as is "https:\/\/example\.com", but must be a list: write same_as: \[https/,
    /^business\.yaml:8: opening_hours\[0\]\.days\[0\] is "Caturday", but must be one of Monday, /,
    /^business\.yaml:11: opening_hours\[1\]\.days is \[\], but must have at least one entry$/,
  ];
  for (const pattern of patterns)
    assert.ok(
      messages.some((message) => pattern.test(message)),
      `${pattern}\n${messages.join("\n")}`,
    );
  assert.ok(
    messages.every((message) => !/expected|received|Invalid input/.test(message)),
    messages.join("\n"),
  );
});

test("parseBusinessFile() tells a person who knows no YAML what to write instead", () => {
  const base = "name: N\ntime_zone: Europe/Berlin\n";
  const cases: readonly [string, RegExp][] = [
    ["name: Smith: Sons\ntime_zone: UTC\n", /^business\.yaml:1: there is a colon too many.*name: "Smith: Sons"$/],
    ["name: N\n time_zone: UTC\n", /^business\.yaml:1: [^;]*the next line is indented[^;]*$/],
    [`${base}services: [a, b\n`, /^business\.yaml:4: a bracket is opened and not closed/],
    [`${base}address:\n   street: A\n  locality: B\n`, /^business\.yaml:5: the line is indented differently/],
    [`${base}email: @foo\n`, /^business\.yaml:3: a text may not begin with "@"/],
    [`${base}summary: *best*\n`, /^business\.yaml:3: a text may not begin with "\*"/],
    [`${base}summary: 'it's good'\n`, /^business\.yaml:3: .*stands where nothing may follow/],
    [`${base}---\nname: M\n`, /^business\.yaml:3: the line --- begins a second document/],
    ["name: N\ntime_zone: Chicago\n", /Do you mean America\/Chicago\?$/],
    [`${base}color: #0b5cad\n`, /^business\.yaml:3: color is empty.*begins with # or & needs quotation marks$/],
    [`${base}phone: "5"\n`, /^business\.yaml:3: phone is not known here\. Do you mean telephone\?$/],
    [`${base}Language: de\n`, /Do you mean language\?$/],
    [`${base}adress: x\n`, /Do you mean address\?$/],
    [`${base}planet: Mars\n`, /planet is not known here\. Known here: name, .*sources, notices$/],
    [`${base}services: [AC repair]\n`, /services\[0\] is "AC repair".*\{ id: ac-repair, label: "AC repair" \}$/],
    [`${base}technicians: [Dana Lee]\n`, /\{ id: dana-lee, name: "Dana Lee" \}$/],
    [`${base}verified_sources: google\n`, /but must be a list: write verified_sources: \[google\]$/],
    [`${base}verified_sources: [Google Maps]\n`, /must be the word of a source, such as google$/],
    [`${base}verified_sources: [__proto__]\n`, /must be the word of a source, such as proto__$/],
    [`${base}verified_sources: [${"a".repeat(65)}]\n`, /must be the word of a source, such as a{64}$/],
    [`${base}language: German\n`, /must be the short tag of a language, such as en, de/],
    [
      `${base}opening_hours: Mo-Fr 8-5\n`,
      /^[^;]* must be a list: write - \{ days: \[Monday, Tuesday, Wednesday, Thursday, Friday\], opens: "08:00", closes: "17:00" \}$/,
    ],
    [
      `${base}opening_hours:\n  Monday: 08:00-17:00\n  Sa: 9-1\n`,
      /^[^;]*: - \{ days: \[Monday\], opens: "08:00", closes: "17:00" \} - \{ days: \[Saturday\], opens: "09:00", closes: "13:00" \}$/,
    ],
    [
      `${base}opening_hours:\n  - Monday: 8-17 Uhr\n`,
      /^[^;]*: write - \{ days: \[Monday\], opens: "08:00", closes: "17:00" \}$/,
    ],
    [
      `${base}opening_hours:\n  - Mo-Fr 8:00 - 12:00, 13:00 - 17:00\n`,
      /opens: "08:00", closes: "12:00" \} - \{ [^}]* opens: "13:00", closes: "17:00" \}$/,
    ],
    [
      `${base}opening_hours:\n  days: [Monday]\n  opens: "08:00"\n  closes: "17:00"\n`,
      /put a hyphen and a space before days$/,
    ],
    [`${base}opening_hours: by appointment\n`, /each line with a hyphen before it: - \{ days: /],
    [
      `${base}opening_hours:\n  - { days: [Sunday], opens: closed, closes: "17:00" }\n`,
      /Leave the day out: days without an entry are closed$/,
    ],
    [`${base}url: www.example.com\n`, /such as https:\/\/www\.example\.com$/],
    ...(["Monday - Friday", "Mon-Fri", "monday to friday", "[Mo–Fr]", "Mo bis Fr", "weekdays"] as const).map(
      (days): [string, RegExp] => [
        `${base}opening_hours:\n  - { days: ${days}, opens: "08:00", closes: "17:00" }\n`,
        /^[^;]*: write days: \[Monday, Tuesday, Wednesday, Thursday, Friday\]$/,
      ],
    ),
    [
      `${base}opening_hours:\n  - { days: [Sat, sunday], opens: "08:00", closes: "17:00" }\n`,
      /^[^;]*: write days: \[Saturday, Sunday\]$/,
    ],
    [
      `${base}opening_hours:\n  - { days: Fri - Mon, opens: "08:00", closes: "17:00" }\n`,
      /: write days: \[Friday, Saturday, Sunday, Monday\]$/,
    ],
    [
      `${base}opening_hours:\n  - { days: whenever, opens: "08:00", closes: "17:00" }\n`,
      /must be a list of days: write days: \[Monday, Tuesday\]$/,
    ],
    ...(
      [
        ['"8.00"', "08:00"],
        ["8am", "08:00"],
        ["5:30 pm", "17:30"],
        ["12 a.m.", "00:00"],
        ["8 Uhr", "08:00"],
        ['"8.30"', "08:30"],
        ["8", "08:00"],
        ["17.30", "17:30"],
      ] as const
    ).map(([written, meant]): [string, RegExp] => [
      `${base}opening_hours:\n  - { days: [Monday], opens: ${written}, closes: "23:00" }\n`,
      new RegExp(`: write opens: "${meant}"$`),
    ]),
    [
      `${base}opening_hours:\n  - { days: [Monday], opens: 8, closes: "17:00" }\n`,
      /opens is 8, but must be a time of day/,
    ],
    [
      `${base}notices: [mailto:a@example.com]\n`,
      /notices\[0\] is .*written with its parts: \{ to: mailto:a@example\.com \}$/,
    ],
    [`${base}notices:\n  - { to: http://example.com/x }\n`, /yaml:4: notices\[0\]\.to is .*must be an https address/],
    [`${base}notices:\n  - { to: "https://u:p@example.com/x" }\n`, /must be an https address without a user name/],
    [`${base}notices:\n  - { to: "https://example.com:444/x" }\n`, /at port 443 or one from 1024 on/],
    [`${base}notices:\n  - { to: "https://example.com/büro" }\n`, /percent-encode others/],
    [`${base}notices:\n  - { to: "mailto:a@example.com?bcc=b@example.com" }\n`, /or mailto: with one address/],
    [`${base}notices:\n  - { to: "mailto:a@example.com,b@example.com" }\n`, /or mailto: with one address/],
    [`${base}notices:\n  - { to: "mailto:a@example.com\\r\\nBcc: b@example.com" }\n`, /or mailto: with one address/],
    [
      `${base}notices:\n  - { to: mailto:a@example.com, when: poor }\n`,
      /when is "poor", but must be a list: write when: \[poor\]$/,
    ],
    [
      `${base}notices:\n  - { to: mailto:a@example.com, when: [bad] }\n`,
      /but must be one of new, poor, vanished, trouble$/,
    ],
    [`${base}notices:\n  - { to: mailto:a@example.com, digest: daily }\n`, /but must be one of weekly, monthly$/],
    [
      `${base}notices:\n  - { to: https://example.com/x, format: smoke }\n`,
      /one of json, slack, discord, teams, ntfy$/,
    ],
    [`${base}notices:\n  - { to: https://example.com/x, secret_env: SMTP_URL }\n`, /secret_env is .*begins with KEY_/],
    [
      `${base}notices:\n  - { to: https://example.com/x, secret: KEY_A }\n`,
      /secret is not known here\. Do you mean secret_env\?$/,
    ],
    [
      `${base}notices:\n  - { to: mailto:a@example.com }\n  - { to: mailto:a@example.com }\n`,
      /yaml:5: notices\[1\]\.to .*is given twice/,
    ],
    [`${base}sources: [https://example.com/a.csv]\n`, /\{ url: https:\/\/example\.com\/a\.csv, every: 6h \}$/],
    [`${base}sources:\n  - { url: example.com/a.csv }\n`, /^[^;]*must be an http or https address[^;]*$/],
  ];
  for (const [text, pattern] of cases) assert.match(faults(text).join("; "), pattern, text);
});

describe("a business file", () => {
  const HARBOUR = `name: Harbour Plumbing
time_zone: America/Chicago
verified_sources: [google, first_party]
sources:
  - { url: https://stranger.example/key, header: { name: X-Stolen, from_env: KEY_REVIEWS } }
`;
  const ROWS = "id,rating,date,source\n1,5,2026-01-02,google\n";
  const WHY = /describes a business and is passed over: a business file counts only if you name its own path/;
  const storedBusiness = async ({ store }: Sandbox) => {
    return (await store.database.selectFrom("business").selectAll().execute()).length;
  };

  for (const [name, path] of [
    ["a .yaml file whose path is given", "own.yaml"],
    ["a .yml file whose path is given", "deep/in/own.YML"],
    ["business.yaml at the top of a folder that is given", "f/business.yaml"],
  ] as const) {
    test(`counts as ${name}, and the report says what it decides`, async () => {
      await using box = await openSandbox();
      const file = box.write(path, HARBOUR);
      const report = await box.take(path.startsWith("f/") ? join(box.folder, "f") : file);
      assert.deepEqual([report.business, report.business_file, report.passed_over], ["added", file, []]);
      assert.deepEqual(report.business_changes, [
        "verified_sources, new: first_party",
        'sources, new: {"url":"https://stranger.example/key","every":"1d","complete":false,"header":{"name":"X-Stolen","from_env":"KEY_REVIEWS"}}',
      ]);
    });
  }

  /** What is given, below the sandbox's folder, and the misplaced file in it. */
  const MISPLACED: readonly [name: string, given: string, file: string, write: (box: Sandbox) => unknown][] = [
    ["in a zip", "e.zip", "e.zip!business.yaml", (box) => writeZip(box, "business.yaml")],
    ["deep in a zip", "e.zip", "e.zip!export/business.yaml", (box) => writeZip(box, "export/business.yaml")],
    ["in a zip under another name", "e.zip", "e.zip!export/notes.txt", (box) => writeZip(box, "export/notes.txt")],
    ["in a zip in a folder", "f", "f/e.zip!business.yaml", (box) => writeZip(box, "business.yaml", "f/e.zip")],
    ["in a tgz", "e.tgz", "e.tgz!business.yaml", writeTgz],
    ["deeper in a folder", "f", "f/export/business.yaml", (box) => box.write("f/export/business.yaml", HARBOUR)],
    ["under another name in a folder", "f", "f/notes.txt", (box) => box.write("f/notes.txt", HARBOUR)],
    ["as business.yml in a folder", "f", "f/business.yml", (box) => box.write("f/business.yml", HARBOUR)],
    ["as other YAML in a folder", "f", "f/site.yaml", (box) => box.write("f/site.yaml", HARBOUR)],
    ["under another name, although it is given", "notes.txt", "notes.txt", (box) => box.write("notes.txt", HARBOUR)],
  ];

  function writeZip(box: Sandbox, name: string, zip = "e.zip"): void {
    box.write(zip, zipOf([{ name, content: HARBOUR }]));
  }

  async function writeTgz(box: Sandbox): Promise<void> {
    const header = { name: "business.yaml", size: HARBOUR.length, type: "file" } as const;
    box.write("e.tgz", gzipSync(await packTar([{ header, body: HARBOUR }])));
  }

  for (const [name, given, file, write] of MISPLACED) {
    test(`${name} decides nothing beside reviews, and is named with the reason`, async () => {
      await using box = await openSandbox();
      await write(box);
      const report = await box.take([join(box.folder, given), box.write("reviews.csv", ROWS)], { skipInvalid: true });
      assert.deepEqual([report.added, report.business, report.business_changes], [1, null, []]);
      assert.deepEqual(report.passed_over, [join(box.folder, file)]);
      const named = report.warnings.filter((warning) => warning.startsWith(join(box.folder, file)));
      assert.match(named.join(), WHY);
      assert.equal(await storedBusiness(box), 0);
    });

    test(`${name}, with nothing else, is refused with the reason`, async () => {
      await using box = await openSandbox();
      await write(box);
      const [refusal = "", ...others] = await box.refusal(join(box.folder, given));
      assert.deepEqual(others, []);
      assert.match(refusal, WHY);
      assert.ok(refusal.includes(file), refusal);
      assert.equal(await storedBusiness(box), 0);
    });
  }

  test("in an archive is not asked for a valid form, and reviews that quote one stay reviews", async () => {
    await using box = await openSandbox();
    const quoted = `id,rating,date,source,text\n1,5,2026-01-02,google,"Their card says\nname: Air\ntime_zone: UTC"\n`;
    const entries = [
      { name: "business.yaml", content: "name: [" },
      { name: "reviews.csv", content: quoted },
    ];
    const report = await box.take(box.write("e.zip", zipOf(entries)));
    assert.deepEqual([report.added, report.business, report.passed_over.length], [1, null, 1]);
  });

  test("may name only settings that begin with KEY_, and says what to do", () => {
    const yaml = (name: string) =>
      `name: A\ntime_zone: UTC\nsources:\n  - url: https://a.example/\n    header: { name: X, from_env: ${name} }\n`;
    for (const name of ["HUB_SECRET_KEY", "DATABASE_URL", "key_a", "MY_KEY_A", "KEY_"]) {
      assert.deepEqual(faults(yaml(name)), [
        `business.yaml:5: sources[0].header.from_env is "${name}": must be a setting that begins with KEY_, such as KEY_REVIEWS: rename the setting in goodword.env or the environment, and here`,
      ]);
    }
    assert.deepEqual(faults(yaml("KEY_REVIEWS")), []);
  });
});

test("a business file of nothing but faults is refused in time that grows with it", () => {
  const started = process.cpuUsage();
  assert.throws(() => parseBusinessFile("business.yaml", `name: A\n${"}\n]\n".repeat(20_000)}`), Invalid);
  assert.ok(process.cpuUsage(started).user < 3_000_000);
  // Faults within texts, which do not end the reading: twenty are explained.
  const escapes = `name:\n${'- "\\q"\n'.repeat(4_000)}`;
  assert.throws(
    () => parseBusinessFile("business.yaml", escapes),
    (error) => error instanceof Invalid && error.issues.length === 20,
  );
});
