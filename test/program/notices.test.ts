/** Word to the owner (interface §9) by the whole program: a server that serves one site, or many that rest. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { headersOf, openMailServer } from "../support/mail-server.ts";
import { run, serveProgram, startProgram, temporaryFolder } from "../support/program.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE } from "../support/subscriber.ts";
import { ask } from "../support/wire.ts";
import { until, within } from "../support/within.ts";

/** A folder with what a business needs to be told, and receivers on loopback. */
async function openOffice() {
  const folder = temporaryFolder();
  const receivers = await openSubscribers();
  const mail = await openMailServer();
  const authority = join(folder.path, "authority.pem");
  writeFileSync(authority, SUBSCRIBER_CERTIFICATE.certificate);
  return {
    ...{ folder: folder.path, receivers, mail, origin: `https://localhost:${receivers.port}` },
    settings: {
      ...{ NODE_EXTRA_CA_CERTS: authority, NOTICES_ALLOW: "127.0.0.0/8,::1/128", KEY_OFFICE: "the key of the office" },
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: "reviews@example.com",
    },
    async [Symbol.asyncDispose]() {
      await receivers.close();
      await mail[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const csv = (...rows: string[]) => `id,author,rating,date,text,source\n${rows.join("\n")}\n`;

test("a server tells the owner of an import within a minute, by https and by mail, and shows nobody where", async () => {
  await using office = await openOffice();
  const { folder, origin, settings, receivers, mail } = office;
  const yaml = `name: Northside Cooling\ntime_zone: UTC\nnotices:\n  - { to: "${origin}/hook/secret-path?token=1", secret_env: KEY_OFFICE }\n  - { to: mailto:office@example.com, when: [poor], digest: weekly }\n`;
  writeFileSync(join(folder, "business.yaml"), yaml);
  writeFileSync(join(folder, "first.csv"), csv("1,Ann,5,2026-01-02,Cold again,google"));
  assert.equal((await run(folder, ["import", "business.yaml", "first.csv"])).code, 0);
  await using program = await serveProgram(folder, { ...settings, BASE_URL: "https://reviews.example.com" });
  await receivers.until(() => receivers.deliveries().length === 1, "the first import is told");

  writeFileSync(join(folder, "second.csv"), csv("2,Bo,1,2026-01-03,Rude words,google"));
  assert.equal((await run(folder, ["import", "second.csv"])).code, 0);
  await within(60_000, () => receivers.deliveries().length === 2);
  await mail.until(2);
  const [, { headers, body } = assert.fail()] = receivers.deliveries();
  const signature = createHmac("sha256", settings.KEY_OFFICE).update(body).digest("hex");
  assert.equal(headers["x-goodword-signature"], `sha256=${signature}`);
  const { type, added, aggregate_rating } = JSON.parse(body.toString());
  const dataset = JSON.parse((await ask(`${program.url}/reviews.json`)).text);
  const [review] = dataset.reviews;
  assert.deepEqual([type, added], ["change", [{ ...review, url: `https://reviews.example.com/reviews/${review.id}` }]]);
  assert.deepEqual(aggregate_rating, dataset.aggregate_rating);
  assert.equal(dataset.business.notices, undefined);
  const subjects = mail.mails.map((each) => headersOf(each).get("subject"));
  assert.deepEqual(subjects.at(-1), "Northside Cooling: 1 new review, 1 with three stars or fewer");

  let listed = "";
  await until(async () => {
    listed = (await run(folder, ["notices", "--json"])).stdout; // what is sent is recorded a moment later
    return (JSON.parse(listed) as { waiting: number }[]).every(({ waiting }) => waiting === 0);
  });
  const [hook, office_] = JSON.parse(listed);
  assert.equal(hook.to, `${origin}/…`);
  assert.match(hook.key, /^[0-9a-f]{8}$/);
  assert.deepEqual(
    [hook.last_type, hook.outcome, hook.waiting, hook.next_at],
    ["change", "sent: It answered 204", 0, null],
  );
  assert.deepEqual([office_.to, office_.outcome], ["mailto:office@example.com", "sent: The mail server took it"]);
  const { stdout } = await run(folder, ["notices"]);
  assert.match(
    stdout,
    /^https:\/\/localhost:\d+\/…\n {2}key {7}[0-9a-f]{8}\n {2}told of {3}new, poor, vanished, trouble\n/,
  );

  const tested = await run(folder, ["notices", "--test", "--json"], settings);
  assert.equal(tested.code, 0);
  assert.deepEqual(
    JSON.parse(tested.stdout).map((line: { last_type: string }) => line.last_type),
    ["test", "test"],
  );
  assert.equal(JSON.parse(receivers.deliveries().at(-1)?.body.toString() ?? "").type, "test");
  const untold = await run(folder, ["notices", "--test"]);
  assert.equal(untold.code, 1);
  assert.match(untold.stdout, /failed: The setting KEY_OFFICE, which holds its key, is not set/);
  assert.match(untold.stdout, /failed: Mail needs the settings SMTP_URL and MAIL_FROM/);
  assert.match(untold.stderr, /2 addresses did not accept the test/);

  assert.equal((await run(folder, ["import", "nothing.csv"])).code, 1);
  await receivers.until(() => receivers.deliveries().length === 4, "a refused import is told");
  const trouble = JSON.parse(receivers.deliveries().at(-1)?.body.toString() ?? "");
  assert.match(trouble.text, /an import was refused or failed/);

  const history = (await run(folder, ["history", "--json"])).stdout;
  const metrics = (await ask(`${program.url}/metrics`)).text;
  const provenance = (await ask(`${program.url}/provenance.json`)).text;
  assert.equal(await program.stop(), 0);
  for (const shown of [JSON.stringify(program.log), history, metrics, provenance, stdout, untold.stderr, untold.stdout])
    assert.doesNotMatch(shown, /secret-path|token=1|the key of|Rude words/);
});

test("a site that rests tells its owner within a minute, and each site only its own", async () => {
  await using office = await openOffice();
  const { folder, origin, settings, receivers } = office;
  const sites = join(folder, "sites");
  const environment = { ...settings, SITES: sites, SITES_BASE_URL: "http://{site}.localhost:8080", DATABASE_URL: "" };
  for (const name of ["one", "two"]) {
    mkdirSync(join(sites, name), { recursive: true });
    const yaml = `name: ${name}\ntime_zone: UTC\nnotices:\n  - { to: "${origin}/${name}", secret_env: KEY_OFFICE }\n`;
    writeFileSync(join(sites, name, "business.yaml"), yaml);
    writeFileSync(join(sites, name, "goodword.env"), `KEY_OFFICE=key of ${name}\n`);
    writeFileSync(join(sites, name, "first.csv"), csv(`1,Ann,5,2026-01-02,Words of ${name},google`));
  }
  await using program = startProgram(folder, environment);
  await program.logged(({ port }) => typeof port === "number");
  for (const name of ["one", "two"]) {
    const paths = ["business.yaml", "first.csv"].map((file) => join(sites, name, file));
    assert.equal((await run(folder, ["import", ...paths, "--site", name], environment)).code, 0);
  }
  await receivers.until(
    () => ["/one", "/two"].every((path) => receivers.deliveries(path).length === 1),
    "both are told",
  );
  for (const name of ["one", "two"]) {
    const [{ headers, body } = assert.fail()] = receivers.deliveries(`/${name}`);
    const signature = createHmac("sha256", `key of ${name}`).update(body).digest("hex");
    assert.equal(headers["x-goodword-signature"], `sha256=${signature}`);
    const message = JSON.parse(body.toString());
    assert.deepEqual([message.business, message.base_url], [name, `http://${name}.localhost:8080`]);
  }
});

test("a site that rests and had nobody to tell tells an address that an import brings, within a minute", async () => {
  await using office = await openOffice();
  const { folder, origin, settings, receivers } = office;
  const sites = join(folder, "sites");
  const environment = { ...settings, SITES: sites, SITES_BASE_URL: "http://{site}.localhost:8080", DATABASE_URL: "" };
  for (const name of ["one", "two"]) mkdirSync(join(sites, name), { recursive: true });
  writeFileSync(join(sites, "two", "business.yaml"), "name: [\n");
  const business = join(folder, "business.yaml");
  writeFileSync(business, "name: one\ntime_zone: UTC\n");
  const bring = async (row: string) => {
    writeFileSync(join(folder, "some.csv"), csv(row));
    const { code } = await run(folder, ["import", business, join(folder, "some.csv"), "--site", "one"], environment);
    assert.equal(code, 0);
  };
  await bring("1,Ann,5,2026-01-02,Cold again,google");
  await using program = startProgram(folder, environment);
  await program.logged(({ site, state }) => site === "two" && state === "damaged"); // the first has been looked at, too
  writeFileSync(business, `name: one\ntime_zone: UTC\nnotices:\n  - { to: "${origin}/one" }\n`);
  await bring("2,Bo,1,2026-01-03,Rude words,google");
  await receivers.until(() => receivers.deliveries("/one").length === 1, "the import is told");
});
