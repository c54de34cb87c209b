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
    const next = nextDigest(digest, now, time_zone);
    const plannedAt = plannedDigest(address, told.get(noticeKey(address)), { zone: time_zone, next });
    const isDue = plannedAt !== undefined && plannedAt <= now.toISOString();
    const schedule = scheduleOf(address, time_zone);
    return plannedAt !== undefined && !isDue ? [] : [{ address, schedule, isDue, next }];
  });
}

/** When the digest of an address is due (ISO 8601), as a server has planned it or will; undefined if it gets none. */
export function digestDueAt(
  address: NoticeAddress,
  told: NoticeAddressTable | undefined,
  { zone, now }: { readonly zone: string; readonly now: Date },
): string | undefined {
  if (address.digest === undefined) return undefined;
  const next = nextDigest(address.digest, now, zone);
  return plannedDigest(address, told, { zone, next }) ?? next.toISOString();
}

function scheduleOf({ digest }: NoticeAddress, zone: string): string {
  return `${digest} ${zone}`;
}

/** When a digest was planned for; undefined if that was for another schedule, or for a time that a clock made up. */
function plannedDigest(
  address: NoticeAddress,
  told: Partial<NoticeAddressTable> = {},
  { zone, next }: { readonly zone: string; readonly next: Date },
): string | undefined {
  const { digest_at = null, digest_schedule } = told;
  const isCurrent = digest_at !== null && digest_schedule === scheduleOf(address, zone);
  return isCurrent && digest_at <= next.toISOString() ? digest_at : undefined;
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
