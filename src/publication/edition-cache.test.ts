import assert from "node:assert/strict";
import {
  chownSync,
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { sql } from "kysely";
import { SAMPLE_FOLDER } from "../../scripts/sample-snapshot.ts";
import { emptyDatabase, stopPostgres } from "../../test/support/postgres-server.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import fc from "../../test/support/properties.ts";
import { until } from "../../test/support/within.ts";
import { openEdition } from "../edition/edition.ts";
import type { RenderedEdition } from "../edition/render-datasets.ts";
import { importPaths } from "../import/importer.ts";
import { siteStoreUrl } from "../store/engine/store-url.ts";
import { backupStore, openStore, raiseRevision, readRevision, type Store } from "../store/store.ts";
import { deleteEditionCache, readEditionCache, readEditionCacheInSteps, saveEditionCache } from "./edition-cache.ts";
import { readEditionRow, saveEditionRow } from "./edition-row.ts";
import { renderStore } from "./publication.ts";

after(stopPostgres);

const BASE_URL = "https://reviews.example";

const samples = temporaryFolder();
after(() => samples[Symbol.dispose]());
let sample: ReturnType<typeof renderSample> | undefined;

/** A backup of a store with the sample's reviews, and its edition: made once for all tests. */
async function renderSample() {
  const store = await openStore("sqlite::memory:");
  await importPaths(store, [SAMPLE_FOLDER], { now: new Date("2026-11-01T00:00:00Z") });
  const backup = join(samples.path, "sample.db");
  await backupStore(store, backup);
  const rendered = await renderStore(store, { baseUrl: BASE_URL });
  await store.close();
  return { backup, rendered };
}

/** A store with the sample's reviews, and its cached edition. */
async function openCached(folder: string) {
  const file = join(folder, "goodword.db");
  const settings = { databaseUrl: `sqlite:${file}`, baseUrl: BASE_URL };
  sample ??= renderSample();
  const { backup, rendered } = await sample;
  copyFileSync(backup, file);
  const store = await openStore(settings.databaseUrl);
  await saveEditionCache(rendered, settings, () => readRevision(store.database));
  return { settings, store, rendered, file, cache: `${file}.edition`, [Symbol.asyncDispose]: store.close };
}

/** The members of an edition that are not made of typed arrays. */
const plain = ({ documents: _, reviewIndex: __, ...rest }: RenderedEdition) => rest;

test("readEditionCache() gives the edition that was saved", async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  const { rendered } = box;
  const cached = readEditionCache(box.settings);
  assert.ok(cached !== undefined);
  assert.deepEqual(await readEditionCacheInSteps(box.settings), cached);
  assert.deepEqual(plain(cached), plain(rendered));
  assert.deepEqual(Object.keys(cached.reviewIndex).toSorted(), Object.keys(rendered.reviewIndex).toSorted());
  for (const [name, column] of Object.entries(rendered.reviewIndex)) {
    const read: unknown = cached.reviewIndex[name as keyof RenderedEdition["reviewIndex"]];
    if (!ArrayBuffer.isView(column)) assert.deepEqual(read, column, name);
    else assert.ok(ArrayBuffer.isView(read) && Buffer.from(bytesOf(read)).equals(bytesOf(column)), name);
  }
  const [before, after] = [openEdition(rendered), openEdition(cached)];
  for (const { path, tag, body } of before.documents()) {
    assert.equal(after.document(path)?.tag, tag);
    assert.ok(Buffer.from(body).equals(after.document(path)?.body ?? new Uint8Array()), path);
  }
  assert.equal(after.since("2025-06-01").tag, before.since("2025-06-01").tag);
  const filter = { query: "the", limit: 50, offset: 0 };
  assert.deepEqual(after.search(filter).body, before.search(filter).body);
});

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

test("the bytes of the datasets are stored once", async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  const file = readFileSync(box.cache).toString("latin1");
  for (const column of [box.rendered.reviewIndex.records, box.rendered.reviewIndex.analyses])
    assert.equal(file.split(Buffer.from(column).toString("latin1")).length, 2);
});

for (const part of ["format", "program", "settings", "store", "revision"]) {
  test(`an edition is not served if its ${part} differs by one bit`, async () => {
    using folder = temporaryFolder();
    await using box = await openCached(folder.path);
    const bytes = readFileSync(box.cache);
    const head = bytes.subarray(0, bytes.indexOf("\n")).toString();
    const value = JSON.stringify((JSON.parse(head) as Record<string, string>)[part]);
    const start = head.indexOf(`"${part}":`) + part.length + 3;
    assert.equal(head.slice(start, start + value.length), value);
    const cache = openSync(box.cache, "r+");
    for (let at = start; at < start + value.length; at++) {
      for (const bit of [0, 2, 7]) {
        writeSync(cache, Uint8Array.of((bytes[at] ?? 0) ^ (1 << bit)), 0, 1, at);
        assert.equal(servedFrom(box), undefined, `${part}, byte ${at - start}, bit ${bit}`);
      }
      writeSync(cache, bytes, at, 1, at);
    }
    closeSync(cache);
    assert.equal(servedFrom(box), 1);
  });
}

