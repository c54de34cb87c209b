/**
 * Where an import collects its reviews before it touches the store: a private database in a temporary file, gone when
 * closed. It takes no lock that a reader or another writer of the store would feel, and keeps memory bounded.
 */
import { createHash } from "node:crypto";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";

/** What a review's identity rests on: the source's own id, the id of a publication of ours, or what it says. */
export type Basis = "own id" | "published id" | "content";

/** One review on its way, or one version of it. */
export interface StagedReview {
  readonly id: string;
  readonly source_key: string;
  readonly natural_key: string;
  readonly source: string;
  readonly basis: Basis;
  /** Where it was read, for people. */
  readonly place: string;
  /** The review as JSON. */
  readonly body: string;
}

export interface Staging {
  /** Takes a review; false when the very same was taken before. */
  add(review: StagedReview): boolean;
  /**
   * Gathers the versions of each review: those of one source key; with them those published under the id that an own
   * id gives; and those without any id that say the same. To be called once, when all are added.
   */
  gather(): void;
  /** The reviews of which there are several versions, each list in an order that does not depend on the files'. */
  contested(): Iterable<readonly StagedReview[]>;
  /** Puts one settled review in the place of all its versions, or none when there is nothing to keep. */
  settle(versions: readonly StagedReview[], settled: StagedReview | undefined): void;
  /** All reviews by source key, `size` at a time. */
  batches(size: number): Iterable<readonly StagedReview[]>;
  /** The sources of which a review was taken, in the order in which they were met. */
  sources(): string[];
  /** Remembers ids of the store, and tells which of some are remembered. */
  remember(ids: Iterable<string>): void;
  remembered(ids: readonly string[]): Set<string>;
  /** Keeps rows of the store aside under a key, and gives them back. */
  setAside(key: string, row: string): void;
  aside(size: number): Iterable<readonly { readonly key: string; readonly row: string }[]>;
  /** Takes analyses that the store lacks, and gives them back. */
  addAnalysis(key: string, body: string): void;
  analyses(size: number): Iterable<readonly { readonly key: string; readonly body: string }[]>;
  close(): void;
}

/** Opens an empty staging area. */
export function openStaging(): Staging {
  const database = new DatabaseSync("");
  database.exec(`
    pragma journal_mode = off; pragma synchronous = off; pragma temp_store = file; pragma cache_size = -16000;
    create table staged (
      hash text not null unique, gathered_key text not null, id text not null, source_key text not null,
      natural_key text not null, source text not null, basis text not null, place text not null, body text not null
    );
    create table remembered (id text primary key) without rowid;
    create table aside (key text primary key, row text not null) without rowid;
    create table analysis (key text primary key, body text not null);
    begin`);
  const insert = database.prepare("insert into staged values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing");
  const remove = database.prepare("delete from staged where hash = ?");
  const remember = database.prepare("insert into remembered values (?) on conflict do nothing");
  const isRemembered = database.prepare("select 1 from remembered where id = ?");
  const setAside = database.prepare("insert into aside values (?, ?)");
  const addAnalysis = database.prepare("insert into analysis values (?, ?) on conflict do nothing");

  function add({ id, source_key, natural_key, source, basis, place, body }: StagedReview): boolean {
    const values = [hashOf({ source_key, body }), source_key, id, source_key, natural_key, source, basis, place, body];
    return insert.run(...values).changes === 1;
  }

  /** Pages of a query that takes the last key and a size, so that a page may be changed before the next is read. */
  function* pages<Row>(sql: string, size: number, keyOf: (row: Row) => string): Generator<Row[]> {
    const statement = database.prepare(sql);
    for (let after = ""; ; ) {
      const rows = statement.all(after, size) as Row[];
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < size) return;
      after = keyOf(last);
    }
  }

  return {
    add,
    gather() {
      database.exec(`
        create index staged_id on staged (id, basis, source_key);
        create index staged_natural_key on staged (natural_key, basis, source_key);
        update staged set gathered_key = coalesce((
          select min(other.source_key) from staged other where other.id = staged.id and other.basis = 'own id'
        ), source_key) where basis = 'published id';
        update staged set gathered_key = coalesce((
          select min(other.gathered_key) from staged other
          where other.natural_key = staged.natural_key and other.basis = 'own id'
        ), (
          select min(other.gathered_key) from staged other
          where other.natural_key = staged.natural_key and other.basis = 'published id'
        ), source_key) where basis = 'content';
        create index staged_gathered_key on staged (gathered_key)`);
    },
    *contested() {
      const versions = database.prepare("select * from staged where gathered_key = ? order by hash");
      const several = `select gathered_key from staged where gathered_key > ?
        group by gathered_key having count(*) > 1 order by gathered_key limit ?`;
      for (const page of pages<{ gathered_key: string }>(several, 500, (row) => row.gathered_key)) {
        for (const { gathered_key } of page) yield versions.all(gathered_key).map(stagedReview);
      }
    },
    settle(versions, settled) {
      for (const version of versions) remove.run(hashOf(version));
      if (settled !== undefined) add(settled);
    },
    *batches(size) {
      const sql = "select * from staged where gathered_key > ? order by gathered_key limit ?";
      for (const page of pages<Record<string, SQLOutputValue>>(sql, size, (row) => String(row.gathered_key))) {
        yield page.map(stagedReview);
      }
    },
    sources: () =>
      database
        .prepare("select source from staged group by source order by min(rowid)")
        .all()
        .map(({ source }) => String(source)),
    remember(ids) {
      for (const id of ids) remember.run(id);
    },
    remembered: (ids) => new Set(ids.filter((id) => isRemembered.get(id) !== undefined)),
    setAside: (key, row) => void setAside.run(key, row),
    aside: (size) => pages("select key, row from aside where key > ? order by key limit ?", size, (row) => row.key),
    addAnalysis: (key, body) => void addAnalysis.run(key, body),
    analyses: (size) =>
      pages("select key, body from analysis where key > ? order by key limit ?", size, (row) => row.key),
    close: () => database.close(),
  };
}

/** Tells one version of a review from every other. */
function hashOf({ source_key, body }: Pick<StagedReview, "source_key" | "body">): string {
  return createHash("sha256").update(`${source_key}\0${body}`, "utf8").digest("base64");
}

function stagedReview(row: Readonly<Record<string, SQLOutputValue>>): StagedReview {
  const text = (name: string) => String(row[name]);
  return {
    id: text("id"),
    source_key: text("source_key"),
    natural_key: text("natural_key"),
    source: text("source"),
    basis: text("basis") as Basis,
    place: text("place"),
    body: text("body"),
  };
}
