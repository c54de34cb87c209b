/**
 * The staging area: a private, temporary SQLite database in which an import collects its reviews and their analyses
 * before it touches the store. It takes no locks on the store, and memory stays bounded however large the import is.
 * SQLite makes its file in the first of TMPDIR, /var/tmp and /tmp that it may write to, readable by this user alone, and
 * unlinks it at once, so that nothing is left after a crash.
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { FinishedAnalysis } from "../../analysis/analysis-queue.ts";
import { Invalid, quote } from "../../issue.ts";
import { boundedPages } from "../../lib/bounded-pages.ts";
import type { Basis, Candidate, StagedReview } from "../review/candidate.ts";

/** The words and stars of a staged review, and the key of the analysis that it needs. */
export interface StagedText {
  /** The review's number: reviews that are added later have higher ones. */
  readonly number: number;
  readonly key: string;
  readonly text: string;
  readonly rating: number;
}

export interface AnalysedReview extends StagedReview {
  /** Null where no analysis of the text was staged. */
  readonly language: string | null;
}

export interface Staging {
  /** The number of versions that were added. */
  readonly count: number;
  /** Adds a version of a review. */
  add(review: StagedReview): void;
  /**
   * Leaves one of identical versions, and groups the others of each review: those with the same source key, those that
   * were published under the id that follows from a source's own id, and those without an id that have the same content.
   * Call it once, after the last `add`. Returns the bases of the reviews that had identical versions.
   */
  groupVersions(): ReadonlySet<Basis>;
  /**
   * The groups with more than one version, after `groupVersions`. The order of the files does not affect their order.
   * Throws Invalid at one that is too large to be held in memory.
   */
  duplicates(): Iterable<readonly StagedReview[]>;
  /** Replaces versions of a review with the merged one, or removes them when `merged` is undefined. */
  replace(versions: readonly StagedReview[], merged: StagedReview | undefined): void;
  /**
   * All reviews in the order of their ids, in which the store adds rows fastest, in bounded pages of at most `size`, after
   * `groupVersions`, with the language of the text where an analysis found it. Those of a page may be replaced before the
   * next page is read.
   */
  batches(size: number): Iterable<readonly AnalysedReview[]>;
  /** The sources of the reviews, in the order in which they were added. */
  sources(): readonly string[];
  /** Whether a review with this basis of its identity was added. */
  hasBasis(basis: Basis): boolean;
  /** Remembers ids of stored reviews, with their source where it is known. */
  remember(ids: Iterable<string>, source?: string): void;
  /** How many were remembered of a source. */
  countRemembered(source: string): number;
  /** The remembered ids of a source, in bounded pages of at most `size`. */
  rememberedOf(source: string, size: number): Iterable<readonly string[]>;
  /** Those of the given ids that were remembered. */
  remembered(ids: readonly string[]): Set<string>;
  /** Parks a row of the store under a key. */
  park(key: string, row: string): void;
  /** The parked rows in bounded pages of at most `size`. */
  parkedRows(size: number): Iterable<readonly ParkedRow[]>;
  /** The texts of the reviews that need an analysis and have a higher number, ascending. */
  textsAfter(number: number): Iterable<StagedText>;
  /** Adds analyses of staged texts. The same one may be added twice. */
  addAnalyses(analyses: readonly FinishedAnalysis[]): void;
  /** The analyses that a review of the staging area needs, once each, in the order of their keys, in bounded pages. */
  analyses(size: number): Iterable<readonly FinishedAnalysis[]>;
  /** Deletes everything. */
  close(): void;
}

interface ParkedRow {
  readonly key: string;
  readonly row: string;
}

/** They are held in memory. A review has as many versions as there are exports of it. */
const MAX_VERSIONS = 20_000;
const MAX_VERSIONS_BYTES = 32_000_000;

/** Large pages: most of the data is written and read in one order. */
const PRAGMAS =
  "pragma page_size = 16384; pragma journal_mode = off; pragma synchronous = off; pragma temp_store = file; pragma cache_size = -8000;";
