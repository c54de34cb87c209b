/** Fenced writes: each proves the claim on its shard, so that a process that lost the claim changes nothing. */
import { type Claim, proveClaim } from "../../store/claims.ts";
import { advanceFanOut, type FanOut, type FanOutProgress } from "../../store/fan-out-rows.ts";
import type { GroupCommit } from "../../store/group-commit.ts";
import { type Change, changeSubscription } from "../../store/subscription-rows.ts";
import type { Database } from "../../store/tables.ts";
import type { Subscription } from "../../subscription.ts";

/** Applies a transition to a subscription. `read` runs first, in the same transaction. */
export type FencedWrite = (
  id: string,
  transition: (current: Subscription | undefined) => Subscription | undefined,
  read?: (transaction: Database) => Promise<void>,
) => Promise<Change>;

/** All writes of the work on a shard. */
export interface FencedWrites {
  readonly change: FencedWrite;
  /** Records the progress of a fan-out that was at `from`. Does nothing if the claim is lost. */
  readonly advance: (from: FanOut, to: FanOutProgress) => Promise<void>;
}

/** The claim is lost: another process continues the work. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost";
}

/**
 * Makes the writes; `onChange` is called with each changed subscription. `change` throws ClaimLost instead of writing.
 */
export function makeFencedWrites(
  claim: Claim,
  groupCommit: GroupCommit,
  onChange: (id: string, after: Subscription | undefined) => void,
): FencedWrites {
  const change: FencedWrite = async (id, transition, read) => {
    const changed = await groupCommit(async (transaction) => {
      if (!(await proveClaim(transaction, claim))) return undefined;
      await read?.(transaction);
      return await changeSubscription(transaction, id, transition);
    });
    if (changed === undefined) throw new ClaimLost(`Another process has claimed shard ${claim.id}`);
    onChange(id, changed.after);
    return changed;
  };

  async function advance(from: FanOut, to: FanOutProgress): Promise<void> {
    await groupCommit(async (transaction) => {
      if (await proveClaim(transaction, claim)) await advanceFanOut(transaction, from, to);
    });
  }

  return { change, advance };
}
