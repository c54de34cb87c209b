/** `goodword init` as an owner uses it: with options, with a Takeout, on a terminal, and beside a file that is there. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseBusinessFile } from "../../src/import/business-file.ts";
import { BIN, environmentOf, run, temporaryFolder } from "../support/program.ts";
import { zipOf } from "../support/zip-writer.ts";

function written(...path: string[]) {
  return parseBusinessFile("business.yaml", readFileSync(join(...path, "business.yaml"), "utf8"));
}

test("init writes the answers given as options, into a folder that it makes, and asks nothing", async () => {
  using folder = temporaryFolder();
  const { code, stdout } = await run(folder.path, [
    ...["init", "site", "--name", "Northside Cooling", "--category", "HVACBusiness", "--time-zone", "America/Chicago"],
    ...["--services", "AC repair, Duct cleaning", "--technicians", "Dana Keller", "--areas", "Oakfield"],
  ]);
  assert.equal(code, 0);
  assert.match(stdout, /Next: .*goodword import site\/business\.yaml/);
  const business = written(folder.path, "site");
  assert.equal(business.name, "Northside Cooling");
  assert.equal(business.time_zone, "America/Chicago");
  assert.deepEqual(
    business.services.map(({ id, label }) => [id, label]),
    [
      ["ac-repair", "AC repair"],
      ["duct-cleaning", "Duct cleaning"],
    ],
  );
  assert.deepEqual(
    business.technicians.map(({ id, name }) => [id, name]),
    [["dana-keller", "Dana Keller"]],
  );
  assert.equal((await run(folder.path, ["check", "site/business.yaml"])).code, 0);
});

test("init warns of a telephone without country code and of a missing language, and writes what was given", async () => {
  using folder = temporaryFolder();
  const asked = await run(folder.path, ["init", "--name", "Liffey Air", "--telephone", "01 555 0142"]);
  assert.equal(asked.code, 0);
  assert.match(asked.stderr, /^warning: 01 555 0142 has no country code/m);
  assert.match(asked.stdout, /American dates: add a line such as language: en-IE/);
  assert.equal(written(folder.path).telephone, "01 555 0142");
  const given = ["--name", "Liffey Air", "--telephone", "+353 1 555 0142", "--language", "en-IE"];
  const whole = await run(folder.path, ["init", "other", ...given]);
  assert.doesNotMatch(whole.stderr + whole.stdout, /country code|American/);
});

test("init never overwrites a business.yaml", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "business.yaml"), "name: Mine\n");
  const { code, stderr } = await run(folder.path, ["init", "--name", "Other"]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: There is a business\.yaml already, and it stays as it is/m);
  assert.equal(readFileSync(join(folder.path, "business.yaml"), "utf8"), "name: Mine\n");
});

test("init names every answer that cannot be one, and writes nothing", async () => {
  using folder = temporaryFolder();
  const { code, stderr } = await run(folder.path, [
    "init",
    "--name",
    "A",
    "--category",
    "hvac!",
    "--time-zone",
    "Chicago",
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: .*category is "hvac!"/m);
  assert.match(stderr, /^error: .*time_zone is "Chicago"/m);
  assert.equal(existsSync(join(folder.path, "business.yaml")), false);
});

test("init without a terminal and without answers says what to give", async () => {
  using folder = temporaryFolder();
  const { code, stderr } = await run(folder.path, ["init"]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^error: The name of the business is missing, .*: goodword init --name "[^"]+" --category \w+ --time-zone \S+$/m,
  );
});

test("init begins with what a Takeout in the folder says about the business", async () => {
  using folder = temporaryFolder();
  const location = {
    title: "Northside Cooling",
    categories: { primaryCategory: { displayName: "HVAC contractor" } },
    storefrontAddress: { locality: "Austin", addressLines: ["1 Main Street"] },
  };
  const place = "Takeout/Google Business Profile/account-1/location-2";
  const archive = zipOf([
    { name: `${place}/reviews-1.json`, content: '{"reviews":[]}' },
    { name: `${place}/data.json`, content: JSON.stringify(location) },
  ]);
  writeFileSync(join(folder.path, "takeout-20261121T000000Z-001.zip"), archive);
  const { code, stdout } = await run(folder.path, ["init", "--time-zone", "America/Chicago"]);
  assert.equal(code, 0);
  assert.match(stdout, /for Northside Cooling, from .*takeout-2026/);
  assert.equal(written(folder.path).category, "HVACBusiness");
  assert.equal(written(folder.path).address?.street, "1 Main Street");
  mkdirSync(join(folder.path, "empty"));
  const none = await run(folder.path, ["init", "empty", "--takeout", "no-such.zip"]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /no-such\.zip does not exist/);
});

test("init asks on a terminal", { skip: process.platform !== "linux" }, async () => {
  using folder = temporaryFolder();
  const terminal = spawn("script", ["-qec", `'${process.execPath}' '${BIN}' init`, "/dev/null"], {
    cwd: folder.path,
    env: environmentOf(folder.path, { TERM: "dumb", TZ: "America/Phoenix" }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const zones = ["Chicago", "America/Chicago"];
  const [languages, sites, numbers] = [
    ["English", "en_IE"],
    ["northside cooling", "northside.example"],
    ["call us", "555 0142", "001 512 555 0142"],
  ];
  const answers = [
    "Northside Cooling",
    "hvac!",
    "HVACBusiness",
    ...zones,
    ...languages,
    ...sites,
    ...numbers,
    "AC repair",
    "Dana Keller",
  ];
  let shown = "";
  let asked = 0;
  for await (const chunk of terminal.stdout) {
    shown += String(chunk);
    const questions =
      shown.match(
        /^(Name of|Kind of|Time zone|Language|Web site|Telephone|Your services|Your technicians)[^\n]*: /gm,
      ) ?? [];
    while (asked < questions.length) terminal.stdin.write(`${answers[asked++]}\n`);
  }
  const business = written(folder.path);
  assert.equal(business.name, "Northside Cooling");
  assert.match(shown, /time_zone is "Chicago": .*Do you mean America\/Chicago\?\r?\nTime zone/);
  assert.equal(business.time_zone, "America/Chicago");
  assert.match(shown, /^Time zone [^\n]*\[America\/Phoenix\]: /m, "the computer's own zone is offered");
  assert.match(shown, /^Language [^\n]*\[[a-z]{2,3}-US\]: /m, "the country's language is offered");
  assert.match(shown, /language is "English": [^\n]*\r?\nLanguage/);
  assert.match(shown, /Taken as en-IE\r?\nWeb site/);
  assert.equal(business.language, "en-IE");
  assert.match(shown, /555 0142 has no country code[^\n]*Enter keeps it as it is\.\r?\nTelephone [^\n]*\[555 0142\]/);
  assert.match(shown, /category is "hvac!": [^\n]*\r?\nKind of/);
  assert.match(shown, /url is "northside cooling": [^\n]*\r?\nWeb site/);
  assert.match(shown, /Taken as https:\/\/northside\.example\r?\nTelephone/);
  assert.match(shown, /telephone is "call us": [^\n]*\r?\nTelephone/);
  assert.deepEqual([business.url, business.telephone], ["https://northside.example", "+1 512 555 0142"]);
  const text = readFileSync(join(folder.path, "business.yaml"), "utf8");
  assert.match(text, /two digits such as "09:00".*\n.*\n.*\n.*\[Saturday\]/);
  assert.match(text, /front desk.*first_party.*\[google, first_party\]/s);
  const names = business.technicians.map(({ name }) => name);
  assert.deepEqual(names, ["Dana Keller"]);
});
