/** Says how unused columns can be used that probably hold the ids or the customers' words, with the whole option. */
import { quote, quoteName } from "../../../issue.ts";
import { vagueDateFault } from "../../review/vague-date.ts";
import type { ReadOptions } from "../format.ts";
import type { ColumnChoice } from "./column-choice.ts";
import type { RecordList } from "./record-list.ts";

const NUMBERS = /\b(?:no|nr|number|nummer|id|invoice|rechnung|order|booking|job|ticket)\b/i;
/** Words that are not for the public. */
const OF_OFFICE = /privat|intern|confiden|vertraulich|note$|notes$|notiz/i;
const MAX_RECORDS_SAMPLED = 20;

/** Advice that follows the list of unused columns; empty if there is none. */
export async function columnAdvice(
  list: RecordList,
  { columns, unknown }: ColumnChoice,
  { columns: mapping = {} }: ReadOptions,
): Promise<string> {
  const id = columns.has("id") || list.noun === "members" ? undefined : unknown.find((each) => NUMBERS.test(each));
  const isWordless = !columns.has("text") && !columns.has("title") && mapping.text === undefined;
  const text = isWordless
    ? await wordiestColumn(
        list,
        unknown.filter((each) => !OF_OFFICE.test(each)),
      )
    : undefined;
  const conditions = [
    ...(text === undefined ? [] : [`${quote(text)} holds the customers' words`]),
    ...(id === undefined ? [] : [`${quote(id)} is different for each review`]),
  ];
  const mappings = [
    ...(text === undefined ? [] : [`text=${quoteName(text)}`]),
    ...(id === undefined ? [] : [`id=${quoteName(id)}`]),
  ];
  const names = list.noun === "columns" ? "column" : "member";
  const nameless = columns.has("author")
    ? ""
    : `; no ${names} is known to hold the authors, so the reviews are anonymous: if one does, --columns author=…`;
  const isSaid = isWordless && (text !== undefined || list.noun === "members");
  const wordless = isSaid
    ? `; no ${names} is known to hold the customers' words, so the reviews come without them${text === undefined ? ": if one does, --columns text=…" : ""}`
    : "";
  if (conditions.length === 0) return `${nameless}${wordless}`;
  const addresses = id === undefined ? "" : "; ids change the addresses of reviews that are published already";
  const again = text === undefined ? addresses : ` (if it is imported already, after goodword undo)${addresses}`;
  return `${nameless}${wordless}; if ${conditions.join(" and ")}: --columns ${mappings.join(",")}${again}`;
}

/** The column, among those given, with the longest texts; undefined if none has texts of several words. */
async function wordiestColumn(list: RecordList, given: readonly string[]): Promise<string | undefined> {
  const lengths = new Map<string, number>();
  let sampled = 0;
  for await (const page of list.pages()) {
    for (const record of page) {
      if (!("cells" in record)) continue;
      for (const name of given) {
        const cell = record.value(name);
        if (typeof cell === "string" && name !== "" && /\S\s+\S+\s+\S/.test(cell) && vagueDateFault(cell) === undefined)
          lengths.set(name, (lengths.get(name) ?? 0) + cell.length);
      }
      sampled += 1;
      if (sampled === MAX_RECORDS_SAMPLED) return longest(lengths);
    }
  }
  return longest(lengths);
}

function longest(lengths: ReadonlyMap<string, number>): string | undefined {
  return [...lengths].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}
