/**
 * The staging area of an import that does not fit in memory, or has several versions of a review: a private, temporary
 * database, which is deleted when closed.
 */
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import type { Basis, StagedReview, Staging } from "./staged-review.ts";

const STAGED_COLUMNS = "id, source_key, natural_key, source, basis, place, body";

export interface StagingDatabase extends Staging {
  /** Of the reviews in the order of their ids, those after this one. */
  batches(size: number, after?: StagedReview): Iterable<readonly StagedReview[]>;
}

/** Opens an empty database. Its pages are large: most of it is written and read in one order. */
export function openStagingDatabase(): StagingDatabase {
  const database = new DatabaseSync("");
  database.exec(`
    pragma page_size = 16384; pragma journal_mode = off; pragma synchronous = off; pragma temp_store = file; pragma cache_size = -8000;
    create table staged (
      source_key text not null, group_key text, id text not null, natural_key text not null, source text not null,
      basis text not null, place text not null, body text not null
    );
    create table remembered (id text not null);
    create table aside (key text primary key, row text not null) without rowid;
    create table analysis (key text not null, body text not null, needed integer not null);
    begin`);
  const insert = database.prepare("insert into staged values (?, null, ?, ?, ?, ?, ?, ?)");
  const remove = database.prepare("delete from staged where source_key = ?");
  const remember = database.prepare("insert into remembered values (?)");
  const setAside = database.prepare("insert into aside values (?, ?)");
  const addAnalysis = database.prepare("insert into analysis values (?, ?, 1)");
  /** The statement that finds a remembered id, and its index: most imports remember all ids and ask for none. */
  let isRemembered: StatementSync | undefined;
  /** The sources of all reviews that were added, and those of the reviews that are left when some were replaced. */
  const added = new Set<string>();
  let sources: string[] | undefined;
  let isAsAdded = true;
  const bases = new Set<Basis>();
  /** The column by which versions of one review are found. */
  let groupKey: "source_key" | "group_key" = "source_key";

  function add({ id, source_key, natural_key, source, basis, place, body }: StagedReview): number {
    const { lastInsertRowid } = insert.run(source_key, id, natural_key, source, basis, place, body);
    added.add(source);
    sources = undefined;
    bases.add(basis);
    return Number(lastInsertRowid);
  }

  /** Removes versions that were added before, and returns the bases of their reviews. */
  function removeRepeated(): Set<Basis> {
    const repeated = new Set<Basis>();
    const versions = database.prepare("select rowid, basis, body from staged where source_key = ? order by rowid");
    const forget = database.prepare("delete from staged where rowid = ?");
    for (const page of keysOfSeveral("source_key")) {
      for (const { key } of page) {
        const bodies = new Set<SQLOutputValue | undefined>();
        const again: SQLInputValue[] = [];
        for (const { rowid, basis, body } of versions.iterate(key)) {
          if (bodies.has(body)) {
            again.push(rowid ?? null);
            repeated.add(basis as Basis);
          }
          bodies.add(body);
        }
        for (const rowid of again) forget.run(rowid);
      }
    }
    return repeated;
  }

  /** The keys that several versions share, a page at a time. */
  function keysOfSeveral(column: typeof groupKey): Generator<{ readonly key: string }[]> {
    const sql = `select ${column} as key from staged where ${column} > ?
      group by ${column} having count(*) > 1 order by ${column} limit ?`;
    return pages(sql, { size: 500, keyOf: ({ key }) => key, from: "" });
  }

  /** Pages through a query by key, so that the rows of one page may be changed before the next page is read. */
  function* pages<Row, Key extends string | number = string>(
    sql: string,
    { size, keyOf, from }: { readonly size: number; readonly keyOf: (row: Row) => Key; readonly from: Key },
  ): Generator<Row[]> {
    const statement = database.prepare(sql);
    for (let after = from; ; ) {
      const rows = statement.all(after, size) as Row[];
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < size) return;
      after = keyOf(last);
    }
  }

  return {
    add,
    groupVersions() {
      database.exec("create index staged_source_key on staged (source_key)");
      const repeated = removeRepeated();
      if (bases.size < 2) return repeated;
      groupKey = "group_key";
      database.exec("update staged set group_key = source_key");
      if (bases.has("published id")) {
        database.exec(`
        create index staged_id on staged (id, basis, source_key);
        update staged set group_key = coalesce((
          select min(other.source_key) from staged other where other.id = staged.id and other.basis = 'own id'
        ), source_key) where basis = 'published id'`);
      }
      if (bases.has("content")) {
        database.exec(`
        create index staged_natural_key on staged (natural_key, basis, source_key);
        update staged set group_key = coalesce((
          select min(other.group_key) from staged other
          where other.natural_key = staged.natural_key and other.basis = 'own id'
        ), (
          select min(other.group_key) from staged other
          where other.natural_key = staged.natural_key and other.basis = 'published id'
        ), source_key) where basis = 'content'`);
      }
      database.exec("create index staged_group_key on staged (group_key)");
      return repeated;
    },
    *duplicates() {
      const order = "order by source_key, body, rowid";
      const versions = inArrays(
        database.prepare(`select ${STAGED_COLUMNS} from staged where ${groupKey} = ? ${order}`),
      );
      for (const page of keysOfSeveral(groupKey)) for (const { key } of page) yield versions.all(key).map(stagedReview);
    },
    replace(versions, merged) {
      // Versions with the same source key are versions of one review.
      for (const key of new Set(versions.map(({ source_key }) => source_key))) remove.run(key);
      sources = undefined;
      isAsAdded = false;
      if (merged !== undefined) add(merged);
    },
    *batches(size, after) {
      database.exec("create index if not exists staged_order on staged (id, source_key)");
      const sql = `select ${STAGED_COLUMNS} from staged where (id, source_key) > (?, ?) order by id, source_key limit ?`;
      const statement = inArrays(database.prepare(sql));
      for (let last = after; ; ) {
        const page = statement.all(last?.id ?? "", last?.source_key ?? "", size).map(stagedReview);
        if (page.length > 0) yield page;
        last = page.at(-1);
        if (last === undefined || page.length < size) return;
      }
    },
    lastNumber: () => Number(database.prepare("select max(rowid) as last from staged").get()?.last ?? 0),
    isAsAdded: () => isAsAdded,
    *bodies(size, { first, last }) {
      const sql = `select rowid, body from staged where rowid > ? and rowid <= ${last} order by rowid limit ?`;
      const keyOf = (row: { readonly rowid: number; readonly body: string }) => row.rowid;
      for (const page of pages(sql, { size, keyOf, from: first - 1 })) yield page.map(({ body }) => body);
    },
    sources() {
      if (isAsAdded) return [...added];
      const found = "select source from staged group by source order by min(rowid)";
      sources ??= database
        .prepare(found)
        .all()
        .map(({ source }) => String(source));
      return sources;
    },
    hasBasis: (basis) => bases.has(basis),
    remember(ids) {
      for (const id of ids) remember.run(id);
    },
    remembered(ids) {
      if (ids.length === 0) return new Set();
      if (isRemembered === undefined) {
        database.exec("create index remembered_id on remembered (id)");
        isRemembered = database.prepare("select 1 from remembered where id = ?");
      }
      const statement = isRemembered;
      return new Set(ids.filter((id) => statement.get(id) !== undefined));
    },
    setAside: (key, row) => void setAside.run(key, row),
    aside: (size) =>
      pages("select key, row from aside where key > ? order by key limit ?", {
        size,
        keyOf: (row) => row.key,
        from: "",
      }),
    addAnalysis: (key, body) => void addAnalysis.run(key, body),
    doubtAnalyses: () =>
      database.exec("update analysis set needed = 0; create index if not exists analysis_key on analysis (key)"),
    needAnalyses(keys) {
      const need = database.prepare("update analysis set needed = 1 where key = ?");
      for (const key of keys) need.run(key);
    },
    *takeAnalyses(size) {
      const { last } = database.prepare("select max(rowid) as last from analysis").get() ?? {};
      const isTaken = `needed = 1 and rowid <= ${Number(last)}`;
      // Sorting takes half as long as an index does that grows with each row; in order, the store adds rows faster.
      const sql = `select key, body from analysis where ${isTaken} order by key`;
      let page: { readonly key: string; readonly body: string }[] = [];
      for (const [key, body] of inArrays(database.prepare(sql)).iterate()) {
        page.push({ key: String(key), body: String(body) });
        if (page.length < size) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
      database.exec(`delete from analysis where ${isTaken}`);
    },
    close: () => database.close(),
  };
}

/** Rows as arrays in the order of the columns: they are made in three fifths of the time that objects take. */
interface InArrays {
  all(...values: SQLInputValue[]): SQLOutputValue[][];
  iterate(): Iterable<SQLOutputValue[]>;
}

function inArrays(statement: StatementSync): InArrays {
  statement.setReturnArrays(true);
  return statement as unknown as InArrays;
}

/** A row of `STAGED_COLUMNS`, which are all texts. */
function stagedReview(row: readonly SQLOutputValue[]): StagedReview {
  const [id = "", source_key = "", natural_key = "", source = "", basis, place = "", body = ""] = row as string[];
  return { id, source_key, natural_key, source, basis: basis as Basis, place, body };
}
