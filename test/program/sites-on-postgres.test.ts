/** Many businesses in one PostgreSQL database: a schema each, and at most ten connections of a process. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { emptyDatabase, stopPostgres } from "../support/postgres-server.ts";
import { run, temporaryFolder } from "../support/program.ts";
import { makeSitesFolder, reviewOf, serveSites } from "../support/sites.ts";
import { openSubscribers, SUBSCRIBER_CERTIFICATE } from "../support/subscriber.ts";
import { until, within } from "../support/within.ts";

after(stopPostgres);

test("sites of one database have a schema each, and a process opens at most ten connections", async (t) => {
  using folder = temporaryFolder();
  makeSitesFolder(folder.path);
  const authority = join(folder.path, "authority.pem");
  writeFileSync(authority, SUBSCRIBER_CERTIFICATE.certificate);
  const DATABASE_URL = await emptyDatabase();
  const settings = { DATABASE_URL, NODE_EXTRA_CA_CERTS: authority, HUB_ALLOW_CALLBACKS: "127.0.0.0/8" };
  const subscribers = await openSubscribers();
  t.after(() => subscribers.close());
  const names = Array.from({ length: 10 }, (_, at) => `site-${at}`);
  names.push(...["b", "c"].map((last) => `${"a-".repeat(31)}${last}`)); // longer than a schema's name, and alike that far
  const importInto = async (site: string, text?: string) => {
    const file = reviewOf(folder.path, site, text);
    const { code, stderr } = await run(folder.path, ["import", file, "--site", site, "--sites", "sites"], settings);
    assert.equal(code, 0, stderr);
  };
  const reviews = names.slice(1).map((name) => {
    const review = { review_id: name, author: `Author of ${name}`, rating: 5, date: "2026-01-02", source: "google" };
    return { place_id: name, title: name, text: `Words of ${name}`, ...review };
  });
  writeFileSync(join(folder.path, "places.json"), JSON.stringify(reviews));
  const made = await run(folder.path, ["import", "places.json", "--places", "--sites", "sites"], settings);
  assert.equal(made.code, 0, made.stderr);
  await run(folder.path, ["import", "nothing-here.csv", "--site", "site-0", "--sites", "sites"], settings);
  const unnamed = await run(folder.path, ["history", "--sites", "sites"], settings);
  assert.deepEqual([unnamed.code, /Name the site/.test(unnamed.stderr)], [1, true]);
  const single = await run(folder.path, ["history"], settings);
  assert.deepEqual([single.code, /Add --site NAME --sites FOLDER/.test(single.stderr)], [1, true], single.stderr);
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  t.after(() => client.end());
  const ours = "datname = current_database() and application_name like 'goodword%'";
  /** Once those of commands that have ended are gone. */
  const atMostTen = async () =>
    Number((await client.query(`select count(*) from pg_stat_activity where ${ours}`)).rows[0].count) <= 10;
  await using served = await serveSites(folder.path, settings);
  const text = async (site: string) => (await served.get(`${site}.test`, "/reviews.json")).text;
  const answers = await Promise.all(names.slice(1).map(async (name) => [name, await text(name)] as const));
  for (const [name, words] of answers) assert.match(words, new RegExp(`Words of ${name}"`), name);
  await until(atMostTen);
  for (const site of ["site-1", "site-2"]) {
    const body = new URLSearchParams({
      ...{ "hub.mode": "subscribe", "hub.topic": `http://${site}.test/feed.xml` },
      "hub.callback": `https://127.0.0.1:${subscribers.port}/${site}`,
    }).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const { status } = await served.get(`${site}.test`, "/api/websub/hub", { method: "POST", body, headers });
    assert.equal(status, 202);
  }
  await subscribers.until(() => subscribers.verifications().length === 2, "both were verified");
  assert.match(await text("site-0"), /Nothing is published here yet/);
  await importInto("site-0");
  await within(2_000, async () => (await text("site-0")).includes("Words of site-0"));
  await importInto("site-1", "Newer words");
  await within(2_000, async () => (await text("site-1")).includes("Newer words"));
  const isTold = () => subscribers.deliveries("/site-1").some(({ body }) => body.includes("Newer words"));
  await within(5_000, async () => (await served.get("site-3.test", "/healthz")).status === 200 && isTold());
  assert.deepEqual(subscribers.deliveries("/site-2"), []);
  await until(atMostTen);
  const { stdout } = await run(folder.path, ["sites", "--json", "--sites", "sites"], settings);
  assert.deepEqual(
    (JSON.parse(stdout) as { state: string; reviews: number; revision: number }[]).map(
      ({ state, reviews, revision }) => `${state} ${reviews} ${revision}`,
    ),
    names.toSorted().map((name) => (name === "site-1" ? "published 1 2" : "published 1 1")), // a place takes one transaction
  );
  const schemas = await client.query("select nspname from pg_namespace where nspname like 'site%' order by 1");
  assert.equal(schemas.rows.length, 12);
  assert.equal((await client.query("select to_regclass('public.review') as there")).rows[0].there, null);
});
