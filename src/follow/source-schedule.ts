/** The schedule of followed addresses: when each is fetched next. */

const MIN_BACKOFF_SECONDS = 300;
const MAX_BACKOFF_SECONDS = 6 * 3600;
const MAX_RETRY_AFTER_SECONDS = 24 * 3600;

/** Share by which a wait is lengthened at most, so that many servers do not fetch at the same second. */
const MAX_JITTER = 0.1;

/** The next time after a success. `random` is a number between 0 and 1. */
export function nextAfterSuccess(now: Date, everySeconds: number, random: number): Date {
  return later(now, everySeconds * (1 + MAX_JITTER * random));
}

/**
 * The next time after `failures` consecutive failures, by exponential back-off: five minutes (or the interval, if that
 * is shorter), doubled per failure up to six hours, and never before Retry-After.
 */
export function nextAfterFailure(
  now: Date,
  {
    everySeconds,
    failures,
    retryAfterSeconds = 0,
  }: { everySeconds: number; failures: number; retryAfterSeconds?: number | undefined },
  random: number,
): Date {
  const firstWait = Math.min(everySeconds, MIN_BACKOFF_SECONDS);
  const backoff = Math.min(firstWait * 2 ** Math.min(failures - 1, 30), MAX_BACKOFF_SECONDS);
  const retryAfter = Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS);
  return later(now, Math.max(backoff, retryAfter) * (1 + MAX_JITTER * random));
}

/**
 * Whether a source is due. A time further ahead than the longest wait counts as due: the clock was set back since, and
 * waiting could take years.
 */
export function isDue(nextAt: string, now: Date, everySeconds: number): boolean {
  const longest = Math.max(everySeconds, MAX_RETRY_AFTER_SECONDS) * (1 + MAX_JITTER);
  return nextAt <= now.toISOString() || nextAt > later(now, longest).toISOString();
}

function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
