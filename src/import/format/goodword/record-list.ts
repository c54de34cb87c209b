/** The records of a table or of a JSON document, in one form, so that both are judged and read alike. */
import { isObject, type JsonObject } from "../../../lib/json-object.ts";
import type { ToldPlace } from "../../place/told-place.ts";

/** The values of a record by the names of its columns or members. */
export type RecordValues = (name: string) => unknown;

/** A record with its position (`line 3`, `reviews[2]`), or why there is none. */
export type ReadRecord = { readonly at: string } & (
  | { readonly value: RecordValues; readonly cells: Iterable<unknown>; place(): ToldPlace | undefined }
  | { readonly fault: string }
  | { readonly warning: string }
);

export interface RecordList {
  /** What the fields of a record are called, for messages. */
  readonly noun: "columns" | "members";
  /** The position of the header, for messages. */
  readonly headerAt: string;
  /** The names of all columns, or of the members of all records, in order. */
  readonly names: readonly string[];
  /** Columns without a name of their own, which are named by their number: `column 6`. */
  readonly unnamed?: ReadonlySet<string>;
  /** The lines above the header of a table. */
  readonly titles?: readonly string[];
  /** Columns that a sheet does not show. */
  readonly hidden?: ReadonlySet<string>;
  /** Reads the records, some at a time. Can be called again. */
  pages(): AsyncIterable<readonly ReadRecord[]>;
}

const MAX_DEPTH = 3;

/** An object's members with those of the objects in it, by dotted names: `{a: {b: 1}}` has `a` and `a.b`. */
export function flattened(record: JsonObject, depth = MAX_DEPTH): Map<string, unknown> {
  const flat = new Map<string, unknown>();
  for (const [name, given] of Object.entries(record)) {
    // A list of one holds nothing but that one.
    const value = Array.isArray(given) && given.length === 1 ? given[0] : given;
    if (!isObject(value) || depth === 0) flat.set(name, value);
    else if (valueIn(value) !== undefined) flat.set(name, valueIn(value));
    else for (const [inner, each] of flattened(value, depth - 1)) flat.set(`${name}.${inner}`, each);
  }
  return flat;
}

/** The value that an object of MongoDB or Firestore stands for (`{"$date": …}`, `{"stringValue": …}`); undefined for any other. */
function valueIn(value: JsonObject): unknown {
  const names = Object.keys(value).filter((name) => !/^_?nano(?:second)?s$/.test(name));
  const [name = ""] = names;
  if (names.length !== 1 || !/^(?:\$\w+|_?seconds|(?:string|integer|double|timestamp)Value)$/.test(name))
    return undefined;
  const inner = value[name];
  return isObject(inner) ? valueIn(inner) : inner;
}

/** What databases and spreadsheets write for nothing, or for words that they have lost. */
const NOTHING = /^\s*(?:(?:NULL|\\N|#N\/A|#NV)\s*)?$/;
/** What a spreadsheet shows in the place of words that it took for a formula, in its languages. */
export const LOST_WORDS =
  /^\s*#(?:NAME\?|[¡¿]?(?:VALUE|REF|WERT|BEZUG|ZAHL|VALEUR|NOM|NOMBRE|VALOR|NOME|VALORE|RIF|WAARDE|VERW|NAAM|ARG|ADR|NAZWA|VÄRDEFEL|NAMN|VÆRDI|NAVN)[!?])\s*$/;

/** Whether a cell or member holds nothing. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === "string" && (NOTHING.test(value) || (value.includes("#") && LOST_WORDS.test(value))))
  );
}
