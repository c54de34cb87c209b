/**
 * Fenced writes: each proves the claim on its shard, so that a process that lost the claim changes nothing. A write that
 * fails is repeated until it succeeds, because what it records has happened. Writes of one subscription keep their order:
 * a delivery recorded as owed after its success would be sent again.
 */
import { type Claim, proveClaim } from "../../store/claims.ts";
import type { GroupCommit } from "../../store/group-commit.ts";
import { type Change, changeSubscription } from "../../store/subscription-rows.ts";
import type { Database } from "../../store/tables.ts";
import type { Subscription } from "../../subscription.ts";

/** Applies a transition to a subscription, after those before. `read` runs first, in the same transaction. */
export type FencedWrite = (
  id: string,
  transition: (current: Subscription | undefined) => Subscription | undefined,
  read?: (transaction: Database) => Promise<void>,
) => Promise<Change>;

/** The claim is lost: another process continues the work. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost";
}

interface FencedWriteOptions {
  readonly groupCommit: GroupCommit;
  /** Once aborted, a write that fails is not repeated. */
  readonly signal: AbortSignal;
  /** Called with each changed subscription. */
  readonly onChange: (id: string, after: Subscription | undefined) => void;
  readonly onFault: (error: unknown) => void;
}

/** Delay before a write is repeated: doubled each time, up to the maximum. */
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 1600;

/** Makes the writes of a shard. One throws ClaimLost instead of writing, or what it failed with after an abort. */
export function makeFencedWrite(
  claim: Claim,
  { groupCommit, signal, onChange, onFault }: FencedWriteOptions,
): FencedWrite {
  /** The latest write of each subscription that is being written. */
  const latest = new Map<string, Promise<unknown>>();

  const write: FencedWrite = async (id, transition, read) => {
    for (let waitMs = MIN_RETRY_MS; ; waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
      try {
        const changed = await groupCommit(async (transaction) => {
          if (!(await proveClaim(transaction, claim))) return undefined;
          await read?.(transaction);
          return await changeSubscription(transaction, id, transition);
        });
        if (changed === undefined) throw new ClaimLost(`Another process has claimed shard ${claim.id}`);
        onChange(id, changed.after);
        return changed;
      } catch (error) {
        if (error instanceof ClaimLost || signal.aborted) throw error;
        onFault(error);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  };

  return (id, transition, read) => {
    const made = (latest.get(id) ?? Promise.resolve()).then(() => write(id, transition, read));
    const over = made.catch(() => {});
    latest.set(id, over);
    void over.then(() => latest.get(id) === over && latest.delete(id));
    return made;
  };
}