test("a cache that is a link is not read, whatever it leads to", async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  renameSync(box.cache, `${box.cache}-elsewhere`);
  symlinkSync(`${box.cache}-elsewhere`, box.cache);
  assert.throws(() => readEditionCache(box.settings), /it is not a file/);
});

/** The revision of the cached edition that a start would serve; undefined if there is none, or the file is damaged. */
function servedFrom({ settings }: { readonly settings: Parameters<typeof readEditionCache>[0] }): number | undefined {
  try {
    return readEditionCache(settings)?.revision;
  } catch {
    return undefined;
  }
}

test("an edition is not served after any change of the store, nor with other settings", async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  const { settings, store } = box;
  assert.equal(servedFrom({ settings: { ...settings, baseUrl: "https://other.example" } }), undefined);
  assert.equal(servedFrom({ settings: { ...settings, model: "model" } }), undefined);
  assert.equal(servedFrom(box), 1);
  await raise(store, new Date());
  assert.equal(servedFrom(box), undefined);
});

async function raise({ database }: Store, now: Date): Promise<void> {
  await database.transaction().execute(async (transaction) => await raiseRevision(transaction, now));
}

test("an edition is served of the store that was moved with it, and not beside another file", async (t) => {
  using folder = temporaryFolder();
  const box = await openCached(folder.path);
  await box.store.close();
  if (statSync(box.file, { bigint: true }).birthtimeNs === 0n) return t.skip("this file system records no birth");
  const at = (name: string) => ({ settings: { ...box.settings, databaseUrl: `sqlite:${join(folder.path, name)}` } });
  copyFileSync(box.file, join(folder.path, "copy.db"));
  copyFileSync(box.cache, join(folder.path, "copy.db.edition"));
  assert.equal(servedFrom(at("copy.db")), undefined);
  renameSync(box.file, join(folder.path, "moved.db"));
  renameSync(box.cache, join(folder.path, "moved.db.edition"));
  assert.equal(servedFrom(at("moved.db")), 1);
});

test("readEditionCache() refuses a file that is cut or has a single wrong bit after its head", async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  const bytes = readFileSync(box.cache);
  const content = bytes.indexOf("\n") + 1;
  fc.assert(
    fc.property(fc.integer({ min: content, max: bytes.length - 1 }), fc.nat(7), (at, bit) => {
      writeFileSync(box.cache, bytes.subarray(0, at));
      assert.throws(() => readEditionCache(box.settings), { message: /do not match its checksum/ });
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      writeFileSync(box.cache, changed);
      assert.throws(() => readEditionCache(box.settings), { message: /do not match its checksum/ });
    }),
    { numRuns: 30 },
  );
});

test("nothing is written of an edition that is not the store's any more", async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  deleteEditionCache(box.settings.databaseUrl);
  await raise(box.store, new Date());
  let written: string[] = [];
  await saveEditionCache(box.rendered, box.settings, async () => {
    written = cacheFiles(folder.path);
    const [part = ""] = written;
    assert.match(part, /\.part$/);
    assert.equal(statSync(join(folder.path, part)).size, 0);
    return await readRevision(box.store.database);
  });
  assert.deepEqual([written.length, cacheFiles(folder.path)], [1, []]);
});

test("what a command deletes while it is written does not come back", async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  await saveEditionCache(box.rendered, box.settings, async () => {
    const revision = await readRevision(box.store.database);
    deleteEditionCache(box.settings.databaseUrl); // right after the revision was read
    return revision;
  });
  assert.deepEqual(cacheFiles(folder.path), []);
});

test("what another server deletes while it saves its own is written again", async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  deleteEditionCache(box.settings.databaseUrl);
  let times = 0;
  await saveEditionCache(box.rendered, box.settings, async () => {
    if (times++ === 0) deleteEditionCache(box.settings.databaseUrl);
    return await readRevision(box.store.database);
  });
  assert.deepEqual([times, cacheFiles(folder.path)], [2, ["goodword.db.edition"]]);
});

test("an edition that another user has put there is not read", { skip: process.geteuid?.() !== 0 }, async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  chownSync(box.cache, 1, 1);
  assert.equal(readEditionCache(box.settings), undefined);
});

