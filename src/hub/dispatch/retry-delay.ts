/** How long things wait that were not tried, or failed for reasons of our own. */
import type { DispatchContext } from "./dispatch-context.ts";

const LOCAL_FAILURE_MS = 10_000;
const HELD_MS = 15_000;

/** When to try again what our own outage hindered, or whose host or address is left alone. */
export function waitAfter(
  kind: "local failure" | "held",
  origin: string,
  { hostBreaker, now }: Pick<DispatchContext, "hostBreaker" | "now">,
): Date {
  const time = now().getTime();
  if (kind === "local failure") return new Date(time + LOCAL_FAILURE_MS);
  const left = hostBreaker.heldForMs(origin);
  return new Date(time + (left > 0 ? left : HELD_MS));
}
