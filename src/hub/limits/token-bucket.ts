/** Who asked how often lately: a bucket of tokens for each name, as many names as memory is set aside for. */

export interface TokenBuckets {
  /** Takes a token of `name`. Gives 0 when there was one, else the seconds until there is. */
  take(name: string, now: Date): number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Buckets of `burst` tokens that fill by `perSecond`. The name not seen for the longest time is forgotten first. */
export function makeTokenBuckets({
  burst,
  perSecond,
  names = 20_000,
}: {
  readonly burst: number;
  readonly perSecond: number;
  readonly names?: number;
}): TokenBuckets {
  const buckets = new Map<string, Bucket>();
  return {
    take(name, now) {
      const time = now.getTime();
      const bucket = buckets.get(name) ?? { tokens: burst, filledAt: time };
      buckets.delete(name);
      buckets.set(name, bucket);
      if (buckets.size > names) buckets.delete(buckets.keys().next().value ?? name);
      bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, time - bucket.filledAt) / 1000) * perSecond);
      bucket.filledAt = time;
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perSecond);
      bucket.tokens -= 1;
      return 0;
    },
  };
}
