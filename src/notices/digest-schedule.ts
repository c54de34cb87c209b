/** When digests are due: Mondays, or on the first of the month, at eight in the business's time zone (interface §9). */
import type { BusinessFile, NoticeAddress } from "../business.ts";
import { dayInZone, instantInZone } from "../calendar-date.ts";
import { noticeKey } from "../store/notice-rows.ts";
import type { NoticeAddressTable } from "../store/tables.ts";

const DIGEST_TIME = "08:00";
const DAY_MS = 86_400_000;
/** No two digests are further apart. */
const MAX_DAYS = 32;

/** An address whose digest is due, or has no due time yet. */
export interface PlannedDigest {
  readonly address: NoticeAddress;
  /** How often, and in which time zone. */
  readonly schedule: string;
  readonly isDue: boolean;
  readonly next: Date;
}

/** The addresses whose digest is due, or has no due time yet. `told` is what is stored of each, by its key. */
export function digestsToPlan(
  { notices = [], time_zone }: BusinessFile,
  told: ReadonlyMap<string, NoticeAddressTable>,
  now: Date,
): readonly PlannedDigest[] {
  return notices.flatMap((address) => {
    const { digest } = address;
    if (digest === undefined) return [];
    const { digest_at = null, digest_schedule } = told.get(noticeKey(address)) ?? {};
    const [schedule, next] = [`${digest} ${time_zone}`, nextDigest(digest, now, time_zone)];
    const isPlanned = digest_schedule === schedule && digest_at !== null && digest_at <= next.toISOString();
    const isDue = isPlanned && digest_at <= now.toISOString();
    return isPlanned && !isDue ? [] : [{ address, schedule, isDue, next }];
  });
}

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
