/** Fenced writes: each proves the claim on its shard, so that a process that lost the claim changes nothing. */
import type { GroupCommit } from "../../store/group-commit.ts";
import { type Claim, proveClaim } from "../../store/shard-claim-rows.ts";
import { type Change, changeSubscription } from "../../store/subscription-rows.ts";
import type { Database } from "../../store/tables.ts";
import type { Subscription } from "../../subscription.ts";

/** Applies a transition to a subscription. `read` runs first, in the same transaction. */
export type FencedWrite = (
  id: string,
  transition: (current: Subscription | undefined) => Subscription | undefined,
  read?: (transaction: Database) => Promise<void>,
) => Promise<Change>;

/** The claim is lost: another process continues the work. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost";
}

/** Makes the write; `onChange` is called with each result. @throws ClaimLost instead of writing. */
export function makeFencedWrite(
  claim: Claim,
  groupCommit: GroupCommit,
  onChange: (id: string, after: Subscription | undefined) => void,
): FencedWrite {
  return async (id, transition, read) => {
    const change = await groupCommit(async (transaction) => {
      if (!(await proveClaim(transaction, claim))) return undefined;
      await read?.(transaction);
      return await changeSubscription(transaction, id, transition);
    });
    if (change === undefined) throw new ClaimLost(`Another process has claimed shard ${claim.shard}`);
    onChange(id, change.after);
    return change;
  };
}
