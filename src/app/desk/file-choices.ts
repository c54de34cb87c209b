/**
 * What the owner has chosen for tables: their columns, the order of their dates, their encoding. The next file with the same
 * columns, such as that of next month, is read in the same way. It is remembered in the site's folder, where somebody else
 * may write: it only fills the fields of a form that the owner sees.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { TableSample } from "../../import/file-samples.ts";
import { MAPPABLE_FIELDS } from "../../import/format/column-mapping.ts";
import { readSmallFile } from "../../lib/small-file.ts";

const [MAX_TABLES, MAX_COLUMNS, MAX_NAME_LENGTH, MAX_BYTES] = [20, 100, 60, 200_000];

/** A name of digits is a rating or a date: the first row is a review, of which nothing may be kept. */
const OF_A_REVIEW = /^[\d\s./:-]+$/;

const nameSchema = z.string().min(1).max(MAX_NAME_LENGTH);
const choicesSchema = z.object({
  columns: z.partialRecord(z.enum(MAPPABLE_FIELDS), nameSchema).optional(),
  dates: z.enum(["dmy", "mdy"]).optional(),
  encoding: z.string().max(20).optional(),
});
const fileSchema = z
  .array(z.object({ names: z.array(z.string().max(MAX_NAME_LENGTH)).max(MAX_COLUMNS), chosen: choicesSchema }))
  .max(MAX_TABLES);

/** What can be chosen for a table. */
type FileChoices = Readonly<z.infer<typeof choicesSchema>>;

type Tables = readonly Pick<TableSample, "columns">[];

/** The choices that a desk remembers. */
export interface RememberedChoices {
  /** What was chosen for a table with the same columns as one of these. */
  recall(tables: Tables): FileChoices | undefined;
  /** Keeps what was chosen for these tables. */
  remember(tables: Tables, chosen: FileChoices): void;
}

/** Those of a file; `within`: the folder that it must lie in. What is no such file is taken for an empty one. */
export function openChoices(path: string, within: string | undefined): RememberedChoices {
  function read(): z.infer<typeof fileSchema> {
    try {
      return fileSchema.parse(JSON.parse(readSmallFile(path, within, MAX_BYTES) ?? "[]"));
    } catch {
      return [];
    }
  }
  return {
    recall: (tables) =>
      read().find(({ names }) => tables.some(({ columns }) => isDeepStrictEqual(names, columns)))?.chosen,
    remember(tables, given) {
      const { data: chosen } = choicesSchema.safeParse(given);
      if (chosen === undefined) return; // a longer name than is kept
      const named = tables.map(({ columns }) => columns).slice(0, MAX_TABLES);
      const fitting = named.filter(
        (names) =>
          names.every((name) => !OF_A_REVIEW.test(name)) &&
          Object.values(chosen.columns ?? {}).every((name) => names.includes(name)),
      );
      if (fitting.length === 0 || Object.values(chosen).every((each) => each === undefined)) return;
      const others = read().filter(({ names }) => !fitting.some((each) => isDeepStrictEqual(each, names)));
      const all = [...fitting.map((names) => ({ names, chosen })), ...others].slice(0, MAX_TABLES);
      const part = `${path}.${process.pid}.part`;
      try {
        rmSync(part, { force: true });
        writeFileSync(part, JSON.stringify(fileSchema.parse(all)), { flag: "wx", mode: 0o600 }); // through no link
        renameSync(part, path);
      } catch {
        // a folder that may not be written, or names that are too long: the owner chooses again
      }
    },
  };
}
