/** When digests are due: Mondays, or on the first of the month, at eight in the business's time zone (interface §9). */
import type { NoticeAddress } from "../business.ts";
import { dayInZone, instantInZone } from "../calendar-date.ts";

const DIGEST_TIME = "08:00";
const DAY_MS = 86_400_000;
/** No two digests are further apart. */
const MAX_DAYS = 32;

/** The next time after `now` at which a digest is due. */
export function nextDigest(cadence: NonNullable<NoticeAddress["digest"]>, now: Date, zone: string): Date {
  const today = Date.parse(`${dayInZone(now, zone)}T00:00:00Z`);
  for (let days = 0; days <= MAX_DAYS; days++) {
    const day = new Date(today + days * DAY_MS);
    if (cadence === "weekly" ? day.getUTCDay() !== 1 : day.getUTCDate() !== 1) continue;
    const at = instantInZone(day.toISOString().slice(0, 10), DIGEST_TIME, zone);
    if (at > now) return at;
  }
  throw new RangeError("No digest within 32 days");
}
