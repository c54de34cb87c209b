/** What a report says of columns that a sheet hides, and that are therefore not published. */
import { quote } from "../../issue.ts";

/** The warning that names them. */
export function hiddenColumns(names: readonly string[]): string {
  const are = names.length === 1 ? "is a column that the sheet hides" : "are columns that the sheet hides";
  return `${names.map((name) => quote(name)).join(", ")} ${are}: not read`;
}
