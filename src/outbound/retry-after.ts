/** Reads Retry-After, in which a server says how long to wait (RFC 9110 §10.2.3). */

/** The seconds of a Retry-After header: a number, or the time until a date. Undefined if it is missing or neither. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}
