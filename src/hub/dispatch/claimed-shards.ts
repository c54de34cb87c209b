/** The shards that this process has claimed: claimed when something is due, and released when idle. */
import type { Claim } from "../../store/claims.ts";
import type { DispatchContext, DispatcherContext } from "./dispatch-context.ts";
import { openShardWork, type ShardWork } from "./shard-work.ts";

export interface ClaimedShards {
  /** Claims the shards that no process holds. Returns whether there were any. */
  claim(shards: readonly number[]): Promise<boolean>;
  /** Returns the work on a shard that this process holds. */
  work(shard: number): ShardWork | undefined;
  works(): ShardWork[];
  /** Releases shards that have had nothing to do for a while. */
  releaseIdle(): Promise<void>;
  releaseAll(): Promise<void>;
}

interface ClaimedShard {
  readonly work: ShardWork;
  idleSince: number | undefined;
}

/** An idle shard is kept for this long, because more work often follows. */
const MAX_IDLE_MS = 1000;

/** Opens without any claimed shard. */
export function openClaimedShards(
  context: DispatchContext & Pick<DispatcherContext, "claims" | "clock">,
): ClaimedShards {
  const { claims, clock } = context;
  const claimed = new Map<number, ClaimedShard>();

  function open(claim: Claim): void {
    const work = openShardWork(claim, context);
    claimed.set(claim.id, { work, idleSince: undefined });
    claim.lost.addEventListener("abort", () => {
      if (claimed.get(claim.id)?.work === work) claimed.delete(claim.id);
      work.abort();
    });
  }

  async function release(released: readonly ClaimedShard[]): Promise<void> {
    await claims.release(released.map(({ work }) => work.claim));
  }

  return {
    async claim(shards) {
      const taken = await claims.take(shards.filter((shard) => !claimed.has(shard)));
      for (const claim of taken) open(claim);
      return taken.length > 0;
    },
    work: (shard) => claimed.get(shard)?.work,
    works: () => [...claimed.values()].map(({ work }) => work),
    async releaseIdle() {
      const time = clock();
      for (const each of claimed.values()) each.idleSince = each.work.isIdle() ? (each.idleSince ?? time) : undefined;
      const idle = [...claimed.values()].filter(({ idleSince = time }) => time - idleSince >= MAX_IDLE_MS);
      if (idle.length > 0) await release(idle);
    },
    releaseAll: () => release([...claimed.values()]),
  };
}
