/** Writes about the subscriptions of a claimed shard. Each proves the claim, so that one who lost it changes nothing. */
import { type Claim, proveClaim } from "../store/shard-claim-rows.ts";
import { type Change, changeSubscription, type Subscription } from "../store/subscription-rows.ts";
import type { Database } from "../store/tables.ts";
import type { WriteTogether } from "../store/together.ts";

/** Makes a subscription into what `transition` says. `read` comes first, in the same transaction. */
export type ClaimedWrite = (
  id: string,
  transition: (current: Subscription | undefined) => Subscription | undefined,
  read?: (transaction: Database) => Promise<void>,
) => Promise<Change>;

/** The claim is lost: another process does the work from here on. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost";
}

/** Makes the writer. It tells `onChange` what a subscription has become. @throws ClaimLost instead of writing. */
export function makeClaimedWrite(
  claim: Claim,
  writeTogether: WriteTogether,
  onChange: (id: string, after: Subscription | undefined) => void,
): ClaimedWrite {
  return async (id, transition, read) => {
    const change = await writeTogether(async (transaction) => {
      if (!(await proveClaim(transaction, claim))) return undefined;
      await read?.(transaction);
      return await changeSubscription(transaction, id, transition);
    });
    if (change === undefined) throw new ClaimLost(`Another process has claimed shard ${claim.shard}`);
    onChange(id, change.after);
    return change;
  };
}
