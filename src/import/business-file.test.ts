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
    opens: "8:00"
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
    /^business\.yaml:3: telephone is 5550100, but must be text: put it in quotation marks$/,
    /^business\.yaml:4: colour is not known here$/,
    /^business\.yaml:7: address\.postal_code is 1234, but must be text: put it in quotation marks$/,
    /^business\.yaml:8: address\.planet is not known here$/,
    /^business\.yaml:9: geo\.latitude is 95/,
    /^business\.yaml:11: opening_hours\[0\]\.days\[1\] is "Caturday"/,
    /^business\.yaml:12: opening_hours\[0\]\.opens is "8:00": must be a time of day, HH:MM$/,
    /^business\.yaml:17: services\[1\]\.id is "repair": service id "repair" is given twice$/,
    /^business\.yaml:19: services\[2\]\.id is missing$/,
    /^business\.yaml:20: taxonomy is "plumbing", but must be one of .*home-services/,
  ];
  for (const [index, pattern] of expected.entries()) assert.match(messages[index] ?? "", pattern);
  assert.equal(messages.length, expected.length);
});

test("parseBusinessFile() names the line where YAML breaks, all such lines at once", () => {
  const messages = faults('name: "Test\ntime_zone: UTC\n');
  assert.match(messages[0] ?? "", /^business\.yaml:\d: is not valid YAML/);
  assert.match(faults("name: A\nname: B\ntime_zone: UTC\n").join(), /^business\.yaml:2: is not valid YAML: .*unique/);
  assert.match(faults("name: A\n\ttime_zone: UTC\n").join(), /^business\.yaml:2: is not valid YAML/);
});

test("parseBusinessFile() refuses what is no mapping, what is missing, and endless aliases", () => {
  assert.match(faults("- a\n- b\n").join(), /^business\.yaml:1: must be a business/);
  assert.match(faults("").join(), /^business\.yaml:1: must be a business/);
  assert.deepEqual(faults("category: HVACBusiness\n").toSorted(), [
    "business.yaml:1: name is missing",
    "business.yaml:1: time_zone is missing",
  ]);
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh".replace(/./g, (letter, index: number) => `${letter}: &${letter} [${Array(9).fill(`*${"abcdefg"[index]}`).join()}]\n`)}`;
  assert.ok(faults(bomb).length > 0);
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
    /^business\.yaml:3: address is "Main Street", but must be a group of its own: lines below it, each indented/,
    /^business\.yaml:4: geo\.latitude is "north", but must be a number$/,
    /^business\.yaml:4: geo\.longitude is 200, but must be 180 or less$/,
    /^business\.yaml:5: email is "nobody", but must be an address such as office@example\.com$/,
    /^business\.yaml:6: same_as is "https:\/\/example\.com", but must be a list/,
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
