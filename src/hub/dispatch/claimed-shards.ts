/**
 * The shards that this process has claimed: claimed when something is due, renewed while in use, released when idle.
 */
import { type Claim, type ClaimTime, claimShards, releaseClaims, renewClaims } from "../../store/shard-claim-rows.ts";
import type { DispatchContext, DispatcherContext } from "./dispatch-context.ts";
import { openShardWork, type ShardWork } from "./shard-work.ts";

export interface ClaimedShards {
  /** Gives up claims that have ended, and claims the shards that no process holds. Returns whether there were any. */
  claim(shards: readonly number[]): Promise<boolean>;
  /** Returns the work on a shard that this process holds. */
  work(shard: number): ShardWork | undefined;
  works(): ShardWork[];
  /** Releases shards that have had nothing to do for a while. */
  releaseIdle(): Promise<void>;
  /** Renews the claims. One that was lost or cannot be renewed in time is dropped at once. */
  renew(): Promise<void>;
  releaseAll(): Promise<void>;
}

interface ClaimedShard {
  readonly work: ShardWork;
  /** When the claim ends, on the clock. */
  until: number;
  idleSince: number | undefined;
}

/** Opens without any claimed shard. */
export function openClaimedShards(
  context: DispatchContext & Pick<DispatcherContext, "owner" | "clock" | "claimMs">,
): ClaimedShards {
  const { claimMs, clock, log, now, owner, store } = context;
  const claimed = new Map<number, ClaimedShard>();
  /** An idle shard is kept for this long, because more work often follows. */
  const idleMs = claimMs / 4;

  /** When claims made now expire: by wall-clock time for the store, by a monotonic clock for this process. */
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

  function giveUp(each: ClaimedShard): void {
    if (isClaimed(each)) claimed.delete(each.work.claim.shard);
    each.work.abort();
  }

  function isClaimed({ work }: ClaimedShard): boolean {
    return claimed.get(work.claim.shard)?.work === work;
  }

  /** Gives up claims that have ended while the process was held up: another process may hold these shards by now. */
  function giveUpEnded(): void {
    for (const each of claimed.values()) if (each.until <= clock()) giveUp(each);
  }

  function openClaimed(claim: Claim, until: number): ClaimedShard {
    const each: ClaimedShard = { work: openShardWork(claim, context, isHeld), until, idleSince: undefined };
    return each;

    /** If not, the work ends at once, and the next owner of the shard delivers the rest. */
    function isHeld(): boolean {
      if (each.until > clock()) return true;
      giveUp(each);
      return false;
    }
  }

  async function release(released: readonly ClaimedShard[]): Promise<void> {
    for (const each of released) if (isClaimed(each)) claimed.delete(each.work.claim.shard);
    await releaseClaims(
      store,
      released.map(({ work }) => work.claim),
    );
  }

  return {
    async claim(shards) {
      giveUpEnded();
      const others = shards.filter((shard) => !claimed.has(shard));
      const term = openTerm();
      const claims = await claimShards(store, others, { owner, time: term.time });
      for (const claim of claims) claimed.set(claim.shard, openClaimed(claim, term.until()));
      return claims.length > 0;
    },
    work: (shard) => claimed.get(shard)?.work,
    works: () => [...claimed.values()].map(({ work }) => work),
    async releaseIdle() {
      const time = clock();
      for (const each of claimed.values()) each.idleSince = each.work.isIdle() ? (each.idleSince ?? time) : undefined;
      const idle = [...claimed.values()].filter(({ idleSince = time }) => time - idleSince >= idleMs);
      if (idle.length > 0) await release(idle);
    },
    async renew() {
      const held = [...claimed.values()];
      const term = openTerm();
      try {
        const claims = held.map(({ work }) => work.claim);
        const renewed = claims.length === 0 ? [] : await renewClaims(store, claims, term.time);
        const isRenewed = ({ work }: ClaimedShard) => renewed.some(({ shard }) => shard === work.claim.shard);
        const givenUp = held.filter((each) => isRenewed(each) && !isClaimed(each));
        for (const each of held) {
          if (isRenewed(each)) each.until = term.until();
          else giveUp(each);
        }
        if (givenUp.length > 0) await release(givenUp);
      } catch (error) {
        log({ event: "fault", error });
      }
      giveUpEnded();
    },
    releaseAll: () => release([...claimed.values()]),
  };
}
