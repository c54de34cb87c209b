/** When a followed address is fetched next. */

const MIN_BACKOFF_SECONDS = 300;
const MAX_BACKOFF_SECONDS = 6 * 3600;
const MAX_RETRY_AFTER_SECONDS = 24 * 3600;

/** Intervals are lengthened by up to this share, so that many servers do not fetch at the same second. */
const SPREAD = 0.1;

/** The next time after a success. `random` is a number between 0 and 1. */
export function nextAfterSuccess(now: Date, everySeconds: number, random: number): Date {
  return later(now, everySeconds * (1 + SPREAD * random));
}

/**
 * The next time after so many failures in a row, the last one included: five minutes (or the interval, if that is
 * shorter), doubled with each failure up to six hours, and never before the time that the server requests.
 */
export function nextAfterFailure(
  now: Date,
  {
    everySeconds,
    failures,
    askedSeconds = 0,
  }: { everySeconds: number; failures: number; askedSeconds?: number | undefined },
  random: number,
): Date {
  const first = Math.min(everySeconds, MIN_BACKOFF_SECONDS);
  const backoff = Math.min(first * 2 ** Math.min(failures - 1, 30), MAX_BACKOFF_SECONDS);
  const asked = Math.min(askedSeconds, MAX_RETRY_AFTER_SECONDS);
  return later(now, Math.max(backoff, asked) * (1 + SPREAD * random));
}

/**
 * Whether a source is due. A time further ahead than any wait was stored before the clock was set back: waiting for it
 * could take years.
 */
export function isDue(nextAt: string, now: Date, everySeconds: number): boolean {
  const longest = Math.max(everySeconds, MAX_RETRY_AFTER_SECONDS) * (1 + SPREAD);
  return nextAt <= now.toISOString() || nextAt > later(now, longest).toISOString();
}

function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