const SCHEMA = `
  create table staged (
    number integer primary key, id text not null, source_key text not null, natural_key text not null, group_key text,
    source text not null, basis text not null, place text not null, analysis_key text, candidate text not null
  );
  create table remembered (id text primary key, source text not null) without rowid;
  create table parked (key text primary key, row text not null) without rowid;
  create table analysis (key text not null, body text not null);
  begin`;
const COLUMNS = "id, source_key, natural_key, basis, place, candidate";
/** Versions of the same review have the same group. */
const GROUP = "coalesce(group_key, source_key)";
const LANGUAGE = "json_extract(body, '$.language')";
const GROUPS_OF_SEVERAL = `select ${GROUP} as key from staged group by key having count(*) > 1`;

/** Opens a private database with this schema, of which nothing is left once it is closed. */
export function openTemporaryDatabase(schema: string): DatabaseSync {
  const database = new DatabaseSync("");
  database.exec(`${PRAGMAS} ${schema}`);
  return database;
}

/** Opens an empty staging area. `analysisKey` gives the key of the analysis that a review needs, if it needs one. */
export function openStaging(analysisKey: (candidate: Candidate) => string | undefined = () => undefined): Staging {
  const database = openTemporaryDatabase(SCHEMA);
  const insert = database.prepare("insert into staged values (?, ?, ?, ?, null, ?, ?, ?, ?, ?)");
  const remember = database.prepare("insert or ignore into remembered values (?, ?)");
  const isRemembered = database.prepare("select 1 from remembered where id = ?");
  const park = database.prepare("insert into parked values (?, ?)");
  const addAnalysis = database.prepare("insert into analysis values (?, ?)");
  const bases = new Set<Basis>();
  let count = 0;

  function add({ id, source_key, natural_key, basis, place, candidate }: StagedReview): void {
    count += 1;
    const key = analysisKey(candidate) ?? null;
    const { source } = candidate;
    insert.run(count, id, source_key, natural_key, source, basis, place, key, JSON.stringify(candidate));
    bases.add(basis);
  }

  /** Gives published reviews the group of the own id that they follow from, and those without an id that of their content. */
  function joinGroups(): void {
    database.exec(`
      create index staged_id on staged (id, basis, source_key);
      update staged set group_key = (
        select min(other.source_key) from staged other where other.id = staged.id and other.basis = 'own id'
      ) where basis = 'published id';
      create index staged_natural_key on staged (natural_key, basis, source_key);
      update staged set group_key = coalesce((
        select min(other.source_key) from staged other
        where other.natural_key = staged.natural_key and other.basis = 'own id'
      ), (
        select min(coalesce(other.group_key, other.source_key)) from staged other
        where other.natural_key = staged.natural_key and other.basis = 'published id'
      )) where basis = 'content'`);
  }

  return {
    get count() {
      return count;
    },
    add,
    groupVersions() {
      if (bases.size > 1) joinGroups();
      database.exec(
        `create index staged_order on staged (id, source_key); create table several as ${GROUPS_OF_SEVERAL}`,
      );
      if (database.prepare("select 1 from several limit 1").get() === undefined) return new Set();
      database.exec(`create index staged_group on staged (${GROUP})`);
      const removeIdentical = database.prepare(`
        delete from staged where number in (
          select number from (
            select number, row_number() over (partition by ${GROUP}, candidate order by number) as version
            from staged where ${GROUP} in (select key from several)
          ) where version > 1
        ) returning basis`);
      const repeated = new Set(Array.from(removeIdentical.iterate(), ({ basis }) => basis as Basis));
      database.exec(`delete from several; insert into several ${GROUPS_OF_SEVERAL} order by key`);
      return repeated;
    },
    *duplicates() {
      const order = "order by source_key, candidate, number";
      const versions = database.prepare(`select ${COLUMNS} from staged where ${GROUP} = ? ${order}`);
      for (const { key } of database.prepare("select key from several").iterate()) {
        const found: StagedReview[] = [];
        let bytes = 0;
        for (const row of versions.iterate(key as string)) {
          bytes += sizeOf(row);
          found.push(fromRow(row));
          if (found.length > MAX_VERSIONS) throw tooLarge(found, `${MAX_VERSIONS} different versions`);
          if (bytes > MAX_VERSIONS_BYTES) throw tooLarge(found, "32 MB of words in its different versions");
        }
        yield found;
      }
    },
    replace(versions, merged) {
      const remove = database.prepare("delete from staged where id = ? and source_key = ?");
      for (const { id, source_key } of versions) remove.run(id, source_key);
      if (merged !== undefined) add(merged);
    },
    *batches(size) {
      database.exec(`create index if not exists analysis_language on analysis (key, ${LANGUAGE})`);
      const language = `(select ${LANGUAGE} from analysis where key = analysis_key limit 1) as language`;
      const statement = database.prepare(
        `select ${COLUMNS}, ${language} from staged where (id, source_key) > (?, ?) order by id, source_key limit ?`,
      );
      for (let last: AnalysedReview | undefined; ; ) {
        const rows = statement.iterate(last?.id ?? "", last?.source_key ?? "", size);
        const [page = []] = boundedPages(rows, sizeOf); // ends the reading
        if (page.length === 0) return;
        const reviews = page.map((row) => fromRow(row) as AnalysedReview);
        last = reviews.at(-1);
        yield reviews;
      }
    },
    sources() {
      const inOrder = database.prepare("select source from staged group by source order by min(number)");
      return inOrder.all().map(({ source }) => String(source));
    },
    hasBasis: (basis) => bases.has(basis),
    remember(ids, source = "") {
      for (const id of ids) remember.run(id, source);
    },
    countRemembered: (source) =>
      Number(database.prepare("select count(*) as count from remembered where source = ?").get(source)?.count),
    *rememberedOf(source, size) {
      const page = database.prepare("select id from remembered where source = ? and id > ? order by id limit ?");
      for (let after = ""; ; ) {
        const ids = page.all(source, after, size).map(({ id }) => String(id));
        after = ids.at(-1) ?? after;
        if (ids.length > 0) yield ids;
        if (ids.length < size) return;
      }
    },
    remembered: (ids) => new Set(ids.filter((id) => isRemembered.get(id) !== undefined)),
    park: (key, row) => void park.run(key, row),
    parkedRows(size) {
      const rows = database.prepare("select key, row from parked order by key").iterate();
      return boundedPages(rows as Iterable<ParkedRow & Row>, sizeOf, size);
    },
    *textsAfter(number) {
      const statement = database.prepare(
        "select number, analysis_key, candidate from staged where number > ? and analysis_key is not null order by number",
      );
      for (const row of statement.iterate(number)) {
        const { text, rating } = JSON.parse(String(row.candidate)) as Candidate;
        yield { number: Number(row.number), key: String(row.analysis_key), text: text ?? "", rating };
      }
    },
    addAnalyses(analyses) {
      for (const { key, body } of analyses) addAnalysis.run(key, body);
    },
    analyses(size) {
      const needed = "key in (select analysis_key from staged)";
      const first = `select min(rowid) from analysis where ${needed} group by key`; // sorts keys, and not the bodies
      const sql = `select key, body from analysis where rowid in (${first}) order by key`;
      return boundedPages(database.prepare(sql).iterate() as Iterable<FinishedAnalysis & Row>, sizeOf, size);
    },
    close: () => database.close(),
  };
}

function tooLarge([first]: readonly StagedReview[], limit: string): Invalid {
  const { place, source_id } = { place: first?.place ?? "", source_id: first?.candidate.source_id ?? null };
  const review = source_id === null ? "this review" : `the review with the id ${quote(source_id)}`;
  const message = `${place}: ${review} has more than ${limit}. Check that its id is its own, or import fewer files at a time`;
  return new Invalid([{ code: "contradiction", path: [place], message }]);
}

type Row = Record<string, SQLInputValue>;

/** The characters of a row, which V8 holds in one or two bytes each. */
function sizeOf(row: Row): number {
  let size = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === "string") size += value.length;
  }
  return size;
}

/** Makes a review of a row of `COLUMNS`. */
function fromRow(row: Row): StagedReview {
  return { ...row, candidate: JSON.parse(String(row.candidate)) } as StagedReview;
}
