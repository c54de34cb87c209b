/** The desk's page "Word to you": where messages go and what they tell, a test, what waits, and what has vanished. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { enter, openDesk } from "../support/desk.ts";
import { headersOf, openMailServer } from "../support/mail-server.ts";
import { run, temporaryFolder } from "../support/program.ts";

const YAML = `# our own file
name: Northside Cooling # the firm
time_zone: Europe/Berlin
notices:
  # the chat
  - { to: "https://hooks.example.invalid/T0/secret", format: slack, when: [ poor ] } # all day
  - to: mailto:office@example.com # the office
    digest: weekly
`;
const HEAD = "id,author,rating,date,text,source";
const REVIEWS = [
  "1,Ann <b>,5,2026-01-02,Cold again,google",
  "2,Bo,2,2026-01-03,Late,google",
  "3,Cy,5,2026-01-04,Fine,google",
];

test("Word to you lists the addresses without their secrets, changes them in business.yaml, sends tests and shows what vanished", async () => {
  using folder = temporaryFolder();
  await using mail = await openMailServer();
  const [yaml, reviews] = [join(folder.path, "business.yaml"), join(folder.path, "reviews.csv")];
  writeFileSync(yaml, YAML);
  const settings = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: "reviews@example.com" };
  await using desk = await openDesk(folder.path, [], settings);
  const session = await enter(desk);
  const page = async () => (await session.get("/notices")).text;

  assert.match(
    await page(),
    /https:\/\/hooks\.example\.invalid\/…[\s\S]*mailto:office@example\.com/,
    "before there is a store",
  );
  writeFileSync(reviews, [HEAD, ...REVIEWS, ""].join("\n"));
  assert.equal((await run(folder.path, ["import", "business.yaml", "reviews.csv", "--complete"])).code, 0);
  writeFileSync(reviews, [HEAD, ...REVIEWS.slice(1), ""].join("\n"));
  assert.equal((await run(folder.path, ["import", "reviews.csv", "--complete", "--yes"])).code, 0);
  const shown = await page();
  assert.doesNotMatch(shown, /T0\/secret/);
  assert.match(shown, /Word to you<\/h1>/);
  assert.match(shown, /1 message\. Next try/, "the first import waits for the chat, which is told of poor ones");
  assert.match(shown, /2 messages\. Next try/);
  assert.match(shown, /Next digest<\/th><td>20\d\d-\d\d-\d\d \d\d:\d\d</);
  assert.match(shown, /1 review that an import had is missing from a later one/);
  assert.match(shown, /<textarea id="appeal"[^>]*>Reviews of Northside Cooling that are no longer shown/);

  const stamp = (text: string) => /name="before" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const none = { digest: "", format: "json", secret_env: "" };
  const send = async (path: string, fields: Readonly<Record<string, string>>) =>
    await session.send(`/notices${path}`, { before: stamp(await page()), ...none, ...fields });
  const file = () => readFileSync(yaml, "utf8");

  const saved = await send("", { entry: "0", when: "vanished", format: "slack", digest: "monthly" });
  assert.match(saved.text, /Saved on this machine|Nothing on your pages/);
  const changed = YAML.replace("when: [ poor ] }", "when: [ vanished ], digest: monthly }");
  assert.equal(file(), changed, "comments and all others stay");
  for (const [fields, message] of [
    [{ to: "http://example.com" }, /must be an https address/],
    [{ to: "mailto:a@example.com", secret_env: "HOME" }, /must be a setting that begins with KEY_/],
    [{ to: "mailto:office@example.com" }, /is given twice/],
    [{ to: "mailto:a@example.com", before: "another" }, /was changed meanwhile/],
    [{ to: "mailto:a@example.com", digest: "hourly" }, /digest/],
  ] as const) {
    const { status, text } = await send("", { entry: "", ...fields });
    assert.equal(status, 400);
    assert.match(text, message);
    assert.ok(text.includes(`name="to" value="${fields.to}"`), "what was typed stays");
    assert.equal(file(), changed, "and the file, too");
  }
  await send("", { entry: "", to: "owner@example.com" });
  assert.equal(file(), `${changed}  - { to: mailto:owner@example.com, when: [] }\n`);
  await send("/remove", { entry: "0" });
  assert.doesNotMatch(file(), /hooks/);
  const listed = JSON.parse((await run(folder.path, ["notices", "--json"])).stdout) as {
    to: string;
    waiting: number;
  }[];
  assert.deepEqual(
    listed.map(({ to }) => to),
    ["mailto:office@example.com", "mailto:owner@example.com"],
  );

  assert.match((await send("/test", {})).text, /Every address has accepted the test/);
  assert.deepEqual(mail.mails.map((each) => headersOf(each).get("to")).toSorted(), [
    "office@example.com",
    "owner@example.com",
  ]);
  assert.match(await page(), /: test, accepted</);
});

test("Word to you says in German what was not accepted, and what is wrong with the file", async () => {
  using folder = temporaryFolder();
  const told = YAML.replace(/ {2}# the chat\n.*\n/, "");
  writeFileSync(join(folder.path, "business.yaml"), `${told}language: de\n`);
  await using desk = await openDesk(folder.path);
  const session = await enter(desk);
  await session.get("/notices");
  assert.equal((await run(folder.path, ["import", "business.yaml"])).code, 0);
  const { text } = await session.send("/notices/test", {});
  assert.match(text, /<html lang="de">[\s\S]*Nachrichten an Sie<\/h1>/);
  assert.match(text, /Nicht alle Adressen haben den Test angenommen/);
  assert.match(text, /Mail needs the settings SMTP_URL and MAIL_FROM/);
  writeFileSync(join(folder.path, "business.yaml"), "name: [\n");
  const { status, text: broken } = await session.get("/notices");
  const late = await session.send("/notices", { before: "x", entry: "0", digest: "", format: "", secret_env: "" });
  assert.deepEqual([status, late.status], [200, 200]);
  assert.match(broken, /role="alert"[\s\S]*href="\/business"/);
});
