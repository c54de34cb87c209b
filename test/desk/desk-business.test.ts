/** What the page of the business says of a business.yaml that is not what is published. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { enter, openDesk } from "../support/desk.ts";
import { run, temporaryFolder } from "../support/program.ts";

const PUBLISHED = "name: Northside Cooling\ntime_zone: America/Chicago\n";

for (const [language, differs, stays] of [
  ["en", /business\.yaml says otherwise than what is published/, /business\.yaml on your disk stays as it is/],
  ["de", /In business\.yaml steht etwas anderes als veröffentlicht ist/, /business\.yaml auf der Platte bleibt/],
] as const)
  test(`the business page says when undoing has left business.yaml other than what is published (${language})`, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "business.yaml");
    const published = `${PUBLISHED}language: ${language}\n`;
    for (const text of [published, `${published}telephone: "+1 312 555 0142"\n`]) {
      writeFileSync(path, text);
      assert.equal((await run(folder.path, ["import", "business.yaml"])).code, 0);
    }
    await using desk = await openDesk(folder.path);
    const session = await enter(desk);
    assert.doesNotMatch((await session.get("/business")).text, differs, "nothing is undone yet");
    const asked = (await session.get("/history/undo")).text;
    const fields = [...asked.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const given = Object.fromEntries(fields.map(([, name, value]) => [name, value] as [string, string]));
    assert.match((await session.send("/history/undo", given)).text, stays);
    assert.match((await session.get("/business")).text, differs);
    const before = /name="before" value="([^"]+)"/.exec((await session.get("/business")).text)?.[1] ?? "";
    await session.send("/business/file", { before, file: published });
    assert.doesNotMatch((await session.get("/business")).text, differs, "the file is as it is published again");
  });

for (const [language, noLonger] of [
  ["en", "“Sources whose reviews are published”, no longer: google"],
  ["de", "„Quellen, deren Bewertungen veröffentlicht werden“, nicht mehr: google"],
] as const)
  test(`the desk says as the command does which sources saving and undoing stop publishing (${language})`, async () => {
    using folder = temporaryFolder();
    const published = `${PUBLISHED}language: ${language}\n`;
    writeFileSync(join(folder.path, "business.yaml"), published);
    assert.equal((await run(folder.path, ["import", "business.yaml"])).code, 0);
    await using desk = await openDesk(folder.path);
    const session = await enter(desk);
    const write = async (file: string) => {
      const before = /name="before" value="([^"]+)"/.exec((await session.get("/business")).text)?.[1] ?? "";
      return (await session.send("/business/file", { before, file })).text;
    };
    assert.ok((await write(`${published}verified_sources: [first_party]\n`)).includes(noLonger));
    await write(`${published}verified_sources: [first_party, google]\n`);
    assert.ok((await session.get("/history/undo")).text.includes(noLonger));
  });

test("the first form says beside a field what its word looks like, before a wrong one is given", async () => {
  using folder = temporaryFolder();
  await using desk = await openDesk(folder.path);
  const { text } = await (await enter(desk)).get("/business");
  for (const [name, hint] of [
    ["category", /HVACBusiness for heating and cooling/],
    ["time_zone", /such as America\/Chicago/],
    ["language", /en-US/],
  ] as const) {
    assert.ok(text.includes(`name="${name}"`) && text.includes(`aria-describedby="hint-${name}"`), name);
    assert.match(new RegExp(`id="hint-${name}">([^<]*)<`).exec(text)?.[1] ?? "", hint);
  }
});
