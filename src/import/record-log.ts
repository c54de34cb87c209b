/**
 * The record log: the records of files as their formats read them, in a temporary database like the staging area's. An
 * import of many places reads each file once into it, and then validates and stages each record for its own place, without
 * opening a file again.
 */
import { deserialize, serialize } from "node:v8";
import type { ImportCounts } from "./import-counts.ts";
import type { Inputs } from "./input/inputs.ts";
import { type FoundPlaces, openFoundPlaces, placeKey } from "./place/found-places.ts";
import type { Entry } from "./review/candidate.ts";
import type { ReadFrom } from "./review/read-from.ts";
import { openTemporaryDatabase } from "./staging/staging.ts";

/** A record, or the fault that it has. */
type FileRecord = Exclude<
  Entry,
  { readonly refusal: string } | { readonly warning: string } | { readonly readFrom: ReadFrom }
>;

/** A file that was read into the log. */
export interface LoggedFile {
  readonly number: number;
  /** What goes for the file as a whole, for whichever place it is read: faults, warnings, its format. */
  readonly counts: ImportCounts;
  /** Whether it has a known format or was refused. */
  readonly isKnown: boolean;
}

/** Where a record stands, by the name of its file or sheet. */
export interface LoggedRecord {
  readonly file: string;
  readonly record: FileRecord;
}

/** The files that were listed, which may be closed by now. */
type ListedInputs = Omit<Inputs, "close">;

export interface RecordLog extends Disposable {
  /** The paths that were read, and what is there. */
  readonly paths: readonly string[];
  readonly inputs: ListedInputs;
  /** The places of all records. */
  readonly places: FoundPlaces;
  /** The files by their names. */
  readonly files: Map<string, LoggedFile>;
  /** Adds a record of the file with this number. */
  add(number: number, logged: LoggedRecord): void;
  /** The records of a file in their order: those with one of these keys of places, and those that tell of none. */
  records(number: number, keys: ReadonlySet<string>): Iterable<LoggedRecord>;
}

const SCHEMA =
  "create table record (number integer primary key, file integer not null, place text not null, name text not null, body blob not null); begin";

/** Opens the log of what is at the paths. */
export function openRecordLog(paths: readonly string[], inputs: ListedInputs): RecordLog {
  const database = openTemporaryDatabase(SCHEMA);
  const places = openFoundPlaces();
  const insert = database.prepare("insert into record (file, place, name, body) values (?, ?, ?, ?)");
  return {
    paths,
    inputs,
    places,
    files: new Map(),
    add(number, { file, record }) {
      const placed = { file, place: record.place, isFaulty: "fault" in record };
      places.note(placed);
      insert.run(number, placeKey(placed), file, serialize(record));
    },
    *records(number, keys) {
      database.exec("create index if not exists record_place on record (file, place)");
      const ofPlaces = "select number from record where file = ? and place in (select value from json_each(?))";
      const found = database.prepare(`select name, body from record where number in (${ofPlaces}) order by number`);
      for (const { name, body } of found.iterate(number, JSON.stringify(["", ...keys])))
        yield { file: String(name), record: deserialize(body as Uint8Array) as FileRecord };
    },
    [Symbol.dispose]: () => database.close(),
  };
}
