import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseBusinessFile } from "../../import/business-file.ts";
import { Invalid } from "../../issue.ts";
import { businessFields, withBusinessFields } from "./business-form.ts";

const YAML = `# Our business
name: Northside Cooling # as on the van
time_zone: America/Chicago
category: HVACBusiness
telephone: "+1 512 555 0142"
# where we are
address: { street: 1 Main St, locality: Springfield, postal_code: "62701" }
opening_hours:
  - { days: [Monday, Tuesday], opens: "08:00", closes: "17:00" } # summer
services:
  # the most important one
  - { id: ac, label: AC repair, aliases: [cooling, a/c] }
  - id: heat
    label: Heating
technicians:
  - { id: dana, name: Dana Keller }
sources:
  - { url: https://example.com/a.csv, every: 6h } # kept
color: "#0b5cad"
`;

describe("withBusinessFields()", () => {
  test("changes nothing when nothing is changed", () => {
    assert.equal(withBusinessFields(YAML, businessFields(YAML)), YAML);
    assert.equal(withBusinessFields(YAML, {}), YAML);
  });

  test("takes a name and a time zone for enough, and a web site in any letters", () => {
    const fields = { name: "مكيفات الشمال", category: "", time_zone: "Europe/Berlin", url: "müller-kühlung.de" };
    for (const text of [undefined, YAML]) {
      const { name, category, url } = parseBusinessFile("business.yaml", withBusinessFields(text, fields));
      assert.deepEqual([name, category, url], [fields.name, "LocalBusiness", "https://müller-kühlung.de"]);
    }
  });

  test("takes time that grows with a field that is a run of blanks", () => {
    const run = " ".repeat(50_000);
    const before = process.cpuUsage();
    withBusinessFields(YAML, { services: `AC repair${run}x` });
    for (const hours of [`8${run}x`, `8-12,${run}x${run}- 5`])
      assert.throws(() => withBusinessFields(YAML, { "hours.Monday": hours }), /no opening hours/);
    assert.ok(process.cpuUsage(before).user < 1_000_000);
  });

  test("the second hours of a day are those after the first, as people write them", () => {
    const read = (text: string) =>
      businessFields(withBusinessFields("name: North\ntime_zone: America/Chicago\n", { "hours.Monday": text }))[
        "hours.Monday"
      ];
    for (const [typed, hours] of [
      ["8-12, 1-5", "08:00–12:00, 13:00–17:00"],
      ["8:00-12:00, 1:00-5:00", "08:00–12:00, 13:00–17:00"],
      ["8 - noon, 1 - 5 pm", "08:00–12:00, 13:00–17:00"],
      ["11-2, 5-11", "11:00–14:00, 17:00–23:00"],
      ["9-1", "09:00–13:00"],
      ["17:00-23:00, 11:00-14:00", "17:00–23:00, 11:00–14:00"],
    ] as const)
      assert.equal(read(typed), hours, typed);
  });

  test("changes what is changed, and keeps comments, ids and what it does not know", () => {
    const fields = {
      name: "Northside Heating",
      telephone: "",
      url: "northside.example",
      "address.locality": "Shelbyville",
      "address.postal_code": "",
      services: "AC repair = cooling\nFurnaces\nDucts",
      technicians: "Dana Keller-Smith",
      service_areas: "Oakfield\nOakfield North",
      "hours.Monday": "8-12, 13:00 – 17:00",
      "hours.Tuesday": "08:00–17:00",
      "hours.Saturday": "closed",
    };
    const text = withBusinessFields(YAML, fields);
    assert.match(text, /^# Our business\nname: Northside Heating # as on the van\n/);
    for (const kept of [
      "# where we are",
      "# the most important one",
      "every: 6h } # kept",
      'color: "#0b5cad"',
      "id: ac,",
    ])
      assert.ok(text.includes(kept), `${kept}\n${text}`);
    const business = parseBusinessFile("business.yaml", text);
    assert.equal(business.telephone, undefined);
    assert.equal(business.url, "https://northside.example");
    assert.deepEqual(business.address, { street: "1 Main St", locality: "Shelbyville" });
    assert.deepEqual(
      business.services.map(({ id, label, aliases }) => [id, label, aliases]),
      [
        ["ac", "AC repair", ["cooling"]],
        ["furnaces", "Furnaces", []],
        ["ducts", "Ducts", []],
      ],
    );
    assert.deepEqual(business.technicians[0]?.id, "dana", "a new name in the same place is the same person");
    assert.deepEqual(
      business.service_areas.map(({ id }) => id),
      ["oakfield", "oakfield-north"],
    );
    assert.deepEqual(business.opening_hours, [
      { days: ["Monday"], opens: "08:00", closes: "12:00" },
      { days: ["Monday"], opens: "13:00", closes: "17:00" },
      { days: ["Tuesday"], opens: "08:00", closes: "17:00" },
    ]);
    assert.deepEqual(businessFields(text)["hours.Monday"], "08:00–12:00, 13:00–17:00");
  });

  test("takes out what is emptied", () => {
    const fields = {
      "address.street": "",
      "address.locality": "",
      "address.postal_code": "",
      services: "",
      "hours.Monday": "",
      "hours.Tuesday": "",
    };
    const text = withBusinessFields(YAML, fields);
    assert.doesNotMatch(text, /address|services|opening_hours/);
    assert.match(text, /technicians/);
  });

  test("writes a new file with the comments of init", () => {
    const text = withBusinessFields(undefined, {
      name: "Northside: Cooling",
      category: "Plumber",
      time_zone: "Europe/Berlin",
      "hours.Friday": "9–12",
    });
    const { name, opening_hours } = parseBusinessFile("business.yaml", text);
    assert.deepEqual([name, opening_hours[0]?.days], ["Northside: Cooling", ["Friday"]]);
    assert.match(text, /# Who does the work/);
  });

  test("says at its day which hours cannot be read", () => {
    assert.throws(
      () => withBusinessFields(YAML, { "hours.Monday": "early", "hours.Friday": "8-12" }),
      (error) => error instanceof Invalid && error.issues[0]?.path[2] === "hours.Monday",
    );
  });

  test("keeps every number, word and quotation mark of a text as it is typed", () => {
    for (const typed of [
      "12",
      "true",
      "null",
      "a: b",
      "- x",
      "# no comment",
      "'quoted'",
      '"quoted"',
      "*star",
      "ü\u00a0–",
      "{x}",
      "@x",
      "%x",
      "|",
      ">",
    ]) {
      const text = withBusinessFields(YAML, { name: typed, description: typed, technicians: typed });
      const { name, description, technicians } = parseBusinessFile("business.yaml", text);
      assert.deepEqual([name, description, technicians[0]?.name], [typed, typed, typed], text);
    }
  });
});

describe("a business.yaml that anybody may have written", () => {
  const head = "name: Air\ntime_zone: UTC\n";
  const keys = Array.from({ length: 30_000 }, (_, at) => `k${at.toString(36)}:\n`).join("");
  for (const [what, text] of [
    ["very many members", head + keys],
    ["very many faults", head + "}\n]\n".repeat(60_000)],
    ["a reference to nothing", "name: *air\n"],
    ["references to references", `${head}a: &a [x,x]\nb: &b [*a,*a]\nc: [${"*b,".repeat(101)}]\n`],
    ["megabytes", head + "#\n".repeat(500_000)],
  ] as const)
    test(`with ${what} fills no field and takes little time, and saving says what is wrong`, () => {
      const before = process.cpuUsage();
      assert.equal(businessFields(text).name, "");
      assert.throws(() => withBusinessFields(text, { name: "Other" }), Invalid);
      assert.ok(process.cpuUsage(before).user < 6_000_000);
    });

  test("with groups in place of words shows the other fields", () => {
    const { name, services, telephone, verified_sources } = businessFields(
      "name: {toString: 1}\ntelephone: 5\nservices: [{label: {toString: 1}, aliases: [{toString: 1}]}]\nverified_sources: [{toString: 1}]\n",
    );
    assert.deepEqual([name, telephone, services, verified_sources], ["", "5", " = ", ""]);
  });
});
