/**
 * Maps a table's columns to fields, as specified by the owner: `--columns rating="Sterne",date="Datum"` (interface §5).
 */

/** The fields to which a column can be mapped. */
export const MAPPABLE_FIELDS = [
  "id",
  "author",
  "rating",
  "date",
  "text",
  "source",
  "source_url",
  "owner_reply_text",
  "owner_reply_date",
  "verified",
  "author_avatar_url",
] as const;

export type MappableField = (typeof MAPPABLE_FIELDS)[number];
export type ColumnMapping = Readonly<Partial<Record<MappableField, string>>>;

/** One `field=column`. A column name that contains a comma is quoted. */
const PAIR = /([^=,]*)=(?:\s*"([^"]*)"\s*|([^,"]*))(?:,|$)/y;

/**
 * Parses pairs of field and column, and adds them to `before`.
 * @throws RangeError for an unknown field, a missing column, or a field that occurs twice.
 */
export function parseColumnMapping(text: string, before: ColumnMapping = {}): ColumnMapping {
  const mapping: Record<string, string> = { ...before };
  for (let at = 0; at < text.length; ) {
    PAIR.lastIndex = at;
    const match = PAIR.exec(text);
    if (match === null)
      throw new RangeError('It must be pairs of field and column, such as rating="Stars",date="Day".');
    const [whole, name = "", quoted, bare] = match;
    const field = name.trim();
    const column = (quoted ?? bare ?? "").trim();
    if (!(MAPPABLE_FIELDS as readonly string[]).includes(field)) {
      throw new RangeError(`"${field}" is no field. The fields are ${MAPPABLE_FIELDS.join(", ")}.`);
    }
    if (column === "") throw new RangeError(`${field} names no column.`);
    if (field in mapping) throw new RangeError(`${field} is given twice.`);
    mapping[field] = column;
    at += whole.length;
  }
  return mapping;
}
