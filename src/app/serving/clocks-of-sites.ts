/** The clocks of the open sites, for what all hubs share: what one store says of the time counts for no other site. */
import type { DatabaseClock } from "../../store/database-clock.ts";

type Clock = Pick<DatabaseClock, "aheadMs">;

export function makeClocksOfSites() {
  const clocks = new Set<Clock>();
  return {
    /** Takes a site's clock into account until `closed` is aborted. */
    add(clock: Clock, closed: AbortSignal): void {
      if (closed.aborted) return;
      clocks.add(clock);
      closed.addEventListener("abort", () => clocks.delete(clock), { once: true });
    },
    /**
     * How far this machine's clock is ahead of most of them, in milliseconds; 0 without any. It is their median; of two
     * in the middle the smaller difference, so that one store of two cannot say that the machine is wrong.
     */
    aheadMs(): number {
      const ahead = Array.from(clocks, (clock) => clock.aheadMs()).filter(Number.isFinite);
      const sorted = ahead.toSorted((a, b) => a - b);
      const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
      return middle.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
    },
  };
}
