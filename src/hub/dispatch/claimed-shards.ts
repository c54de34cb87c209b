/** The shards that this process has claimed: taken when something is due, renewed in use, given back when idle. */
import { type ClaimTime, claimShards, releaseClaims, renewClaims } from "../../store/shard-claim-rows.ts";
import type { DispatchContext, DispatcherContext } from "./dispatch-context.ts";
import { openShardWork, type ShardWork } from "./shard-work.ts";

export interface ClaimedShards {
  /** Claims those of the shards that nobody holds. Gives whether there were any. */
  claim(shards: readonly number[]): Promise<boolean>;
  /** The work on a shard, if it is ours. */
  work(shard: number): ShardWork | undefined;
  works(): ShardWork[];
  /** Gives back what has had nothing to do for a while. */
  releaseIdle(): Promise<void>;
  /** Extends the claims in use. What was lost, or cannot be extended in time, is given up at once. */
  renew(): Promise<void>;
  releaseAll(): Promise<void>;
}

interface Held {
  readonly work: ShardWork;
  /** On the clock. */
  until: number;
  idleSince: number | undefined;
}

/** Opens with no shard held. */
export function openClaimedShards(
  parts: DispatchContext & Pick<DispatcherContext, "owner" | "clock" | "claimMs">,
): ClaimedShards {
  const { claimMs, clock, log, now, owner, store } = parts;
  const held = new Map<number, Held>();
  /** A shard with nothing to do is kept for this long, for something often follows. */
  const lingerMs = claimMs / 4;

  /** When claims made now hold: for the store by the time of day, for this process by a clock that never jumps. */
  function openTerm(): { readonly time: () => ClaimTime; readonly until: () => number } {
    let until = 0;
    return {
      time() {
        until = clock() + claimMs;
        const start = now();
        return { now: start, until: new Date(start.getTime() + claimMs) };
      },
      until: () => until,
    };
  }

  function giveUp({ work }: Held): void {
    if (held.get(work.claim.shard)?.work === work) held.delete(work.claim.shard);
    work.abort();
  }

  async function release(works: readonly ShardWork[]): Promise<void> {
    for (const { claim } of works) held.delete(claim.shard);
    await releaseClaims(
      store,
      works.map(({ claim }) => claim),
    );
  }

  return {
    async claim(shards) {
      const unheld = shards.filter((shard) => !held.has(shard));
      const term = openTerm();
      const claims = await claimShards(store, unheld, { owner, time: term.time });
      for (const claim of claims) {
        held.set(claim.shard, { work: openShardWork(claim, parts), until: term.until(), idleSince: undefined });
      }
      return claims.length > 0;
    },
    work: (shard) => held.get(shard)?.work,
    works: () => [...held.values()].map(({ work }) => work),
    async releaseIdle() {
      const time = clock();
      for (const each of held.values()) each.idleSince = each.work.isIdle() ? (each.idleSince ?? time) : undefined;
      const idle = [...held.values()].filter(({ idleSince = time }) => time - idleSince >= lingerMs);
      if (idle.length > 0) await release(idle.map(({ work }) => work));
    },
    async renew() {
      const inUse = [...held.values()].filter(({ idleSince }) => idleSince === undefined);
      const term = openTerm();
      try {
        const claims = inUse.map(({ work }) => work.claim);
        const renewed = claims.length === 0 ? [] : await renewClaims(store, claims, term.time);
        for (const each of inUse) {
          if (renewed.some(({ shard }) => shard === each.work.claim.shard)) each.until = term.until();
          else giveUp(each);
        }
      } catch (error) {
        log({ event: "fault", error });
      }
      for (const each of held.values()) if (each.until <= clock()) giveUp(each);
    },
    releaseAll: () => release([...held.values()].map(({ work }) => work)),
  };
}
