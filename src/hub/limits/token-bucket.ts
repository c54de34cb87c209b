/** A token bucket per name, for a bounded number of names. */
import { lru } from "tiny-lru";

export interface TokenBuckets {
  /** Takes a token of `name`. Returns 0 if there was one, otherwise the seconds until the next. */
  take(name: string, now: Date): number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Makes buckets of `burst` tokens that refill by `perSecond`. The least recently used name is forgotten first. */
export function makeTokenBuckets({
  burst,
  perSecond,
  maxNames = 20_000,
}: {
  readonly burst: number;
  readonly perSecond: number;
  readonly maxNames?: number;
}): TokenBuckets {
  const buckets = lru<Bucket>(maxNames);
  return {
    take(name, now) {
      const time = now.getTime();
      const bucket = buckets.get(name) ?? { tokens: burst, filledAt: time };
      buckets.set(name, bucket);
      bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, time - bucket.filledAt) / 1000) * perSecond);
      bucket.filledAt = time;
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perSecond);
      bucket.tokens -= 1;
      return 0;
    },
  };
}
