/** Text for a terminal: made safe, because files and customers must not control it; tables, counts and local times. */

/** Replaces control characters, and characters that change the writing direction, with question marks. */
export function terminalText(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "?");
}

/** A count with its noun. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Aligns the cells of all rows; the first row is the header. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The day and time of an ISO instant, such as `2026-11-21 22:55`. */
export function localTime(instant: string): string {
  const date = new Date(instant);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join("-");
  return `${day} ${clockTime(instant).slice(0, 5)}`;
}

/** The time of day of an ISO instant, with seconds. */
export function clockTime(instant: string): string {
  const date = new Date(instant);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
}

function twoDigits(part: number): string {
  return String(part).padStart(2, "0");
}
