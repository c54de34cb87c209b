/** How long things wait that were not tried, or failed for reasons of our own. */
import type { DispatchParts } from "./dispatch-parts.ts";

const HINDERED_MILLISECONDS = 10_000;
const HELD_MILLISECONDS = 15_000;

/** When to try again what our own outage hindered, or whose host or address is left alone. */
export function waitAfter(
  kind: "hindered" | "held",
  origin: string,
  { hostHealth, now }: Pick<DispatchParts, "hostHealth" | "now">,
): Date {
  const time = now().getTime();
  if (kind === "hindered") return new Date(time + HINDERED_MILLISECONDS);
  const left = hostHealth.heldForMs(origin);
  return new Date(time + (left > 0 ? left : HELD_MILLISECONDS));
}
