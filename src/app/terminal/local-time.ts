/** Times for people, in the time zone of this machine. */

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
