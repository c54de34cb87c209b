/** What a backup that somebody else made can do through a restore. */
import assert from "node:assert/strict";
import { fork, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { SelectQueryNode } from "kysely";
import { openSandbox, type Sandbox } from "../../test/support/import-sandbox.ts";
import { restoreBackup } from "../../test/support/restoring.ts";
import { deriveReviewId } from "../../test/support/review-id.ts";
import { taxonomyOf } from "../analysis/trade-taxonomy.ts";
import { memoryWarning } from "../import/publishing-memory.ts";
import { analyseText, analysisKey } from "../insight/text-analysis.ts";
import { identityPart, reviewIdWithDate } from "../review.ts";
import { keepAnalyses } from "../store/analysis-rows.ts";
import { listCorrections } from "../store/correction-rows.ts";
import { partsByProcess } from "../store/history/backup-answers.ts";
import { listRemovalKeys, listRemovals } from "../store/history/removal-rows.ts";
import { backupStore, readSnapshot } from "../store/store.ts";
import { removeReviews } from "./removal.ts";
import { openRestore, type RestoreEffects } from "./restore.ts";
import { changeToUndo, undoChange } from "./undo.ts";
import { withdrawSource } from "./withdrawal.ts";

const READER = join(import.meta.dirname, "../store/history/backup-process.ts");
const NOW = new Date("2026-02-03T04:05:06Z");
const ROWS = "id,author,rating,date,source,text\n1,Ann,5,2026-01-02,google,They were friendly\n";
const OWN = "name: Northside\ntime_zone: UTC\n";
const FOREIGN = `name: Northside
time_zone: UTC
verified_sources: [google, first_party]
sources:
  - { url: https://stranger.example/key, header: { name: X-Stolen, from_env: KEY_REVIEWS } }
`;
const SOURCE =
  '{"url":"https://stranger.example/key","every":"1d","complete":false,"header":{"name":"X-Stolen","from_env":"KEY_REVIEWS"}}';

const OWN_IDS = [deriveReviewId("google", "1", "2026-01-02"), deriveReviewId("google", "2", "2026-01-03")] as const;
/** A review that is in no store. */
const FORGED = deriveReviewId("google", "forged", "2026-01-05");
const NO_CORRECTIONS: RestoreEffects["corrections"] = {
  ...{ hidden_criticism: 0, hidden_praise: 0, changed: 0 },
  resting: 0,
};
const UNCHANGED = { added: 0, changed: 0, withdrawn: 0, removed: 0 };
const NO_EFFECTS: RestoreEffects = {
  ...{ business: undefined, published: UNCHANGED },
  ...{ powers: [], removals: 0, deleted: [], redacted: [] },
  ...{ corrections: NO_CORRECTIONS, memory: undefined },
};
const EDITED = "insert into edit select id, 'TIME', 1 from review";
const HASH = "0".repeat(64);

function removal(id: string, what: string): string {
  return `insert into removal values ('${id}', '${what}', '2026-01-01T00:00:00.000Z', 'google', 1)`;
}

/** The key by which the words of a review are recognised. */
function keyOfWords(author: string, date: string, words: string): string {
  return createHash("sha256")
    .update(JSON.stringify([author, date, words]))
    .digest("hex");
}

/** A backup of a store into which these were imported, changed by SQL. */
async function backupOf(box: Sandbox, business: string, statements = ""): Promise<string> {
  await using other = await openSandbox("sqlite:");
  await other.take([other.write("business.yaml", business), other.write("reviews.csv", ROWS)]);
  mkdirSync(join(box.folder, "backups"), { recursive: true });
  const file = join(box.folder, "backups", `${crypto.randomUUID()}.db`);
  await backupStore(other.store, file);
  const database = new DatabaseSync(file, { defensive: false });
  database.exec(statements);
  database.close();
  return file;
}

/** Where a table or an index begins in a SQLite file; without one, the schema. */
function rootOf(file: string, name: string | undefined): number {
  if (name === undefined) return 1;
  using database = new DatabaseSync(file);
  return Number(database.prepare("select rootpage from sqlite_schema where name = ?").get(name)?.rootpage);
}

/** Has a page of a SQLite file lead to rows of its own again and again: more of them than can ever be read. */
function makeEndless(file: string, table: string | undefined): void {
  const page = rootOf(file, table);
  const [fan, levels] = [100, 5];
  const bytes = readFileSync(file);
  const size = bytes.readUInt16BE(16);
  const count = bytes.length / size;
  const [at, headAt] = [(page - 1) * size, page === 1 ? 100 : 0];
  const leaf =
    page === 1 ? Buffer.concat([Buffer.of(13), Buffer.alloc(size - 1)]) : Buffer.from(bytes.subarray(at, at + size));
  const isIndex = leaf[0] === 10;
  const first = leaf.readUInt16BE(8);
  const body = isIndex ? leaf.subarray(first, first + 1 + (leaf[first] ?? 0)) : Buffer.of(127); // the largest row below
  /** A page of the tree whose cells all lead to one page. */
  const above = (child: number, headOffset: number) => {
    const made = Buffer.alloc(size);
    const cell = size - 4 - body.length;
    made.writeUInt32BE(child, cell);
    body.copy(made, cell + 4);
    made[headOffset] = isIndex ? 2 : 5;
    made.writeUInt16BE(fan, headOffset + 3);
    made.writeUInt16BE(cell, headOffset + 5);
    made.writeUInt32BE(child, headOffset + 8);
    for (let index = 0; index < fan; index++) made.writeUInt16BE(cell, headOffset + 12 + 2 * index);
    return made;
  };
  const tree = Array.from({ length: levels }, (_, level) => above(count + 1 + level, 0));
  const top = above(count + 1 + levels, headAt);
  bytes.copy(top, 0, at, at + headAt);
  top.copy(bytes, at);
  bytes.writeUInt32BE(count + 1 + levels, 28);
  writeFileSync(file, Buffer.concat([bytes, leaf, ...tree]));
}

/** A store with a review and a business of its own. */
async function openOwn(): Promise<Sandbox> {
  const box = await openSandbox();
  await box.take([box.write("business.yaml", OWN), box.write("reviews.csv", `${ROWS}2,Bo,4,2026-01-03,google,Tidy\n`)]);
  return box;
}

async function effectsOn(box: Sandbox, file: string): Promise<RestoreEffects> {
  const restoring = await openRestore(file, HERE);
  try {
    return await restoring.effects(box.store);
  } finally {
    await restoring.close();
  }
}

/** Files of the tests are well formed, unless they are about others: no process is started for each. */
const HERE = { inThisProcess: true };

describe("openRestore()", () => {
  test("lists what the backup fetches, sends and verifies otherwise than the store, old and new", async () => {
    await using box = await openOwn();
    const powersOf = async (file: string) => (await effectsOn(box, file)).powers;
    assert.deepEqual(await powersOf(await backupOf(box, OWN)), []);
    const foreign = await backupOf(box, FOREIGN);
    assert.deepEqual(await powersOf(foreign), ["verified_sources, new: first_party", `sources, new: ${SOURCE}`]);
    await restoreBackup(box.store, foreign, NOW);
    assert.deepEqual(await powersOf(await backupOf(box, OWN)), [
      "verified_sources, no longer: first_party",
      `sources, no longer: ${SOURCE}`,
    ]);
  });

  test("lists which reviews of the store its removals delete and redact for good", async () => {
    await using box = await openOwn();
    const [ann, bo] = OWN_IDS;
    const removals = `${removal(FORGED, "review")}; ${removal(bo, "text")};
      insert into removal_key values ('${FORGED}', 'words', '${keyOfWords("ann", "2026-01-02", "they were friendly")}'),
        ('${bo}', 'identity', '${identityPart(bo)}')`;
    const file = await backupOf(box, OWN, removals);
    const published = { ...UNCHANGED, withdrawn: 1, removed: 1 };
    const expected = { ...NO_EFFECTS, published, removals: 2, deleted: [ann], redacted: [bo] };
    assert.deepEqual(await effectsOn(box, file), expected);
    const report = await restoreBackup(box.store, file, NOW);
    assert.deepEqual([report.removals, report.deleted, report.redacted], [2, [ann], [bo]]);
    assert.deepEqual(await effectsOn(box, file), NO_EFFECTS);
  });

  test("takes keys only of removals of reviews of which the store has none", async () => {
    await using box = await openOwn();
    const [ann, bo] = OWN_IDS;
    await removeReviews(box.store, [bo], { what: ["author"], now: NOW });
    const before = await listRemovalKeys(box.store.database);
    const other = deriveReviewId("google", "other", "2026-01-05");
    const key = keyOfWords("ann", "2026-01-02", "they were friendly");
    for (const id of [FORGED, bo]) {
      const keys = `insert into removal_key values ('${id}', 'words', '${key}')`;
      const file = await backupOf(box, OWN, `${removal(other, "review")}; ${removal(bo, "text")}; ${keys}`);
      assert.deepEqual((await effectsOn(box, file)).deleted, []);
      await restoreBackup(box.store, file, NOW);
      assert.deepEqual(await listRemovalKeys(box.store.database), before);
      const ids = (await box.rows()).map((row) => row.id);
      assert.deepEqual(ids, [ann]);
    }
  });

  test("counts a removal of the same review under the id of another day as the store's own", async () => {
    await using box = await openOwn();
    const [, bo] = OWN_IDS;
    await removeReviews(box.store, [bo], { what: ["author"], now: NOW });
    const other = reviewIdWithDate(bo, "2026-01-04");
    const file = await backupOf(box, OWN, `${removal(other, "author")}; ${removal(other, "text")}`);
    const { removals, redacted } = await effectsOn(box, file);
    assert.deepEqual([removals, redacted], [1, [bo]]);
    await restoreBackup(box.store, file, NOW);
    const held = (await listRemovals(box.store.database)).map(({ id, what }) => `${id} ${what}`);
    assert.deepEqual(held.toSorted(), [`${bo} author`, `${bo} text`]);
  });

  test("refuses a backup whose pages lead to each other, however long SQLite would read it", async () => {
    await using box = await openOwn();
    const readWith = async (file: string, seconds: number) => {
      for await (const part of partsByProcess(file, seconds))
        if ("isSound" in part && !part.isSound) throw new Error("damaged");
    };
    for (const table of [
      "sqlite_stat1",
      "sqlite_autoindex_kysely_migration_1",
      "kysely_migration",
      "review",
      undefined,
    ]) {
      const file = await backupOf(box, OWN, "analyze");
      makeEndless(file, table);
      await assert.rejects(readWith(file, 1), /not read to its end|damaged|malformed|unable to open|out of memory/);
    }
    const short = await backupOf(box, OWN);
    truncateSync(short, 8_192);
    await assert.rejects(openRestore(short), /it is damaged; take an older backup/);
    const file = await backupOf(box, OWN);
    writeFileSync(`${file}-wal`, "other pages");
    await assert.rejects(openRestore(file), /a log lies beside it; take a file that goodword backup wrote/);
  });

  test("a process that reads a backup without end is ended, by itself and by whom it reads for", async () => {
    await using box = await openOwn();
    const file = await backupOf(box, OWN, "analyze");
    makeEndless(file, "sqlite_stat1");
    const alone = fork(READER);
    alone.send({ file, seconds: 0.1 });
    assert.deepEqual(await once(alone, "exit"), [null, "SIGKILL"]);

    const parts = partsByProcess(await backupOf(box, OWN), 1);
    await parts.next();
    const { stdout } = spawnSync("pgrep", ["-P", `${process.pid}`, "-f", READER]);
    process.kill(Number(`${stdout}`), "SIGSTOP");
    await assert.rejects(async () => {
      for await (const _ of parts); // what it has sent already, and then nothing
    }, /not read to its end/);
  });

  test("restores nothing but what was confirmed", async () => {
    await using box = await openOwn();
    const restoring = await openRestore(await backupOf(box, FOREIGN), HERE);
    const before = [await box.rows(), (await readSnapshot(box.store)).business];
    await assert.rejects(restoring.apply(box.store, NOW, NO_EFFECTS), /The store was changed while you were asked/);
    assert.deepEqual([await box.rows(), (await readSnapshot(box.store)).business], before);
    await restoring.close();
  });

  test("deletes for good nothing but what was confirmed, also what came to the store meanwhile", async () => {
    await using box = await openOwn();
    const key = keyOfWords("cy", "2026-01-06", "come meanwhile");
    const rows = `${removal(FORGED, "review")}; insert into removal_key values ('${FORGED}', 'words', '${key}')`;
    const restoring = await openRestore(await backupOf(box, OWN, rows), HERE);
    const confirmed = await restoring.effects(box.store);
    await box.take(box.write("c.csv", "id,author,rating,date,source,text\n3,Cy,5,2026-01-06,google,Come meanwhile\n"));
    const before = await box.rows();
    const unseen = { ...(await restoring.effects(box.store)), deleted: [] };
    for (const seen of [confirmed, unseen])
      await assert.rejects(restoring.apply(box.store, NOW, seen), /The store was changed while you were asked/);
    assert.deepEqual([await box.rows(), await listRemovals(box.store.database)], [before, []]);
    await restoring.close();
  });

  test("takes no more reviews off the pages than was confirmed", async () => {
    await using box = await openOwn();
    const restoring = await openRestore(await backupOf(box, OWN), HERE);
    const confirmed = await restoring.effects(box.store);
    await box.take(box.write("c.csv", "id,author,rating,date,source,text\n3,Cy,5,2026-01-06,google,Come meanwhile\n"));
    const before = await box.rows();
    await assert.rejects(restoring.apply(box.store, NOW, confirmed), /The store was changed while you were asked/);
    assert.deepEqual(await box.rows(), before);
    await restoring.apply(box.store, NOW, await restoring.effects(box.store));
    await restoring.close();
  });

  const CRAFTED: readonly [name: string, statement: string, fault: RegExp][] = [
    ["a link that is run", "update review set source_url = 'javascript:alert(1)'", /source_url in the table review/],
    ["a picture that is none", "update review set author_avatar_url = 'data:text/html,x'", /author_avatar_url in/],
    ["six stars", "update review set rating = 6", /rating in the table review/],
    ["words for a language", "update review set language = 'none at all'", /language in the table review/],
    ["bytes for a text", "update review set text = x'ff'", /text in the table review/],
    ["a terminal's commands", "update review set author = char(27) || '[2J'", /author in the table review/],
    ["a day that is none", "update review set date = '2026-02-30'", /date in the table review/],
    ["another review's id", "update review set id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'", /id in the table review/],
    ["numbers that end the counting", "update review set arrived = 9007199254740991", /arrived in the table review/],
    ["the last revision", "update revision set number = 9007199254740991", /number in the table revision/],
    ["the last revision but none", "update revision set number = 2000000000", /number in the table revision/],
    ["an edit after all years", EDITED.replace("TIME", "+275760-09-13T00:00:00.000Z"), /edited_at in the table edit/],
    ["an edit of no feed", EDITED.replace("TIME", "9999-12-31T23:59:59.999Z"), /edited_at in the table edit/],
    ["a time of no feed", "update revision set revised_at = '9999-12-31T23:59:59.999Z'", /revised_at in/],
    ["a number beyond all", "update revision set number = 9223372036854775807", /Cannot restore/],
    ["no revision", "delete from revision", /no row in the table revision/],
    [
      "a business without a name",
      `update business set file = '{"time_zone":"UTC"}'`,
      /its business cannot be used: name/,
    ],
    ["a business that is no JSON", "update business set file = '{'", /file in the table business/],
    [
      "a secret setting to be sent",
      `update business set file = '{"name":"A","time_zone":"UTC","sources":[{"url":"https://a.example/","header":{"name":"X","from_env":"HUB_SECRET_KEY"}}]}'`,
      /sources\.0\.header\.from_env is "HUB_SECRET_KEY": must be a setting that begins with KEY_/,
    ],
    [
      "a removal of something else",
      "insert into removal values ('x', 'review', '2026-01-01T00:00:00Z', 'google', 1)",
      /table removal/,
    ],
    [
      "the identity of another review",
      `insert into removal_key values ('${FORGED}', 'identity', '${identityPart(OWN_IDS[0])}')`,
      /key in the table removal_key/,
    ],
    ["a kind of key that is none", `insert into removal_key values ('${FORGED}', 'x', '${HASH}')`, /kind in the table/],
    ["a key that is no hash", `insert into removal_key values ('${FORGED}', 'words', 'x')`, /key in the table/],
    [
      "more keys than a removal has",
      `insert into removal_key values ${Array.from({ length: 14 }, (_, at) => `('${FORGED}', 'words', '${HASH.slice(2)}${10 + at}')`).join()}`,
      /more keys of one removal than goodword writes/,
    ],
    ["words as a source", removal(FORGED, "review").replace("google", "Words of Ann"), /source in the table removal/],
    [
      "a change of no kind",
      "insert into published_change values (99, '2026-01-01T00:00:00Z', 'Ann', 0, 0, 0, 0)",
      /kind/,
    ],
    ["words as a time", "insert into source_import values ('google', 99, 'Ann', 'Ann')", /first_at in the table/],
    [
      "words as a place's time",
      "insert into sighting values ('google', '', 'x', 1, 'Ann', null, null, null)",
      /at in the table/,
    ],
    [
      "words as the id of a vanished review",
      "insert into vanished_review values ('Ann', 1, 'google', 5, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', null, null)",
      /id in the table vanished_review/,
    ],
    ["a withdrawn address", "insert into withdrawn_review values ('../x', 'google', 1)", /table withdrawn_review/],
    ...[
      ["http://a.example/x", "http://a.example"],
      ["https://a.example/x", "https://b.example"],
      ["https://a.example:25/x", "https://a.example:25"],
      ["https://me:you@a.example/x", "https://a.example"],
      ["https://a.example/ x", "https://a.example"],
    ].map(([callback, origin]): [string, string, RegExp] => [
      `the callback ${callback} of ${origin}`,
      `insert into subscription (id, shard, topic, callback, origin, site, version, lease_ends_at, failures)
       values ('${"0".repeat(32)}', 1, '/feed.xml', '${callback}', '${origin}', 'a.example', 1, '2099-01-01T00:00:00.000Z', 0)`,
      /callback in the table subscription/,
    ]),
    [
      "a row with a negative number",
      "update review set rowid = -5, source_url = 'javascript:alert(1)'",
      /source_url in the table review/,
    ],
    [
      "a shard that is none",
      "insert into fan_out values ('/feed.xml', 99, '', 1, '2026-01-01T00:00:00Z', '', '', 1)",
      /shard in/,
    ],
  ];
  for (const [name, statement, fault] of CRAFTED) {
    test(`refuses a backup with ${name}`, async () => {
      await using box = await openOwn();
      const file = await backupOf(box, OWN, statement);
      await assert.rejects(openRestore(file, HERE), (error: Error) => {
        assert.match(error.message, fault);
        assert.match(error.message, /The store is as it was\.$/);
        return true;
      });
    });
  }

  test("runs nothing that a file defines: it refuses what goodword does not make", async () => {
    await using box = await openOwn();
    const victim = join(box.folder, "victim.db");
    const trigger = (name: string) => `create trigger ${name} after insert on review begin delete from review; end`;
    const trap = (definition: string) =>
      `create table trap (x); pragma writable_schema = on; update sqlite_master set sql = '${definition}' where name = 'trap'`;
    for (const [statements, what] of [
      ["alter table review add column x text as (hex(zeroblob(9)))", "table review"],
      ["create table trap (x check (length(hex(zeroblob(9))) > 0))", "table trap"],
      ["create index trap on review (lower(author))", "index trap"],
      ["create view trap as select 1", "view trap"],
      [trigger("trap"), "trigger trap"],
      [trap(`create table trap (x); attach "${victim}" as victim; create table victim.taken (x)`), "table trap"],
      [
        `${trigger("trap")}; pragma writable_schema = on; update sqlite_master set name = 'sqlite_stat1', sql = '${trigger("sqlite_stat1")}' where name = 'trap'`,
        "trigger sqlite_stat1",
      ],
      [trap("create table trap as select randomblob(10) as x"), "table trap"],
      [
        `drop table kysely_migration; create table kysely_migration (name as (hex(zeroblob(9))), timestamp)`,
        "table kysely_migration",
      ],
    ] as const) {
      const file = await backupOf(box, OWN, statements);
      await assert.rejects(
        openRestore(file, HERE),
        new RegExp(`damaged|added statistics|it holds a ${what} that goodword does not make`),
        statements,
      );
    }
    assert.equal(existsSync(victim), false);
  });

  test("restores again what the program made of the last times and numbers that a backup may hold", async () => {
    await using box = await openOwn();
    const most = Math.floor(Date.now() / 2_000) - 100;
    const last = EDITED.replace("TIME", "2099-12-31T23:59:59.999Z");
    const numbers = `update revision set number = ${most}; update edit set times = ${most}; update review set arrived = ${most};
      insert into published_change values (${most}, '2026-01-01T00:00:00Z', 'import', 0, 0, 0, 0)`;
    await restoreBackup(box.store, await backupOf(box, OWN, `${last}; ${numbers}`), NOW);
    await box.take(box.write("reviews.csv", `${ROWS.replace("friendly", "late")}2,Bo,4,2026-01-03,google,Tidy\n`));
    await removeReviews(box.store, [OWN_IDS[0]], { what: ["text"], now: NOW });
    const file = join(box.folder, "again.db");
    await backupStore(box.store, file);
    await using other = await openSandbox("sqlite:");
    assert.equal((await restoreBackup(other.store, file, NOW)).added, 2);
  });

  test("finds the languages of texts again, whatever the backup says", async () => {
    await using box = await openOwn();
    await restoreBackup(box.store, await backupOf(box, OWN, "update review set language = 'de'"), NOW);
    assert.deepEqual(
      (await box.rows()).map(({ language }) => language),
      ["en"],
    );
  });

  test("says if a server lacks the memory to publish what a restore, or an undo, brings; nothing else is asked of it", async () => {
    await using box = await openOwn();
    const file = await backupOf(box, OWN, "update review set text = replace(hex(zeroblob(450000)), '0', 'z')");
    const warnings = [];
    for (const memoryMb of [undefined, 512, 278]) {
      const restoring = await openRestore(file, { memoryMb, inThisProcess: true });
      for (const store of [box.store, undefined]) warnings.push((await restoring.effects(store)).memory);
      await restoring.close();
    }
    assert.deepEqual(warnings.slice(0, 4), Array(4).fill(undefined));
    for (const warning of warnings.slice(4)) assert.match(warning ?? "", /would hold 1 reviews with 1 MB .* 278 MB/);
    await restoreBackup(box.store, file, NOW);
    await withdrawSource(box.store, "google", NOW);
    const { number } = await changeToUndo(box.store);
    const undone = async (memoryMb: number) => await memoryWarning(box.store.database, memoryMb, number);
    assert.match((await undone(278)) ?? "", /would hold 1 reviews .*MEMORY_MB/);
    assert.equal(await undone(512), undefined);
  });

  test("takes over no correction of what is not found in the text, shows the others, and believes no evidence", async () => {
    await using box = await openOwn();
    const text = "😀 They were friendly";
    const key = createHash("sha256").update(text).digest("hex");
    const [id] = OWN_IDS;
    await removeReviews(box.store, [id], { what: ["author"], now: NOW });
    const rows: readonly [string, string, string, string, string][] = [
      [id, "professionalism", "positive", key, "0, 1"],
      [id, "pricing", "positive", key, "0, 1"],
      [id, "punctuality", "negative", key, "1, 2"],
      [id, "professionalism", "positive", HASH, "0, 5"],
      [FORGED, "professionalism", "positive", key, "0, 5"],
    ];
    const values = rows.map(
      ([of, aspect, was, ofText, span]) =>
        `('${of}', '${aspect}', '${was}', 'negative', '2026-01-03T00:00:00.000Z', 'Ann said so', '${ofText}', ${span})`,
    );
    const file = await backupOf(
      box,
      OWN,
      `update review set text = '${text}'; insert into correction values ${values}`,
    );
    const corrections = { ...NO_CORRECTIONS, changed: 1, resting: 2 };
    const published = { ...UNCHANGED, changed: 1, withdrawn: 1 };
    assert.deepEqual(await effectsOn(box, file), { ...NO_EFFECTS, published, corrections });
    const restoring = await openRestore(file, HERE);
    assert.deepEqual((await restoring.effects(undefined)).corrections, corrections);
    const unconfirmed = { ...(await restoring.effects(box.store)), corrections: NO_CORRECTIONS };
    await assert.rejects(restoring.apply(box.store, NOW, unconfirmed), /Nothing was restored/);
    await restoring.close();
    await restoreBackup(box.store, file, NOW);
    const taken = (await readSnapshot(box.store)).corrections;
    assert.deepEqual(
      taken.map(({ aspect, evidence }) => [aspect, evidence]),
      [["professionalism", text]],
    );
    const notes = (await listCorrections(box.store.database)).map(({ note }) => note);
    assert.deepEqual(notes, [null, null, "Ann said so"], "an author of that day is redacted");
  });

  test("restores a store that was emptied into a new one, and again, and shows no sample in its place", async () => {
    await using box = await openSandbox("sqlite:");
    await box.take(box.write("reviews.csv", ROWS));
    await undoChange(box.store, (await changeToUndo(box.store)).number, NOW);
    const file = join(box.folder, "empty.db");
    await backupStore(box.store, file);
    await using other = await openSandbox();
    for (let round = 0; round < 2; round++) await restoreBackup(other.store, file, NOW);
    const { revision, history } = await readSnapshot(other.store);
    assert.ok(revision.number > 0);
    assert.deepEqual(
      history.changes.map(({ kind }) => kind),
      ["undo", "import"],
    );
  });

  test("takes no analysis over that the review's text does not bear out", async () => {
    await using box = await openSandbox();
    const [text, taxonomy] = [`They were friendly 😀${" and so on".repeat(100)}`, taxonomyOf(undefined)];
    const key = analysisKey(text, 5, taxonomy);
    const own = analyseText(text, 5, taxonomy);
    const bodies = [
      "no JSON",
      "{}",
      JSON.stringify({ ...own, theme_words: "+^stolen" }),
      JSON.stringify({ ...own, language: "de" }),
      JSON.stringify({ ...own, sentiment: null, score: null }),
      ...["They stole", "\ud83d", text].map((evidence) =>
        JSON.stringify({ ...own, aspects: [{ id: "professionalism", sentiment: "negative", evidence }] }),
      ),
    ];
    for (const body of [...bodies, JSON.stringify(own)]) {
      await using other = await openSandbox("sqlite:");
      await other.take(other.write("reviews.csv", ROWS.replace("They were friendly", text)));
      await other.store.database.deleteFrom("analysis").execute();
      await keepAnalyses(other.store.database, [{ key, body }]);
      const file = join(box.folder, `${crypto.randomUUID()}.db`);
      await backupStore(other.store, file);
      await box.store.database.deleteFrom("analysis").execute();
      await restoreBackup(box.store, file, NOW);
      const taken = await box.store.database.selectFrom("analysis").select("body").execute();
      assert.deepEqual(
        taken.map((row) => row.body),
        bodies.includes(body) ? [] : [body],
        body,
      );
    }
  });

  test("reads the keys of all removals once, after it has added the backup's", async () => {
    await using box = await openSandbox("sqlite:");
    await box.take([box.write("business.yaml", OWN), box.write("reviews.csv", ROWS)]);
    await removeReviews(box.store, [OWN_IDS[0]], { what: ["review"], now: NOW });
    const file = await backupOf(box, OWN, removal(FORGED, "review"));
    let reads = 0;
    const database = box.store.database.withPlugin({
      transformQuery({ node }) {
        if (SelectQueryNode.is(node) && JSON.stringify(node.from).includes('"removal_key"')) reads += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const restore = await openRestore(file);
    await restore.effects({ ...box.store, database });
    assert.equal(reads, 1);
    await restore.close();
  });
});