test("what a killed process left of a cache is deleted by the next one", async () => {
  using folder = temporaryFolder();
  await using box = await openCached(folder.path);
  writeFileSync(`${box.cache}.1.part`, "They came on time");
  await saveEditionCache(box.rendered, box.settings, () => readRevision(box.store.database));
  assert.deepEqual(cacheFiles(folder.path), ["goodword.db.edition"]);
});

function cacheFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.includes(".edition"));
}

/** A site on PostgreSQL with the sample's reviews, and its cached edition. */
async function openCachedRow() {
  const settings = { databaseUrl: siteStoreUrl(await emptyDatabase(), "plumber", ""), baseUrl: BASE_URL };
  const store = await openStore(settings.databaseUrl);
  await importPaths(store, [SAMPLE_FOLDER], { now: new Date("2026-11-01T00:00:00Z") });
  const rendered = await renderStore(store, settings);
  await saveEditionRow(rendered, settings, store.database);
  const rows = async () => (await store.database.selectFrom("edition_cache").select("id").execute()).length;
  return { settings, store, rendered, rows, [Symbol.asyncDispose]: store.close };
}

test("a site's edition in PostgreSQL is read as it was saved, by the same program with the same settings alone", async () => {
  await using box = await openCachedRow();
  const { settings, rendered, store } = box;
  const cached = await readEditionRow(settings);
  assert.ok(cached !== undefined);
  assert.deepEqual(plain(cached), plain(rendered));
  const [before, after] = [openEdition(rendered), openEdition(cached)];
  for (const { path, tag, body } of before.documents()) {
    assert.equal(after.document(path)?.tag, tag);
    assert.ok(Buffer.from(body).equals(after.document(path)?.body ?? new Uint8Array()), path);
  }
  assert.equal(await readEditionRow({ ...settings, baseUrl: "https://other.example" }), undefined);
  assert.equal(await readEditionRow({ ...settings, model: "model" }), undefined);
  const { maker } = await store.database.selectFrom("edition_cache").select("maker").executeTakeFirstOrThrow();
  const { program } = JSON.parse(maker) as { readonly program: string };
  const byAnother = maker.replace(program, `${program}1`);
  await store.database.updateTable("edition_cache").set({ maker: byAnother }).execute();
  assert.equal(await readEditionRow(settings), undefined);
  await store.database.updateTable("edition_cache").set({ maker, revised_at: "2026-01-01T00:00:00.000Z" }).execute();
  assert.equal(await readEditionRow(settings), undefined, "another revision with the same number");
});

test("a change deletes a site's edition from PostgreSQL in its own transaction", async () => {
  await using box = await openCachedRow();
  const { database } = box.store;
  const failing = database.transaction().execute(async (transaction) => {
    await raiseRevision(transaction, new Date());
    assert.deepEqual(await transaction.selectFrom("edition_cache").select("id").execute(), []);
    throw new Error("taken back");
  });
  await assert.rejects(failing, /taken back/);
  assert.equal(await box.rows(), 1);
  await raise(box.store, new Date());
  assert.equal(await box.rows(), 0);
  await saveEditionRow(box.rendered, box.settings, database);
  assert.equal(await box.rows(), 0, "it is not the store's any more");
});

test("an edition that is saved in PostgreSQL while a change is under way is not kept beyond it", async () => {
  await using box = await openCachedRow();
  const { database } = box.store;
  let saving: Promise<unknown> = Promise.resolve();
  await database.transaction().execute(async (transaction) => {
    await raiseRevision(transaction, new Date());
    saving = saveEditionRow(box.rendered, box.settings, database);
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const isWaiting = until(async () => (await waiting.execute(database)).rows.length > 0);
    await Promise.race([saving, isWaiting]);
  });
  await saving;
  assert.equal(await box.rows(), 0);
});

test("a replica of the database has no edition to give, and that is no fault", async () => {
  await using box = await openCachedRow();
  await sql`
    create function away() returns int language plpgsql as $$ begin
      raise 'cannot access temporary or unlogged relations during recovery' using errcode = '0A000';
    end $$;
    alter table edition_cache rename to former;
    create view edition_cache as select former.* from former where away() = id`.execute(box.store.database);
  assert.equal(await readEditionRow(box.settings), undefined);
});

test("a damaged edition in PostgreSQL is refused, and one is neither read nor kept on a database without changes", async () => {
  await using box = await openCachedRow();
  const { settings, store, rendered } = box;
  const body = sql<string>`overlay(body placing 'AAAA' from 1001)`;
  await store.database.updateTable("edition_cache").set({ body }).execute();
  await assert.rejects(readEditionRow(settings), /do not match its checksum/);
  await store.database
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      await saveEditionRow(rendered, settings, transaction);
    })
    .catch((error: unknown) => assert.fail(String(error)));
});
