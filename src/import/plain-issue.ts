/**
 * What an issue of an import says without a word of what was imported, for the log of a server and the stored outcome
 * of a followed source. A terminal shows the issue's message, which quotes.
 */
import type { Issue } from "../issue.ts";
import { type OwnWords, ownList, ownWords } from "../lib/own-words.ts";
import type { FieldName } from "./review/candidate.ts";

/** The kinds of issues by their codes. */
const KINDS: Readonly<Record<string, OwnWords>> = {
  archive: ownWords`an archive cannot be unpacked`,
  business: ownWords`its description of a business cannot be taken`,
  contradiction: ownWords`two records say different things of one review`,
  encoding: ownWords`its encoding is not known`,
  field: ownWords`a field is not valid`,
  file: ownWords`its content cannot be read as it is`,
  incomplete: ownWords`it cannot be complete, as complete: true says of it`,
  more: ownWords`and there are more`,
  nothing: ownWords`it has nothing to import`,
  path: ownWords`a file cannot be read`,
  record: ownWords`a record cannot be read`,
  size: ownWords`it is too large`,
  spreadsheet: ownWords`it is a spreadsheet that cannot be read`,
  unrecognised: ownWords`its format is not known`,
  zip: ownWords`an archive cannot be unpacked`,
};

/** A table without the columns that reviews need. */
export const UNRECOGNISED_TABLE = ownWords`it is a table without a column rating or date`;

/** The names of fields in our own format. */
const FIELDS: Readonly<Record<FieldName, OwnWords>> = {
  author: ownWords`author`,
  author_avatar_url: ownWords`author_avatar_url`,
  id: ownWords`id`,
  owner_reply: ownWords`owner_reply`,
  rating: ownWords`rating`,
  reply_text: ownWords`owner_reply_text`,
  reply_written: ownWords`owner_reply_date`,
  source: ownWords`source`,
  source_url: ownWords`source_url`,
  text: ownWords`text`,
  title: ownWords`title`,
  updated: ownWords`updated`,
  verified: ownWords`verified`,
  written: ownWords`date`,
};

/** The fault of a field in the record at `at`. */
export function invalidField(name: FieldName, at: string): OwnWords {
  return atPlace(at, ownWords`${FIELDS[name]} is not valid`);
}

/** The fault, with its place in the file if that is a line, a row or an index. */
function atPlace(at: string | number | undefined, fault: OwnWords): OwnWords {
  const { unit, number, index } = /(?<unit>line|row) (?<number>\d+)|\[(?<index>\d+)\]/.exec(String(at))?.groups ?? {};
  if (index !== undefined) return ownWords`[${Number(index)}]: ${fault}`;
  if (unit === "row") return ownWords`row ${Number(number)}: ${fault}`;
  return unit === "line" ? ownWords`line ${Number(number)}: ${fault}` : fault;
}

const UNKNOWN = ownWords`it was refused`;
const MAX_ISSUES = 5;

/** What an issue says. */
export function plainIssue({ code, path, plain }: Issue): OwnWords {
  const place = code === "contradiction" ? path[0] : path[1]; // there the first part has file and line
  return plain ?? atPlace(place, KINDS[code] ?? UNKNOWN);
}

/** What the issues of one file say, the first ones one by one. */
export function plainIssues(issues: readonly Issue[]): OwnWords {
  const all = issues.map(plainIssue);
  const some = ownList([...new Set(all.slice(0, MAX_ISSUES))], ownWords`; `);
  return all.length > MAX_ISSUES ? ownWords`${some}; and ${all.length - MAX_ISSUES} more` : some;
}
