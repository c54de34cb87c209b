import assert from "node:assert/strict";
import { test } from "node:test";
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
    [`${base}planet: Mars\n`, /planet is not known here\. Known here: name, .*sources$/],
    [`${base}services: [AC repair]\n`, /services\[0\] is "AC repair".*\{ id: ac-repair, label: "AC repair" \}$/],
    [`${base}technicians: [Dana Lee]\n`, /\{ id: dana-lee, name: "Dana Lee" \}$/],
    [`${base}verified_sources: google\n`, /but must be a list: write verified_sources: \[google\]$/],
    [`${base}verified_sources: [Google Maps]\n`, /must be the word of a source, such as google$/],
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
    [`${base}sources: [https://example.com/a.csv]\n`, /\{ url: https:\/\/example\.com\/a\.csv, every: 6h \}$/],
    [`${base}sources:\n  - { url: example.com/a.csv }\n`, /^[^;]*must be an http or https address[^;]*$/],
  ];
  for (const [text, pattern] of cases) assert.match(faults(text).join("; "), pattern, text);
});
